//! The file by which Gemini finds its companion: `gemini/ide/gemini-ide-server-PID-PORT.json` in the folder for temporary files.
//!
//! It holds the token that every request must bear, so only its user may read it. Gemini takes the file of a process above
//! itself, or any whose folder it works in; it believes none that belongs to another user.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;

use rustix::fs::OFlags;
use rustix::process::{Pid, geteuid, test_kill_process};
use serde_json::{Value, json};

/// Name of this companion.
const NAME: &str = "countersign";
/// Permissions of the group and of others to write.
const OTHERS_WRITE: u32 = 0o022;
/// The longest file that may be a companion's, in bytes.
const MOST_BYTES: u64 = 1 << 16;

/// A file that is there until it is dropped.
#[derive(Debug)]
pub(super) struct PortFile(PathBuf);

impl PortFile {
    /// Leaves word of a companion for a folder, and takes away what killed ones have left.
    pub(super) fn write(port: u16, root: &Path, token: &str) -> io::Result<Self> {
        Self::write_in(&folder(), port, root, token)
    }

    fn write_in(folder: &Path, port: u16, root: &Path, token: &str) -> io::Result<Self> {
        let name = root.to_str().filter(|name| !name.contains(':'));
        let Some(name) = name else {
            let why = format!(
                "Gemini CLI cannot find `{}`: a folder's name must be UTF-8, without a colon",
                root.display()
            );
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        };
        let said = |error: io::Error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", folder.display()))
        };
        own_folder(folder).map_err(said)?;
        sweep(folder);
        let path = folder.join(format!("gemini-ide-server-{}-{port}.json", process::id()));
        let content = json!({
            "port": port,
            "workspacePath": name,
            "authToken": token,
            "ideInfo": {"name": NAME, "displayName": NAME},
        });
        let mut file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(said)?;
        let file_that_goes = Self(path);
        file.write_all(content.to_string().as_bytes())?;
        Ok(file_that_goes)
    }
}

impl Drop for PortFile {
    fn drop(&mut self) {
        // What stays behind is swept away by the next companion.
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the folder in which Gemini CLI looks: `gemini/ide` in Node's folder for temporary files.
fn folder() -> PathBuf {
    let named = ["TMPDIR", "TMP", "TEMP"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|name| !name.is_empty());
    named
        .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from)
        .join("gemini/ide")
}

/// Creates the folder, and checks that no other user may put anything into it or into the folder above it.
///
/// The folder for temporary files is everybody's, so another user may have made it first.
fn own_folder(folder: &Path) -> io::Result<()> {
    let above = folder.parent().unwrap_or(folder);
    for folder in [above, folder] {
        match DirBuilder::new()
            .mode(0o700)
            .recursive(false)
            .create(folder)
        {
            Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir_all(folder)?,
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => (),
        }
        let found = fs::symlink_metadata(folder)?;
        if !found.is_dir() || found.uid() != geteuid().as_raw() {
            let why = "it is not a folder of yours; set `TMPDIR` to one, here and for Gemini CLI";
            return Err(io::Error::new(ErrorKind::PermissionDenied, why));
        }
        if found.mode() & OTHERS_WRITE != 0 {
            let mode = found.mode() & 0o777 & !OTHERS_WRITE;
            fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

/// Deletes the files of companions of this kind whose process has ended.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|name| name.strip_prefix("gemini-ide-server-"))
            .and_then(|rest| rest.split('-').next()?.parse().ok())
            .and_then(Pid::from_raw);
        let is_gone = process.is_some_and(|process| {
            test_kill_process(process).is_err_and(|error| error == rustix::io::Errno::SRCH)
        });
        if is_gone && is_own(&entry.path()) {
            // One that cannot be removed belongs to somebody else.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether a file is a companion's of this kind. It may be anything else that has such a name, a pipe even.
fn is_own(path: &Path) -> bool {
    let mut options = File::options();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = options
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
    else {
        return false;
    };
    let is_regular = file.metadata().is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    let read = is_regular && file.take(MOST_BYTES).read_to_end(&mut bytes).is_ok();
    let content = read
        .then(|| serde_json::from_slice::<Value>(&bytes).ok())
        .flatten();
    content.is_some_and(|content| content["ideInfo"]["name"] == NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_is_left_for_its_user_and_taken_away_again() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("gemini/ide");
        let file = PortFile::write_in(&folder, 4711, Path::new("/a/b"), "secret").unwrap();
        let path = folder.join(format!("gemini-ide-server-{}-4711.json", process::id()));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let content: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let expected = json!({
            "port": 4711, "workspacePath": "/a/b", "authToken": "secret",
            "ideInfo": {"name": "countersign", "displayName": "countersign"},
        });
        assert_eq!(content, expected);
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn what_a_killed_one_left_is_swept_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let mut ended = process::Command::new("true").spawn().unwrap();
        let gone = ended.id();
        ended.wait().unwrap();
        let own = r#"{"ideInfo":{"name":"countersign"}}"#;
        let alive = process::id();
        let files = [
            (format!("gemini-ide-server-{gone}-1.json"), own),
            (format!("gemini-ide-server-{alive}-2.json"), own),
            (
                format!("gemini-ide-server-{gone}-3.json"),
                r#"{"ideInfo":{"name":"vscode"}}"#,
            ),
            ("gemini-ide-server-x.json".to_owned(), own),
        ];
        for (name, content) in &files {
            fs::write(place.path().join(name), content).unwrap();
        }
        sweep(place.path());
        let left = files
            .iter()
            .map(|(name, _)| place.path().join(name).exists());
        assert_eq!(left.collect::<Vec<_>>(), [false, true, true, true]);
    }

    #[test]
    fn a_folder_or_a_file_of_another_user_holds_nobody_up() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("gemini/ide");
        own_folder(&folder).unwrap();
        let mut ended = process::Command::new("true").spawn().unwrap();
        let gone = ended.id();
        ended.wait().unwrap();
        // A pipe that nobody writes to, and a device without an end.
        let pipe = folder.join(format!("gemini-ide-server-{gone}-1.json"));
        let made = process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let device = folder.join(format!("gemini-ide-server-{gone}-2.json"));
        std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
        sweep(&folder);
        assert!(pipe.exists() && device.exists());
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        own_folder(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o755);
        let link = place.path().join("gemini/link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        let error = PortFile::write_in(&link, 1, Path::new("/a"), "").unwrap_err();
        assert!(
            error.to_string().contains("not a folder of yours"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_that_gemini_would_take_for_two_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let error = PortFile::write_in(place.path(), 1, Path::new("/a:b"), "").unwrap_err();
        assert!(error.to_string().contains("without a colon"), "{error}");
    }
}
