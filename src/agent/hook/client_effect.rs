//! Model of what the real clients write when they carry out a call, kept to observed behavior.
//!
//! | client | what it does beside replacing the text |
//! |---|---|
//! | Claude Code | takes line endings for `\n` and writes those of the file again; an old text without its last newline whose new text is empty takes the newline with it |
//! | Cline CLI | gives both texts the line endings of the file; refuses texts of more than 6,000 UTF-16 units, and to write over a file |
//! | GitHub Copilot CLI | as Claude Code; it also finds old texts that differ in blanks or in case |
//! | Droid | as Gemini CLI; new contents of a file that ended with a newline get one as well, and so does a new file of a patch |
//! | Gemini CLI | the same with line endings; the newline at the end of the file stays as it was |
//! | Kilo CLI, opencode | gives the new text the line endings of the file |
//! | Pi | the same; finds every old text in the file as it was before the call, also if it differs in blanks or in the kind of quotes |
//! | Qwen Code | as Claude Code; new contents of a file get its line endings as well |
//!
//! All of them corrupt files that mix line endings or are not UTF-8, so nothing is predicted for those. A call is
//! predicted exactly only if the old text occurs in the file once: the clients' handling of other texts is not known.

use crate::text::Document;

use super::clients::ClientTrait;
use super::names::Agent;
use super::unique_replacement::{Replace, occurrences};

/// A file's text in the form that the clients work on: every line ends with `\n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) text: String,
    /// Line ending of the file.
    ending: &'static str,
    bom: bool,
}

impl Plain {
    /// `None` for a file that a client would not write back as it is.
    pub(super) fn of(base: Option<&Document>) -> Option<Self> {
        let Some(base) = base else {
            return Some(Self {
                text: String::new(),
                ending: "\n",
                bom: false,
            });
        };
        if base.encoding().name() != "UTF-8" {
            return None;
        }
        let text = base.text();
        let (ends, pairs, returns) = (count(text, "\n"), count(text, "\r\n"), count(text, "\r"));
        if returns != pairs || (pairs != 0 && pairs != ends) {
            return None;
        }
        let bytes = base.encode("").ok()?;
        Some(Self {
            text: text.replace("\r\n", "\n"),
            ending: if pairs > 0 { "\r\n" } else { "\n" },
            bom: !bytes.is_empty(),
        })
    }

    /// A text of this file in the same form; `None` if its line endings are not those of the file.
    pub(super) fn same(&self, text: &str) -> Option<String> {
        let plain = text.replace("\r\n", "\n");
        (self.restored(&plain) == text && !plain.contains('\r')).then_some(plain)
    }

    fn restored(&self, text: &str) -> String {
        if self.ending == "\n" {
            text.to_owned()
        } else {
            text.replace('\n', self.ending)
        }
    }
}

/// Returns the text after these replacements; `None` if the client's behavior is not known.
pub(super) fn replaced(agent: Agent, base: Option<&Document>, edits: &[Replace]) -> Option<String> {
    let plain = Plain::of(base)?;
    let mut text = plain.text.clone();
    for edit in edits {
        text = replaced_once(agent, base.is_some(), &text, edit)?;
    }
    if agent.has(ClientTrait::KeepsLastNewline) && base.is_some() {
        match (plain.text.ends_with('\n'), text.ends_with('\n')) {
            (true, false) => text.push('\n'),
            (false, true) => {
                text.pop();
            }
            (true, true) | (false, false) => (),
        }
    }
    Some(plain.restored(&text))
}

fn replaced_once(agent: Agent, exists: bool, text: &str, edit: &Replace) -> Option<String> {
    let (old, new) = (
        edit.old.replace("\r\n", "\n"),
        edit.new.replace("\r\n", "\n"),
    );
    if old == new || new.contains('\r') || !takes(agent, &edit.old) || !takes(agent, &edit.new) {
        return None;
    }
    if old.is_empty() {
        return (!exists || (agent.has(ClientTrait::FillsEmptyFiles) && text.is_empty()))
            .then_some(new);
    }
    let with_newline = format!("{old}\n");
    let old = if agent.has(ClientTrait::RemovesWholeLines)
        && new.is_empty()
        && !old.ends_with('\n')
        && text.contains(&with_newline)
    {
        with_newline
    } else {
        old
    };
    let found = occurrences(text, &old);
    let known = if edit.all {
        found > 0 && found == text.matches(&old).count()
    } else {
        found == 1
    };
    known.then(|| text.replace(&old, &new))
}

/// Returns the text after lines are inserted before a line by Cline CLI; `None` if it refuses to, or if its behavior is not known.
pub(super) fn inserted(base: &Document, line: usize, new: &str) -> Option<String> {
    let plain = Plain::of(Some(base))?;
    let new = new.replace("\r\n", "\n");
    let mut lines: Vec<&str> = plain.text.split('\n').collect();
    // What follows the last newline counts as a line.
    let at = line.checked_sub(1).filter(|&at| at <= lines.len())?;
    if new.contains('\r') || !takes(Agent::Cline, &new) {
        return None;
    }
    lines.splice(at..at, new.split('\n'));
    Some(plain.restored(&lines.join("\n")))
}

/// Returns whether the tool of a client takes a text of this length.
fn takes(agent: Agent, text: &str) -> bool {
    !agent.has(ClientTrait::RefusesLongTexts) || text.encode_utf16().count() <= 6000
}

/// Returns the text after a file is written with these contents; `None` if the client's behavior is not known.
pub(super) fn written(agent: Agent, base: Option<&Document>, content: &str) -> Option<String> {
    if !takes(agent, content) || base.is_some() && agent.has(ClientTrait::RefusesToOverwrite) {
        return None;
    }
    let plain = Plain::of(base)?;
    if plain.bom && agent.has(ClientTrait::LosesByteOrderMark) {
        return None;
    }
    let mut text = content.to_owned();
    let is_cut = plain.text.ends_with('\n') && !text.ends_with('\n');
    if is_cut && agent.has(ClientTrait::AddsLastNewline) {
        text.push('\n');
    }
    Some(
        if agent.has(ClientTrait::KeepsLineEndings) && plain.ending == "\r\n" {
            plain.restored(&text.replace("\r\n", "\n"))
        } else {
            text
        },
    )
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the text after one replacement by Qwen Code 0.24.
    #[track_caller]
    fn check(base: Option<&str>, old: &str, new: &str, expected: Option<&str>) {
        let base = base.map(Document::from_text);
        let edit = Replace {
            old: old.to_owned(),
            new: new.to_owned(),
            all: false,
        };
        let found = replaced(Agent::Qwen, base.as_ref(), &[edit]);
        assert_eq!(found.as_deref(), expected, "{old:?} {new:?}");
    }

    /// Checks the text after lines are inserted.
    #[track_caller]
    fn check_inserted(base: &str, line: usize, new: &str, expected: Option<&str>) {
        let found = inserted(&Document::from_text(base), line, new);
        assert_eq!(found.as_deref(), expected, "{line} {new:?}");
    }

    #[test]
    fn lines_that_cline_inserts() {
        let base = "one\ntwo\n";
        check_inserted(base, 1, "zero", Some("zero\none\ntwo\n"));
        check_inserted(base, 2, "a\nb", Some("one\na\nb\ntwo\n"));
        check_inserted(base, 2, "a\n", Some("one\na\n\ntwo\n"));
        check_inserted(base, 3, "three", Some("one\ntwo\nthree\n"));
        check_inserted(base, 4, "three", Some("one\ntwo\n\nthree"));
        check_inserted(base, 5, "three", None);
        check_inserted(base, 0, "zero", None);
        check_inserted(
            "one\r\ntwo\r\n",
            2,
            "a\nb",
            Some("one\r\na\r\nb\r\ntwo\r\n"),
        );
        check_inserted("one\r\ntwo\n", 2, "a", None);
    }

    #[test]
    fn texts_that_cline_refuses() {
        let base = Document::from_text("one\n");
        let edit = |new: String| Replace {
            old: "one".to_owned(),
            new,
            all: false,
        };
        let length =
            |new: String| replaced(Agent::Cline, Some(&base), &[edit(new)]).map(|text| text.len());
        assert_eq!(length("x".repeat(6000)), Some(6001));
        assert_eq!(length("x".repeat(6001)), None);
        assert_eq!(
            written(Agent::Cline, None, "a\r\nb").as_deref(),
            Some("a\r\nb")
        );
        assert_eq!(written(Agent::Cline, Some(&base), "two\n"), None);
    }

    #[test]
    fn qwen_code() {
        let crlf = Some("one\r\ntwo\r\n");
        check(crlf, "two", "TWO\nmore", Some("one\r\nTWO\r\nmore\r\n"));
        check(Some("one\ntwo\nthree\n"), "two", "", Some("one\nthree\n"));
        check(Some("one\ntwo"), "two", "TWO", Some("one\nTWO"));
        check(Some("one\ntwo"), "two", "TWO\n", Some("one\nTWO\n"));
        check(None, "", "new\n", Some("new\n"));
        check(Some(""), "", "new\n", None);
        check(Some("two two"), "two", "TWO", None);
        let base = Document::from_text("one\r\ntwo\r\n");
        let found = written(Agent::Qwen, Some(&base), "x\ny\n");
        assert_eq!(found.as_deref(), Some("x\r\ny\r\n"));
        let found = written(Agent::Qwen, None, "a\r\nb");
        assert_eq!(found.as_deref(), Some("a\r\nb"));
    }
}
