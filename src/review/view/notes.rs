//! Notes on problems of a hunk or a file, for the head of its file.

use std::sync::Arc;

use super::note::{Note, NoteKind};
use super::unplaced_notes::{edit_text, nearest_notes};
use crate::locate::Unplaced;
use crate::proposal::Miscount;
use crate::review::session::file::{FileContent, FileReview};
use crate::review::session::hunk::{Outcome, Remark, Step};
use crate::review::session::request::Standing;
use crate::review::session::versions::{Found, Opaque, Refusal};
use crate::text::plural;

/// The most announcements of the agent that a file shows: the last ones.
const MOST_ANNOUNCED: usize = 4;
/// As much of a hash as tells files apart.
const HASH: usize = 16;

/// The note of a file as a whole, or of one of its hunks; empty if there is nothing to say.
pub fn notes(file: &FileReview, hunk: Option<usize>) -> Vec<Note> {
    match hunk {
        None => file_notes(file),
        Some(hunk) => file
            .hunks
            .get(hunk)
            .map(|review| hunk_notes(file, hunk, &review.outcome))
            .unwrap_or_default(),
    }
}

/// A refusal in one sentence.
pub(in crate::review) fn refusal_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Forbidden(why) => format!("forbidden: {why}"),
        Refusal::Missing(None) => "there is no such file".to_owned(),
        Refusal::Missing(Some(suggestion)) => format!("there is no such file; {suggestion}"),
        Refusal::Unnamed(word) => {
            format!("no file is named above it: there is only the word `{word}`, and no such file")
        }
        Refusal::Exists => "the file exists already, with another text".to_owned(),
        Refusal::Unclear(names) => format!(
            "the file to be made could be called `{}`: put the intended name between backquotes, on a line of its own",
            names.join("` or `")
        ),
        Refusal::Unreadable(why) | Refusal::Contradiction(why) | Refusal::Undecodable(why) => {
            why.clone()
        }
    }
}

/// Describes an oddity that was tolerated in reading a hunk.
pub(in crate::review) fn remark_words(remark: &Remark) -> String {
    match remark {
        Remark::Loss(loss) => loss.to_string(),
        Remark::Rejected(recurrence) => recurrence.to_string(),
        Remark::Announced(text) => format!("“{text}”"),
        Remark::Miscount(Miscount { said, found }) => format!(
            "its header counts {} old and {} new lines, but {} and {} follow: the counts were ignored",
            said.0, said.1, found.0, found.1
        ),
        Remark::Encoding => {
            "the encoding of the file was guessed, and it would get new characters in that encoding"
                .to_owned()
        }
        Remark::ReplacesLink => {
            "it takes the place of a symbolic link; the file behind the link stays".to_owned()
        }
        Remark::ReplacesFile(Some(lines)) => {
            format!("it takes the place of a file of {}", plural(*lines, "line"))
        }
        Remark::ReplacesFile(None) => "it takes the place of a file that is no text".to_owned(),
        Remark::ReplacesFolder => "it takes the place of a folder".to_owned(),
        Remark::BothChanged => {
            "conflict: you changed these lines too since the command started".to_owned()
        }
        Remark::MadeBy(call) => format!("made by {call}"),
        Remark::ByModel => {
            "written by the apply model: the agent's own hunk had no place".to_owned()
        }
        Remark::Entities => {
            "it adds HTML entities such as `&lt;`: they are written literally; the edit may have been escaped on its way"
                .to_owned()
        }
        Remark::Wrapping => {
            "the numbers before its lines, or the code fence around them, were left out".to_owned()
        }
    }
}

/// Describes a change of the file as a whole that its kind does not tell.
pub fn step_words(step: &Step) -> Option<String> {
    match step {
        Step::Link { to } => Some(format!("it becomes a symbolic link to `{to}`")),
        Step::Unlink => Some("the symbolic link is removed, not the file behind it".to_owned()),
        Step::MakeFolder => Some("it becomes a folder without files".to_owned()),
        Step::RemoveFolder => Some("the folder, which holds no file, is removed".to_owned()),
        Step::Bytes(bytes) => Some(format!("a binary patch gives it {} bytes", bytes.len())),
        Step::Mode { executable: true } => Some("it becomes executable".to_owned()),
        Step::Mode { executable: false } => Some("it becomes not executable".to_owned()),
        Step::Create
        | Step::Delete
        | Step::Content
        | Step::Form { .. }
        | Step::Rename
        | Step::Copy => None,
    }
}

/// Why a hunk has no place, in one sentence.
pub(in crate::review) fn unplaced_words(unplaced: &Unplaced) -> String {
    match unplaced {
        Unplaced::Ambiguous { count: 1, .. } => {
            "ambiguous: its lines match one place, but it may have been applied already in another"
                .to_owned()
        }
        Unplaced::Ambiguous { count, .. } => {
            format!("ambiguous: its lines match {count} places")
        }
        Unplaced::NotFound { .. } => "not found: no match in the file".to_owned(),
        Unplaced::Conflict {
            matched_in,
            changed_in,
            ..
        } => {
            let change = match changed_in {
                Some(version) => format!("were changed in {version}"),
                None => "have changed since".to_owned(),
            };
            format!("conflict: it was written against {matched_in}, and its lines {change}")
        }
        Unplaced::Overlap { at, .. } => {
            format!("overlap: another hunk changes line {at} too, in another way")
        }
        Unplaced::Unclear { readings, several } => {
            let which = if *several {
                "more than one of them matches"
            } else {
                "none of them matches"
            };
            format!(
                "malformed: a delimiter in it could be content; of {readings} ways to read it, {which} the file"
            )
        }
        Unplaced::Elisions { expected, found } => {
            format!(
                "malformed: it leaves lines out {expected} times in what it looks for and {found} times in what it puts there"
            )
        }
        Unplaced::NoTarget { why } => format!("not found: {why}"),
        Unplaced::Nowhere => "not found: the edit does not say where its lines belong".to_owned(),
        Unplaced::NoChange => {
            "no change: what it looks for and what it puts there are equal".to_owned()
        }
    }
}

/// Describes a binary file, in both versions if they are known.
fn opaque_words(file: &FileReview, opaque: &Opaque) -> String {
    let told = |opaque: &Opaque| {
        let start: String = opaque.hash.chars().take(HASH).collect();
        format!("{} bytes, SHA-256 {start}…", opaque.size)
    };
    let was = match file.sides.as_ref().map(|sides| &sides.old) {
        Some(Found::Opaque(old)) if old != opaque => format!("; before: {}", told(old)),
        _ => String::new(),
    };
    format!("no text to show: {}{was}", told(opaque))
}

fn file_notes(file: &FileReview) -> Vec<Note> {
    let note = |kind, text| Note { kind, text };
    let mut notes = Vec::new();
    let agent = (file.call.as_ref()).map_or("the agent", |call| call.agent.as_str());
    match file.standing {
        Standing::Open | Standing::Gone => (),
        Standing::Held => notes.push(note(
            NoteKind::Quiet,
            "waits: an earlier proposal for this file is decided first".to_owned(),
        )),
        Standing::Answered => notes.push(note(NoteKind::Quiet, format!("{agent} has its answer"))),
        Standing::Withdrawn => notes.push(note(
            NoteKind::Headline,
            format!("withdrawn by {agent}: nothing of it can be written any more"),
        )),
    }
    let forecasts = file.forecasts.iter().cloned();
    notes.extend(forecasts.map(|text| note(NoteKind::Headline, text)));
    match &file.content {
        FileContent::Text => (),
        FileContent::Outline(outline) => {
            let text = format!("{}, being placed", plural(outline.hunks, "hunk"));
            notes.push(note(NoteKind::Quiet, text));
        }
        FileContent::Refused(refusal) => {
            notes.push(note(NoteKind::Headline, refusal_words(refusal)));
        }
        FileContent::Opaque(opaque) => {
            notes.push(note(NoteKind::Detail, opaque_words(file, opaque)));
        }
    }
    if let Some(why) = &file.protected {
        notes.push(note(
            NoteKind::Detail,
            format!("protected: {why}; it is never accepted in batch"),
        ));
    }
    let remarks = || file.hunks.iter().flat_map(|hunk| &hunk.remarks);
    let mut announced: Vec<&Arc<str>> = Vec::new();
    for remark in remarks() {
        if let Remark::Announced(text) = remark
            && !announced.contains(&text)
        {
            announced.push(text);
        }
    }
    let last = announced.len().saturating_sub(MOST_ANNOUNCED);
    notes.extend(
        announced[last..]
            .iter()
            .map(|text| note(NoteKind::Quiet, format!("“{text}”"))),
    );
    let miscounts = remarks().filter(|remark| matches!(remark, Remark::Miscount(_)));
    match miscounts.count() {
        0 => (),
        1 => notes.push(note(
            NoteKind::Quiet,
            "a hunk's header counts other lines than follow: the counts were ignored".to_owned(),
        )),
        more => notes.push(note(
            NoteKind::Quiet,
            format!("{more} hunks' headers count other lines than follow: the counts were ignored"),
        )),
    }
    let replaced =
        remarks().find(|remark| matches!(remark, Remark::ReplacesFile(_) | Remark::ReplacesFolder));
    notes.extend(replaced.map(|remark| note(NoteKind::Quiet, remark_words(remark))));
    for told in [
        Remark::Wrapping,
        Remark::Entities,
        Remark::Encoding,
        Remark::ReplacesLink,
        Remark::ByModel,
        Remark::BothChanged,
    ] {
        if remarks().any(|remark| *remark == told) {
            notes.push(note(NoteKind::Quiet, remark_words(&told)));
        }
    }
    let mut makers: Vec<String> = remarks()
        .filter(|remark| matches!(remark, Remark::MadeBy(_)))
        .map(remark_words)
        .collect();
    makers.dedup();
    notes.extend(makers.into_iter().map(|words| note(NoteKind::Quiet, words)));
    for remark in remarks() {
        let Remark::Loss(loss) = remark else {
            continue;
        };
        let text = format!("needs review: {loss}; it is never accepted in batch");
        notes.push(note(NoteKind::Headline, text));
    }
    if file.is_already_applied() {
        notes.push(note(
            NoteKind::Quiet,
            "already applied: nothing to change".to_owned(),
        ));
    }
    notes
}

fn hunk_notes(file: &FileReview, hunk: usize, outcome: &Outcome) -> Vec<Note> {
    let review = &file.hunks[hunk];
    let headline = |text: String| Note {
        kind: NoteKind::Headline,
        text,
    };
    match outcome {
        Outcome::Placed(_) => (review.recurrence())
            .map(|recurrence| Note {
                kind: if recurrence.kind.is_rejected() {
                    NoteKind::Headline
                } else {
                    NoteKind::Detail
                },
                text: recurrence.to_string(),
            })
            .into_iter()
            .collect(),
        Outcome::Refused => Vec::new(),
        Outcome::AlreadyApplied { .. } if file.is_already_applied() => Vec::new(),
        Outcome::AlreadyApplied { at } => {
            let at = at
                .map(|line| format!(" at line {line}"))
                .unwrap_or_default();
            vec![Note {
                kind: NoteKind::Quiet,
                text: format!("input line {}: already applied{at}", review.span.first),
            }]
        }
        Outcome::Follows { hunk: leader } => {
            let own = review.span.first;
            let at = (file.hunks.get(*leader)).map_or(own, |leader| leader.span.first);
            let text = if *leader > hunk {
                format!("input line {own} is superseded by line {at}, and is decided with it")
            } else {
                format!("input line {own} continues line {at}, and is decided with it")
            };
            vec![Note {
                kind: NoteKind::Quiet,
                text,
            }]
        }
        Outcome::Unplaced(unplaced) => {
            let words = unplaced_words(unplaced);
            let mut notes = vec![headline(format!(
                "hunk {}: {words}",
                file.number_of(hunk).0
            ))];
            match unplaced {
                Unplaced::Ambiguous { places, .. } => notes.extend(places.iter().map(|place| {
                    let scope = place
                        .scope
                        .as_deref()
                        .map(|scope| format!(" in `{scope}`"))
                        .unwrap_or_default();
                    Note {
                        kind: NoteKind::Detail,
                        text: format!("line {}{scope}", place.line),
                    }
                })),
                Unplaced::NotFound { nearest } | Unplaced::Conflict { nearest, .. } => {
                    notes.extend(nearest.first().map(nearest_notes).unwrap_or_default());
                }
                Unplaced::Overlap { .. }
                | Unplaced::Unclear { .. }
                | Unplaced::Elisions { .. }
                | Unplaced::NoTarget { .. }
                | Unplaced::Nowhere
                | Unplaced::NoChange => (),
            }
            notes.extend(edit_text(review));
            notes
        }
    }
}
