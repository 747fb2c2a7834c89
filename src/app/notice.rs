//! Remarks on standard error, beside the report.

use std::io::Write;

use crate::text::sanitize;

/// Prints a remark. Nothing depends on its being read, so a closed standard error is no failure.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "countersign: {}", sanitize(text));
}
