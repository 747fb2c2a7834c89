//! The palette: every command that can be given now, found by a few of its letters.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::app::App;
use super::availability::is_available;
use crate::ui::command::{Command, Leaving, Motion};
use crate::ui::keymap::{Bound, Sequence};

/// Vim's names of some commands.
const SHORT: [(&str, Command); 7] = [
    ("w", Command::Leave(Leaving::Write)),
    ("wq", Command::Leave(Leaving::Write)),
    ("x", Command::Leave(Leaving::Write)),
    ("q", Command::Leave(Leaving::Ask)),
    ("q!", Command::Leave(Leaving::Discard)),
    ("qa", Command::Leave(Leaving::Ask)),
    ("qa!", Command::Leave(Leaving::Discard)),
];

/// Something that the palette offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaletteEntry {
    /// Command with its count.
    pub command: (Command, Option<usize>),
    /// Its name.
    pub name: String,
    /// The keys that do the same.
    pub keys: Vec<String>,
    /// Text of the help.
    pub help: &'static str,
}

/// Returns the available commands that match some letters, best match first. Without letters: all, in the
/// order of the key table, with those that move, decide or finish last. A number is a line to go to.
pub(crate) fn entries(app: &App, letters: &str) -> Vec<PaletteEntry> {
    let letters = letters.trim();
    let place = app.mode.command_context();
    let mut all: Vec<PaletteEntry> = Vec::new();
    for bound in app.keymap.of(place) {
        let command = bound.binding().command;
        if command == Command::Palette || !is_available(app, command) {
            continue;
        }
        match all.iter_mut().find(|offer| offer.command.0 == command) {
            Some(known) => known.keys.extend(bound.keys.iter().map(Sequence::shown)),
            None => all.push(offer(bound)),
        }
    }
    if letters.is_empty() {
        // Enter alone is to decide nothing, and nobody looks for the keys that move.
        all.sort_by_key(|offer| {
            let command = offer.command.0;
            let moves = matches!(command, Command::Move(_) | Command::Scroll(_));
            (command.needs_all_placed(), moves)
        });
        return all;
    }
    if let (Ok(line), true) = (letters.parse(), place.takes_counts()) {
        let bottom = all
            .into_iter()
            .filter(|offer| offer.command.0 == Command::Move(Motion::Bottom));
        return bottom
            .map(|bottom| PaletteEntry {
                command: (bottom.command.0, Some(line)),
                name: format!("line {line}"),
                help: "go to this line of the file",
                ..bottom
            })
            .collect();
    }
    let short = SHORT.iter().find(|(short, _)| *short == letters);
    let pattern = Pattern::parse(letters, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut rate = |text: &str| pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher);
    let mut rated: Vec<(u32, PaletteEntry)> = all
        .into_iter()
        .filter_map(|offer| {
            let meant = short.is_some_and(|(_, command)| *command == offer.command.0);
            // A name says more about what is meant than the words that explain it.
            let by_name = rate(&offer.name).map(|rate| rate.saturating_mul(2));
            let rate = by_name.max(rate(offer.help)).or(meant.then_some(0))?;
            Some((if meant { u32::MAX } else { rate }, offer))
        })
        .collect();
    rated.sort_by_key(|(rate, _)| std::cmp::Reverse(*rate));
    rated.into_iter().map(|(_, offer)| offer).collect()
}

fn offer(bound: &Bound) -> PaletteEntry {
    let binding = bound.binding();
    PaletteEntry {
        command: (binding.command, None),
        name: binding.command.name().into_owned(),
        keys: bound.keys.iter().map(Sequence::shown).collect(),
        help: binding.help,
    }
}
