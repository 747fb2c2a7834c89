//! Edits in the text of a call or a message: their lines are those of the value that holds the text.

use std::ops::Range;

use crate::dialect::input::{Input, ReadReason};
use crate::dialect::parsed::Parsed;
use crate::dialect::unsupported;
use crate::proposal::InputSpan;
use crate::text::LineIdx;

/// Reads the edits in a text of a message, each in the dialect in which it is written.
pub(super) fn reply(input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
    let inner = Input::new(text, input.path(), ReadReason::InTurn);
    let mut parsed = input.read_inner(inner);
    move_spans(&mut parsed, input.span(lines.clone()));
    parsed
}

/// Reads a text of a message in which no edit was found: a form that is refused by name, or code fences whose files are guessed.
pub(super) fn form(input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
    let inner = Input::new(text, input.path(), ReadReason::InTurn);
    let mut parsed = match unsupported::named(&inner) {
        Some(problem) => Parsed {
            problems: vec![problem],
            ..Parsed::default()
        },
        None => unsupported::guessed(&inner),
    };
    move_spans(&mut parsed, input.span(lines.clone()));
    parsed
}

/// Adds what another part of the input asks for.
pub(super) fn append(all: &mut Parsed, part: Parsed) {
    all.proposal.files.extend(part.proposal.files);
    all.problems.extend(part.problems);
}

/// Moves everything that was read in the text of a call or a message to the lines of the value that holds the text.
pub(super) fn move_spans(parsed: &mut Parsed, span: InputSpan) {
    for file in &mut parsed.proposal.files {
        file.span = span;
        for hunk in &mut file.hunks {
            hunk.span = span;
            hunk.guess = hunk.guess.map(|guess| guess.at(span.first));
        }
    }
    for problem in &mut parsed.problems {
        problem.found = format!(
            "{} on line {} of the call's text",
            problem.found, problem.line
        );
        (problem.line, problem.span) = (span.first, span);
    }
}
