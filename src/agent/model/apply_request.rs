//! One edit that has no place, and the text that it is for.

use std::ops::Range;
use std::sync::Arc;

use super::error::ModelError;
use super::service::Service;
use super::style::ServiceRequest;
use super::{answer, call};
use crate::agent::Cancel;
use crate::proposal::{Extent, Hunk, is_elision};
use crate::text::{Document, LineIdx};

/// Lines around the nearest place that are sent of a file that is too large.
const AROUND: usize = 200;

/// One edit that has no place, and the text that it is for.
#[derive(Debug, Clone)]
pub struct Errand {
    request: ServiceRequest,
    base: Arc<Document>,
    section: Range<LineIdx>,
    edit: Hunk,
}

impl Errand {
    /// Puts an errand together. Of a file of more than half of `most_bytes` only what is around `near` is sent.
    ///
    /// # Errors
    ///
    /// [`ModelError::TooLarge`] for such a file if nothing is known to be near; [`ModelError::NotNeeded`] for a hunk that
    /// states no text.
    pub fn new(
        path: &str,
        base: Arc<Document>,
        edit: &Hunk,
        near: Option<Range<LineIdx>>,
        most_bytes: usize,
    ) -> Result<Self, ModelError> {
        let states_text = matches!(edit.extent, Extent::Lines | Extent::Text | Extent::Sketch);
        if !states_text || edit.body.postimage.is_empty() && edit.body.preimage.is_empty() {
            return Err(ModelError::NotNeeded);
        }
        let section = match near {
            _ if base.text().len() <= most_bytes / 2 => 0..base.len(),
            Some(near) => near.start.saturating_sub(AROUND)..(near.end + AROUND).min(base.len()),
            None => {
                return Err(ModelError::TooLarge {
                    bytes: base.text().len(),
                    most: most_bytes / 2,
                });
            }
        };
        let mut code = String::new();
        for idx in section.clone() {
            code.push_str(base.line(idx));
            code.push('\n');
        }
        let (instruction, update) = description(path, edit);
        Ok(Self {
            request: ServiceRequest {
                path: path.to_owned(),
                instruction,
                code,
                update,
            },
            base,
            section,
            edit: edit.clone(),
        })
    }

    /// Sends the request, and returns the hunk of the answer.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if there is no answer, or none that can be taken.
    pub fn run(&self, service: &Service, cancel: &Cancel) -> Result<Hunk, ModelError> {
        let answer = call::send(service, &self.request, cancel)?;
        answer::hunk(&self.base, self.section.clone(), &self.edit, &answer)
    }
}

/// An edit in words, and as new lines between marks for what stays.
fn description(path: &str, edit: &Hunk) -> (String, String) {
    let text = |lines: &[String]| lines.join("\n") + "\n";
    let new = text(&edit.body.postimage);
    if edit.body.postimage.iter().any(|line| is_elision(line)) && edit.body.preimage.is_empty() {
        let instruction =
            "Put these lines where they belong; a comment with dots represents lines that stay.";
        return (instruction.to_owned(), new);
    }
    let mark = mark(path);
    let instruction = format!(
        "Change one place. It reads like this, though not to the letter:\n{}It is to read like this:\n{new}",
        text(&edit.body.preimage)
    );
    (instruction, format!("{mark}\n{new}{mark}\n"))
}

/// Returns the placeholder comment for unchanged lines in the language of a file.
fn mark(path: &str) -> &'static str {
    let ending = path.rsplit('.').next().unwrap_or_default();
    match ending {
        "py" | "rb" | "sh" | "toml" | "yaml" | "yml" | "pl" | "r" | "ex" | "exs" => {
            "# ... existing code ..."
        }
        "html" | "xml" | "md" | "vue" | "svelte" => "<!-- ... existing code ... -->",
        "css" => "/* ... existing code ... */",
        "sql" | "lua" | "hs" | "elm" => "-- ... existing code ...",
        _ => "// ... existing code ...",
    }
}
