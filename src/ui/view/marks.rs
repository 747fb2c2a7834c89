//! Marks and counts in words and signs.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::review::{Decision, Mark, Standing};
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::summary::FileSummary;

/// The sign of a mark, with its style.
pub(crate) fn mark(look: &DisplaySettings, mark: Option<Mark>) -> (&'static str, Style) {
    let (signs, theme) = (&look.signs, &look.theme);
    match mark {
        Some(Mark::Undecided) => (signs.undecided, theme.undecided),
        Some(Mark::Accepted) => (signs.accepted, theme.accepted),
        Some(Mark::Rejected) => (signs.rejected, theme.rejected),
        Some(Mark::Mixed) => (signs.mixed, theme.edited),
        None => (" ", theme.text),
    }
}

/// Returns the sign of a file with its style: attention first, then the decision.
pub(crate) fn file(look: &DisplaySettings, summary: &FileSummary) -> (&'static str, Style) {
    let (signs, theme) = (&look.signs, &look.theme);
    match summary.standing {
        Standing::Open | Standing::Gone => (),
        Standing::Held => return (signs.fold, theme.quiet),
        Standing::Answered => return (signs.applied, theme.quiet),
        Standing::Withdrawn => return (signs.rejected, theme.quiet),
    }
    if summary.needs_attention() {
        (look.signs.attention, look.theme.attention)
    } else {
        mark(look, summary.mark)
    }
}

/// The sign of a decision, with its style.
pub(crate) fn decision(look: &DisplaySettings, decision: Decision) -> (&'static str, Style) {
    mark(look, Some(decision.into()))
}

/// Formats counts of added and removed lines.
pub(crate) fn counts(look: &DisplaySettings, added: usize, removed: usize) -> Vec<Span<'static>> {
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
