//! `countersign config`: prints the settings and where each came from, a sample file, or the keys; makes the user's file.

use std::fmt::Write as _;

use super::args::ConfigArgs;
use super::exit::Exit;
use super::{output, settings};
use crate::config::{Config, sample};
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

/// Returns a settings file that gives the effective keys: the preset, the keys that were taken from it, and all that are bound.
fn keys(config: &Config) -> String {
    let (keymap, _) = settings::keymap(config);
    let mut preset = config.clone();
    preset.remaps.clear();
    let (preset, _) = settings::keymap(&preset);
    let mut text = format!(
        "[keys]\npreset = \"{}\"\n\n",
        config.settings.keys.preset.name()
    );
    for line in keymap.to_string().lines() {
        text.push_str(line);
        text.push('\n');
        let place =
            (KeyContext::ALL.into_iter()).find(|place| line == format!("[keys.{}]", place.name()));
        for keys in place
            .iter()
            .flat_map(|place| unbound(&preset, &keymap, *place))
        {
            let quoted = keys.replace('\\', "\\\\").replace('"', "\\\"");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:<13} = \"none\"", format!("\"{quoted}\""));
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
