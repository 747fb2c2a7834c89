//! `countersign schema`: the form of the JSON report, for programs that read it.

use super::exit::Exit;
use super::output;

/// The JSON Schema of [`crate::review::Report`]; its version is [`crate::review::SCHEMA`].
static SCHEMA: &str = include_str!("../../assets/report.schema.json");

/// Prints the schema.
pub(super) fn run() -> anyhow::Result<Exit> {
    output::write(SCHEMA)?;
    Ok(Exit::Done)
}
