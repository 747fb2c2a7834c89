//! The changes of a layer as a review: a three-way merge of the recorded tree, the layer, and the present tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::base::{Base, repository_of};
use super::finish::{Which, finish, leave_verdict};
use super::links::Linked;
use super::renames::{Candidate, renames};
use crate::app::apply::carry_out;
use crate::app::intake::{link_protection, look_by_name, protection};
use crate::app::snapshots::Snapshots;
use crate::app::source::Source;
use crate::app::three_way::{Merged, is_same, merge};
use crate::app::{rejections, settle};
use crate::proposal::RepoPath;
use crate::review::{
    Compared, EVERYTHING, FileKind, FileReview, Found, Refusal, Remark, ReviewSession, Stance,
    Writing, compare,
};
use crate::store::{
    About, BaseVersion, Calls, ContentHash, Layer, LayerEntry, LayerEntryKind, LayerKind,
    ReportedCall, Root,
};
use crate::ui::Placed;

/// The changes of a layer, against the tree as it is now.
pub(in crate::cli) struct LayerChanges {
    pub(super) root: Root,
    pub(super) layer: Layer,
    pub(super) about: About,
    /// The layer's own files.
    content: Root,
    pub(super) base: Base,
    pub(super) placings: Snapshots,
    /// The layer's files as they were read.
    layered: Snapshots,
    /// Sentences about files that are left out of the review.
    pub(super) remarks: Vec<String>,
}

impl LayerChanges {
    /// Opens the changes of a layer.
    pub(in crate::cli) fn open(root: Root, layer: Layer, about: About) -> anyhow::Result<Self> {
        // The layer lies in the state folder, whose files are guarded: its own state is elsewhere.
        let content = Root::open(&layer.content(&about))?
            .for_a_person()
            .keeping_state_in(layer.folder().join("inside"));
        let base = Base::read(&layer, &about)?;
        Ok(Self {
            root,
            layer,
            about,
            content,
            base,
            placings: Snapshots::default(),
            layered: Snapshots::default(),
            remarks: Vec::new(),
        })
    }

    /// Lists the changed names that are reviewed.
    fn entries(&mut self) -> anyhow::Result<Vec<LayerEntry>> {
        let changes = self.layer.changes(&self.about)?;
        let mut entries = changes.entries;
        self.remarks.clear();
        let ignored = changes.ignored.len();
        if ignored > 0 {
            // A tracked file is no ignored one, whatever the rules say.
            if let Some(repository) = repository_of(&self.about.root) {
                for path in repository.tracked(&changes.ignored)? {
                    entries.extend(self.layer.entry(&self.about, &path)?);
                }
            }
            self.remarks.push(format!(
                "{ignored} ignored files and folders stay in the layer, for `countersign run --resume`"
            ));
        }
        let special = entries
            .iter()
            .filter(|entry| entry.kind == LayerEntryKind::Special);
        let special = special.count();
        if special > 0 {
            self.remarks.push(format!(
                "{special} pipes, sockets and devices stay in the layer"
            ));
        }
        let kept: BTreeSet<PathBuf> = (entries.iter())
            .filter(|entry| entry.kind != LayerEntryKind::Folder)
            .map(|entry| entry.path.clone())
            .collect();
        let empty = entries.iter().filter(|entry| {
            let is_empty = || {
                let next = kept.range(entry.path.clone()..).next();
                !next.is_some_and(|next| next.starts_with(&entry.path))
            };
            entry.kind == LayerEntryKind::Folder && is_empty()
        });
        let empty = empty.count();
        if empty > 0 {
            self.remarks
                .push(format!("{empty} empty folders stay in the layer"));
        }
        entries.retain(|entry| {
            !matches!(entry.kind, LayerEntryKind::Folder | LayerEntryKind::Special)
        });
        entries.sort();
        entries.dedup_by(|one, other| one.path == other.path);
        Ok(entries)
    }

    /// Merges the three versions of a changed name; `None` if the layer changes nothing there.
    fn candidate(&mut self, entry: &LayerEntry) -> anyhow::Result<Option<Candidate>> {
        let shown = entry.path.display().to_string();
        let is_text = entry.path.to_str() == Some(&shown);
        let is_name = RepoPath::parse(&shown).is_ok_and(|path| path.as_path() == entry.path);
        let refused = |name: String, why: String| {
            let refusal = Found::Refused(Refusal::Unreadable(why));
            Ok(Some(Candidate {
                name,
                now: refusal.clone(),
                merged: Merged {
                    goal: refusal,
                    doubtful: Vec::new(),
                },
            }))
        };
        if !is_text || !is_name {
            let why = format!("`{shown}` is a name that cannot be written, and stays in the layer");
            return refused(shown, why);
        }
        match self.link(entry, &shown)? {
            Linked::No => (),
            Linked::AsInTree => return Ok(None),
            Linked::Changed(candidate) => return Ok(Some(*candidate)),
        }
        let now = look_by_name(&self.root, &mut self.placings, &shown);
        if let Found::Refused(refusal) = &now {
            let refusal = Found::Refused(refusal.clone());
            return Ok(Some(Candidate {
                name: shown,
                now: refusal.clone(),
                merged: Merged {
                    goal: refusal,
                    doubtful: Vec::new(),
                },
            }));
        }
        let is_link = (self.placings.known(&shown)).is_some_and(|file| file.path != file.target);
        let theirs = match &entry.kind {
            LayerEntryKind::Link(target) => {
                let why = format!(
                    "`{shown}` is a file here and a symbolic link to `{}` in the layer, and stays there",
                    target.display()
                );
                return refused(shown, why);
            }
            LayerEntryKind::File | LayerEntryKind::Removed if is_link => {
                let why = format!("`{shown}` is a symbolic link in the tree, and is left alone");
                return refused(shown, why);
            }
            LayerEntryKind::File => look_by_name(&self.content, &mut self.layered, &shown),
            LayerEntryKind::Removed => Found::Absent,
            LayerEntryKind::Folder | LayerEntryKind::Special => return Ok(None),
        };
        if is_same(&theirs, &now) {
            return Ok(None);
        }
        let base = self.base.version(&self.layer, &self.about, &shown, &now)?;
        let merged = match base {
            Some(base) => merge(&base, &theirs, &now),
            None => Merged {
                goal: theirs,
                doubtful: vec![EVERYTHING],
            },
        };
        if is_same(&merged.goal, &now) {
            return Ok(None);
        }
        Ok(Some(Candidate {
            name: shown,
            now,
            merged,
        }))
    }

    /// Pins what the files were that are not reviewed yet, before another run begins in the layer.
    pub(super) fn pin(&mut self) -> anyhow::Result<()> {
        let entries = self.entries()?;
        self.placings.begin();
        let names: Vec<&str> = entries
            .iter()
            .filter_map(|entry| entry.path.to_str())
            .collect();
        self.base.prepare(&self.about, &names)?;
        let mut versions = Vec::new();
        for name in names {
            let now = look_by_name(&self.root, &mut self.placings, name);
            let version = match self.base.version(&self.layer, &self.about, name, &now)? {
                Some(Found::Absent) => BaseVersion::Absent,
                Some(Found::Text {
                    document,
                    executable,
                }) => {
                    let bytes = document.encode(document.text());
                    bytes.map_or(BaseVersion::Unknown, |bytes| BaseVersion::Content {
                        bytes,
                        executable,
                    })
                }
                Some(Found::Opaque(_) | Found::Link(_) | Found::Refused(_)) | None => {
                    BaseVersion::Unknown
                }
            };
            versions.push((PathBuf::from(name), version));
        }
        self.layer.pin(versions)?;
        Ok(())
    }

    /// Returns whether the layer still has the version of a file that was reviewed.
    pub(super) fn is_as_reviewed(&self, session: &ReviewSession, path: &Path) -> bool {
        let Some(name) = path.to_str() else {
            return false;
        };
        let reviewed = self.layered.of(session).ok();
        match (
            reviewed.and_then(|files| files.get(name)),
            RepoPath::parse(name),
        ) {
            (Some(reviewed), Ok(name)) => {
                (self.content.read(&name)).is_ok_and(|now| now.version() == reviewed.version())
            }
            (None, _) => {
                // Nothing was read, so it is a link or was removed.
                let kind = session
                    .files
                    .iter()
                    .find(|file| new_name(file) == name)
                    .and_then(|file| match &file.sides.as_ref()?.new {
                        Found::Link(to) => Some(LayerEntryKind::Link(to.into())),
                        Found::Absent
                        | Found::Text { .. }
                        | Found::Opaque(_)
                        | Found::Refused(_) => None,
                    });
                let kind = kind.unwrap_or(LayerEntryKind::Removed);
                let now = self.layer.entry(&self.about, path);
                now.is_ok_and(|now| now.is_some_and(|now| now.kind == kind))
            }
            (Some(_), Err(_)) => false,
        }
    }

    /// Describes the call that made a file what it is in the layer, if that was reported.
    fn maker(&self, calls: &Calls, file: &FileReview) -> Option<String> {
        let name = Path::new(new_name(file));
        let changed = self.layer.changed_in_layer(&self.about, name)?;
        let seen_at = match self.about.kind {
            LayerKind::Overlay => self.about.root.join(name),
            LayerKind::Copy => self.layer.copy_of(&self.about.root).join(name),
        };
        calls.maker(&seen_at, changed).map(ReportedCall::words)
    }

    fn compared(&self, candidate: Candidate, rename: Option<String>) -> Compared {
        let Candidate { name, now, merged } = candidate;
        let protected = protection(&self.root, rename.as_ref().unwrap_or(&name));
        let of_link = match (&merged.goal, RepoPath::parse(&name)) {
            (Found::Link(to), Ok(path)) => link_protection(&self.root, &path, to).ok().flatten(),
            (_, _) => None,
        };
        Compared {
            protected: (protected.or_else(|| protection(&self.root, &name))).or(of_link),
            path: name,
            rename,
            old: now,
            new: merged.goal,
            stance: Stance::Proposed,
            doubtful: merged.doubtful,
            origin: "run",
        }
    }
}

impl Source for LayerChanges {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        ContentHash::of(format!("run {}", self.layer.id).as_bytes())
    }

    fn intent(&self) -> String {
        format!(
            "What `{}` changed (layer {}).",
            self.about.command.join(" "),
            self.layer.id
        )
    }

    fn records_rejections(&self) -> bool {
        true
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let entries = self.entries()?;
        let placing = self.placings.begin();
        self.layered.begin();
        let names: Vec<&str> = entries
            .iter()
            .filter_map(|entry| entry.path.to_str())
            .collect();
        self.base.prepare(&self.about, &names)?;
        let mut candidates = Vec::new();
        for entry in &entries {
            candidates.extend(self.candidate(entry)?);
        }
        let renames = renames(&candidates);
        let mut by_name: BTreeMap<String, Candidate> = (candidates.into_iter())
            .map(|candidate| (candidate.name.clone(), candidate))
            .collect();
        let mut compared = Vec::new();
        for (from, to) in renames {
            if let (Some(mut old), Some(new)) = (by_name.remove(&from), by_name.remove(&to)) {
                old.merged = new.merged;
                compared.push(self.compared(old, Some(to)));
            }
        }
        compared.extend(
            by_name
                .into_values()
                .map(|candidate| self.compared(candidate, None)),
        );
        compared.sort_by(|one, other| one.path.cmp(&other.path));
        let mut session = compare(self.intent(), &compared);
        session.placing = placing;
        let calls = self.layer.calls();
        for file in &mut session.files {
            let made_by = self.maker(&calls, file);
            for hunk in &mut file.hunks {
                if hunk.is_decidable() && !hunk.is_sure() {
                    hunk.remarks.push(Remark::BothChanged);
                }
                hunk.remarks.extend(made_by.clone().map(Remark::MadeBy));
            }
        }
        rejections::mark(&self.root, &mut session);
        Ok(session)
    }

    fn place_anew(&mut self) -> Option<Placed> {
        let session = self.place().ok()?;
        let mut changed = self.placings.changed();
        changed.extend(self.layered.changed());
        changed.sort();
        changed.dedup();
        (!changed.is_empty()).then_some(Placed {
            session,
            changed,
            precision: None,
            notice: None,
        })
    }

    fn conclude(
        &mut self,
        session: &ReviewSession,
        writing: &Writing,
        waits: bool,
    ) -> anyhow::Result<Option<String>> {
        let is_over = matches!(writing, Writing::Done { .. } | Writing::Rehearsed);
        let is_reviewed = session.files.iter().any(|file| file.refusal.is_none());
        if !is_over || !is_reviewed {
            return Ok(None);
        }
        let remark = finish(self, session, Which::Decided)?;
        if !waits {
            leave_verdict(self, session, writing)?;
        }
        Ok(remark)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let load = |file: &FileReview| {
            let snapshot = self
                .layered
                .known(new_name(file))
                .ok_or(io::ErrorKind::NotFound)?;
            self.content.load(snapshot)
        };
        settle::write(&self.placings, session, &load, |writes| {
            carry_out(&self.root, &writes)
        })
    }
}

/// Returns the name that a file has in the layer.
fn new_name(file: &FileReview) -> &str {
    match &file.kind {
        FileKind::Renamed { to } => to,
        FileKind::Modified | FileKind::Created | FileKind::Deleted | FileKind::Copied { .. } => {
            &file.path
        }
    }
}
