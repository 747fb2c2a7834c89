//! `countersign git`: reviews changes that are in a working tree or an index already. What is accepted stays, what is rejected is
//! taken back.

use std::path::PathBuf;

use super::exit::Exit;
use super::review_args::GitArgs;
use super::{review_existing, settings};
use crate::agent::git::{DiffSides, GitError, Repository};
use crate::app::difference::GitDifference;
use crate::app::index_changes::StagedChanges;
use crate::app::recovery;
use crate::app::worktree_changes::WorkTree;
use crate::store::Root;

/// Reviews what differs and takes back what is rejected.
pub(super) fn run(args: &GitArgs) -> anyhow::Result<Exit> {
    let repository = Repository::find(&args.root)?;
    let config = settings::load(&args.reviewing.settings, repository.top())?;
    let root = settings::guarded(Root::open(repository.top())?, &config).for_a_person();
    // An interrupted write is mended before git looks at the files.
    recovery::run(&root)?;
    let (span, paths) = sides(&repository, args)?;
    let intent = words(&span);
    let difference = GitDifference {
        repository,
        root,
        span,
        paths,
        intent,
    };
    let reviewing = &args.reviewing;
    if args.staged {
        review_existing::run(
            StagedChanges::new(difference),
            "git --staged",
            reviewing,
            &config,
        )
    } else {
        review_existing::run(WorkTree::new(difference), "git", reviewing, &config)
    }
}

/// Returns the two sides to compare, and the files.
fn sides(repository: &Repository, args: &GitArgs) -> Result<(DiffSides, Vec<PathBuf>), GitError> {
    let mut names = args.what.iter();
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut span = None;
    if let Some(first) = names.as_slice().first() {
        span = revisions(repository, first)?;
        if span.is_some() {
            names.next();
        }
    }
    for name in names {
        if !repository.is_path(name) {
            return Err(GitError::Unknown { name: name.clone() });
        }
        paths.push(name.into());
    }
    paths.extend(args.paths.iter().cloned());
    let span = match (span, args.staged) {
        (Some(DiffSides::RevisionToTree(revision)), true) => DiffSides::ToIndex(Some(revision)),
        (Some(DiffSides::Between(..)), true) => {
            let name = args.what.first().cloned().unwrap_or_default();
            return Err(GitError::Unknown { name });
        }
        (Some(span), _) => span,
        (None, true) => DiffSides::ToIndex(None),
        (None, false) => DiffSides::IndexToTree,
    };
    Ok((span, paths))
}

/// The revisions that a name is; `None` if it is none.
fn revisions(repository: &Repository, name: &str) -> Result<Option<DiffSides>, GitError> {
    if let Some((from, to)) = name.split_once("..") {
        let side = |side: &str| if side.is_empty() { "HEAD" } else { side }.to_owned();
        // With three dots the older side is where the two parted.
        let (from, to) = match to.strip_prefix('.') {
            Some(to) => (repository.fork(&side(from), &side(to))?, side(to)),
            None => (repository.commit(&side(from))?, side(to)),
        };
        let to = repository.commit(&to)?.map(|_| to);
        return Ok(from.zip(to).map(|(from, to)| DiffSides::Between(from, to)));
    }
    Ok(repository
        .commit(name)?
        .map(|_| DiffSides::RevisionToTree(name.to_owned())))
}

/// Describes the two sides.
fn words(span: &DiffSides) -> String {
    match span {
        DiffSides::IndexToTree => "Changes in the working tree that are not staged.".to_owned(),
        DiffSides::RevisionToTree(revision) => {
            format!("Changes in the working tree since {revision}.")
        }
        DiffSides::ToIndex(None) => "Staged changes.".to_owned(),
        DiffSides::ToIndex(Some(revision)) => format!("Staged changes since {revision}."),
        DiffSides::Between(from, to) => {
            let from: String = from.chars().take(10).collect();
            format!("Changes from {from} to {to} that are still in the working tree.")
        }
    }
}
