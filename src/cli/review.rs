//! `countersign review`.
use super::args::ReviewArgs;
use super::exit::Exit;

pub(super) fn run(_args: &ReviewArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not yet")
}
