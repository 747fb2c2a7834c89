//! Lines that are markers of a dialect, whatever is around them: what an edit leaves in a file if its end was read as text.

use super::blocks::marker;
use super::call::markup::HOLDERS;
use super::envelope::apply_patch;
use super::message::message_fields::FIELDS;
use super::tool::schema;

/// A line that is a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkerLine<'l> {
    /// One that no other text has.
    Own,
    /// The closing tag of a call, of a field, or of what is around calls: a marker if nothing opens it.
    Closes(&'l str),
}

/// The fewest marks of a marker of a search/replace block. Readers forgive fewer, but other texts have those.
const LEAST_MARKS: usize = 5;

/// Elements around calls and their fields, beside those that hold one call.
const AROUND: [&str; 6] = [
    "arg_value",
    "function",
    "function_calls",
    "parameter",
    "tool_calls",
    "tool_results",
];

impl<'l> MarkerLine<'l> {
    /// Reads a line of a text.
    pub(crate) fn of(line: &'l str) -> Option<Self> {
        if is_block_marker(line) || apply_patch::is_marker(line.trim_end()) || is_token(line) {
            return Some(Self::Own);
        }
        let name = line.trim_end().strip_prefix("</")?.strip_suffix('>')?;
        let bare = name.rsplit(':').next().unwrap_or(name);
        let is_known = HOLDERS.contains(&bare)
            || AROUND.contains(&bare)
            || FIELDS.contains(&bare)
            || schema::has_word(bare);
        is_known.then_some(Self::Closes(name))
    }
}

/// Returns `true` for a marker of a search/replace block as tools write it, its word in capital letters.
fn is_block_marker(line: &str) -> bool {
    let text = line.trim();
    let Some(mark) = text.chars().next().filter(|c| "<>+-".contains(*c)) else {
        return false;
    };
    let marks = text.len() - text.trim_start_matches(mark).len();
    marks >= LEAST_MARKS
        && !text.contains(char::is_lowercase)
        && (marker::opening(text).is_some() || marker::closes(text))
}

/// Returns `true` for a special token of a model as a line.
fn is_token(line: &str) -> bool {
    const TOKENS: [(&str, &str); 3] = [("<|", "|>"), ("<｜", "｜>"), ("[/", "]")];
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-▁".contains(c);
    let line = line.trim_end();
    TOKENS.iter().any(|(open, close)| {
        let inner = line
            .strip_prefix(open)
            .and_then(|it| it.strip_suffix(close));
        let is_tool = *open != "[/" || inner.is_some_and(|it| it.contains("TOOL"));
        is_tool && inner.is_some_and(|it| !it.is_empty() && it.chars().all(is_inner))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_only_a_dialect_has_are_markers() {
        let check = |line: &str, expected: Option<MarkerLine<'_>>| {
            assert_eq!(MarkerLine::of(line), expected, "{line:?}");
        };
        for line in [
            "<<<<<<< SEARCH",
            "  ------- SEARCH",
            "+++++++ REPLACE",
            ">>>>>>>>> UPDATED",
            "*** Begin Patch",
            "*** End Patch",
            "*** End of File",
            "*** Update File: src/a.c",
            "*** Move to: b.c",
            "<|im_end|>",
            "[/TOOL_CALLS]",
        ] {
            check(line, Some(MarkerLine::Own));
        }
        check("</content>", Some(MarkerLine::Closes("content")));
        check(
            "</write_to_file>",
            Some(MarkerLine::Closes("write_to_file")),
        );
        check("</ns:invoke>", Some(MarkerLine::Closes("ns:invoke")));
        check("</parameter>", Some(MarkerLine::Closes("parameter")));
        for line in [
            "=======",
            "-------",
            "------- Search",
            "----- helpers",
            ">>> REPLACE",
            "*** Note File: a",
            "*** warning",
            "</div>",
            "</Provider>",
            "  </content>",
            "x <| f |> g",
            "[/b]",
        ] {
            check(line, None);
        }
    }
}
