//! What holds for every input.

use countersign::dialect::{DIALECTS, Options, parse};
use countersign::proposal::{Operation, Proposal};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Lines that dialects begin, part and end with, and what stands between.
const PIECES: &[&str] = &[
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

/// The names for `--format`, and none.
fn formats() -> Vec<Options> {
    let paths = [None, Some("f".to_owned())];
    let dialects = DIALECTS.into_iter().map(Some).chain([None]);
    dialects
        .flat_map(|dialect| paths.clone().map(|path| Options { dialect, path }))
        .collect()
}

/// What every proposal promises to the locator.
fn is_sound(proposal: &Proposal) -> bool {
    proposal.files.iter().all(|file| match &file.operation {
        Operation::Create | Operation::CreateOrAppend | Operation::Overwrite => {
            file.hunks.len() <= 1 && file.hunks.iter().all(|hunk| hunk.body.preimage.is_empty())
        }
        Operation::Delete => file.hunks.iter().all(|hunk| hunk.body.postimage.is_empty()),
        Operation::Modify => !file.hunks.is_empty() || file.executable.is_some(),
        Operation::Rename(_) => true,
    })
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in ".*", bytes in vec(any::<u8>(), 0..200)) {
        for options in formats() {
            prop_assert!(is_sound(&parse(&text, &options).proposal));
            prop_assert!(is_sound(&parse(&String::from_utf8_lossy(&bytes), &options).proposal));
        }
    }

    #[test]
    fn any_mixture_of_markers_is_read_without_a_panic(lines in vec(select(PIECES), 0..40)) {
        let text = lines.join("\n");
        for options in formats() {
            let parsed = parse(&text, &options);
            prop_assert!(is_sound(&parsed.proposal), "{text}\n{parsed:?}");
            for file in &parsed.proposal.files {
                prop_assert!(file.span.last.get() <= lines.len().max(1));
            }
        }
    }

    #[test]
    fn every_line_of_a_search_block_comes_back(
        search in vec("( {0,3}[a-z][ a-z<>=+-]{0,5})?", 1..6),
        replace in vec("( {0,3}[a-z][ a-z<>=+-]{0,5})?", 0..6),
    ) {
        let text = format!(
            "<<<<<<< SEARCH\n:start_line:3\n-------\n{}=======\n{}>>>>>>> REPLACE",
            lines("", &search),
            lines("", &replace)
        );
        let options = Options { dialect: None, path: Some("f".to_owned()) };
        let parsed = parse(&text, &options);
        let body = &parsed.proposal.files[0].hunks[0].body;
        prop_assert_eq!((&body.preimage, &body.postimage), (&search, &replace));
    }

    #[test]
    fn every_line_of_a_diff_comes_back(
        old in vec("[ a-z@*<>=+-]{0,6}", 1..6),
        new in vec("[ a-z@*<>=+-]{0,6}", 1..6),
        context in vec("[ a-z@*<>=+-]{0,6}", 0..4),
    ) {
        let body = [lines(" ", &context), lines("-", &old), lines("+", &new)].concat();
        let counts = (context.len() + old.len(), context.len() + new.len());
        let header = format!("@@ -7,{} +7,{} @@", counts.0, counts.1);
        for text in [
            format!("--- a/f\n+++ b/f\n{header}\n{body}"),
            format!("--- a/f\n+++ b/f\n{header}\n{body}--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"),
            format!("*** Begin Patch\n*** Update File: f\n@@\n{body}*** End Patch\n"),
        ] {
            let parsed = parse(&text, &Options::default());
            let body = &parsed.proposal.files[0].hunks[0].body;
            prop_assert_eq!(&body.preimage, &[&context[..], &old[..]].concat(), "{}", text);
            prop_assert_eq!(&body.postimage, &[&context[..], &new[..]].concat(), "{}", text);
        }
    }
}

/// Lines with a mark before each.
fn lines(mark: &str, half: &[String]) -> String {
    let mut text = String::new();
    for line in half {
        text.extend([mark, line, "\n"]);
    }
    text
}
