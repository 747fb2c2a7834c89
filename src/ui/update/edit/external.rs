//! Editing in another program: the whole proposed file goes out, and what comes back is shared out among its hunks.
//!
//! Each hunk is responsible for the lines from its first change to the next hunk's; where the edited text begins to belong
//! to the next one is found by comparing it with what went out.

use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use super::in_place::{new_line, say_kept};
use crate::review::{FileReview, HunkId};
use crate::text::{Document, LineIdx, LineNo};
use crate::ui::action::Effect;
use crate::ui::services::external_editor::{EditedText, EditorError, ExternalEdit};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::unplaced_help;

/// More context than any file has lines.
const ALL: usize = 1 << 30;

/// The lines that a hunk is responsible for, in what went out and in what came back.
struct Share {
    hunk: usize,
    out: Range<LineIdx>,
    back: Range<LineIdx>,
}

/// Asks for the cursor's file to be edited outside.
pub(crate) fn open(app: &mut App) -> Effect {
    let Some(id) = app.stream.hunk() else {
        app.notify(Tone::Refused, unplaced_help::no_hunk(app));
        return Effect::None;
    };
    if let Some(why) = unplaced_help::words(app, id) {
        app.notify(Tone::Refused, why);
        return Effect::None;
    }
    let review = &app.session.files[id.file];
    Effect::OpenEditor(ExternalEdit {
        hunk: id,
        name: review.path.clone(),
        text: review.yours().text().to_owned(),
        line: LineNo::from_idx(new_line(app).unwrap_or(0)),
    })
}

/// Takes what an external editor left. The file that it left is deleted only if all of it was taken.
pub(crate) fn take_edited(
    app: &mut App,
    errand: &ExternalEdit,
    result: Result<EditedText, EditorError>,
) {
    let edited = match result {
        Ok(edited) => edited,
        Err(error) => return app.notify(Tone::Refused, error.to_string()),
    };
    match take_text(app, errand.hunk, &edited.text) {
        Ok(()) => edited.delete_file(),
        Err(why) => {
            let kept = edited.path().map_or_else(String::new, |path| {
                format!("kept in `{}`: ", path.display())
            });
            app.notify(Tone::Refused, format!("{kept}{why}"));
        }
    }
}

/// Takes a text of a file as edits of its hunks, or returns why not all of it was taken.
fn take_text(app: &mut App, id: HunkId, text: &str) -> Result<(), &'static str> {
    let review = (app.session.files.get(id.file))
        .ok_or("the file is no longer in the review, so nothing was taken")?;
    let before = Arc::clone(review.yours());
    let now = Document::from_text(text.to_owned());
    let shares = shares(review, id.hunk, &now)
        .ok_or("the hunks of this file lie within each other, so nothing was taken")?;
    // From the last to the first, so that no share moves the ones before it.
    let differing = shares
        .iter()
        .rev()
        .filter(|share| share.differs(&before, &now));
    let taken: Vec<bool> = differing
        .map(|share| take(app, id.file, share, &now))
        .collect();
    if taken.is_empty() {
        app.notify(Tone::Done, "nothing was changed");
        return Ok(());
    }
    app.lines_edited(id.file, 0, &before);
    app.go_to_hunk(id);
    if taken.contains(&false) {
        return Err(
            "a part of the edit belongs to a hunk that cannot be edited, and was not taken",
        );
    }
    say_kept(app);
    Ok(())
}

/// Makes the lines that came back for a hunk its edit; whether that could be done.
fn take(app: &mut App, file: usize, share: &Share, now: &Document) -> bool {
    let hunk = HunkId {
        file,
        hunk: share.hunk,
    };
    let Some(region) = app.session.begin_edit(hunk, ALL) else {
        return false;
    };
    let above = share
        .out
        .start
        .saturating_sub(region.first_new)
        .min(region.lines.len());
    let below = share
        .out
        .end
        .saturating_sub(region.first_new)
        .clamp(above, region.lines.len());
    let mut lines = region.lines[..above].to_vec();
    lines.extend(share.back.clone().map(|idx| now.line(idx).to_owned()));
    lines.extend_from_slice(&region.lines[below..]);
    app.session.edit(&region, &lines);
    app.session.finish_edit();
    true
}

impl Share {
    fn differs(&self, before: &Document, now: &Document) -> bool {
        let out = self.out.clone().map(|idx| before.line(idx));
        out.ne(self.back.clone().map(|idx| now.line(idx)))
    }
}

/// Distributes a file's lines among its hunks, or all to `only` if no hunk has changes left. `None` if the
/// changes of one hunk lie between those of another.
fn shares(review: &FileReview, only: usize, now: &Document) -> Option<Vec<Share>> {
    let starts = first_changes(review)?;
    let old: Vec<&str> = review.yours().lines().collect();
    let new: Vec<&str> = now.lines().collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut shares = Vec::with_capacity(starts.len().max(1));
    let hunks = if starts.is_empty() {
        vec![(only, 0)]
    } else {
        starts
    };
    for (i, &(hunk, start)) in hunks.iter().enumerate() {
        let start = if i == 0 { 0 } else { start };
        let end = hunks.get(i + 1).map_or(old.len(), |(_, next)| *next);
        let back_start = if i == 0 {
            0
        } else {
            image(&ops, start, new.len())
        };
        let back_end = if i + 1 == hunks.len() {
            new.len()
        } else {
            image(&ops, end, new.len())
        };
        shares.push(Share {
            hunk,
            out: start..end,
            back: back_start..back_end,
        });
    }
    Some(shares)
}

/// Each hunk with the position of its first change on the right side, in the order of the file.
fn first_changes(review: &FileReview) -> Option<Vec<(usize, LineIdx)>> {
    let mut starts: Vec<(usize, LineIdx)> = Vec::new();
    let mut shift = 0_isize;
    for group in &review.groups {
        let known = starts.iter().any(|(hunk, _)| *hunk == group.hunk);
        match starts.last() {
            Some((last, _)) if *last == group.hunk => (),
            Some(_) | None if known => return None,
            Some(_) | None => {
                starts.push((group.hunk, group.base.start.saturating_add_signed(shift)));
            }
        }
        shift += group.adds.cast_signed() - group.base.len().cast_signed();
    }
    Some(starts)
}

/// Returns the new position of a line.
fn image(ops: &[DiffOp], at: LineIdx, end: LineIdx) -> LineIdx {
    let Some(op) = ops.iter().find(|op| op.old_range().contains(&at)) else {
        return end;
    };
    let (old, new) = (op.old_range(), op.new_range());
    match op.tag() {
        DiffTag::Equal => new.start + (at - old.start),
        DiffTag::Delete | DiffTag::Insert | DiffTag::Replace if at == old.start => new.start,
        DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => new.end,
    }
}
