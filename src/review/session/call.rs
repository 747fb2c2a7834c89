//! Calls: proposals that join a review which stays open, each from an agent that waits for its answer, and leave it.
//!
//! A file that has left keeps its position, empty, so that whatever is known by positions (steps to take back, the cursor,
//! colours) stays true.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::{FileContent, FileReview};
use super::hunk::{HunkId, HunkReview, LineMarks};
use super::request::{CallReview, Standing};
use super::review_session::ReviewSession;
use super::steps::Saved;
use crate::text::Document;

/// Conflicts that are forecast between pending proposals, in sentences, by call and file.
pub type Forecasts = BTreeMap<(u64, String), Vec<String>>;

impl FileReview {
    /// Returns true if it can be decided.
    pub fn is_open(&self) -> bool {
        self.standing == Standing::Open
    }

    /// Returns true if it belongs to this call.
    pub fn is_of(&self, call: u64) -> bool {
        self.call.as_ref().is_some_and(|own| own.number == call)
    }

    /// Lets it wait: it is shown as it fits the file now, and placed again before it can be decided.
    pub fn hold(&mut self) {
        self.standing = Standing::Held;
    }

    /// Takes everything out but its name and its call.
    fn empty(&mut self) {
        self.standing = Standing::Gone;
        self.base = Arc::new(Document::from_text(""));
        self.hunks.clear();
        self.content = FileContent::Text;
        self.rebuild();
    }
}

impl ReviewSession {
    /// Makes what was accepted of a call in advance one step to take back.
    pub(in crate::review) fn record_policy(&mut self, number: u64) {
        let mut saved = Vec::new();
        for file in self.positions(number).collect::<Vec<_>>() {
            for (hunk, review) in self.files[file].hunks.iter().enumerate() {
                if review.is_accepted_in_advance() {
                    let mut state = review.state.clone();
                    state.marks.fill(LineMarks::default());
                    state.in_advance = None;
                    saved.push(Saved::State {
                        id: HunkId { file, hunk },
                        state,
                    });
                }
            }
        }
        self.history.record(saved);
    }

    /// The call that a file came with, if it did with one.
    pub fn call_of(&mut self, file: usize) -> Option<&mut CallReview> {
        let call = self.files.get(file)?.call.as_ref()?.number;
        self.calls.iter_mut().find(|own| own.call.number == call)
    }

    /// Says that a call has its answer, or was taken back: nothing of it can be decided any more.
    pub fn retire(&mut self, call: u64, standing: Standing) {
        for at in self.positions(call).collect::<Vec<_>>() {
            self.files[at].standing = standing;
            self.forget_steps(at);
            if standing == Standing::Gone {
                self.files[at].empty();
            }
        }
        self.history.retain(
            |saved| !matches!(saved, Saved::BatchComment { call: of, .. } if *of == Some(call)),
        );
        self.calls.retain(|other| other.call.number != call);
        self.gather_problems();
    }

    /// Shows the conflicts that are forecast between pending proposals, by call and file, and no others. Returns whether any file
    /// has others than before.
    pub fn show_forecasts(&mut self, forecasts: &Forecasts) -> bool {
        let mut has_changed = false;
        for file in &mut self.files {
            let Some(call) = &file.call else {
                continue;
            };
            let own = forecasts.get(&(call.number, file.path.clone()));
            let own = own.map_or(&[][..], Vec::as_slice);
            if file.forecasts != own {
                file.forecasts = own.to_vec();
                has_changed = true;
            }
        }
        has_changed
    }

    /// Lets a file leave.
    pub fn drop_file(&mut self, file: usize) {
        if let Some(review) = self.files.get_mut(file) {
            review.empty();
            self.forget_steps(file);
        }
    }

    /// The session of one call alone: with its files, what is said of it, and what could not be read.
    #[must_use]
    pub fn of_call(&self, call: u64) -> Self {
        let known = self.calls.iter().find(|own| own.call.number == call);
        let known = known.cloned();
        let files = self.positions(call).map(|at| self.files[at].clone());
        Self {
            files: files.collect(),
            intent: known
                .as_ref()
                .map(|own| own.call.intent.clone())
                .unwrap_or_default(),
            problems: known
                .as_ref()
                .map(|own| own.problems.clone())
                .unwrap_or_default(),
            placing: known.as_ref().map_or(0, |own| own.placing),
            counts_seen: self.counts_seen,
            comment: known.and_then(|own| own.comment),
            ..Self::default()
        }
    }

    /// Returns true if everything in a call that can be decided is, nothing in it is held, and no apply model is asked about it.
    pub fn is_decided(&self, call: u64) -> bool {
        let asked = |own: &CallReview| own.asked && own.call.number == call;
        if self.calls.iter().any(asked) {
            return false;
        }
        let decided =
            |file: &FileReview| file.is_open() && file.hunks.iter().all(HunkReview::is_decided);
        // What was accepted in advance alone waits for a word of the person, who could not change it otherwise.
        let mut in_advance = (self.positions(call))
            .flat_map(|at| &self.files[at].hunks)
            .filter(|hunk| hunk.is_decidable())
            .map(HunkReview::is_accepted_in_advance)
            .peekable();
        let is_in_advance_alone = in_advance.peek().is_some() && in_advance.all(|by| by);
        !is_in_advance_alone && self.positions(call).all(|at| decided(&self.files[at]))
    }

    /// Returns the comment on the call of a file, or on the whole batch if it has none.
    pub fn said_of_batch(&self, file: Option<usize>) -> Option<&str> {
        let of_call = file
            .and_then(|file| self.files.get(file)?.call.as_ref())
            .and_then(|call| self.calls.iter().find(|own| own.call == *call));
        of_call.map_or(&self.comment, |own| &own.comment).as_deref()
    }

    /// The files of a call that have not left.
    pub(in crate::review) fn positions(&self, call: u64) -> impl Iterator<Item = usize> {
        let files = self.files.iter().enumerate();
        files
            .filter(move |(_, file)| file.is_of(call) && file.standing != Standing::Gone)
            .map(|(at, _)| at)
    }

    fn forget_steps(&mut self, file: usize) {
        self.history.retain(|saved| saved.file() != Some(file));
    }

    pub(in crate::review) fn gather_problems(&mut self) {
        let problems = self.calls.iter().flat_map(|own| own.problems.clone());
        self.problems = problems.collect();
    }
}

impl HunkId {
    /// Returns true if its file is open.
    pub(in crate::review) fn is_open(self, session: &ReviewSession) -> bool {
        session
            .files
            .get(self.file)
            .is_some_and(FileReview::is_open)
    }
}
