//! The review stream: its rows, the cursor in it, and the part of it on the screen.
//!
//! The cursor and the top of the screen are rows, and a row's height is asked for only where it is needed, so no motion
//! looks at more rows than a screen holds.

mod anchor;
mod match_count;
mod prose;
mod scroll;
pub(crate) mod search;
mod stops;
mod wrapping;

use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::review::{
    FilePart, FileReview, Folds, HunkId, Layout, Moved, NoteKind, ReviewSession, Row, Rows, Subject,
};
use crate::text::LineIdx;
use crate::ui::glyphs;
use crate::ui::layout::areas::Columns;
use crate::ui::layout::display_settings::{DisplaySettings, FilesShown, LongLines, WIDE_SIDE};
use anchor::ViewAnchor;
pub use prose::Prose;

/// The most unchanged lines around a hunk that can be asked for by steps.
const MOST_CONTEXT: usize = 10_000;

/// The review stream.
#[derive(Debug)]
pub struct Stream {
    /// All rows.
    pub rows: Rows,
    /// Folds and context.
    pub folds: Folds,
    /// Layout of files whose changed lines fit side by side.
    pub layout: Layout,
    /// True if a file is unified where its changed lines do not fit side by side.
    pub fits: bool,
    /// Order of the files, in parts.
    order: Vec<FilePart>,
    /// Layout of each file, by position.
    layouts: Vec<Layout>,
    /// Treatment of long lines.
    pub long_lines: LongLines,
    /// Files that the cursor moves through.
    pub files: FilesShown,
    /// The row of the cursor.
    pub cursor: usize,
    /// The row at the top of the screen.
    pub top: usize,
    /// Screen lines of that row above the screen.
    pub top_skip: usize,
    /// Columns to the left of the screen.
    pub left: usize,
    /// True if the person scrolled sideways since the cursor jumped.
    pub(crate) left_by_hand: bool,
    /// The row that the offset was chosen for, the width of its text and the treatment of long lines.
    pub(crate) left_of: Option<(Row, u16, LongLines)>,
    /// Area of the rows.
    pub body: Rect,
    /// The digits of the largest line number.
    digits: u16,
}

impl Stream {
    /// The stream of a session, before its size is known.
    pub fn new(session: &ReviewSession, look: &DisplaySettings) -> Self {
        let folds = Folds {
            context: look.context.min(MOST_CONTEXT),
            ..Folds::default()
        };
        let layout = Layout::Unified;
        Self {
            rows: Rows::lay_out(session, layout, &folds),
            folds,
            layout,
            fits: look.fits_layout(),
            order: Vec::new(),
            layouts: Vec::new(),
            long_lines: look.long_lines,
            files: look.files,
            cursor: 0,
            top: 0,
            top_skip: 0,
            left: 0,
            left_by_hand: false,
            left_of: None,
            body: Rect::ZERO,
            digits: digits(session),
        }
    }

    /// The columns of a file's rows. A file that is made or goes has one text only, and that gets the whole width.
    pub fn columns(&self, session: &ReviewSession, file: usize) -> Columns {
        let one_text = session
            .files
            .get(file)
            .is_some_and(|file| file.base.is_empty() || file.is_right_empty());
        let layout = if one_text {
            Layout::Unified
        } else {
            self.layout_of(file)
        };
        Columns::new(self.body, layout, self.digits)
    }

    /// Returns the layout of a file.
    pub fn layout_of(&self, file: usize) -> Layout {
        self.layouts.get(file).copied().unwrap_or(self.layout)
    }

    /// Chooses the layout of every file: side by side where all of its changed lines fit, else unified.
    fn choose_layouts(&mut self, session: &ReviewSession) {
        self.layouts.clear();
        let side = Columns::new(self.body, Layout::Split, self.digits)
            .old
            .width;
        if self.layout == Layout::Split && self.fits && side < WIDE_SIDE {
            let files = session.files.iter();
            self.layouts = files.map(|file| fitting(file, side.into())).collect();
        }
    }

    /// The row of the cursor; `None` if there are no rows.
    pub fn row(&self) -> Option<Row> {
        self.rows.get(self.cursor)
    }

    /// The file of the cursor.
    pub fn file(&self) -> Option<usize> {
        self.row().map(Row::file)
    }

    /// The hunk that the cursor is in, or whose context it is in.
    pub fn hunk(&self) -> Option<HunkId> {
        let here = self.row()?;
        if here.hunk().is_some()
            || matches!(
                here,
                Row::File { .. }
                    | Row::Gap { .. }
                    | Row::Fold { .. }
                    | Row::Elsewhere { .. }
                    | Row::Purpose { .. }
                    | Row::Comment { .. }
                    | Row::Problem { .. }
            )
        {
            return here.hunk();
        }
        let file = self.rows.part_at(self.cursor);
        let hunk = |found: Option<usize>| self.rows.get(found?)?.hunk();
        hunk(self.rows.find(file.start..self.cursor, true, ends_context))
            .or_else(|| hunk(self.rows.find(self.cursor..file.end, false, ends_context)))
    }

    /// Returns the number of unchanged lines shown around a hunk; if folds were opened, the larger side.
    pub fn context_of(&self, id: HunkId) -> usize {
        if self.folds.opened.iter().all(|(file, _)| *file != id.file) {
            return self.folds.context;
        }
        let head = self.rows.of_hunk(id);
        let file = head.map_or(0..0, |head| self.rows.part_at(head));
        let own = |row: Row| matches!(row, Row::Change { id: of, .. } if of == id);
        let beyond = |row: Row| !matches!(row, Row::Context { .. }) && row != Row::Hunk { id };
        let first = self
            .rows
            .find(file.clone(), false, own)
            .unwrap_or(file.start);
        let last = self
            .rows
            .find(file.clone(), true, own)
            .unwrap_or(file.start);
        let above = self.rows.find(file.start..first, true, beyond);
        let below = self.rows.find(last + 1..file.end, false, beyond);
        let context = above
            .map_or(0, |row| first - row - 1)
            .max(below.unwrap_or(file.end) - last - 1);
        context.max(self.folds.context)
    }

    /// Returns the text of a note, a comment or a problem; `None` for rows that show lines of a file.
    pub fn prose<'a>(&'a self, session: &'a ReviewSession, row: Row) -> Option<Prose<'a>> {
        let sign = match row {
            Row::Comment { file, .. } => {
                let columns = self.columns(session, file);
                columns.new.sign.saturating_sub(self.body.x)
            }
            Row::File { .. }
            | Row::Note { .. }
            | Row::Problem { .. }
            | Row::Hunk { .. }
            | Row::Context { .. }
            | Row::Change { .. }
            | Row::Fold { .. }
            | Row::FoldedChange { .. }
            | Row::Elsewhere { .. }
            | Row::Purpose { .. }
            | Row::Gap { .. } => 0,
        };
        Prose::of(&self.rows, session, row, sign)
    }

    /// The number of screen lines that a row takes.
    pub fn height(&self, session: &ReviewSession, idx: usize) -> usize {
        let Some(row) = self.rows.get(idx) else {
            return 1;
        };
        if let Some(prose) = self.prose(session, row) {
            return prose.ranges(self.body.width).len();
        }
        if !self.wraps(session, row) {
            return 1;
        }
        let columns = self.columns(session, row.file());
        let (old, new) = texts(session, row);
        let height = |text: Option<&str>, width: u16| {
            text.map_or(1, |text| glyphs::height(text, width.into()))
        };
        height(old, columns.old.width).max(height(new, columns.new.width))
    }

    /// Lays everything out again and keeps cursor and screen at their places in the text.
    pub fn lay_out(&mut self, session: &ReviewSession) {
        let places = self.places(session);
        self.choose_layouts(session);
        self.lay_out_rows(session);
        self.return_to(session, places);
    }

    /// Sets the order of the files, without laying out.
    pub fn set_order(&mut self, order: &[FilePart]) {
        self.order = order.to_vec();
    }

    /// Lays one file out again and keeps cursor and screen at their places in the text.
    pub fn lay_out_file(&mut self, session: &ReviewSession, file: usize) {
        let places = self.places(session);
        let layout = self.layout_of(file);
        self.rows.lay_out_file(session, file, layout, &self.folds);
        self.return_to(session, places);
    }

    /// Shows more or less context.
    pub fn change_context(&mut self, session: &ReviewSession, by: isize) {
        self.folds.context = self
            .folds
            .context
            .saturating_add_signed(by)
            .min(MOST_CONTEXT);
        self.lay_out(session);
    }

    /// Opens lines of a file that are folded away.
    pub fn open(&mut self, session: &ReviewSession, file: usize, lines: Range<LineIdx>) {
        self.folds.closed.retain(|&closed| closed != file);
        self.folds.opened.push((file, lines));
        self.lay_out_file(session, file);
    }

    /// Opens the fold that a row is; whether it is one.
    pub fn open_fold(&mut self, session: &ReviewSession, row: Option<Row>) -> bool {
        match row {
            Some(Row::Fold { file, start, end }) => self.open(session, file, start..end),
            Some(Row::FoldedChange { id, start, end, .. }) => {
                self.open_changes(session, id, start..end);
            }
            Some(Row::Note {
                file,
                hunk: Some(hunk),
                line,
            }) if (self.rows.note(file, Some(hunk), line))
                .is_some_and(|note| note.kind == NoteKind::More) =>
            {
                self.folds.opened_notes.push(HunkId { file, hunk });
                let here = self.cursor;
                self.lay_out_file(session, file);
                // The first of the lines is where the fold was.
                self.cursor = here;
                self.show_cursor(session);
            }
            Some(_) | None => return false,
        }
        true
    }

    /// Shows the folded lines among some changed lines of a hunk.
    pub fn open_changes(&mut self, session: &ReviewSession, id: HunkId, lines: Range<usize>) {
        self.folds.opened_changes.push((id, lines));
        self.lay_out_file(session, id.file);
    }

    /// Folds moved lines, except the one under the cursor.
    pub fn fold_moves(&mut self, session: &ReviewSession, moved: &Arc<Moved>) {
        if !self.folds.shows_all_changes && *moved != self.folds.moved {
            self.folds.moved = Arc::clone(moved);
            if let Some(Row::Change { id, line, .. }) = self.row() {
                self.folds.opened_changes.push((id, line..line + 1));
            }
            self.lay_out(session);
        }
    }

    /// Folds away what was opened in a file.
    pub fn close(&mut self, session: &ReviewSession, file: usize) {
        self.folds.opened.retain(|(of, _)| *of != file);
        self.folds.opened_changes.retain(|(of, _)| of.file != file);
        self.folds.opened_notes.retain(|of| of.file != file);
        self.lay_out_file(session, file);
    }

    /// The cursor's place, and how many screen lines are above it.
    fn places(&self, session: &ReviewSession) -> Option<(ViewAnchor, isize)> {
        let anchor = ViewAnchor::of(self.row()?);
        let visible = self.visible(session);
        let line = visible
            .iter()
            .find(|(idx, _)| *idx == self.cursor)
            .map(|(_, line)| *line);
        Some((anchor, line.unwrap_or(0)))
    }

    /// Takes another session on the same proposal. The cursor stays on its hunk; in none, at its place in the text.
    pub fn replace(&mut self, before: &ReviewSession, session: &ReviewSession) {
        let places = self.places(before);
        let thread = self.thread(before);
        let hunk = self.hunk().and_then(|id| {
            let head = self.rows.of_hunk(id)?.cast_signed();
            Some((id, self.cursor.cast_signed() - head))
        });
        self.folds.opened_changes.clear();
        self.folds.opened_notes.clear();
        self.folds.apart.clear();
        self.digits = digits(session);
        self.choose_layouts(session);
        self.lay_out_rows(session);
        self.return_to(session, places);
        if let (Some((id, by)), Some((_, line))) = (hunk, places)
            && let Some(head) = self.rows.of_hunk(id)
        {
            let row = head.saturating_add_signed(by);
            self.cursor = row.min(self.rows.len().saturating_sub(1));
            self.align(session, usize::try_from(line).unwrap_or(0));
            self.show_cursor(session);
        }
        if let Some(row) = thread.and_then(|(file, id)| self.row_of_thread(session, file, id)) {
            self.cursor = row;
            self.show_cursor(session);
        }
    }

    /// Returns the thread of the cursor: its file and its name.
    fn thread<'a>(&self, session: &'a ReviewSession) -> Option<(usize, &'a str)> {
        let Some(Row::Comment {
            file,
            about: Subject::Thread(nth),
            ..
        }) = self.row()
        else {
            return None;
        };
        let thread = session.files.get(file)?.threads.get(nth)?;
        Some((file, &thread.id))
    }

    /// Returns the first row of a thread.
    fn row_of_thread(&self, session: &ReviewSession, file: usize, id: &str) -> Option<usize> {
        let mut threads = session.files.get(file)?.threads.iter();
        let nth = threads.position(|thread| thread.id == id)?;
        let is_it =
            |row| matches!(row, Row::Comment { about, .. } if about == Subject::Thread(nth));
        self.rows.find(self.rows.of_file(file), false, is_it)
    }

    fn lay_out_rows(&mut self, session: &ReviewSession) {
        let files = self.order.iter().filter(|part| part.nth == 0);
        let is_whole = files.count() == session.files.len();
        let in_session = || (0..session.files.len()).map(FilePart::whole).collect();
        let order = if is_whole {
            self.order.clone()
        } else {
            in_session()
        };
        self.rows = Rows::lay_out_each(session, order, |file| self.layout_of(file), &self.folds);
    }

    fn return_to(&mut self, session: &ReviewSession, places: Option<(ViewAnchor, isize)>) {
        let Some((anchor, line)) = places else {
            return;
        };
        self.cursor = anchor
            .find(&self.rows)
            .min(self.rows.len().saturating_sub(1));
        let lowest = self.page().cast_signed() - 1;
        self.align(session, usize::try_from(line.min(lowest)).unwrap_or(0));
        self.show_cursor(session);
    }
}

/// Returns the layout of a file for sides of a width: side by side if all changed lines fit.
fn fitting(file: &FileReview, width: usize) -> Layout {
    let fits = |text: &str| text.len() * 2 <= width || glyphs::width(text) <= width;
    let lines = file.hunks.iter().flat_map(|hunk| hunk.state.lines.iter());
    let mut changed = lines.map(|line| {
        (!line.removes || fits(file.base.line(line.at))) && line.adds.as_deref().is_none_or(fits)
    });
    if changed.all(|fits| fits) {
        Layout::Split
    } else {
        Layout::Unified
    }
}

/// The digits of the largest line number.
fn digits(session: &ReviewSession) -> u16 {
    let lines = |file: &FileReview| file.base.len().max(file.right_len());
    let longest = session.files.iter().map(lines).max();
    let digits = longest.unwrap_or(0).max(999).ilog10() + 1;
    u16::try_from(digits).unwrap_or(u16::MAX)
}

/// Returns the texts of a row on both sides.
pub fn texts(session: &ReviewSession, row: Row) -> (Option<&str>, Option<&str>) {
    let file = &session.files[row.file()];
    let (old, new) = row.lines();
    let old = old.map(|old| file.base.line(old));
    (old, new.map(|new| file.yours().line(new)))
}

/// Returns true for a row at which the context of a hunk ends: the hunk itself, a fold or the head of a file.
fn ends_context(row: Row) -> bool {
    let is_border = matches!(
        row,
        Row::Fold { .. } | Row::Elsewhere { .. } | Row::File { .. }
    );
    row.hunk().is_some() || is_border
}
