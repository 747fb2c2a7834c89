//! A pending proposal: its edits, its files, and the decisions so far.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use super::forecast::TouchedFile;
use crate::agent::git::{DiffSides, Repository, SideIndex};
use crate::agent::{Submission, TreeBefore, WriteMode};
use crate::app::batch::Batch;
use crate::app::difference::GitDifference;
use crate::app::input::{self, ParsedInput};
use crate::app::source::ReviewSource;
use crate::app::threads;
use crate::app::worktree_changes::WorkTree;
use crate::cli::edit_args::parse_format;
use crate::cli::run::LayerChanges;
use crate::config::Config;
use crate::dialect::Options;
use crate::proposal::RepoPath;
use crate::review::{Call, CallReview, Decisions, FileKind, FileReview, ReviewSession};
use crate::store::{ReadingAgent, Root, SavedReview, StateError};

/// Heading for changes that are in the tree already.
const STANDS: &str =
    "These changes are in the files already, made without a review: what you reject is reverted.";

/// A pending proposal.
pub(super) struct PendingRequest {
    /// The agent's call.
    pub(super) call: Arc<Call>,
    pub(super) mode: WriteMode,
    /// True if a part of it may be approved.
    pub(super) partial: bool,
    /// True if these are the changes in a layer of `countersign run`.
    pub(super) is_of_layer: bool,
    /// The ticket of an agent that runs in that layer and waits for its review.
    pub(super) waiting: Option<u64>,
    /// The proposed edits.
    pub(super) source: Box<dyn ReviewSource + Send>,
    /// Warnings about replies in its prose that no thread has taken.
    pub(super) refused_replies: Vec<String>,
    /// Storage for its decisions.
    pub(super) kept: Option<SavedReview>,
    /// Decisions on the same edits from an earlier run, until no file is held.
    pub(super) remembered: Option<Decisions>,
    /// The files that it touches.
    pub(super) files: BTreeSet<RepoPath>,
    /// Those for which an earlier proposal comes first.
    pub(super) held: BTreeSet<RepoPath>,
    /// The lines of those that it changes.
    pub(super) touched: Vec<TouchedFile>,
    /// The number of its latest placement.
    pub(super) placing: u64,
    /// The final decisions, and when they are carried out.
    pub(super) decided: Option<(Instant, ReviewSession)>,
    /// The time of its arrival.
    pub(super) arrived: Instant,
}

impl PendingRequest {
    /// Reads a proposal.
    ///
    /// # Errors
    ///
    /// If there is no edit in it, or its root cannot be opened any more.
    pub(super) fn new(
        number: u64,
        mut submission: Submission,
        root: &Root,
        config: &Config,
    ) -> anyhow::Result<Self> {
        let root = root.anew()?;
        let source: Box<dyn ReviewSource + Send> =
            match (submission.since.take(), &submission.layer) {
                (_, Some(id)) => Box::new(changes_of(root, id)?),
                (Some(since), None) => Box::new(standing(root, since)?),
                (None, None) => Box::new(batch(root, config, &mut submission)?),
            };
        let said = [submission.origin, Some(source.intent())];
        let said: Vec<String> = said
            .into_iter()
            .flatten()
            .filter(|s| !s.is_empty())
            .collect();
        let agent: String = (submission.agent.chars())
            .filter(|c| !c.is_control())
            .take(40)
            .collect();
        let kept = source.root().saved_review(source.hash()).ok();
        let intent = said.join("\n");
        let refused_replies = threads::take_replies(source.root(), &agent, &intent).refused;
        Ok(Self {
            call: Arc::new(Call {
                number,
                agent,
                proposal: submission.id,
                answers: submission.answers,
                intent,
            }),
            mode: submission.mode,
            partial: submission.partial,
            is_of_layer: submission.layer.is_some(),
            waiting: None,
            source,
            refused_replies,
            remembered: kept.as_ref().and_then(remembered),
            kept,
            files: BTreeSet::new(),
            held: BTreeSet::new(),
            touched: Vec::new(),
            placing: 0,
            decided: None,
            arrived: Instant::now(),
        })
    }

    /// Prepares a placed proposal for the review; files for which an earlier proposal waits are held.
    pub(super) fn add_to_review(
        &mut self,
        session: &mut ReviewSession,
        taken: &BTreeSet<RepoPath>,
    ) -> CallReview {
        let files = self.source.placings().latest();
        self.files = files.map(|file| file.target.clone()).collect();
        self.held = self.files.intersection(taken).cloned().collect();
        self.placing = session.placing;
        let placings = self.source.placings();
        let changed = session.files.iter().filter_map(|file| {
            let target = |name: &str| Some(placings.known(name)?.target.clone());
            let new_name = Some(file.new_path()).filter(|name| *name != file.path);
            let renamed = new_name.and_then(target);
            Some(TouchedFile::new(target(&file.path)?, renamed, file))
        });
        self.touched = changed.collect();
        for file in &mut session.files {
            let waits = touched(&*self.source, file)
                .iter()
                .any(|path| self.held.contains(path));
            if waits {
                file.hold();
            }
        }
        CallReview {
            call: Arc::clone(&self.call),
            problems: session.problems.clone(),
            comment: None,
            placing: session.placing,
            precision: self.source.precision(),
            asked: false,
        }
    }

    /// Returns whether nothing of a placed proposal can be decided.
    pub(super) fn is_hopeless(&self, session: &ReviewSession) -> bool {
        let counts = session.counts();
        counts.hunks == 0 || (!self.partial && counts.unplaced > 0)
    }

    /// Returns the warning about replies in its prose that no thread has taken.
    pub(super) fn reply_warning(&self) -> Option<String> {
        let refused = &self.refused_replies;
        (!refused.is_empty()).then(|| format!("{}: {}", self.call.agent, refused.join("; ")))
    }

    /// Its files in a few words.
    pub(super) fn names(session: &ReviewSession) -> String {
        match session.files.as_slice() {
            [] => "nothing that can be read".to_owned(),
            [one] => one.path.clone(),
            [one, two] => format!("{} and {}", one.path, two.path),
            [one, rest @ ..] => format!("{} and {} more", one.path, rest.len()),
        }
    }
}

/// Returns the stored decisions, if they can be read.
fn remembered(kept: &SavedReview) -> Option<Decisions> {
    let bytes = kept.read().ok()??;
    Decisions::from_json(&bytes).ok()
}

/// Returns the real files of a reviewed one: its own, and the other one of a rename or a copy.
fn touched(source: &dyn ReviewSource, file: &FileReview) -> Vec<RepoPath> {
    let other = match &file.kind {
        FileKind::Renamed { to: other } | FileKind::Copied { from: other, .. } => Some(other),
        FileKind::Modified | FileKind::Created | FileKind::Deleted => None,
    };
    let known = |name: &String| Some(source.placings().known(name)?.target.clone());
    [Some(&file.path), other]
        .into_iter()
        .flatten()
        .filter_map(known)
        .collect()
}

/// Makes a review of the changes in a layer.
fn changes_of(root: Root, id: &str) -> anyhow::Result<LayerChanges> {
    let (layer, about) = root.layer(id)?;
    LayerChanges::open(root, layer, about)
}

/// Makes a review of changes that are in the working tree already.
fn standing(root: Root, since: TreeBefore) -> anyhow::Result<WorkTree> {
    let is_name = since.tree.bytes().all(|byte| byte.is_ascii_hexdigit());
    anyhow::ensure!(is_name, "`{}` is no name of a tree", since.tree);
    let repository = Repository::find(root.path())?;
    let side = SideIndex::open(&repository, &since.folder);
    Ok(WorkTree::new(GitDifference {
        repository: side.repository().clone(),
        root: root.for_a_person(),
        span: DiffSides::RevisionToTree(since.tree),
        paths: since.paths,
        intent: STANDS.to_owned(),
    }))
}

/// Edits, and the files that they are for.
fn batch(root: Root, config: &Config, submission: &mut Submission) -> anyhow::Result<Batch> {
    let ParsedInput { mut parsed, known } = read(submission)?;
    if let Some(folder) = &submission.folder {
        for file in &mut parsed.proposal.files {
            file.move_into_real(folder);
        }
    }
    let session = keep_seen(&root, submission);
    let batch = Batch::new(root, config.clone(), ParsedInput { parsed, known });
    Ok(batch.of_session(session).for_a_person())
}

/// Keeps the files as the agent saw them; those that cannot be kept say nothing. Returns the session that saw them.
fn keep_seen(root: &Root, submission: &Submission) -> Option<String> {
    if submission.seen.is_empty() {
        return submission.session.clone();
    }
    let session = submission.session.as_ref().unwrap_or(&submission.id);
    let reader = ReadingAgent {
        agent: submission.agent.clone(),
        session: Some(session.clone()),
        time: SystemTime::now(),
    };
    for file in &submission.seen {
        let folder = submission.folder.as_deref().unwrap_or_default();
        let path = Path::new(folder).join(&file.path);
        if let Ok(path) = RepoPath::parse(&path.to_string_lossy()) {
            let _: Result<(), StateError> = root.keep_seen(&path, &reader, file.text.as_bytes());
        }
    }
    Some(session.clone())
}

fn read(submission: &mut Submission) -> anyhow::Result<ParsedInput> {
    let format = submission.format.as_deref().map(parse_format).transpose();
    let format = format.map_err(anyhow::Error::msg)?;
    let options = Options {
        dialect: format.and_then(|format| format.0),
        path: submission.path.clone(),
        ..Options::default()
    };
    let text = std::mem::take(&mut submission.input);
    Ok(input::parse(vec![text], &options)?)
}
