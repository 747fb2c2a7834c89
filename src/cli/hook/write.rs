//! Writing what was approved where the agent's own client would write something else.

use crate::agent::{Approved, FileVerdict};
use crate::proposal::RepoPath;
use crate::store::{FileWrite, Root, Snapshot, WriteAction, commit};
use crate::text::raw_bytes;

/// Writes the files as they were approved, all or none, if they are still as they were reviewed.
pub(in crate::cli) fn write(
    root: &Root,
    files: &[(&FileVerdict, &Approved, &Snapshot)],
) -> anyhow::Result<()> {
    let mut targets = Vec::new();
    for (file, ..) in files {
        let to = file
            .rename
            .as_deref()
            .map(|name| anyhow::Ok(root.read(&RepoPath::parse(name)?)?));
        targets.push(to.transpose()?);
    }
    let mut writes = Vec::new();
    for ((_, approved, snapshot), target) in files.iter().zip(&targets) {
        let action = match (approved, target) {
            (Approved::Deleted, _) => WriteAction::Remove,
            (Approved::Text(text), None) => WriteAction::Put {
                bytes: encoded(snapshot, text)?,
                executable: None,
            },
            (Approved::Text(text), Some(to)) => WriteAction::Rename {
                to,
                bytes: Some(encoded(snapshot, text)?),
                executable: None,
            },
        };
        writes.push(FileWrite { snapshot, action });
    }
    commit(root, &writes)?;
    Ok(())
}

/// The bytes of a text in the encoding of the file that it is for.
fn encoded(snapshot: &Snapshot, text: &str) -> anyhow::Result<Vec<u8>> {
    let before = snapshot.document().map_or("", |document| document.text());
    anyhow::ensure!(
        !raw_bytes::is_undecoded(text, before),
        "the new text of `{}` holds bytes that were not decoded",
        snapshot.path
    );
    match snapshot.document() {
        Some(document) => Ok(document.encode(text)?),
        None => Ok(text.as_bytes().to_vec()),
    }
}
