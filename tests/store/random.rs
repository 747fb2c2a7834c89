//! Batches of every kind, compared with what a simple map says.

use std::collections::BTreeMap;
use std::fs;

use countersign::store::{FileWrite, WriteAction, commit, undo};
use proptest::prelude::*;
use proptest::sample::select;

use crate::tree::Tree;

const NAMES: [&str; 6] = ["a", "b", "d/a", "d/e/b", "f/g", "f/h"];

type Files = BTreeMap<&'static str, String>;

#[derive(Debug, Clone)]
enum Action {
    Put(String),
    Remove,
    Rename(&'static str, Option<String>),
}

fn text() -> impl Strategy<Value = String> {
    select(vec!["", "x\n", "y\r\nz", "w\n"]).prop_map(str::to_owned)
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => text().prop_map(Action::Put),
        2 => Just(Action::Remove),
        3 => (select(NAMES.to_vec()), proptest::option::of(text()))
            .prop_map(|(to, text)| Action::Rename(to, text)),
    ]
}

/// What the batch makes of the files; `None` if it makes no sense.
fn expected(files: &Files, batch: &BTreeMap<&'static str, Action>) -> Option<Files> {
    let mut after = files.clone();
    for (name, action) in batch {
        match action {
            Action::Put(_) => (),
            Action::Remove | Action::Rename(..) => drop(after.remove(name)?),
        }
    }
    let mut taken = Vec::new();
    for (name, action) in batch {
        let (to, text) = match action {
            Action::Put(text) => (*name, text.clone()),
            Action::Remove => continue,
            Action::Rename(to, text) => {
                if after.contains_key(to) && !taken.contains(to) {
                    return None;
                }
                (*to, text.clone().unwrap_or_else(|| files[name].clone()))
            }
        };
        if taken.contains(&to) {
            return None;
        }
        taken.push(to);
        after.insert(to, text);
    }
    Some(after)
}

fn found(tree: &Tree) -> Files {
    let list = tree.list();
    let files = list.iter().filter(|name| !name.ends_with('/'));
    files
        .map(|file| {
            let name = NAMES.iter().find(|name| *name == file);
            (*name.expect("no litter"), tree.text(file))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_batch_does_what_it_says_and_is_taken_back(
        files in proptest::collection::btree_map(select(NAMES.to_vec()), text(), 3..=6),
        batch in proptest::collection::btree_map(select(NAMES.to_vec()), action(), 1..6),
    ) {
        let listed: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let tree = Tree::in_memory(&listed);
        let snapshots: BTreeMap<_, _> = NAMES.iter().map(|name| (*name, tree.read(name))).collect();
        let writes: Vec<_> = batch
            .iter()
            .map(|(name, action)| FileWrite {
                snapshot: &snapshots[name],
                action: match action {
                    Action::Put(text) => WriteAction::Put {
                        bytes: text.clone().into(),
                        executable: None,
                    },
                    Action::Remove => WriteAction::Remove,
                    Action::Rename(to, text) => WriteAction::Rename {
                        to: &snapshots[to],
                        bytes: text.clone().map(Into::into),
                        executable: None,
                    },
                },
            })
            .collect();
        let done = commit(&tree.root, &writes);
        match expected(&files, &batch) {
            Some(after) => {
                let receipt = done.unwrap();
                prop_assert_eq!(&receipt.warnings, &[]);
                prop_assert_eq!(found(&tree), after);
                // A folder goes with its last file.
                let folders = tree.list().into_iter().filter(|name| name.ends_with('/'));
                for folder in folders {
                    let empty = fs::read_dir(tree.path(&folder)).unwrap().next().is_none();
                    prop_assert!(!empty, "{} is empty", folder);
                }
                undo(&tree.root, Some(&receipt.id)).unwrap();
            }
            None => prop_assert!(done.is_err()),
        }
        prop_assert_eq!(found(&tree), files);
    }
}
