//! The bar at the top: what is reviewed, and how far it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::truncate;
use crate::text::plural;
use crate::ui::glyphs;
use crate::ui::state::app::App;

/// The cells of the bar that shows how much is decided.
const METER: usize = 12;

pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = &app.display.theme;
    buffer.set_style(area, theme.bar);
    let mut right = Vec::new();
    if !app.is_idle() {
        right = counts(app);
    }
    if area.width >= 80 && !right.is_empty() {
        right.extend(meter(app));
    }
    // Where there is room for one of them, the numbers are more than the name.
    let least = if area.width < 30 { 0 } else { 8 };
    let left = at_right(buffer, area, &right, least);
    let name = if left.width > 13 { " countersign " } else { "" };
    let mut pieces = vec![Span::styled(name, theme.strong)];
    let mut room = usize::from(left.width).saturating_sub(18);
    if let Some(call) = app.call().filter(|_| room > 12) {
        let agent = match app.waiting.time_of(&call.agent) {
            Some(time) => format!("{}, {time}", call.agent),
            None => call.agent.clone(),
        };
        let agent = truncate::start(&app.display, &agent, room / 2);
        room = room.saturating_sub(glyphs::width(&agent) + 2);
        pieces.push(Span::styled(format!(" {agent} "), theme.edited));
    }
    let filter = filter_words(app).filter(|_| room > 6);
    if let Some(filter) = &filter {
        let words = truncate::start(&app.display, filter, room);
        room = room.saturating_sub(glyphs::width(&words) + 1);
        pieces.push(Span::styled(format!(" {words}"), theme.edited));
    }
    // The list of all files shows more of it just below.
    let below = app.mode.shows_file_list() && !app.file_list_areas().intent.is_empty();
    let intent = app.intent().next().filter(|_| !below);
    if let Some(intent) = intent.filter(|_| room > 12) {
        pieces.push(Span::styled(
            format!(" {}", truncate::start(&app.display, intent.trim(), room)),
            theme.quiet,
        ));
    }
    fill_line(buffer, left, &pieces, (" ", theme.bar));
}

/// Returns the filter of the file list, where no list names it.
fn filter_words(app: &App) -> Option<String> {
    let is_named = app.mode.shows_file_list() || app.screen()?.list.is_some();
    let words = app.file_list.filter_words(app.session.files.len());
    words.filter(|_| !is_named)
}

/// Returns the counts of hunks by state.
fn counts(app: &App) -> Vec<Span<'static>> {
    let (counts, look) = (&app.summaries.counts, &app.display);
    let (signs, theme) = (&look.signs, &look.theme);
    let mut pieces = if app.size.width >= 60 {
        let files = format!("{} ", plural(counts.files, "file"));
        vec![Span::styled(files, theme.quiet)]
    } else {
        Vec::new()
    };
    let kinds = [
        (counts.accepted, signs.accepted, theme.accepted),
        (counts.rejected, signs.rejected, theme.rejected),
        (counts.mixed, signs.mixed, theme.edited),
        (counts.edited, signs.edited, theme.edited),
        (counts.undecided, signs.undecided, theme.text),
        (
            app.summaries.needs_attention,
            signs.attention,
            theme.attention,
        ),
    ];
    for (count, sign, style) in kinds {
        if count > 0 {
            pieces.push(Span::styled(format!(" {count} {sign} "), style));
        }
    }
    pieces
}

/// Returns the progress bar.
fn meter(app: &App) -> Vec<Span<'static>> {
    let (counts, look) = (&app.summaries.counts, &app.display);
    let all = (counts.hunks + counts.unplaced).max(1);
    let left = counts.undecided + counts.mixed + counts.unplaced;
    // The bar is full only when nothing is left.
    let most = METER - usize::from(left > 0);
    let cells = |count: usize| (count * METER).div_ceil(all);
    let accepted = cells(counts.accepted).min(most);
    let rejected = cells(counts.rejected).min(most - accepted);
    let rest = METER - accepted - rejected;
    vec![
        Span::raw(" "),
        Span::styled(look.signs.full.repeat(accepted), look.theme.accepted),
        Span::styled(look.signs.full.repeat(rejected), look.theme.rejected),
        Span::styled(look.signs.empty.repeat(rest), look.theme.quiet),
        Span::raw(" "),
    ]
}
