//! Dialogs: the end of a review, a question, a comment.

mod frame;
mod palette;

use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::text_line::{LinePart, TextLine};
use frame::{DialogText, frame, room};

use crate::review::{Decision, Target, left_out};
use crate::text::{plural, sanitize_name};
use crate::ui::command::{Command, Editing};
use crate::ui::editor::Editor;
use crate::ui::glyphs::{self, wrap};
use crate::ui::state::app::App;
use crate::ui::state::availability::is_available;
use crate::ui::state::finish_notes::finish_notes;
use crate::ui::state::mode::{Mode, PromptPurpose, Question};
use crate::ui::state::outcome_counts::{HunkOutcome, OutcomeCount, outcome_counts};
use crate::ui::state::shown_lines::never_shown;

/// The lines of a comment that are shown at once.
const COMMENT: u16 = 6;

/// Draws the dialog of the mode, and returns the position of the text cursor.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> Option<Position> {
    match &app.mode {
        Mode::Finish => finish(app, room(area)).draw(buffer, area, app, title(app)),
        Mode::Question(question) => {
            let title = match question {
                Question::Rest { decision, .. } => match decision {
                    Decision::Accepted => "Accept several hunks",
                    Decision::Rejected => "Reject several hunks",
                    Decision::Undecided => "Make several hunks undecided",
                },
                Question::Drop(_) => "Drop the edit",
            };
            ask(app, question, room(area)).draw(buffer, area, app, title);
        }
        Mode::Prompt(prompt) => {
            let title = match &prompt.purpose {
                PromptPurpose::Draft { .. } => "What should the apply model do with these lines?",
                PromptPurpose::Text(purpose) => purpose.title(),
                PromptPurpose::Palette { chosen, .. } => {
                    return Some(palette::draw(buffer, area, app, &prompt.editor, *chosen));
                }
                PromptPurpose::Search { .. }
                | PromptPurpose::SearchReader
                | PromptPurpose::SearchEdit { .. }
                | PromptPurpose::Filter
                | PromptPurpose::HelpFilter => return None,
            };
            return Some(comment(buffer, area, app, title, &prompt.editor));
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::FileList
        | Mode::Edit(_)
        | Mode::Place(_)
        | Mode::Read
        | Mode::Help { .. } => (),
    }
    None
}

/// Returns the title of the last dialog.
fn title(app: &App) -> &'static str {
    if app.is_idle() {
        "End the reviewer"
    } else {
        "Finish the review"
    }
}

fn finish<'a>(app: &App, width: usize) -> DialogText<'a> {
    let (signs, theme) = (&app.display.signs, &app.display.theme);
    let mut said = DialogText::new(width);
    for OutcomeCount { what, count, words } in outcome_counts(&app.session, &app.summaries) {
        let (sign, style) = match what {
            HunkOutcome::Accepted => (signs.accepted, theme.accepted),
            HunkOutcome::Mixed => (signs.mixed, theme.edited),
            HunkOutcome::Rejected => (signs.rejected, theme.rejected),
            HunkOutcome::Undecided => (signs.undecided, theme.undecided),
            HunkOutcome::Stands => (signs.applied, theme.quiet),
            HunkOutcome::Attention => (signs.attention, theme.attention),
            HunkOutcome::Edited => (signs.edited, theme.edited),
        };
        let head = Span::styled(format!("{sign} {count:>4} "), style);
        said.say_behind(head, &words, theme.text);
    }
    for words in finish_notes(app) {
        said.say(&words, theme.attention);
    }
    let counts = &app.summaries.counts;
    if counts.hunks + counts.unplaced == 0 {
        said.say("There is nothing to write.", theme.text);
    }
    if app.is_idle() {
        let words = "The reviewer ends. Agents that send proposals later find no reviewer.";
        said.say(words, theme.text);
        return said.choices_told(app, &[("write", "end"), ("back", "back")]);
    }
    match app.session.calls.len() {
        0 => (),
        1 => said.say("1 proposal waits for its answer", theme.text),
        n => said.say(&format!("{n} proposals wait for their answers"), theme.text),
    }
    let mut choices = vec!["write"];
    let accepts = Command::Edit(Editing::AcceptAll);
    choices.extend(is_available(app, accepts).then_some("accept edits"));
    choices.extend(["keep for later", "discard", "back"]);
    said.choices(app, &choices)
}

fn ask<'a>(app: &App, question: &Question, width: usize) -> DialogText<'a> {
    let theme = &app.display.theme;
    let mut said = DialogText::new(width);
    match question {
        Question::Rest {
            target,
            decision,
            changed,
            left,
            seen,
            ..
        } => {
            let verb = decision.verb();
            let hunks = plural(*changed, "hunk");
            let what = match target {
                Target::Files(files) => {
                    let changed = files.iter().filter(|file| {
                        let one = Target::Files(vec![**file]);
                        app.session.would_decide(&one, *decision).changed > 0
                    });
                    format!("{hunks} in {}", plural(changed.count(), "file"))
                }
                Target::Hunks(ids) => {
                    let changed = ids.iter().filter(|id| {
                        let one = Target::Hunks(vec![**id]);
                        app.session.would_decide(&one, *decision).changed > 0
                    });
                    let files: BTreeSet<usize> = changed.map(|id| id.file).collect();
                    format!("{hunks} in {}", plural(files.len(), "file"))
                }
                Target::File(_) if *changed == 1 => format!("{hunks} that needs attention"),
                Target::File(_) => format!("{hunks} that need attention"),
                Target::Rest | Target::Hunk(_) | Target::Lines { .. } => {
                    format!("the remaining {hunks}")
                }
                Target::RestOf(files) => {
                    let files = plural(files.len(), "file");
                    let filter = &app.file_list.filter;
                    format!("the remaining {hunks} in the {files} with `{filter}`")
                }
            };
            said.say(&format!("{verb} {what}?"), theme.text);
            if let Target::File(file) = target {
                said.say(&sanitize_name(&app.session.files[*file].path), theme.text);
            }
            if let Some(words) = never_shown(*seen, "line") {
                said.say(&words, theme.attention);
            }
            if *left > 0 {
                said.say(&left_out(*left), theme.attention);
            }
            let hidden = app
                .hidden_words()
                .filter(|_| matches!(target, Target::RestOf(_)));
            if let Some(hidden) = hidden {
                said.say(&format!("not touched: {hidden}"), theme.attention);
            }
        }
        Question::Drop(_) => said.say("Drop what you changed in this hunk?", theme.text),
    }
    said.choices(app, &["yes", "no"])
}

/// Draws the comment editor with its lines wrapped, and returns the position of the text cursor.
fn comment(buffer: &mut Buffer, area: Rect, app: &App, title: &str, editor: &Editor) -> Position {
    let inner = frame(buffer, area, app, title, COMMENT);
    let width = usize::from(inner.width);
    let caret = editor.caret();
    // The text cursor has a cell behind the last character.
    let wrapped = |line: &String| wrap::word_ranges(line, width.saturating_sub(1));
    let rows: Vec<(usize, Range<usize>)> = (editor.lines().iter().map(wrapped).enumerate())
        .flat_map(|(line, ranges)| ranges.into_iter().map(move |range| (line, range)))
        .collect();
    let is_before =
        |(line, range): &(usize, Range<usize>)| (*line, range.start) <= (caret.line, caret.byte);
    let here = rows.iter().rposition(is_before).unwrap_or(0);
    let top = (here + 1).saturating_sub(inner.height.into());
    for ((line, range), row) in rows[top..].iter().zip(inner.rows()) {
        let text = &editor.lines()[*line][range.clone()];
        let selected = editor.selected(*line).map(|(selected, _)| {
            let inside = |byte: usize| byte.clamp(range.start, range.end) - range.start;
            inside(selected.start)..inside(selected.end)
        });
        let selected: Vec<_> = selected.into_iter().collect();
        let painted = TextLine {
            look: &app.display,
            text,
            base: app.display.theme.dialog,
            tokens: None,
            layers: vec![(&selected, app.display.theme.selected)],
            blanks_from: text.len(),
            blanks: &[],
            ending: String::new(),
            differs: None,
            ruler: None,
        };
        painted.paint(buffer, row, LinePart::From(0));
    }
    let before = &editor.lines()[caret.line][rows[here].1.start..caret.byte];
    let column = glyphs::width(before).min(width.saturating_sub(1));
    let cells = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    Position {
        x: inner.x + cells(column),
        y: inner.y + cells(here - top),
    }
}
