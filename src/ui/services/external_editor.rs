//! The external editor, the one of the settings or else `$VISUAL` or `$EDITOR`, on a copy of the proposed file.

use std::env;
use std::fs::{self, File};
use std::io;
use std::process::{Command, Stdio};

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

/// Why an editor brought nothing back.
#[derive(Debug, Error)]
pub enum EditorError {
    /// The copy could not be made or read back.
    #[error("the copy for the editor cannot be written or read back: {0}")]
    Copy(#[source] io::Error),
    /// The program did not start.
    #[error("`{command}` did not start: {source}")]
    Start {
        /// The command as given in the environment.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The program ended with a failure; what it left is not taken.
    #[error("`{0}` failed, and nothing was taken from it")]
    Failed(String),
}

impl ExternalEdit {
    /// Runs an editor on the terminal, which must not be ours now, and returns the text it leaves: the one that is asked
    /// for, else that of the environment.
    ///
    /// # Errors
    ///
    /// [`EditorError`] if the editor does not run or fails.
    pub fn run(&self, editor: Option<&str>) -> Result<String, EditorError> {
        let folder = tempfile::tempdir().map_err(EditorError::Copy)?;
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
        if !status.success() {
            return Err(EditorError::Failed(command));
        }
        fs::read_to_string(&copy).map_err(EditorError::Copy)
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
    fn only_known_editors_are_told_the_line() {
        let line = LineNo::from_idx(4);
        assert_eq!(place("/usr/bin/nvim -p", line), Some("+5".into()));
        assert_eq!(place("code --wait", line), None);
    }
}
