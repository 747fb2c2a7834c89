//! What stands in front of the rest: the end of a review, a question, a comment being written.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::line::{Part, TextLine};
use super::{palette, write};
use crate::review::{Decision, Target};
use crate::ui::app::App;
use crate::ui::editor::Editor;
use crate::ui::fates::{Fate, Fates, fates};
use crate::ui::keymap::Sequence;
use crate::ui::mode::{Mode, Purpose, Question};
use crate::ui::paint;

/// The widest that a dialog gets.
const WIDEST: u16 = 76;
/// The lines of a comment that are shown at once.
const COMMENT: u16 = 6;

/// Draws what is in front; where the text cursor stands in it, if it is there.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> Option<Position> {
    match &app.mode {
        Mode::Finish => lines(buffer, area, app, "Finish the review", finish(app)),
        Mode::Question(question) => lines(buffer, area, app, "Sure?", ask(app, question)),
        Mode::Prompt(prompt) => {
            let title = match prompt.purpose {
                Purpose::Draft { .. } => "What shall the apply model do to these lines?",
                Purpose::CommentHunk(_) => "Comment on this hunk, for the agent",
                Purpose::CommentLines { .. } => "Comment on these lines, for the agent",
                Purpose::CommentFile(_) => "Comment on this file, for the agent",
                Purpose::CommentBatch(_) => "Comment on the whole batch, for the agent",
                Purpose::Palette { chosen, .. } => {
                    return Some(palette::draw(buffer, area, app, &prompt.editor, chosen));
                }
                Purpose::Search { .. }
                | Purpose::SearchReader
                | Purpose::Filter
                | Purpose::HelpFilter => return None,
            };
            return Some(comment(buffer, area, app, title, &prompt.editor));
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Batch
        | Mode::Edit(_)
        | Mode::Place(_)
        | Mode::Read
        | Mode::Help { .. } => (),
    }
    None
}

/// A box in the middle; the room inside.
pub(super) fn frame(buffer: &mut Buffer, area: Rect, app: &App, title: &str, height: u16) -> Rect {
    let width = WIDEST.min(area.width.saturating_sub(2));
    let height = (height + 2).min(area.height.saturating_sub(1));
    let outer = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    };
    let theme = &app.look.theme;
    let block = Block::bordered()
        .border_set(app.look.signs.frame)
        .border_style(theme.dialog.patch(theme.border))
        .style(theme.dialog)
        .title(Span::styled(format!(" {title} "), theme.strong));
    let inner = block.inner(outer);
    Clear.render(outer, buffer);
    block.render(outer, buffer);
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

fn lines(buffer: &mut Buffer, area: Rect, app: &App, title: &str, lines: Vec<Line>) {
    let inner = frame(
        buffer,
        area,
        app,
        title,
        u16::try_from(lines.len()).unwrap_or(u16::MAX),
    );
    // On a low screen the keys at the end matter more than the numbers before them.
    let skip = lines.len().saturating_sub(inner.height.into());
    for (line, y) in lines.into_iter().skip(skip).zip(inner.y..inner.bottom()) {
        let row = Rect {
            y,
            height: 1,
            ..inner
        };
        buffer.set_style(row, line.style);
        write(buffer, row, &line.spans);
    }
}

fn finish(app: &App) -> Vec<Line<'static>> {
    let (signs, theme) = (&app.look.signs, &app.look.theme);
    let row = |Fates { what, count, words }: Fates| {
        let (sign, style) = match what {
            Fate::Accepted => (signs.accepted, theme.accepted),
            Fate::Mixed => (signs.mixed, theme.edited),
            Fate::Rejected => (signs.rejected, theme.rejected),
            Fate::Undecided => (signs.undecided, theme.undecided),
            Fate::Stands => (signs.applied, theme.quiet),
            Fate::Attention => (signs.attention, theme.attention),
            Fate::Edited => (signs.edited, theme.edited),
        };
        let count = format!("{sign} {count:>4} ");
        let style_of_words = if what == Fate::Edited {
            style
        } else {
            theme.text
        };
        Line::from(vec![
            Span::styled(count, style),
            Span::styled(words, style_of_words),
        ])
    };
    let mut lines = vec![Line::default()];
    lines.extend(fates(&app.session, &app.summaries.counts).map(row));
    match app.session.calls.len() {
        0 => (),
        1 => lines.push(Line::styled("1 proposal waits for its answer", theme.text)),
        n => lines.push(Line::styled(
            format!("{n} proposals wait for their answers"),
            theme.text,
        )),
    }
    lines.push(Line::default());
    lines.push(choices(
        app,
        &["write", "keep for later", "discard", "back"],
    ));
    lines
}

fn ask(app: &App, question: &Question) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    match question {
        Question::Rest {
            target,
            decision,
            changed,
            left,
            ..
        } => {
            let verb = match decision {
                Decision::Accepted => "Accept",
                Decision::Rejected => "Reject",
                Decision::Undecided => "Clear",
            };
            let noun = if *changed == 1 { "hunk" } else { "hunks" };
            let what = match target {
                Target::Files(files) if files.len() == 1 => format!("{changed} {noun} in 1 file"),
                Target::Files(files) => format!("{changed} {noun} in {} files", files.len()),
                Target::File(_) => {
                    format!("{changed} {noun}, placed loosely or in a protected file,")
                }
                Target::Rest | Target::Hunk(_) | Target::Lines { .. } => {
                    format!("the remaining {changed} {noun}")
                }
            };
            lines.push(Line::from(format!("{verb} {what}?")));
            if let Target::File(file) = target {
                lines.push(Line::from(app.session.files[*file].path.clone()));
            }
            if *left > 0 {
                let words =
                    format!("{left} placed loosely or protected: to be looked at, so left out");
                lines.push(Line::styled(words, app.look.theme.attention));
            }
        }
        Question::Drop(_) => lines.push(Line::from("Drop what you changed in this hunk?")),
    }
    lines.push(Line::default());
    lines.push(choices(app, &["yes", "no"]));
    lines
}

/// Answers, by the words that the key table has for hints, with the keys that give them.
fn choices(app: &App, answers: &[&'static str]) -> Line<'static> {
    let theme = &app.look.theme;
    let key = |answer: &str| {
        let bound = (app.keymap.of(app.mode.place())).find(|bound| bound.binding().hint == answer);
        let keys = bound.and_then(|bound| bound.keys.first());
        keys.map_or_else(String::new, Sequence::shown)
    };
    answers
        .iter()
        .flat_map(|answer| {
            [
                Span::styled(key(answer), theme.key),
                Span::styled(format!(" {answer}   "), theme.text),
            ]
        })
        .collect()
}

/// Draws a comment being written; where the text cursor stands in it.
fn comment(buffer: &mut Buffer, area: Rect, app: &App, title: &str, editor: &Editor) -> Position {
    let inner = frame(buffer, area, app, title, COMMENT);
    let caret = editor.caret();
    let column = paint::column_of(&editor.lines()[caret.line], caret.byte);
    let left = (column + 1).saturating_sub(inner.width.into());
    let top = (caret.line + 1).saturating_sub(inner.height.into());
    for (line, y) in (top..editor.lines().len()).zip(inner.y..inner.bottom()) {
        let text = &editor.lines()[line];
        let selected: Vec<_> = editor
            .selected(line)
            .map(|(range, _)| range)
            .into_iter()
            .collect();
        let painted = TextLine {
            look: &app.look,
            text,
            base: app.look.theme.dialog,
            tokens: None,
            layers: vec![(&selected, app.look.theme.selected)],
            blanks_from: text.len(),
            ending: "",
            ruler: None,
        };
        let row = Rect {
            y,
            height: 1,
            ..inner
        };
        painted.paint(
            buffer,
            row,
            Part::From(if line == caret.line { left } else { 0 }),
        );
    }
    let cells = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    Position {
        x: inner.x + cells(column - left),
        y: inner.y + cells(caret.line - top),
    }
}
