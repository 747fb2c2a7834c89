//! The keys that can be used now, with a word for each, as many as there is room for.

use ratatui::text::Span;

use crate::review::Direction;
use crate::ui::command::{Command, Editing, Landmark, Leaving, List, Motion};
use crate::ui::glyphs;
use crate::ui::keymap::KeyContext;
use crate::ui::state::app::App;
use crate::ui::state::availability::is_available;

/// Command that opens and closes the file list.
const SHOW_LIST: Command = Command::List(List::Show);
/// Hints that are left out last.
const ALWAYS: [&str; 3] = ["finish", "back", "help"];

/// A key and what it does.
struct KeyHint {
    key: String,
    word: &'static str,
    rank: Rank,
}

/// Rank of a hint: those that change with every step are last, so that they move nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The main commands of the mode.
    First,
    /// Always available.
    Steady,
    /// The ways out, and to the other keys.
    Always,
    /// Sometimes available.
    Passing,
}

impl Rank {
    fn of(command: Command, word: &str) -> Self {
        let passing = [
            Command::SelectLines,
            Command::Undo,
            Command::Redo,
            Command::Edit(Editing::Restore),
        ];
        let undecided = Command::Jump(Landmark::Undecided, Direction::Forward);
        let chief = matches!(
            command,
            Command::Decide(..)
                | Command::Edit(_)
                | Command::Place(_)
                | Command::AskModel
                | Command::List(List::Open | List::Sort | List::Choose)
        );
        if passing.contains(&command) {
            Self::Passing
        } else if chief || [undecided, Command::Submit].contains(&command) {
            Self::First
        } else if ALWAYS.contains(&word) {
            Self::Always
        } else {
            Self::Steady
        }
    }
}

impl KeyHint {
    fn width(&self) -> usize {
        glyphs::width(&self.key) + glyphs::width(self.word) + 3
    }
}

/// The hints for what can be done now: what the place is for, then the rest in the order of the key table.
pub(crate) struct Hints(Vec<KeyHint>);

impl Hints {
    pub(crate) fn new(app: &App) -> Self {
        let place = app.mode.key_context();
        let of_use = (app.keymap.of(place))
            .filter(|bound| !bound.binding().hint.is_empty())
            .filter(|bound| is_available(app, bound.binding().command))
            // The list is there already, and left by what is hinted as the way back.
            .filter(|bound| place != KeyContext::FileList || bound.binding().command != SHOW_LIST);
        let hints = of_use.filter_map(|bound| {
            let command = bound.binding().command;
            let ends = command == Command::Leave(Leaving::Write) && app.is_idle();
            let word = if ends { "end" } else { bound.binding().hint };
            let key = bound.keys.first()?.shown();
            let rank = Rank::of(command, word);
            Some(KeyHint { key, word, rank })
        });
        let mut hints: Vec<KeyHint> = hints.collect();
        if place == KeyContext::Placing {
            hints.extend(line_by_line(app));
        }
        hints.sort_by_key(|hint| hint.rank != Rank::First);
        Self(hints)
    }

    /// The cells that other things leave to them: to the ways out and to the other keys, and to the first two.
    pub(crate) fn needed(&self) -> usize {
        let others = self.0.iter().filter(|hint| hint.rank != Rank::Always);
        let always = self.0.iter().filter(|hint| hint.rank == Rank::Always);
        others.take(2).chain(always).map(KeyHint::width).sum()
    }
}

/// The keys that move a hunk being placed by a line.
fn line_by_line(app: &App) -> Option<KeyHint> {
    let [down, up] = [Motion::Down, Motion::Up].map(|motion| {
        let mut bounds = app.keymap.of(KeyContext::Placing);
        let bound = bounds.find(|bound| bound.binding().command == Command::Move(motion))?;
        Some(bound.keys.first()?.shown())
    });
    Some(KeyHint {
        key: format!("{} {}", down?, up?),
        word: "by a line",
        rank: Rank::Steady,
    })
}

/// The keys that can be used now, as many as there is room for beside other cells: first of all the ways out and to the
/// other keys.
pub(crate) fn keys(app: &App, width: u16, beside: u16) -> Vec<Span<'static>> {
    let theme = &app.display.theme;
    let Hints(mut hints) = Hints::new(app);
    let nth = |hint: &KeyHint| ALWAYS.iter().position(|word| *word == hint.word);
    // The blanks after the last one may be cut.
    let mut room = (usize::from(width) + 1).saturating_sub(if beside == 0 { 0 } else { 2 });
    let mut take = |hint: &KeyHint| {
        let fits = hint.width() <= room;
        room -= if fits { hint.width() } else { 0 };
        fits
    };
    let mut last: Vec<KeyHint> = hints
        .extract_if(.., |hint| hint.rank == Rank::Always)
        .collect();
    last.sort_by_key(nth);
    last.retain(&mut take);
    hints.retain(&mut take);
    hints.extend(last);
    hints.sort_by_key(|hint| (hint.rank, nth(hint)));
    let mut pieces = vec![Span::raw(" ")];
    for KeyHint { key, word, .. } in hints {
        pieces.push(Span::styled(key, theme.key));
        pieces.push(Span::styled(format!(" {word}  "), theme.quiet));
    }
    pieces
}
