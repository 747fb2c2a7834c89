//! Asking the reviewer, and opening one where there is none.

use std::path::Path;
use std::time::Instant;

use crate::agent::{
    Asking, Cancel, ClientError, ProposalProgress, Submission, Verdict, ask_or_open, ask_telling,
};
use crate::config::Settings;

/// Policy for a folder without an open reviewer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OverlayPolicy<'a> {
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
    overlay: OverlayPolicy<'_>,
    deadline: Option<Instant>,
    cancel: &Cancel,
    progress: &mut dyn FnMut(ProposalProgress),
) -> Result<Verdict, ClientError> {
    let asking = Asking { deadline, cancel };
    match overlay {
        OverlayPolicy::Opened(settings) => {
            let own = settings.overlay.command.as_deref();
            ask_or_open(folder, submission, own, asking, progress)
        }
        OverlayPolicy::Never => ask_telling(folder, submission, asking, progress),
    }
}
