//! Files and edits to try the laws on.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Lines that dialects begin, part and end with, and what stands between.
pub(crate) const PIECES: &[&str] = &[
    "<<<<<<< SEARCH",
    "------- SEARCH",
    "<<-- SEARCH",
    ":start_line:3",
    "-------",
    "=======",
    "=====",
    ">>>>>>> REPLACE",
    "+++++++ REPLACE",
    "\\=======",
    "diff --git a/f b/f",
    "new file mode 100644",
    "deleted file mode 100644",
    "rename from f",
    "rename to g",
    "Binary files a/f and b/f differ",
    "--- a/f",
    "+++ b/f",
    "--- /dev/null",
    "+++ /dev/null",
    "--- \"a/\\303",
    "@@",
    "@@ -1,2 +1,2 @@ fn a",
    "@@ -0,0 +1 @@",
    "@@ -1,99999999999 +0 @@",
    "\\ No newline at end of file",
    " a",
    "-a",
    "+b",
    "",
    "-- ",
    "*** Begin Patch",
    "*** End Patch",
    "*** Add File: f",
    "*** Update File: f",
    "*** Delete File: f",
    "*** Move to: g",
    "*** End of File",
    "apply_patch <<'EOF'",
    "EOF",
    "```",
    "````rust",
    "  ```diff",
    "  ```",
    "  @@ -1 +1 @@",
    "  -a",
    "  +b",
    "src/f.rs",
    "  ",
    "Some prose.",
    "*** a/f",
    "*** /dev/null",
    "--- b/f",
    "***************",
    "*** 1,2 ****",
    "--- 1,2 ----",
    "! a",
    "+ a",
    "2c2",
    "2,3d1",
    "0a1",
    "< a",
    "> b",
    "---",
    "3a",
    "2d",
    ".",
    "a1 2",
    "d1 1",
    "<apply_diff>",
    "</apply_diff>",
    "<args>",
    "<file>",
    "<path>f</path>",
    "<diff>",
    "</diff>",
    "<content>",
    "</content>",
    "<write_to_file>",
    "<insert_content>",
    "<line>3</line>",
    "<search>",
    "</replace>",
    "<old_text line=3>",
    "</old_text>",
    "<new_text>",
    r#"{"path":"f","diff":"<<<<<<< SEARCH\na\n"}"#,
    "{\"file_path\":\"f\",\"old_string\":\"a\",\"new_string\":\"b\"}",
    "{\"path\":\"f\",",
    "\"content\":\"a\"}",
    "[",
    "// ... existing code ...",
    "é\u{2028}\u{feff}",
];

/// Lines of a file, few enough to stand more than once.
const LINES: &[&str] = &[
    "a",
    "b",
    "  a",
    "\ta",
    "a  b",
    "",
    "  ",
    "}",
    "x = 1",
    "x = 2",
    "// a comment",
    "// a coment",
    "=======",
    "“b”",
];

/// Lines that dialects begin, part and end with, in any order.
pub(crate) fn markers() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..40).prop_map(|lines| lines.join("\n"))
}

/// A file, with any endings.
pub(crate) fn file() -> impl Strategy<Value = String> {
    let ending = prop_oneof![6 => Just("\n"), 1 => Just("\r\n")];
    let line = (select(LINES), ending).prop_map(|(line, ending)| line.to_owned() + ending);
    (vec(line, 0..16), any::<bool>()).prop_map(|(lines, newline)| {
        let text = lines.concat();
        let kept = if newline {
            text.as_str()
        } else {
            text.trim_end_matches(['\r', '\n'])
        };
        kept.to_owned()
    })
}

/// An edit of lines that a file may have, in one of the dialects that state both halves.
pub(crate) fn edit() -> impl Strategy<Value = String> {
    let half = || vec(select(LINES), 0..4);
    let hunk = (half(), half(), half(), half(), 0..20_usize);
    let hunk = hunk.prop_map(|(above, old, new, below, line)| Halves {
        above,
        old,
        new,
        below,
        line,
    });
    (vec(hunk, 1..4), select(WRITTEN)).prop_map(|(hunks, (head, write, tail))| {
        let hunks: String = hunks.iter().map(write).collect();
        format!("{head}{hunks}{tail}")
    })
}

/// One change, with the context around it.
#[derive(Debug)]
struct Halves {
    above: Vec<&'static str>,
    old: Vec<&'static str>,
    new: Vec<&'static str>,
    below: Vec<&'static str>,
    line: usize,
}

/// What stands above the hunks of an edit, how one is written, and what stands below.
type Written = (&'static str, fn(&Halves) -> String, &'static str);

const WRITTEN: &[Written] = &[
    ("", block, ""),
    ("--- a/f\n+++ b/f\n", numbered, ""),
    ("--- a/f\n+++ b/f\n", bare, ""),
    (
        "*** Begin Patch\n*** Update File: f\n",
        bare,
        "*** End Patch\n",
    ),
    ("", call, ""),
];

fn block(hunk: &Halves) -> String {
    let half = |lines: &[&'static str]| marked("", &[&hunk.above, lines, &hunk.below].concat());
    let (search, replace) = (half(&hunk.old), half(&hunk.new));
    format!(
        "<<<<<<< SEARCH\n:start_line:{}\n-------\n{search}=======\n{replace}>>>>>>> REPLACE\n",
        hunk.line
    )
}

fn bare(hunk: &Halves) -> String {
    let changed = marked("-", &hunk.old) + &marked("+", &hunk.new);
    format!(
        "@@\n{}{changed}{}",
        marked(" ", &hunk.above),
        marked(" ", &hunk.below)
    )
}

fn numbered(hunk: &Halves) -> String {
    let kept = hunk.above.len() + hunk.below.len();
    let (old, new) = (kept + hunk.old.len(), kept + hunk.new.len());
    let header = format!("@@ -{0},{old} +{0},{new} @@", hunk.line);
    bare(hunk).replacen("@@", &header, 1)
}

fn call(hunk: &Halves) -> String {
    let half = |lines: &[&'static str]| [&hunk.above, lines, &hunk.below].concat().join("\n");
    let (old, new) = (half(&hunk.old), half(&hunk.new));
    format!(
        "{}\n",
        serde_json::json!({"path": "f", "old_str": old, "new_str": new})
    )
}

/// Lines with a mark before each.
fn marked(mark: &str, lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [mark, line, "\n"]).collect()
}
