//! Reviews, before an agent stops, the changes that it made in a turn without a review, such as by shell commands.
//!
//! At the beginning of a turn the working tree is recorded ([`super::turn_record`]). At the end it is compared with the record, without what
//! was approved meanwhile, and the reviewer shows the rest as `countersign git` does. What cannot be compared is named to the person.
//!
//! Unlike the gate this fails open: the changes are in the tree already, so a denial would undo nothing, and an agent that may not
//! stop would go on unattended. The person gets a message instead. An agent that goes on because of a review, and writes again, is
//! reviewed again: each time it goes on, a person has decided so.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::exit::Exit;
use super::super::run::LAYER_VERDICT;
use super::in_layer::layer_around;
use super::location::served;
use super::turn_record::{TurnRecord, some_of};
use crate::agent::git::Repository;
use crate::agent::hook::{Agent, TurnAnswer, TurnEvent, TurnNews};
use crate::agent::layer::covering;
use crate::agent::{Cancel, Submission, TreeBefore, Verdict, ask};
use crate::app::finished_reviews;
use crate::app::threads::{self, reviewed_root};
use crate::proposal::RepoPath;
use crate::review::{HunkStatus, WaitingThreads};
use crate::store::{GuestFolder, Layer, Root, Turn};

/// Reads the event from standard input, and answers within `wait`.
pub(super) fn run(wait: Duration) -> Exit {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut input);
    let news = read.map_err(anyhow::Error::from);
    let news = news.and_then(|_| Ok(TurnNews::read(&input)?));
    let answer = match news {
        Ok(news) => {
            let refused = refused_replies(&news);
            let answered = answer(&news, Instant::now() + wait);
            let answered = answered.unwrap_or_else(|error| not_reviewed(&error));
            with_refused(with_threads(answered, &news), news.event, &refused)
        }
        Err(error) => not_reviewed(&error),
    };
    let line = answer.shown() + "\n";
    // Whoever does not listen is not held up.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
    Exit::Done
}

fn answer(news: &TurnNews, deadline: Instant) -> anyhow::Result<TurnAnswer> {
    if news.event == TurnEvent::Other {
        return Ok(TurnAnswer::Nothing);
    }
    let folder = news.folder.canonicalize()?;
    if let Some(inside) = layer_around(&folder) {
        return Ok(if news.event == TurnEvent::EndsAgain {
            TurnAnswer::Nothing
        } else {
            in_layer(news, &folder, &inside, deadline)
        });
    }
    // Where there is no repository there is nothing to compare with.
    let Ok(repository) = Repository::find(&news.folder) else {
        return Ok(TurnAnswer::Nothing);
    };
    let root = Root::open(repository.top())?;
    let turn = root.turn(&news.session)?;
    let record = TurnRecord::read(&turn);
    if news.event == TurnEvent::Begins {
        return begin(news, &repository, &root, record);
    }
    let Some(mut record) = record else {
        anyhow::bail!("it is not known how the files were when the turn began");
    };
    record.is_ended = true;
    record.note(&turn)?;
    let found = record.compare(&repository, &turn)?;
    let reviewed = review(
        news,
        &repository,
        &root,
        &turn,
        &mut record,
        found.paths,
        deadline,
    );
    Ok(reviewed
        .unwrap_or_else(|error| not_reviewed(&error))
        .telling(found.remark))
}

/// Takes the replies in the last message of the agent. Returns a warning for each that no thread has taken.
fn refused_replies(news: &TurnNews) -> Vec<String> {
    match (&news.message, reviewed_root(&news.folder)) {
        (Some(message), Ok(root)) => {
            threads::take_replies(&root, Agent::Claude.name(), message).refused
        }
        (None, _) | (_, Err(_)) => Vec::new(),
    }
}

/// Adds warnings for the person, and for the agent. An agent that goes on already is not held up: it may repeat what it wrote for ever.
fn with_refused(answer: TurnAnswer, event: TurnEvent, refused: &[String]) -> TurnAnswer {
    if refused.is_empty() {
        return answer;
    }
    let warning = format!("countersign: {}", refused.join("; "));
    let told = answer.telling(Some(warning.clone()));
    if event == TurnEvent::Ends {
        told.with_news(event, &warning)
    } else {
        told
    }
}

/// Adds what the person has written to the agent in threads and the agent did not get yet.
fn with_threads(answer: TurnAnswer, news: &TurnNews) -> TurnAnswer {
    if !answer.takes_news(news.event) {
        return answer;
    }
    let agent = Agent::Claude.name();
    let root = reviewed_root(&news.folder).ok();
    let threads = root.and_then(|root| threads::news_for(&root, agent).ok());
    match threads {
        Some(threads) if !threads.is_empty() => {
            let waiting = WaitingThreads(&threads);
            answer.with_news(
                news.event,
                &format!("countersign: the reviewer has written to you.\n{waiting}"),
            )
        }
        Some(_) | None => answer,
    }
}

/// The message where something was not reviewed.
fn not_reviewed(error: &anyhow::Error) -> TurnAnswer {
    TurnAnswer::Tell(format!(
        "countersign: {error}, so what was written in this turn by other means than edits is not reviewed; \
        `countersign git` shows the changes in the working tree"
    ))
}

/// Has the files that a turn has changed reviewed, but for those that are as a person has approved them.
fn review(
    news: &TurnNews,
    repository: &Repository,
    root: &Root,
    turn: &Turn,
    record: &mut TurnRecord,
    mut paths: Vec<PathBuf>,
    deadline: Instant,
) -> anyhow::Result<TurnAnswer> {
    let approved = approved_since(root, record)?;
    paths.retain(|path| !is_as_approved(root, path, &[&approved, &record.kept]));
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
    let names = paths.iter().map(|path| path.to_string_lossy().into_owned());
    let shown: BTreeMap<String, Option<String>> = names
        .filter_map(|name| Some((name.clone(), hash_of(root, &name).ok()?)))
        .collect();
    let submission = Submission {
        session: Some(news.session.clone()),
        since: Some(TreeBefore {
            tree: record.tree.clone(),
            folder: turn.folder().to_owned(),
            paths,
        }),
        ..Submission::new(Agent::Claude.name(), "")
    };
    let verdict = ask(&reviewer, &submission, Some(deadline), &Cancel::new())?;
    // What stays as it is was seen as it was before the review, if it is so still.
    for file in &verdict.files {
        let name = &file.path;
        if let Some(hash) = shown.get(name)
            && (file.hunks.iter()).all(|hunk| hunk.outcome == HunkStatus::Kept)
            && hash_of(root, name).ok().as_ref() == Some(hash)
        {
            record.kept.insert(name.clone(), hash.clone());
        }
    }
    record.note(turn)?;
    Ok(turn_answer(&verdict))
}

/// The answer inside a layer of `countersign run`, which holds back everything until it is reviewed: at the end of the run at the
/// latest, so that an agent whose turn nobody reviews may stop.
fn in_layer(news: &TurnNews, folder: &Path, inside: &GuestFolder, deadline: Instant) -> TurnAnswer {
    let verdict = inside.take_verdict();
    let is_end = news.event == TurnEvent::Ends;
    if let Some(verdict) = verdict {
        return if is_end {
            TurnAnswer::go_on(verdict)
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
    TurnAnswer::go_on(format!("{LAYER_VERDICT}\n{}", verdict.message))
}

/// Records how the working tree is. What a turn has written that was interrupted is reviewed at the end of this one.
fn begin(
    news: &TurnNews,
    repository: &Repository,
    root: &Root,
    before: Option<TurnRecord>,
) -> anyhow::Result<TurnAnswer> {
    if let Some(before) = before.filter(|before| !before.is_ended) {
        let turn = root.turn(&news.session)?;
        let approved = approved_since(root, &before)?;
        let mut paths = before.compare(repository, &turn)?.paths;
        paths.retain(|path| !is_as_approved(root, path, &[&approved, &before.kept]));
        if !paths.is_empty() {
            return Ok(TurnAnswer::Tell(format!(
                "countersign: the turn before did not come to its end, so what has changed since its beginning is reviewed at the end of \
                this one: {}",
                some_of(&paths)
            )));
        }
    }
    let turn = root.begin_turn(&news.session)?;
    TurnRecord::of(repository, &turn)?.note(&turn)?;
    Ok(TurnAnswer::Nothing)
}

/// Returns the hashes of what was approved since a turn began, the last ones of each file.
fn approved_since(
    root: &Root,
    record: &TurnRecord,
) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let mut approved = BTreeMap::new();
    // The latest come first.
    for id in root.finished()? {
        let Some(review) = finished_reviews::read(root, &id) else {
            continue;
        };
        if review.time < record.time {
            break;
        }
        for (name, hash) in review.approved {
            approved.entry(name).or_insert(hash);
        }
    }
    Ok(approved)
}

/// Returns the hash of a file; `None` if there is no file.
fn hash_of(root: &Root, name: &str) -> anyhow::Result<Option<String>> {
    let now = root.read(&RepoPath::parse(name)?)?;
    Ok(now.hash().map(|hash| hash.to_string()))
}

/// Returns whether a file is as a person has approved it.
fn is_as_approved(
    root: &Root,
    path: &Path,
    approved: &[&BTreeMap<String, Option<String>>],
) -> bool {
    let name = path.to_string_lossy();
    let mut expected = approved
        .iter()
        .filter_map(|hashes| hashes.get(&*name))
        .peekable();
    // Only a file that was reviewed is read.
    expected.peek().is_some() && {
        let now = hash_of(root, &name).ok();
        expected.any(|expected| now.as_ref() == Some(expected))
    }
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
    TurnAnswer::go_on(format!(
        "countersign: a person reviewed what you wrote in this turn by other means than your tools for edits. What is rejected was \
        reverted; do not write it again in any way.\n{}",
        verdict.message
    ))
}
