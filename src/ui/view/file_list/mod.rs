//! The list of all files, over the whole screen.

mod file_row;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line, put};
use super::row_names::{self, RowName};
use super::{group_heading, truncate};
use crate::ui::command::{Command, ReaderPage};
use crate::ui::file_list::{FileListRow, ListGroup};
use crate::ui::glyphs::{self, wrap};
use crate::ui::keymap::KeyContext;
use crate::ui::state::app::App;
use crate::ui::state::mode::Mode;
use file_row::{FileColumns, ListedRow};

pub(crate) fn draw(buffer: &mut Buffer, app: &App) {
    let screen = app.file_list_areas();
    intent(buffer, screen.intent, app);
    title(buffer, screen.list.title, app);
    let body = screen.list.body;
    let columns = FileColumns::new(app, body.width);
    let rows = app.file_list.rows.iter().copied().enumerate();
    let rows = rows.skip(app.file_list.top).zip(body.rows());
    let rows: Vec<((usize, FileListRow), Rect)> = rows.collect();
    let listed = rows.iter().map(|&(row, area)| columns.row(app, area, row));
    let listed: Vec<Option<ListedRow>> = listed.collect();
    let names = listed
        .iter()
        .map(|row| row.as_ref().map(ListedRow::cut_name));
    let names: Vec<RowName> = names.map(Option::unwrap_or_default).collect();
    let names = row_names::cut_all(&app.display, &names);
    for (((at, row), area), (listed, name)) in rows.into_iter().zip(listed.into_iter().zip(names)) {
        if let Some(listed) = listed {
            listed.draw(buffer, app, &name);
        }
        match row {
            FileListRow::Group(of) => group(buffer, area, app, of),
            FileListRow::Problem(problem) => unread(buffer, area, app, problem),
            FileListRow::Folder(_) | FileListRow::File(_) | FileListRow::Part { .. } => (),
        }
        if at == app.file_list.cursor {
            let sign = app.display.signs.here;
            put(buffer, area.as_position(), sign, app.display.theme.key);
        }
    }
    if app.file_list.rows.is_empty() {
        nothing(buffer, body, app);
    }
    problems(buffer, screen.problems, app);
}

/// Draws the agent's intent.
fn intent(buffer: &mut Buffer, area: Rect, app: &App) {
    let lines = app.intent_lines();
    let is_cut = lines.len() > area.height.into();
    let plan = (app.keymap).key_for(KeyContext::FileList, Command::Read(ReaderPage::Plan));
    let more = format!(" {} {plan} shows all", app.display.signs.cut);
    let width = usize::from(area.width).saturating_sub(1);
    for (line, row) in lines.iter().zip(area.rows()) {
        let is_last = row.y + 1 == area.bottom();
        let text = if is_cut && is_last {
            let room = width.saturating_sub(glyphs::width(&more));
            truncate::start(&app.display, line, room) + &more
        } else {
            truncate::start(&app.display, line, width)
        };
        let pieces = [Span::styled(format!(" {text}"), app.display.theme.quiet)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}

fn title(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = &app.display.theme;
    let (rule, dot) = (app.display.signs.horizontal, app.display.signs.dot);
    let mut pieces = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" All files ", theme.strong),
        Span::styled(format!("{dot} {} ", app.file_list.sort.name()), theme.quiet),
    ];
    if let Some(words) = app.file_list.filter_words(app.session.files.len()) {
        pieces.push(Span::styled(format!("{dot} {words} "), theme.edited));
    }
    let pieces = truncate::whole(pieces, area.width);
    fill_line(buffer, area, &pieces, (rule, theme.border));
    let chosen = app.file_list.chosen().len();
    if chosen > 0 {
        let words = Span::styled(format!(" {chosen} chosen "), theme.key);
        at_right(buffer, area, &[words], 20);
    }
}

/// Draws a part of the input that could not be read and names no file of the review.
fn unread(buffer: &mut Buffer, area: Rect, app: &App, problem: usize) {
    let theme = &app.display.theme;
    let here = app.file_list.row() == Some(FileListRow::Problem(problem));
    let base = if here { theme.cursor } else { Style::new() };
    let right = [Span::styled("  could not be read ", theme.attention)];
    let left = at_right(buffer, area, &right, 12);
    let room = usize::from(left.width).saturating_sub(4);
    let pieces = vec![
        Span::raw(" "),
        Span::styled(app.display.signs.attention, theme.attention),
        Span::raw("  "),
        Span::styled(
            truncate::end(&app.display, &app.unread_name(problem), room),
            theme.text,
        ),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}

/// The head of a group, with its numbers.
fn group(buffer: &mut Buffer, area: Rect, app: &App, group: ListGroup) {
    // A file that was decided stays in its row, and is in another group already.
    let is_in = |row: &FileListRow| app.file_list.sort.group(*row, &app.summaries) == Some(group);
    let mut members = app.file_list.members(FileListRow::Group(group));
    members.retain(is_in);
    group_heading::draw(buffer, area, app, group, &members);
    if app.file_list.row() == Some(FileListRow::Group(group)) {
        buffer.set_style(area, app.display.theme.cursor);
    }
}

/// Why the list is empty, and what to do about it.
fn nothing(buffer: &mut Buffer, area: Rect, app: &App) {
    let words = if app.file_list.filter.is_empty() {
        "no files: the input contains no edits".to_owned()
    } else {
        let context = if matches!(app.mode, Mode::FileList) {
            KeyContext::FileList
        } else {
            KeyContext::Prompt
        };
        let back = app.keymap.key_for(context, Command::Back);
        format!("no match; {back} clears the filter")
    };
    let room = usize::from(area.width).saturating_sub(4);
    for (words, row) in wrap::words(&words, room).into_iter().zip(area.rows()) {
        let pieces = vec![Span::styled(format!("   {words}"), app.display.theme.quiet)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}

/// Draws the problems of the input, which belong to no file.
fn problems(buffer: &mut Buffer, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let look = &app.display;
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
        let text = truncate::start(look, &text, area.width.into());
        let pieces = vec![Span::styled(text, look.theme.attention)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}
