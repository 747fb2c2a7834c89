//! Keeping a review: what is decided is on disk as it is decided, and is taken up when the same edits come again.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use anyhow::Context;

use crate::app::input::InputError;
use crate::app::notice::say;
use crate::app::source::ReviewSource;
use crate::review::{DecisionSource, Decisions, Imprint, ReviewSession, TakenUp};
use crate::store::SavedReview;
use crate::text::plural;

/// Writes down what is decided, on a thread of its own.
pub(crate) struct Autosave {
    kept: Option<SavedReview>,
    /// True if the person named the file, which then stays.
    named: bool,
    /// Other reviews of the same root, the latest first.
    others: Vec<SavedReview>,
    writer: Option<Writer>,
}

struct Writer {
    imprints: Sender<Imprint>,
    thread: JoinHandle<io::Result<()>>,
}

/// Fate of the saved decisions when a review ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stays, to be taken up later.
    Stays,
    /// It has served; only a file that the person named stays.
    Served,
}

impl Autosave {
    /// Keeps a review in a file, or in the user's own folder. Where that cannot be, it is said, and the review
    /// lives in memory only.
    pub(crate) fn open(source: &dyn ReviewSource, file: Option<&Path>) -> Self {
        let mut keeper = Self {
            kept: file.map(SavedReview::in_file),
            named: file.is_some(),
            others: Vec::new(),
            writer: None,
        };
        if !keeper.named {
            match source.saved_reviews() {
                Ok((kept, others)) => {
                    keeper.kept = Some(kept);
                    keeper.others = others;
                }
                Err(error) => say(&format!("this review is not kept: {error}")),
            }
        }
        keeper.writer = keeper.kept.clone().and_then(|kept| {
            let (imprints, inbox) = channel();
            let named = keeper.named;
            let thread = thread::Builder::new().name("countersign-keep".to_owned());
            let thread = thread.spawn(move || write_all(&kept, named, &inbox)).ok()?;
            Some(Writer { imprints, thread })
        });
        keeper
    }

    /// Takes up what was kept of these edits and, if that is wanted, what was decided of the same hunks in other reviews.
    /// Says what was found.
    pub(crate) fn resume(
        &self,
        session: &mut ReviewSession,
        wanted: bool,
    ) -> anyhow::Result<Option<String>> {
        let told = self.earlier(wanted)?.resume(session);
        if let Some(told) = &told {
            say(told);
        }
        Ok(told)
    }

    /// Reads what was kept of these edits and, if that is wanted, of others.
    pub(crate) fn earlier(&self, wanted: bool) -> anyhow::Result<Earlier> {
        let others = self.others.iter().filter(|_| wanted);
        Ok(Earlier {
            own: self.own()?,
            others: others.filter_map(|kept| read(kept).ok()?).collect(),
            wanted,
        })
    }

    fn own(&self) -> anyhow::Result<Option<Decisions>> {
        let Some(kept) = &self.kept else {
            return Ok(None);
        };
        match read(kept) {
            Err(error) if !self.named => {
                say(&format!("{error:#}"));
                Ok(None)
            }
            own => own,
        }
    }

    /// Writes down what is decided now. Returns at once.
    pub(crate) fn keep(&self, session: &ReviewSession) {
        if let Some(writer) = &self.writer {
            // A writer that has failed for good reports it in the end.
            let _ = writer.imprints.send(Imprint::of(session));
        }
    }

    /// Waits until everything is on disk, and says if it could not be written.
    pub(crate) fn finish(self, fate: Fate) {
        let written = self.writer.map_or(Ok(()), |writer| {
            drop(writer.imprints);
            let ended = writer.thread.join();
            ended.unwrap_or_else(|_| Err(io::Error::other("the writer failed")))
        });
        let Some(kept) = self.kept else { return };
        let done = match fate {
            Fate::Served if !self.named => kept.remove(),
            Fate::Served | Fate::Stays => written,
        };
        if let Err(error) = done {
            let path = kept.path().display();
            say(&format!(
                "the review could not be kept in `{path}`: {error}"
            ));
        } else if fate == Fate::Stays && !self.named && kept.read().is_ok_and(|kept| kept.is_some())
        {
            say("the review is kept: the same edits take it up again");
        }
    }
}

/// Saved decisions of earlier reviews.
pub(crate) struct Earlier {
    own: Option<Decisions>,
    others: Vec<Decisions>,
    wanted: bool,
}

impl Earlier {
    /// Lets a session take it up. What there is to say of that.
    pub(crate) fn resume(&self, session: &mut ReviewSession) -> Option<String> {
        let mut told = Vec::new();
        if let Some(decisions) = &self.own {
            let taken = session.take_up(decisions, DecisionSource::SameProposal);
            told.push(format!("an earlier review continues: {}", told_of(&taken)));
        }
        if self.wanted {
            let hunks: usize = (self.others.iter())
                .map(|decisions| {
                    session
                        .take_up(decisions, DecisionSource::AnotherProposal)
                        .hunks
                })
                .sum();
            if hunks > 0 {
                told.push(format!(
                    "decided in other reviews: {}",
                    plural(hunks, "hunk")
                ));
            }
            if told.is_empty() {
                told.push("no decisions are saved for these edits".to_owned());
            }
        }
        Some(told.join("; ")).filter(|told| !told.is_empty())
    }
}

/// Writes what comes, the latest only if several have come, until no more can come.
fn write_all(kept: &SavedReview, named: bool, imprints: &Receiver<Imprint>) -> io::Result<()> {
    let mut written = Ok(());
    while let Ok(first) = imprints.recv() {
        let latest = imprints.try_iter().last().unwrap_or(first);
        // A file that the person named may be for another machine.
        let decisions = if named {
            latest.decisions_with_hashes()
        } else {
            latest.decisions()
        };
        written = if decisions.is_empty() && !named {
            kept.remove()
        } else {
            kept.replace(&decisions.to_json())
        };
    }
    written
}

/// The decisions in a file that the person named, and the bytes that they were read from.
pub(crate) fn read_named(file: &Path) -> anyhow::Result<(Decisions, Vec<u8>)> {
    let missing = || InputError::NoDecisions {
        path: file.to_owned(),
    };
    let kept = SavedReview::in_file(file);
    let bytes = bytes_of(&kept)?.ok_or_else(missing)?;
    Ok((parsed(&kept, &bytes)?, bytes))
}

/// The decisions that are kept somewhere, if any are.
fn read(kept: &SavedReview) -> anyhow::Result<Option<Decisions>> {
    let bytes = bytes_of(kept)?;
    bytes.map(|bytes| parsed(kept, &bytes)).transpose()
}

fn bytes_of(kept: &SavedReview) -> anyhow::Result<Option<Vec<u8>>> {
    let path = kept.path().display();
    let bytes = kept.read();
    bytes.with_context(|| format!("cannot read `{path}`"))
}

fn parsed(kept: &SavedReview, bytes: &[u8]) -> anyhow::Result<Decisions> {
    Decisions::from_json(bytes).with_context(|| format!("`{}`", kept.path().display()))
}

fn told_of(taken: &TakenUp) -> String {
    let them = if taken.hunks == 1 { "it" } else { "them" };
    let as_left = format!("{} as you left {them}", plural(taken.hunks, "hunk"));
    let as_left = match taken.kept_edits.len() {
        0 => as_left,
        kept => {
            let edits = plural(kept, "edit");
            format!("{as_left}, {edits} of lines that changed on disk since, to be placed by hand")
        }
    };
    match taken.lost.len() {
        0 => as_left,
        lost => format!(
            "{as_left}, {} accepted then and changed on disk since",
            plural(lost, "hunk")
        ),
    }
}
