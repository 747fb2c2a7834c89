//! Targets of a question to the apply model: a hunk without a place, or lines of the right side.

use std::ops::Range;

use super::app::App;
use crate::review::Row;
use crate::text::LineIdx;

/// Returns true if the apply model can be asked about something at the cursor.
pub(crate) fn can_ask(app: &App) -> bool {
    let free = app.model.as_ref().is_some_and(|model| model.open.is_none());
    let here = || app.stream.hunk().and_then(|id| app.session.question(id));
    free && (chosen(app).is_some() || here().is_some())
}

/// The lines of the right side that are selected, else those that the hunk of the cursor brings.
pub(crate) fn chosen(app: &App) -> Option<(usize, Range<LineIdx>)> {
    if let Some(rows) = app.selected() {
        let file = app.stream.file()?;
        let rows = rows.filter_map(|row| app.stream.rows.get(row));
        let own = rows.filter(|row| row.file() == file);
        return span(own.filter_map(Row::new_line)).map(|lines| (file, lines));
    }
    let id = app.stream.hunk()?;
    let state = &app.session.hunk(id)?.state;
    let added = state.lines.iter().enumerate();
    let added = added.filter(|(_, line)| line.adds.is_some());
    let file = &app.session.files[id.file];
    let lines = span(added.filter_map(|(at, _)| file.new_line(id.hunk, at)))?;
    Some((id.file, lines))
}

/// From the first of some lines to the last.
pub(crate) fn span(lines: impl Iterator<Item = LineIdx>) -> Option<Range<LineIdx>> {
    lines.fold(None, |span, idx| match span {
        None => Some(idx..idx + 1),
        Some(Range { start, end }) => Some(start.min(idx)..end.max(idx + 1)),
    })
}
