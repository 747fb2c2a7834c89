//! Detects the notation of an edit in the text of a file: conflict markers, and the file's own lines in a diff or between tags.
//!
//! Files may hold any of these as content: a test of a parser, a page about diffs. So a notation counts only if the file has
//! less of it now; and a diff or a pair of tags only if it quotes lines of the file, as an edit of this file does.

use std::collections::HashSet;

use crate::proposal::has_word;
use crate::review::session::hunk::Loss;
use crate::text::Document;

/// Finds the notation of an edit in a new text of a file.
pub(super) fn notation(path: &str, old: &[&str], new: &[&str]) -> Option<Loss> {
    if is_patch(path) {
        return None;
    }
    let mark = marker(old, new)
        .or_else(|| diff(old, new))
        .or_else(|| own_diff(old, new))
        .or_else(|| tags(path, old, new))?;
    Some(Loss::Markers {
        mark: mark.trim().to_owned(),
    })
}

/// Finds markers among lines that a hunk adds to a file.
pub(in crate::review) fn added_markers<'a>(
    path: &str,
    base: &Document,
    added: impl Iterator<Item = &'a str>,
) -> Option<Loss> {
    let added: Vec<&str> = added.filter(|line| may_be_marker(line)).collect();
    if added.is_empty() {
        return None;
    }
    let old: Vec<&str> = base.lines().filter(|line| may_be_marker(line)).collect();
    let new = [&old[..], &added[..]].concat();
    if is_patch(path) {
        return None;
    }
    marker(&old, &new).map(|mark| Loss::Markers {
        mark: mark.trim().to_owned(),
    })
}

/// Openings and closings of a conflict or an edit. The line between them is not needed to recognize the pair.
const MARKERS: [(&str, &str); 7] = [
    ("<<<<<<<", ">>>>>>>"),
    // Perforce
    (">>>> ORIGINAL ", "<<<<"),
    (">>>> ORIGINAL ", "==== THEIRS "),
    ("==== THEIRS ", "==== YOURS "),
    ("------- SEARCH", "+++++++ REPLACE"),
    ("*** Begin Patch", "*** End Patch"),
    ("*** Begin Patch", "*** Update File: "),
];

/// Markers of a conflict that git gives a label: with it one of them is enough.
const LABELLED: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

fn may_be_marker(line: &str) -> bool {
    line.trim_start()
        .starts_with(['<', '|', '>', '-', '+', '*', '='])
}

/// Returns `true` for a file that consists of diffs.
fn is_patch(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut ends = [".patch", ".diff", ".rej"].iter();
    ends.any(|end| lower.ends_with(end))
}

/// Finds a pair of markers, or one with a label, that the new text has more often than the old one. Those of a pair may be
/// indented.
fn marker<'t>(old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let opens = |line: &str, marker: &str| line.trim_start().starts_with(marker);
    let pair = MARKERS.into_iter().find_map(|(open, close)| {
        let both = has_more(old, new, |line| opens(line, open))
            && has_more(old, new, |line| opens(line, close));
        new.iter().find(|line| both && opens(line, open))
    });
    let mut labels = LABELLED.into_iter();
    let marker = pair.or_else(|| {
        labels.find_map(|label| {
            let is_added = has_more(old, new, |line| line.starts_with(label));
            new.iter().find(|line| is_added && line.starts_with(label))
        })
    });
    marker.copied()
}

/// Finds a diff where the text of a file is expected.
fn diff<'t>(old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    fn header<'l>(lines: &[&'l str]) -> Option<&'l str> {
        let first = lines.iter().position(|line| !line.trim().is_empty())?;
        let (line, next) = (lines[first], lines.get(first + 1).unwrap_or(&""));
        let is_diff =
            line.starts_with("diff --git ") || line.starts_with("--- ") && next.starts_with("+++ ");
        is_diff.then_some(line)
    }
    header(new).filter(|_| header(old).is_none())
}

/// Finds a hunk of a diff that removes a line of the file itself, or a text that is such a hunk as a whole.
fn own_diff<'t>(old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let had: HashSet<&str> = old.iter().copied().collect();
    let is_own = |line: &&str| {
        let removed = line.strip_prefix('-');
        !had.contains(line) && removed.is_some_and(|line| has_word(line) && had.contains(line))
    };
    let is_hunk = |lines: &[&str]| {
        let is_of_body = |line: &&&str| line.is_empty() || line.starts_with([' ', '+', '-', '\\']);
        let body = lines.iter().take_while(is_of_body);
        body.clone().any(|line| line.starts_with('+')) && body.clone().any(is_own)
    };
    let is_header = |line: &str| line.starts_with("@@ ") && !had.contains(line);
    let headed = (0..new.len()).find(|&at| is_header(new[at]) && is_hunk(&new[at + 1..]));
    let is_of_body = |line: &&str| line.is_empty() || line.starts_with([' ', '+', '-']);
    let is_whole = || new.iter().all(is_of_body) && is_hunk(new);
    let whole = || new.iter().position(is_own).filter(|_| is_whole());
    headed.or_else(whole).map(|at| new[at])
}

/// Extensions of files in which a tag may have a line of its own.
const MARKUP: [&str; 9] = [
    "md", "mdx", "markdown", "rst", "txt", "html", "xml", "svg", "vue",
];

/// Finds a pair of tags, each at the beginning of a line of its own, around lines of a file that has no such line: a quotation
/// of the file, or the whole text in a field of a call.
fn tags<'t>(path: &str, old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let is_markup = MARKUP.iter().any(|end| path.ends_with(&format!(".{end}")));
    if is_markup || old.iter().any(|line| tag(line).is_some()) {
        return None;
    }
    let had: HashSet<&str> = old.iter().copied().filter(|line| has_word(line)).collect();
    let mut open: Option<(usize, &str)> = None;
    for (at, line) in new.iter().enumerate() {
        match (tag(line), open) {
            (Some(Tag::Opens(name)), _) => open = Some((at, name)),
            (Some(Tag::Closes(name)), Some((from, opened))) if name == opened => {
                if new[from + 1..at].iter().any(|line| had.contains(line)) {
                    return Some(new[from]);
                }
                open = None;
            }
            (Some(Tag::Closes(_)) | None, _) => (),
        }
    }
    None
}

/// A line that is a tag.
enum Tag<'l> {
    /// One that opens an element of this name.
    Opens(&'l str),
    /// One that closes it.
    Closes(&'l str),
}

/// Reads a tag that is a line at the margin.
fn tag(line: &str) -> Option<Tag<'_>> {
    let inner = line.trim_end().strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        return is_tag_name(name).then_some(Tag::Closes(name));
    }
    let name = inner.split(' ').next().unwrap_or(inner);
    (is_tag_name(name) && !inner.ends_with('/')).then_some(Tag::Opens(name))
}

/// Returns true for the name of a tag.
fn is_tag_name(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_inner)
}

/// Returns true if the new text has more lines of a kind than the old one.
fn has_more(old: &[&str], new: &[&str], is_it: impl Fn(&str) -> bool) -> bool {
    let count = |lines: &[&str]| lines.iter().filter(|line| is_it(line)).count();
    count(new) > count(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, old: &str, new: &str, expected: &str) {
        let [old, new] = [old, new].map(|text| text.split('|').collect::<Vec<_>>());
        let found = match notation(path, &old, &new) {
            Some(Loss::Markers { mark }) => mark,
            _ => String::new(),
        };
        assert_eq!(found, expected, "{path}: {old:?} => {new:?}");
    }

    #[test]
    fn a_diff_of_the_file_is_no_text_of_it() {
        let appended = "a|b|--- a/f|+++ b/f|@@ -1,2 +1,2 @@|-a|+c| b";
        check("f.py", "a|b", appended, "@@ -1,2 +1,2 @@");
        check("f.py", "a|b", "@@ -1 +1 @@|-a|+c", "@@ -1 +1 @@");
        check("f.py", "a|b", "@@ def f():| b|-a|+c", "@@ def f():");
        check("f.py", "a|b", "-a|+c| b", "-a");
        check(
            "f.py",
            "a|b",
            "```diff|@@ -1 +1 @@|-a|+c|```",
            "@@ -1 +1 @@",
        );
        // It removes no line of the file, adds none, or the file has it.
        check("f.py", "a|b", "a|@@ -1 +1 @@|-x|+y", "");
        check("f.py", "a|b", "a|@@ -1 +1 @@|-a| b", "");
        check("f.py", appended, &appended.replace("a|b|", "a|c|"), "");
        check("f.diff", "a|b", "@@ -1 +1 @@|-a|+c", "");
        // A list, of which a line was one without its dash.
        check("f.md", "a|b", "-a|-b|c", "");
        check("f.md", "a| b", "- a|- b|+ c|d", "");
    }

    #[test]
    fn tags_around_lines_of_the_file_are_no_text_of_it() {
        let edit = "<old_str>|a|</old_str>|<new_str>|c|</new_str>|b";
        check("f.py", "a|b", edit, "<old_str>");
        check("f.py", "a|b", "<content>|a|b|</content>", "<content>");
        check(
            "f.py",
            "a|b",
            "<file path=\"f.py\">|a|b|</file>",
            "<file path=\"f.py\">",
        );
        // New lines, another name, within a line, markup.
        check("f.py", "a|b", "<p>|c|</p>|a", "");
        check("f.py", "a|b", "<p>|a|</q>|b", "");
        check("f.tsx", "a|b", "  <p>|  a|  </p>|b", "");
        check("f.rs", "a|b", "impl|<T>|a|b", "");
        check("f.html", "a|b", "<p>|a|</p>|b", "");
        check("f.xml2", "<x>|a|</x>", "<x>|<y>|a|</y>|</x>", "");
    }
}
