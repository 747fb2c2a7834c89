//! `whole`: Aider's `whole` and `editor-whole`, a file's name and its full contents in a code fence.
//!
//! <https://aider.chat/docs/more/edit-formats.html#whole>

use crate::dialect::body::whole_file;
use crate::dialect::dialect_trait::{Before, Dialect, EvidenceKind, Section};
use crate::dialect::diff::ed::Ed;
use crate::dialect::diff::rcs::Rcs;
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::markdown::fence::{self, Fence};
use crate::dialect::markdown::fenced_file::{self, FencedFile};
use crate::dialect::parse_error::ParseError;
use crate::proposal::{FileChange, Hunk, Operation, is_elision};
use crate::text::LineIdx;

/// The dialect `whole`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Whole;

impl Dialect for Whole {
    fn name(&self) -> &'static str {
        "whole"
    }

    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Shape
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let FencedFile {
            lines,
            path,
            text,
            guess,
        } = fenced_file::read(input, at, before)?;
        let hunk = text.and_then(|text| {
            let info = input.line(at).and_then(Fence::of).map(|fence| fence.info);
            if input.asked() == ReadReason::InTurn
                && let Some(script) = [Ed.name(), Rcs.name()]
                    .into_iter()
                    .find(|name| info == Some(name))
            {
                let found = format!("a script of `{script}` in place of the text of a file");
                let expected = format!("the script alone, with `--format {script} --path FILE`");
                return Err(ParseError::new(at, found, expected));
            }
            let is_elided = |line: &&&str| is_elision(line) && line.trim().len() > "...".len();
            let elided = input
                .lines(text.clone())
                .iter()
                .position(|line| is_elided(&line));
            if let Some(i) = elided.filter(|_| input.asked() == ReadReason::ByName) {
                return Err(ParseError::line(input, text.start + i, "the file in full"));
            }
            let postimage = fence::text_in(input, at, text.clone()).into_iter();
            let postimage = postimage.map(str::to_owned);
            let (body, other_readings) = whole_file::readings(path.first(), postimage.collect());
            Ok((!text.is_empty()).then(|| Hunk {
                other_readings,
                guess,
                ..Hunk::new(body, input.span(text))
            }))
        });
        let found = hunk
            .map(|hunk| FileChange {
                hunks: Vec::from_iter(hunk),
                ..FileChange::new(
                    path.clone(),
                    Operation::Overwrite,
                    self.name(),
                    input.span(lines.clone()),
                )
            })
            .map_err(|error| error.into_problem(input, lines.clone(), self.name(), Some(path)));
        Some(Section::of(lines, found))
    }
}
