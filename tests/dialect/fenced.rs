//! Whole files and sketches in code fences.

use crate::show::{self, check, read_as};

#[test]
fn a_fence_below_a_name_is_a_file() {
    check("f.py\n```python\na\n\nb\n```\n", "O f.py [=>a;;b;]");
    check(
        "Here:\n\n**f.py**\n\n```\na\n```\ng.py\n```\nb\n```\n",
        "O f.py [=>a;]\nO g.py [=>b;]",
    );
    check("```python f.py\na\n```\n", "O f.py [=>a;]");
    check("f.py\n```\n```\n", "O f.py");
    assert_eq!(read_as("whole", Some("f"), "```\na\n```\n"), "O f [=>a;]");
}

#[test]
fn an_example_is_no_file() {
    check("You can run it like so:\n```\nmake\n```\n", "");
    check("```bash\nrun.sh\n```\nand\n```\nx\n```\n", "");
    check("See run.sh:\n```\nx\n```\n", "O run.sh guessed [=>x;]");
}

#[test]
fn a_named_fence_beside_an_edit_of_another_file_is_a_guess() {
    const DIFF: &str = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
    let check = |fence: &str, expected: &str| {
        check(
            &format!("{fence}{DIFF}"),
            &format!("M f 1 [a;=>b;]{expected}"),
        );
    };
    check("f.py\n```\na\n```\n", "\nO f.py guessed [=>a;]");
    check(
        "f.py\n```\na\n// ... existing code ...\n```\n",
        "\nM f.py sketch guessed [=>a;// ... existing code ...;]",
    );
    // One that names the file of the edit shows a part of it.
    check("f\n```\na\n```\n", "");
    check("```\na\n```\n", "");
}

#[test]
fn fences_inside_the_text() {
    check(
        "f.md\n````markdown\n```\nx\n```\n````\n",
        "O f.md [=>```;x;```;]",
    );
    check(
        "f.md\n```markdown\na\n```bash\nx\n```\nb\n```\n",
        "O f.md [=>a;```bash;x;```;b;]",
    );
    check(
        "f.md\n```markdown\na\n```\nx\n```\nb\n```\n",
        "! line 6 of the input: found '```', expected a longer fence around a text with fences of its own",
    );
    // A fence that prose leads to is none of the text.
    for after in [
        "Run it:\n```sh\nx\n```\n",
        "Run it:\n```\nx\n```\n",
        "\nRun it:\n\n```\nx\n```\n",
        "\nThe layout stays.\n\n```\nx/\n```\n",
        "\nUse it:\n```\nx\n```\n\nIt prints:\n\n```\n2\n```\n",
    ] {
        check(&format!("f.py\n```\na\n```\n{after}"), "O f.py [=>a;]");
    }
    check(
        "f.md\n```\na\n```\n\nRun it:\n\n```\nx\n```\n",
        "O f.md [=>a;]",
    );
    // It may be one of the text, or one more part of the file.
    for (name, after) in [
        ("f.md", "Run it:\n```\nx\n```\nb\n```\n"),
        ("f.md", "\nnpm i\n\n```\nx\n```\nb\n```\n"),
        ("f.py", "x = 1\n```\nx\n```\n"),
    ] {
        let found = show::read(&format!("{name}\n```\na\n```\n{after}"));
        assert!(
            found.contains("found '```', expected a longer fence"),
            "{found}"
        );
    }
    for language in ["", "python"] {
        check(
            &format!("f.py\n```{language}\na\n```\n\nand g:\n\n```{language}\nx\n```\n"),
            "! line 8 of the input: found a second code fence that may be for `f.py`, expected one code fence with the whole text of the file, or a diff",
        );
    }
}

#[test]
fn a_diff_in_the_text_of_a_file_is_not_believed() {
    check(
        "doc/patches.md\n````markdown\n# How to\n\nSend\na\nmail:\n\n```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n```\n````\n",
        "! line 12 of the input: found an edit inside the text of a file, expected either of them; `--format` says which",
    );
    // A diff of a file with a fence: the fence is a line of a hunk.
    let start = "--- a/f.md\n+++ b/f.md\n@@ -1,7 +1,7 @@\n-a\n+b\n **x.sh**\n";
    let end = "@@ -8,3 +8,3 @@\n x\n-c\n+d\n ```\n";
    check(
        &format!("{start} ```sh\n 1\n 2\n 3\n 4\n{end}"),
        "M f.md 1 [a;**x.sh**;```sh;1;2;3;4;=>b;**x.sh**;```sh;1;2;3;4;] 8 [x;c;```;=>x;d;```;]",
    );
    check(
        &format!("{start} 1\n 2\n 3\n 4\n 5\nx.sh\n```\n1\n2\n3\n4\n{end}"),
        "M f.md 1 [a;**x.sh**;1;2;3;4;5;=>b;**x.sh**;1;2;3;4;5;]\n! line 18 of the input: found an edit inside the text of a file, expected either of them; `--format` says which",
    );
    check(
        "src/f.py\n```python\n# src/f.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "M src/f.py [a;=>b;]",
    );
}

#[test]
fn a_command_in_a_script_is_a_line_of_the_script() {
    check(
        "setup.sh\n```sh\ncat > f.yml <<'EOF'\na\nEOF\n```\n",
        "O setup.sh [=>cat > f.yml <<'EOF';a;EOF;]",
    );
    // Such as the ones that a file of a build service holds, indented or not.
    check(
        "ci.yml\n```yaml\n- run: |\n    cat > f.yml <<EOF\n    $A\n    EOF\n```\n",
        "O ci.yml [=>- run: |;    cat > f.yml <<EOF;    $A;    EOF;]",
    );
    check(
        "Makefile\n```\nf:\n\tsed -i 's/a/b/' g\n```\n",
        "O Makefile [=>f:;\tsed -i 's/a/b/' g;]",
    );
    // A fence with the name of the file that the command writes is there for the command.
    check(
        "f.yml\n```sh\ncat > f.yml <<'EOF'\na\nEOF\n```\n",
        "O f.yml +nl [=>a;]",
    );
    check(
        "cat > g.yml <<'EOF'\nb\nEOF\n\nsetup.sh\n```sh\ncat > f.yml <<'EOF'\na\nEOF\n```\n",
        "O g.yml +nl [=>b;]\n! line 7 of the input: found an edit inside the text of a file, expected either of them; `--format` says which",
    );
}

#[test]
fn a_fence_without_an_end_is_cut_off() {
    check(
        "f.py\n```\na\n",
        "! line 3 of the input: found the end of the input, expected the end of the code fence",
    );
}

#[test]
fn marks_make_a_sketch() {
    check(
        "f.rs\n```rust\n// ... existing code ...\nfn a() {}\n// ... existing code ...\n```\n",
        "M f.rs sketch [=>// ... existing code ...;fn a() {};// ... existing code ...;]",
    );
    check(
        "f.py\n```\ndef a():\n    ...\n```\n",
        "O f.py [=>def a():;    ...;]",
    );
    assert_eq!(
        read_as(
            "whole",
            None,
            "f.rs\n```rust\n// ... existing code ...\nfn a() {}\n```\n"
        ),
        "! line 3 of the input: found '// ... existing code ...', expected the file in full"
    );
    assert_eq!(
        read_as("sketch", None, "f.rs\n```rust\nfn a() {}\n```\n"),
        "! line 3 of the input: found 'fn a() {}', expected a line like '// ... existing code ...' in it"
    );
    check(
        r##"{"target_file":"f","instructions":"x","code_edit":"# ... existing code ...\na"}"##,
        "M f sketch [=># ... existing code ...;a;]",
    );
}

#[test]
fn a_sketch_stands_in_an_update() {
    let update = "<update>\n// ... existing code ...\na\n// ... existing code ...\n</update>\n";
    assert_eq!(
        read_as(
            "auto",
            Some("f.js"),
            &format!("<instruction>Add a.</instruction>\n<code>b</code>\n{update}")
        ),
        "M f.js sketch [=>// ... existing code ...;a;// ... existing code ...;]",
    );
    check(
        &format!("src/f.js\n{update}"),
        "M src/f.js sketch [=>// ... existing code ...;a;// ... existing code ...;]",
    );
    // Without a name it is some other XML.
    check(update, "");
    check(
        "f.js\n<update>\na\n</update>\n",
        "! line 3 of the input: found 'a', expected a line like '// ... existing code ...' in it",
    );
    check(
        "f.js\n<update>\n// ... existing code ...\na\n",
        "! line 4 of the input: found the end of the input, expected '</update>'",
    );
}

#[test]
fn a_fence_beside_another_format_is_never_lost() {
    let whole = "a.txt\n```\none\nTWO\n```\n\n";
    let file = "O a.txt guessed [=>one;TWO;]";
    let envelope =
        "```\n*** Begin Patch\n*** Update File: b.txt\n@@\n-two\n+2\n*** End Patch\n```\n";
    check(
        &format!("{whole}{envelope}"),
        &format!("M b.txt [two;=>2;]\n{file}"),
    );
    let block = "```\nb.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```\n";
    check(
        &format!("{whole}{block}"),
        &format!("M b.txt [two;=>2;]\n{file}"),
    );
    // A fence with another text may be the rest of the file.
    check(
        &format!("{whole}```\nthree\n```\n"),
        "! line 7 of the input: found '```', expected a longer fence around a text with fences of its own",
    );
    // One that is cut off is named as well.
    check(
        &format!("{envelope}\na.txt\n```\none\n"),
        "M b.txt [two;=>2;]\n! line 12 of the input: found the end of the input, expected the end of the code fence",
    );
}

#[test]
fn a_script_of_ed_is_no_text() {
    let found = "! line 2 of the input: found a script of `ed` in place of the text of a file, expected the script alone, with `--format ed --path FILE`";
    check("b.txt\n```ed\n2c\nTWO\n.\nw\n```\n", found);
    check("b.txt\n```text\n2c\nTWO\n```\n", "O b.txt [=>2c;TWO;]");
}
