//! What holds for every input. A law that is broken panics.

use countersign::dialect::{DIALECTS, Dialect, Options, Turns, named, parse};
use countersign::locate::{Confidence, Rung, Tolerance};
use countersign::proposal::{Body, Extent, FileChange, Operation, Proposal};
use countersign::review::{Decision, Outcome, Postimage, ReviewSession, Target, compose};
use countersign::text::Document;

use crate::engine::{Tree, accept_all, review, written};
use crate::families::Family;

/// The file that an edit is for if it names none.
const FILE: &str = "f";

/// Every dialect reads any text, and keeps what it promises to the locator.
pub(crate) fn reading(text: &str) {
    let dialects = DIALECTS.into_iter().map(Some).chain([None]);
    read_in(dialects, text);
}

/// The dialects of a family read any text, and what they read is placed in any file.
pub(crate) fn family(family: &Family, file: &[u8], text: &str) {
    let dialects = family.dialects.iter().map(|name| named(name));
    read_in(dialects.chain([None]), text);
    placing_unasked(file, text);
}

fn read_in(dialects: impl Iterator<Item = Option<&'static dyn Dialect>>, text: &str) {
    let lines = text.split('\n').count();
    for options in dialects.flat_map(formats) {
        let parsed = parse(text, &options);
        assert!(
            is_sound(&parsed.proposal),
            "{options:?} {text:?}\n{parsed:?}"
        );
        let files = parsed.proposal.files.iter().map(|file| file.span);
        let problems = parsed.problems.iter().map(|problem| problem.span);
        let mut spans = files.chain(problems);
        assert!(
            spans.all(|span| span.last.get() <= lines),
            "{text:?}\n{parsed:?}"
        );
    }
}

/// A file that can be read comes back byte for byte.
pub(crate) fn decoding(bytes: &[u8]) {
    let Ok(document) = Document::decode(bytes.to_vec()) else {
        return;
    };
    assert_eq!(document.encode(document.text()).as_deref(), Ok(bytes));
    assert_eq!(document.raw_lines(0..document.len()), document.text());
    let lines = document.lines().map(str::len).sum::<usize>();
    let endings = (0..document.len()).map(|line| document.ending(line).as_str().len());
    assert_eq!(lines + endings.sum::<usize>(), document.text().len());
}

/// An edit changes nothing until it is accepted, nothing if it is rejected, and nothing when it is sent again.
pub(crate) fn placing(file: &[u8], edit: &str) {
    resending(file, edit, |_| true);
}

/// The same for an edit of which every hunk is written unasked, both times.
fn placing_unasked(file: &[u8], edit: &str) {
    resending(file, edit, |session| {
        session.hunks().all(|(_, hunk)| match &hunk.outcome {
            Outcome::Placed(placement) => placement.confidence <= Confidence::Safe,
            Outcome::AlreadyApplied { .. } | Outcome::Follows { .. } => true,
            Outcome::Unplaced(_) | Outcome::Refused => false,
        })
    });
}

fn resending(file: &[u8], edit: &str, counts: fn(&ReviewSession) -> bool) {
    let before = Tree::from([(FILE.to_owned(), file.to_vec())]);
    let options = Options {
        dialect: None,
        path: Some(FILE.to_owned()),
        ..Options::default()
    };
    let mut session = review(&before, edit, &options, Tolerance::default());
    for decision in [Decision::Undecided, Decision::Rejected] {
        for file in 0..session.files.len() {
            session.decide(&Target::File(file), decision);
            assert_eq!(
                compose(&session.files[file]),
                Postimage::Unchanged,
                "{decision:?} {edit:?}"
            );
        }
    }
    accept_all(&mut session);
    let Ok(after) = written(&before, &session) else {
        return;
    };
    let mut again = review(&after, edit, &options, Tolerance::default());
    accept_all(&mut again);
    let twice = written(&after, &again);
    if counts(&session)
        && counts(&again)
        && shows_when_done(&parse(edit, &options).proposal)
        && keeps_blank_lines(&session)
    {
        assert_eq!(
            twice,
            Ok(after),
            "{edit:?}\n{:?}",
            String::from_utf8_lossy(file)
        );
    }
}

/// Whether a file shows by its lines that an edit was made in it: the edit has one hunk, of whole lines, which adds some
/// beside its context.
fn shows_when_done(proposal: &Proposal) -> bool {
    let [
        FileChange {
            operation: Operation::Modify,
            hunks,
            ..
        },
    ] = proposal.files.as_slice()
    else {
        return false;
    };
    let [hunk] = hunks.as_slice() else {
        return false;
    };
    let Body {
        preimage,
        postimage,
    } = &hunk.body;
    let has_words = |line: &&String| !line.trim().is_empty();
    let added = postimage
        .iter()
        .filter(has_words)
        .any(|line| !preimage.contains(line));
    let kept = postimage
        .iter()
        .filter(has_words)
        .any(|line| preimage.contains(line));
    hunk.extent == Extent::Lines && hunk.other_readings.is_empty() && added && kept
}

/// Whether no hunk was placed without its blank lines. What it adds may bring them, and it stands there anew.
fn keeps_blank_lines(session: &ReviewSession) -> bool {
    session.hunks().all(|(_, hunk)| match &hunk.outcome {
        Outcome::Placed(placement) => placement.rung < Rung::BlankLines,
        Outcome::AlreadyApplied { .. }
        | Outcome::Follows { .. }
        | Outcome::Unplaced(_)
        | Outcome::Refused => true,
    })
}

/// A dialect, or all, with a file from outside and without, and of a transcript all turns and the last.
fn formats(dialect: Option<&'static dyn Dialect>) -> impl Iterator<Item = Options> {
    let paths = [None, Some(FILE.to_owned())];
    let options = paths.map(|path| {
        [Turns::All, Turns::Last].map(|turns| Options {
            dialect,
            path: path.clone(),
            turns,
        })
    });
    options.into_iter().flatten()
}

/// What every proposal promises to the locator.
fn is_sound(proposal: &Proposal) -> bool {
    proposal.files.iter().all(|file| match &file.operation {
        Operation::Create | Operation::CreateOrAppend | Operation::Overwrite => {
            file.hunks.len() <= 1 && file.hunks.iter().all(|hunk| hunk.body.preimage.is_empty())
        }
        Operation::Delete => file.hunks.iter().all(|hunk| hunk.body.postimage.is_empty()),
        Operation::Modify => {
            // A later patch of a series may carry a move out, or make it needless.
            let is_of_series =
                |other: &FileChange| other.path == file.path && other.patch != file.patch;
            proposal.files.iter().any(is_of_series)
                || !file.hunks.is_empty()
                || file.executable.is_some()
                || file.binary.is_some()
        }
        Operation::Rename(_) | Operation::CopyOf(_) => true,
        Operation::Link { from, to } => from.is_some() || to.is_some(),
    })
}
