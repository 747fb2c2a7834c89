//! Logs of sessions that were recorded in another folder than the root: on another machine, or in another checkout.
//!
//! Agents name files by their absolute paths (`/home/me/project/src/a.rs`), and their logs state the folder in which they worked. Such a
//! name is read from the root if that folder is not on this machine, or if it is another one that has nothing to do with the root, and
//! all old files of the log are in the root as well. Otherwise the name stays as it is, and is refused as one outside of the root.

use std::collections::BTreeMap;
use std::path::Path;

use crate::app::strip_level::has_old_file;
use crate::proposal::{FileChange, PathClaim};
use crate::store::Root;

/// Lets the names of a log begin at the root where they begin in the folder of the log. Returns one line for each folder, for people.
pub(crate) fn settle(root: &Root, changes: &mut [FileChange]) -> Vec<String> {
    let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, change) in changes.iter().enumerate() {
        if let Some(folder) = change.path.recorded()
            && change.names().any(|name| name.below_recorded().is_some())
            && !root.is_name_inside(change.path.first())
        {
            folders.entry(folder.to_owned()).or_default().push(idx);
        }
    }
    folders.retain(|folder, of_folder| {
        let changes = of_folder.iter().map(|idx| &changes[*idx]);
        is_elsewhere(root, Path::new(folder), changes)
    });
    for idx in folders.values().flatten() {
        changes[*idx].map_names(|name| name.below_recorded().unwrap_or_else(|| name.clone()));
    }
    let remark =
        |folder: String| format!("`{folder}`, in which the log was recorded, is read as the root");
    folders.into_keys().map(remark).collect()
}

/// Returns `true` if the folder of a log is not the one that its names lead to here.
fn is_elsewhere<'c>(
    root: &Root,
    folder: &Path,
    mut changes: impl Iterator<Item = &'c FileChange> + Clone,
) -> bool {
    let Ok(real) = folder.canonicalize() else {
        return true;
    };
    if !real.is_dir() {
        return true;
    }
    let is_related = real.starts_with(root.path()) || root.path().starts_with(&real);
    let mut old = changes.clone().filter(|change| has_old_file(change));
    !is_related && changes.any(has_old_file) && old.all(|change| is_file(root, &change.path))
}

/// Returns `true` if the root has the file of a name.
fn is_file(root: &Root, name: &PathClaim) -> bool {
    let path = name
        .below_recorded()
        .and_then(|name| root.resolve(&name).ok());
    path.is_some_and(|path| root.path().join(path.as_path()).symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::dialect;

    /// Settles the names of a log below a folder that has `there`, for a root that has `here`, and compares them.
    #[track_caller]
    fn check(there: &[&str], here: &[&str], old: &str, new: &str, expected: [&str; 2]) {
        let place = tempfile::tempdir().unwrap();
        let make = |folder: &str, files: &[&str]| {
            for file in files {
                let path = place.path().join(folder).join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "one\n").unwrap();
            }
        };
        make("there", there);
        make("here", here);
        fs::create_dir_all(place.path().join("here")).unwrap();
        let root = Root::open(&place.path().join("here")).unwrap();
        let folder = place.path().join("there").display().to_string();
        let call = |name: &str, fields: &str| {
            format!(
                "{{\"type\":\"assistant\",\"cwd\":\"{folder}\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{name}\",\"name\":\"{name}\",\"input\":{{{fields}}}}}]}}}}\n"
            )
        };
        let edit = format!(
            "\"file_path\":\"{folder}/{old}\",\"old_string\":\"one\",\"new_string\":\"ONE\""
        );
        let write = format!("\"file_path\":\"{folder}/{new}\",\"content\":\"new\\n\"");
        let log = call("Edit", &edit) + &call("Write", &write);
        let mut parsed = dialect::parse(&log, &dialect::Options::default());
        settle(&root, &mut parsed.proposal.files);
        let files = parsed.proposal.files.iter();
        let names: Vec<String> = files
            .map(|file| file.path.first().replace(&folder, "LOG"))
            .collect();
        assert_eq!(names, expected, "{log}");
    }

    #[test]
    fn the_folder_of_a_log_is_read_as_the_root() {
        // It is not on this machine.
        check(&[], &["src/a"], "src/a", "src/n", ["src/a", "src/n"]);
        check(&[], &[], "src/a", "src/n", ["src/a", "src/n"]);
        // It is another checkout of the project.
        let names = ["src/a", "src/n"];
        check(&["src/a"], &["src/a"], names[0], names[1], names);
    }

    #[test]
    fn the_folder_of_another_project_stays() {
        check(&["src/a"], &["b"], "src/a", "n", ["LOG/src/a", "LOG/n"]);
        check(&["a"], &["src/a"], "a", "src/a", ["LOG/a", "LOG/src/a"]);
    }
}
