//! The file by which Gemini finds its companion: `gemini/ide/gemini-ide-server-PID-PORT.json` in the folder for temporary files.
//!
//! It holds the token that every request must bear, so only its user may read it. Gemini takes the file of a process above
//! itself, or any whose folder it works in; it believes none that belongs to another user.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;

use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};

/// What this companion calls itself.
const NAME: &str = "countersign";

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
                "Gemini cannot be told of `{}`: a folder's name must be UTF-8, without a colon",
                root.display()
            );
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        };
        let said = |error: io::Error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", folder.display()))
        };
        fs::create_dir_all(folder).map_err(said)?;
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

/// Where Gemini looks: what Node calls the folder for temporary files, and there `gemini/ide`.
fn folder() -> PathBuf {
    let named = ["TMPDIR", "TMP", "TEMP"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|name| !name.is_empty());
    named
        .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from)
        .join("gemini/ide")
}

/// Takes away the files of companions of this kind whose process is no more.
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

fn is_own(path: &Path) -> bool {
    let content = fs::read(path).ok();
    let content = content.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    content.is_some_and(|content| content["ideInfo"]["name"] == NAME)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

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
    fn a_folder_that_gemini_would_take_for_two_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let error = PortFile::write_in(place.path(), 1, Path::new("/a:b"), "").unwrap_err();
        assert!(error.to_string().contains("without a colon"), "{error}");
    }
}
