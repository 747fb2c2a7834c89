//! The rows of the stream that are no lines of a file: heads and notes.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Style;
use ratatui::text::Span;

use super::row_view::RowView;
use crate::review::{Concern, DifferingParts, FileKind, HunkId, HunkReview, Mark, NoteKind, Row};
use crate::text::plural;
use crate::ui::file_list::{ListGroup, Sort};
use crate::ui::file_name::ShownName;
use crate::ui::glyphs;
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::state::hunk_kind::look_alike_words;
use crate::ui::state::placement_text::{TextTone, placement};
use crate::ui::view::cells::{fill_line, put};
use crate::ui::view::{group_heading, marks, row_names, truncate};

/// Maximum number of reasons for the place of a file in the order by risk.
const REASONS: usize = 2;
/// Remark on a file that the agent does not name although it names others.
const UNNAMED: &str = "not named by the agent";
/// Minimum number of cells for the definitions around a hunk.
const LEAST_ROOM: usize = 12;

impl RowView<'_> {
    pub(crate) fn file(&self, buffer: &mut Buffer, file: usize) {
        let app = self.app;
        let theme = &app.display.theme;
        let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
        let base = theme.file.patch(self.over());
        buffer.set_style(self.area, base);
        let mut facts = match &review.kind {
            FileKind::Modified | FileKind::Renamed { .. } => Vec::new(),
            FileKind::Created => vec![Span::styled("  new", theme.accepted)],
            FileKind::Deleted if review.is_kept_by_edit() => {
                vec![Span::styled("  kept by your edit", theme.edited)]
            }
            FileKind::Deleted => vec![Span::styled("  deleted", theme.rejected)],
            FileKind::Copied { from, .. } => {
                vec![Span::styled(format!("  copy of {from}"), theme.accepted)]
            }
        };
        let lines = marks::counts(&app.display, summary.added, summary.removed);
        if !lines.is_empty() {
            facts.push(Span::raw("  "));
            facts.extend(lines);
            if summary.unplaced > 0 {
                let words = format!(", {} unplaced not counted", summary.unplaced);
                facts.push(Span::styled(words, theme.attention));
            }
        }
        facts.extend(self.part());
        facts.extend(self.comment(review.comment.as_deref()));
        if let Some(call) = &review.call {
            let words = format!("  {} {}", app.display.signs.dot, call.agent);
            facts.push(Span::styled(words, theme.quiet));
        }
        if app.stream.folds.closed.contains(&file) {
            let hunks = review.hunks.iter().filter(|hunk| hunk.is_decidable());
            let words = format!("  closed, {}", plural(hunks.count(), "hunk"));
            facts.push(Span::styled(words, theme.attention));
        }
        if let Some(reasons) = self.reasons(file, wide(&facts)) {
            facts.push(Span::styled(reasons, theme.quiet));
        }
        // The name takes the room that the rest leaves it; of a long one the end counts.
        let taken = wide(&facts);
        let room = usize::from(self.area.width).saturating_sub(taken + 4);
        let room = room.max(usize::from(self.area.width) / 2);
        let (sign, style) = marks::file(&app.display, summary);
        let mut pieces = vec![Span::raw(" "), Span::styled(sign, style), Span::raw(" ")];
        let name = ShownName::below(review, 0);
        if name.new.is_some() {
            let [old, new] = row_names::parts(&app.display, &name, room, &[]);
            pieces.push(Span::styled(old, theme.strong));
            pieces.push(Span::styled(new, theme.edited));
        } else {
            let name = truncate::end(&app.display, &review.path, room);
            pieces.push(Span::styled(name, theme.strong));
        }
        pieces.extend(facts);
        self.head(buffer, &pieces, (" ", base));
    }

    /// The purpose of the parts below.
    pub(crate) fn purpose(&self, buffer: &mut Buffer, purpose: usize) {
        let members = self.app.parts_of_purpose(purpose);
        let group = ListGroup::Purpose(purpose);
        group_heading::draw(buffer, self.area, self.app, group, &members);
        buffer.set_style(self.area, self.over());
    }

    /// Returns how many hunks of a split file are in this part of it.
    fn part(&self) -> Option<Span<'static>> {
        let app = self.app;
        let (_, all) = app.session.files[self.row.file()].number_of(0);
        let part = app.stream.rows.part(self.idx)?;
        let which = if part.nth == 0 { "first" } else { "other" };
        let words = format!("  {which} {} of {all} hunks", part.count(all));
        let words = Span::styled(words, app.display.theme.attention);
        part.is_split().then_some(words)
    }

    /// Returns the remark on a file that the agent does not name, and why a file has its place in the order by risk, as far as there is
    /// room for it.
    fn reasons(&self, file: usize, taken: usize) -> Option<String> {
        let app = self.app;
        let is_by_risk = app.file_list.sort == Sort::Risk;
        let urgent = is_by_risk.then(|| app.session.files[file].urgent_reasons());
        let risk = app.summaries.risks.get(file).filter(|_| is_by_risk);
        let reasons = urgent.iter().chain(risk.map(|risk| &risk.reasons));
        let unnamed = app.summaries.is_unnamed(file).then_some(UNNAMED);
        let words: Vec<&str> = unnamed
            .into_iter()
            .chain(reasons.flatten().copied().take(REASONS))
            .collect();
        let name = glyphs::width(&app.session.files[file].path) + 4;
        let room = usize::from(self.area.width).saturating_sub(name + taken);
        let dot = app.display.signs.dot;
        let shorter = (1..=words.len())
            .rev()
            .map(|count| format!("  {dot} {}", words[..count].join(", ")));
        shorter
            .into_iter()
            .find(|words| glyphs::width(words) <= room)
    }

    /// Writes a head over the row; a sign at the end says that it is longer than the row.
    fn head(&self, buffer: &mut Buffer, pieces: &[Span], rest: (&str, Style)) {
        let look = &self.app.display;
        let width = wide(pieces);
        fill_line(buffer, self.area, pieces, rest);
        if width > usize::from(self.area.width) {
            let last = Position {
                x: self.area.right().saturating_sub(1),
                y: self.area.y,
            };
            put(buffer, last, look.signs.cut, look.theme.quiet);
        }
        buffer.set_style(self.area, self.over());
    }

    pub(crate) fn hunk(&self, buffer: &mut Buffer, id: HunkId) {
        let app = self.app;
        let theme = &app.display.theme;
        let Some(review) = app.session.hunk(id) else {
            return;
        };
        let summary = app.summaries.hunk(id);
        let concern = app.session.files[id.file].attention(review);
        let (sign, style) = match concern {
            Some(Concern::KeptEdit) => (app.display.signs.attention, theme.attention),
            Some(_) if summary.mark == Some(Mark::Undecided) => {
                (app.display.signs.attention, theme.attention)
            }
            Some(_) | None => marks::mark(&app.display, summary.mark),
        };
        let dot = app.display.signs.dot;
        let rule = app.display.signs.horizontal;
        let (number, count) = app.session.files[id.file].number_of(id.hunk);
        let mut pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(format!(" {} ", rule.repeat(2)), theme.border),
            Span::styled(format!("hunk {number}/{count}"), theme.hunk),
        ];
        for (words, tone) in placement(&app.session, id) {
            pieces.push(Span::styled(format!(" {dot} "), theme.quiet));
            let style = match tone {
                TextTone::Plain => theme.text,
                TextTone::Quiet => theme.quiet,
                TextTone::Loose => theme.attention,
                TextTone::OwnWork => theme.edited,
            };
            pieces.push(Span::styled(words, style));
        }
        if let Some(concern @ (Concern::KeptEdit | Concern::Protected)) = concern {
            pieces.push(Span::styled(format!(" {dot} "), theme.quiet));
            pieces.push(Span::styled(concern.words(), theme.attention));
        }
        let lines = marks::counts(&app.display, summary.added, summary.removed);
        if !lines.is_empty() {
            pieces.push(Span::raw("  "));
            pieces.extend(lines);
        }
        if let Some(words) = look_alike_words(app.headings.look_alikes(id)) {
            pieces.push(Span::styled(format!(" {dot} {words}"), theme.attention));
        }
        if review.state.edited {
            pieces.push(Span::styled(
                format!("  {} edited", app.display.signs.edited),
                theme.edited,
            ));
        }
        pieces.extend(self.comment(review.state.comment.as_deref()));
        if let Some(kind) = app.hunk_kind(id) {
            pieces.push(Span::styled(
                format!(" {dot} {}", kind.words()),
                theme.quiet,
            ));
        }
        if let Some(around) = self.enclosing(id, wide(&pieces)) {
            pieces.push(Span::styled(around, theme.quiet));
        }
        pieces.push(Span::raw(" "));
        self.head(buffer, &pieces, (rule, theme.border));
    }

    /// Returns the definitions around a hunk, as far as there is room for them; `None` if there are none.
    fn enclosing(&self, id: HunkId, taken: usize) -> Option<String> {
        let look = &self.app.display;
        let around = self.app.headings.around(id);
        let around = around.join(&format!(" {} ", look.signs.inside));
        let room = usize::from(self.area.width).saturating_sub(taken + 8);
        let is_shown = !around.is_empty() && room >= LEAST_ROOM;
        is_shown.then(|| format!("  in {}", truncate::start(look, &around, room)))
    }

    /// A note, a comment, or a part of the input that could not be read.
    pub(crate) fn prose(&self, buffer: &mut Buffer) {
        let (look, stream) = (&self.app.display, &self.app.stream);
        let Some(prose) = stream.prose(&self.app.session, self.row) else {
            return;
        };
        let (sign, style, ground) = self.manner(look);
        let gap = " ".repeat(prose.indent.into());
        let marks = self.marks_of_prose();
        let lines = prose.ranges(stream.body.width);
        let shown = lines.into_iter().enumerate().skip(self.skip);
        for ((nth, line), row) in shown.zip(self.area.rows()) {
            buffer.set_style(row, ground);
            let sign = match nth {
                0 => sign.to_owned(),
                _ => " ".repeat(glyphs::width(sign)),
            };
            let mut pieces = vec![
                Span::raw(gap.clone()),
                Span::styled(sign, style),
                Span::raw(" "),
            ];
            pieces.extend(marked_spans(look, &prose.text, line, style, &marks));
            fill_line(buffer, row, &pieces, (" ", ground));
        }
        buffer.set_style(self.area, self.over());
    }

    /// Returns the words and the blanks of a row of text that differ from another row, and the style of both.
    fn marks_of_prose(&self) -> TextMarks {
        let (rows, theme) = (&self.app.stream.rows, &self.app.display.theme);
        let of_sign = |is_removed: bool| {
            // The signs of changed lines are legible on the lines only.
            theme.text.patch(if is_removed {
                theme.removed.words
            } else {
                theme.added.words
            })
        };
        if let Row::Note { file, hunk, line } = self.row {
            let note = rows.note(file, hunk, line);
            return note.map_or_else(TextMarks::default, |note| TextMarks {
                line: note.differing.clone(),
                style: of_sign(note.kind == NoteKind::Found),
            });
        }
        let Row::Problem { problem, line, .. } = self.row else {
            return TextMarks::default();
        };
        let marks = line.checked_sub(1).and_then(|line| {
            let text = &self.app.session.problems.get(problem)?.text;
            let is_removed = text.get(line)?.starts_with('-');
            Some((self.app.headings.quoted(problem, line)?, is_removed))
        });
        marks.map_or_else(TextMarks::default, |(marks, is_removed)| TextMarks {
            line: marks.clone(),
            style: of_sign(is_removed),
        })
    }

    /// Returns the sign and styles of a row of text.
    fn manner(&self, look: &DisplaySettings) -> (&'static str, Style, Style) {
        let (signs, theme) = (&look.signs, &look.theme);
        if let Row::Comment { line, .. } = self.row {
            let sign = if line == 0 { signs.comment } else { " " };
            return (sign, theme.comment, Style::new());
        }
        if let Row::Problem { line: 1.., .. } = self.row {
            return (" ", theme.text, Style::new());
        }
        let Row::Note { file, hunk, line } = self.row else {
            return (signs.attention, theme.attention, Style::new());
        };
        let note = self.app.stream.rows.note(file, hunk, line);
        let review = hunk.and_then(|hunk| self.app.session.hunk(HunkId { file, hunk }));
        match note.map_or(NoteKind::Quiet, |note| note.kind) {
            NoteKind::Headline if review.is_some_and(HunkReview::is_dropped) => {
                (signs.rejected, theme.rejected, Style::new())
            }
            NoteKind::Headline => (signs.attention, theme.attention, Style::new()),
            NoteKind::Detail => (" ", theme.text, Style::new()),
            NoteKind::Found => (" ", theme.removed.sign, theme.removed.line),
            NoteKind::Expected => (" ", theme.added.sign, theme.added.line),
            NoteKind::More => (signs.fold, theme.quiet, Style::new()),
            NoteKind::Quiet => (" ", theme.quiet, Style::new()),
            NoteKind::Settled => (signs.applied, theme.quiet, Style::new()),
        }
    }

    /// The sign that the person says something.
    fn comment(&self, comment: Option<&str>) -> Option<Span<'static>> {
        let look = &self.app.display;
        comment.map(|_| Span::styled(format!("  {}", look.signs.comment), look.theme.comment))
    }
}

/// Parts of a text that are emphasised, and their style.
#[derive(Debug, Default)]
struct TextMarks {
    line: DifferingParts,
    style: Style,
}

/// Returns a part of a text in pieces, with its words emphasised and its blanks shown by signs.
fn marked_spans(
    look: &DisplaySettings,
    text: &str,
    part: Range<usize>,
    style: Style,
    marks: &TextMarks,
) -> Vec<Span<'static>> {
    let all = || marks.line.words.iter().chain(&marks.line.blanks);
    let mut borders: Vec<usize> = all().flat_map(|range| [range.start, range.end]).collect();
    borders.extend([part.start, part.end]);
    borders.retain(|at| (part.start..=part.end).contains(at));
    borders.sort_unstable();
    borders.dedup();
    let holds = |ranges: &[Range<usize>], at: usize| ranges.iter().any(|range| range.contains(&at));
    let pieces = borders.windows(2).map(|ends| {
        let piece = &text[ends[0]..ends[1]];
        let is_blank = holds(&marks.line.blanks, ends[0]);
        let style = if is_blank || holds(&marks.line.words, ends[0]) {
            style.patch(marks.style)
        } else {
            style
        };
        let shown = |text: &str| truncate::start(look, text, usize::MAX);
        let sign = |blank: char| match look.signs.of_blank(blank) {
            Some(sign) => sign.to_owned(),
            None => shown(blank.encode_utf8(&mut [0; 4])),
        };
        let piece = if is_blank {
            piece.chars().map(sign).collect()
        } else {
            shown(piece)
        };
        Span::styled(piece, style)
    });
    pieces.collect()
}

/// The cells of pieces, one after the other.
fn wide(pieces: &[Span]) -> usize {
    let widths = pieces.iter().map(|piece| glyphs::width(&piece.content));
    widths.sum()
}
