//! Asking the reviewer, and opening one where there is none.

use std::path::Path;
use std::time::Instant;

use crate::agent::{
    Asking, Cancel, ClientError, Progress, Submission, Verdict, ask_or_open, ask_telling,
};
use crate::config::Settings;

/// Policy for a folder without an open reviewer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Overlay<'a> {
    /// It is, as the settings say.
    Opened(&'a Settings),
    /// It is not.
    Never,
}

/// Hands a proposal to the reviewer of a folder and waits for the verdict.
///
/// # Errors
///
/// [`ClientError`] if there is no verdict: to be taken as a no.
pub(crate) fn ask(
    folder: &Path,
    submission: &Submission,
    overlay: Overlay<'_>,
    deadline: Option<Instant>,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verdict, ClientError> {
    let asking = Asking { deadline, cancel };
    match overlay {
        Overlay::Opened(settings) => {
            let own = settings.overlay.command.as_deref();
            ask_or_open(folder, submission, own, asking, progress)
        }
        Overlay::Never => ask_telling(folder, submission, asking, progress),
    }
}
