//! Asking the reviewer, and opening one where there is none.

use std::path::Path;
use std::time::Instant;

use super::output::say;
use crate::agent::{
    Asking, Cancel, ClientError, Progress, Submission, Verdict, ask_telling, open_overlay,
};
use crate::config::Settings;

/// Whether a reviewer is opened where there is none.
#[derive(Debug, Clone, Copy)]
pub(super) enum Overlay<'a> {
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
pub(super) fn ask(
    folder: &Path,
    submission: &Submission,
    overlay: Overlay<'_>,
    deadline: Option<Instant>,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verdict, ClientError> {
    let asking = Asking { deadline, cancel };
    let answer = ask_telling(folder, submission, asking, progress);
    match (answer, overlay) {
        (Err(ClientError::Nobody(_)), Overlay::Opened(settings)) => {
            let own = settings.overlay.command.as_deref();
            if let Err(error) = open_overlay(folder, own) {
                say(&format!("no reviewer can be opened: {error}"));
            }
            ask_telling(folder, submission, asking, progress)
        }
        (answer, _) => answer,
    }
}
