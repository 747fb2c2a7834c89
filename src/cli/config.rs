//! `countersign config`: prints the settings and where each came from, a sample file, or the keys; makes the user's file.

use std::fmt::Write as _;

use super::args::ConfigArgs;
use super::exit::Exit;
use super::{output, settings};
use crate::config::{Config, quoted_key, sample};
use crate::ui::keymap::{KeyContext, Keymap};

/// Prints all settings with their origins, a sample file, all keys, or the name of the settings file; `--init` makes that
/// file.
pub(super) fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    if args.default {
        output::write(&sample())?;
    } else if args.path {
        output::write(&format!("{}\n", settings::path(&args.settings)?.display()))?;
    } else if args.init {
        let path = settings::path(&args.settings)?;
        settings::create(&path)?;
        output::write(&format!("{}\n", path.display()))?;
    } else if args.keys {
        output::write(&keys(&settings::load(&args.settings, &args.root)?))?;
    } else {
        output::write(&settings::load(&args.settings, &args.root)?.print())?;
    }
    Ok(Exit::Done)
}

/// Returns a settings file that gives the effective keys, in their order: the preset, the keys that were taken from it, and all
/// that are bound. Read as settings, it gives the same file again.
fn keys(config: &Config) -> String {
    let (keymap, _) = settings::keymap(config);
    let (preset, _) = Keymap::new(config.settings.keys.preset, &[]);
    let mut text = format!(
        "[keys]\npreset = \"{}\"\n",
        config.settings.keys.preset.name()
    );
    // Writing to a string cannot fail.
    for place in KeyContext::ALL {
        let _ = writeln!(text, "\n[keys.{}]", place.name());
        for bound in keymap.of(place) {
            let (name, help) = (bound.binding().command.name(), bound.binding().help);
            let name = format!("\"{name}\"");
            for keys in &bound.keys {
                let keys = quoted_key(&keys.to_string());
                let _ = writeln!(text, "{keys:<13} = {name:<23}  # {help}");
            }
            if bound.keys.is_empty() {
                let _ = writeln!(text, "# no key       {name:<23}  # {help}");
            }
        }
        for keys in unbound(&preset, &keymap, place) {
            let _ = writeln!(text, "{:<13} = \"none\"", quoted_key(&keys));
        }
    }
    text
}

/// The keys of a preset that do nothing in the effective keymap.
fn unbound(preset: &Keymap, keymap: &Keymap, place: KeyContext) -> Vec<String> {
    let [bound, mut unbound] = [keymap, preset].map(|keymap| -> Vec<String> {
        let sequences = keymap.of(place).flat_map(|bound| &bound.keys);
        sequences.map(ToString::to_string).collect()
    });
    unbound.retain(|keys| !bound.contains(keys));
    unbound
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;
    use crate::config::{SettingsFile, Sources, read};
    use crate::ui::keymap::{KEYS, Preset};

    /// Sequences that change the keys of every mode: names, modifiers, signs of TOML, and characters that only an escape can write.
    const SEQUENCES: [&str; 23] = [
        "a", "q", "?", "j", "z", "F1", "F9", "C-z", "C-c", "M-x", "S-Tab", "C-S-Left", "Esc",
        "Space", "g x", "Z Z", "C-x C-s", "\"", "'", "\\ \" '", "#", "\u{7}", "M-\u{7f}",
    ];

    /// Settings of one file.
    fn config_of(text: &str) -> Config {
        let read = read(&Sources {
            user: Some(SettingsFile {
                name: "keys.toml".to_owned(),
                text: text.to_owned(),
            }),
            repository: Vec::new(),
            environment: &[],
            arguments: Vec::new(),
        });
        assert_eq!(read.problems, [], "{text}");
        read.config
    }

    /// Checks that both printed forms give the same keys, and the same text again.
    #[track_caller]
    fn check(text: &str) {
        let config = config_of(text);
        let printed = keys(&config);
        for again in [printed.as_str(), config.print().as_str()] {
            let again = config_of(again);
            let (keymap, wrong) = settings::keymap(&again);
            assert_eq!(wrong, [], "{printed}");
            assert_eq!(keys(&again), printed);
            assert!(keymap == settings::keymap(&config).0, "{printed}");
        }
    }

    /// A file without the remaps that a keymap refuses.
    fn valid(preset: Preset, mut remaps: Vec<(KeyContext, String, String)>) -> String {
        loop {
            let mut text = format!("[keys]\npreset = '{}'\n", preset.name());
            remaps.sort_by_key(|(place, ..)| place.name());
            for rows in remaps.chunk_by(|a, b| a.0 == b.0) {
                let _ = writeln!(text, "[keys.{}]", rows[0].0.name());
                for (_, keys, command) in rows {
                    let _ = writeln!(text, "{} = '{command}'", quoted_key(keys));
                }
            }
            let (_, wrong) = settings::keymap(&config_of(&text));
            if wrong.is_empty() {
                return text;
            }
            let mut at = 0..remaps.len();
            remaps.retain(|_| {
                let at = at.next();
                wrong.iter().all(|(wrong, _)| Some(*wrong) != at)
            });
        }
    }

    #[test]
    fn every_command_keeps_the_order_of_its_keys() {
        let (mut given, mut none) = (Vec::new(), Vec::new());
        for place in KeyContext::ALL {
            let rows = KEYS.iter().filter(|row| row.places.contains(&place));
            for (idx, row) in rows.enumerate() {
                let name = row.command.name();
                for modifier in ["", "M-C-", "C-"] {
                    given.push((place, format!("{modifier}F{}", 20 + idx), name.to_string()));
                }
                none.extend(
                    row.keys
                        .iter()
                        .map(|keys| (place, keys.to_string(), "none".to_owned())),
                );
            }
        }
        for preset in Preset::ALL {
            check(&valid(preset, Vec::new()));
            check(&valid(preset, given.clone()));
            check(&valid(preset, [none.clone(), given.clone()].concat()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn printed_keys_are_a_fixed_point(
            preset in select(Preset::ALL.to_vec()),
            chosen in prop::collection::vec(
                (select(KeyContext::ALL.to_vec()), select(SEQUENCES.to_vec()), any::<Index>(), prop::bool::weighted(0.2)),
                0..12,
            ),
        ) {
            let mut remaps: Vec<(KeyContext, String, String)> = Vec::new();
            for (place, keys, row, none) in chosen {
                if remaps.iter().any(|(of, other, _)| (*of, other.as_str()) == (place, keys)) {
                    continue;
                }
                let rows: Vec<_> = KEYS.iter().filter(|row| row.places.contains(&place)).collect();
                let name = if none { "none".into() } else { row.get(&rows).command.name() };
                remaps.push((place, keys.to_owned(), name.into_owned()));
            }
            check(&valid(preset, remaps));
        }
    }
}
