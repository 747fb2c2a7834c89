//! Hunks of unified diffs, and the lines at which they end.
//!
//! The counts in its header decide when they agree with the body, so that a removed `-- comment` is never taken for a file
//! header. When they do not agree, the body decides; a body that is shorter than its header and ends at once after a change
//! is cut off.

use std::ops::Range;

use super::header_path;
use super::hunk_body::{DiffBody, LineMark, mark};
use super::hunk_header::{self, HunkHeader};
use super::line_ending;
use crate::dialect::blocks::marker;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::dialect::xml::xml_call;
use crate::proposal::{AnchorStrength, FinalNewline, Hunk};
use crate::text::{LineEnding, LineIdx};

/// A hunk and its lines, header included.
#[derive(Debug)]
pub(super) struct DiffHunk {
    pub(super) lines: Range<LineIdx>,
    pub(super) hunk: Result<Hunk, ParseError>,
}

/// Reads the hunk whose header, or whose body if it has no header, begins at a line.
pub(super) fn read(input: &Input, at: LineIdx) -> DiffHunk {
    let header = hunk_header::read(input, at, AnchorStrength::Heading);
    let counted = header
        .counts()
        .and_then(|counts| by_counts(input, header.end, counts));
    let (end, body) = if let Some((end, body)) = counted {
        (end, Ok(body))
    } else {
        let (end, body) = by_marks(input, header.end);
        (end, body.and_then(|body| whole(end, &header, body)))
    };
    let body = body.and_then(|body| line_ending::check(input, header.end..end).map(|()| body));
    let hunk = body.map(|body| hunk(input, at..end, header, body));
    DiffHunk {
        lines: at..end,
        hunk,
    }
}

/// Grades two lines as the `---` and `+++` lines of a file.
pub(in crate::dialect) fn file_header(input: &Input, at: LineIdx) -> Option<FileHeader> {
    let old = input.line(at)?.strip_prefix("--- ")?;
    let new = input.line(at + 1)?.strip_prefix("+++ ")?;
    let hunk_follows = input.line(at + 2).is_some_and(hunk_header::is_header);
    match header_path::are_names(old, new) {
        header_path::Names::OfOneFile if hunk_follows => Some(FileHeader::Certain),
        header_path::Names::OfOneFile => Some(FileHeader::Likely),
        header_path::Names::OfTwoFiles if hunk_follows => Some(FileHeader::Likely),
        header_path::Names::OfTwoFiles | header_path::Names::Other => None,
    }
}

/// Certainty that two lines are a file header rather than a removed and an added line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum FileHeader {
    /// Both name one file and a hunk follows: no count outweighs that.
    Certain,
    /// Nothing speaks against it.
    Likely,
}

/// Takes lines until both counts are used up. `None` if they cannot be, or if more of the body follows then.
///
/// A line that begins with a tab is a context line that lost its blank, since the counts vouch for it.
fn by_counts(
    input: &Input,
    from: LineIdx,
    (mut old, mut new): (usize, usize),
) -> Option<(LineIdx, DiffBody)> {
    let most = input.len().saturating_sub(from);
    let mut body = DiffBody::of(old.min(most), new.min(most));
    let mut at = from;
    while old > 0 || new > 0 {
        let line = input.line(at)?;
        if is_unmarked_boundary(line) || file_header(input, at) == Some(FileHeader::Certain) {
            return None;
        }
        let tabbed = || line.starts_with('\t').then_some((LineMark::Context, line));
        let (mark, text) = mark(line).or_else(tabbed)?;
        let (from_old, from_new) = match mark {
            LineMark::Context | LineMark::Empty => (1, 1),
            LineMark::Removed => (1, 0),
            LineMark::Added => (0, 1),
            LineMark::NoNewline => {
                body.push_return(input, at);
                (0, 0)
            }
        };
        old = old.checked_sub(from_old)?;
        new = new.checked_sub(from_new)?;
        body.push(mark, text);
        at += 1;
    }
    while let Some((LineMark::NoNewline, _)) = input.line(at).and_then(mark) {
        body.push_return(input, at);
        body.push(LineMark::NoNewline, "");
        at += 1;
    }
    let goes_on = input
        .line(at)
        .and_then(mark)
        .is_some_and(|(mark, _)| mark != LineMark::Empty);
    (!goes_on || is_boundary(input, at)).then_some((at, body))
}

/// Takes lines as long as they have marks.
fn by_marks(input: &Input, from: LineIdx) -> (LineIdx, Result<DiffBody, ParseError>) {
    let mut body = DiffBody::default();
    let mut at = from;
    while let Some(line) = input.line(at) {
        if is_boundary(input, at) {
            break;
        }
        let Some((mark, text)) = mark(line) else {
            let end = next_boundary(input, at);
            let after_blank = at > from && input.line(at - 1).is_some_and(str::is_empty);
            let changes_follow = input
                .lines(at..end)
                .iter()
                .any(|line| line.starts_with(['+', '-']));
            if after_blank && !changes_follow {
                break;
            }
            let error = ParseError::line(input, at, "a line that begins with ' ', '-' or '+'");
            return (end, Err(error));
        };
        if mark == LineMark::NoNewline {
            body.push_return(input, at);
        }
        body.push(mark, text);
        at += 1;
    }
    body.drop_trailing_empty();
    while at > from && input.line(at - 1).is_some_and(str::is_empty) {
        at -= 1;
    }
    (at, Ok(body))
}

/// Refuses a body that its counts do not vouch for if it was cut off or says nothing.
fn whole(end: LineIdx, header: &HunkHeader, body: DiffBody) -> Result<DiffBody, ParseError> {
    let last = end.saturating_sub(1);
    if body.changes == 0 {
        let found = "a hunk without a changed line";
        return Err(ParseError::new(
            last,
            found,
            "a line that begins with '-' or '+'",
        ));
    }
    let Some((old, new)) = header.counts() else {
        return Ok(body);
    };
    let (has_old, has_new) = (body.body.preimage.len(), body.body.postimage.len());
    if (has_old < old || has_new < new) && body.context_after < 2 {
        return Err(ParseError::new(
            last,
            format!("the hunk's end after {has_old} old and {has_new} new lines"),
            format!("{old} and {new}, as its header says"),
        ));
    }
    Ok(body)
}

/// Puts a hunk together.
pub(in crate::dialect) fn hunk(
    input: &Input,
    lines: Range<LineIdx>,
    header: HunkHeader,
    body: DiffBody,
) -> Hunk {
    let endings = endings(input, &lines, header.end, body.body.postimage.len());
    let final_newline = body.final_newline();
    let miscount = header.miscount(&body.body);
    Hunk {
        hint: header.hint(),
        anchors: header.anchors,
        // Only the last line of a file can gain or lose its newline.
        at_end: final_newline != FinalNewline::Keep,
        final_newline,
        endings,
        miscount,
        marked: body.marked,
        ..Hunk::new(body.body, input.span(lines))
    }
}

/// Returns the endings of the first lines that a hunk leaves; none if all of its lines have the same as the header, or as each other
/// without one: then that may be the ending of a mail or a clipboard.
fn endings(input: &Input, lines: &Range<LineIdx>, from: LineIdx, count: usize) -> Vec<LineEnding> {
    let is_left = |at: &LineIdx| {
        let mark = input.line(*at).and_then(mark).map(|(mark, _)| mark);
        !matches!(mark, Some(LineMark::Removed | LineMark::NoNewline))
    };
    let has_return = |at: LineIdx| input.has_return(at);
    let body = || from..lines.end;
    let of_transport = if from > lines.start {
        has_return(lines.start)
    } else {
        body().all(has_return)
    };
    if of_transport || !body().any(has_return) {
        return Vec::new();
    }
    let ending = |at| {
        if has_return(at) {
            LineEnding::CrLf
        } else {
            LineEnding::Lf
        }
    };
    body().filter(is_left).take(count).map(ending).collect()
}

/// Returns `true` if something other than the hunk begins at a line.
pub(super) fn is_boundary(input: &Input, at: LineIdx) -> bool {
    let Some(line) = input.line(at) else {
        return true;
    };
    is_unmarked_boundary(line) || file_header(input, at).is_some() || is_signature(input, at)
}

/// Returns `true` if a line ends the hunk because no body can hold it.
fn is_unmarked_boundary(line: &str) -> bool {
    hunk_header::is_header(line)
        || line.starts_with("diff -")
        || line.starts_with("Index: ")
        || line.starts_with("*** ")
        || (!line.starts_with([' ', '\t']) && Fence::of(line).is_some())
}

/// The `-- ` line, which may have lost its blank, and the version that end a mail from `git format-patch`.
fn is_signature(input: &Input, at: LineIdx) -> bool {
    let version = input.line(at + 1).unwrap_or_default();
    matches!(input.line(at), Some("-- " | "--"))
        && version.starts_with(|c: char| c.is_ascii_digit())
}

/// Finds the end of lines that cannot be read: the next part of a diff, or an edit in another dialect.
fn next_boundary(input: &Input, from: LineIdx) -> LineIdx {
    let is_other = |line: &str| marker::opening(line).is_some() || xml_call::call(line).is_some();
    let mut rest = from..input.len();
    match rest.find(|&at| is_boundary(input, at) || input.line(at).is_some_and(is_other)) {
        Some(at) if input.line(at).is_some_and(is_other) => {
            file_name::or_above(input, from + 1, at)
        }
        Some(at) => at,
        None => input.len(),
    }
}
