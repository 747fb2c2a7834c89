//! Detects the notation of an edit in the text of a file: conflict markers, and the file's own lines in a diff or between tags.
//!
//! Files may hold any of these as content: a test of a parser, a page about diffs. So a notation counts only if the file has
//! less of it now; and a diff or a pair of tags only if it quotes lines of the file, as an edit of this file does.

use std::collections::HashSet;

use super::stray_diff::stray_diff;
use crate::dialect::MarkerLine;
use crate::proposal::has_word;
use crate::review::session::hunk::Loss;
use crate::text::Document;

/// Finds the notation of an edit in a new text of a file.
pub(super) fn notation(path: &str, old: &[&str], new: &[&str]) -> Option<Loss> {
    if is_patch(path) {
        return None;
    }
    let mark = marker(old, new)
        .or_else(|| lone_marker(path, old, new))
        .or_else(|| diff(old, new))
        .or_else(|| own_diff(old, new))
        .or_else(|| stray_diff(path, old, new))
        .or_else(|| open_fence(path, old, new))
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
    let added: Vec<&str> = added.collect();
    if is_patch(path) || !added.iter().any(|line| may_be_marker(line)) {
        return None;
    }
    let old: Vec<&str> = base.lines().collect();
    let new = [&old[..], &added[..]].concat();
    let mark = marker(&old, &new)
        .or_else(|| lone_marker(path, &old, &added))
        .or_else(|| stray_diff(path, &old, &added))?;
    Some(Loss::Markers {
        mark: mark.trim().to_owned(),
    })
}

/// Openings and closings of a conflict or an edit. The line between them is not needed to recognize the pair.
const MARKERS: [(&str, &str); 7] = [
    ("<<<<<<<", ">>>>>>>"),
    // Jujutsu
    ("%%%%%%% ", "+++++++ "),
    // Perforce
    (">>>> ORIGINAL ", "<<<<"),
    (">>>> ORIGINAL ", "==== THEIRS "),
    ("==== THEIRS ", "==== YOURS "),
    ("------- SEARCH", "+++++++ REPLACE"),
    (DARCS, "^ ^ ^ ^ ^ ^ ^"),
];

/// The opening of a conflict of darcs, which is enough alone.
const DARCS: &str = "v v v v v v v";

/// Markers of a conflict that git gives a label: with it one of them is enough.
const LABELLED: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

/// Markers with the labels of Jujutsu; other texts have longer rows of these signs with other words.
const JUJUTSU: [&str; 6] = [
    "%%%%%%% Changes from",
    "%%%%%%% diff from",
    "\\\\\\\\\\\\\\ to:",
    "\\\\\\\\\\\\\\        to:",
    "+++++++ Contents of",
    "------- Contents of",
];

/// The number of signs in a marker of a conflict.
const MARKS: usize = 7;

fn may_be_marker(line: &str) -> bool {
    let signs = ['<', '|', '>', '-', '+', '*', '=', '%', '\\', '[', '@'];
    line.trim_start().starts_with(signs) || line.trim() == DARCS
}

/// Finds a line that is a marker by itself and that the file does not have.
fn lone_marker<'t>(path: &str, old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let may_be = |line: &&str| may_be_marker(line);
    let had: HashSet<&str> = old.iter().copied().filter(may_be).collect();
    // Elements that are opened, or that another file may open.
    let mut opened: HashSet<&str> = HashSet::new();
    for (at, line) in new.iter().enumerate().filter(|(_, line)| may_be(line)) {
        let is_marker = !had.contains(line)
            && match MarkerLine::of(line) {
                Some(MarkerLine::Own) => true,
                Some(MarkerLine::Closes(name)) => {
                    let is_web = has_extension(path, &WEB) && HTML.contains(&name);
                    let is_opened = |name| [old, new].iter().any(|lines| opens_tag(lines, name));
                    if !opened.contains(name) && (is_web || is_opened(name)) {
                        opened.insert(name);
                    }
                    !opened.contains(name)
                }
                None => {
                    let above = at.checked_sub(1).map(|above| new[above]);
                    is_conflict_marker(line, above, is_prose(path))
                }
            };
        if is_marker {
            return Some(line);
        }
    }
    None
}

/// Returns `true` for a file of prose, or one whose name does not show what it is.
fn is_prose(path: &str) -> bool {
    has_extension(path, &PROSE) || !path.contains('.')
}

/// Returns `true` for a marker of a conflict that is no text of its own: quotations and tables of prose have rows of signs as well,
/// and a row of `=` is the line below a heading.
fn is_conflict_marker(line: &str, above: Option<&str>, is_prose: bool) -> bool {
    if JUJUTSU.iter().any(|marker| line.starts_with(marker)) {
        return true;
    }
    let row = line.trim_end();
    let is_row = |sign: u8| row.len() == MARKS && row.bytes().all(|byte| byte == sign);
    let is_title = |above: &str| has_word(above) && above.trim().len() <= MARKS;
    let is_heading = || above.is_some_and(is_title);
    row == DARCS
        || is_row(b'<')
        || !is_prose && (is_row(b'>') || is_row(b'|') || (is_row(b'=') && !is_heading()))
}

/// Returns `true` if a line has the opening tag of an element.
fn opens_tag(lines: &[&str], name: &str) -> bool {
    let tag = format!("<{name}");
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c));
    lines.iter().any(|line| {
        let mut found = line.match_indices(&tag);
        found.any(|(at, _)| is_end(&line[at + tag.len()..]))
    })
}

/// Finds the mark of a code fence that is neither opened nor closed in a file that is not prose.
fn open_fence<'t>(path: &str, old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let is_fence = |line: &&&str| line.starts_with("```");
    let count = |lines: &[&str]| lines.iter().filter(is_fence).count();
    if is_prose(path) {
        return None;
    }
    let is_open = count(new) % 2 == 1 && count(old) % 2 == 0;
    new.iter().rfind(|line| is_open && is_fence(line)).copied()
}

/// Extensions of files of prose.
const PROSE: [&str; 10] = [
    "md", "mdx", "markdown", "rst", "txt", "adoc", "asciidoc", "org", "tex", "rmd",
];
/// Extensions of files that may close an element that another file opens.
const WEB: [&str; 16] = [
    "html", "htm", "xhtml", "xml", "svg", "vue", "php", "erb", "ejs", "hbs", "j2", "jinja", "twig",
    "tpl", "liquid", "svelte",
];
/// Elements of HTML and SVG that have the name of a field.
const HTML: [&str; 6] = ["body", "code", "input", "path", "search", "text"];

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|it| {
        extensions
            .iter()
            .any(|known| it.eq_ignore_ascii_case(known))
    })
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
    fn a_marker_alone_is_no_text() {
        for mark in [
            "+++++++ REPLACE",
            "------- SEARCH",
            "*** Begin Patch",
            "*** End Patch",
            "*** Move to: g.c",
            "</content>",
            "</write_to_file>",
            "</parameter>",
            "<<<<<<<",
            ">>>>>>>",
            "=======",
            "%%%%%%% Changes from base to side #1",
            "+++++++ Contents of side #2",
            "v v v v v v v",
        ] {
            check("f.c", "a|}", &format!("a|}}|{mark}"), mark);
            check("f.c", "", &format!("int a = 1;|{mark}|b"), mark);
            let base = Document::from_text("a\nb\n".to_owned());
            let found = added_markers("f.c", &base, [mark, "c"].into_iter());
            assert!(found.is_some(), "{mark}");
            // The file has it already.
            check("f.c", &format!("a|{mark}|b"), &format!("a|c|{mark}"), "");
        }
        for mark in ["|||||||", "<|im_end|>"] {
            assert!(notation("f.c", &["a"], &["a", mark]).is_some(), "{mark}");
        }
        check("f.c", "a|b", "a|b|```", "```");
        check("f.c", "", "%%%%%%% x|-a|+++++++ y|b", "%%%%%%% x");
        let darcs = "v v v v v v v|a|*************|b|^ ^ ^ ^ ^ ^ ^";
        check("f.md", "a", darcs, "v v v v v v v");
        check("f.c", "a|b", "a|*************|b|^ ^ ^ ^ ^ ^ ^|v v v", "");
        let hunk = "@@ -7 +7 @@|-a|+b";
        check("f.c", "", &format!("c|{hunk}"), "@@ -7 +7 @@");
        let base = Document::from_text("a\nc\n".to_owned());
        let found = |path| added_markers(path, &base, hunk.split('|')).is_some();
        assert!(found("f.c") && !found("f.diff") && !found("f.md"));
    }

    #[test]
    fn rows_of_signs_and_tags_with_two_ends_are_text() {
        check("f.md", "a|b", "Heading|=======|a|-------|b", "");
        check("f.rst", "a|b", "=======|Heading|=======|a|b", "");
        check("f.py", "a|b", "\"\"\"|Example|=======|\"\"\"|a|b", "");
        check("f.md", "a|b", "a|>>>>>>>|b", "");
        assert!(notation("f.md", &["a"], &["a", "|||||||"]).is_none());
        check("f.sql", "a|b", "------- search|a|b|-- REPLACE", "");
        check("f.tex", "a|b", "%%%%%%% Macros|a|b", "");
        check("f.py", "a|b", "a|b|\"\"\"|```|x|```|\"\"\"", "");
        check("f.jsx", "a|b", "<content|  c={1}|>|a2|</content>|b", "");
        check("f.php", "a|b", "a|b|</body>|</html>", "");
        check("f.html", "a|b", "a|b|</content>", "</content>");
        check("f.tsx", "a|b", "a|b|</div>", "");
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
        check("f.x", "a|b", "a|@@ -1 +1 @@|-x|+y", "");
        check("f.x", "a|b", "a|@@ -1 +1 @@|-a| b", "");
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
