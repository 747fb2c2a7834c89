//! Several dialects and prose in one input.

use countersign::dialect::{Options, Parsed, parse};

use crate::show::{check, read, show};

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
    let said =
        "! line 4 of the input: found 'import x', expected a line that begins with ' ', '-' or '+'";
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
        "M g.rs 5 [a;=>b;]\n! line 15 of the input: found '>>>>>>> REPLACE', expected '=======' for the SEARCH on line 10",
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

#[test]
fn an_edit_without_a_name_is_not_for_the_file_before_if_the_text_names_another() {
    let block = "```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n";
    let below = |text: &str, expected: &str| {
        check(
            &format!("a.txt\n{block}\n{text}\n{block}"),
            &format!("M a.txt [a;=>b;]{expected}"),
        );
    };
    let guessed = "\nM b.txt? [a;=>b;]";
    below("## b.txt\n\nHere a becomes b.\n", guessed);
    below("b.txt\n\nHere a becomes b.\n", guessed);
    below("1. **b.txt** - change a:", guessed);
    below("--- b.txt ---", guessed);
    below("See [b.txt](b.txt) for this:\n\n\n", guessed);
    below("[b.txt](src/b.txt)", "\nM b.txt [a;=>b;]");
    below("b.txt (line 3)", guessed);
    below("And in b.txt we need this:", guessed);
    below("File: b.txt\n\n\n", guessed);
    below("In another one, src/b.rs, too:", "\nM src/b.rs? [a;=>b;]");
    // The tree decides if it is a file.
    below("Then `self.x`, the other one:", "\nM self.x [a;=>b;]");
    below("And again:", " [a;=>b;]");
    below("Again in a.txt, at the end of it:", " [a;=>b;]");
    // An example in a fence of its own is no text between them.
    below("```text\nb.txt\n```\n\nAnd again:", " [a;=>b;]");
    let nameless =
        "\n! line 14 of the input: found a block that names no file, expected a file name above it";
    below("b.txt is like c.txt here:\n\n", nameless);
    let diff = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n```\n\n";
    let hunk = "```diff\n@@ -3 +3 @@\n-c\n+d\n```\n";
    check(
        &format!("{diff}**b.txt**\n{hunk}"),
        "M a.txt 1 [a;=>b;]\nM b.txt 3 [c;=>d;]",
    );
    check(
        &format!("{diff}And in b.txt we have this:\n\n{hunk}"),
        "M a.txt 1 [a;=>b;]\nM b.txt? 3 [c;=>d;]",
    );
    let call = r#"{"name":"Edit","input":{"file_path":"a.txt","old_string":"a","new_string":"b"}}"#;
    check(
        &format!("{call}\n\nAnd in b.txt we have this:\n\n{block}"),
        "M a.txt text [a;=>b;]\nM b.txt? [a;=>b;]",
    );
}

#[test]
fn what_is_not_read_beside_an_edit_is_named() {
    let call = r#"{"name":"Edit","input":{"file_path":"a.txt","old_string":"a","new_string":"b"}}"#;
    let beside = |text: &str, expected: &str| {
        let all = format!("M a.txt text [a;=>b;]{expected}");
        check(&format!("{call}\n\n{text}"), &all);
    };
    let python = "\n! line 4 of the input: found a call of `Edit` in the notation of Python, expected the same call in JSON";
    beside(
        "```\nEdit(file_path=\"b.txt\", old_string=\"two\", new_string=\"2\")\n```\n",
        python,
    );
    beside(
        "```\n{'name':'Edit','input':{'file_path':'b.txt','old_string':'two','new_string':'2'}}\n```\n",
        python,
    );
    beside(
        "```yaml\nname: Edit\ninput:\n  file_path: b.txt\n```\n",
        "\n! line 4 of the input: found a call of `Edit` in YAML, expected the same call in JSON",
    );
    beside(
        "b.txt also:\n```diff\n-one\n+1\n```\n",
        "\nM b.txt? [one;=>1;]",
    );
    beside(
        "Another one:\n```diff\n-one\n+1\n```\n",
        "\n! line 4 of the input: found a code fence with lines of a diff, which name no place in a file, expected '--- ' and '+++ ' lines with the file and '@@' above them",
    );
    let cut = |text: &str, found: &str| {
        beside(
            text,
            &format!("\n! line 3 of the input: found {found}, expected the whole edit"),
        );
    };
    cut(
        "<invoke name=\"Edit\">\n<parameter name=\"file_path\">b.txt</parameter>\n<parameter name=\"old_string\">two\n",
        "a call of `Edit` without `</invoke>`",
    );
    cut(
        "<str_replace path=\"b.txt\">\n<old_str>two</old_str>\n",
        "a call of `str_replace` without `</str_replace>`",
    );
    cut(
        "<boltAction type=\"file\" filePath=\"b.txt\">\nx\n",
        "a call of `boltAction` without `</boltAction>`",
    );
    cut(
        "<<<<<<< SEARC",
        "the beginning of an edit in the format `search-replace`",
    );
    beside("<<<<<<< HEAD\n", "");
    beside("<insert>\n", "");
    // Calls of other functions, and what others print.
    beside("```python\nfancy(path='a', content='b')\n```\n", "");
    beside("```diff\nno change\n```\n", "");
    beside("```text\n-one\n+1\n```\n", "");
}

#[test]
fn a_diff_that_is_cut_off_is_refused() {
    let diff = "Here it is:\n\n```diff\n--- b.txt\n+++ b.txt\n@@ @@\n one\n-two\n";
    check(
        diff,
        "! line 8 of the input: found the end of the input, expected the end of the code fence",
    );
    check(&format!("{diff}```\n"), "M b.txt [one;two;=>one;]");
}

#[test]
fn a_diff_that_is_cut_off_before_its_first_change_is_refused_beside_other_edits() {
    let named = |name: &str, body: &str| format!("In `{name}`:\n\n```diff\n{body}");
    let first = named("a.txt", "@@\n-a\n+A\n```\n\n");
    let cut = |body: &str| format!("{first}{}", named("b.txt", body));
    for body in ["@@\n ", "@@ -1,3 +1,3 @@\n one\n two\n"] {
        let found = read(&cut(body));
        assert!(
            found.starts_with("M a.txt [a;=>A;]\n! line "),
            "{body:?}: {found}"
        );
    }
    // A hunk that ends and changes nothing is no edit.
    check(&cut("@@\n one\n```\n"), "M a.txt [a;=>A;]");
}
