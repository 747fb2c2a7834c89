//! Marks and counts in words and signs.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::review::{Decision, Mark, Standing};
use crate::ui::look::Look;
use crate::ui::summary::FileSummary;

/// The sign of a mark, with its style.
pub(super) fn mark(look: &Look, mark: Option<Mark>) -> (&'static str, Style) {
    let (signs, theme) = (&look.signs, &look.theme);
    match mark {
        Some(Mark::Undecided) => (signs.undecided, theme.undecided),
        Some(Mark::Accepted) => (signs.accepted, theme.accepted),
        Some(Mark::Rejected) => (signs.rejected, theme.rejected),
        Some(Mark::Mixed) => (signs.mixed, theme.edited),
        None => (" ", theme.text),
    }
}

/// The sign of a file, with its style: that it needs a look comes before what was decided of the rest.
pub(super) fn file(look: &Look, summary: &FileSummary) -> (&'static str, Style) {
    let (signs, theme) = (&look.signs, &look.theme);
    match summary.standing {
        Standing::Open | Standing::Gone => (),
        Standing::Held => return (signs.fold, theme.quiet),
        Standing::Answered => return (signs.applied, theme.quiet),
        Standing::Withdrawn => return (signs.rejected, theme.quiet),
    }
    if summary.attention > 0 {
        (look.signs.attention, look.theme.attention)
    } else {
        mark(look, summary.mark)
    }
}

/// The sign of a decision, with its style.
pub(super) fn decision(look: &Look, decision: Decision) -> (&'static str, Style) {
    mark(look, Some(decision.into()))
}

/// How many lines come and go.
pub(super) fn counts(look: &Look, added: usize, removed: usize) -> Vec<Span<'static>> {
    let mut pieces = Vec::new();
    if added > 0 {
        pieces.push(Span::styled(format!("+{added}"), look.theme.accepted));
    }
    if removed > 0 {
        let gap = if added > 0 { " " } else { "" };
        pieces.push(Span::styled(
            format!("{gap}{}{removed}", look.signs.minus),
            look.theme.rejected,
        ));
    }
    pieces
}
