//! The file list at the side of the stream.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::{group_heading, marks, truncate};
use crate::ui::file_list::{FileListRow, INDENT};
use crate::ui::glyphs;
use crate::ui::layout::areas::Pane;
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::state::app::App;
use crate::ui::summary::{FileSummary, Progress};

/// The least cells of a name, with the mark in front of it: where there is no room for as much, facts are left out.
const LEAST: u16 = 11;
/// The cells around the name of a file: its mark, and the signs of edits and comments.
const AROUND: usize = 5;
/// The most cells for which a name that is not cut leaves facts out.
const WHOLE: usize = 16;

pub(crate) fn draw(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let mut title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Files ", theme.strong),
    ];
    if let Some(words) = app.file_list.filter_words(app.session.files.len()) {
        title.push(Span::styled(words + " ", theme.edited));
    }
    let order = format!("{} {} ", app.display.signs.dot, app.file_list.sort.name());
    title.push(Span::styled(order, theme.quiet));
    let title = truncate::whole(title, pane.title.width);
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    let top = app.list_top(pane.body.height.into());
    let list = &app.file_list;
    let here = app.listed_here();
    for ((at, entry), row) in list.rows.iter().enumerate().skip(top).zip(pane.body.rows()) {
        match *entry {
            FileListRow::File(file) | FileListRow::Part { file, .. } => {
                draw_file(buffer, row, app, (at, file), here == Some(at));
            }
            FileListRow::Folder(folder) => {
                draw_folder(buffer, row, app, (at, folder), here == Some(at));
            }
            FileListRow::Problem(at) => draw_problem(buffer, row, app, at),
            FileListRow::Group(group) => {
                group_heading::draw(buffer, row, app, group, &list.members(*entry));
            }
        }
    }
}

/// Draws the agents that wait, and for how long.
pub(crate) fn draw_waiting(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Waiting ", theme.strong),
    ];
    let title = truncate::whole(title, pane.title.width);
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    for ((agent, time), row) in app.waiting.rows().iter().zip(pane.body.rows()) {
        let right = [Span::styled(format!(" {time} "), theme.quiet)];
        let left = at_right(buffer, row, &right, 8);
        let room = usize::from(left.width).saturating_sub(2);
        let name = truncate::start(&app.display, agent, room);
        let pieces = [Span::raw(" "), Span::styled(name, theme.edited)];
        fill_line(buffer, left, &pieces, (" ", Style::new()));
    }
}

/// Draws a part of the input that could not be read.
fn draw_problem(buffer: &mut Buffer, area: Rect, app: &App, at: usize) {
    let (look, theme) = (&app.display, &app.display.theme);
    let here = app.unread_part() == Some(at);
    let base = if here { theme.cursor } else { Style::new() };
    let right = [Span::styled(" not read ", theme.quiet)];
    let left = at_right(buffer, area, &right, LEAST);
    let room = usize::from(left.width).saturating_sub(4);
    let name = truncate::path(look, &app.unread_name(at), room);
    let pieces = vec![
        Span::raw(" "),
        Span::styled(look.signs.attention, theme.attention),
        Span::raw(" "),
        Span::styled(name, if here { theme.strong } else { theme.text }),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}

/// Name of a row, with what belongs to it.
struct NamedRow<'a> {
    name: &'a str,
    /// Cells by which it is indented.
    indent: usize,
    style: Style,
    /// Words for what becomes of a file besides its lines.
    kinds: String,
    summary: &'a FileSummary,
}

impl NamedRow<'_> {
    /// Returns the cells of the last part of the name.
    fn last_name_width(&self) -> usize {
        let name = self.name.trim_end_matches('/');
        glyphs::width(name.rsplit('/').next().unwrap_or(name))
    }
}

/// Draws a file, or a part of one.
fn draw_file(buffer: &mut Buffer, area: Rect, app: &App, (at, file): (usize, usize), here: bool) {
    let theme = &app.display.theme;
    let indent = app.file_list.indent(at);
    let review = &app.session.files[file];
    let row = NamedRow {
        name: &review.path[indent.from..],
        indent: INDENT * indent.depth,
        style: if here { theme.strong } else { theme.text },
        kinds: app.summaries.files[file].kinds.join(" "),
        summary: &app.listed_summary(app.file_list.rows[at], file),
    };
    draw_row(buffer, area, app, &row, here);
}

/// Draws a folder, with the sums of its files.
fn draw_folder(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    (at, folder): (usize, usize),
    here: bool,
) {
    let theme = &app.display.theme;
    let indent = app.file_list.indent(at);
    let listed = &app.file_list.folders[folder];
    let row = NamedRow {
        name: &listed.path[indent.from..],
        indent: INDENT * indent.depth,
        style: if here { theme.strong } else { theme.quiet },
        kinds: listed.hidden(),
        summary: &FileSummary {
            added: 0,
            removed: 0,
            ..app.folder_summary(folder)
        },
    };
    draw_row(buffer, area, app, &row, here);
}

fn draw_row(buffer: &mut Buffer, area: Rect, app: &App, row: &NamedRow, here: bool) {
    let (look, theme) = (&app.display, &app.display.theme);
    let summary = row.summary;
    let base = if here { theme.cursor } else { Style::new() };
    buffer.set_style(area, base);
    let least = row.indent + usize::from(LEAST).max(AROUND + row.last_name_width().min(WHOLE));
    let room = usize::from(area.width).saturating_sub(least);
    let left = at_right(buffer, area, &facts(look, row, room), 0);
    let (sign, style) = marks::file(look, summary);
    let room = usize::from(left.width).saturating_sub(row.indent + AROUND);
    let edited = if summary.edited {
        look.signs.edited
    } else {
        ""
    };
    let comment = if summary.commented {
        look.signs.comment
    } else {
        ""
    };
    let pieces = vec![
        Span::raw(" "),
        Span::styled(sign, style),
        Span::raw(" ".repeat(1 + row.indent)),
        Span::styled(truncate::path(look, row.name, room), row.style),
        Span::styled(edited, theme.edited),
        Span::styled(comment, theme.comment),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}

/// Returns the facts at the right of a row that fit into a number of cells: what becomes of the file besides its lines, which is always
/// there, the decided hunks of all, and the counts of lines, which are left out first.
fn facts(look: &DisplaySettings, row: &NamedRow, room: usize) -> Vec<Span<'static>> {
    let theme = &look.theme;
    let Progress { decided, all } = row.summary.progress;
    let progress = (all > 0).then(|| Span::styled(format!("{decided}/{all}"), theme.quiet));
    let kinds = (!row.kinds.is_empty()).then(|| Span::styled(row.kinds.clone(), theme.quiet));
    let counts = marks::counts(look, row.summary.added, row.summary.removed);
    let all = [
        (0, Vec::from_iter(kinds)),
        (1, Vec::from_iter(progress)),
        (2, counts),
    ];
    let mut left_out = 3;
    loop {
        let shown = all.iter().filter(|(rank, _)| *rank < left_out);
        let mut pieces = Vec::new();
        for (_, part) in shown.filter(|(_, part)| !part.is_empty()) {
            pieces.push(Span::raw(" "));
            pieces.extend(part.iter().cloned());
        }
        if !pieces.is_empty() {
            pieces.push(Span::raw(" "));
        }
        let width = pieces.iter().map(|piece| glyphs::width(&piece.content));
        if left_out == 1 || width.sum::<usize>() <= room {
            return pieces;
        }
        left_out -= 1;
    }
}
