//! Applies the decisions about a file of which both versions are known.
//!
//! A line that is in the new version as well keeps the bytes that it has there; one that is put back gets those of the
//! old version. So accepting all gives the new version to the byte, and rejecting all the old one.

use std::borrow::Cow;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::line_changes::keys;
use crate::review::session::decision::Mark;
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Step};
use crate::review::session::versions::{Found, Sides, Stance};
use crate::text::{Document, EncodeError, LineEnding, LineIdx};

/// The state of a file after the decisions are applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// There is no such file.
    Absent,
    /// The name is a symbolic link.
    Link {
        /// The target as the link holds it.
        to: String,
    },
    /// The name is a folder.
    Folder,
    /// There is one.
    File {
        /// Its name, relative to the root.
        path: String,
        /// Its bytes.
        bytes: Bytes,
        /// True if its owner may execute it.
        executable: bool,
    },
}

/// The bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bytes {
    /// The bytes of its old version.
    Old,
    /// The bytes of its new version.
    New,
    /// Something of both, or what the person wrote.
    These(Vec<u8>),
}

/// Carries out what was decided about a file; `None` if not both of its versions are known.
///
/// # Errors
///
/// [`EncodeError`] if the encoding that the file is to have lacks a character.
pub fn settle(file: &FileReview) -> Option<Result<Settled, EncodeError>> {
    let sides = file.sides.as_ref().filter(|_| file.refusal().is_none())?;
    Some(match sides.stance {
        Stance::Proposed => settled(file, sides),
        Stance::Standing if file.selects_undecided() => settled(file, sides),
        Stance::Standing => settled(&without_open_edits(file), sides),
    })
}

/// Returns the file with the agent's lines in the place of edits that nobody accepted.
pub(in crate::review) fn without_open_edits(file: &FileReview) -> FileReview {
    let mut file = file.clone();
    for hunk in &mut file.hunks {
        if hunk.state.edited && hunk.mark() == Some(Mark::Undecided) {
            hunk.put_back();
        }
    }
    file.rebuild();
    file
}

/// Returns the file with the agent's lines in the place of all edits.
pub(in crate::review) fn as_proposed(file: &FileReview) -> Cow<'_, FileReview> {
    if !file.hunks.iter().any(|hunk| hunk.state.edited) {
        return Cow::Borrowed(file);
    }
    let mut file = file.clone();
    for hunk in file.hunks.iter_mut().filter(|hunk| hunk.state.edited) {
        hunk.put_back();
    }
    file.rebuild();
    Cow::Owned(file)
}

fn settled(file: &FileReview, sides: &Sides) -> Result<Settled, EncodeError> {
    if let Some(settled) = settled_entry(file, sides) {
        return Ok(settled);
    }
    let bytes = bytes(file, sides)?;
    let (was, is) = (sides.old.executable(), sides.new.executable());
    let takes = |wanted: fn(&Step) -> bool| step(file, sides, wanted) == Some(true);
    let path = match &file.kind {
        FileKind::Renamed { to } if takes(|step| *step == Step::Rename) => to.clone(),
        FileKind::Renamed { .. }
        | FileKind::Modified
        | FileKind::Created
        | FileKind::Deleted
        | FileKind::Copied { .. } => file.path.clone(),
    };
    let takes_mode = takes(|step| matches!(step, Step::Mode { .. }));
    let executable = if takes_mode { is } else { was }.unwrap_or(false);
    Ok(bytes.map_or(Settled::Absent, |bytes| Settled::File {
        path,
        bytes,
        executable,
    }))
}

/// Returns what becomes of a name that is a symbolic link or a folder in one version; `None` if it becomes a file.
fn settled_entry(file: &FileReview, sides: &Sides) -> Option<Settled> {
    let is_entry = |found: &Found| matches!(found, Found::Link(_) | Found::Folder);
    if !is_entry(&sides.old) && !is_entry(&sides.new) {
        return None;
    }
    let takes = step(file, sides, replaces_entry);
    let takes = takes.unwrap_or_else(|| !lines(file, sides).is_empty());
    match if takes { &sides.new } else { &sides.old } {
        Found::Link(to) => Some(Settled::Link { to: to.clone() }),
        Found::Folder => Some(Settled::Folder),
        Found::Absent => Some(Settled::Absent),
        Found::Text { .. } | Found::Opaque(_) | Found::Refused(_) => None,
    }
}

/// Returns the bytes of the file; `None` if it is deleted.
fn bytes(file: &FileReview, sides: &Sides) -> Result<Option<Bytes>, EncodeError> {
    let one_of = |new: bool| Some(if new { Bytes::New } else { Bytes::Old });
    Ok(match (&sides.old, &sides.new) {
        (Found::Text { document: old, .. }, Found::Text { document: new, .. }) => {
            let frame = match step(file, sides, |step| matches!(step, Step::Form { .. })) {
                Some(false) => FormSource::Old,
                Some(true) => FormSource::New { same_form: false },
                None => FormSource::New { same_form: true },
            };
            Some(Bytes::These(text(file, sides, old, new, frame)?))
        }
        (_, Found::Link(_) | Found::Folder) => Some(Bytes::Old),
        (Found::Absent | Found::Link(_) | Found::Folder, Found::Text { document: new, .. })
            if !new.is_empty() =>
        {
            let frame = FormSource::New { same_form: false };
            let bytes = text(file, sides, &file.base, new, frame)?;
            Some(Bytes::These(bytes)).filter(|_| !lines(file, sides).is_empty())
        }
        (Found::Text { document: old, .. }, Found::Absent) if !old.is_empty() => {
            let nothing = Document::from_text("");
            let bytes = text(file, sides, old, &nothing, FormSource::Old)?;
            Some(Bytes::These(bytes)).filter(|_| !lines(file, sides).is_empty())
        }
        (Found::Absent, _) => match step(file, sides, |step| *step == Step::Create) {
            Some(true) => Some(Bytes::New),
            Some(false) | None => None,
        },
        (_, Found::Absent) => match step(file, sides, |step| *step == Step::Delete) {
            Some(true) => None,
            Some(false) | None => Some(Bytes::Old),
        },
        (_, _) => one_of(step(file, sides, |step| *step == Step::Content) != Some(false)),
    })
}

/// Returns true if a step is taken; `None` if there is no such step.
fn step(file: &FileReview, sides: &Sides, wanted: fn(&Step) -> bool) -> Option<bool> {
    let is_it = |hunk: &&HunkReview| hunk.step.as_ref().is_some_and(wanted);
    let hunk = file.hunks.iter().find(is_it)?;
    let marks = hunk.state.marks.first().copied().unwrap_or_default();
    Some(sides.stance.takes(marks.added))
}

/// The version that determines line endings and encoding.
#[derive(Debug, Clone, Copy)]
enum FormSource {
    Old,
    New {
        /// True if the lines that are in both versions have the same form in both.
        same_form: bool,
    },
}

/// A line of the outcome.
#[derive(Debug, Clone, Copy)]
enum OutcomeLine<'a> {
    /// A line of the old version.
    Kept(LineIdx),
    /// Another line.
    Added(&'a str),
}

/// Returns true if a step makes or removes the file as a whole.
fn replaces_entry(step: &Step) -> bool {
    matches!(
        step,
        Step::Link { .. }
            | Step::Unlink
            | Step::MakeFolder
            | Step::RemoveFolder
            | Step::Create
            | Step::Content
    )
}

/// The lines of the outcome, in order.
fn lines<'a>(file: &'a FileReview, sides: &Sides) -> Vec<OutcomeLine<'a>> {
    let mut lines = Vec::new();
    let mut done = 0;
    for group in &file.groups {
        let hunk = &file.hunks[group.hunk];
        lines.extend((done..group.base.start).map(OutcomeLine::Kept));
        for i in group.lines.clone() {
            let (line, marks) = (&hunk.state.lines[i], &hunk.state.marks[i]);
            if line.removes && !sides.stance.takes(marks.removed) {
                lines.push(OutcomeLine::Kept(line.at));
            }
            let added = line.adds.as_deref();
            let added = added.filter(|_| sides.stance.takes(marks.added));
            lines.extend(added.map(OutcomeLine::Added));
        }
        done = group.base.end;
    }
    lines.extend((done..file.base.len()).map(OutcomeLine::Kept));
    lines
}

/// The bytes of the outcome of two texts.
fn text(
    file: &FileReview,
    sides: &Sides,
    old: &Document,
    new: &Document,
    frame: FormSource,
) -> Result<Vec<u8>, EncodeError> {
    let lines = lines(file, sides);
    let said = compared_lines(&lines, old, new);
    let endings = match frame {
        FormSource::Old => endings_of_old(&lines, old),
        FormSource::New { same_form } => {
            let own = same_form.then_some(old);
            endings_of_new(&lines, &said, own, new)
        }
    };
    let mut text = String::with_capacity(old.text().len().max(new.text().len()));
    let count = said.len();
    for (n, ((line, ended), ending)) in said.into_iter().zip(endings).enumerate() {
        text.push_str(line);
        match ending {
            _ if n + 1 == count && !ended => (),
            LineEnding::None => text.push_str(LineEnding::Lf.as_str()),
            ending @ (LineEnding::Lf | LineEnding::CrLf) => text.push_str(ending.as_str()),
        }
    }
    match frame {
        FormSource::Old => old.encode(&text),
        FormSource::New { .. } => new.encode(&text),
    }
}

/// The endings of lines that are written as the old version is. An added line takes that of the line it replaces, else of the line
/// it follows.
fn endings_of_old(lines: &[OutcomeLine<'_>], old: &Document) -> Vec<LineEnding> {
    let mut endings = Vec::with_capacity(lines.len());
    let mut at = 0;
    let is_added = |line: &OutcomeLine<'_>| matches!(line, OutcomeLine::Added(_));
    for run in lines.chunk_by(|line, next| is_added(line) && is_added(next)) {
        if let [OutcomeLine::Kept(idx)] = run {
            endings.push(ending_at(old, *idx));
            at = idx + 1;
            continue;
        }
        let next = match lines.get(endings.len() + run.len()) {
            Some(OutcomeLine::Kept(idx)) => *idx,
            Some(OutcomeLine::Added(_)) | None => old.len(),
        };
        endings.extend((0..run.len()).map(|nth| ending_in(old, at..next, nth)));
    }
    endings
}

/// The endings of lines that are written as the new version is. A line that only the old one has keeps its own, if `own` says
/// how those are written. An added line takes that of the line it replaces, else of the line it follows.
fn endings_of_new(
    lines: &[OutcomeLine<'_>],
    said: &[(&str, bool)],
    own: Option<&Document>,
    new: &Document,
) -> Vec<LineEnding> {
    let mut endings = Vec::with_capacity(lines.len());
    for op in capture_diff_slices(Algorithm::Myers, said, &keys(new)) {
        let (ours, theirs) = (op.old_range(), op.new_range());
        match op.tag() {
            DiffTag::Equal => endings.extend(theirs.map(|idx| ending_at(new, idx))),
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                let mut others = 0;
                endings.extend(lines[ours].iter().map(|line| match (line, own) {
                    (OutcomeLine::Kept(idx), Some(old)) => ending_at(old, *idx),
                    (OutcomeLine::Kept(_) | OutcomeLine::Added(_), _) => {
                        others += 1;
                        ending_in(new, theirs.clone(), others - 1)
                    }
                }));
            }
        }
    }
    endings
}

/// The ending of the `nth` line of those that take the place of some lines of a text: of more than it had, the others follow the
/// last one.
fn ending_in(text: &Document, lines: Range<LineIdx>, nth: usize) -> LineEnding {
    if nth < lines.len() {
        ending_at(text, lines.start + nth)
    } else {
        text.ending_near(lines.end)
    }
}

/// The ending of a line; for a last one that has none, the one that it would have.
fn ending_at(text: &Document, idx: LineIdx) -> LineEnding {
    match text.ending(idx) {
        LineEnding::None => text.ending_near(idx),
        ending @ (LineEnding::Lf | LineEnding::CrLf) => ending,
    }
}

/// The lines of the outcome as they are compared: their texts, and whether they end.
fn compared_lines<'a>(
    lines: &[OutcomeLine<'a>],
    old: &'a Document,
    new: &Document,
) -> Vec<(&'a str, bool)> {
    let old = keys(old);
    let last = lines.len().saturating_sub(1);
    let is_last = |line: &str| keys(new).last() == Some(&(line, false));
    (lines.iter().enumerate())
        .map(|(n, line)| match *line {
            OutcomeLine::Kept(idx) => old.get(idx).copied().unwrap_or(("", true)),
            OutcomeLine::Added(text) => (text, n != last || !is_last(text)),
        })
        .collect()
}
