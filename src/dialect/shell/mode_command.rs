//! `chmod` with a mode that git keeps: whether a file is executable.

use super::changing_command::is_temporary;
use super::words::CommandPart;
use crate::text::ShellWord;

/// The files of a `chmod` command, and if they become executable.
pub(super) struct ModeCommand<'w> {
    pub(super) files: Vec<&'w ShellWord>,
    pub(super) executable: bool,
}

impl<'w> ModeCommand<'w> {
    /// Returns the command of these words. Other modes, options and computed names are not read.
    pub(super) fn of(parts: &'w [CommandPart]) -> Option<Self> {
        let words: Option<Vec<&ShellWord>> = parts.iter().map(CommandPart::word).collect();
        let words = words?;
        let [program, mode, files @ ..] = words.as_slice() else {
            return None;
        };
        let executable = match mode.text.as_str() {
            "+x" | "a+x" | "u+x" | "755" | "0755" => true,
            "-x" | "a-x" | "644" | "0644" => false,
            _ => return None,
        };
        let is_unread = |word: &&ShellWord| {
            word.computed || word.text.starts_with('-') || is_temporary(&word.text)
        };
        let is_read = program.text == "chmod" && !files.is_empty() && !files.iter().any(is_unread);
        is_read.then(|| Self {
            files: files.to_vec(),
            executable,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn modes_that_git_keeps_are_read() {
        let check = |line: &str, expected: Option<(&[&str], bool)>| {
            let words = words(line).unwrap_or_default();
            let found = ModeCommand::of(&words);
            let files = found.as_ref().map(|found| {
                let names = found.files.iter().map(|file| file.text.as_str());
                (names.collect::<Vec<_>>(), found.executable)
            });
            let files = files
                .as_ref()
                .map(|(files, mode)| (files.as_slice(), *mode));
            assert_eq!(files, expected, "{line}");
        };
        check("chmod +x bin/a", Some((&["bin/a"], true)));
        check("chmod 755 a 'b c'", Some((&["a", "b c"], true)));
        check("chmod 0644 a", Some((&["a"], false)));
        check("chmod 600 a", None);
        check("chmod g+w a", None);
        check("chmod -R +x bin", None);
        check("chmod +x -R bin", None);
        check("chmod +x *.sh", None);
        check("chmod +x $a", None);
        check("chmod +x /tmp/a", None);
        check("chmod +x", None);
        check("chmod +x a > b", None);
    }
}
