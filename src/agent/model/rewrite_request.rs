//! Some lines of a text, and what is to be done to them in a person's words.

use std::ops::Range;

use super::error::ModelError;
use super::service::Service;
use super::style::ServiceRequest;
use super::{answer, call};
use crate::agent::Cancel;
use crate::text::{Document, LineIdx, LineNo};

/// Lines around the chosen ones that are sent along.
const AROUND: usize = 200;

/// Some lines of a text, and what is to be done to them.
#[derive(Debug, Clone)]
pub struct Draft {
    request: ServiceRequest,
    /// The lines that are sent, and which of them are to change.
    section: Vec<String>,
    chosen: Range<usize>,
    /// The position of the first line that is sent.
    first: LineIdx,
}

impl Draft {
    /// Builds a request. Lines around the selection are sent along as far as half of `most_bytes` allows.
    ///
    /// # Errors
    ///
    /// [`ModelError::TooLarge`] if the lines alone have more bytes than that.
    pub fn new(
        path: &str,
        text: &Document,
        lines: Range<LineIdx>,
        instruction: &str,
        most_bytes: usize,
    ) -> Result<Self, ModelError> {
        let size = |idx: LineIdx| text.line(idx).len() + 1;
        let most = most_bytes / 2;
        let bytes: usize = lines.clone().map(size).sum();
        let Some(left) = most.checked_sub(bytes) else {
            return Err(ModelError::TooLarge { bytes, most });
        };
        let start = lines.start - fitting((0..lines.start).rev().map(size), left / 2);
        let end = lines.end + fitting((lines.end..text.len()).map(size), left / 2);
        let section: Vec<String> = (start..end).map(|idx| text.line(idx).to_owned()).collect();
        let chosen = lines.start - start..lines.end - start;
        let joined = |lines: &[String]| lines.join("\n") + "\n";
        let update = joined(&section[chosen.clone()]);
        let (from, to) = (chosen.start + 1, chosen.end);
        let instruction = format!(
            "{instruction}\nChange only lines {from} to {to} of the text, which are these:\n{update}"
        );
        Ok(Self {
            request: ServiceRequest {
                path: path.to_owned(),
                instruction,
                code: joined(&section),
                update,
            },
            section,
            chosen,
            first: start,
        })
    }

    /// Sends it, and gives the lines that come in the place of the chosen ones.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if there is no answer, or none that can be taken.
    pub fn run(&self, service: &Service, cancel: &Cancel) -> Result<Vec<String>, ModelError> {
        let answer = call::send(service, &self.request, cancel)?;
        let new = answer::lines(&answer);
        let old: Vec<&str> = self.section.iter().map(String::as_str).collect();
        answer::check_whole(&old, &new)?;
        let after = old.len() - self.chosen.end;
        let far = |idx: usize| ModelError::FarAway {
            line: LineNo::from_idx(self.first + idx).get(),
        };
        let above = old.iter().zip(&new).take_while(|(old, new)| old == new);
        let above = above.count();
        if above < self.chosen.start {
            return Err(far(above));
        }
        let below = old.iter().rev().zip(new.iter().rev());
        let below = below.take_while(|(old, new)| old == new).count();
        // The lines above the chosen ones and those below them must not overlap.
        if below < after || new.len() < self.chosen.start + after {
            return Err(far(old.len() - below.min(after) - 1));
        }
        let lines = &new[self.chosen.start..new.len() - after];
        if lines == &old[self.chosen.clone()] {
            return Err(ModelError::NoChange);
        }
        Ok(lines.iter().map(ToString::to_string).collect())
    }
}

/// Counts the lines around a selection, given by their sizes, that fit into `most` bytes.
fn fitting(sizes: impl Iterator<Item = usize>, most: usize) -> usize {
    let sums = sizes.take(AROUND).scan(0, |sum, size| {
        *sum += size;
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= most).count()
}
