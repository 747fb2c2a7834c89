//! Results of a scan, and the edits among them that are not meant: those in quotations, in comments and in reasoning.

use std::ops::Range;
use std::sync::Arc;

use super::doubtful;
use crate::dialect::input::Input;
use crate::proposal::{FileChange, Problem, Reading};
use crate::text::LineIdx;

/// Results of a scan so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    /// The lines of sections.
    pub(super) claimed: Vec<Range<LineIdx>>,
    /// Each with the sentence above its section.
    pub(super) files: Vec<(FileChange, Option<Arc<str>>)>,
    pub(super) problems: Vec<Problem>,
    pub(super) said: Vec<String>,
    pub(super) readings: Vec<Reading>,
    /// The quotations that hold edits.
    pub(super) quoted: Vec<Range<LineIdx>>,
    /// The lines in comments and in the reasoning of a model.
    pub(super) hidden: Vec<Range<LineIdx>>,
}

impl Findings {
    /// Takes what was met further on.
    pub(super) fn append(&mut self, later: Self) {
        self.claimed.extend(later.claimed);
        self.files.extend(later.files);
        self.problems.extend(later.problems);
        self.said.extend(later.said);
        self.quoted.extend(later.quoted);
        self.hidden.extend(later.hidden);
        for section in later.readings {
            Reading::add(&mut self.readings, section);
        }
    }

    /// Takes quoted edits for prose if the input has edits of its own, and otherwise refuses one that may go on behind an answer.
    pub(super) fn settle_quoted(&mut self, input: &Input) {
        let Findings {
            claimed,
            quoted,
            files,
            problems,
            ..
        } = self;
        let has_own = files
            .iter()
            .any(|(file, _)| doubtful::quotation(input, quoted, file.span.first).is_none());
        if has_own {
            let is_own = |line| doubtful::quotation(input, quoted, line).is_none();
            files.retain(|(file, _)| is_own(file.span.first));
            problems.retain(|problem| is_own(problem.span.first));
            claimed.retain(|lines| is_own(input.number(lines.start)));
            return;
        }
        let refused = files.extract_if(.., |(file, _)| doubtful::may_go_on(input, quoted, file));
        problems.extend(refused.map(|(file, _)| doubtful::refused(file)));
        problems.sort_by_key(|problem| problem.span.first);
    }

    /// Takes edits in comments and in reasoning for prose if the input has edits of its own, and refuses them otherwise.
    pub(super) fn settle_hidden(&mut self, input: &Input) {
        let Findings {
            claimed,
            hidden,
            files,
            problems,
            ..
        } = self;
        let is_own = |line| doubtful::quotation(input, hidden, line).is_none();
        let has_own = files.iter().any(|(file, _)| is_own(file.span.first))
            || problems.iter().any(|problem| is_own(problem.span.first));
        let hidden = files.extract_if(.., |(file, _)| !is_own(file.span.first));
        let refused: Vec<Problem> = hidden
            .map(|(file, _)| doubtful::in_hidden_text(file))
            .collect();
        problems.retain(|problem| is_own(problem.span.first));
        if has_own {
            claimed.retain(|lines| is_own(input.number(lines.start)));
        } else {
            problems.extend(refused);
        }
    }
}
