//! `countersign config`: what is set, where it was set, and what keys do.

use super::args::ConfigArgs;
use super::exit::Exit;
use super::{output, settings};
use crate::config::sample;

/// Prints all settings with their origins, a sample file, all keys, or the name of the file that they are read from.
pub(super) fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    if args.default {
        output::write(&sample())?;
    } else if args.path {
        output::write(&format!("{}\n", settings::path(&args.settings)?.display()))?;
    } else if args.keys {
        let config = settings::load(&args.settings, &args.root)?;
        output::write(&settings::keymap(&config).0.to_string())?;
    } else {
        output::write(&settings::load(&args.settings, &args.root)?.print())?;
    }
    Ok(Exit::Done)
}
