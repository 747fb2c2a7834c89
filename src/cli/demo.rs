//! `countersign demo`.
use super::args::DemoArgs;
use super::exit::Exit;

pub(super) fn run(_args: &DemoArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not yet")
}
