//! Reports and lists on standard output, remarks on standard error.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};

pub(super) use crate::app::notice::say;

use super::exit::Exit;
use super::shared_args::ReportForm;
use crate::review::{Detail, ForAgent, Report, Status, Voice};
use crate::text::sanitize;

/// Prints a report and returns its exit code: that of the files, even if the report cannot be printed.
pub(super) fn print(report: &Report, form: ReportForm) -> Exit {
    let voice = if report.written {
        Voice::Written
    } else {
        Voice::Would
    };
    print_in(report, form, &ForAgent::new(report, voice), Detail::Outcome)
}

/// Ends a run that has nothing to review, for the reason given.
pub(super) fn nothing_to_do(reason: &str, form: ReportForm) -> Exit {
    say(reason);
    if form == ReportForm::Json {
        print_json(&Report::without_hunks(Status::AlreadyApplied, None));
    }
    Exit::Done
}

pub(super) fn print_json(report: &Report) {
    let text = serde_json::to_string_pretty(report).map_err(anyhow::Error::from);
    report_failure(text.and_then(|text| write(&(text + "\n"))));
}

/// Prints a report in a given detail, and for a model in the words given.
pub(super) fn print_in(
    report: &Report,
    form: ReportForm,
    words: &ForAgent<'_>,
    detail: Detail,
) -> Exit {
    let text = match form {
        ReportForm::Text => Ok(as_seen(report.text(detail))),
        ReportForm::Agent => Ok(words.to_string()),
        ReportForm::Json => serde_json::to_string_pretty(report).map(|json| json + "\n"),
    };
    report_failure(text.map_err(Into::into).and_then(|text| write(&text)));
    Exit::from(report.status)
}

fn as_seen(text: String) -> String {
    match sanitize(&text) {
        Cow::Owned(shown) => shown,
        Cow::Borrowed(_) => text,
    }
}

/// Prints on standard error the texts for agents that are not stored.
pub(super) fn name_unsent(texts: &[String]) {
    for text in texts {
        say(&format!("not sent to any agent, and not stored: {text}"));
    }
}

/// Says on standard error that what was done could not be said on standard output.
pub(super) fn report_failure(said: anyhow::Result<()>) {
    if let Err(error) = said {
        // Nothing can be done about a message that cannot be shown.
        let _ = writeln!(
            std::io::stderr(),
            "countersign: the report cannot be shown: {error}"
        );
    }
}

/// Prints a text; a terminal gets nothing that it would obey. A reader that has gone away is no error: what was to be done is done.
pub(super) fn write(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let text = if out.is_terminal() {
        sanitize(text)
    } else {
        Cow::Borrowed(text)
    };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}
