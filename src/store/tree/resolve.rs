//! Resolves the name in an edit to a file of the root that it may touch.

use std::path::{Component, Path, PathBuf};

use super::root::{Actor, Root};
use super::symlinks::{Admitted, resolve_links, stat};
use crate::proposal::{PathClaim, PathError, RepoPath};
use crate::store::folder::folder_handle::{NameKind, OpenFolders, is_missing, split};
use crate::store::rules::guard::{Forbidden, excess_length, is_device_name, is_git_internal};
use crate::store::rules::own_files::OwnFile;

/// A search for what paths lead to through links. Each folder on the way is opened once.
pub(crate) struct LinkTargets<'r> {
    root: &'r Root,
    folders: OpenFolders<'r>,
}

impl LinkTargets<'_> {
    /// Returns the file that a path leads to; `None` if there is no link on the way. A link of that name itself is followed unless
    /// `is_entry` is set.
    pub(crate) fn target_of(&mut self, path: &RepoPath, is_entry: bool) -> Option<RepoPath> {
        let target = if is_entry {
            self.root.admit_entry(&mut self.folders, path).ok()?
        } else {
            self.root.admitted(&mut self.folders, path).ok()?.target
        };
        (target != *path).then_some(target)
    }
}

impl Root {
    /// Settles which file a claim means: the first reading that is a file, else the first that is allowed.
    ///
    /// # Errors
    ///
    /// [`Forbidden`] if the reading that is there may not be touched, or no reading may, or if it cannot be seen whether
    /// a reading is there: the next one would be a guess.
    pub fn resolve(&self, claim: &PathClaim) -> Result<RepoPath, Forbidden> {
        let folders = &mut OpenFolders::new(self.dir());
        let (path, _) = self.resolve_admitted(folders, claim)?;
        Ok(path)
    }

    /// The same with folders that are open already, and with where the path leads.
    pub(in crate::store) fn resolve_admitted(
        &self,
        folders: &mut OpenFolders<'_>,
        claim: &PathClaim,
    ) -> Result<(RepoPath, Admitted), Forbidden> {
        let mut allowed = None;
        let mut forbidden = None;
        for reading in claim.readings() {
            let path = match self.parse_claimed(claim, reading) {
                Ok(path) => path,
                Err(error) => {
                    forbidden.get_or_insert(Forbidden::Name(error));
                    continue;
                }
            };
            match self.admitted(folders, &path) {
                Ok(admitted) if admitted.is_file() => return Ok((path, admitted)),
                Ok(admitted) => {
                    allowed.get_or_insert((path, admitted));
                }
                Err(error @ (Forbidden::Unreadable { .. } | Forbidden::IgnoreFile { .. })) => {
                    return Err(error);
                }
                Err(error) => match self.dir().symlink_metadata(path.as_path()) {
                    Err(missing) if is_missing(&missing) => {
                        forbidden.get_or_insert(error);
                    }
                    Ok(_) | Err(_) => return Err(error),
                },
            }
        }
        match (allowed, forbidden) {
            (Some(allowed), _) => Ok(allowed),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Forbidden::Name(PathError::Empty)),
        }
    }

    /// Returns where a path leads without links, if that may be touched.
    pub(in crate::store) fn admitted(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<Admitted, Forbidden> {
        let admitted = self.admitted_for_a_person(folders, path)?;
        self.check_ignored(path, &admitted.target)?;
        Ok(admitted)
    }

    /// The same, whatever the ignore files list.
    fn admitted_for_a_person(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<Admitted, Forbidden> {
        self.check_name(path, path)?;
        let admitted = resolve_links(self, folders, path)?;
        self.check_target(path, &admitted.target, || Ok(admitted.is_file()))?;
        Ok(admitted)
    }

    /// Refuses a name that nothing may be written to, whatever is there now.
    pub(in crate::store) fn admit_name(&self, path: &RepoPath) -> Result<(), Forbidden> {
        self.check_name(path, path)?;
        if is_device_name(path) {
            return Err(Forbidden::Device { path: path.clone() });
        }
        self.check_ignored(path, path)
    }

    /// Returns where a name is without links, if it may be touched. A link of that name itself is not followed.
    pub(in crate::store) fn admit_entry(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        let target = self.admit_entry_for_a_person(folders, path)?;
        self.check_ignored(path, &target)?;
        Ok(target)
    }

    /// The same, whatever the ignore files list.
    pub(in crate::store) fn admit_entry_for_a_person(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        self.check_name(path, path)?;
        let (folder, name) = split(path);
        let target = match folder.to_str().map(RepoPath::parse) {
            Some(Ok(folder)) => {
                let folder = resolve_links(self, folders, &folder)?.target;
                let target = folder.as_path().join(name);
                RepoPath::parse(&target.to_string_lossy())?
            }
            Some(Err(_)) | None => path.clone(),
        };
        self.check_target(path, &target, || {
            let stat = stat(folders, &target)?;
            Ok(stat.is_some_and(|stat| stat.kind == NameKind::File))
        })?;
        Ok(target)
    }

    /// Returns the target of the link that has a name, as the link holds it; `None` if there is no link.
    pub(crate) fn link_at(&self, path: &RepoPath) -> Option<PathBuf> {
        let path = path.as_path();
        let meta = self.dir().symlink_metadata(path).ok()?;
        let is_link = meta.is_symlink();
        is_link.then(|| self.dir().read_link_contents(path).ok())?
    }

    /// Returns a search for what paths lead to through links.
    pub(crate) fn link_targets(&self) -> LinkTargets<'_> {
        LinkTargets {
            root: self,
            folders: OpenFolders::new(self.dir()),
        }
    }

    /// Refuses a target that nothing may be written to. `asked` is the path that led to it.
    fn check_target(
        &self,
        asked: &RepoPath,
        target: &RepoPath,
        is_file: impl FnOnce() -> Result<bool, Forbidden>,
    ) -> Result<(), Forbidden> {
        if target != asked {
            self.check_name(target, asked)?;
        }
        if is_device_name(target) && !is_file()? {
            return Err(Forbidden::Device {
                path: asked.clone(),
            });
        }
        Ok(())
    }

    /// Refuses a path if an ignore file lists it or its target.
    fn check_ignored(&self, path: &RepoPath, target: &RepoPath) -> Result<(), Forbidden> {
        match self.actor {
            Actor::Agent => self.check_ignored_for_agents(path, target),
            Actor::Person => Ok(()),
        }
    }

    fn check_ignored_for_agents(
        &self,
        path: &RepoPath,
        target: &RepoPath,
    ) -> Result<(), Forbidden> {
        self.ignore_files.check(self, path)?;
        if target == path {
            Ok(())
        } else {
            self.ignore_files.check(self, target)
        }
    }

    /// Refuses a path that no edit may change without a person: for its name, a link on the way, an ignore file, or its protection.
    pub(in crate::store) fn check_unattended(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<(), Forbidden> {
        let target = self.admit_entry_for_a_person(folders, path)?;
        self.check_ignored_for_agents(path, &target)?;
        if target != *path {
            let path = path.clone();
            return Err(Forbidden::ThroughLink { path, target });
        }
        match self.protection(path) {
            None => Ok(()),
            Some(why) => {
                let path = path.clone();
                Err(Forbidden::Protected { path, why })
            }
        }
    }

    /// Refuses a name that nothing may be written to. `asked` is the path that led to it.
    pub(in crate::store) fn check_name(
        &self,
        name: &RepoPath,
        asked: &RepoPath,
    ) -> Result<(), Forbidden> {
        let path = asked.clone();
        if is_git_internal(name)
            || (self.git_folders).contain(self.path(), self.dir(), name.as_path())
        {
            Err(Forbidden::Git { path })
        } else if let Some(length) = excess_length(self.path(), name) {
            Err(Forbidden::TooLong { path, length })
        } else if self.own_file(name) == Some(OwnFile::State) {
            Err(Forbidden::OwnState { path })
        } else {
            Ok(())
        }
    }

    /// Settles which name a claim means where links are not followed: the first reading that is there, else the first that is
    /// allowed.
    ///
    /// # Errors
    ///
    /// [`Forbidden`] if no reading may be touched.
    pub fn resolve_entry(&self, claim: &PathClaim) -> Result<RepoPath, Forbidden> {
        let folders = &mut OpenFolders::new(self.dir());
        let mut allowed = None;
        let mut forbidden = None;
        for reading in claim.readings() {
            let admitted = self.parse_claimed(claim, reading).map_err(Forbidden::Name);
            let admitted = admitted.and_then(|path| Ok((self.admit_entry(folders, &path)?, path)));
            match admitted {
                Ok((target, path)) if self.dir().symlink_metadata(target.as_path()).is_ok() => {
                    return Ok(path);
                }
                Ok((_, path)) => {
                    allowed.get_or_insert(path);
                }
                Err(error) => {
                    forbidden.get_or_insert(error);
                }
            }
        }
        match (allowed, forbidden) {
            (Some(path), _) => Ok(path),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Forbidden::Name(PathError::Empty)),
        }
    }

    /// The path inside the root that a link of this name and target leads to, by its words alone; `None` if it leads out.
    pub fn link_leads_to(&self, link: &RepoPath, target: &str) -> Option<RepoPath> {
        let target = Path::new(target);
        let mut path = PathBuf::new();
        let rest = if target.is_absolute() {
            self.relative(target)?
        } else {
            path.push(split(link).0);
            target
        };
        for part in rest.components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::ParentDir if path.pop() => (),
                Component::CurDir => (),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        RepoPath::parse(path.to_str()?).ok()
    }

    /// Reads a name of a claim. Where `..` leads out of a folder, that must be a folder and no link.
    fn parse_claimed(&self, claim: &PathClaim, name: &str) -> Result<RepoPath, PathError> {
        let mut left = claim.left_folders().iter();
        match left.find(|folder| !self.has_folder(claim, folder)) {
            Some(folder) => Err(PathError::AboveFolder(name.to_owned(), folder.clone())),
            None => self.parse_recorded(claim, name),
        }
    }

    /// Returns `true` if a name of a claim is that of a folder, and of no link to one.
    fn has_folder(&self, claim: &PathClaim, name: &str) -> bool {
        let path = self.parse_recorded(claim, name).ok();
        let kind = path.and_then(|path| self.dir().symlink_metadata(path.as_path()).ok());
        kind.is_some_and(|kind| kind.is_dir())
    }

    /// Reads a name that was given in the folder of the claim, if that is on this machine.
    fn parse_recorded(&self, claim: &PathClaim, name: &str) -> Result<RepoPath, PathError> {
        let folder = (claim.recorded().map(Path::new)).filter(|folder| folder.is_absolute());
        let Some(folder_of_log) = folder else {
            return self.parse(name);
        };
        // The folder may lead through links to this root, or be one above it.
        let real = folder_of_log.canonicalize().ok();
        let real = real.filter(|real| real.is_dir());
        let folder = match &real {
            Some(real) if self.relative(folder_of_log).is_none() => real,
            Some(_) | None => folder_of_log,
        };
        let joined = match Path::new(name).strip_prefix(folder_of_log) {
            Ok(inner) => folder.join(inner),
            Err(_) => folder.join(name),
        };
        if Path::new(name).is_absolute() {
            let is_below = Path::new(name).starts_with(folder_of_log);
            return match joined.to_str().filter(|_| self.relative(&joined).is_some()) {
                Some(joined) => self.parse(joined),
                None if is_below && real.is_some() && !self.is_name_inside(name) => {
                    let folder = folder.to_string_lossy().into_owned();
                    Err(PathError::OtherFolder(name.to_owned(), folder))
                }
                None => self.parse(name),
            };
        }
        // The root may be another checkout of the same project: a file of both folders is the one here.
        let is_file = |path: &Path| path.symlink_metadata().is_ok();
        let is_only_there = || is_file(&joined) && !is_file(&self.path().join(name));
        match joined.to_str().filter(|_| self.relative(&joined).is_some()) {
            Some(joined) => self.parse(joined),
            None if is_only_there() => {
                let folder = folder.to_string_lossy().into_owned();
                Err(PathError::OtherFolder(name.to_owned(), folder))
            }
            None => self.parse(name),
        }
    }

    fn parse(&self, name: &str) -> Result<RepoPath, PathError> {
        let name = match name.split_once("://") {
            Some(("file", rest)) if !rest.contains('%') => {
                rest.strip_prefix("localhost").unwrap_or(rest)
            }
            Some((scheme, _)) if is_scheme(scheme) => {
                return Err(PathError::Outside(name.to_owned()));
            }
            Some(_) | None => name,
        };
        let inside = self.relative(Path::new(name)).and_then(Path::to_str);
        let name = inside.unwrap_or(name);
        let path = RepoPath::parse(name)?;
        if let Some(first) = self.expanded(name) {
            return Err(PathError::Expanded(name.to_owned(), first.to_owned()));
        }
        Ok(path)
    }

    /// Returns the first part of a name such as `~/a`, `$HOME/a` or `@src/a`, if it is no folder and means another one.
    fn expanded<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (first, rest) = name.split_once('/')?;
        let is_there = |name: &str| self.dir().symlink_metadata(name).is_ok();
        let means_another = match first.chars().next()? {
            '~' | '$' => true,
            // The folder of a package may be new; a mention of a file is not.
            '@' => is_there(&format!("{}/{rest}", &first[1..])),
            _ => false,
        };
        (means_another && !is_there(first)).then_some(first)
    }
}

/// Returns `true` for the first word of a URL.
fn is_scheme(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(is_letter)
}
