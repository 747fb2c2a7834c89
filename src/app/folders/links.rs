//! Links in a folder, and the folders that they lead to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::store::Root;

/// The folder that the links of another one lead to, if each leads to its own name there; and their names.
pub(super) fn linked(right: &Root) -> anyhow::Result<Option<(Root, BTreeSet<String>)>> {
    let mut names = BTreeSet::new();
    let mut folder: Option<PathBuf> = None;
    for listed in right.files()? {
        let Some(link) = listed.link.filter(|link| link.is_absolute()) else {
            continue;
        };
        let depth = listed.path.components().count();
        let above = link.ancestors().nth(depth).map(Path::to_owned);
        let same_name = link.ends_with(&listed.path);
        match (above, listed.path.to_str()) {
            (Some(above), Some(name))
                if same_name && folder.as_ref().is_none_or(|known| *known == above) =>
            {
                folder = Some(above);
                names.insert(name.to_owned());
            }
            (_, _) => return Ok(None),
        }
    }
    Ok(match folder {
        Some(folder) => Some((Root::open(&folder)?.for_a_person(), names)),
        None => None,
    })
}
