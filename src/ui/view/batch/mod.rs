//! The list of all files, over the whole screen.

mod file;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{at_right, fill_line, fit, put};
use crate::text::counted;
use crate::ui::app::App;
use crate::ui::batch::{BatchRow, Group};
use crate::ui::command::Command;
use crate::ui::keymap::Place;
use crate::ui::wrap;
use file::Columns;

pub(super) fn draw(buffer: &mut Buffer, app: &App) {
    let screen = app.batch_screen();
    intent(buffer, screen.intent, app);
    title(buffer, screen.list.title, app);
    let body = screen.list.body;
    let columns = Columns::new(app, body.width);
    let rows = app.batch.rows.iter().enumerate().skip(app.batch.top);
    for ((at, row), area) in rows.zip(body.rows()) {
        match row {
            BatchRow::Group(of) => group(buffer, area, app, *of),
            BatchRow::File(file) => columns.draw(buffer, area, app, *file, at),
        }
        if at == app.batch.cursor {
            let sign = app.look.signs.here;
            put(buffer, area.as_position(), sign, app.look.theme.key);
        }
    }
    if app.batch.rows.is_empty() {
        nothing(buffer, body, app);
    }
    problems(buffer, screen.problems, app);
}

/// What the agent says it wants.
fn intent(buffer: &mut Buffer, area: Rect, app: &App) {
    for (line, row) in app.intent_lines().into_iter().zip(area.rows()) {
        let text = fit::start(&app.look, line, area.width.into());
        let pieces = [Span::styled(format!(" {text}"), app.look.theme.quiet)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}

fn title(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = &app.look.theme;
    let (rule, dot) = (app.look.signs.horizontal, app.look.signs.dot);
    let mut pieces = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" All files ", theme.strong),
        Span::styled(format!("{dot} {} ", app.batch.sort.name()), theme.quiet),
    ];
    let filter = &app.batch.filter;
    if !filter.is_empty() {
        let (shown, all) = (app.batch.files.len(), app.session.files.len());
        pieces.push(Span::styled(
            format!("{dot} {shown} of {all} with `{filter}` "),
            theme.edited,
        ));
    }
    let pieces = fit::whole(pieces, area.width);
    fill_line(buffer, area, &pieces, (rule, theme.border));
    let chosen = app.batch.chosen().len();
    if chosen > 0 {
        let words = Span::styled(format!(" {chosen} chosen "), theme.key);
        at_right(buffer, area, &[words], 20);
    }
}

/// The head of a group, with its numbers.
fn group(buffer: &mut Buffer, area: Rect, app: &App, group: Group) {
    let theme = &app.look.theme;
    let members = app.batch.members(group);
    let hunks: usize = (members.iter())
        .map(|&file| app.summaries.files[file].counts.hunks)
        .sum();
    let dot = app.look.signs.dot;
    let numbers = format!(
        "{dot} {} {dot} {} ",
        counted(members.len(), "file"),
        counted(hunks, "hunk")
    );
    let here = app.batch.row() == Some(BatchRow::Group(group));
    let base = if here { theme.cursor } else { Style::new() };
    let rule = app.look.signs.horizontal;
    let pieces = vec![
        Span::raw(" "),
        Span::styled(rule, theme.border),
        Span::styled(format!(" {} ", group.name()), theme.strong),
        Span::styled(numbers, theme.quiet),
    ];
    fill_line(buffer, area, &pieces, (rule, theme.border));
    buffer.set_style(area, base);
}

/// Why the list is empty, and what to do about it.
fn nothing(buffer: &mut Buffer, area: Rect, app: &App) {
    let words = if app.batch.filter.is_empty() {
        "no files: nothing of the input is an edit of one".to_owned()
    } else {
        let back = app.keymap.told(Place::Prompt, Command::Back);
        format!("no file has a name like this: {back} while filtering shows all again")
    };
    let room = usize::from(area.width).saturating_sub(4);
    for (words, row) in wrap::words(&words, room).into_iter().zip(area.rows()) {
        let pieces = vec![Span::styled(format!("   {words}"), app.look.theme.quiet)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}

/// What could not be read of the input: it is not among the files, and nothing of it can be accepted.
fn problems(buffer: &mut Buffer, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let look = &app.look;
    let rule = look.signs.horizontal;
    let head = vec![
        Span::styled(rule.repeat(2), look.theme.border),
        Span::styled(" Not understood ", look.theme.attention),
    ];
    let title = Rect { height: 1, ..area };
    fill_line(buffer, title, &head, (rule, look.theme.border));
    let room = usize::from(area.height).saturating_sub(1);
    let mut lines = app.problem_lines(room + 1);
    let mut more = None;
    if lines.len() > room {
        lines.truncate(room.saturating_sub(1));
        let told = lines.last().map_or(0, |(at, ..)| at + 1);
        let left = app.session.problems.len().saturating_sub(told);
        more = Some(if left == 0 {
            look.signs.cut.to_owned()
        } else {
            format!("and {left} more")
        });
    }
    let told = lines.into_iter().map(|(_, begins, line)| {
        let sign = if begins { look.signs.attention } else { " " };
        format!(" {sign} {line}")
    });
    let more = more.map(|more| format!("   {more}"));
    for (text, row) in told.chain(more).zip(area.rows().skip(1)) {
        let text = fit::start(look, &text, area.width.into());
        let pieces = vec![Span::styled(text, look.theme.attention)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}
