//! A file in the list of all files: everything that is to be known of it, in columns.

use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::review::FileKind;
use crate::ui::file_list::INDENT;
use crate::ui::glyphs;
use crate::ui::state::app::App;
use crate::ui::summary::FileSummary;
use crate::ui::view::cells::{at_right, fill_line};
use crate::ui::view::text_line::{LinePart, TextLine};
use crate::ui::view::{marks, truncate};

/// The cells of the kind of a change, with a gap.
const KIND: usize = 10;
/// The cells that a name gets before columns are left out for it.
const NAME: usize = 28;
/// The most cells of an agent's name.
const AGENT: usize = 12;
/// From this width on, facts are said in words.
const WORDS_FROM: u16 = 100;

/// Widths of the columns, the same for all files; 0 for hidden ones.
pub(crate) struct FileColumns {
    facts: FactsStyle,
    kind: usize,
    agent: usize,
    unplaced: usize,
    protected: usize,
    loose: usize,
    edited: usize,
    comment: usize,
    hunks: usize,
    added: usize,
    removed: usize,
}

/// The columns that are left out where there is no room, the first of them first.
const LEFT_OUT: [fn(&mut FileColumns) -> &mut usize; 6] = [
    |of| &mut of.kind,
    |of| &mut of.hunks,
    |of| &mut of.loose,
    |of| &mut of.agent,
    |of| &mut of.removed,
    |of| &mut of.added,
];

/// Style of the facts about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactsStyle {
    /// By a sign and a word.
    Words,
    /// By a sign.
    Signs,
}

impl FileColumns {
    /// The columns that the listed files need, as far as there is room.
    pub(crate) fn new(app: &App, width: u16) -> Self {
        let facts = if width >= WORDS_FROM {
            FactsStyle::Words
        } else {
            FactsStyle::Signs
        };
        // Numbers are compared and only the largest is written out: the list may be long, and is drawn at every key.
        let files = || (app.file_list.files.iter()).map(|&file| &app.summaries.files[file]);
        let reviews = || (app.file_list.files.iter()).map(|&file| &app.session.files[file]);
        let most = |of: fn(&FileSummary) -> usize| files().map(of).max().unwrap_or(0);
        let signed = |any: bool, sign: &str| if any { glyphs::width(sign) } else { 0 };
        let calls = reviews().filter_map(|review| review.call.as_ref());
        let agents: BTreeSet<&str> = calls.map(|call| call.agent.as_str()).collect();
        let agents = (agents.into_iter())
            .map(|agent| glyphs::width(&truncate::end(&app.display, agent, AGENT)));
        let mut columns = Self {
            facts,
            kind: KIND - 2,
            agent: agents.max().unwrap_or(0),
            unplaced: glyphs::width(&unplaced(app, most(|of| of.unplaced), facts)),
            protected: signed(
                reviews().any(|review| review.protected.is_some()),
                &protected(app, facts),
            ),
            loose: most(|of| of.loose.map_or(0, glyphs::width)),
            edited: signed(files().any(|of| of.edited), app.display.signs.edited),
            comment: signed(files().any(|of| of.commented), app.display.signs.comment),
            hunks: glyphs::width(&hunks(most(FileSummary::hunk_count))),
            added: glyphs::width(&counted("+", most(|of| of.added))),
            removed: glyphs::width(&counted(app.display.signs.minus, most(|of| of.removed))),
        };
        let room = usize::from(width).saturating_sub(NAME + 6);
        for column in LEFT_OUT {
            if columns.width() > room {
                *column(&mut columns) = 0;
            }
        }
        columns
    }

    /// All of them with the gaps between them.
    fn width(&self) -> usize {
        let Self {
            facts: _,
            kind,
            agent,
            unplaced,
            protected,
            loose,
            edited,
            comment,
            hunks,
            added,
            removed,
        } = self;
        let all = [
            kind, agent, unplaced, protected, loose, edited, comment, hunks, added, removed,
        ];
        all.into_iter()
            .filter(|&&width| width > 0)
            .map(|width| width + 2)
            .sum()
    }

    /// Draws the row of a folder, with the sums of its files.
    pub(crate) fn draw_folder(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        app: &App,
        (folder, row): (usize, usize),
    ) {
        let (look, theme) = (&app.display, &app.display.theme);
        let summary = &app.folder_summary(folder);
        let base = row_style(app, row);
        buffer.set_style(area, base);
        let facts = self.facts(app, String::new(), false, summary);
        let left = at_right(buffer, area, &facts, 12);
        let indent = app.file_list.indent(row);
        let listed = &app.file_list.folders[folder];
        let kind = if self.kind > 0 { KIND } else { 0 };
        let hidden = match listed.hidden() {
            words if words.is_empty() => words,
            words => format!("  {words}"),
        };
        let indented = 3 + kind + INDENT * indent.depth;
        let room = usize::from(left.width).saturating_sub(indented + glyphs::width(&hidden) + 1);
        let name = &listed.path[indent.from..];
        let (sign, style) = marks::file(look, summary);
        let is_chosen = listed.is_closed && app.file_list.is_chosen(row);
        let chosen = if is_chosen { look.signs.chosen } else { " " };
        let pieces = [
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(chosen, theme.key),
            Span::raw(" ".repeat(kind + INDENT * indent.depth)),
            Span::styled(truncate::path(look, name, room), theme.quiet),
            Span::styled(hidden, theme.quiet),
        ];
        fill_line(buffer, left, &pieces, (" ", base));
        buffer.set_style(area, base);
    }

    /// Draws the file of a row.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect, app: &App, file: usize, row: usize) {
        let (look, theme) = (&app.display, &app.display.theme);
        let review = &app.session.files[file];
        let summary = &*app.listed_summary(app.file_list.rows[row], file);
        let base = row_style(app, row);
        buffer.set_style(area, base);
        let is_protected = review.protected.is_some();
        let facts = self.facts(app, agent(app, file), is_protected, summary);
        let left = at_right(buffer, area, &facts, 12);
        let (sign, style) = marks::file(look, summary);
        let chosen = app.file_list.is_chosen(row);
        let mut pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(if chosen { look.signs.chosen } else { " " }, theme.key),
        ];
        if self.kind > 0 {
            let (kind, style) = match review.kind {
                FileKind::Modified => (
                    app.summaries.files[file]
                        .kinds
                        .first()
                        .copied()
                        .unwrap_or("modified"),
                    theme.quiet,
                ),
                FileKind::Created => ("new", theme.accepted),
                FileKind::Deleted if review.is_kept_by_edit() => ("kept", theme.edited),
                FileKind::Deleted => ("deleted", theme.rejected),
                FileKind::Renamed { .. } => ("renamed", theme.edited),
                FileKind::Copied { .. } => ("copied", theme.accepted),
            };
            pieces.push(Span::styled(format!("{kind:<KIND$}"), style));
        }
        let indent = app.file_list.indent(row);
        pieces.push(Span::raw(" ".repeat(INDENT * indent.depth)));
        let start =
            u16::try_from(pieces.iter().map(Span::width).sum::<usize>()).unwrap_or(u16::MAX);
        fill_line(buffer, left, &pieces, (" ", base));
        let name = Rect {
            x: left.x + start.min(left.width),
            width: left.width.saturating_sub(start + 1),
            ..left
        };
        draw_name(buffer, name, app, (file, indent.from), base);
        buffer.set_style(area, base);
    }

    /// Returns the facts about a file or a folder.
    fn facts(
        &self,
        app: &App,
        agent: String,
        is_protected: bool,
        summary: &FileSummary,
    ) -> Vec<Span<'static>> {
        let (signs, theme) = (&app.display.signs, &app.display.theme);
        let unplaced = unplaced(app, summary.unplaced, self.facts);
        let shown = |is: bool, sign: &str| if is { sign.to_owned() } else { String::new() };
        let left = [
            (self.agent, agent, theme.quiet),
            (self.unplaced, unplaced, theme.attention),
            (
                self.protected,
                shown(is_protected, &protected(app, self.facts)),
                theme.attention,
            ),
            (
                self.loose,
                summary.loose.unwrap_or_default().to_owned(),
                theme.attention,
            ),
            (
                self.edited,
                shown(summary.edited, signs.edited),
                theme.edited,
            ),
            (
                self.comment,
                shown(summary.commented, signs.comment),
                theme.comment,
            ),
        ];
        let right = [
            (self.hunks, hunks(summary.hunk_count()), theme.quiet),
            (self.added, counted("+", summary.added), theme.accepted),
            (
                self.removed,
                counted(signs.minus, summary.removed),
                theme.rejected,
            ),
        ];
        let pad = |width: usize, text: &str| " ".repeat(width.saturating_sub(glyphs::width(text)));
        let left = left.into_iter().filter(|(width, ..)| *width > 0);
        let left = left.map(|(width, text, style)| {
            let pad = pad(width, &text);
            Span::styled(format!("  {text}{pad}"), style)
        });
        let right = right.into_iter().filter(|(width, ..)| *width > 0);
        let right = right.map(|(width, text, style)| {
            let pad = pad(width, &text);
            Span::styled(format!("  {pad}{text}"), style)
        });
        left.chain(right).chain([Span::raw(" ")]).collect()
    }
}

/// The style of a row: of the cursor's, of a chosen one.
fn row_style(app: &App, row: usize) -> Style {
    let theme = &app.display.theme;
    if row == app.file_list.cursor {
        theme.cursor
    } else if app.file_list.is_chosen(row) {
        theme.selected
    } else {
        Style::new()
    }
}

/// A file's name from a byte on, of which the end matters most, with what the filter asks for.
fn draw_name(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    (file, from): (usize, usize),
    base: Style,
) {
    let (look, review) = (&app.display, &app.session.files[file]);
    let theme = &look.theme;
    let style = if app.file_list.file() == Some(file) {
        theme.strong
    } else {
        theme.text
    };
    let base = base.patch(style);
    let room = usize::from(area.width);
    let path = &marks::name(look, review)[from..];
    let named = review.path[..from].chars().count();
    let hits: Vec<u32> = (app.file_list.hits(file).iter())
        .filter_map(|&at| at.checked_sub(u32::try_from(named).ok()?))
        .collect();
    // A tab is shown by its sign, which the hits do not count.
    if hits.is_empty() || path.contains('\t') || glyphs::width(path) > room {
        let path = truncate::path(look, path, room);
        fill_line(buffer, area, &[Span::styled(path, base)], (" ", base));
        return;
    }
    let hits: Vec<Range<usize>> = (path.char_indices().zip(0_u32..))
        .filter(|(_, n)| hits.contains(n))
        .map(|((at, c), _)| at..at + c.len_utf8())
        .collect();
    TextLine {
        look,
        text: path,
        base,
        tokens: None,
        layers: vec![(&hits, theme.found)],
        blanks_from: path.len(),
        blanks: &[],
        ending: String::new(),
        differs: None,
        ruler: None,
    }
    .paint(buffer, area, LinePart::From(0));
}

/// Returns the agent that proposed a file, in the resident reviewer.
fn agent(app: &App, file: usize) -> String {
    let call = app.session.files[file].call.as_ref();
    let agent = call.map_or("", |call| call.agent.as_str());
    truncate::end(&app.display, agent, AGENT)
}

fn unplaced(app: &App, count: usize, facts: FactsStyle) -> String {
    match count {
        0 => String::new(),
        _ if facts == FactsStyle::Words => {
            format!("{} {count} unplaced", app.display.signs.attention)
        }
        _ => format!("{}{count}", app.display.signs.attention),
    }
}

fn protected(app: &App, facts: FactsStyle) -> String {
    let words = match facts {
        FactsStyle::Words => " protected",
        FactsStyle::Signs => "",
    };
    format!("{}{words}", app.display.signs.protected)
}

fn hunks(count: usize) -> String {
    let noun = if count == 1 { "hunk " } else { "hunks" };
    format!("{count} {noun}")
}

fn counted(sign: &str, lines: usize) -> String {
    if lines > 0 {
        format!("{sign}{lines}")
    } else {
        String::new()
    }
}
