//! The list of all files, over the whole screen.

mod file;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{at_right, fill_line, fit, put};
use crate::ui::app::App;
use crate::ui::batch::{BatchRow, Group};
use crate::ui::command::Command;
use crate::ui::keymap::Place;
use file::Columns;

pub(super) fn draw(buffer: &mut Buffer, app: &App) {
    let screen = app.batch_screen();
    intent(buffer, screen.intent, app);
    title(buffer, screen.list.title, app);
    let body = screen.list.body;
    let columns = Columns::new(app, body.width);
    let rows = app.batch.rows.iter().enumerate().skip(app.batch.top);
    for ((at, row), y) in rows.zip(body.y..body.bottom()) {
        let area = Rect {
            y,
            height: 1,
            ..body
        };
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
    for (line, y) in app.intent().zip(area.y..area.bottom()) {
        let text = fit::start(&app.look, line, usize::from(area.width).saturating_sub(2));
        let pieces = vec![Span::styled(format!(" {text}"), app.look.theme.quiet)];
        fill_line(
            buffer,
            Rect {
                y,
                height: 1,
                ..area
            },
            pieces,
            (" ", Style::new()),
        );
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
    fill_line(buffer, area, pieces, (rule, theme.border));
    let chosen = app.batch.chosen().len();
    if chosen > 0 {
        let words = Span::styled(format!(" {chosen} chosen "), theme.key);
        at_right(buffer, area, vec![words], 20);
    }
}

/// The head of a group, with its numbers.
fn group(buffer: &mut Buffer, area: Rect, app: &App, group: Group) {
    let theme = &app.look.theme;
    let members = app.batch.members(group);
    let hunks: usize = (members.iter())
        .map(|&file| app.summaries.files[file].counts.hunks)
        .sum();
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let dot = app.look.signs.dot;
    let numbers = format!(
        "{dot} {} {dot} {} ",
        count(members.len(), "file"),
        count(hunks, "hunk")
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
    fill_line(buffer, area, pieces, (rule, theme.border));
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
    let line = Rect {
        height: area.height.min(1),
        ..area
    };
    let text = fit::start(&app.look, &words, usize::from(area.width).saturating_sub(4));
    let pieces = vec![Span::styled(format!("   {text}"), app.look.theme.quiet)];
    fill_line(buffer, line, pieces, (" ", Style::new()));
}

/// What could not be read of the input: it is not among the files, and nothing of it can be accepted.
fn problems(buffer: &mut Buffer, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let (signs, theme) = (&app.look.signs, &app.look.theme);
    let head = vec![
        Span::styled(signs.horizontal.repeat(2), theme.border),
        Span::styled(" Not understood ", theme.attention),
    ];
    fill_line(
        buffer,
        Rect { height: 1, ..area },
        head,
        (signs.horizontal, theme.border),
    );
    for (problem, y) in app.session.problems.iter().zip(area.y + 1..area.bottom()) {
        let file = problem
            .path
            .as_ref()
            .map(|path| format!("{path}: "))
            .unwrap_or_default();
        let text = fit::start(
            &app.look,
            &format!("{file}input {problem}"),
            usize::from(area.width).saturating_sub(4),
        );
        let pieces = vec![Span::styled(
            format!(" {} {text}", signs.attention),
            theme.attention,
        )];
        fill_line(
            buffer,
            Rect {
                y,
                height: 1,
                ..area
            },
            pieces,
            (" ", Style::new()),
        );
    }
}
