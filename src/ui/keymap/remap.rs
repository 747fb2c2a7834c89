//! Remapping of keys by presets and settings.

use super::binding::Remap;
use super::context::KeyContext;
use super::effective_keymap::{Keymap, Sequence};
use super::preset::Preset;
use super::remap_error::RemapError;
use super::table::rows;
use crate::ui::command::{Command, Editing, Leaving};

/// The word that takes a key away.
const NONE: &str = "none";

impl Keymap {
    /// The keys of a preset, changed by what the settings say; and which of that cannot be, by its position.
    pub fn new(preset: Preset, remaps: &[Remap<'_>]) -> (Self, Vec<(usize, RemapError)>) {
        let mut keymap = Self::of_table();
        // A test says that presets are without fault.
        change(&mut keymap, preset.remaps());
        let wrong = change(&mut keymap, remaps);
        (keymap, wrong)
    }
}

/// A change that was understood.
struct ResolvedRemap {
    at: usize,
    place: KeyContext,
    keys: Sequence,
    command: Option<Command>,
}

/// Applies remaps and returns the invalid ones with their positions.
pub(crate) fn change(keymap: &mut Keymap, remaps: &[Remap<'_>]) -> Vec<(usize, RemapError)> {
    let mut wrong = Vec::new();
    let mut changes: Vec<ResolvedRemap> = Vec::new();
    for (at, remap) in remaps.iter().enumerate() {
        match read(at, remap) {
            Ok(change)
                if changes
                    .iter()
                    .any(|other| other.place == change.place && other.keys == change.keys) =>
            {
                wrong.push((at, RemapError::Twice(change.keys.to_string())));
            }
            Ok(change) => changes.push(change),
            Err(error) => wrong.push((at, error)),
        }
    }
    let mut taken_from = Vec::new();
    for change in &changes {
        let row = take_away(keymap, change);
        if change.command.is_none() && row.is_none() {
            wrong.push((change.at, RemapError::NotBound(change.keys.to_string())));
        }
        taken_from.push(row);
    }
    // Each goes to the front: the first one of the settings is then the first one of its command.
    for (change, row) in changes.iter().zip(taken_from).rev() {
        give(keymap, change, row);
    }
    for change in changes.iter().filter(|change| change.command.is_some()) {
        wrong.extend(in_the_way(keymap, change).map(|error| (change.at, error)));
    }
    for place in KeyContext::ALL {
        // Where the table has a way out, it was taken away by the last change there.
        let last = changes.iter().rfind(|change| change.place == place);
        if let Some(last) = last.filter(|_| !has_way_out(keymap, place)) {
            wrong.push((last.at, RemapError::NoWayOut(place)));
        }
    }
    wrong.sort_by_key(|(at, _)| *at);
    wrong
}

fn read(at: usize, remap: &Remap<'_>) -> Result<ResolvedRemap, RemapError> {
    let place = KeyContext::ALL
        .into_iter()
        .find(|place| place.name() == remap.place);
    let place = place.ok_or_else(|| RemapError::NoPlace(remap.place.to_owned()))?;
    let keys = Sequence::parse(remap.keys)
        .ok()
        .filter(Sequence::is_possible);
    let keys = keys.ok_or_else(|| RemapError::NoKey(remap.keys.to_owned()))?;
    if place.takes_text() && keys.chords()[0].typed().is_some() {
        return Err(RemapError::Text(keys.to_string()));
    }
    if place.takes_counts() && keys.chords()[0].digit().is_some_and(|digit| digit > 0) {
        return Err(RemapError::Digit(keys.to_string()));
    }
    let command = match remap.command {
        NONE => None,
        name => Some(named(place, name).ok_or_else(|| RemapError::NoCommand {
            place,
            command: name.to_owned(),
        })?),
    };
    Ok(ResolvedRemap {
        at,
        place,
        keys,
        command,
    })
}

/// The command of a name, if it is one of a place.
fn named(place: KeyContext, name: &str) -> Option<Command> {
    rows(place)
        .map(|(_, row)| row.command)
        .find(|command| command.name() == name)
}

/// Takes a sequence from whatever it does, and returns the row of the table that had it.
fn take_away(keymap: &mut Keymap, change: &ResolvedRemap) -> Option<usize> {
    let mut row = None;
    for bound in (keymap.bound.iter_mut()).filter(|bound| bound.place == change.place) {
        let before = bound.keys.len();
        bound.keys.retain(|keys| *keys != change.keys);
        if bound.keys.len() < before {
            row = Some(bound.row);
        }
    }
    row
}

/// Gives a sequence to its command, in front of the keys that it has: hints name the first one. Of several rows for one
/// command, that which had the sequence keeps it.
fn give(keymap: &mut Keymap, change: &ResolvedRemap, taken_from: Option<usize>) {
    let rows = keymap.bound.iter().enumerate().filter(|(_, bound)| {
        bound.place == change.place && Some(bound.binding().command) == change.command
    });
    let row = rows.min_by_key(|(_, bound)| Some(bound.row) != taken_from);
    if let Some((idx, _)) = row {
        keymap.bound[idx].keys.insert(0, change.keys.clone());
    }
}

/// Returns an error if another binding hides the sequence, or is hidden by it.
fn in_the_way(keymap: &Keymap, change: &ResolvedRemap) -> Option<RemapError> {
    for bound in keymap.of(change.place) {
        for other in bound.keys.iter().filter(|other| **other != change.keys) {
            let (keys, command) = (change.keys.to_string(), bound.binding().command);
            if change.keys.chords().starts_with(other.chords()) {
                let by = other.to_string();
                return Some(RemapError::Unreachable { keys, by, command });
            }
            if other.chords().starts_with(change.keys.chords()) {
                let longer = other.to_string();
                return Some(RemapError::Hides {
                    keys,
                    longer,
                    command,
                });
            }
        }
    }
    None
}

/// Returns true if any key leaves a context.
fn has_way_out(keymap: &Keymap, place: KeyContext) -> bool {
    keymap.of(place).any(|bound| {
        let leaves = matches!(
            bound.binding().command,
            Command::Back | Command::Edit(Editing::Keep) | Command::Leave(Leaving::Ask)
        );
        // In the review itself, going back shows matches no longer, and leaves nothing.
        let leaves =
            leaves && (place != KeyContext::Stream || bound.binding().command != Command::Back);
        leaves && !bound.keys.is_empty()
    })
}

impl Sequence {
    /// Returns true if a terminal can report the sequence.
    fn is_possible(&self) -> bool {
        let shifted = self
            .chords()
            .iter()
            .any(|chord| chord.shift && chord.without_shift().typed().is_some());
        !self.chords().is_empty() && !shifted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::keymap::Lookup;
    use crate::ui::keymap::Preset;

    /// Changes keys, given as `place: keys = command` and so on; what is said against it.
    fn errors(remaps: &str) -> (Keymap, Vec<String>) {
        let rows = remaps.split("; ").filter(|row| !row.is_empty()).map(|row| {
            let (place, rest) = row.split_once(": ").unwrap();
            let (keys, command) = rest.rsplit_once(" = ").unwrap();
            Remap {
                place,
                keys,
                command,
            }
        });
        let (keymap, wrong) = Keymap::new(Preset::Default, &rows.collect::<Vec<_>>());
        let told = wrong
            .into_iter()
            .map(|(at, error)| format!("{at}: {error}"));
        (keymap, told.collect())
    }

    #[track_caller]
    fn check(remaps: &str, keys: &str, expected: &str) {
        let (keymap, wrong) = errors(remaps);
        assert_eq!(wrong, [""; 0], "{remaps}");
        let keys = Sequence::parse(keys).unwrap();
        let found = match keymap.look_up(KeyContext::Stream, keys.chords()) {
            Lookup::Found(command) => command.name().into_owned(),
            Lookup::Prefix => "prefix".to_owned(),
            Lookup::Unbound => "unbound".to_owned(),
        };
        assert_eq!(found, expected, "{remaps}");
    }

    #[test]
    fn keys_are_given_and_taken_place_by_place() {
        check("", "j", "down");
        check("review: J = down", "J", "down");
        check("review: J = down", "j", "down");
        check("review: j = up", "j", "up");
        check("lines: j = up", "j", "down");
        check("review: j = none", "j", "unbound");
        check("review: C-x C-s = write", "C-x", "prefix");
        check("review: C-x C-s = write", "C-x C-s", "write");
        check(
            "review: ] = none; review: ] c = next-hunk",
            "] c",
            "next-hunk",
        );
        check(
            "review: Z Z = none; review: Z Q = none; review: Z = write",
            "Z",
            "write",
        );
    }

    #[track_caller]
    fn refuses(remaps: &str, expected: &[&str]) {
        assert_eq!(errors(remaps).1, expected, "{remaps}");
    }

    #[test]
    fn what_cannot_be_bound_is_told() {
        refuses(
            "reviw: j = down",
            &[
                "0: there are no keys for `reviw`; the places are: review, lines, files, editor, prompt, question, finish, help, placing, reader",
            ],
        );
        let no_key = |keys| {
            format!(
                "0: `{keys}` is not a key; keys are written like `g g`, `C-d`, `M-x`, `S-Tab`, `Space`, `F1`"
            )
        };
        refuses("review: gg = top", &[&no_key("gg")]);
        refuses("review: S-a = top", &[&no_key("S-a")]);
        refuses(
            "review: J = dwon",
            &["0: there is no command `dwon` in `review`; did you mean `down`?"],
        );
        refuses(
            "prompt: C-x = accept",
            &["0: there is no command `accept` in `prompt`"],
        );
        refuses(
            "editor: j = cut",
            &["0: `j` is typed as text there, so it cannot be bound"],
        );
        refuses(
            "review: 5 = down",
            &["0: `5` begins a number there, so it cannot be bound"],
        );
        refuses(
            "review: J = none",
            &["0: `J` does nothing there, so there is nothing to take from it"],
        );
        refuses(
            "review: F9 = up; review: F9 = down",
            &["1: `F9` is given twice"],
        );
        refuses(
            "review: j j = down",
            &["0: `j j` is never reached: `j` does `down`; take that away with \"none\""],
        );
        refuses(
            "review: g = top",
            &["0: `g` hides `g a`, which does `accept-rest`; take that away with \"none\""],
        );
        refuses(
            "question: Esc = none; question: n = none; question: C-c = none",
            &["2: without it, no key would leave `question`"],
        );
        refuses(
            "review: q = none",
            &["0: without it, no key would leave `review`"],
        );
    }

    #[test]
    fn every_place_has_a_way_out() {
        for place in KeyContext::ALL {
            assert!(has_way_out(&Keymap::default(), place), "{place:?}");
        }
    }

    #[test]
    fn presets_are_without_fault() {
        for preset in Preset::ALL {
            let mut keymap = Keymap::default();
            assert_eq!(
                change(&mut keymap, preset.remaps()),
                [],
                "{}",
                preset.name()
            );
        }
    }
}
