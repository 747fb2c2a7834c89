//! Texts that were typed into a box for a comment, a question or a reply, and neither sent nor emptied.

use super::mode::{PromptPurpose, TextPurpose};
use crate::review::ReviewSession;
use crate::text::plural;

/// Texts that were left in their boxes.
#[derive(Debug, Default)]
pub struct Drafts {
    all: Vec<PromptDraft>,
}

/// A text that was left in its box.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PromptDraft {
    of: DraftKey,
    text: String,
}

/// The purpose of a box and the name of the file that it is about: the position of a file can change while a review is open.
#[derive(Debug, PartialEq, Eq)]
struct DraftKey {
    purpose: PromptPurpose,
    path: Option<String>,
}

impl Drafts {
    /// Keeps the text of a box, in place of an earlier one for the same purpose.
    pub(crate) fn keep(&mut self, session: &ReviewSession, purpose: &PromptPurpose, text: String) {
        self.forget(session, purpose);
        let of = DraftKey::new(session, purpose);
        self.all.push(PromptDraft { of, text });
    }

    /// Returns the text that was left in the box of a purpose.
    pub(crate) fn get(&self, session: &ReviewSession, purpose: &PromptPurpose) -> Option<&str> {
        let of = DraftKey::new(session, purpose);
        let found = self.all.iter().find(|draft| draft.of == of);
        found.map(|draft| draft.text.as_str())
    }

    /// Forgets the text that was left in the box of a purpose.
    pub(crate) fn forget(&mut self, session: &ReviewSession, purpose: &PromptPurpose) {
        let of = DraftKey::new(session, purpose);
        self.all.retain(|draft| draft.of != of);
    }

    /// Takes a text back that could not be sent. One that was left in the same box since follows it.
    pub(crate) fn restore(&mut self, draft: PromptDraft) {
        match self.all.iter_mut().find(|known| known.of == draft.of) {
            Some(known) => known.text = format!("{}\n{}", draft.text, known.text),
            None => self.all.push(draft),
        }
    }

    /// Returns the texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(PromptDraft::text)
    }

    /// Counts the texts that were left, in words for the end of a review.
    pub(crate) fn words(&self) -> Option<String> {
        let count = self.all.len();
        (count > 0).then(|| format!("{} not sent", plural(count, "draft")))
    }
}

impl PromptDraft {
    /// The text of a box.
    pub(crate) fn new(session: &ReviewSession, purpose: TextPurpose, text: String) -> Self {
        let of = DraftKey::new(session, &PromptPurpose::Text(purpose));
        Self { of, text }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl DraftKey {
    fn new(session: &ReviewSession, purpose: &PromptPurpose) -> Self {
        let file = match purpose {
            PromptPurpose::Text(
                TextPurpose::Comment(file, _)
                | TextPurpose::CommentFile(file)
                | TextPurpose::Ask(file, _),
            )
            | PromptPurpose::Draft { file, .. } => Some(*file),
            PromptPurpose::Text(TextPurpose::CommentBatch(file)) => *file,
            PromptPurpose::Text(TextPurpose::Reply(_))
            | PromptPurpose::Search { .. }
            | PromptPurpose::SearchReader
            | PromptPurpose::SearchEdit { .. }
            | PromptPurpose::Filter
            | PromptPurpose::HelpFilter
            | PromptPurpose::Palette { .. } => None,
        };
        let file = file.and_then(|file| session.files.get(file));
        Self {
            purpose: purpose.clone(),
            path: file.map(|file| file.path.clone()),
        }
    }
}
