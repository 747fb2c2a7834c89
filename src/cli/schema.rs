//! `countersign schema`: the forms of what is printed as JSON, for programs that read it.

use super::exit::Exit;
use super::output;
use super::server_args::{SchemaArgs, SchemaForm};

/// The JSON Schema of [`crate::review::Report`]; its version is [`crate::review::SCHEMA`].
static REPORT: &str = include_str!("../../assets/report.schema.json");
/// The JSON Schema of [`crate::agent::Verdict`]; its version is [`crate::agent::VERDICT_SCHEMA`].
static VERDICT: &str = include_str!("../../assets/verdict.schema.json");
/// The JSON Schema of [`crate::agent::PendingDocument`]; its version is [`crate::agent::PENDING_SCHEMA`].
static PENDING: &str = include_str!("../../assets/pending.schema.json");

/// The JSON Schema of [`crate::review::ThreadList`]; its version is [`crate::review::THREADS_SCHEMA`].
static THREADS: &str = include_str!("../../assets/threads.schema.json");

/// Prints a schema.
pub(super) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    output::write(match args.form {
        SchemaForm::Report => REPORT,
        SchemaForm::Verdict => VERDICT,
        SchemaForm::Pending => PENDING,
        SchemaForm::Threads => THREADS,
    })?;
    Ok(Exit::Done)
}
