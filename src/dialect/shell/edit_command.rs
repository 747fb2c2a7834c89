//! Commands that get an edit as a here-document, such as `patch -p1 <<'EOF'`. They are read, never executed.
//!
//! Any program may get a diff as its input: one that prints it, checks it, or applies it in another folder. An edit counts only
//! if its command and all options are known to apply it as it is written.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/patch-Options.html>, <https://git-scm.com/docs/git-apply>

use crate::dialect::dialect_trait::Section;
use crate::dialect::input::Input;
use crate::dialect::parse_error::{self, ParseError};
use crate::dialect::script_state::HereDocReader;
use crate::proposal::FileChange;
use crate::text::{LineIdx, ShellToken, shell_tokens};

/// Application of an edit by a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::dialect) struct EditCommand {
    /// The folder in which it works.
    folder: Option<String>,
    /// The leading parts that it removes from names.
    parts: Option<usize>,
    /// The only file that it changes.
    file: Option<String>,
}

/// Options of `patch` that change nothing in the meaning of a diff.
const PATCH_OPTIONS: [&str; 12] = [
    "batch",
    "force",
    "forward",
    "fuzz",
    "ignore-whitespace",
    "input=-",
    "no-backup-if-mismatch",
    "quiet",
    "remove-empty-files",
    "silent",
    "unified",
    "verbose",
];
/// The same, as letters.
const PATCH_LETTERS: &str = "sNuftlE";

/// The same for `git apply` and `git am`.
const GIT_OPTIONS: [&str; 27] = [
    "-",
    "-3",
    "-N",
    "-k",
    "-q",
    "-s",
    "-v",
    "--3way",
    "--allow-empty",
    "--apply",
    "--ignore-space-change",
    "--ignore-whitespace",
    "--inaccurate-eof",
    "--index",
    "--intent-to-add",
    "--keep",
    "--keep-cr",
    "--no-3way",
    "--no-gpg-sign",
    "--quiet",
    "--recount",
    "--reject",
    "--signoff",
    "--unidiff-zero",
    "--unsafe-paths",
    "--verbose",
    "--whitespace",
];

/// A command of a script, without its redirections.
#[derive(Debug, Default)]
struct CommandWords {
    /// The signs between it and the command before.
    joint: String,
    words: Vec<String>,
    has_document: bool,
}

impl EditCommand {
    /// Reads a command line with a here-document; the error says why it may not apply the text.
    pub(in crate::dialect) fn read(line: &str) -> Result<Self, String> {
        let commands = commands(inner_script(line)).ok_or_else(|| unknown(line))?;
        let at = (commands.iter().position(|command| command.has_document))
            .ok_or_else(|| unknown(line))?;
        let mut reader = &commands[at];
        if matches!(word_list(reader).as_slice(), ["cat"] | ["cat", "-"])
            && let Some(next) = commands.get(at + 1).filter(|next| next.joint == "|")
        {
            reader = next;
        }
        let folder = match &commands[..at] {
            [] => None,
            [first] if matches!(commands[at].joint.as_str(), "&&" | ";") => {
                match word_list(first).as_slice() {
                    ["cd", folder] => Some((*folder).to_owned()),
                    _ => return Err(unknown(line)),
                }
            }
            _ => return Err(unknown(line)),
        };
        let mut command = match word_list(reader).as_slice() {
            ["apply_patch" | "applypatch"] => Self::default(),
            ["patch" | "gpatch", options @ ..] => Self::patch(options)?,
            ["git", "-C", folder, "apply" | "am", options @ ..] => {
                let mut command = Self::git(options)?;
                command.add_folder(folder);
                command
            }
            ["git", "apply" | "am", options @ ..] => Self::git(options)?,
            [name, ..] => return Err(unknown(name)),
            [] => return Err(unknown(line)),
        };
        if let Some(folder) = folder {
            command.add_folder(&folder);
        }
        Ok(command)
    }

    /// Lets the folder begin in another one.
    fn add_folder(&mut self, outer: &str) {
        let outer = outer.trim_end_matches('/');
        self.folder = Some(match self.folder.take() {
            Some(inner) => format!("{outer}/{inner}"),
            None => outer.to_owned(),
        });
    }

    fn set_parts(&mut self, number: &str) -> Option<()> {
        self.parts = Some(number.parse().ok()?);
        Some(())
    }

    /// Reads the options of `patch`.
    fn patch(options: &[&str]) -> Result<Self, String> {
        let mut command = Self::default();
        let mut rest = options.iter();
        while let Some(option) = rest.next() {
            let read = match option.strip_prefix("--") {
                Some(long) => command.long_option(long),
                None => match option.strip_prefix('-') {
                    Some("") => None,
                    Some(letters) => command.letters(letters, || rest.next().copied()),
                    None if command.file.is_none() => {
                        command.file = Some((*option).to_owned());
                        Some(())
                    }
                    None => None,
                },
            };
            read.ok_or_else(|| not_read("patch", option))?;
        }
        Ok(command)
    }

    fn long_option(&mut self, option: &str) -> Option<()> {
        match option.split_once('=') {
            Some(("strip", number)) => self.set_parts(number),
            Some(("directory", folder)) => {
                self.add_folder(folder);
                Some(())
            }
            Some(("fuzz", _)) => Some(()),
            _ => PATCH_OPTIONS.contains(&option).then_some(()),
        }
    }

    fn letters<'w>(
        &mut self,
        letters: &'w str,
        mut next: impl FnMut() -> Option<&'w str>,
    ) -> Option<()> {
        for (at, letter) in letters.char_indices() {
            let rest = &letters[at + letter.len_utf8()..];
            let mut value = || if rest.is_empty() { next() } else { Some(rest) };
            match letter {
                'p' => return self.set_parts(value()?),
                'd' => {
                    self.add_folder(value()?);
                    return Some(());
                }
                'i' => return (value()? == "-").then_some(()),
                'F' => return value().map(|_| ()),
                _ => PATCH_LETTERS.contains(letter).then_some(())?,
            }
        }
        Some(())
    }

    /// Reads the options of `git apply` and `git am`.
    fn git(options: &[&str]) -> Result<Self, String> {
        let mut command = Self {
            parts: Some(1),
            ..Self::default()
        };
        for option in options {
            let name = option.split_once('=').map_or(*option, |(name, _)| name);
            let read = if let Some(number) = option.strip_prefix("-p") {
                command.set_parts(number)
            } else if let Some(folder) = option.strip_prefix("--directory=") {
                command.add_folder(folder);
                Some(())
            } else if let Some(lines) = option.strip_prefix("-C") {
                lines.parse::<usize>().ok().map(|_| ())
            } else {
                GIT_OPTIONS.contains(&name).then_some(())
            };
            read.ok_or_else(|| not_read("git apply", option))?;
        }
        Ok(command)
    }

    /// Gives a change the names that it has for the command.
    pub(in crate::dialect) fn name(&self, change: &mut FileChange) -> Result<(), String> {
        if let Some(parts) = self.parts {
            let stripped = change.strip(parts);
            stripped.map_err(|error| format!("a diff whose name is too short: {error}"))?;
        }
        if let Some(file) = &self.file {
            let is_it = change.path.readings().any(|name| name == file);
            if !is_it {
                let quoted = parse_error::quoted(file);
                return Err(format!(
                    "a diff that names another file than its command, {quoted}"
                ));
            }
        }
        if let Some(folder) = &self.folder {
            change.move_into(folder);
        }
        Ok(())
    }
}

/// The commands that are read.
const EXPECTED: &str =
    "'patch', 'git apply' or 'apply_patch' with plain options: commands are read, not executed";

/// Returns a section as the command applies it whose here-document it is in; a problem for each file if it may not.
pub(in crate::dialect) fn applied(
    input: &Input,
    at: LineIdx,
    mut section: Section,
    reader: &HereDocReader,
) -> Section {
    let command = match &reader.obstacle {
        Some(obstacle) => {
            let obstacle = parse_error::quoted(obstacle);
            Err(format!(
                "an edit for a command below {obstacle}, after which it may run in another folder, or not at all"
            ))
        }
        None => EditCommand::read(&reader.command),
    };
    for mut file in std::mem::take(&mut section.files) {
        // The dialect itself reads the folder of `apply_patch`.
        let is_envelope = file.dialect == "envelope";
        let named = (command.as_ref())
            .map_err(String::clone)
            .and_then(|command| {
                if is_envelope {
                    Ok(())
                } else {
                    command.name(&mut file)
                }
            });
        match named {
            Ok(()) => section.files.push(file),
            Err(found) => {
                let error = ParseError::new(at, found, EXPECTED);
                let lines = section.lines.clone();
                let path = Some(file.path);
                section
                    .problems
                    .push(error.into_problem(input, lines, file.dialect, path));
            }
        }
    }
    section
}

/// Returns `true` for a line that gives a here-document to a command for edits, and is no prose.
pub(in crate::dialect) fn takes_edits(line: &str) -> bool {
    commands(inner_script(line)).is_some_and(|commands| commands.iter().any(is_reader))
}

fn is_reader(command: &CommandWords) -> bool {
    let first = command.words.first().map(String::as_str);
    command.has_document && matches!(first, Some("git" | "patch" | "gpatch"))
}

/// Returns the refusal of the edits in a here-document that has no end: lines may be missing, and its command may do more.
pub(in crate::dialect) fn unended(
    input: &Input,
    mut section: Section,
    reader: &HereDocReader,
) -> Section {
    for file in std::mem::take(&mut section.files) {
        let expected = format!("'{}' below the here-document of its command", reader.end);
        let error = ParseError::end(input, expected);
        let lines = section.lines.clone();
        let problem = error.into_problem(input, lines, file.dialect, Some(file.path));
        section.problems.push(problem);
    }
    section
}

fn unknown(command: &str) -> String {
    let command = parse_error::quoted(command);
    format!("an edit in the here-document of {command}, a command that is not known to apply it")
}

fn not_read(command: &str, option: &str) -> String {
    let option = parse_error::quoted(option);
    format!("an edit in the here-document of '{command}' with {option}: this option is not read")
}

fn word_list(command: &CommandWords) -> Vec<&str> {
    command.words.iter().map(String::as_str).collect()
}

/// Returns the script in a line such as `bash -lc "cd web && apply_patch <<PATCH`, or the line.
fn inner_script(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let script = [" -lc ", " -c "].iter().find_map(|flag| {
        let (shell, script) = line.split_once(flag)?;
        let name = shell.rsplit('/').next()?;
        matches!(name, "bash" | "sh" | "zsh")
            .then_some(script)?
            .strip_prefix(['"', '\''])
    });
    script.unwrap_or(line)
}

/// Cuts a line into its commands; `None` if a part of it is computed, grouped, or goes to a file.
fn commands(line: &str) -> Option<Vec<CommandWords>> {
    let (tokens, is_complete) = shell_tokens(line);
    let mut found: Vec<CommandWords> = vec![CommandWords::default()];
    let mut tokens = tokens.into_iter();
    let mut joint = String::new();
    while let Some(token) = tokens.next() {
        match token {
            ShellToken::End(sign @ ('&' | '|' | ';'), _) => joint.push(sign),
            ShellToken::End(..) | ShellToken::Open | ShellToken::Close => return None,
            token @ (ShellToken::Word(_) | ShellToken::Redirection(_)) => {
                if !joint.is_empty() {
                    found.push(CommandWords {
                        joint: std::mem::take(&mut joint),
                        ..CommandWords::default()
                    });
                }
                let command = found.last_mut()?;
                match token {
                    ShellToken::Word(word) if word.computed || word.continues => return None,
                    ShellToken::Word(word) => command.words.push(word.text),
                    ShellToken::Redirection(operator) => {
                        let ShellToken::Word(target) = tokens.next()? else {
                            return None;
                        };
                        match operator.as_str() {
                            "<<" | "<<-" => command.has_document = true,
                            _ if target.text == "/dev/null" || operator.ends_with('&') => (),
                            _ => return None,
                        }
                    }
                    ShellToken::End(..) | ShellToken::Open | ShellToken::Close => return None,
                }
            }
        }
    }
    is_complete.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_applies_an_edit_only_with_known_options() {
        let check = |line: &str, expected: Option<(&str, Option<usize>)>| {
            let found = EditCommand::read(&format!("{line} <<'EOF'"));
            let found = found.ok().map(|c| (c.folder.unwrap_or_default(), c.parts));
            let expected = expected.map(|(folder, parts)| (folder.to_owned(), parts));
            assert_eq!(found, expected, "{line}");
        };
        check("apply_patch", Some(("", None)));
        check("patch -p1", Some(("", Some(1))));
        check("patch -Np1 -s", Some(("", Some(1))));
        check("patch -p 2 -d sub", Some(("sub", Some(2))));
        check("patch --strip=0 --directory=a/b", Some(("a/b", Some(0))));
        check("patch -u f", Some(("", None)));
        check("git apply", Some(("", Some(1))));
        check("git apply -p2 --index -3 -", Some(("", Some(2))));
        check("git -C sub apply --directory=in", Some(("sub/in", Some(1))));
        check("cd sub && git apply -v", Some(("sub", Some(1))));
        check("cd 'a b'; patch -p1 -d c", Some(("a b/c", Some(1))));
        check("git am -3", Some(("", Some(1))));
        for line in [
            "git apply --check",
            "git apply --stat",
            "git apply --numstat",
            "git apply -R",
            "git apply --reverse",
            "git apply --cached",
            "git apply --include=f",
            "git apply --exclude=f",
            "patch -R -p1",
            "patch -Rp1",
            "patch -p1 --dry-run",
            "patch -p1 -o f",
            "patch -p1 a b",
            "cat",
            "less",
            "grep -c x",
            "wc -l",
            "base64 -d",
            "(cd sub; patch -p1",
            "cd $DIR && patch -p1",
            "make && cd sub && patch -p1",
            "cd sub || patch -p1",
            "sudo patch -p1",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn a_command_may_get_its_text_through_a_pipe_or_a_shell() {
        let check = |line: &str, expected: bool| {
            assert_eq!(EditCommand::read(line).is_ok(), expected, "{line}");
        };
        check("cat <<'EOF' | patch -p1", true);
        check("cat <<EOF | git apply --check", false);
        check("cat <<EOF > f", false);
        check("patch -p1 <<'EOF' && cargo test", true);
        check("patch -p1 2>&1 > /dev/null <<'EOF'", true);
        check("bash -lc \"cd web && apply_patch <<PATCH", true);
        check("$ patch -p1 <<EOF", true);
        check("less <<EOF | patch -p1", false);
    }
}
