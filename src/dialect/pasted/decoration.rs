//! Removes what a mail program, a document or a terminal put around the lines of a whole input: quotation marks, indentation,
//! and colours.

use std::borrow::Cow;

use crate::dialect::blocks::marker;
use crate::dialect::markdown::inner_block::blank_behind;
use crate::dialect::parsed::Parsed;
use crate::proposal::FileChange;
use crate::text::split_indent;

/// Removes the quotation marks and the indentation that all lines of a text have in common, and a colour around all of it.
pub(in crate::dialect) fn stripped(text: &str) -> Cow<'_, str> {
    let start = text.trim_start();
    let mut text = if start.starts_with(ESCAPE) {
        let (before, inner) = text.split_at(text.len() - start.len());
        Cow::Owned([before, around(inner.trim_end()), "\n"].concat())
    } else {
        Cow::Borrowed(text)
    };
    for _ in 0..MOST_LEVELS {
        let Some(inner) = unquoted(&text).or_else(|| unindented(&text)) else {
            break;
        };
        text = Cow::Owned(inner);
    }
    text
}

/// The most levels of quotation and indentation that are removed. Each level copies the text.
const MOST_LEVELS: usize = 64;

/// Removes the `>` of a quotation, if every line has one.
fn unquoted(text: &str) -> Option<String> {
    let lines = || {
        text.split_inclusive('\n')
            .map(|line| (line, line.strip_prefix('>')))
    };
    let is_quoted = |(line, inner): (&str, Option<&str>)| inner.is_some() || line.trim().is_empty();
    if !lines().all(is_quoted) || !lines().any(|(_, inner)| inner.is_some()) {
        return None;
    }
    let blank = blank_behind(lines().filter_map(|(_, inner)| inner));
    let inner = |(line, inner): (&'_ str, Option<&'_ str>)| {
        let inner = inner.unwrap_or(line);
        inner.strip_prefix(blank).unwrap_or(inner).to_owned()
    };
    Some(lines().map(inner).collect())
}

/// Removes the indentation that all lines but blank ones have. Search/replace blocks that are indented are read with and
/// without it, since it may be that of the file's lines.
fn unindented(text: &str) -> Option<String> {
    let lines = || text.split_inclusive('\n');
    let mut common: Option<&str> = None;
    for line in lines().filter(|line| !line.trim().is_empty()) {
        let (indent, _) = split_indent(line);
        let known = common.unwrap_or(indent);
        let mut pairs = known.bytes().zip(indent.bytes());
        let length = pairs.position(|(known, own)| known != own);
        let length = length.unwrap_or(known.len().min(indent.len()));
        common = Some(&known[..length]);
        if length == 0 {
            return None;
        }
    }
    let common = common.filter(|_| !lines().any(|line| marker::opening(line.trim()).is_some()))?;
    let inner = |line| {
        str::strip_prefix(line, common).unwrap_or(if line.ends_with('\n') { "\n" } else { "" })
    };
    Some(lines().map(inner).collect())
}

/// Returns `true` if a text has edits that were not read with its colours.
pub(in crate::dialect) fn has_more(plain: &Parsed, coloured: &Parsed) -> bool {
    let hunks = |parsed: &Parsed| -> usize {
        let files = parsed.proposal.files.iter();
        files.map(|file| file.hunks.len().max(1)).sum()
    };
    let all = |parsed: &Parsed| hunks(parsed) + parsed.problems.len();
    hunks(plain) > hunks(coloured) || all(plain) > all(coloured)
}

/// Returns `true` if an edit would write colours, its preimage has none, and they may be those of the terminal.
///
/// A tool that colours a diff colours its headers as well. Where those are plain, escape sequences behind the sign of a line are the file's.
pub(in crate::dialect) fn adds_colours(file: &FileChange) -> bool {
    let has_any = |lines: &[String]| lines.iter().any(|line| line.contains(ESCAPE));
    let mut bodies = file.hunks.iter().map(|hunk| &hunk.body);
    !matches!(file.dialect, "unified" | "context" | "normal")
        && bodies.any(|body| has_any(&body.postimage) && !has_any(&body.preimage))
}

/// Removes the colours of a terminal; `None` for other escape sequences.
///
/// They are certainly no part of an edit around whole lines, and within JSON, whose texts have no escape sequences.
pub(in crate::dialect) fn uncoloured(text: &str) -> Option<(String, Certainty)> {
    let mut plain = String::with_capacity(text.len());
    let mut is_around = true;
    for line in text.split_inclusive('\n') {
        let mut inner = around(line.trim_end());
        is_around &= !inner.contains(ESCAPE);
        while let Some(at) = inner.find(ESCAPE) {
            plain.push_str(&inner[..at]);
            inner = after_colour(&inner[at..])?;
        }
        plain.push_str(inner);
        plain.push_str(&line[line.trim_end().len()..]);
    }
    let is_json = || {
        let values =
            serde_json::Deserializer::from_str(&plain).into_iter::<serde::de::IgnoredAny>();
        values.into_iter().all(|value| value.is_ok())
    };
    let certainty = if is_around || is_json() {
        Certainty::Certain
    } else {
        Certainty::Doubtful
    };
    Some((plain, certainty))
}

/// Certainty that removed colours were those of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum Certainty {
    Certain,
    /// They may be the edit's own.
    Doubtful,
}

pub(in crate::dialect) const ESCAPE: char = '\u{1b}';

/// The text within the colours around it.
fn around(mut text: &str) -> &str {
    while let Some(rest) = after_colour(text).or_else(|| before_colour(text)) {
        text = rest;
    }
    text
}

/// The text after the colour that it begins with.
fn after_colour(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    rest[end..].strip_prefix('m')
}

/// The text before the colour that it ends with.
fn before_colour(text: &str) -> Option<&str> {
    let at = text.rfind(ESCAPE)?;
    after_colour(&text[at..])?.is_empty().then_some(&text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_lines_share_is_no_part_of_an_edit() {
        let check = |text: &str, expected: &str| assert_eq!(stripped(text), expected, "{text:?}");
        check("a\n  b\n", "a\n  b\n");
        check("  a\n\n    b\r\n", "a\n\n  b\r\n");
        check("\ta\n  b\n", "\ta\n  b\n");
        check("> a\n>\n>   b\n", "a\n\n  b\n");
        check("> a\nb\n", "> a\nb\n");
        check(">+a\n> b\n>\n", "+a\n b\n\n");
        check(">   > a\n>   > b", "a\nb");
        check("", "");
        check("\n \n", "\n \n");
        let deep = |levels: usize| "> ".repeat(levels) + "a\n";
        check(&deep(64), "a\n");
        check(&deep(65), "> a\n");
    }

    #[test]
    fn colours_are_removed_around_lines_and_in_json() {
        let check = |text: &str, expected: Option<&str>| {
            let written = text.replace('{', "\u{1b}[3").replace('}', "\u{1b}[0m");
            let found = uncoloured(&written).filter(|(_, it)| *it == Certainty::Certain);
            let found = found.map(|(plain, _)| plain);
            assert_eq!(found.as_deref(), expected, "{text:?}");
        };
        check("{6;1ma}\nb{2m\r\n", Some("a\nb\r\n"));
        check("a {6mb} c\n", None);
        check("{6m[}{2m\"a\"}{6m]}\n", Some("[\"a\"]\n"));
        check("\u{1b}[2Ja\n", None);
    }
}
