//! Snapshot of the decisions about one hunk.

use std::ops::Range;
use std::sync::Arc;

use crate::proposal::Body;
use crate::review::rejections::{ApprovedChange, is_approved};
use crate::review::session::hunk::{ChangedLine, HunkReview, HunkState, Part, Step};
use crate::text::{Document, LineIdx};

/// A hunk as far as its decisions depend on it.
#[derive(Debug, Clone)]
pub(super) struct HunkImprint {
    /// The base lines that it changes, with its context; `None` if it has no place.
    pub(super) stands: Option<Range<LineIdx>>,
    pub(super) step: Option<Step>,
    pub(super) proposed: Arc<[ChangedLine]>,
    pub(super) state: HunkState,
    pub(super) part: Option<Part>,
    /// The place chosen by a person or by the apply model.
    pub(super) chosen: Option<ChosenPlace>,
    /// An edit that was made for lines which have changed on disk since.
    pub(super) kept_edit: Option<Arc<Body>>,
    /// The identity of its change with the lines around it.
    pub(super) identity: Option<Arc<str>>,
    /// Acceptance of its change, as it is.
    pub(super) acceptance: Acceptance,
}

/// Acceptance of a change as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Acceptance {
    None,
    /// Not all of its lines were shown to the person.
    Unseen,
    /// All of its lines were shown to the person.
    Shown,
}

/// A place that was found by no rule.
#[derive(Debug, Clone)]
pub(super) struct ChosenPlace {
    pub(super) lines: Range<LineIdx>,
    /// The lines of the apply model.
    pub(super) becomes: Option<Vec<String>>,
}

impl ChosenPlace {
    pub(super) fn of(hunk: &HunkReview, base: &Document) -> Option<Self> {
        let placement = hunk.placement()?;
        let lines = placement.lines.clone();
        if hunk.is_by_model() {
            let mut becomes = Vec::new();
            let mut next = lines.start;
            let kept = |range: Range<LineIdx>| range.map(|idx| base.line(idx).to_owned());
            for change in &placement.changes {
                becomes.extend(kept(next..change.lines.start));
                becomes.extend(change.with.iter().cloned());
                next = change.lines.end;
            }
            becomes.extend(kept(next..lines.end));
            let becomes = Some(becomes);
            return Some(Self { lines, becomes });
        }
        let becomes = None;
        hunk.is_by_hand().then_some(Self { lines, becomes })
    }
}

impl HunkImprint {
    /// Copies the state of a hunk of a file with this base text.
    pub(super) fn of(hunk: &HunkReview, base: &Document) -> Self {
        Self {
            stands: hunk.placement().map(|placement| {
                let (lines, changed) = (&placement.lines, hunk.whole());
                let start = changed
                    .first()
                    .map_or(lines.start, |line| line.at.min(lines.start));
                let end = changed
                    .last()
                    .map_or(lines.end, |line| line.end().max(lines.end));
                start..end.min(base.len()).max(start)
            }),
            step: hunk.step.clone(),
            proposed: Arc::clone(hunk.whole()),
            state: hunk.state.clone(),
            part: hunk.part.clone(),
            chosen: ChosenPlace::of(hunk, base),
            kept_edit: hunk.kept_edit.clone(),
            identity: hunk.identity.clone(),
            acceptance: match is_approved(hunk) {
                true if hunk.is_shown_whole() => Acceptance::Shown,
                true => Acceptance::Unseen,
                false => Acceptance::None,
            },
        }
    }

    /// Returns its change, if it is accepted as it is and has an identity.
    pub(super) fn approved(&self) -> Option<ApprovedChange> {
        let shown = match self.acceptance {
            Acceptance::None => return None,
            Acceptance::Unseen => false,
            Acceptance::Shown => true,
        };
        Some(ApprovedChange {
            content: self.identity.as_deref()?.to_owned(),
            shown,
        })
    }

    pub(super) fn is_later_part(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.lines.start > 0)
    }

    pub(super) fn is_fresh(&self) -> bool {
        let is_placed = self.chosen.is_some();
        self.state.is_fresh() && self.part.is_none() && !is_placed && self.kept_edit.is_none()
    }
}
