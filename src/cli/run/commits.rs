//! The commits that a command made in its layer: listed, and brought as a branch if that is wanted.

use super::base::repository_of;
use crate::agent::git::Repository;
use crate::store::{Layer, LayerRecord};

/// The commits of a layer.
pub(super) struct Commits {
    repository: Repository,
    /// The latest of them.
    head: String,
    /// Their names and subjects, the latest first.
    pub(super) listed: Vec<String>,
}

impl Commits {
    /// Finds the commits that the layer has checked out and the repository lacks; `None` if there are none.
    pub(super) fn of(layer: &Layer, about: &LayerRecord) -> anyhow::Result<Option<Self>> {
        let Some(repository) = repository_of(&about.root) else {
            return Ok(None);
        };
        let Some(head) = layer.git_head(about)? else {
            return Ok(None);
        };
        let objects = layer.git_objects(about);
        if !objects.is_dir() || about.head.as_ref() == Some(&head) {
            return Ok(None);
        }
        let listed = repository.foreign_commits(&objects, &head)?;
        Ok((!listed.is_empty()).then_some(Self {
            repository,
            head,
            listed,
        }))
    }

    /// Brings them into the repository as a branch, and returns its name.
    pub(super) fn bring(&self, layer: &Layer, about: &LayerRecord) -> anyhow::Result<String> {
        let branch = format!("countersign/{}", layer.id);
        let objects = layer.git_objects(about);
        self.repository
            .bring_commits(&objects, &self.head, &branch)?;
        Ok(branch)
    }
}
