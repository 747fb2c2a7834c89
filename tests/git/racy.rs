//! Files that were changed in the moment in which git wrote its index: their times and sizes do not tell.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use countersign::agent::git::{self, ListedNames, SideIndex};
use tempfile::TempDir;

use crate::repository::Repository;

/// A repository in which `notes.md` was changed in such a moment.
fn changed_in_a_moment() -> Repository {
    let tree = Repository::new();
    tree.git("config core.trustctime false");
    tree.git("config core.checkstat minimal");
    tree.write("beds.toml", "staged\n");
    let moment = SystemTime::now() - Duration::from_mins(1);
    let date = |name: &str| {
        let file = File::options().append(true).open(tree.path(name)).unwrap();
        file.set_modified(moment).unwrap();
    };
    date("notes.md");
    tree.git("add --all");
    date(".git/index");
    let notes = tree.read("notes.md");
    tree.write("notes.md", notes.replace("hedge", "roses"));
    date("notes.md");
    assert_eq!(tree.git("diff-files --name-only"), "notes.md\n");
    tree
}

#[test]
fn a_side_index_sees_them() {
    let tree = changed_in_a_moment();
    let repository = git::Repository::find(&tree.path("")).unwrap();
    let own = TempDir::new().unwrap();
    let side = SideIndex::new(&repository, own.path()).unwrap();
    assert_eq!(side.differing().unwrap().texts, [Path::new("notes.md")]);
    let taken = side.take_in(|_| true).unwrap();
    assert_ne!(taken, tree.git("write-tree").trim());
    assert_eq!(side.differing().unwrap(), ListedNames::default());
}

#[test]
fn git_sees_them_after_the_index_was_changed() {
    let tree = changed_in_a_moment();
    let (code, report) = tree.review("$countersign git --staged", "rZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.git("diff-files --name-only"), "beds.toml\nnotes.md\n");
}
