//! `sketch`: new code with marks like `// ... existing code ...` for what stays, in a code fence below the file's name, as
//! Cursor's agents write it for a merging model, or in the `<update>` that Morph's model is sent
//! (<https://docs.morphllm.com/models/apply>).

use std::ops::Range;

use crate::dialect::dialect_trait::{Before, Dialect, EvidenceKind, Section};
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::markdown::fence;
use crate::dialect::markdown::fenced_file::{self, FencedFile};
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::dialect::xml::element;
use crate::proposal::{Body, Extent, FileChange, Guess, Hunk, Operation, PathClaim, is_elision};
use crate::text::LineIdx;

/// The tag of Morph's sketches.
const UPDATE: &str = "update";

/// The dialect `sketch`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Sketch;

impl Dialect for Sketch {
    fn name(&self) -> &'static str {
        "sketch"
    }

    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Shape
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let update = updated(input, at, before);
        let may_be_other = update.is_none() && input.asked() == ReadReason::InTurn;
        let SketchCandidate {
            lines,
            path,
            text,
            guess,
        } = update.or_else(|| fenced(input, at, before))?;
        let sketch = text.and_then(|(first, text)| {
            let hunk = hunk(input, first, &text)?;
            Ok(Hunk { guess, ..hunk })
        });
        if sketch.is_err() && may_be_other {
            return None;
        }
        let found = sketch
            .map(|hunk| FileChange {
                hunks: vec![hunk],
                ..FileChange::new(
                    path.clone(),
                    Operation::Modify,
                    self.name(),
                    input.span(lines.clone()),
                )
            })
            .map_err(|error| error.into_problem(input, lines.clone(), self.name(), Some(path)));
        Some(Section::of(lines, found))
    }
}

/// A text that may be a sketch.
struct SketchCandidate<'a> {
    /// Its name, its text, and the lines that enclose it.
    lines: Range<LineIdx>,
    path: PathClaim,
    /// Its first line's position and its lines, or why nobody can say which they are.
    text: Result<(LineIdx, Vec<&'a str>), ParseError>,
    guess: Option<Guess>,
}

fn fenced<'a>(input: &Input<'a>, at: LineIdx, before: &Before) -> Option<SketchCandidate<'a>> {
    let FencedFile {
        lines,
        path,
        text,
        guess,
    } = fenced_file::read(input, at, before)?;
    let text = text.map(|text| (text.start, fence::text_in(input, at, text)));
    Some(SketchCandidate {
        lines,
        path,
        text,
        guess,
    })
}

/// The text of `<update>`, for a file that is named above it or outside.
fn updated<'a>(input: &Input<'a>, at: LineIdx, before: &Before) -> Option<SketchCandidate<'a>> {
    element::opens(input.line(at)?, UPDATE)?;
    let above = file_name::above(input, at, before);
    let start = above.as_ref().map_or(at, |name| name.at);
    let path = above
        .map(|name| name.claim)
        .or_else(|| input.path().map(PathClaim::plain))?;
    let element = element::raw(input, at, UPDATE, |_| false)?;
    let text = if element.closed {
        Ok((element.first, element.text))
    } else {
        Err(ParseError::line(input, element.end, "'</update>'"))
    };
    Some(SketchCandidate {
        lines: start..element.end,
        path,
        text,
        guess: None,
    })
}

/// The hunk of a text that has a mark. Dots alone are none: in Python they are code.
fn hunk(input: &Input, first: LineIdx, text: &[&str]) -> Result<Hunk, ParseError> {
    let is_mark = |line: &&str| is_elision(line) && line.trim().len() > "...".len();
    if !text.iter().any(is_mark) {
        let expected = "a line like '// ... existing code ...' in it";
        return Err(ParseError::line(input, first, expected));
    }
    let body = Body {
        preimage: Vec::new(),
        postimage: text.iter().map(ToString::to_string).collect(),
    };
    Ok(Hunk {
        extent: Extent::Sketch,
        ..Hunk::new(body, input.span(first..first + text.len()))
    })
}
