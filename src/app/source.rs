//! Sources of reviews: edits that are to be written, or a difference that is on disk already.

use std::sync::atomic::AtomicBool;

use crate::app::check_tree::CheckTree;
use crate::app::snapshots::Snapshots;
use crate::review::{ReviewSession, Writing};
use crate::store::{ContentHash, Lock, LockError, Root, SavedReview, Snapshot, StateError, Watch};
use crate::ui::Placed;

/// Work before the first placing that may take a while, until it is done or stopped.
pub(crate) type Preparation = Box<dyn FnOnce(&AtomicBool) + Send>;

/// Takes the lock of the one reviewer of a root. That there is no place for a lock stops nobody.
///
/// # Errors
///
/// [`LockError::Held`] if another reviewer has it.
pub(crate) fn only_reviewer(root: &Root) -> Result<Option<Lock>, LockError> {
    match root.lock() {
        Ok(lock) => Ok(Some(lock)),
        Err(held @ LockError::Held { .. }) => Err(held),
        Err(LockError::State(_) | LockError::Unusable { .. }) => Ok(None),
    }
}

/// Source of a review. It makes the session as often as files change, and writes what was decided.
pub(crate) trait ReviewSource {
    /// The folder that is written in.
    fn root(&self) -> &Root;

    /// Returns the hash by which reviews are saved: equal for equal edits.
    fn hash(&self) -> ContentHash;

    /// Returns the intent, for people.
    fn intent(&self) -> String {
        String::new()
    }

    /// Returns true if what is rejected is recorded, and recognised when it is proposed again.
    fn records_rejections(&self) -> bool {
        false
    }

    /// Says what writing would come to; writes nothing.
    fn rehearse(&self, _session: &ReviewSession) -> Writing {
        Writing::Rehearsed
    }

    /// The files as they were read for each placing.
    fn placings(&self) -> &Snapshots;

    /// Returns what has to be done before placing, if rules of the person run a command.
    fn preparation(&mut self) -> Option<Preparation> {
        None
    }

    /// Reads the files as they are now, and makes a session of them in which nothing is decided.
    fn place(&mut self) -> anyhow::Result<ReviewSession>;

    /// Writes what was decided in the files as they were when the session was made, all of it or nothing.
    fn write(&mut self, session: &ReviewSession) -> Writing;

    /// Does what has to follow when the decisions were carried out, such as resetting a layer. `waits` says that the agent gets
    /// the verdict anyway. Returns a remark for the person.
    fn conclude(
        &mut self,
        _session: &ReviewSession,
        _writing: &Writing,
        _waits: bool,
    ) -> anyhow::Result<Option<String>> {
        Ok(None)
    }

    /// Returns the files that a check command runs on: a copy of the root, unless they are elsewhere. Valid until the files
    /// are placed again.
    fn check_tree(&self) -> CheckTree {
        CheckTree::Tree(self.root().path().to_owned())
    }

    /// A new session if a file is another than when it was read last.
    fn place_anew(&mut self) -> Option<Placed> {
        let session = self.place().ok()?;
        let changed = self.placings().changed();
        (!changed.is_empty()).then_some(Placed {
            session,
            changed,
            precision: None,
            notice: None,
        })
    }

    /// Returns the similarity that a reworded place must have, in hundredths, if anything is placed by it.
    fn precision(&self) -> Option<u8> {
        None
    }

    /// Has everything placed with another precision from now on, in hundredths.
    fn set_precision(&mut self, _percent: u8) {}

    /// Tells when a file that was read may be another.
    fn watch(&self, changed: Box<dyn FnMut() + Send>) -> Watch {
        let files: Vec<&Snapshot> = self.placings().latest().collect();
        self.root().watch(files, changed)
    }

    /// Takes the lock of the one reviewer. That there is no place for a lock stops nobody.
    fn lock(&self) -> Result<Option<Lock>, LockError> {
        only_reviewer(self.root())
    }

    /// Returns the saved decisions of this review, and those of all others of this root.
    fn saved_reviews(&self) -> Result<(SavedReview, Vec<SavedReview>), StateError> {
        let own = self.root().saved_review(self.hash())?;
        let all = self.root().all_saved_reviews()?.into_iter();
        let others = all
            .map(|(_, review)| review)
            .filter(|review| *review != own);
        let others = others.collect();
        Ok((own, others))
    }
}
