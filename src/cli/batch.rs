//! A proposal and its files, from reading to writing: what all commands that work on edits share.

use std::sync::Arc;

use super::ancestor::Ancestors;
use super::args::EditArgs;
use super::input::{self, Input};
use super::placing::Placings;
use super::source::Source;
use super::{recovery, settings, taking, writing};
use crate::config::Settings;
use crate::locate::Tolerance;
use crate::proposal::{Blobs, FileChange, Problem};
use crate::review::{ReviewSession, Writing, intake_from};
use crate::store::{ContentHash, Root};

/// A proposal, and its files as they were last read.
pub(super) struct Batch {
    /// The settings that hold here.
    pub(super) settings: Settings,
    root: Root,
    intent: String,
    changes: Vec<Arc<FileChange>>,
    problems: Vec<Problem>,
    /// What the edits are known by.
    hash: ContentHash,
    tolerance: Tolerance,
    ancestors: Ancestors,
    placings: Placings,
}

/// Finishes or takes back what an interrupted run left, and reads the edits.
pub(super) fn open(args: &EditArgs) -> anyhow::Result<Batch> {
    let root = Root::open(&args.root)?;
    let settings = settings::load(&args.settings, &args.root)?.settings;
    let guard = &settings.guard;
    let root = root.guarding(&guard.protected.0, &guard.ignore_files.0);
    recovery::run(&root)?;
    let Input { parsed, hash } = input::read(args)?;
    let tolerance = Tolerance {
        precision: args.precision.unwrap_or(settings.place.precision.0),
    };
    Ok(Batch {
        ancestors: Ancestors::of(root.path()),
        settings,
        root,
        intent: parsed.proposal.intent,
        changes: parsed.proposal.files.into_iter().map(Arc::new).collect(),
        problems: parsed.problems,
        hash,
        tolerance,
        placings: Placings::default(),
    })
}

impl Batch {
    /// Says what writing would come to; writes nothing.
    pub(super) fn rehearse(&self, session: &ReviewSession) -> Writing {
        match self.placings.of(session) {
            Ok(files) => writing::rehearse(files, session),
            Err(unwritten) => unwritten,
        }
    }
}

impl Source for Batch {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        self.hash
    }

    fn placings(&self) -> &Placings {
        &self.placings
    }

    /// Reads the files as they are now, and places every hunk in them.
    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let placing = self.placings.begin();
        let files = taking::take_in(&self.root, &mut self.placings, &self.changes);
        let (intent, problems) = (self.intent.clone(), self.problems.clone());
        let ancestors = |blobs: &Blobs| self.ancestors.text(blobs);
        let mut session = intake_from(intent, problems, files, self.tolerance, &ancestors);
        session.placing = placing;
        Ok(session)
    }

    /// Writes what is accepted in the files as they were when the session was placed in them, all of it or nothing.
    fn write(&mut self, session: &ReviewSession) -> Writing {
        match self.placings.of(session) {
            Ok(files) => writing::write(&self.root, files, session),
            Err(unwritten) => unwritten,
        }
    }
}
