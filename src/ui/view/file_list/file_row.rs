//! A file in the list of all files: everything that is to be known of it, in columns.

use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::review::FileKind;
use crate::ui::file_list::{FileListRow, INDENT};
use crate::ui::file_name::ShownName;
use crate::ui::glyphs;
use crate::ui::state::app::App;
use crate::ui::summary::FileSummary;
use crate::ui::view::cells::{at_right, fill_line};
use crate::ui::view::row_names::RowName;
use crate::ui::view::text_line::{LinePart, TextLine};
use crate::ui::view::{marks, truncate};

/// The least cells of the kind of a change in words.
const KIND: usize = 8;
/// The cells that a name gets before columns are left out for it.
const NAME: usize = 28;
/// The most cells of an agent's name.
const AGENT: usize = 12;
/// The least cells in front of the facts.
const LEFT: usize = 12;
/// From this width on, facts are said in words.
const WORDS_FROM: u16 = 100;

/// Widths of the columns, the same for all files; 0 for hidden ones.
pub(crate) struct FileColumns {
    facts: FactsStyle,
    kind: usize,
    /// Short words for the kind, in place of that column.
    short: usize,
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
            kind: most(|of| {
                if of.kinds.len() > 1 {
                    of.kinds_width - 1
                } else {
                    0
                }
            })
            .max(KIND),
            short: 0,
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
        if columns.kind == 0 {
            columns.short = most(|of| of.kinds_width).saturating_sub(1);
        }
        columns
    }

    /// All of them with the gaps between them.
    fn width(&self) -> usize {
        let Self {
            facts: _,
            kind,
            short: _,
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

    /// Returns the cells of the kind of a change, with a gap; 0 without a kind.
    fn kind_width(&self) -> usize {
        match self.kind.max(self.short) {
            0 => 0,
            width => width + 2,
        }
    }

    /// Lays out the row of a file, a part of one or a folder; `None` for any other row.
    pub(crate) fn row<'a>(
        &self,
        app: &'a App,
        area: Rect,
        (at, entry): (usize, FileListRow),
    ) -> Option<ListedRow<'a>> {
        match entry {
            FileListRow::File(file) | FileListRow::Part { file, .. } => {
                Some(self.file(app, area, (at, entry), file))
            }
            FileListRow::Folder(folder) => Some(self.folder(app, area, at, folder)),
            FileListRow::Group(_) | FileListRow::Problem(_) => None,
        }
    }

    /// Lays out the row of a folder, with the sums of its files.
    fn folder<'a>(&self, app: &'a App, area: Rect, at: usize, folder: usize) -> ListedRow<'a> {
        let (look, theme) = (&app.display, &app.display.theme);
        let summary = &app.folder_summary(folder);
        let indent = app.file_list.indent(at);
        let listed = &app.file_list.folders[folder];
        let kind = self.kind_width();
        let hidden = match listed.hidden() {
            words if words.is_empty() => words,
            words => format!("  {words}"),
        };
        let (sign, style) = marks::file(look, summary);
        let is_chosen = listed.is_closed && app.file_list.is_chosen(at);
        let chosen = if is_chosen { look.signs.chosen } else { " " };
        let before = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(chosen, theme.key),
            Span::raw(" ".repeat(kind + INDENT * indent.depth)),
        ];
        ListedRow {
            at,
            area,
            facts: self.facts(app, String::new(), false, summary),
            before,
            name: ShownName::plain(&listed.path[indent.from..]),
            style: theme.quiet,
            after: hidden,
            hits: Vec::new(),
        }
    }

    /// Lays out the row of a file or of a part of one.
    fn file<'a>(
        &self,
        app: &'a App,
        area: Rect,
        (at, entry): (usize, FileListRow),
        file: usize,
    ) -> ListedRow<'a> {
        let (look, theme) = (&app.display, &app.display.theme);
        let review = &app.session.files[file];
        let summary = &*app.listed_summary(entry, file);
        let (sign, style) = marks::file(look, summary);
        let chosen = app.file_list.is_chosen(at);
        let mut before = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(if chosen { look.signs.chosen } else { " " }, theme.key),
        ];
        let kinds = &app.summaries.files[file].kinds;
        if self.kind == 0 || kinds.len() > 1 {
            let width = self.kind_width();
            let words = kinds.join(" ");
            before.push(Span::styled(format!("{words:<width$}"), theme.quiet));
        } else {
            let (kind, style) = match review.kind {
                FileKind::Modified => (kinds.first().copied().unwrap_or("modified"), theme.quiet),
                FileKind::Created => ("new", theme.accepted),
                FileKind::Deleted if review.is_kept_by_edit() => ("kept", theme.edited),
                FileKind::Deleted => ("deleted", theme.rejected),
                FileKind::Renamed { .. } => ("renamed", theme.edited),
                FileKind::Copied { .. } => ("copied", theme.accepted),
            };
            let width = self.kind_width();
            before.push(Span::styled(format!("{kind:<width$}"), style));
        }
        let indent = app.file_list.indent(at);
        before.push(Span::raw(" ".repeat(INDENT * indent.depth)));
        let is_here = app.file_list.file() == Some(file);
        ListedRow {
            at,
            area,
            facts: self.facts(app, agent(app, file), review.protected.is_some(), summary),
            before,
            name: app.file_list.name(review, at),
            style: if is_here { theme.strong } else { theme.text },
            after: String::new(),
            hits: hits(app, file),
        }
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

/// Row of a file or a folder, laid out.
pub(crate) struct ListedRow<'a> {
    /// Its position in the list.
    at: usize,
    area: Rect,
    facts: Vec<Span<'static>>,
    before: Vec<Span<'static>>,
    name: ShownName<'a>,
    /// The style of its name.
    style: Style,
    /// Words behind the name.
    after: String,
    /// The characters of the name that the filter asks for.
    hits: Vec<u32>,
}

impl<'a> ListedRow<'a> {
    /// Returns its name with the cells that the rest leaves it.
    pub(crate) fn cut_name(&self) -> RowName<'a> {
        let width = |pieces: &[Span]| pieces.iter().map(Span::width).sum::<usize>();
        let facts = width(&self.facts);
        let all = usize::from(self.area.width);
        let left = if facts + LEFT <= all {
            all - facts
        } else {
            all
        };
        let taken = width(&self.before) + glyphs::width(&self.after) + 1;
        RowName {
            name: self.name.clone(),
            room: left.saturating_sub(taken),
        }
    }

    /// Draws it with its name, which is cut to its room.
    pub(crate) fn draw(self, buffer: &mut Buffer, app: &App, name: &str) {
        let (look, theme) = (&app.display, &app.display.theme);
        let base = row_style(app, self.at);
        buffer.set_style(self.area, base);
        let least = u16::try_from(LEFT).unwrap_or(u16::MAX);
        let left = at_right(buffer, self.area, &self.facts, least);
        let start = self.before.iter().map(Span::width).sum::<usize>();
        let start = u16::try_from(start).unwrap_or(u16::MAX).min(left.width);
        let mut pieces = self.before;
        pieces.push(Span::styled(name, self.style));
        pieces.push(Span::styled(self.after, theme.quiet));
        fill_line(buffer, left, &pieces, (" ", base));
        // A tab is shown by its sign, which the hits do not count.
        let is_whole = name == self.name.shown(look.signs.becomes).to_string();
        if is_whole && !self.hits.is_empty() {
            let hits: Vec<Range<usize>> = (name.char_indices().zip(0_u32..))
                .filter(|(_, nth)| self.hits.contains(nth))
                .map(|((at, c), _)| at..at + c.len_utf8())
                .collect();
            let area = Rect {
                x: left.x + start,
                width: left.width - start,
                ..left
            };
            TextLine {
                look,
                text: name,
                base: base.patch(self.style),
                tokens: None,
                layers: vec![(&hits, theme.found)],
                blanks_from: name.len(),
                blanks: &[],
                ending: String::new(),
                differs: None,
                ruler: None,
            }
            .paint(buffer, area, LinePart::From(0));
        }
        buffer.set_style(self.area, base);
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

/// Returns the characters of a file's name that the filter asks for, as the name is shown.
fn hits(app: &App, file: usize) -> Vec<u32> {
    let review = &app.session.files[file];
    let wider = app.display.signs.becomes.chars().count() - 1;
    let wider = u32::try_from(wider).unwrap_or(0);
    let old = u32::try_from(review.path.chars().count()).unwrap_or(u32::MAX);
    let hits = app.file_list.hits(file).iter();
    hits.map(|&at| if at > old { at + wider } else { at })
        .collect()
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
