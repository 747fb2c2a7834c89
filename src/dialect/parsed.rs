//! Result of reading an input.

use crate::proposal::{MOST_PATH_BYTES, PathClaim, Problem, Proposal, Reading};
use crate::text::raw_bytes;

/// The most lines that a problem quotes.
const MOST_QUOTED: usize = 400;

/// Result of reading an input: the good part survives the bad.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// All edits that are whole.
    pub proposal: Proposal,
    /// Parts that look like an edit but cannot be read as one, in the order of the input.
    pub problems: Vec<Problem>,
    /// The dialects that were recognised, in the order of the input.
    pub readings: Vec<Reading>,
}

impl Parsed {
    /// Returns `true` if nothing in the input looks like an edit.
    pub fn is_empty(&self) -> bool {
        self.proposal.files.is_empty() && self.problems.is_empty()
    }

    /// Takes the edits out whose file has a name that is too long, so that no other code meets one.
    pub(super) fn refuse_long_names(&mut self) {
        let files = std::mem::take(&mut self.proposal.files);
        for change in files {
            let excess = change.names().find_map(PathClaim::excess_length);
            match excess {
                None => self.proposal.files.push(change),
                Some(length) => self.problems.push(Problem {
                    line: change.span.first,
                    span: change.span,
                    dialect: change.dialect,
                    path: None,
                    found: format!("a file name of {length} bytes"),
                    expected: format!("a name of at most {MOST_PATH_BYTES} bytes"),
                    text: Vec::new(),
                }),
            }
        }
        self.problems.sort_by_key(|problem| problem.line);
    }

    /// Gives every problem the lines of the input that are lost by it.
    pub(super) fn quote_problems(&mut self, input: &str) {
        if self.problems.is_empty() {
            return;
        }
        let lines: Vec<&str> = input.lines().collect();
        for problem in &mut self.problems {
            let first = problem.span.first.idx().min(lines.len());
            let last = problem.span.last.get().clamp(first, lines.len());
            let quoted = lines[first..last].iter().take(MOST_QUOTED);
            problem.text = quoted.map(|line| (*line).to_owned()).collect();
        }
    }

    /// Gives what is for people its characters, where it holds bytes that are not UTF-8.
    pub(super) fn make_readable(&mut self) {
        let words = self.problems.iter_mut();
        let words = words.flat_map(|problem| {
            let phrases = [&mut problem.found, &mut problem.expected];
            phrases.into_iter().chain(&mut problem.text)
        });
        let evidence = self
            .readings
            .iter_mut()
            .map(|reading| &mut reading.evidence);
        for text in words.chain([&mut self.proposal.intent]).chain(evidence) {
            if raw_bytes::is_raw(text) {
                *text = raw_bytes::readable(text).into_owned();
            }
        }
    }
}
