//! Whole files and sketches: Aider, Cursor, Morph, Continue.

use super::becomes;
use crate::outcome::check;

#[test]
fn a_whole_file_keeps_its_inner_fences() {
    let readme = "README.md\n````\n# Ferry\n\n```bash\nmake\n```\n````\n";
    check(
        &[],
        readme,
        &[("README.md", "# Ferry\n\n```bash\nmake\n```\n")],
        &[],
    );
    let short = "README.md\n```\n# Ferry\n\n```bash\nmake\n```\n\nThe end.\n```\n";
    check(
        &[],
        short,
        &[("README.md", "# Ferry\n\n```bash\nmake\n```\n\nThe end.\n")],
        &[],
    );
}

#[test]
fn prose_above_a_fence_is_no_file_name() {
    for text in [
        "You can run it like so:\n```\nmake\n```\n",
        "Then\n```bash\nmake install\n```\n",
        "```\nmake\n```\n",
    ] {
        assert_eq!(crate::show::read(text), "", "{text}");
    }
}

#[test]
fn a_whole_file_that_is_cut_off_is_not_written() {
    let cut = "f.py\n```\none\ntwo\n";
    let file = [("f.py", "old\n")];
    check(&file, cut, &file, &["expected the end of the code fence"]);
}

#[test]
fn a_whole_file_with_lines_left_out_is_a_sketch() {
    let sketch =
        "f.py\n```python\nimport a\n\n# ... existing code ...\n\ndef last():\n    return 2\n```\n";
    let before = "import a\n\ndef first():\n    return 0\n\ndef last():\n    return 1\n";
    becomes(before, sketch, &before.replace("return 1", "return 2"));
}

#[test]
fn a_comment_that_looks_like_a_mark_stands_for_nothing_where_the_file_has_it() {
    let before = "def a():\n    pass\n\n# ... existing code ...\nb = 1\nc = 3\n";
    let sketch = "f.py\n```python\n# ... existing code ...\nb = 2\nc = 3\n```\n";
    // It is a line of the file, so it stands for none: the line below it is changed, and nothing above is left out.
    check(
        &[("f.py", before)],
        sketch,
        &[("f.py", &before.replace("b = 1", "b = 2"))],
        &[],
    );
}

#[test]
fn names_are_read_off_their_decoration() {
    for name in [
        "f.py",
        "**f.py**",
        "`f.py`",
        "**`f.py`**",
        "### f.py",
        "f.py:",
        "File: f.py",
        "1. `f.py`",
        "// f.py",
        "# f.py",
    ] {
        let edit =
            format!("{name}\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n");
        assert_eq!(crate::show::read(&edit), "M f.py [a;=>b;]", "{name}");
    }
    for edit in [
        "f.py\n\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "```python\nf.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "```f.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "<source>\nf.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</source>\n",
        "````\nf.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n````\n",
    ] {
        assert_eq!(crate::show::read(edit), "M f.py [a;=>b;]", "{edit}");
    }
}

#[test]
fn an_edit_is_for_its_file_and_for_no_other_that_fits() {
    let files = [("f.py", "x\n"), ("g.py", "a\n")];
    let edit = "f.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    check(&files, edit, &files, &["no match in the file"]);
    let gone = "g.py\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nf.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    check(
        &files,
        gone,
        &[("f.py", "x\n"), ("g.py", "")],
        &["no match in the file"],
    );
    let absent = "new.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    check(&files, absent, &files, &["there is no such file"]);
}
