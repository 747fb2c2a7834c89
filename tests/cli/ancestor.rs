//! A diff that names the version it was made from, in a repository that has it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::git_program;

const OLD: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
/// Every line of context has changed since, but for those right beside the change.
const NOW: &str = "1\ntwo (2)\nthree\nfour\nfive\nsix (6)\n7\n";
const MERGED: &str = "1\ntwo (2)\nthree\n4\nfive\nsix (6)\n7\n";

/// A repository whose file `a` was `OLD` once and is `now`, and a diff of `OLD` that changes its fourth line.
struct Scene {
    place: TempDir,
    blob: String,
}

impl Scene {
    /// `None` where there is no git to ask.
    fn new(now: &str) -> Option<Self> {
        if !git_program::can_run() {
            return None;
        }
        let place = TempDir::new().unwrap();
        let root = place.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("a"), OLD).unwrap();
        let git = |arguments: &[&str]| {
            let done = Command::new("git")
                .args(arguments)
                .current_dir(&root)
                .env("HOME", place.path())
                .output()
                .unwrap();
            assert!(done.status.success(), "git {arguments:?}");
            done
        };
        git(&["init", "-q", "."]);
        let blob = git(&["hash-object", "-w", "a"]);
        let blob = String::from_utf8(blob.stdout).unwrap().trim().to_owned();
        fs::write(root.join("a"), now).unwrap();
        Some(Self { place, blob })
    }

    fn root(&self) -> std::path::PathBuf {
        self.place.path().join("root")
    }

    /// Applies the diff; `blob` is the name that it gives the old version, `path` where programs are looked for.
    fn apply(&self, blob: &str, path: &Path, confidence: &str) -> (Option<i32>, String) {
        let edit = format!(
            "diff --git a/a b/a\nindex {blob}..1234567 100644\n--- a/a\n+++ b/a\n@@ -1,7 +1,7 @@\n one\n two\n three\n-four\n+4\n five\n six\n seven\n"
        );
        fs::write(self.place.path().join("edit.diff"), edit).unwrap();
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["apply", "--confidence", confidence, "--root"])
            .arg(self.root())
            .arg(self.place.path().join("edit.diff"))
            .env_clear()
            .env("HOME", self.place.path().join("home"))
            .env("PATH", path)
            .env("GIT_DIR", self.place.path().join("elsewhere"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (
            status.code(),
            String::from_utf8([stdout, stderr].concat()).unwrap(),
        )
    }

    fn file(&self) -> String {
        fs::read_to_string(self.root().join("a")).unwrap()
    }
}

fn system_path() -> std::path::PathBuf {
    std::env::var_os("PATH").unwrap_or_default().into()
}

#[test]
fn a_hunk_without_a_place_is_merged_from_its_blob() {
    let Some(scene) = Scene::new(NOW) else { return };
    let (code, told) = scene.apply(&scene.blob[..7], &system_path(), "fuzzy");
    assert_eq!((code, scene.file().as_str()), (Some(0), MERGED), "{told}");
    let words = format!("(written against blob {})", &scene.blob[..7]);
    assert!(told.contains(&words), "{told}");
    let (code, told) = scene.apply(&scene.blob, &system_path(), "fuzzy");
    assert_eq!((code, scene.file().as_str()), (Some(0), MERGED), "{told}");
    assert!(told.starts_with("already-applied"), "{told}");
}

#[test]
fn what_is_merged_cleanly_is_safe_and_not_exact() {
    let Some(scene) = Scene::new(NOW) else { return };
    let (code, told) = scene.apply(&scene.blob, &system_path(), "exact");
    assert_eq!((code, scene.file().as_str()), (Some(2), NOW), "{told}");
    let (code, told) = scene.apply(&scene.blob, &system_path(), "safe");
    assert_eq!((code, scene.file().as_str()), (Some(0), MERGED), "{told}");
}

#[test]
fn both_sides_of_a_conflict_are_shown() {
    let Some(scene) = Scene::new("1\ntwo (2)\nthree\nfour (4)\nfive\nsix (6)\n7\n") else {
        return;
    };
    let (code, told) = scene.apply(&scene.blob, &system_path(), "fuzzy");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("and its lines have changed since"), "{told}");
    assert!(
        told.contains("in the file: four (4)\n") && told.contains("in the edit: four\n"),
        "{told}"
    );
}

/// Neither a version that git lacks, nor a git that says nonsense or nothing at all, nor none: the hunk has no place then.
#[test]
fn without_the_blob_nothing_is_guessed() {
    let Some(scene) = Scene::new(NOW) else { return };
    for unknown in ["0000000", "abcdef0", "HEAD"] {
        let (code, told) = scene.apply(unknown, &system_path(), "fuzzy");
        assert_eq!((code, scene.file().as_str()), (Some(2), NOW), "{told}");
    }
    let programs = scene.place.path().join("programs");
    fs::create_dir(&programs).unwrap();
    let (code, told) = scene.apply(&scene.blob, &programs, "fuzzy");
    assert_eq!((code, scene.file().as_str()), (Some(2), NOW), "{told}");
    for answer in [
        "echo nonsense",
        "head -c 100000 /dev/zero",
        "echo 123456789012345678901234567890 blob 99999999999999999999",
        "sleep 60",
    ] {
        let git = programs.join("git");
        fs::write(
            &git,
            format!(
                "#!/bin/sh\nPATH={}\nexec {answer}\n",
                system_path().display()
            ),
        )
        .unwrap();
        fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
        let (code, told) = scene.apply(&scene.blob, &programs, "fuzzy");
        assert_eq!(
            (code, scene.file().as_str()),
            (Some(2), NOW),
            "{answer}: {told}"
        );
    }
}
