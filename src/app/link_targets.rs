//! Symbolic links in the way of edits: what may not go through one, and the files that change through them.

use std::sync::Arc;

use crate::proposal::{FileChange, PathClaim, RepoPath};
use crate::review::{
    FileKind, FileReview, HunkReview, Outcome, Refusal, Remark, ReviewSession, Step,
};
use crate::store::Root;

/// Marks the hunks that change another file than the one of their name, since there is a link on the way.
pub(crate) fn mark(root: &Root, session: &mut ReviewSession) {
    let mut targets = root.link_targets();
    for file in &mut session.files {
        let name = match &file.kind {
            FileKind::Renamed { to } => to,
            FileKind::Modified
            | FileKind::Created
            | FileKind::Deleted
            | FileKind::Copied { .. } => &file.path,
        };
        let Ok(name) = RepoPath::parse(name) else {
            continue;
        };
        let Some(target) = targets.target_of(&name, is_entry(file)) else {
            continue;
        };
        let target: Arc<str> = target.to_string().into();
        let can_be_written = |hunk: &&mut HunkReview| hunk.outcome != Outcome::Refused;
        for hunk in file.hunks.iter_mut().filter(can_be_written) {
            hunk.remarks.push(Remark::ThroughLink(Arc::clone(&target)));
        }
    }
}

/// Returns true if the name itself changes, and not what a link of that name leads to.
fn is_entry(file: &FileReview) -> bool {
    let is_entry = |step: &Step| matches!(step, Step::Link { .. } | Step::Unlink);
    matches!(file.kind, FileKind::Deleted | FileKind::Renamed { .. })
        || (file.hunks.iter()).any(|hunk| {
            hunk.step.as_ref().is_some_and(is_entry) || hunk.remarks.contains(&Remark::ReplacesLink)
        })
}

/// Returns why a link to a target may not be made in batch, if it may not.
pub(crate) fn link_protection(
    root: &Root,
    link: &RepoPath,
    target: &str,
) -> Result<Option<String>, Refusal> {
    let Some(leads_to) = root.link_leads_to(link, target) else {
        return Ok(Some(format!(
            "it would be a link out of the root, to `{target}`"
        )));
    };
    if let Err(forbidden) = root.resolve(&PathClaim::plain(leads_to.to_string())) {
        return Err(Refusal::Forbidden(forbidden.to_string()));
    }
    if let Some(why) = root.protection(&leads_to) {
        return Ok(Some(format!("it would be a link to `{leads_to}`: {why}")));
    }
    let below = root.protection_of_folder_link(link, &leads_to);
    Ok(below.map(|(folder, why)| {
        format!("it would be a link to a folder, and a file below `{folder}` may be one that {why}")
    }))
}

/// Returns the refusal of a change of a regular file whose name is that of a symbolic link. Git refuses it too.
pub(crate) fn type_conflict(root: &Root, change: &FileChange, path: &RepoPath) -> Option<Refusal> {
    if !change.is_regular {
        return None;
    }
    let to = root.link_at(path)?;
    Some(Refusal::Contradiction(format!(
        "it is a symbolic link to `{}` here, and the edit takes it for a file",
        to.display()
    )))
}
