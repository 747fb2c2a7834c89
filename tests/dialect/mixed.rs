//! Several dialects and prose in one input.

use countersign::dialect::{Options, Parsed, parse};

use crate::show::{check, show};

/// What an agent's answer may look like.
const ANSWER: &str = "\
First this:

```diff
--- a/f
+++ b/f
@@ -1 +1 @@
-a
+b
```

Then that:

src/g.py
```python
<<<<<<< SEARCH
c
=======
d
>>>>>>> REPLACE
```
```
apply_patch <<'EOF'
*** Begin Patch
*** Delete File: h
*** End Patch
EOF
```

Run it:

```sh
make
```
";

#[test]
fn prose_alone_is_nothing() {
    let parsed = parse("Hello.\n\n* a\n* b\n", &Options::default());
    assert!(parsed.proposal.files.is_empty() && parsed.problems.is_empty());
    assert_eq!(parsed.proposal.intent, "Hello.\n\n* a\n* b");
    assert_eq!(parse("", &Options::default()), Parsed::default());
}

#[test]
fn every_dialect_is_read_in_one_input() {
    let parsed = parse(ANSWER, &Options::default());
    assert_eq!(show(&parsed), "M f 1 [a;=>b;]\nM src/g.py [c;=>d;]\nD h");
    assert_eq!(
        parsed.proposal.intent,
        "First this:\n\nThen that:\n\nRun it:\n\n```sh\nmake\n```"
    );
    let files = &parsed.proposal.files;
    let dialects: Vec<_> = files.iter().map(|file| file.dialect).collect();
    assert_eq!(dialects, ["unified", "aider", "envelope"]);
    let spans: Vec<_> = files
        .iter()
        .map(|file| (file.span.first.get(), file.span.last.get()))
        .collect();
    assert_eq!(spans, [(4, 8), (13, 19), (24, 24)]);
}

#[test]
fn an_edit_of_an_edit_is_content() {
    check(
        "*** Begin Patch\n*** Add File: f.md\n+<<<<<<< SEARCH\n+a\n+=======\n+b\n+>>>>>>> REPLACE\n+--- a/x\n++++ b/x\n*** End Patch\n",
        "C f.md [=><<<<<<< SEARCH;a;=======;b;>>>>>>> REPLACE;--- a/x;+++ b/x;]",
    );
    check(
        "f.md\n<<<<<<< SEARCH\na\n=======\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n*** Begin Patch\n>>>>>>> REPLACE\n",
        "M f.md [a;=>--- a/x;+++ b/x;@@ -1 +1 @@;-a;+b;*** Begin Patch;]",
    );
}

#[test]
fn a_fence_in_a_list_is_read_without_its_indentation() {
    check(
        "1. First:\n\n   ```diff\n   --- a/f\n   +++ b/f\n   @@ -1,3 +1,3 @@\n    a\n   -b\n   +c\n    d\n   ```\n2. Then:\n   ```\n   *** Begin Patch\n   *** Delete File: g\n   *** End Patch\n   ```\n",
        "M f 1 [a;b;d;=>a;c;d;]\nD g",
    );
    check(
        "- `a.py`:\n  ```python\n  <<<<<<< SEARCH\n    x\n  =======\n    y\n  >>>>>>> REPLACE\n  ```\n",
        "M a.py [  x;=>  y;]",
    );
    check("- try:\n  ```sh\n  make\n  ```\n", "");
    check("- try:\n  ```diff\n  --- a/f\n  +++ b/f\n", "");
}
