//! Writing two folders: both are written or none is.

use super::FolderPair;
use crate::app::apply::carry_out;
use crate::review::Writing;
use crate::store::{FileWrite, Root, undo};

impl FolderPair {
    /// Writes all files or none: those that the links lead to first, and if the others cannot be written, these are taken back.
    pub(super) fn write_all(&self, writes: Vec<FileWrite<'_>>) -> Writing {
        let (linked, own): (Vec<_>, Vec<_>) = (writes.into_iter())
            .partition(|write| self.leads_to_file(&write.snapshot.path.to_string()));
        let root = match &self.linked {
            Some((root, _)) if !linked.is_empty() => root,
            Some(_) | None => return carry_out(&self.right, &own),
        };
        let mut done = carry_out(root, &linked);
        let Writing::Done {
            id,
            hashes,
            warnings,
        } = &mut done
        else {
            return done;
        };
        if own.is_empty() {
            return done;
        }
        let rest = carry_out(&self.right, &own);
        if let Writing::Done {
            hashes: more,
            warnings: others,
            ..
        } = rest
        {
            hashes.extend(more);
            warnings.extend(others);
            return done;
        }
        let written = hashes.keys().cloned().collect();
        taken_back(root, id.as_deref(), written, rest)
    }
}

/// Takes back what was written in one folder as the other cannot be written, so that nothing is.
fn taken_back(root: &Root, id: Option<&str>, written: Vec<String>, unwritten: Writing) -> Writing {
    let (Some(Err(error)), Some(why)) = (id.map(|id| undo(root, Some(id))), unwritten.error())
    else {
        return unwritten;
    };
    let folder = root.path().display();
    Writing::Failed {
        error: format!(
            "{why}\nand what was written in `{folder}` before that stays: {error}\nhint: `countersign undo --root {folder}` takes it back"
        ),
        stuck: written,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::super::FolderSide;
    use super::*;
    use crate::app::source::ReviewSource;
    use crate::proposal::RepoPath;
    use crate::review::{Decision, Target};
    use crate::store::WriteAction;

    /// The files of both folders after all changes were rejected, if `change` is made just before that is written; and
    /// true if anything is.
    #[track_caller]
    fn check(change: fn(&Path), expected: [&str; 2], is_written: bool) {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for folder in ["tree", "left", "right", "state"] {
            fs::create_dir(at(folder)).unwrap();
        }
        fs::write(at("tree/a"), "new\n").unwrap();
        fs::write(at("right/b"), "new\n").unwrap();
        symlink(at("tree/a"), at("right/a")).unwrap();
        for name in ["left/a", "left/b"] {
            fs::write(at(name), "old\n").unwrap();
        }
        let side = |name: &str| FolderSide::folder(&at(name)).unwrap();
        let mut folders = FolderPair::open(side("left"), side("right")).unwrap();
        let keeping = |root: Root| root.keeping_state_in(at("state"));
        folders.right = keeping(folders.right);
        folders.linked = folders.linked.map(|(root, names)| (keeping(root), names));
        let mut session = folders.place().unwrap();
        session.decide(&Target::Rest, Decision::Rejected);
        change(place.path());
        let writing = folders.write(&session);
        assert_eq!(
            matches!(writing, Writing::Done { .. }),
            is_written,
            "{writing:?}"
        );
        let found = ["tree/a", "right/b"].map(|name| fs::read_to_string(at(name)).unwrap());
        assert_eq!(found, expected);
    }

    #[test]
    fn both_folders_are_written_or_none() {
        check(|_| (), ["old\n", "old\n"], true);
        let change = |place: &Path| fs::write(place.join("right/b"), "other\n").unwrap();
        check(change, ["new\n", "other\n"], false);
        let change = |place: &Path| fs::write(place.join("tree/a"), "other\n").unwrap();
        check(change, ["other\n", "new\n"], false);
    }

    #[test]
    fn what_cannot_be_taken_back_is_said() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("tree")).unwrap();
        let root = Root::open(&at("tree")).unwrap();
        let root = root.keeping_state_in(at("state"));
        let snapshot = root.read(&RepoPath::parse("a").unwrap()).unwrap();
        let action = WriteAction::Put {
            bytes: b"new\n".to_vec(),
            executable: None,
        };
        let snapshot = &snapshot;
        let Writing::Done { id, .. } = carry_out(&root, &[FileWrite { snapshot, action }]) else {
            panic!("not written");
        };
        fs::write(at("tree/a"), "by hand\n").unwrap();
        let unwritten = Writing::Conflict {
            paths: vec!["b".to_owned()],
            error: "`b` has changed".to_owned(),
        };
        let told = taken_back(&root, id.as_deref(), vec!["a".to_owned()], unwritten);
        let Writing::Failed { error, stuck } = told else {
            panic!("{told:?}");
        };
        let stays = format!(
            "`b` has changed\nand what was written in `{}` before that stays: ",
            root.path().display()
        );
        assert!(error.starts_with(&stays), "{error}");
        assert_eq!(stuck, ["a"]);
        assert_eq!(fs::read_to_string(at("tree/a")).unwrap(), "by hand\n");
    }
}
