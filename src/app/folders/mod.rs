//! Two folders, of which the right one is written; or two files, as folders of which only one name counts.
//!
//! The right folder of `git difftool --dir-diff` holds links to the files of the working tree. Where all of its links lead to
//! the same names in one other folder, that folder is what is meant, and what they lead to is written there.

mod links;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::app::check_tree::CheckTree;
use crate::app::look::{look_at_entry, look_by_name, protection_with_link};
use crate::app::snapshots::Snapshots;
use crate::app::source::ReviewSource;
use crate::app::{rejections, write_comparison};
use crate::proposal::RepoPath;
use crate::review::{
    Compared, FileReview, Found, Refusal, ReviewSession, Stance, Writing, compare,
};
use crate::store::{ContentHash, Root};

/// The file in which `jj` says what is wanted; it takes it away again itself.
const INSTRUCTIONS: &str = "JJ-INSTRUCTIONS";

/// A function that reads what has a name in a folder.
type Look = fn(&Root, &mut Snapshots, &str) -> Found;

/// One of two folders, or of two files.
pub(crate) struct FolderSide {
    /// `None` for no file at all.
    root: Option<Root>,
    /// The only name that counts, if it is a file.
    only: Option<String>,
}

/// Two folders, of which the right one is written.
pub(crate) struct FolderPair {
    left: FolderSide,
    right: Root,
    only: Option<String>,
    /// The folder that links of the right one lead to, and the names of these links.
    linked: Option<(Root, BTreeSet<String>)>,
    intent: String,
    placings: Snapshots,
    /// The left side, as it was read last.
    olds: Snapshots,
}

impl FolderSide {
    pub(crate) fn folder(path: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            root: Some(Root::open(path)?.for_a_person()),
            only: None,
        })
    }

    pub(crate) fn file(root: Root, name: &str) -> Self {
        Self {
            root: Some(root),
            only: Some(name.to_owned()),
        }
    }

    pub(crate) fn nothing() -> Self {
        Self {
            root: None,
            only: None,
        }
    }
}

impl FolderPair {
    /// Two sides, the right one of which is there.
    pub(crate) fn open(left: FolderSide, right: FolderSide) -> anyhow::Result<Self> {
        let root = right
            .root
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let mut folders = Self {
            left,
            right: root,
            only: right.only,
            linked: None,
            intent: String::new(),
            placings: Snapshots::default(),
            olds: Snapshots::default(),
        };
        if folders.only.is_none() {
            folders.linked = links::linked(&folders.right)?;
            folders.intent = folders.instructions();
        }
        Ok(folders)
    }

    /// The folder that is written.
    pub(crate) fn written(&self) -> &Root {
        match &self.linked {
            Some((root, _)) => root,
            None => &self.right,
        }
    }

    /// Returns the instructions that `jj` has put into the folder.
    fn instructions(&self) -> String {
        let path = RepoPath::parse(INSTRUCTIONS).ok();
        let read = path.and_then(|path| self.right.read(&path).ok());
        let text = read.and_then(|file| Some(file.document()?.text().to_owned()));
        text.filter(|_| self.is_instructions(INSTRUCTIONS))
            .unwrap_or_default()
    }

    /// True if a name is that of the instructions of `jj`, which are on the right side only.
    fn is_instructions(&self, name: &str) -> bool {
        let left = self.left.root.as_ref().zip(RepoPath::parse(name).ok());
        let is_left = left.is_some_and(|(root, path)| {
            root.read(&path).is_ok_and(|file| file.version().is_some())
        });
        name == INSTRUCTIONS && self.only.is_none() && !is_left
    }

    /// The names of both sides, the links among those of the right one, and those that are not text.
    fn names(&self) -> io::Result<BTreeMap<String, FolderEntryKind>> {
        if let Some(only) = &self.only {
            return Ok(BTreeMap::from([(only.clone(), FolderEntryKind::File)]));
        }
        let mut names = BTreeMap::new();
        for root in self.left.root.iter().chain([&self.right]) {
            for listed in root.files()? {
                let shown = listed.path.display().to_string();
                let parsed = RepoPath::parse(&shown);
                let is_text = listed.path.to_str() == Some(&shown)
                    && parsed.is_ok_and(|path| path.as_path() == listed.path);
                let name = match (is_text, &listed.link) {
                    (false, _) => FolderEntryKind::Odd,
                    (true, None) => FolderEntryKind::File,
                    (true, Some(_)) if self.leads_to_file(&shown) => FolderEntryKind::File,
                    (true, Some(_)) => FolderEntryKind::Link,
                };
                let known: &mut FolderEntryKind = names.entry(shown).or_insert(name);
                *known = (*known).max(name);
            }
        }
        names.retain(|name, _| !self.is_instructions(name));
        Ok(names)
    }

    /// A file that is on the left side only comes back where the links of the right side lead, if it holds nothing else.
    fn adopt(&mut self, names: &BTreeMap<String, FolderEntryKind>) -> io::Result<()> {
        let Some((root, linked)) = &mut self.linked else {
            return Ok(());
        };
        let listed = self.right.files()?;
        if listed.iter().any(|listed| listed.link.is_none()) {
            return Ok(());
        }
        let is_right: BTreeSet<&Path> = listed.iter().map(|listed| listed.path.as_path()).collect();
        for name in names
            .keys()
            .filter(|name| !is_right.contains(Path::new(name)))
        {
            let path = RepoPath::parse(name).ok();
            let there = path.and_then(|path| root.read(&path).ok());
            if there.is_some_and(|file| file.version().is_none()) {
                linked.insert(name.clone());
            }
        }
        Ok(())
    }

    fn leads_to_file(&self, name: &str) -> bool {
        (self.linked.as_ref()).is_some_and(|(_, names)| names.contains(name))
    }

    /// Returns the root that the right side of a file is written in.
    fn root_of(&self, name: &str) -> &Root {
        match &self.linked {
            Some((root, names)) if names.contains(name) => root,
            Some(_) | None => &self.right,
        }
    }

    fn compared(&mut self, name: &str, kind: FolderEntryKind) -> Compared {
        let refused = match kind {
            FolderEntryKind::File | FolderEntryKind::Link => None,
            FolderEntryKind::Odd => Some("a name that is no text"),
        };
        let refused = refused.map(|what| format!("`{name}` is {what}, and is left alone"));
        let look = match kind {
            FolderEntryKind::Link => look_at_entry,
            FolderEntryKind::File | FolderEntryKind::Odd => look_by_name,
        };
        let (old, new) = match refused.map(|why| Found::Refused(Refusal::Unreadable(why))) {
            Some(refused) => (refused.clone(), refused),
            None => (self.left_of(name, look), self.right_of(name, look)),
        };
        Compared {
            path: name.to_owned(),
            rename: None,
            old,
            stance: Stance::Standing,
            doubtful: Vec::new(),
            protected: protection_with_link(self.root_of(name), name, &new),
            new,
            origin: "diff",
        }
    }

    fn left_of(&mut self, name: &str, look: Look) -> Found {
        let only = self.left.only.as_deref().unwrap_or(name);
        match &self.left.root {
            Some(root) => look(root, &mut self.olds, only),
            None => Found::Absent,
        }
    }

    fn right_of(&mut self, name: &str, look: Look) -> Found {
        let root = match &self.linked {
            Some((root, names)) if names.contains(name) => root,
            Some(_) | None => &self.right,
        };
        look(root, &mut self.placings, name)
    }

    /// The bytes of the left side of a file.
    fn load(&self, file: &FileReview) -> io::Result<Vec<u8>> {
        let name = self.left.only.as_deref().unwrap_or(&file.path);
        let known = self.olds.known(name).zip(self.left.root.as_ref());
        let (snapshot, root) = known.ok_or(io::ErrorKind::NotFound)?;
        root.load(snapshot)
    }
}

/// Kind of a name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FolderEntryKind {
    File,
    Link,
    Odd,
}

impl ReviewSource for FolderPair {
    fn root(&self) -> &Root {
        self.written()
    }

    fn hash(&self) -> ContentHash {
        let left = self.left.root.as_ref().map(Root::path);
        let names = (left, &self.left.only, self.right.path(), &self.only);
        ContentHash::of(format!("diff {names:?}").as_bytes())
    }

    /// A selection for another tool, such as what goes into the first of two commits, is no judgement of the changes.
    fn records_rejections(&self) -> bool {
        self.intent.is_empty()
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn check_tree(&self) -> CheckTree {
        if self.only.is_some() {
            return CheckTree::None("it is tried on a copy of a folder, and these are two files");
        }
        let files = |names: &BTreeSet<String>| {
            (self.placings.latest()).all(|file| names.contains(&file.path.to_string()))
        };
        match &self.linked {
            Some((_, names)) if !files(names) => CheckTree::None(
                "it is tried on a copy of one folder, and what differs here lies in two",
            ),
            Some(_) | None => CheckTree::Tree(self.written().path().to_owned()),
        }
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let names = self.names()?;
        self.adopt(&names)?;
        let placing = self.placings.begin();
        self.olds.begin();
        let compared: Vec<Compared> = (names.into_iter())
            .map(|(name, kind)| self.compared(&name, kind))
            .filter(|file| !is_nothing(&file.old) || !is_nothing(&file.new))
            .collect();
        let mut session = compare(self.intent.clone(), &compared);
        session.placing = placing;
        for sides in session
            .files
            .iter_mut()
            .filter_map(|file| file.sides.as_mut())
        {
            sides.selects = true;
        }
        if self.records_rejections() {
            rejections::carry_over(self.written(), self.hash(), &mut session);
        }
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let load = |file: &FileReview| self.load(file);
        write_comparison::write(&self.placings, session, &load, |writes| {
            self.write_all(writes)
        })
    }
}

/// Returns true if there is neither a file nor a link.
fn is_nothing(found: &Found) -> bool {
    matches!(found, Found::Absent | Found::Folder)
}
