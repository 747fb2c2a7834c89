//! The decisions of a review as JSON, to be saved and restored.
//!
//! The form is readable: every file, every hunk of it that is not as it was proposed, with its decision, edits and
//! comments. A hunk is identified by its content, not by its line number: the lines that it replaces and the lines
//! that it makes of them. So its decision is restored when lines above it were added or removed, and when another
//! proposal has the very same hunk; it is not restored if a single one of those lines has changed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::proposal::Body;
use crate::review::rejections::ApprovedFile;
use crate::review::session::decision::Decision;
use crate::review::session::hunk::Side;

/// The version of the form of decisions.
pub(in crate::review) const SCHEMA: u32 = 1;

/// The decisions of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// The version of this form: 1.
    pub schema: u32,
    /// The comment on the whole batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The files of which anything is decided or said.
    pub files: Vec<FileDecisions>,
}

/// The decisions about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDecisions {
    /// Its name, relative to the root.
    pub path: String,
    /// The SHA-256 of its bytes when it was reviewed; `None` if it was not there, or if the decisions are kept for the same machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The comment on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The comments on its unchanged lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<PassageDecision>,
    /// Those of its hunks that are not as they were proposed.
    pub hunks: Vec<HunkDecisions>,
    /// The accepted changes, for reviews of other edits that change the same; absent in a file that the person named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<ApprovedFile>,
}

/// A comment on unchanged lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageDecision {
    /// The lines and their neighbours.
    pub place: PlaceDecision,
    /// The text of the comment.
    pub text: String,
}

/// The decisions about a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkDecisions {
    /// Its number among the hunks of the file, as they were proposed, from 1.
    pub hunk: usize,
    /// The line number of the hunk when it was saved, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its identity: the SHA-256 of the lines that it replaces and of the lines that it makes of them. `None` if it has no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The decision, if there is one for the whole hunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// True if `lines` differ from the agent's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Its changed lines, if they were edited or are not all decided alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineDecisions>>,
    /// The edit as a whole, with the unchanged lines in it. If the file has changed since, it is shown and can be placed by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<EditDecision>,
    /// The comment on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The comments on some of its lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<LineCommentDecision>,
    /// The place chosen by a person or by the apply model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceDecision>,
    /// If it was split off of another: the position of its first line among the changed lines that were proposed, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<usize>,
    /// The hunks that were split off of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<HunkDecisions>,
}

/// An edit of a hunk by the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditDecision {
    /// The lines of the file that it was made for.
    pub from: Vec<String>,
    /// The lines that it makes of them.
    pub to: Vec<String>,
}

/// A comment on some changed lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCommentDecision {
    /// The position of the first of them among the changed lines of the hunk, from 0.
    pub first: usize,
    /// The position of the last.
    pub last: usize,
    /// The side that is meant.
    pub side: Side,
    /// The text of the comment.
    pub text: String,
}

/// Lines of a file: where a person placed a hunk, or the apply model did, or what a comment is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceDecision {
    /// The line of the file where they begin, from 1.
    pub line: usize,
    /// The lines.
    pub lines: Vec<String>,
    /// The line above them; none at the start of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<String>,
    /// The line below them; none at the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
    /// The lines of the apply model, if it wrote them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<Vec<String>>,
}

/// The decisions about a changed line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineDecisions {
    /// Its position, counted from the first line of the hunk.
    pub at: isize,
    /// The line that goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removes: Option<String>,
    /// The line that comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<String>,
    /// The decision about the removal, unless the hunk has one decision.
    #[serde(default, skip_serializing_if = "is_open")]
    pub removed: Decision,
    /// The decision about the addition, unless the hunk has one decision.
    #[serde(default, skip_serializing_if = "is_open")]
    pub added: Decision,
}

/// Why a text holds no decisions.
#[derive(Debug, Error)]
pub enum NotDecisions {
    /// It is not of this form.
    #[error("this is not a file of decisions: {0}")]
    Form(#[from] serde_json::Error),
    /// It is of a later form.
    #[error("these decisions have version {0}, and this countersign reads version {SCHEMA}")]
    Schema(u32),
}

impl Decisions {
    /// Reads decisions.
    ///
    /// # Errors
    ///
    /// [`NotDecisions`] if the text holds none.
    pub fn from_json(text: &[u8]) -> Result<Self, NotDecisions> {
        /// The part of the form that never changes.
        #[derive(Deserialize)]
        struct Form {
            schema: u32,
        }
        match serde_json::from_slice(text)? {
            Form { schema: SCHEMA } => Ok(serde_json::from_slice(text)?),
            Form { schema } => Err(NotDecisions::Schema(schema)),
        }
    }

    /// Writes them for people and programs.
    pub fn to_json(&self) -> Vec<u8> {
        // Texts and numbers only: there is nothing in it that JSON could not say.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Returns true if nothing was decided, edited or commented on.
    pub fn is_empty(&self) -> bool {
        self.comment.is_none() && self.files.is_empty()
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it over like this"
)]
fn is_open(decision: &Decision) -> bool {
    *decision == Decision::Undecided
}

impl HunkDecisions {
    /// Returns true if the lines of it or of one of its parts differ from the agent's.
    pub(in crate::review) fn is_edited(&self) -> bool {
        self.edited || self.parts.iter().any(Self::is_edited)
    }

    /// Returns the edit as the lines that it expects and those that it makes of them.
    pub(in crate::review) fn edit_body(&self) -> Option<Arc<Body>> {
        self.edit.as_ref().map(|EditDecision { from, to }| {
            Arc::new(Body {
                preimage: from.clone(),
                postimage: to.clone(),
            })
        })
    }

    /// Returns true if any of its lines is accepted.
    pub(in crate::review) fn accepts(&self) -> bool {
        let accepted = |decision| decision == Decision::Accepted;
        let lines = self.lines.as_deref().unwrap_or_default();
        self.decision.is_some_and(accepted)
            || lines
                .iter()
                .any(|line| accepted(line.removed) || accepted(line.added))
            || self.parts.iter().any(Self::accepts)
    }
}
