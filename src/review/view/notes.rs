//! Notes on problems of a hunk or a file, for the head of its file.

use std::sync::Arc;

use super::note::{Note, NoteKind};
use super::unplaced_notes::{
    NoteLength, doubtful_lines, edit_line, edit_text, kept_edit, nearest_notes, not_removed,
};
use crate::locate::Unplaced;
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Loss, Outcome, Remark, Step};
use crate::review::session::request::Standing;
use crate::review::session::versions::{Found, Opaque};
use crate::review::status::Reason;
use crate::review::wording::{refusal_words, remark_words, unplaced_words};
use crate::text::plural;

/// The most differing lines that the note on a doubtful place shows, above the hunk itself.
const MOST_DOUBTS: usize = 3;
/// The most lines that the note on an earlier version quotes.
const MOST_DROPPED: usize = 4;
/// The most hunks that the note on what is already applied names.
const MOST_APPLIED: usize = 4;

/// The note of a file as a whole, or of one of its hunks; empty if there is nothing to say.
pub fn notes(file: &FileReview, hunk: Option<usize>) -> Vec<Note> {
    notes_of(file, hunk, NoteLength::Short)
}

/// The same with all lines that differ; of the text of an edit without a place up to a fixed number of lines.
pub fn whole_notes(file: &FileReview, hunk: Option<usize>) -> Vec<Note> {
    notes_of(file, hunk, NoteLength::Whole)
}

fn notes_of(file: &FileReview, hunk: Option<usize>, length: NoteLength) -> Vec<Note> {
    match hunk {
        None => file_notes(file),
        Some(hunk) => file
            .hunks
            .get(hunk)
            .map(|review| hunk_notes(file, hunk, &review.outcome, length))
            .unwrap_or_default(),
    }
}

/// Describes the contents of a file that is not text, in both versions if they are known.
fn opaque_words(file: &FileReview, opaque: &Opaque) -> String {
    let patched = file.hunks.iter().find_map(|hunk| match &hunk.step {
        Some(Step::Bytes(bytes)) => Some(bytes.len()),
        Some(_) | None => None,
    });
    if let Some(after) = patched.filter(|_| file.kind == FileKind::Modified) {
        return format!("not text: {} bytes before, {after} after", opaque.size);
    }
    match file.sides.as_ref().map(|sides| &sides.old) {
        Some(Found::Opaque(old)) if old != opaque => {
            format!("not text: {} bytes before, {} after", old.size, opaque.size)
        }
        _ => format!("not text: {} bytes", opaque.size),
    }
}

fn file_notes(file: &FileReview) -> Vec<Note> {
    let note = Note::new;
    let mut notes = Vec::new();
    let agent = (file.call.as_ref()).map_or("the agent", |call| call.agent.as_str());
    match file.standing {
        Standing::Open | Standing::Gone => (),
        Standing::Held => notes.push(note(
            NoteKind::Quiet,
            "waits: an earlier proposal for this file is decided first; shown as it fits the file now"
                .to_owned(),
        )),
        Standing::Answered => {
            notes.push(note(NoteKind::Settled, format!("{agent} has its answer")));
        }
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
    let announced = shared_announcement(file).map(announcement_note);
    notes.extend(announced);
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
    let through = remarks().find(|remark| matches!(remark, Remark::ThroughLink(_)));
    notes.extend(through.map(|remark| note(NoteKind::Detail, remark_words(remark))));
    let endings = remarks().find(|remark| matches!(remark, Remark::Endings(_)));
    notes.extend(endings.map(|remark| note(NoteKind::Quiet, remark_words(remark))));
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
    let unread = file.hunks.iter().find_map(|hunk| hunk.unread_rejections());
    notes.extend(unread.map(|remark| {
        let words = remark_words(remark);
        note(
            NoteKind::Headline,
            format!("{words}; it is never accepted in batch"),
        )
    }));
    let mut makers: Vec<String> = remarks()
        .filter(|remark| matches!(remark, Remark::MadeBy(_)))
        .map(remark_words)
        .collect();
    makers.dedup();
    notes.extend(makers.into_iter().map(|words| note(NoteKind::Quiet, words)));
    notes.extend(losses(file));
    notes.extend(already_applied(file));
    notes
}

/// Describes the hunks of a file that are already applied, in one line however many they are.
fn already_applied(file: &FileReview) -> Option<Note> {
    let applied: Vec<(usize, &HunkReview)> = (file.hunks.iter().enumerate())
        .filter(|(_, hunk)| hunk.is_applied())
        .collect();
    let text = match applied.as_slice() {
        [] => return None,
        all if all.len() == file.hunks.len() => "already applied: nothing to change".to_owned(),
        few if few.len() <= MOST_APPLIED => {
            let named: Vec<String> = few
                .iter()
                .map(|(hunk, review)| {
                    let number = hunk + 1;
                    if let Outcome::AlreadyApplied { at: Some(line) } = review.outcome {
                        format!("hunk {number} (line {line})")
                    } else {
                        format!("hunk {number}")
                    }
                })
                .collect();
            format!("already applied: {}", named.join(", "))
        }
        many => format!(
            "already applied: {} of {} hunks",
            many.len(),
            file.number_of(0).1
        ),
    };
    Some(Note::new(NoteKind::Settled, text))
}

/// Returns the sentence with which the agent announced all hunks of a file, if they have the same one.
fn shared_announcement(file: &FileReview) -> Option<&Arc<str>> {
    let first = file.hunks.first()?.announcement()?;
    let is_same = |hunk: &HunkReview| hunk.announcement() == Some(first);
    file.hunks.iter().all(is_same).then_some(first)
}

/// Returns the sentence with which the agent announced a hunk, if it is not the one of all hunks, nor of the hunk before.
fn own_announcement(file: &FileReview, hunk: usize) -> Option<&Arc<str>> {
    let own = file.hunks.get(hunk)?.announcement()?;
    let is_told = match hunk.checked_sub(1) {
        Some(before) => file.hunks[before].announcement() == Some(own),
        None => shared_announcement(file).is_some(),
    };
    (!is_told).then_some(own)
}

fn announcement_note(text: &Arc<str>) -> Note {
    Note::new(NoteKind::Quiet, format!("“{text}”"))
}

/// Returns a note for each thing that the file would lose, which all hunks of a write share.
fn losses(file: &FileReview) -> impl Iterator<Item = Note> {
    let mut losses: Vec<&Loss> = Vec::new();
    for remark in file.hunks.iter().flat_map(|hunk| &hunk.remarks) {
        if let Remark::Loss(loss) = remark
            && !losses.contains(&loss)
        {
            losses.push(loss);
        }
    }
    losses.into_iter().map(|loss| {
        Note::new(
            NoteKind::Headline,
            format!("{loss}; it is never accepted in batch"),
        )
    })
}

/// Describes what the person decided about such a change before, with the lines of the rejected version that are gone.
fn recurrence_notes(review: &HunkReview) -> Vec<Note> {
    let Some(recurrence) = review.recurrence() else {
        return Vec::new();
    };
    let kind = if recurrence.kind.is_rejected() {
        NoteKind::Headline
    } else {
        NoteKind::Detail
    };
    let mut notes = vec![Note::new(kind, recurrence.to_string())];
    let dropped = &recurrence.dropped;
    if !dropped.is_empty() {
        let lines = plural(dropped.len(), "line");
        notes.push(Note::new(
            NoteKind::Detail,
            format!("without {lines} of that version:"),
        ));
    }
    let quoted = dropped.iter().take(MOST_DROPPED);
    notes.extend(quoted.map(|line| edit_line(NoteKind::Detail, '−', line)));
    let more = dropped.len().saturating_sub(MOST_DROPPED);
    notes.extend((more > 0).then(|| Note::new(NoteKind::Detail, format!("and {more} more"))));
    notes
}

fn hunk_notes(file: &FileReview, hunk: usize, outcome: &Outcome, length: NoteLength) -> Vec<Note> {
    let review = &file.hunks[hunk];
    let headline = |text: String| Note::new(NoteKind::Headline, text);
    match outcome {
        Outcome::Placed(placement) => {
            let announced = own_announcement(file, hunk).map(announcement_note);
            let mut notes: Vec<Note> = announced.into_iter().collect();
            notes.extend(recurrence_notes(review));
            if placement.doubt.is_some() {
                notes.push(headline(Reason::Doubtful(placement.doubt).to_string()));
                notes.extend(doubtful_lines(placement, length.limit(MOST_DOUBTS)));
            }
            notes.extend(not_removed(review));
            notes.extend(kept_edit(review));
            notes
        }
        Outcome::Refused if !review.can_be_dropped() && review.kept_edit().is_none() => Vec::new(),
        Outcome::Refused => {
            let words = format!("hunk {} cannot be written", file.number_of(hunk).0);
            let mut notes = vec![headline(words)];
            notes.extend(edit_text(review));
            notes
        }
        // The note of the file names it.
        Outcome::AlreadyApplied { .. } => kept_edit(review),
        Outcome::Follows { hunks } => {
            let (own, leader) = (hunk + 1, hunks.start + 1);
            let text = if leader > own {
                format!("hunk {leader} replaces hunk {own}, which is decided with it")
            } else {
                format!("hunk {own} continues hunk {leader}, and is decided with it")
            };
            // The net change shows no step by itself: its sentence tells it from the others.
            let text = match own_announcement(file, hunk) {
                Some(sentence) => format!("{text}: “{sentence}”"),
                None => text,
            };
            let mut notes = vec![Note::new(NoteKind::Quiet, text)];
            notes.extend(kept_edit(review));
            notes
        }
        Outcome::Unplaced(unplaced) => {
            let words = unplaced_words(unplaced);
            let mut notes = vec![headline(format!(
                "hunk {}: {words}",
                file.number_of(hunk).0
            ))];
            notes.extend(own_announcement(file, hunk).map(announcement_note));
            notes.extend(recurrence_notes(review));
            let moved = |remark: &&Remark| matches!(remark, Remark::InAnotherFile { .. });
            let moved = review.remarks.iter().filter(moved);
            notes.extend(moved.map(|remark| headline(remark_words(remark))));
            match unplaced {
                Unplaced::Ambiguous { places, .. } => notes.extend(places.iter().map(|place| {
                    let scope = place
                        .scope
                        .as_deref()
                        .map(|scope| format!(" in `{scope}`"))
                        .unwrap_or_default();
                    Note::new(NoteKind::Detail, format!("line {}{scope}", place.line))
                })),
                Unplaced::NotFound { nearest } | Unplaced::Conflict { nearest, .. } => {
                    if let Some(nearest) = nearest.first() {
                        notes.extend(nearest_notes(nearest, review, length));
                        return notes;
                    }
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
