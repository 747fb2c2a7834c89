//! A box in front of the rest, and sentences and answers in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::text::plural;
use crate::ui::glyphs::{self, wrap};
use crate::ui::keymap::Sequence;
use crate::ui::state::app::App;
use crate::ui::view::cells::write;
use crate::ui::view::truncate;

/// The widest that a box gets.
const WIDEST: u16 = 76;

/// A box in the middle; the room inside.
pub(crate) fn frame(buffer: &mut Buffer, area: Rect, app: &App, title: &str, height: u16) -> Rect {
    let width = widest(area);
    let height = (height + 2).min(area.height.saturating_sub(1));
    let outer = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    };
    let theme = &app.display.theme;
    let block = Block::bordered()
        .border_set(app.display.signs.frame)
        .border_style(theme.dialog.patch(theme.border))
        .style(theme.dialog)
        .title(Span::styled(
            format!(" {} ", truncate::start(&app.display, title, room(area))),
            // The border's colour is not the title's, even where bold text has none of its own.
            Style::new()
                .fg(Color::Reset)
                .patch(theme.dialog)
                .patch(theme.strong),
        ));
    let inner = block.inner(outer);
    Clear.render(outer, buffer);
    block.render(outer, buffer);
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// The cells of a box across.
fn widest(area: Rect) -> u16 {
    WIDEST.min(area.width.saturating_sub(2))
}

/// The cells of a line in a box.
pub(crate) fn room(area: Rect) -> usize {
    usize::from(widest(area)).saturating_sub(4)
}

/// Text of a dialog, wrapped.
pub(crate) struct DialogText<'a> {
    width: usize,
    lines: Vec<Line<'a>>,
}

impl<'a> DialogText<'a> {
    /// Nothing yet but a free line.
    pub(crate) fn new(width: usize) -> Self {
        let lines = vec![Line::default()];
        Self { width, lines }
    }

    /// Adds a sentence.
    pub(crate) fn say(&mut self, text: &str, style: Style) {
        self.say_behind(Span::raw(""), text, style);
    }

    /// Adds a sentence with something in front of it.
    pub(crate) fn say_behind(&mut self, head: Span<'a>, text: &str, style: Style) {
        let indent = glyphs::width(&head.content);
        let mut head = Some(head);
        for words in wrap::words(text, self.width.saturating_sub(indent)) {
            let front = head.take().unwrap_or_else(|| Span::raw(" ".repeat(indent)));
            let words = Span::styled(words.to_owned(), style);
            self.lines.push(Line::from(vec![front, words]));
        }
    }

    /// Adds answers, by the words that the key table has for hints, with the keys that give them.
    pub(crate) fn choices(self, app: &App, answers: &[&'static str]) -> Self {
        let answers: Vec<_> = answers.iter().map(|&answer| (answer, answer)).collect();
        self.choices_told(app, &answers)
    }

    /// The same with another word for each.
    pub(crate) fn choices_told(
        mut self,
        app: &App,
        answers: &[(&'static str, &'static str)],
    ) -> Self {
        let theme = &app.display.theme;
        self.lines.push(Line::default());
        let (mut line, mut taken) = (Line::default(), 0);
        for (answer, word) in answers {
            let key = Span::styled(key_of(app, answer), theme.key);
            let words = Span::styled(format!(" {word}"), theme.text);
            let wide = glyphs::width(&key.content) + glyphs::width(&words.content);
            if taken + wide > self.width {
                self.lines.push(std::mem::take(&mut line));
                taken = 0;
            }
            taken += wide + 3;
            line.extend([key, words, Span::raw("   ")]);
        }
        self.lines.push(line);
        self
    }

    /// Draws it in a box.
    pub(crate) fn draw(self, buffer: &mut Buffer, area: Rect, app: &App, title: &str) {
        let height = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        let inner = frame(buffer, area, app, title, height);
        let lines = low(self.lines, inner.height.into(), app);
        for (row, line) in inner.rows().zip(lines) {
            buffer.set_style(row, line.style);
            write(buffer, row, &line.spans);
        }
    }
}

/// Returns the lines for so many rows. On a low screen the keys at the end matter more than the free lines and the numbers before them, of
/// which a line counts those that are left out.
fn low<'a>(mut lines: Vec<Line<'a>>, rows: usize, app: &App) -> Vec<Line<'a>> {
    let mut excess = lines.len().saturating_sub(rows);
    lines.retain(|line| {
        let is_dropped = excess > 0 && line.spans.is_empty();
        excess -= usize::from(is_dropped);
        !is_dropped
    });
    if excess > 0 && rows > 1 {
        let sign = app.display.signs.cut;
        let words = format!(
            "{sign} {} in a higher window",
            plural(excess + 1, "more line")
        );
        let words = Span::styled(words, app.display.theme.attention);
        lines.splice(..=excess, [Line::from(words)]);
    }
    lines
}

/// Returns the key of an answer, as it is shown.
fn key_of(app: &App, answer: &str) -> String {
    let mut bounds = app.keymap.of(app.mode.key_context());
    let bound = bounds.find(|bound| bound.binding().hint == answer);
    let keys = bound.and_then(|bound| bound.keys.first());
    keys.map_or_else(String::new, Sequence::shown)
}
