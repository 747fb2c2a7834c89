//! Changes that an input states beside edits and that are not read: lines of diff tools for a file without a diff, diffs in other forms,
//! and fixes in JSON. Each is named, as the edits alone are half of what is asked for.
//!
//! The lines are those of `diff -r` and `diff -q` (GNU diffutils), `svn diff`, `hg diff`, `bzr diff`, `fossil diff`, `p4 describe` and
//! `git diff --submodule`. In prose the same words do not fill a line from its first column, or have no line of a diff beside them.

use serde_json::Value;

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::{self, ParseError};
use crate::dialect::parsed::Parsed;
use crate::dialect::unsupported::UNSUPPORTED;
use crate::dialect::{refused_forms, unread};
use crate::proposal::Problem;
use crate::text::LineIdx;

/// A line with its neighbours.
struct LineBeside<'a> {
    line: &'a str,
    /// The line right below.
    below: &'a str,
    /// True if a line right above or below is one of a diff.
    is_in_diff: bool,
    /// The next line that is not blank, below a rule of `=` and the lines of CVS if there are any.
    next: &'a str,
    /// True if that line was read.
    is_next_read: bool,
}

/// A change in a form that is not read, recognised by its line.
struct StatedChange {
    is: fn(&LineBeside) -> bool,
    found: &'static str,
    expected: &'static str,
}

const INDEX: &str = "Index: ";
const SVNLOOK: [&str; 4] = ["Added: ", "Deleted: ", "Modified: ", "Copied: "];
const SVN_BINARY: &str = "Cannot display: file marked as a binary type.";
const SVN_PROPERTIES: &str = "Property changes on: ";

const CHANGES: [StatedChange; 12] = [
    StatedChange {
        is: |at| at.is_in_diff && is_only_in(at.line),
        found: "a file that is on one side only",
        expected: "its lines, as `diff -N` writes them",
    },
    StatedChange {
        is: |at| {
            at.line.starts_with("Binary files ") && is_pair(at.line)
                || at.is_in_diff && is_pair(at.line)
        },
        found: "files that differ, without their lines",
        expected: "the lines that differ, or the bytes, as `git diff --binary` writes them",
    },
    StatedChange {
        is: |at| {
            let name = at.line.strip_prefix("Binary file ");
            name.is_some_and(|name| name.ends_with(" has changed")) || at.line == SVN_BINARY
        },
        found: "a binary file that has changed, without its bytes",
        expected: "the bytes, as `git diff --binary` and `hg diff --git` write them",
    },
    StatedChange {
        is: is_lone_title,
        found: "the title of a diff without its lines",
        expected: "the lines of the file below it, or an input without the title",
    },
    StatedChange {
        is: |at| at.line.starts_with(SVN_PROPERTIES) && at.below.starts_with("______"),
        found: "properties of Subversion",
        expected: "a change of the lines of a file",
    },
    StatedChange {
        is: is_of_bzr,
        found: "a change of a file by Bazaar that is not in its lines",
        expected: "the same change in a diff of git",
    },
    StatedChange {
        is: is_of_fossil,
        found: "a change of a file by Fossil that is not in its lines",
        expected: "the lines, as `fossil diff -v` writes them",
    },
    StatedChange {
        is: is_of_perforce,
        found: "a change of a file by Perforce that has no diff",
        expected: "the lines of the file, as a diff or as its whole text",
    },
    StatedChange {
        is: |at| is_submodule(at.line),
        found: "a change of a submodule, which only git can make",
        expected: "a change of a file: `git diff --submodule=diff` shows those in the submodule",
    },
    StatedChange {
        is: |at| at.line.starts_with("* Unmerged path "),
        found: "a file with a conflict that is not resolved",
        expected: "a diff of the resolved file",
    },
    StatedChange {
        is: |at| {
            let inner = at
                .line
                .trim_start_matches(['|', '*', '\\', '/', '_', ' ', '│']);
            at.line.starts_with(['|', '*', '│']) && inner.starts_with("diff --git ")
        },
        found: "a diff with the lines of a graph",
        expected: "the output without `--graph`",
    },
    StatedChange {
        is: |at| is_of_range_diff(at.line),
        found: "a range-diff, which compares patches",
        expected: "the diffs, as `git format-patch --stdout` writes them",
    },
];

/// Names the changes that an input states beside edits, and that neither an edit nor a problem has.
pub(super) fn name_changes(input: &Input, parsed: &mut Parsed) {
    let is_read = unread::read_lines(input, parsed);
    // The records of a session repeat its edits in JSON.
    let has_calls = (parsed.proposal.files.iter()).any(|file| file.dialect == "tool-call");
    let problems = changes(input, &is_read, !has_calls);
    parsed.problems.extend(problems);
}

/// Finds the first change in an input in which nothing was read.
pub(super) fn first(input: &Input) -> Option<Problem> {
    let is_read = vec![false; input.len() + 1];
    changes(input, &is_read, false).into_iter().next()
}

fn changes(input: &Input, is_read: &[bool], mut with_json: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut open: Option<Fence> = None;
    let mut at = 0;
    while let Some(line) = input.line(at) {
        let first = at;
        at += 1;
        if is_read[first] {
            continue;
        }
        if let Some(fence) = Fence::of(line) {
            open = match open {
                Some(opening) if fence.closes(&opening) => None,
                opening => opening.or(Some(fence)),
            };
            continue;
        }
        let info = open.map_or("", |fence| fence.info);
        let error = if line.starts_with(['{', '[']) && matches!(info, "" | "json" | "jsonc") {
            let value = if with_json {
                value(input, first)
            } else {
                Ok(None)
            };
            with_json &= value.is_ok();
            value.ok().flatten().and_then(|(value, lines)| {
                let is_unread = !is_read[first..(first + lines).min(is_read.len())].contains(&true);
                at = first + lines.max(1);
                let found = JsonKeys::of(&value).edit().filter(|_| is_unread)?;
                let expected = "the edit in a format of `countersign apply --help`, such as a diff";
                Some(ParseError::new(first, found, expected))
            })
        } else if matches!(info, "" | "diff" | "patch" | "text" | "console") {
            stated(input, is_read, first)
        } else {
            None
        };
        if let Some(error) = error {
            let end = at.min(input.len());
            problems.push(error.into_problem(input, first..end, UNSUPPORTED, None));
        }
    }
    problems
}

/// Describes the change that a line states.
fn stated(input: &Input, is_read: &[bool], at: LineIdx) -> Option<ParseError> {
    let line = input.line(at)?;
    if line.is_empty() {
        return None;
    }
    let is_of_diff = |at: LineIdx| is_read[at] || input.line(at).is_some_and(is_header);
    let mut next = input.skip_blank(at + 1);
    let has_rule = input.line(next).is_some_and(is_rule);
    if has_rule {
        next = input.skip_blank(next + 1);
    }
    if has_rule || line.starts_with(INDEX) {
        while input.line(next).is_some_and(is_revision) {
            next += 1;
        }
    }
    let beside = LineBeside {
        line: line.trim_end(),
        below: input.line(at + 1).unwrap_or_default(),
        is_in_diff: (at > 0 && is_of_diff(at - 1)) || is_of_diff(at + 1),
        next: input.line(next).unwrap_or_default(),
        is_next_read: is_read[next],
    };
    let change = CHANGES.iter().find(|change| (change.is)(&beside));
    let (found, expected) = match change {
        Some(change) => (change.found, change.expected),
        None => refused_forms::beside_edits(line, beside.next)?,
    };
    let found = format!("{}, {found}", parse_error::quoted(line));
    Some(ParseError::new(at, found, expected))
}

/// Returns `true` for a line that diff tools write between the diffs of files.
fn is_header(line: &str) -> bool {
    let begins = ["diff ", "Index: ", "Only in ", "Binary files "];
    begins.iter().any(|begin| line.starts_with(begin)) || is_pair(line)
}

/// Returns `true` for `Only in FOLDER: NAME`.
fn is_only_in(line: &str) -> bool {
    let names = line
        .strip_prefix("Only in ")
        .and_then(|rest| rest.split_once(": "));
    names.is_some_and(|(folder, name)| !folder.contains(' ') && !name.ends_with('.'))
}

/// Returns `true` for `Files A and B differ`, and for the lines of links and of a file and a folder.
fn is_pair(line: &str) -> bool {
    let begins = ["Files ", "Binary files ", "Symbolic links "];
    let is_differ = begins.iter().any(|begin| line.starts_with(begin))
        && line.contains(" and ")
        && line.ends_with(" differ");
    is_differ
        || line.starts_with("File ") && line.contains(" while file ") && line.contains(" is a ")
}

/// Returns `true` for the `Index: NAME` of svn, CVS, quilt and Fossil above a rule or a line of CVS, and for the `Added: NAME` of svnlook
/// above a rule, if no diff follows and no line that tells why.
fn is_lone_title(at: &LineBeside) -> bool {
    let is_of_svnlook = SVNLOOK.iter().any(|title| at.line.starts_with(title));
    let is_index = at.line.starts_with(INDEX);
    let is_title =
        is_rule(at.below) && (is_index || is_of_svnlook) || is_index && is_revision(at.below);
    let is_told = at.next == SVN_BINARY || at.next.starts_with(SVN_PROPERTIES);
    is_title && !at.is_next_read && !is_told
}

/// Returns `true` for a line of nothing but `=`, at least as many as no heading in prose has below its words.
fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 60 && line.bytes().all(|byte| byte == b'=')
}

/// Returns `true` for a line that CVS writes between the rule and the `---` line of a diff.
fn is_revision(line: &str) -> bool {
    let begins = ["RCS file: ", "retrieving revision ", "diff "];
    begins.iter().any(|begin| line.starts_with(begin))
}

/// `=== renamed file 'a' => 'b'`, `=== modified file 'a' (properties changed: -x to +x)`, and folders and links.
fn is_of_bzr(at: &LineBeside) -> bool {
    let mut words = at.line.splitn(4, ' ');
    let (Some("==="), Some(action), Some(kind), Some(name)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    if !matches!(action, "added" | "removed" | "renamed" | "modified") || !name.starts_with('\'') {
        return false;
    }
    match kind {
        "file" => {
            action == "renamed"
                || name.contains("' (properties changed: ")
                || action != "modified" && !at.below.starts_with("--- ")
        }
        "directory" | "symlink" | "tree-reference" => true,
        _ => false,
    }
}

/// `DELETED  a`, `ADDED    a` and `RENAMED  a -> b`. With `-v` a diff follows.
fn is_of_fossil(at: &LineBeside) -> bool {
    let name = |action: &str| Some(at.line.strip_prefix(action)?.trim_start_matches(' '));
    let name = ["DELETED  ", "ADDED    ", "RENAMED  ", "MISSING  "]
        .into_iter()
        .find_map(name);
    name.is_some_and(|name| at.below.strip_prefix("Index: ") != Some(name))
}

/// `... //depot/main/a.py#1 add`, and `==== //depot/main/a.py#3 - /home/me/a.py ====` above a diff that was not read.
fn is_of_perforce(at: &LineBeside) -> bool {
    if let Some(file) = at.line.strip_prefix("... //") {
        let action = file.rsplit_once(' ').filter(|(name, _)| name.contains('#'));
        let actions = [
            "add",
            "delete",
            "branch",
            "move/add",
            "move/delete",
            "purge",
            "import",
        ];
        return action.is_some_and(|(_, action)| actions.contains(&action));
    }
    at.line.starts_with("==== //") && at.line.ends_with(" ====") && !at.is_next_read
}

/// `Submodule libs/x 1111111..2222222:`, with three points and a remark for one that is new, gone or not there.
fn is_submodule(line: &str) -> bool {
    let versions = line.strip_prefix("Submodule ").and_then(|rest| {
        rest.split(' ')
            .find_map(|word| word.trim_end_matches(':').split_once(".."))
    });
    let is_name = |name: &str| name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    versions.is_some_and(|(old, new)| is_name(old) && is_name(new.trim_start_matches('.')))
}

/// `1:  53693f5 ! 1:  0b7f333 one`, `1:  53693f5 < -:  ------- one`.
fn is_of_range_diff(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    matches!(words[..], [number, name, "<" | ">" | "!", other, other_name, _]
        if is_patch_number(number) && is_commit(name) && is_patch_number(other) && is_commit(other_name))
}

/// Returns `true` for `1:` and `-:`.
fn is_patch_number(word: &str) -> bool {
    let number = word.strip_suffix(':').filter(|number| !number.is_empty());
    number.is_some_and(|number| number == "-" || number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns `true` for the name of a commit, or a line of `-` in its place.
fn is_commit(word: &str) -> bool {
    word.len() >= 4
        && word
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Reads the JSON value that begins at a line, and the number of its lines; an error if it has no end.
fn value(input: &Input, at: LineIdx) -> Result<Option<(Value, usize)>, ()> {
    let text = input.tail(at);
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => {
            let lines = text[..values.byte_offset()].split('\n').count();
            Ok(Some((value, lines)))
        }
        Some(Err(error)) if error.is_eof() => Err(()),
        Some(Err(_)) | None => Ok(None),
    }
}

/// The keys in a JSON value that tell an edit of a file.
#[derive(Debug, Default)]
struct JsonKeys {
    /// The key with the name of a file.
    has_file: bool,
    old: bool,
    new: bool,
    /// The key with the text of an edit.
    edit: Option<String>,
}

const FILE_KEYS: [&str; 8] = [
    "file",
    "path",
    "file_path",
    "filePath",
    "file_name",
    "filename",
    "uri",
    "fileName",
];
const EDIT_KEYS: [&str; 7] = [
    "fix",
    "fixes",
    "suggested_replacement",
    "replacements",
    "suggestions",
    "unified_diff",
    "diff",
];
const OLD_KEYS: [&str; 8] = [
    "old",
    "old_code",
    "old_string",
    "old_text",
    "oldText",
    "oldString",
    "search",
    "find",
];
const NEW_KEYS: [&str; 8] = [
    "new",
    "new_code",
    "new_string",
    "new_text",
    "newText",
    "newString",
    "replace",
    "replacement",
];

impl JsonKeys {
    fn of(value: &Value) -> Self {
        let mut keys = Self::default();
        keys.add(value);
        keys
    }

    /// Takes the keys of a value; the parser limits its depth.
    fn add(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.add_key(key, value);
                    self.add(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }

    fn add_key(&mut self, key: &str, value: &Value) {
        let is_list = value
            .as_array()
            .is_some_and(|list| list.iter().any(Value::is_object));
        let is_text = value.is_string();
        self.has_file |= FILE_KEYS.contains(&key) && (is_text || value.is_object());
        self.old |= OLD_KEYS.contains(&key) && is_text;
        self.new |= NEW_KEYS.contains(&key) && is_text;
        let is_edit = is_list || is_text || value.is_object();
        if EDIT_KEYS.contains(&key) && is_edit && self.edit.is_none() {
            self.edit = Some(key.to_owned());
        }
    }

    /// Describes the edit, if there is one.
    fn edit(self) -> Option<String> {
        let key = match self.edit {
            Some(key) => format!("`{key}`"),
            None if self.old && self.new => "old and new lines".to_owned(),
            None => return None,
        };
        (self.has_file).then(|| format!("JSON with {key} for a file, in a form that is not known"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    const DIFF: &str = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n";

    /// The lines with problems, beside one edit.
    fn named(text: &str) -> Vec<usize> {
        let parsed = parse(text, &Options::default());
        assert!(!parsed.proposal.files.is_empty(), "{text}");
        parsed
            .problems
            .iter()
            .map(|problem| problem.line.get())
            .collect()
    }

    #[test]
    fn a_change_beside_a_diff_is_named() {
        for line in [
            "Only in new/src: neu.py",
            "Files a/x and b/x differ",
            "Binary files old/x.png and new/x.png differ",
            "Symbolic links a/x and b/x differ",
            "File a/x is a directory while file b/x is a regular file",
            "Binary file x.png has changed",
            "Cannot display: file marked as a binary type.",
            "Property changes on: x\n______________",
            "=== renamed file 'a' => 'b'",
            "=== modified file 'f' (properties changed: -x to +x)",
            "=== removed directory 'd'",
            "=== added file 'empty'",
            "RENAMED  a -> b",
            "DELETED  a",
            "ADDED    a",
            "... //depot/main/a.py#1 add",
            "... //depot/main/a.py#4 move/delete",
            "==== //depot/main/a.py#4 (text) ====\n\n2c2",
            "Submodule libs/x 1111111..2222222:",
            "Submodule libs/x 0000000...2222222 (new submodule)",
            "* Unmerged path src/x.rs",
            "| diff --git a/g b/g",
            "1:  53693f5 ! 1:  0b7f333 one",
            "hunk ./src/app.py 2\n-a",
            "addfile ./src/app.py",
        ] {
            let above = format!("{line}\ndiff -ru a/f b/f\n{DIFF}");
            assert_eq!(named(&above), [1], "{above}");
            let below = format!("{DIFF}{line}\n");
            assert_eq!(named(&below), [6], "{below}");
        }
    }

    #[test]
    fn a_title_of_a_diff_without_its_lines_is_named() {
        let rule = "=".repeat(67);
        let check = |below: &str, expected: &[usize]| {
            let text = format!("{DIFF}Index: lib/b.c\n{rule}\n{below}");
            assert_eq!(named(&text), expected, "{text}");
        };
        check("", &[6]);
        check("-", &[6]);
        check("---", &[6]);
        check("\n\n", &[6]);
        check(&format!("Index: lib/c.c\n{rule}\n"), &[6, 8]);
        check(&format!("\nIndex: lib/c.c\n{rule}\n{DIFF}"), &[6]);
        check(DIFF, &[]);
        check(&format!("\n{DIFF}"), &[]);
        for title in ["Added:", "Deleted:", "Modified:", "Copied:"] {
            let above = format!("{DIFF}{title} lib/b.c\n{rule}\n");
            assert_eq!(named(&above), [6], "{above}");
            let whole = format!("{DIFF}{title} f\n{rule}\n{DIFF}");
            assert_eq!(named(&whole), [0; 0], "{whole}");
        }
        let rdiff = format!("{DIFF}Index: f\ndiff -u f:1.1 f:1.2\n");
        assert_eq!(named(&format!("{rdiff}---")), [6], "{rdiff}");
        assert_eq!(named(&format!("{rdiff}{DIFF}")), [0; 0], "{rdiff}");
        check("\nProperty changes on: lib/b.c\n______\nAdded: x\n", &[9]);
        check("Cannot display: file marked as a binary type.\n", &[8]);
        let cvs = "RCS file: /cvs/lib/b.c,v\nretrieving revision 1.1\nretrieving revision 1.2\n";
        check(&format!("{cvs}diff -u -r1.1 -r1.2\n{DIFF}"), &[]);
        check(&format!("{cvs}diff -u -r1.1 -r1.2\n"), &[6]);
        check(cvs, &[6]);
        // A heading in prose.
        let text = format!("{DIFF}\nIndex: the names\n================\n\nOf all.\n");
        assert_eq!(named(&text), [0; 0]);
    }

    #[test]
    fn a_comparison_of_patches_is_named() {
        let check =
            |line: &str, expected: bool| assert_eq!(is_of_range_diff(line), expected, "{line}");
        check("1:  53693f5 ! 1:  0b7f333 one", true);
        check("1:  53693f5 < -:  ------- one", true);
        check("-:  ------- > 1:  0b7f333 one", true);
        check("1:  53693f5 = 1:  0b7f333 one", false);
        check("1: first ! 2: second one", false);
        check("- a > b", false);
    }

    #[test]
    fn the_same_words_in_prose_and_in_lines_of_a_file_are_no_change() {
        for line in [
            "Only in rare cases: never.",
            "Only in production: it fails",
            "Files are read, and the two differ",
            "The binary file x.png has changed",
            " Binary files a and b differ",
            "`Binary files a and b differ`",
            "Property changes on: x",
            "=== renamed ===",
            "DELETED the file",
            "... //depot/main/a.py#4 edit",
            "Submodule x is new",
            "1: first ! 2: second",
            "| a | b |",
            "hunk ./src/app.py is the first",
            "1 file changed",
            "{\"path\": \"a\", \"fix\": null}",
            "{\"old\": \"a\", \"new\": \"b\"}",
            "[1]",
            "```py\nBinary files a and b differ\n```",
            "```json\n{\"path\": \"src\"}\n```",
        ] {
            let text = format!("{DIFF}\n{line}\n\nThen:\n\n{DIFF}");
            assert_eq!(named(&text), [0; 0], "{text}");
        }
        let lines = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-x\n+y\n Binary file x has changed\n";
        assert_eq!(named(lines), [0; 0]);
        let verbose = format!("ADDED    f\nIndex: f\n======\n{DIFF}");
        assert_eq!(named(&verbose), [0; 0]);
    }

    #[test]
    fn fixes_in_json_beside_an_edit_are_named() {
        let edit = "f.x\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n";
        for json in [
            r#"{"results": [{"path": "a.py", "start": {"line": 2}, "extra": {"fix": "x"}}]}"#,
            r#"[{"filePath": "a", "messages": [{"fix": {"range": [2, 3], "text": "x"}}]}]"#,
            r#"{"spans": [{"file_name": "a.rs", "suggested_replacement": "x"}]}"#,
            r#"{"fixes": [{"artifactLocation": {"uri": "a.py"}, "replacements": [{}]}]}"#,
            r#"{"location": {"path": "a.py"}, "suggestions": [{"text": "x"}]}"#,
            "{\n  \"file\": \"a.py\",\n  \"unified_diff\": \"--- a\"\n}",
            r#"{"changes": [{"file_path": "a.py", "old_code": "x", "new_code": "y"}]}"#,
        ] {
            for text in [
                format!("{edit}{json}\n"),
                format!("{edit}```json\n{json}\n```\n"),
            ] {
                assert_eq!(named(&text).len(), 1, "{text}");
            }
        }
    }
}
