//! Reviews, before an agent stops, the changes that it made in a turn without a review, such as by shell commands.
//!
//! At the beginning of a turn the working tree is stored as a git tree, beside the repository and not in it. At the end the
//! working tree is compared with it, without what was approved meanwhile, and the reviewer shows the rest as `countersign git` does.
//!
//! Unlike the gate this fails open: the changes are in the tree already, so a denial would undo nothing, and an agent that may not
//! stop would go on unattended. The person gets a message instead. The review takes place once a turn: an agent that goes on
//! because of it stops the next time.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::super::exit::Exit;
use super::super::run::LAYER_VERDICT;
use super::in_layer::layer_around;
use super::location::served;
use crate::agent::git::{Repository, SideIndex};
use crate::agent::hook::{Agent, TurnAnswer, TurnEvent, TurnNews};
use crate::agent::layer::covering;
use crate::agent::{Cancel, Submission, TreeBefore, Verdict, ask};
use crate::app::finished_reviews;
use crate::app::threads::{self, reviewed_root};
use crate::proposal::RepoPath;
use crate::review::HunkStatus;
use crate::store::{GuestFolder, Layer, Root};

/// State of the working tree when a turn began.
#[derive(Serialize, Deserialize)]
struct TurnStart {
    /// The tree of git that it was.
    tree: String,
    /// When, in seconds since 1970.
    time: u64,
}

/// Reads the event from standard input, and answers within `wait`.
pub(super) fn run(wait: Duration) -> Exit {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut input);
    let answer = read
        .map_err(anyhow::Error::from)
        .and_then(|_| Ok(TurnNews::read(&input)?))
        .and_then(|news| answer(&news, Instant::now() + wait))
        .unwrap_or_else(|error| {
            TurnAnswer::Tell(format!(
                "countersign: {error}, so what was written in this turn by other means than edits is not reviewed; \
                `countersign git` shows the changes in the working tree"
            ))
        });
    let line = answer.shown() + "\n";
    // Whoever does not listen is not held up.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
    Exit::Done
}

fn answer(news: &TurnNews, deadline: Instant) -> anyhow::Result<TurnAnswer> {
    if let Some(message) = &news.message
        && let Ok(root) = reviewed_root(&news.folder)
    {
        threads::take_replies(&root, Agent::Claude.name(), message);
    }
    if matches!(news.event, TurnEvent::EndsAgain | TurnEvent::Other) {
        return Ok(TurnAnswer::Nothing);
    }
    let folder = news.folder.canonicalize()?;
    if let Some(inside) = layer_around(&folder) {
        return Ok(in_layer(news, &folder, &inside, deadline));
    }
    // Where there is no repository there is nothing to compare with.
    let Ok(repository) = Repository::find(&news.folder) else {
        return Ok(TurnAnswer::Nothing);
    };
    let root = Root::open(repository.top())?;
    if news.event == TurnEvent::Begins {
        begin(news, &repository, &root)?;
        return Ok(TurnAnswer::Nothing);
    }
    let turn = root.turn(&news.session)?;
    let begun = turn
        .noted()
        .and_then(|noted| serde_json::from_slice(&noted).ok());
    let Some(TurnStart { tree, time }) = begun else {
        anyhow::bail!("it is not known how the files were when the turn began");
    };
    let side = SideIndex::open(&repository, turn.folder());
    let now = side.take_in()?;
    let mut paths = side.between(&tree, &now)?;
    let approved = approved_since(&root, time)?;
    paths.retain(|path| !is_as_approved(&root, path, &approved));
    if paths.is_empty() {
        return Ok(TurnAnswer::Nothing);
    }
    let count = paths.len();
    let top = repository.top().canonicalize()?;
    let reviewer = served(&news.folder).map_err(|error| match count {
        1 => anyhow::anyhow!("1 file is to be reviewed, and {error}"),
        n => anyhow::anyhow!("{n} files are to be reviewed, and {error}"),
    })?;
    anyhow::ensure!(
        reviewer == top,
        "the reviewer serves `{}`, and the repository is `{}`",
        reviewer.display(),
        top.display()
    );
    let submission = Submission {
        session: Some(news.session.clone()),
        since: Some(TreeBefore {
            tree,
            folder: turn.folder().to_owned(),
            paths,
        }),
        ..Submission::new(Agent::Claude.name(), "")
    };
    let verdict = ask(&reviewer, &submission, Some(deadline), &Cancel::new())?;
    Ok(turn_answer(&verdict))
}

/// The answer inside a layer of `countersign run`, which holds back everything until it is reviewed: at the end of the run at the
/// latest, so that an agent whose turn nobody reviews may stop.
fn in_layer(news: &TurnNews, folder: &Path, inside: &GuestFolder, deadline: Instant) -> TurnAnswer {
    let verdict = inside.take_verdict();
    let is_end = news.event == TurnEvent::Ends;
    if let Some(verdict) = verdict {
        return if is_end {
            TurnAnswer::GoOn(verdict)
        } else {
            TurnAnswer::Context(verdict)
        };
    }
    let (true, Some((id, folder))) = (is_end, layer_of(folder)) else {
        return TurnAnswer::Nothing;
    };
    let submission = Submission {
        session: Some(news.session.clone()),
        layer: Some(id),
        ..Submission::new(Agent::Claude.name(), "")
    };
    let verdict = served(&folder)
        .and_then(|root| Ok(ask(&root, &submission, Some(deadline), &Cancel::new())?));
    verdict.map_or(TurnAnswer::Nothing, |verdict| of_layer(&verdict))
}

/// Returns the layer that holds back what is written in a folder, and a folder that its reviewer serves.
fn layer_of(folder: &Path) -> Option<(String, PathBuf)> {
    if let Some(id) = covering(folder) {
        return Some((id, folder.to_owned()));
    }
    let layer = Layer::of_copy(folder)?;
    let root = layer.about().ok()?.root;
    Some((layer.id, root))
}

/// The answer to the agent for the review of a layer. There is nothing to say where everything was accepted as it is.
fn of_layer(verdict: &Verdict) -> TurnAnswer {
    let hunks = verdict.files.iter().flat_map(|file| &file.hunks);
    let is_whole = hunks.map(|hunk| hunk.outcome).all(|outcome| {
        matches!(
            outcome,
            HunkStatus::Applied | HunkStatus::AlreadyApplied | HunkStatus::LeftAlone
        )
    });
    if is_whole && verdict.comments.is_empty() && !verdict.asks() {
        return TurnAnswer::Nothing;
    }
    TurnAnswer::GoOn(format!("{LAYER_VERDICT}\n{}", verdict.message))
}

/// Notes how the working tree is.
fn begin(news: &TurnNews, repository: &Repository, root: &Root) -> anyhow::Result<()> {
    let turn = root.begin_turn(&news.session)?;
    let tree = SideIndex::new(repository, turn.folder())?.take_in()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = now.map_or(0, |now| now.as_secs());
    turn.note(&serde_json::to_vec(&TurnStart { tree, time })?)?;
    Ok(())
}

/// The hashes of what was approved since a time, the last ones of each file.
fn approved_since(root: &Root, time: u64) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let mut approved = BTreeMap::new();
    // The latest come first.
    for id in root.finished()? {
        let Some(review) = finished_reviews::read(root, &id) else {
            continue;
        };
        if review.time < time {
            break;
        }
        for (name, hash) in review.approved {
            approved.entry(name).or_insert(hash);
        }
    }
    Ok(approved)
}

/// Returns whether a file is as a person has approved it.
fn is_as_approved(root: &Root, path: &Path, approved: &BTreeMap<String, Option<String>>) -> bool {
    let name = path.to_string_lossy();
    let (Some(expected), Ok(file)) = (approved.get(&*name), RepoPath::parse(&name)) else {
        return false;
    };
    let now = root.read(&file);
    now.is_ok_and(|now| now.hash().map(|hash| hash.to_string()) == *expected)
}

/// Answer to the agent.
fn turn_answer(verdict: &Verdict) -> TurnAnswer {
    let hunks = verdict.files.iter().flat_map(|file| &file.hunks);
    let is_left = hunks.map(|hunk| hunk.outcome).all(|outcome| {
        matches!(
            outcome,
            HunkStatus::Kept | HunkStatus::Undecided | HunkStatus::LeftAlone
        )
    });
    if is_left && verdict.comments.is_empty() && !verdict.asks() {
        return TurnAnswer::Nothing;
    }
    TurnAnswer::GoOn(format!(
        "countersign: a person reviewed what you wrote in this turn by other means than your tools for edits. What is rejected was \
        reverted; do not write it again in any way.\n{}",
        verdict.message
    ))
}
