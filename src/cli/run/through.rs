//! The folders that a command writes directly, as `--through` names them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::super::output::say;
use crate::store::Root;

/// Returns the folders that names and patterns of `--through` mean, relative to the root. A name without wildcards is created if
/// nothing has it yet.
pub(super) fn through(root: &Path, patterns: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let root = Root::open(root)?;
    let mut found = BTreeSet::new();
    for pattern in patterns {
        let is_name = !pattern.contains(['*', '?', '[', '!']);
        let folders = if is_name {
            named(&root, pattern).map(|folder| vec![folder])
        } else {
            matching(&root, pattern)
        };
        found.extend(folders.with_context(|| format!("`--through {pattern}`"))?);
    }
    Ok(found.into_iter().collect())
}

fn matching(root: &Root, pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let folders = root.folders_matching(pattern)?;
    let shown = root.path().display();
    ensure!(
        !folders.is_empty(),
        "no folder in `{shown}` matches; a name without wildcards creates one"
    );
    Ok(folders)
}

/// Finds or creates a folder by its name, relative to the root or absolute.
fn named(root: &Root, name: &str) -> anyhow::Result<PathBuf> {
    let top = root.path();
    let inside = inside(top, Path::new(name)).ok_or_else(|| outside(top))?;
    let folder = match top.join(&inside).canonicalize() {
        Ok(full) => full.strip_prefix(top).map_err(|_| outside(top))?.to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            root.make_folder(&inside)?;
            say(&format!(
                "`{}` is created, as `--through` names it",
                inside.display()
            ));
            inside
        }
        Err(error) => return Err(error.into()),
    };
    if folder.as_os_str().is_empty() {
        bail!("that is the root itself, of which nothing would be held back; name a folder in it");
    }
    let is_folder = top.join(&folder).is_dir();
    ensure!(is_folder, "that is no folder; name a folder in the root");
    Ok(folder)
}

/// Returns a name relative to the root, without `.` and `..`; `None` if it leads out of it.
fn inside(top: &Path, name: &Path) -> Option<PathBuf> {
    let name = if name.is_absolute() {
        name.strip_prefix(top).ok()?
    } else {
        name
    };
    let mut inside = PathBuf::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => inside.push(part),
            Component::CurDir => (),
            Component::ParentDir if inside.pop() => (),
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(inside)
}

/// Returns the error for a folder that is not in a root.
fn outside(root: &Path) -> anyhow::Error {
    let shown = root.display();
    anyhow::anyhow!(
        "the folder is not inside the root `{shown}`, and needs no option: what is written outside is not held back"
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::through;

    #[test]
    fn folders_are_found_or_created_and_others_named() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let root = place.join("root");
        fs::create_dir_all(root.join("one/target")).unwrap();
        fs::create_dir_all(root.join("target")).unwrap();
        fs::write(root.join("file"), "").unwrap();
        symlink("target", root.join("link")).unwrap();
        symlink(&place, root.join("out")).unwrap();
        let check = |pattern: &str, expected: &str| {
            let found = through(&root, &[pattern.to_owned()]);
            let shown = match found {
                Ok(folders) => folders
                    .iter()
                    .map(|folder| folder.display().to_string())
                    .collect::<Vec<_>>()
                    .join(" "),
                Err(error) => format!("{error:#}"),
            };
            assert!(
                shown.starts_with(expected) && !expected.is_empty(),
                "{pattern}: {shown}"
            );
        };
        check("target", "target");
        check("./target/", "target");
        check("**/target", "one/target target");
        check(root.join("target").to_str().unwrap(), "target");
        check("link", "target");
        check("new/deep", "new/deep");
        assert!(root.join("new/deep").is_dir());
        check(
            "../x",
            "`--through ../x`: the folder is not inside the root",
        );
        check(
            "/etc",
            "`--through /etc`: the folder is not inside the root",
        );
        check("out", "`--through out`: the folder is not inside the root");
        check(".", "`--through .`: that is the root itself");
        check("file", "`--through file`: that is no folder");
        check("no*", "`--through no*`: no folder in `");
    }
}
