//! `countersign run` inside a layer: the command runs in the layer that is there.

use std::path::Path;

use super::super::exit::Exit;
use super::super::output::say;
use super::super::run_args::RunArgs;
use crate::agent::layer::{become_command, covering};

/// Returns the layer that covers a root, unless one inside it is resumed.
pub(super) fn outer_layer(root: &Path, args: &RunArgs) -> Option<String> {
    covering(root).filter(|_| args.resume.is_none())
}

/// Becomes a command in the layer that this program is in, which holds back what it writes. A layer in a layer could not be found from
/// outside.
pub(super) fn run_inside(id: &str, args: &RunArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        !args.confine,
        "`--confine` has no effect inside layer `{id}`; give it to the `countersign run` that made the layer"
    );
    say(&format!(
        "already in layer `{id}`, which holds back what the command writes until it is reviewed"
    ));
    Err(become_command(&args.command).into())
}
