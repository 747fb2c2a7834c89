//! The external editor, the one of the settings or else `$VISUAL` or `$EDITOR`, on a copy of the proposed file.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use thiserror::Error;

use crate::review::HunkId;
use crate::text::LineNo;

/// A text to edit outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalEdit {
    /// The hunk that it was asked for.
    pub hunk: HunkId,
    /// The name of the file, so that the editor knows its language.
    pub name: String,
    /// The text.
    pub text: String,
    /// The line to begin at.
    pub line: LineNo,
}

/// The text that an editor left. The file that holds it stays until [`EditedText::delete_file`].
#[derive(Debug)]
pub struct EditedText {
    /// The text.
    pub text: String,
    /// The folder of the file, and the file.
    file: Option<(TempDir, PathBuf)>,
}

/// Why an editor brought nothing back.
#[derive(Debug, Error)]
pub enum EditorError {
    /// The copy could not be made.
    #[error("the copy for the editor cannot be written: {0}")]
    Copy(#[source] io::Error),
    /// The text that the editor left cannot be taken, and is kept.
    #[error("not taken, kept in `{}`: {why}", path.display())]
    NotTaken {
        /// The reason.
        why: String,
        /// The file that the editor left.
        path: PathBuf,
    },
    /// The program did not start.
    #[error("`{command}` did not start: {source}")]
    Start {
        /// The command as given in the environment.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The program ended with a failure, and left the text as it was.
    #[error("`{0}` failed, and nothing was taken from it")]
    Failed(String),
}

impl ExternalEdit {
    /// Runs an editor on the terminal, which must not be ours now, and returns the text it leaves: the one that is asked
    /// for, else that of the environment. A file that was changed and cannot be taken is kept.
    ///
    /// # Errors
    ///
    /// [`EditorError`] if the editor does not run or fails, or leaves something else than text.
    pub fn run(&self, editor: Option<&str>) -> Result<EditedText, EditorError> {
        let mut folder = tempfile::tempdir().map_err(EditorError::Copy)?;
        let copy = folder.path().join(self.file_name());
        fs::write(&copy, &self.text).map_err(EditorError::Copy)?;
        let command = editor.map_or_else(of_environment, str::to_owned);

        let tty = || File::options().read(true).write(true).open("/dev/tty");
        let status = Command::new("sh")
            .arg("-c")
            .arg(format!("{command} \"$@\""))
            .arg(&command)
            .args(place(&command, self.line))
            .arg(&copy)
            .stdin(tty().map_or_else(|_| Stdio::inherit(), Stdio::from))
            .stdout(tty().map_or_else(|_| Stdio::inherit(), Stdio::from))
            .status()
            .map_err(|source| EditorError::Start {
                command: command.clone(),
                source,
            })?;
        let left = fs::read(&copy);
        let is_unchanged =
            (left.as_ref()).is_ok_and(|left| left.as_slice() == self.text.as_bytes());
        if !status.success() && is_unchanged {
            return Err(EditorError::Failed(command));
        }
        folder.disable_cleanup(true);
        let text = match left {
            Ok(_) if !status.success() => Err(format!("`{command}` failed")),
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()),
            Err(error) => Err(format!("it cannot be read: {error}")),
        };
        match text {
            Ok(text) => Ok(EditedText {
                text,
                file: Some((folder, copy)),
            }),
            Err(why) => Err(EditorError::NotTaken { why, path: copy }),
        }
    }

    /// Returns the last part of the name: editors choose the language by it.
    fn file_name(&self) -> &str {
        let last = self.name.rsplit('/').next().unwrap_or_default();
        if last.is_empty() || last == "." || last == ".." {
            "proposed"
        } else {
            last
        }
    }
}

impl From<String> for EditedText {
    /// Makes a text that is in no file.
    fn from(text: String) -> Self {
        Self { text, file: None }
    }
}

impl EditedText {
    /// Returns the file that holds the text.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|(_, path)| path.as_path())
    }

    /// Deletes the file, as its text was taken.
    pub fn delete_file(self) {
        if let Some((mut folder, _)) = self.file {
            folder.disable_cleanup(false);
        }
    }
}

fn of_environment() -> String {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|command| !command.trim().is_empty())
        .unwrap_or_else(|| "vi".to_owned())
}

/// The argument that makes an editor begin at a line, for those that are known to take one.
fn place(command: &str, line: LineNo) -> Option<String> {
    const PLUS: [&str; 11] = [
        "vi",
        "vim",
        "nvim",
        "nano",
        "emacs",
        "emacsclient",
        "kak",
        "micro",
        "joe",
        "mg",
        "ne",
    ];
    let program = command.split_whitespace().next()?;
    let name = program.rsplit('/').next()?;
    PLUS.contains(&name).then(|| format!("+{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_taken_is_kept_with_its_path() {
        let check = |editor: &str, words: &str, kept: Option<&[u8]>| {
            let edit = ExternalEdit {
                hunk: HunkId { file: 0, hunk: 0 },
                name: "src/a.rs".to_owned(),
                text: "before\n".to_owned(),
                line: LineNo::from_idx(0),
            };
            let error = edit.run(Some(editor)).unwrap_err();
            let told = error.to_string();
            assert!(told.contains(words), "{editor}: {told}");
            let path = match &error {
                EditorError::NotTaken { path, .. } => Some(path.as_path()),
                EditorError::Copy(_) | EditorError::Start { .. } | EditorError::Failed(_) => None,
            };
            let left = path.and_then(|path| fs::read(path).ok());
            assert_eq!(left.as_deref(), kept, "{editor}: {told}");
            let Some(path) = path else { return };
            assert!(told.contains(&path.display().to_string()), "{told}");
            let folder = path.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
        };
        let script = |lines: &str| format!("sh -c '{lines}' sh");
        let words = "it is not UTF-8 text";
        let bytes = script("printf \"\\\\351t\\\\351\" > \"$1\"");
        check(&bytes, words, Some(b"\xe9t\xe9"));
        let fails = script("echo mine > \"$1\"; exit 1");
        check(&fails, "`sh -c", Some(b"mine\n"));
        check(&script("exit 1"), "`sh -c", None);
        let removes = script("rm \"$1\"");
        check(&removes, "it cannot be read: ", None);
    }

    #[test]
    fn the_file_stays_until_its_text_is_taken() {
        let edit = ExternalEdit {
            hunk: HunkId { file: 0, hunk: 0 },
            name: "a".to_owned(),
            text: "before\n".to_owned(),
            line: LineNo::from_idx(0),
        };
        let edited = edit.run(Some("true")).unwrap();
        let path = edited.path().unwrap().to_owned();
        assert!(path.exists());
        edited.delete_file();
        assert!(!path.exists());
        let edited = edit.run(Some("true")).unwrap();
        let path = edited.path().unwrap().to_owned();
        drop(edited);
        assert!(path.exists());
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn only_known_editors_are_told_the_line() {
        let line = LineNo::from_idx(4);
        assert_eq!(place("/usr/bin/nvim -p", line), Some("+5".into()));
        assert_eq!(place("code --wait", line), None);
    }
}
