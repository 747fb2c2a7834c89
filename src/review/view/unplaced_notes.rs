//! Notes on an edit without a place: its text, and the lines of the file that are most like it.

use super::note::{Note, NoteKind};
use crate::locate::{Differs, Nearest};
use crate::proposal::Body;
use crate::review::session::hunk::HunkReview;
use crate::review::wording::nearest_words;

/// The most lines of a hunk's own text that a note quotes.
const MOST_QUOTED: usize = 8;
/// The most lines of an edit without a place that its note shows.
const MOST_EDIT_LINES: usize = 400;

/// Heading of an edit by the person that has no place.
const KEPT: &str =
    "your edit was made for lines that have changed since. It is written once you place it:";

/// Returns the text of an edit without a place: the lines it removes, keeps and adds.
pub(super) fn edit_text(review: &HunkReview) -> Vec<Note> {
    let Some(Body {
        preimage: old,
        postimage: new,
    }) = review.stated_lines()
    else {
        return Vec::new();
    };
    let head = match review.kept_edit() {
        Some(_) => (NoteKind::Headline, KEPT),
        None => (NoteKind::Detail, "the edit:"),
    };
    let mut notes = vec![Note::new(head.0, head.1)];
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, old, new) {
        if op.tag() == similar::DiffTag::Equal {
            let kept = old[op.old_range()].iter();
            notes.extend(kept.map(|text| edit_line(NoteKind::Detail, ' ', text)));
            continue;
        }
        let removed = old[op.old_range()].iter();
        notes.extend(removed.map(|text| edit_line(NoteKind::Found, '−', text)));
        let added = new[op.new_range()].iter();
        notes.extend(added.map(|text| edit_line(NoteKind::Expected, '+', text)));
    }
    let more = notes.len().saturating_sub(MOST_EDIT_LINES + 1);
    if more > 0 {
        notes.truncate(MOST_EDIT_LINES + 1);
        notes.push(Note::new(
            NoteKind::Detail,
            format!("and {more} more lines"),
        ));
    }
    notes
}

/// Returns the text of the person's edit of a hunk that was made for lines which have changed since.
pub(super) fn kept_edit(review: &HunkReview) -> Vec<Note> {
    match review.kept_edit() {
        Some(_) => edit_text(review),
        None => Vec::new(),
    }
}

/// Returns a line of an edit, with its sign.
pub(super) fn edit_line(kind: NoteKind, sign: char, text: &str) -> Note {
    Note::new(kind, format!("{sign} {text}"))
}

/// Returns the lines that a hunk placed by hand replaces and that the file does not have at its place, so that they are not removed.
pub(super) fn not_removed(review: &HunkReview) -> Vec<Note> {
    let stays = review.not_removed();
    if stays.is_empty() {
        return Vec::new();
    }
    let head = Note::new(
        NoteKind::Headline,
        "expected, not in the file, so not removed:",
    );
    let lines = stays
        .iter()
        .take(MOST_QUOTED)
        .map(|text| Note::new(NoteKind::Found, format!("− {text}")));
    let mut notes: Vec<Note> = [head].into_iter().chain(lines).collect();
    let more = stays.len().saturating_sub(MOST_QUOTED);
    notes.extend((more > 0).then(|| Note::new(NoteKind::Detail, format!("and {more} more"))));
    notes
}

pub(super) fn nearest_notes(nearest: &Nearest) -> Vec<Note> {
    let differs = &nearest.differs;
    let here = if differs.is_empty() {
        ""
    } else {
        "; they differ here:"
    };
    let head = format!("{}{here}", nearest_words(nearest));
    let mut notes = vec![Note::new(NoteKind::Detail, head)];
    notes.extend(differing_lines(differs, MOST_QUOTED));
    notes
}

/// Returns the first lines that differ, as the file has them and as the edit has them, and how many more there are.
pub(super) fn differing_lines(differs: &[Differs], most: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    for Differs {
        line,
        found,
        expected,
    } in differs.iter().take(most)
    {
        let number = line.map(|line| line.to_string()).unwrap_or_default();
        if let Some(found) = found {
            notes.push(Note::new(
                NoteKind::Found,
                format!("{number:>5} the file has  {found}"),
            ));
        }
        if let Some(expected) = expected {
            notes.push(Note::new(
                NoteKind::Expected,
                format!("{:>5} the edit has  {expected}", ""),
            ));
        }
    }
    if differs.len() > most {
        notes.push(Note::new(
            NoteKind::Detail,
            format!("and {} more", differs.len() - most),
        ));
    }
    notes
}
