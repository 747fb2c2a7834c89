//! The file list at the side of the stream.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::row_names::{self, RowName};
use super::{group_heading, marks, truncate};
use crate::ui::file_list::{FileListRow, INDENT};
use crate::ui::file_name::ShownName;
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
    let rows = list.rows.iter().enumerate().skip(top);
    let rows: Vec<_> = rows.zip(pane.body.rows()).collect();
    let laid_out = |&((at, entry), _): &((usize, &FileListRow), Rect)| {
        NamedRow::new(app, (at, *entry), here == Some(at))
    };
    let laid_out: Vec<NamedRow> = rows.iter().map(laid_out).collect();
    let names = (laid_out.iter()).map(|row| row.cut_name(&app.display, pane.body.width));
    let names = row_names::cut_all(&app.display, &names.collect::<Vec<_>>());
    for (((_, entry), area), (row, name)) in rows.into_iter().zip(laid_out.iter().zip(&names)) {
        match *entry {
            FileListRow::File(_) | FileListRow::Part { .. } | FileListRow::Folder(_) => {
                draw_row(buffer, area, app, row, name);
            }
            FileListRow::Problem(at) => draw_problem(buffer, area, app, at),
            FileListRow::Group(group) => {
                group_heading::draw(buffer, area, app, group, &list.members(*entry));
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
#[derive(Default)]
struct NamedRow<'a> {
    name: ShownName<'a>,
    /// Cells by which it is indented.
    indent: usize,
    /// True if the cursor is on it.
    here: bool,
    style: Style,
    /// Words for what becomes of a file besides its lines.
    kinds: String,
    summary: Cow<'a, FileSummary>,
}

impl<'a> NamedRow<'a> {
    /// Returns a row that is a file, a part of one or a folder; any other one has no name.
    fn new(app: &'a App, (at, entry): (usize, FileListRow), here: bool) -> Self {
        let theme = &app.display.theme;
        let indent = app.file_list.indent(at);
        let style = if here { theme.strong } else { theme.text };
        let row = Self {
            indent: INDENT * indent.depth,
            here,
            ..Self::default()
        };
        match entry {
            FileListRow::File(file) | FileListRow::Part { file, .. } => Self {
                name: app.file_list.name(&app.session.files[file], at),
                style,
                kinds: app.summaries.files[file].kinds.join(" "),
                summary: app.listed_summary(entry, file),
                ..row
            },
            // A folder has the sums of its files.
            FileListRow::Folder(folder) => Self {
                name: ShownName::plain(&app.file_list.folders[folder].path[indent.from..]),
                style: if here { theme.strong } else { theme.quiet },
                kinds: app.file_list.folders[folder].hidden(),
                summary: Cow::Owned(FileSummary {
                    added: 0,
                    removed: 0,
                    ..app.folder_summary(folder)
                }),
                ..row
            },
            FileListRow::Group(_) | FileListRow::Problem(_) => row,
        }
    }

    /// Returns the cells of the last part of the name; of a renamed file, of both names.
    fn last_name_width(&self) -> usize {
        let new = self.name.new.as_ref();
        last_part_width(self.name.old)
            + new.map_or(0, |new| ShownName::BETWEEN + last_part_width(new))
    }

    /// Returns the facts at the right of it on a row of some cells.
    fn facts(&self, look: &DisplaySettings, width: u16) -> Vec<Span<'static>> {
        let least = self.indent + usize::from(LEAST).max(AROUND + self.last_name_width());
        facts(look, self, usize::from(width).saturating_sub(least))
    }

    /// Returns its name with the cells that the facts leave it on a row of some cells.
    fn cut_name(&self, look: &DisplaySettings, width: u16) -> RowName<'a> {
        let facts = self.facts(look, width);
        let taken: usize = facts.iter().map(Span::width).sum();
        RowName {
            name: self.name.clone(),
            room: usize::from(width).saturating_sub(taken + self.indent + AROUND),
        }
    }
}

/// Returns the cells of the last part of a path, up to those for which facts are left out.
fn last_part_width(name: &str) -> usize {
    let name = name.trim_end_matches('/');
    glyphs::width(name.rsplit('/').next().unwrap_or(name)).min(WHOLE)
}

fn draw_row(buffer: &mut Buffer, area: Rect, app: &App, row: &NamedRow, name: &str) {
    let (look, theme) = (&app.display, &app.display.theme);
    let summary = &*row.summary;
    let base = if row.here { theme.cursor } else { Style::new() };
    buffer.set_style(area, base);
    let left = at_right(buffer, area, &row.facts(look, area.width), 0);
    let (sign, style) = marks::file(look, summary);
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
        Span::styled(name, row.style),
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
