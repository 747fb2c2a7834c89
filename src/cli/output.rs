//! Reports and lists on standard output, remarks on standard error.

use std::io::{ErrorKind, Write};

use super::args::ReportForm;
use crate::review::Report;

/// Prints a report.
pub(super) fn print(report: &Report, form: ReportForm) -> anyhow::Result<()> {
    match form {
        ReportForm::Text => write(&report.to_string()),
        ReportForm::Json => write(&(serde_json::to_string_pretty(report)? + "\n")),
    }
}

/// Prints a text. A reader that has gone away is no error: what was to be done is done.
pub(super) fn write(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Says something beside the report. Nothing depends on its being seen.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "countersign: {text}");
}
