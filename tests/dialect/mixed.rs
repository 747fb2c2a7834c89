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
fn a_bad_part_costs_no_edit_below_it() {
    let bad = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\nimport x\n-a\n+b\n}\n\nSome prose.\n";
    let said = "! line 4: found 'import x', expected a line that begins with ' ', '-' or '+'";
    let block = "g.rs\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    let call = "<apply_diff>\n<path>h.rs</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</diff>\n</apply_diff>\n";
    check(&format!("{bad}{call}"), &format!("M h.rs [a;=>b;]\n{said}"));
    check(
        &format!("{bad}{block}"),
        &format!("M g.rs [a;=>b;]\n{said}"),
    );
}

#[test]
fn a_fence_that_begins_with_a_call_is_there_for_the_call() {
    let file = |name: &str, divider: &str| {
        format!(
            "<file>\n<path>{name}</path>\n<diff>\n<content>\n<<<<<<< SEARCH\n:start_line:5\n-------\na\n{divider}b\n>>>>>>> REPLACE\n</content>\n</diff>\n</file>\n"
        )
    };
    let call = format!(
        "**示例：两个文件**\n\n```xml\n<apply_diff>\n<args>\n{}{}</args>\n</apply_diff>\n```\n",
        file("f.rs", ""),
        file("g.rs", "=======\n")
    );
    check(
        &call,
        "M g.rs 5 [a;=>b;]\n! line 15: found '>>>>>>> REPLACE', expected '=======' for the SEARCH on line 10",
    );
}

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
