//! A proposal and its files, from reading to writing: what all commands that work on edits share.

use std::iter;
use std::sync::Arc;

use crate::agent::git::Ancestors;
use crate::app::input::{InputIdentity, ParsedInput};
use crate::app::older_versions::OlderVersions;
use crate::app::policy::Policy;
use crate::app::rejections::{self, EarlierReviews};
use crate::app::snapshots::Snapshots;
use crate::app::source::Preparation;
use crate::app::source::ReviewSource;
use crate::app::strip_level::{strip, strip_by_files};
use crate::app::{
    absent_deletions, apply, intake, link_targets, missing_files, moved_hunks, threads,
};
use crate::config::Config;
use crate::locate::Tolerance;
use crate::proposal::{FileChange, Hunk, Problem, Reading};
use crate::review::{Intake, ReviewSession, Writing, intake_from, outline};
use crate::store::{ContentHash, Root};

/// More files or lines than this are placed beside the review.
const MOST_FILES: usize = 48;
const MOST_LINES: usize = 16_000;
/// Changed lines that fill any screen.
const ONE_SCREEN: usize = 200;

/// A proposal, and its files as they were last read.
pub(crate) struct Batch {
    /// The settings that hold here.
    pub(crate) config: Config,
    root: Root,
    intent: String,
    changes: Vec<Arc<FileChange>>,
    problems: Vec<Problem>,
    readings: Vec<Reading>,
    known: InputIdentity,
    tolerance: Tolerance,
    ancestors: Ancestors,
    /// The session of the agent that made the edits.
    session: Option<String>,
    placings: Snapshots,
    /// The rules that decide in advance; none where no person follows them.
    policy: Policy,
    /// True if a person follows the review.
    is_followed: bool,
    /// Remarks on names that are read otherwise than they are written.
    pub(crate) remarks: Vec<String>,
}

impl Batch {
    /// A batch of edits for a root. Names in diffs lose the leading folders that no file has, where the files show which
    /// these are.
    pub(crate) fn new(root: Root, config: Config, input: ParsedInput) -> Self {
        let mut batch = Self::unread(root, config, input);
        let (remarks, problems) = strip_by_files(&batch.root, &mut batch.changes);
        batch.remarks = remarks;
        batch.problems.extend(problems);
        batch
    }

    /// The same where the number of leading folders to remove is given.
    pub(crate) fn stripped(root: Root, config: Config, input: ParsedInput, count: usize) -> Self {
        let mut batch = Self::unread(root, config, input);
        let problems = strip(&mut batch.changes, count);
        batch.problems.extend(problems);
        batch
    }

    /// The same as made by a session of an agent, of which it may be known what it has read.
    pub(crate) fn of_session(mut self, session: Option<String>) -> Self {
        self.session = session;
        self
    }

    /// Sets the similarity that a reworded place must have, from 0 to 1.
    pub(crate) fn set_similarity(&mut self, precision: f64) {
        self.tolerance = Tolerance { precision };
    }

    /// Has the rules and the earlier approvals of the person decide in advance, for a review in which the person can change that.
    pub(crate) fn for_a_person(mut self) -> Self {
        self.is_followed = true;
        self.policy = Policy::new(&self.config.settings, self.root.path());
        self
    }

    fn unread(root: Root, config: Config, input: ParsedInput) -> Self {
        let ParsedInput { parsed, known } = input;
        Self {
            ancestors: Ancestors::of(root.path()),
            session: None,
            tolerance: Tolerance {
                precision: config.settings.place.precision.0,
            },
            config,
            root,
            intent: parsed.proposal.intent,
            changes: parsed.proposal.files.into_iter().map(Arc::new).collect(),
            problems: parsed.problems,
            readings: parsed.readings,
            known,
            placings: Snapshots::default(),
            policy: Policy::default(),
            is_followed: false,
            remarks: Vec::new(),
        }
    }

    /// True if placing takes so long that an outline should be shown first.
    fn is_slow(&self) -> bool {
        let lines = |hunk: &Hunk| hunk.body.preimage.len() + hunk.body.postimage.len();
        let hunks = self.changes.iter().flat_map(|change| &change.hunks);
        self.changes.len() > MOST_FILES
            || hunks.map(lines).sum::<usize>() > MOST_LINES
            || self.runs_a_command()
    }

    fn runs_a_command(&self) -> bool {
        let names = self.changes.iter().map(|change| change.path.first());
        self.policy.runs_for(names)
    }

    /// Returns what can be shown while a slow batch is placed: all names and numbers, and the first files, placed, up to one that has
    /// many lines itself. `None` if the batch is quickly placed, or if the first screen is all of it.
    pub(crate) fn outline(&self) -> Option<ReviewSession> {
        if !self.is_slow() {
            return None;
        }
        let (intent, problems) = (self.intent.clone(), self.problems.clone());
        let mut session = outline(intent, problems, &self.changes);
        let mut lines = 0;
        let in_sight = session.files.iter().position(|file| {
            lines += file.outline().map_or(0, |of| of.added + of.removed);
            lines > ONE_SCREEN
        });
        let in_sight = in_sight.map_or(session.files.len(), |last| last + 1);
        let quick = session.files.iter().take(in_sight).filter(|file| {
            let lines = file.outline().map_or(0, |of| of.added + of.removed);
            lines <= MOST_LINES && !self.policy.runs_for(iter::once(file.path.as_str()))
        });
        let names: Vec<String> = quick.map(|file| file.path.clone()).collect();
        let changes = self.changes.iter();
        let parts: Vec<Arc<FileChange>> = changes
            .filter(|change| names.iter().any(|name| name == change.path.first()))
            .cloned()
            .collect();
        let mut placings = Snapshots::default();
        placings.begin();
        let files = intake::take_in(&self.root, &mut placings, &parts);
        let earlier = EarlierReviews::read(&self.root);
        let placed = self.intake(&earlier, String::new(), Vec::new(), files);
        // Names that were settled otherwise than they seemed to be stay outlines.
        let outlines = session.files.iter_mut();
        let outlines = outlines.filter(|outline| names.contains(&outline.path));
        for (outline, placed) in outlines.zip(placed.files) {
            if outline.path == placed.path {
                *outline = placed;
            }
        }
        (session.unread() > 0).then_some(session)
    }

    fn intake(
        &self,
        earlier: &EarlierReviews,
        intent: String,
        problems: Vec<Problem>,
        files: Vec<Intake>,
    ) -> ReviewSession {
        let session = self.session.as_deref();
        let versions = OlderVersions::of(&self.root, session, &self.ancestors, &self.placings);
        let mut session = intake_from(intent, problems, files, self.tolerance, &versions);
        earlier.mark(&mut session);
        link_targets::mark(&self.root, &mut session);
        threads::mark(&self.root, &mut session);
        rejections::reject_again(&self.config.settings, &mut session);
        session
    }

    /// Reads the files as they are now, and places every hunk in them; no rule decides.
    fn place_only(&mut self, earlier: &EarlierReviews) -> ReviewSession {
        let placing = self.placings.begin();
        let mut files = intake::take_in(&self.root, &mut self.placings, &self.changes);
        absent_deletions::refuse(&self.root, &self.placings, &mut files);
        let (intent, problems) = (self.intent.clone(), self.problems.clone());
        let mut session = self.intake(earlier, intent, problems, files);
        let changes = self.changes.iter().map(AsRef::as_ref);
        missing_files::suggest(&self.root, changes, &mut session);
        moved_hunks::mark(&self.root, &mut session);
        session.placing = placing;
        session.readings.clone_from(&self.readings);
        session
    }
}

impl ReviewSource for Batch {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        self.known.hash()
    }

    fn intent(&self) -> String {
        self.intent.clone()
    }

    fn rehearse(&self, session: &ReviewSession) -> Writing {
        match self.placings.of(session) {
            Ok(files) => apply::rehearse(&self.root, files, session),
            Err(unwritten) => unwritten,
        }
    }

    fn records_rejections(&self) -> bool {
        true
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn precision(&self) -> Option<u8> {
        Some(hundredths(self.tolerance.precision))
    }

    fn set_precision(&mut self, percent: u8) {
        let precision = f64::from(percent) / 100.0;
        self.tolerance = Tolerance { precision };
    }

    fn preparation(&mut self) -> Option<Preparation> {
        if !self.runs_a_command() {
            return None;
        }
        let session = self.place_only(&EarlierReviews::read(&self.root));
        self.policy.preparation(&session)
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let earlier = EarlierReviews::read(&self.root);
        let mut session = self.place_only(&earlier);
        if self.is_followed {
            earlier.accept_again(&self.root, self.hash(), &mut session);
        }
        self.policy.decide(&self.placings, &mut session);
        Ok(session)
    }

    /// Writes what is accepted in the files as they were when the session was placed in them, all of it or nothing.
    fn write(&mut self, session: &ReviewSession) -> Writing {
        if let Some(refused) = self.policy.refused(session) {
            return refused;
        }
        match self.placings.of(session) {
            Ok(files) => apply::write(&self.root, files, session),
            Err(unwritten) => unwritten,
        }
    }
}

/// A precision from 0 to 1 in hundredths, to the nearest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 100"
)]
fn hundredths(precision: f64) -> u8 {
    (precision * 100.0).round().clamp(0.0, 100.0) as u8
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::app::input;
    use crate::dialect::Options;

    #[test]
    fn a_first_screen_does_not_wait_for_a_file_of_many_lines() {
        let place = tempfile::tempdir().unwrap();
        let diff = [("a", 1), ("b", MOST_LINES)].map(|(name, count)| {
            let [old, removed, added] =
                ["old", "-old", "+new"].map(|line| format!("{line}\n").repeat(count));
            fs::write(place.path().join(name), old).unwrap();
            format!("--- a/{name}\n+++ b/{name}\n@@ -1,{count} +1,{count} @@\n{removed}{added}")
        });
        let root = Root::open(place.path()).unwrap();
        let input = input::parse(vec![diff.concat()], &Options::default()).unwrap();
        let batch = Batch::new(root, Config::default(), input);
        let session = batch.outline().unwrap();
        let outlined = session.files.iter().map(|file| file.outline().is_some());
        assert_eq!(outlined.collect::<Vec<_>>(), [false, true]);
    }
}
