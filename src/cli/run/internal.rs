//! The internal commands that make a layer from inside.

use super::super::exit::Exit;
use super::super::run_args::{EnterArgs, MapArgs, ResetArgs};
use crate::agent::layer::EnterError;
#[cfg(target_os = "linux")]
use crate::agent::layer::{Confine, LayerSetup, ResetSteps};
#[cfg(target_os = "linux")]
use crate::store::OpenFiles;

/// Becomes the command, inside a layer.
#[cfg(target_os = "linux")]
pub(in crate::cli) fn enter(args: EnterArgs) -> anyhow::Result<Exit> {
    let entry = LayerSetup {
        id: args.id,
        root: args.root,
        layer: args.layer,
        state: args.state,
        folder: args.folder,
        also: args.also,
        through: args.through,
        confine: args.confine.then_some(Confine { write: args.write }),
    };
    match crate::agent::layer::enter(&entry, &args.command) {
        Ok(never) => match never {},
        Err(error) => Err(EnterError::into(error)),
    }
}

/// Maps the ids of the process that started this one.
#[cfg(target_os = "linux")]
pub(in crate::cli) fn map_ids(args: &MapArgs) -> anyhow::Result<Exit> {
    crate::agent::layer::map_ids(args.process)?;
    Ok(Exit::Done)
}

/// Resets files in a running layer.
#[cfg(target_os = "linux")]
pub(in crate::cli) fn reset_inside(args: &ResetArgs) -> anyhow::Result<Exit> {
    let open = OpenFiles::default();
    let change = ResetSteps {
        replace: &|from, to| open.replace(from, to),
        remove: &|path| open.remove(path),
    };
    crate::agent::layer::reset_inside(&args.layer, &args.processes, &args.root, &change)?;
    Ok(Exit::Done)
}

/// There are no namespaces here.
#[cfg(not(target_os = "linux"))]
pub(in crate::cli) fn reset_inside(_: &ResetArgs) -> anyhow::Result<Exit> {
    Err(EnterError::Unsupported.into())
}

/// There are no namespaces here.
#[cfg(not(target_os = "linux"))]
pub(in crate::cli) fn enter(_: EnterArgs) -> anyhow::Result<Exit> {
    Err(EnterError::Unsupported.into())
}

/// There are no namespaces here.
#[cfg(not(target_os = "linux"))]
pub(in crate::cli) fn map_ids(_: &MapArgs) -> anyhow::Result<Exit> {
    Err(EnterError::Unsupported.into())
}
