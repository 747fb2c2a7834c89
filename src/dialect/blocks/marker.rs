//! The marker lines of search/replace blocks.
//!
//! Roo Code writes seven characters, Aider reads five to nine, Cline reads three or more and has a second style with dashes
//! and pluses. Blanks around a marker and the case of its word are free.

/// The words of today, and those of Aider's first releases, which models still write.
const OPENING: [&str; 2] = ["SEARCH", "ORIGINAL"];
const CLOSING: [&str; 2] = ["REPLACE", "UPDATED"];

/// The line that opens a search half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) struct Opening<'a> {
    /// The blanks before it.
    pub(super) indent: &'a str,
    /// The number of characters of the marker.
    pub(super) length: usize,
    /// The characters of the marker.
    pub(super) style: MarkerStyle,
    /// The line number that Zed's form states (`<<<<<<< SEARCH line=7`).
    pub(super) line: Option<usize>,
}

/// Characters of an opening marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerStyle {
    /// `<<<<<<< SEARCH`
    Angles,
    /// `------- SEARCH`
    Dashes,
    /// A mixture of both: meant as a marker, but written wrong.
    Mixed,
}

/// Reads the line that opens a search half.
pub(in crate::dialect) fn opening(line: &str) -> Option<Opening<'_>> {
    let text = line.trim();
    let word = text.trim_start_matches(['<', '-']);
    let marks = &text[..text.len() - word.len()];
    let style = match (marks.contains('<'), marks.contains('-')) {
        (true, false) if marks.len() >= 3 => MarkerStyle::Angles,
        // Three dashes and a word are the first line of a diff.
        (false, true) if marks.len() >= 5 => MarkerStyle::Dashes,
        (true, true) if marks.len() >= 3 => MarkerStyle::Mixed,
        _ => return None,
    };
    let rest = strip_word(word, &OPENING)?
        .trim_start_matches(['>', ':'])
        .trim();
    let line_number = rest.strip_prefix("line=").and_then(|n| n.parse().ok());
    (rest.is_empty() || line_number.is_some()).then_some(Opening {
        indent: &line[..line.len() - line.trim_start().len()],
        length: marks.len(),
        style,
        line: line_number,
    })
}

/// The length of the line that parts the halves.
pub(super) fn divider(line: &str) -> Option<usize> {
    let text = line.trim();
    (text.len() >= 3 && text.bytes().all(|b| b == b'=')).then_some(text.len())
}

/// Returns `true` for a line that closes a replace half.
pub(in crate::dialect) fn closes(line: &str) -> bool {
    let text = line.trim();
    let word = text.trim_start_matches(['>', '+']);
    let length = text.len() - word.len();
    length >= 3
        && strip_word(word, &CLOSING)
            .is_some_and(|rest| rest.trim_start_matches(['>', '<', ':']).trim().is_empty())
}

/// Returns `true` for the rule that ends the hints, right after the opening.
pub(super) fn is_rule(line: &str) -> bool {
    let text = line.trim();
    (5..=9).contains(&text.len()) && text.bytes().all(|b| b == b'-')
}

/// Reads a hint line: `:start_line:7`, also with an equals sign or a missing colon as models write it. `:end_line:` is
/// read and tells nothing that the text does not.
pub(super) fn hint(line: &str) -> Option<HintLine> {
    let text = line.trim();
    let (rest, is_start) = match text.strip_prefix(":start_line") {
        Some(rest) => (rest, true),
        None => (text.strip_prefix(":end_line")?, false),
    };
    let number = rest.trim_start_matches([':', '=', '>', ' ']).trim_end();
    if rest.len() == number.len() {
        return None;
    }
    let number = number.parse().ok()?;
    Some(if is_start {
        HintLine::Start(number)
    } else {
        HintLine::End
    })
}

/// Contents of a hint line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HintLine {
    /// The line of the file at which the search half begins; 0 says nothing.
    Start(usize),
    /// The line at which it ends.
    End,
}

/// Takes off the backslash that says that a line looks like a marker but is content.
pub(super) fn unescape(line: &str) -> Option<&str> {
    const ESCAPED: [&str; 6] = [
        "<<<<<<<",
        "=======",
        ">>>>>>>",
        "-------",
        ":start_line:",
        ":end_line:",
    ];
    let line = line.strip_prefix('\\')?;
    ESCAPED
        .iter()
        .any(|marker| line.starts_with(marker))
        .then_some(line)
}

/// Takes one of the words off, whatever its case and the blanks before it.
fn strip_word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let text = text.trim_start();
    words.iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        head.eq_ignore_ascii_case(word).then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_in_every_style() {
        let check = |line: &str, expected: Option<MarkerStyle>| {
            assert_eq!(opening(line).map(|o| o.style), expected, "{line:?}");
        };
        check("<<<<<<< SEARCH", Some(MarkerStyle::Angles));
        check("<<<<<<< SEARCH>", Some(MarkerStyle::Angles));
        check("<<<<<<< SEARCH>>  ", Some(MarkerStyle::Angles));
        check("<<<<<<< SEARCH:", Some(MarkerStyle::Angles));
        check("<<<<<<<SEARCH", Some(MarkerStyle::Angles));
        check("<<<<< SEARCH", Some(MarkerStyle::Angles));
        check("<<<<<<<<< search", Some(MarkerStyle::Angles));
        check("  <<<<<<< SEARCH line=7", Some(MarkerStyle::Angles));
        check("------- SEARCH", Some(MarkerStyle::Dashes));
        check("<<<<<<< ORIGINAL", Some(MarkerStyle::Angles));
        check("<<-- SEARCH", Some(MarkerStyle::Mixed));
        check("--- SEARCH", None);
        check("<<<<<<< HEAD", None);
        check("<<<<<<< SEARCHING", None);
        check("SEARCH", None);
        check("", None);
    }

    #[test]
    fn closings_are_read_in_every_style() {
        let check = |line: &str, expected: bool| assert_eq!(closes(line), expected, "{line:?}");
        check(">>>>>>> REPLACE", true);
        check(">>>>>>> REPLACE ", true);
        check("+++++++ REPLACE", true);
        check(">>>>>>> REPLACE<", true);
        check(">>>>>>> UPDATED", true);
        check(">>>>>>> branch", false);
        check(">>>>>>> REPLACED", false);
        check("REPLACE", false);
    }

    #[test]
    fn dividers_and_rules_have_lengths() {
        for (line, length) in [
            ("==", None),
            ("===", Some(3)),
            (" ======= ", Some(7)),
            ("===x", None),
        ] {
            assert_eq!(divider(line), length, "{line:?}");
        }
        for (length, expected) in [(4, false), (5, true), (9, true), (10, false)] {
            assert_eq!(is_rule(&"-".repeat(length)), expected, "{length}");
        }
    }

    #[test]
    fn hints_are_read_as_models_write_them() {
        let check =
            |line: &str, expected: Option<HintLine>| assert_eq!(hint(line), expected, "{line:?}");
        check(":start_line:7", Some(HintLine::Start(7)));
        check(" :start_line: 7 ", Some(HintLine::Start(7)));
        check(":start_line=7", Some(HintLine::Start(7)));
        check(":start_line>7", Some(HintLine::Start(7)));
        check(":start_line:0", Some(HintLine::Start(0)));
        check(":end_line:9", Some(HintLine::End));
        check(":start_line:x", None);
        check(":start_line7", None);
        check("start_line:7", None);
    }

    #[test]
    fn one_backslash_escapes_a_marker() {
        assert_eq!(unescape("\\======="), Some("======="));
        assert_eq!(unescape("\\<<<<<<< HEAD"), Some("<<<<<<< HEAD"));
        assert_eq!(unescape("\\\\======="), None);
        assert_eq!(unescape(" \\======="), None);
        assert_eq!(unescape("\\n"), None);
    }
}
