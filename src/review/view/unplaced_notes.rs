//! Notes on an edit without a place: its text, and the lines of the file that are most like it.

use super::line_difference::{DifferingParts, LineDifference};
use super::note::{Note, NoteKind};
use crate::locate::{Differs, Nearest, Placement};
use crate::proposal::{Body, FinalNewline};
use crate::review::session::hunk::{HunkReview, Side};
use crate::review::wording::nearest_words;
use crate::text::plural;

/// The most lines of a hunk's own text that a note quotes.
const MOST_QUOTED: usize = 8;
/// The most lines of an edit without a place that its note shows.
const MOST_EDIT_LINES: usize = 400;

/// Lines that are less similar than this are not compared.
const LEAST_COMPARED: f64 = 0.6;
/// Mark of a last line without newline, as in a diff.
const NO_NEWLINE: &str = "\\ No newline at end of file";

/// Heading of an edit by the person that has no place.
const KEPT: &str =
    "your edit was made for lines that have changed since. It is written once you place it:";

/// Length of the notes on a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteLength {
    /// They show the first lines.
    Short,
    /// They show all.
    Whole,
}

impl NoteLength {
    /// Returns the most lines of a kind, of which short notes show so many.
    pub(super) fn limit(self, short: usize) -> usize {
        match self {
            Self::Short => short,
            Self::Whole => usize::MAX,
        }
    }
}

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
    notes.extend(edit_lines(old, new, review.stated_final_newline()));
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

/// Returns the lines of an edit with their signs; what differs in those that replace each other is marked. A last line of which only
/// the newline changes is shown twice.
fn edit_lines(old: &[String], new: &[String], newline: FinalNewline) -> Vec<Note> {
    let mut notes = Vec::new();
    let ends_old = newline == FinalNewline::Add && !old.is_empty();
    let ends_new = newline == FinalNewline::Remove && !new.is_empty();
    let missing = || Note::new(NoteKind::Detail, NO_NEWLINE);
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, old, new) {
        let (removed, added) = (op.old_range(), op.new_range());
        let is_last_old = ends_old && removed.end == old.len() && !removed.is_empty();
        let is_last_new = ends_new && added.end == new.len() && !added.is_empty();
        if op.tag() == similar::DiffTag::Equal {
            let replaced = usize::from(is_last_old || is_last_new);
            let kept = &old[removed.start..removed.end - replaced];
            notes.extend(
                kept.iter()
                    .map(|text| edit_line(NoteKind::Detail, ' ', text)),
            );
            let last = old.get(removed.end - 1).filter(|_| replaced > 0);
            if let Some(last) = last {
                notes.push(edit_line(NoteKind::Found, '−', last));
                notes.extend(is_last_old.then(missing));
                notes.push(edit_line(NoteKind::Expected, '+', last));
                notes.extend(is_last_new.then(missing));
            }
            continue;
        }
        let pairs = old[removed.clone()].iter().zip(&new[added.clone()]);
        let pairs: Vec<LineDifference> = pairs
            .map(|(old, new)| LineDifference::new(old, new))
            .collect();
        let removed = &old[removed];
        notes.extend(signed_lines(NoteKind::Found, removed, &pairs, Side::Old));
        notes.extend(is_last_old.then(missing));
        let added = &new[added];
        notes.extend(signed_lines(NoteKind::Expected, added, &pairs, Side::New));
        notes.extend(is_last_new.then(missing));
    }
    notes
}

/// Returns removed or added lines with their signs, and what differs from the line that each is paired with.
fn signed_lines(
    kind: NoteKind,
    lines: &[String],
    pairs: &[LineDifference],
    side: Side,
) -> impl Iterator<Item = Note> {
    let sign = if side == Side::Old { "− " } else { "+ " };
    let none = DifferingParts::default();
    let lines = lines.iter().enumerate();
    lines.map(move |(nth, text)| {
        let parts = pairs.get(nth).map_or(&none, |pair| pair.of(side));
        Note::marked(kind, sign, text, parts)
    })
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

/// Returns the lines of the file that are most like those of a hunk, and in what they differ, above the text of the edit. Where they
/// have too little in common to be compared, the edit comes first.
pub(super) fn nearest_notes(
    nearest: &Nearest,
    review: &HunkReview,
    length: NoteLength,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if nearest.similarity < LEAST_COMPARED {
        notes.extend(edit_text(review));
        let head = format!("nothing similar was found; {}", nearest_words(nearest));
        notes.push(Note::new(NoteKind::Detail, head));
        return notes;
    }
    let differs: Vec<&Differs> = nearest.differs.iter().collect();
    let here = if differs.is_empty() {
        ""
    } else {
        "; they differ here:"
    };
    let head = format!("{}{here}", nearest_words(nearest));
    notes.push(Note::new(NoteKind::Detail, head));
    notes.extend(differing_lines(&differs, length.limit(MOST_QUOTED)));
    notes.extend(edit_text(review));
    notes
}

/// Returns the lines in which the place of a hunk differs from what it expects, without those that are shown as removed and added
/// below.
pub(super) fn doubtful_lines(placement: &Placement, most: usize) -> Vec<Note> {
    let differs: Vec<&Differs> = (placement.differs.iter())
        .filter(|differs| !is_visible(placement, differs))
        .collect();
    differing_lines(&differs, most)
}

/// Returns true if both lines of a difference are shown as removed and added.
fn is_visible(placement: &Placement, differs: &Differs) -> bool {
    let mut removed = placement.changes.iter();
    let mut added = placement.changes.iter();
    differs
        .line
        .is_none_or(|line| removed.any(|change| change.lines.contains(&line.idx())))
        && differs
            .expected
            .as_ref()
            .is_none_or(|text| added.any(|change| change.with.contains(text)))
}

/// Returns the first lines that differ, as the file has them and as the edit has them, and how many more there are.
fn differing_lines(differs: &[&Differs], most: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    for Differs {
        line,
        found,
        expected,
    } in differs.iter().take(most)
    {
        let number = line.map(|line| line.to_string()).unwrap_or_default();
        let pair = found.as_ref().zip(expected.as_ref());
        let pair = pair.map(|(found, expected)| LineDifference::new(found, expected));
        let pair = pair.unwrap_or_default();
        if let Some(found) = found {
            let before = format!("{number:>5} in the file: ");
            notes.push(Note::marked(NoteKind::Found, &before, found, &pair.old));
        }
        if let Some(expected) = expected {
            let before = format!("{:>5} in the edit: ", "");
            notes.push(Note::marked(
                NoteKind::Expected,
                &before,
                expected,
                &pair.new,
            ));
        }
    }
    if differs.len() > most {
        let more = plural(differs.len() - most, "more difference");
        notes.push(Note::new(NoteKind::More, more));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_that_alone_changes_is_shown() {
        let check = |old: &str, new: &str, newline: FinalNewline, expected: &str| {
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let notes = edit_lines(&lines(old), &lines(new), newline);
            let texts: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
            assert_eq!(texts.join("\n"), expected);
        };
        let no_newline = NO_NEWLINE;
        let add = FinalNewline::Add;
        check("a\nb", "a\nb", add, &format!("  a\n− b\n{no_newline}\n+ b"));
        check("a\nb", "a\nc", add, &format!("  a\n− b\n{no_newline}\n+ c"));
        let remove = FinalNewline::Remove;
        check(
            "a\nb",
            "a\nb",
            remove,
            &format!("  a\n− b\n+ b\n{no_newline}"),
        );
        check("a", "a\nb", remove, &format!("  a\n+ b\n{no_newline}"));
        check("a\nb", "a\nb", FinalNewline::Keep, "  a\n  b");
        check("", "", add, "");
    }
}
