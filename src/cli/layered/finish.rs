//! The end of a review: the root shows through the layer again wherever something was decided.

use std::path::PathBuf;

use super::super::output::say;
use super::commits::Commits;
use crate::agent::layer::{processes_in, reset_running};
use crate::review::{FileKind, FileReview, Mark, ReviewSession};
use crate::store::{About, Layer, LayerState};

/// The files that are reset when a review is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Every file that could be decided: what was not accepted is rejected.
    Decided,
    /// Files of which every hunk was accepted: the rest waits for a person.
    Accepted,
}

/// Resets in the layer what was decided, unless something is still running in it.
pub(super) fn finish(
    layer: &Layer,
    about: &About,
    session: &ReviewSession,
    which: Which,
) -> anyhow::Result<()> {
    let is_accepted =
        |file: &FileReview| (file.hunks.iter()).all(|hunk| hunk.mark() == Some(Mark::Accepted));
    let decided = session.files.iter().filter(|file| file.refusal.is_none());
    let mut paths = Vec::new();
    for file in decided.filter(|file| which == Which::Decided || is_accepted(file)) {
        paths.push(PathBuf::from(&file.path));
        if let FileKind::Renamed { to } = &file.kind {
            paths.push(PathBuf::from(to));
        }
    }
    if !processes_in(&layer.id).is_empty() {
        reset_running(&layer.id, &about.root, &paths)?;
        // From here on they are what the command began with.
        layer.pin_as_now(about, &paths)?;
        say(
            "the command is still running; its layer now has what you accepted, and not what you rejected",
        );
        return Ok(());
    }
    for path in &paths {
        layer.reset(about, path)?;
    }
    // An index of the layer's own would not fit to the tree any more.
    if Commits::of(layer, about)?.is_none() {
        layer.reset_git(about)?;
    }
    if which == Which::Decided || session.files.iter().all(is_accepted) {
        layer.set_state(LayerState::Reviewed)?;
    }
    Ok(())
}
