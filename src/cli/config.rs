//! `countersign config`: what is set, and where it was set.

use super::args::ConfigArgs;
use super::exit::Exit;
use super::{output, settings};
use crate::config::sample;

/// Prints all settings with their origins, a sample file, or the name of the file that they are read from.
pub(super) fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    if args.default {
        output::write(&sample())?;
    } else if args.path {
        output::write(&format!("{}\n", settings::path(&args.settings)?.display()))?;
    } else {
        output::write(&settings::load(&args.settings, &args.root)?.print())?;
    }
    Ok(Exit::Done)
}
