//! The `@@` lines before a hunk: `@@ -1,7 +1,8 @@ section`, a bare `@@`, `@@ text`, and several below each other.

use crate::dialect::input::Input;
use crate::proposal::{Anchor, AnchorStrength, Body, Miscount};
use crate::text::{LineIdx, LineNo};

/// Header lines of a hunk.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::dialect) struct HunkHeader {
    /// The first line of the body.
    pub(in crate::dialect) end: LineIdx,
    /// The position and the length of the preimage.
    pub(super) old: Option<HeaderRange>,
    /// The position and the length of the postimage.
    pub(super) new: Option<HeaderRange>,
    /// The texts, outermost first.
    pub(super) anchors: Vec<Anchor>,
}

/// A stretch of a file: `12,7`, where a missing count is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeaderRange {
    pub(super) start: usize,
    pub(super) count: usize,
}

/// Returns `true` for a line of a hunk's header.
pub(in crate::dialect) fn is_header(line: &str) -> bool {
    line.starts_with("@@")
}

/// Returns `true` for a hunk's header with numbers: unlike a bare `@@` it can be nothing else.
pub(super) fn is_numbered(line: &str) -> bool {
    is_header(line) && numbers(text_of(line)).is_some()
}

/// Reads the header lines from `at` on; there may be none. A text without numbers binds as strongly as its dialect says;
/// the section behind numbers is only a heading.
pub(in crate::dialect) fn read(input: &Input, at: LineIdx, strength: AnchorStrength) -> HunkHeader {
    let mut header = HunkHeader {
        end: at,
        ..HunkHeader::default()
    };
    while let Some(line) = input.line(header.end).filter(|line| is_header(line)) {
        header.end += 1;
        let text = text_of(line);
        let (text, strength) = match numbers(text) {
            Some((old, new, section)) => {
                (header.old, header.new) = (Some(old), new);
                (section, AnchorStrength::Heading)
            }
            None => (text, strength),
        };
        let text = text.strip_suffix("@@").unwrap_or(text).trim();
        if !matches!(text, "" | "..." | "…") {
            header.anchors.push(Anchor {
                text: text.to_owned(),
                strength,
            });
        }
    }
    header
}

impl HunkHeader {
    /// The line of the preimage's first line, or, without a preimage, the line that the first added line becomes.
    pub(super) fn hint(&self) -> Option<LineNo> {
        let old = self.old?;
        LineNo::new(if old.count == 0 {
            old.start + 1
        } else {
            old.start
        })
    }

    /// Returns the counts of the header, if the halves have other numbers of lines.
    pub(super) fn miscount(&self, body: &Body) -> Option<Miscount> {
        let (said, found) = (self.counts()?, body.counts());
        (said != found).then_some(Miscount { said, found })
    }

    /// Returns the stated numbers of lines of the preimage and the postimage, if there are both.
    pub(super) fn counts(&self) -> Option<(usize, usize)> {
        Some((self.old?.count, self.new?.count))
    }
}

/// The text after the `@@`.
fn text_of(line: &str) -> &str {
    line.trim_start_matches('@').trim()
}

/// Takes `-12,7 +12,8 @@` off the front of a header's text.
fn numbers(text: &str) -> Option<(HeaderRange, Option<HeaderRange>, &str)> {
    let (old, rest) = stretch(text.strip_prefix('-')?)?;
    let rest = rest.trim_start();
    let (new, rest) = match rest.strip_prefix('+').and_then(stretch) {
        Some((new, rest)) => (Some(new), rest),
        None => (None, rest),
    };
    Some((old, new, rest.trim_start().trim_start_matches('@').trim()))
}

/// Takes `12,7` or `12` off the front of a text.
fn stretch(text: &str) -> Option<(HeaderRange, &str)> {
    let (start, rest) = number(text)?;
    let (count, rest) = match rest.strip_prefix(',').and_then(number) {
        Some((count, rest)) => (count, rest),
        None => (1, rest),
    };
    (rest.is_empty() || rest.starts_with([' ', '\t', '@']))
        .then_some((HeaderRange { start, count }, rest))
}

/// Takes a number off the front of a text.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::ReadReason;

    #[test]
    fn headers_are_read_with_and_without_numbers() {
        let check = |text: &str, expected: &str| {
            let input = Input::new(text, None, ReadReason::InTurn);
            let header = read(&input, 0, AnchorStrength::Stated);
            let hint = header.hint().map_or(0, LineNo::get);
            let anchors: Vec<String> = header
                .anchors
                .iter()
                .map(|anchor| format!("{}:{:?}", anchor.text, anchor.strength))
                .collect();
            let found = format!("{hint} {:?} {}", header.counts(), anchors.join("|"));
            assert_eq!(found, expected, "{text:?}");
        };
        check("@@ -3,7 +3,8 @@", "3 Some((7, 8)) ");
        check(
            "@@ -3,7 +3,8 @@ fn a() {",
            "3 Some((7, 8)) fn a() {:Heading",
        );
        check("@@ -3 +3 @@", "3 Some((1, 1)) ");
        check("@@ -0,0 +1,4 @@", "1 Some((0, 4)) ");
        check("@@ -5,0 +6,2 @@", "6 Some((0, 2)) ");
        check("@@ -3,7 @@", "3 None ");
        check("@@", "0 None ");
        check("@@ @@", "0 None ");
        check("@@ ... @@", "0 None ");
        check("@@ def a():", "0 None def a()::Stated");
        check("@@ class A @@", "0 None class A:Stated");
        check("@@ class A\n@@ def b", "0 None class A:Stated|def b:Stated");
        check("@@ -x", "0 None -x:Stated");
        check(
            "@@ -99999999999999999999,1 +1 @@",
            "0 None -99999999999999999999,1 +1:Stated",
        );
    }
}
