//! The end of a review: the root shows through the layer again wherever something was decided, and the verdict is left for the
//! agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::changes::LayerChanges;
use super::commits::Commits;
use super::list::is_running;
use crate::agent::layer::reset_running;
use crate::app::source::ReviewSource;
use crate::app::threads::{self, ThreadOrigin};
use crate::review::{
    FileReview, ForAgent, Mark, Report, ReviewSession, Status, ThreadReport, Voice, Writing,
};
use crate::store::{LayerKind, LayerState, OpenFiles};

/// The beginning of the verdict on a layer, for the model.
pub(in crate::cli) const LAYER_VERDICT: &str = "countersign: a person reviewed what you have changed so far. What they accepted is \
    in the working tree. What they rejected was taken out of the files that you see; do not write it again in any way.";

/// The files that are reset when a review is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Every file that could be decided: what was not accepted is rejected.
    Decided,
    /// Files of which every hunk was accepted: the rest waits for a person.
    Accepted,
}

/// Resets in the layer what was decided. Files that the command has changed since they were reviewed stay as they are, and are
/// reviewed again. Returns a remark for the person: the tree is written already, so nothing that fails here is a failure of the
/// review.
pub(super) fn finish(
    source: &LayerChanges,
    session: &ReviewSession,
    which: Which,
) -> Option<String> {
    reset_decided(source, session, which).unwrap_or_else(|error| {
        Some(format!(
            "the layer could not be reset, so it shows again what was decided: {error:#}"
        ))
    })
}

fn reset_decided(
    source: &LayerChanges,
    session: &ReviewSession,
    which: Which,
) -> anyhow::Result<Option<String>> {
    let (layer, about) = (&source.layer, &source.about);
    let is_accepted =
        |file: &FileReview| (file.hunks.iter()).all(|hunk| hunk.mark() == Some(Mark::Accepted));
    let decided = session.files.iter().filter(|file| file.refusal().is_none());
    let mut paths = Vec::new();
    for file in decided.filter(|file| which == Which::Decided || is_accepted(file)) {
        paths.push(PathBuf::from(&file.path));
        if file.new_path() != file.path {
            paths.push(PathBuf::from(file.new_path()));
        }
    }
    // What is in a folder is reset before the folder itself.
    paths.sort();
    paths.reverse();
    let is_reviewed = |path: &PathBuf| source.is_as_reviewed(session, path);
    let open = OpenFiles::default();
    if is_running(layer, &layer.about()?) {
        let (reset, changed): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(is_reviewed);
        let inodes = layer.inodes(about, &reset);
        match about.kind {
            LayerKind::Overlay => reset_running(&layer.id, &about.root, &reset)?,
            LayerKind::Copy => {
                for path in &reset {
                    layer.reset(about, path, &open)?;
                }
            }
        }
        layer.note_emptied(about, &inodes)?;
        // From here on they are what the command began with.
        layer.pin_as_now(about, &paths)?;
        let again = if changed.is_empty() {
            String::new()
        } else {
            format!(
                "; it has changed {} meanwhile, to be reviewed again",
                names(&changed)
            )
        };
        return Ok(Some(format!(
            "the command is still running; its layer now has what you accepted, and not what you rejected{again}"
        )));
    }
    let mut kept = Vec::new();
    for path in &paths {
        if let Err(error) = layer.reset(about, path, &open) {
            kept.push(format!("`{}` ({error})", path.display()));
        }
    }
    // An index of the layer's own would not fit to the tree any more.
    if !source.keeps_git && Commits::of(layer, about)?.is_none() {
        layer.reset_git(about)?;
    }
    if holds_nothing_else(source)? {
        layer.set_state(LayerState::Reviewed)?;
    }
    Ok((!kept.is_empty()).then(|| {
        format!(
            "warning: what was decided could not be reset in the layer: {}",
            kept.join(", ")
        )
    }))
}

/// Returns true if a layer has no change that is still to be reviewed.
fn holds_nothing_else(source: &LayerChanges) -> anyhow::Result<bool> {
    let (root, layer) = (source.root.anew()?, source.layer.clone());
    let mut left = LayerChanges::open(root, layer, source.about.clone())?;
    Ok(left.place()?.files.is_empty() && left.left.is_empty())
}

/// Leaves the verdict where a hook of the agent finds it, if there is anything that the agent does not expect.
pub(super) fn leave_verdict(
    source: &LayerChanges,
    session: &ReviewSession,
    writing: &Writing,
) -> anyhow::Result<()> {
    let mut report = Report::new(session, writing, &BTreeMap::new());
    threads::finish(&source.root, session, ThreadOrigin::default(), &mut report);
    let is_commented =
        session.comment.is_some() || session.files.iter().any(FileReview::is_commented);
    let asks = report.threads.iter().any(ThreadReport::asks);
    if report.status == Status::Applied && !is_commented && !asks {
        return Ok(());
    }
    let message = ForAgent {
        report: &report,
        voice: Voice::Written,
        failed_again: None,
    };
    source
        .layer
        .inside()
        .leave_verdict(&format!("{LAYER_VERDICT}\n{message}"))?;
    Ok(())
}

fn names(paths: &[PathBuf]) -> String {
    let shown: Vec<_> = paths
        .iter()
        .map(|path| Path::display(path).to_string())
        .collect();
    shown.join(", ")
}
