//! The JSON document of a run that ends without a report of its own: wrong usage, an error, an interrupted review.
//!
//! Scripts that ask for `--report json` parse standard output whatever the exit code is, so every run prints one document:
//! a verdict for `submit`, the pending proposals for `decide`, a report for all other commands.

use std::ffi::{OsStr, OsString};

use super::exit::Exit;
use super::output;
use super::shared_args::ReportForm;
use crate::agent::{PendingDocument, VERDICT_SCHEMA, Verdict};
use crate::review::{Report, Status};

/// The document that a command line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonDocument {
    /// None: the report is for people or models.
    None,
    /// The report of `countersign schema`.
    Report,
    /// The verdict of `countersign schema verdict`.
    Verdict,
    /// The pending proposals of `countersign schema pending`.
    Pending,
}

impl JsonDocument {
    /// Finds `--report json` among the words of a command line, which may be wrong in other parts.
    pub(super) fn requested(words: &[OsString]) -> Self {
        let words = words.iter().skip(1).map(OsString::as_os_str);
        let options: Vec<&OsStr> = words.take_while(|word| *word != "--").collect();
        let is_json = options.contains(&OsStr::new("--report=json"))
            || options.windows(2).any(|pair| pair == ["--report", "json"]);
        if !is_json {
            Self::None
        } else if options.contains(&OsStr::new("submit")) {
            Self::Verdict
        } else if options.contains(&OsStr::new("decide")) {
            Self::Pending
        } else {
            Self::Report
        }
    }

    /// Prints the document of a run that wrote nothing, with the reason as people read it.
    pub(super) fn print(self, exit: Exit, reason: &str) {
        let status = match exit {
            Exit::Failed => Status::Failed,
            Exit::Done
            | Exit::Partial
            | Exit::Refused
            | Exit::Usage
            | Exit::Interrupted
            | Exit::Command(_) => Status::Refused,
        };
        let reason = reason.trim_end().to_owned();
        let text = match self {
            Self::None => return,
            Self::Report => {
                serde_json::to_string_pretty(&Report::without_hunks(status, Some(reason)))
            }
            Self::Pending => serde_json::to_string_pretty(&PendingDocument {
                error: Some(reason),
                ..PendingDocument::of(Vec::new())
            }),
            Self::Verdict => serde_json::to_string_pretty(&Verdict {
                schema: VERDICT_SCHEMA.to_owned(),
                status,
                written: false,
                id: None,
                files: Vec::new(),
                comments: Vec::new(),
                threads: Vec::new(),
                message: reason,
            }),
        };
        let text = text.map_err(anyhow::Error::from);
        output::report_failure(text.and_then(|text| output::write(&(text + "\n"))));
    }
}

/// Ends a review that was left: nothing is written, which a JSON report says too.
pub(super) fn interrupted(form: ReportForm) -> Exit {
    if form == ReportForm::Json {
        let reason = "the review was interrupted; nothing is written";
        JsonDocument::Report.print(Exit::Interrupted, reason);
    }
    Exit::Interrupted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_found_in_a_wrong_command_line() {
        let check = |words: &str, expected: JsonDocument| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            assert_eq!(JsonDocument::requested(&words), expected, "{words:?}");
        };
        check("c apply --report json --nonsense", JsonDocument::Report);
        check("c --report=json", JsonDocument::Report);
        check("c --report json submit x", JsonDocument::Verdict);
        check("c decide 1-3fa9c1 --report json", JsonDocument::Pending);
        check("c apply --report text json", JsonDocument::None);
        check("c apply -- --report json", JsonDocument::None);
        check("c json", JsonDocument::None);
    }
}
