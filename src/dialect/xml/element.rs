//! Tags as models write them around edits: each at the start of a line, with raw text between.
//!
//! This is no XML: nothing is escaped, and the text may hold tags of its own.

use crate::dialect::blocks::{marker, search_block};
use crate::dialect::input::Input;
use crate::text::LineIdx;

const CDATA: (&str, &str) = ("<![CDATA[", "]]>");

/// An element that holds text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct Element<'a> {
    /// The line that its text begins on.
    pub(in crate::dialect) first: LineIdx,
    /// The lines of its text, without the tags.
    pub(in crate::dialect) text: Vec<&'a str>,
    /// The first line after it.
    pub(in crate::dialect) end: LineIdx,
    /// True if it has its closing tag.
    pub(in crate::dialect) closed: bool,
}

impl<'a> Element<'a> {
    /// Its text, if that is one line: a name, a number.
    pub(in crate::dialect) fn word(&self) -> Option<&'a str> {
        let mut lines = self.text.iter().map(|line| line.trim());
        let word = lines.find(|line| !line.is_empty())?;
        lines.all(str::is_empty).then_some(word)
    }
}

/// Returns the text after the opening tag of this name, if the line begins with it.
pub(in crate::dialect) fn opens<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('<')?.strip_prefix(name)?;
    rest.strip_prefix('>')
}

/// Returns `true` for the closing tag of this name, alone or behind others.
pub(super) fn closes(line: &str, name: &str) -> bool {
    before_closing(line, name).is_some_and(|text| {
        let text = text.trim();
        text.is_empty() || (text.starts_with("</") && text.ends_with('>'))
    })
}

/// Reads the element of this name that opens at a line. `is_own` knows the tags of the call around it: a closing tag that
/// none of them follows is text, as far as there is another.
pub(in crate::dialect) fn raw<'a>(
    input: &Input<'a>,
    at: LineIdx,
    name: &str,
    is_own: impl Fn(&str) -> bool,
) -> Option<Element<'a>> {
    let is_last = |at: LineIdx| {
        let next = input.skip_blank(at + 1);
        input.line(next).is_none_or(&is_own)
    };
    read(input, at, name, || {
        let closing = |&at: &LineIdx| {
            let line = input.line(at).unwrap_or_default();
            before_closing(line, name).is_some()
        };
        let mut closings = (at + 1..input.len()).filter(closing);
        let first = closings.next();
        first
            .filter(|&at| is_last(at))
            .or_else(|| closings.find(|&at| is_last(at)))
            .or(first)
            .unwrap_or(input.len())
    })
}

/// Reads an element that holds search/replace blocks: tags inside a block that is whole are text, and every tag of the call
/// outside ends the element.
pub(super) fn blocks<'a>(
    input: &Input<'a>,
    at: LineIdx,
    name: &str,
    is_own: impl Fn(&str) -> bool,
) -> Option<Element<'a>> {
    let ends = |line: &str| before_closing(line, name).is_some() || is_own(line);
    read(input, at, name, || end_outside_blocks(input, at + 1, ends))
}

/// Reads an element whose last line `end` finds.
fn read<'a>(
    input: &Input<'a>,
    at: LineIdx,
    name: &str,
    end: impl Fn() -> LineIdx,
) -> Option<Element<'a>> {
    let rest = opens(input.line(at)?, name)?;
    if let Some(text) = before_closing(rest, name) {
        return Some(Element {
            first: at,
            text: vec![without_cdata(text)],
            end: at + 1,
            closed: true,
        });
    }
    let end = end();
    let last = input.line(end).and_then(|line| before_closing(line, name));
    let mut first = at + 1;
    let mut text = input.lines(at + 1..end).to_vec();
    let rest = rest.trim_start().strip_prefix(CDATA.0).unwrap_or(rest);
    if !rest.trim().is_empty() {
        first = at;
        text.insert(0, rest);
    }
    let last_text = last.map(|text| text.strip_suffix(CDATA.1).unwrap_or(text));
    text.extend(last_text.filter(|text| !text.trim().is_empty()));
    Some(Element {
        first,
        text,
        end: if last.is_some() { end + 1 } else { end },
        closed: last.is_some(),
    })
}

/// The first line that `ends` the text, outside of blocks that are whole.
fn end_outside_blocks(input: &Input, from: LineIdx, ends: impl Fn(&str) -> bool) -> LineIdx {
    let mut at = from;
    while let Some(line) = input.line(at) {
        if ends(line) {
            return at;
        }
        if marker::opening(line).is_none() {
            at += 1;
            continue;
        }
        let end = search_block::end(input, at);
        if input.line(end).is_some_and(marker::closes) {
            at = end + 1;
            continue;
        }
        let inside = (at + 1..end).find(|&at| input.line(at).is_some_and(&ends));
        if let Some(inside) = inside {
            return inside;
        }
        at = end;
    }
    input.len()
}

/// The text before the closing tag of this name at the end of a line.
fn before_closing<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let text = line.trim_end().strip_suffix('>')?.strip_suffix(name)?;
    text.strip_suffix("</")
}

fn without_cdata(text: &str) -> &str {
    let inner = text.trim().strip_prefix(CDATA.0);
    inner
        .and_then(|inner| inner.strip_suffix(CDATA.1))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::ReadReason;

    fn show(element: Option<Element>) -> String {
        element.map_or_else(String::new, |e| {
            format!("{} {:?} {} {}", e.first, e.text, e.end, e.closed)
        })
    }

    #[test]
    fn elements_hold_raw_text() {
        let check = |text: &str, expected: &str| {
            let input = Input::new(text, None, ReadReason::InTurn);
            let found = raw(&input, 0, "t", |line| line == "<own>");
            assert_eq!(show(found), expected, "{text:?}");
        };
        check("<t>a</t>", r#"0 ["a"] 1 true"#);
        check("  <t>\na\n</t>", r#"1 ["a"] 3 true"#);
        check("<t>a\nb</t>", r#"0 ["a", "b"] 2 true"#);
        check("<t>\n\na\n\n</t>", r#"1 ["", "a", ""] 5 true"#);
        check("<t><![CDATA[\na\n]]></t>", r#"1 ["a"] 3 true"#);
        check("<t><![CDATA[a]]></t>", r#"0 ["a"] 1 true"#);
        check("<t>\na\n", r#"1 ["a"] 2 false"#);
        check("<t>\n</t>\n</t>\n<own>", r#"1 ["</t>"] 3 true"#);
        check("<t>\n</t>\na", "1 [] 2 true");
        check("<tt>a</tt>", "");
    }

    #[test]
    fn a_block_holds_any_tag() {
        let check = |text: &str, expected: &str| {
            let input = Input::new(text, None, ReadReason::InTurn);
            let found = blocks(&input, 0, "t", |line| line == "<own>");
            assert_eq!(show(found), expected, "{text:?}");
        };
        check(
            "<t>\n<<<<<<< SEARCH\n</t>\n=======\n>>>>>>> REPLACE\n</t>",
            r#"1 ["<<<<<<< SEARCH", "</t>", "=======", ">>>>>>> REPLACE"] 6 true"#,
        );
        check(
            "<t>\n<<<<<<< SEARCH\na\n</t>",
            r#"1 ["<<<<<<< SEARCH", "a"] 4 true"#,
        );
        check(
            "<t>\n<<<<<<< SEARCH\na\n<own>\n</t>",
            r#"1 ["<<<<<<< SEARCH", "a"] 3 false"#,
        );
    }
}
