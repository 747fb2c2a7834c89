//! The lines of a script above a command: after some of them nobody can say in which folder the command runs, or whether it does.
//!
//! A program of its own cannot change the folder of the shell or skip its next line. Built-in commands and reserved words can
//! (<https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html>, sections 2.4 and 2.15), and so can another shell
//! that reads the next lines.

use crate::text::{ShellToken, shell_tokens};

/// Commands and words after which the next line may run elsewhere, or not at all.
const CHANGING: [&str; 34] = [
    ".", "alias", "break", "case", "cd", "chroot", "continue", "coproc", "do", "done", "elif",
    "else", "esac", "eval", "exec", "exit", "fi", "for", "function", "if", "popd", "pushd",
    "return", "select", "source", "ssh", "su", "then", "trap", "until", "while", "{", "}", "!",
];

/// Shells: one that is started without a script reads the next lines.
const SHELLS: [&str; 5] = ["bash", "dash", "fish", "sh", "zsh"];

/// The most lines of a command whose end is searched for.
const MOST_LINES: usize = 100;

/// State of a script before its next line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ScriptState {
    /// The line after which the next ones may run elsewhere, or not at all.
    obstacle: Option<String>,
    /// The lines of a command that has no end yet.
    open: Vec<String>,
    /// The here-document that the next line belongs to.
    here: Option<HereDocument>,
    /// The here-documents whose ends were not met. A shift in prose looks like the beginning of one.
    readers: Vec<HereDocReader>,
    /// The line that changed the folder. It counts in the scripts below it too: most agents have one shell for all commands.
    moved: Option<String>,
}

/// A here-document of a command that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HereDocument {
    command: String,
    end: String,
}

/// Maximum number of open here-documents; further ones are not followed.
const MOST_READERS: usize = 16;

/// Command that gets the lines below it as a here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HereDocReader {
    pub(super) command: String,
    pub(super) end: String,
    /// Line above it that may change its folder, or keep it from running.
    pub(super) obstacle: Option<String>,
}

/// Source of the lines of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScriptLines {
    /// All lines are those of a shell: a command may go on on the next line.
    Script,
    /// They may be prose: each line is looked at by itself.
    Text,
}

impl ScriptState {
    /// Takes a line that was not read as a command.
    pub(super) fn add_line(&mut self, line: &str, lines: ScriptLines) {
        let line = line.trim();
        self.add_reader(line, lines);
        if self.here.is_some() {
            self.here.take_if(|here| line == here.end);
            return;
        }
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if self.obstacle.is_some() {
            let is_move = line.split_whitespace().next().is_some_and(is_move);
            if is_move && self.moved.is_none() && lines == ScriptLines::Script {
                self.moved = Some(line.to_owned());
            }
            return;
        }
        if self.open.is_empty() && (line.is_empty() || line.starts_with('#')) {
            return;
        }
        self.open.push(line.to_owned());
        let command = self.open.join("\n");
        let (tokens, is_complete) = match shell_tokens(&command) {
            (_, false) if command.contains(" #") => shell_tokens(before_comment(&command)),
            read => read,
        };
        match (is_complete, lines) {
            (true, _) => self.open.clear(),
            (false, ScriptLines::Text) => return self.open.clear(),
            (false, ScriptLines::Script) if self.open.len() < MOST_LINES => return,
            (false, ScriptLines::Script) => (),
        }
        let first_line = || command.lines().next().map(str::to_owned);
        if !is_complete || may_redirect(&tokens, lines) {
            self.obstacle = first_line();
        }
        if lines == ScriptLines::Script && self.moved.is_none() && changes_folder(&tokens) {
            self.moved = first_line();
        }
        if lines == ScriptLines::Script {
            self.here = here_document(&tokens).map(|end| HereDocument { command, end });
        }
    }

    /// Takes note of a here-document that begins or ends with a line.
    fn add_reader(&mut self, line: &str, lines: ScriptLines) {
        self.close_readers(line);
        if !line.contains("<<") || self.readers.len() == MOST_READERS {
            return;
        }
        let end = match shell_tokens(line) {
            (tokens, true) => here_document(&tokens),
            (_, false) => line.rsplit_once("<<").map(|(_, word)| word.to_owned()),
        };
        let end = end
            .as_deref()
            .map(|end| end.trim_matches(['-', ' ', '\'', '"', '\\']));
        let is_word =
            |end: &&str| !end.is_empty() && end.chars().all(|c| c.is_alphanumeric() || c == '_');
        let Some(end) = end.filter(is_word).filter(|_| !line.starts_with("<<")) else {
            return;
        };
        let is_move_line = |line: &&str| line.split_whitespace().next().is_some_and(is_move);
        let obstacle = match lines {
            ScriptLines::Script => self.obstacle().or(self.moved()),
            // Prose may begin with `if` and `for`.
            ScriptLines::Text => self.obstacle().filter(is_move_line).or(self.moved()),
        };
        let reader = HereDocReader {
            command: line.to_owned(),
            end: end.to_owned(),
            obstacle: obstacle.map(str::to_owned),
        };
        self.readers.push(reader);
    }

    /// Takes note of lines that an edit has: the end of its here-document may be among them.
    pub(super) fn add_edit<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        if self.readers.is_empty() && self.here.is_none() {
            return;
        }
        for line in lines.map(str::trim) {
            self.here.take_if(|here| line == here.end);
            self.close_readers(line);
        }
    }

    /// Forgets the here-document that a line ends, and those within it.
    fn close_readers(&mut self, line: &str) {
        let mut readers = self.readers.iter();
        if let Some(at) = readers.rposition(|reader| is_end(line, &reader.end)) {
            self.readers.truncate(at);
        }
    }

    /// Returns the commands whose here-documents may go on.
    pub(super) fn readers(&self) -> &[HereDocReader] {
        &self.readers
    }

    /// Returns the state before a script, below a line that changed the folder if there was one.
    pub(super) fn after_move(moved: Option<String>) -> Self {
        Self {
            moved,
            ..Self::default()
        }
    }

    /// Returns the line that changed the folder, in this script or in one above.
    pub(super) fn moved(&self) -> Option<&str> {
        self.moved.as_deref()
    }

    /// Returns the line above after which the next line may run elsewhere, or not at all.
    pub(super) fn obstacle(&self) -> Option<&str> {
        let open = self
            .open
            .first()
            .or(self.here.as_ref().map(|here| &here.command));
        self.obstacle.as_ref().or(open).map(String::as_str)
    }
}

/// Returns the line of a script that changes the folder of its shell.
pub(super) fn move_in(script: &str) -> Option<String> {
    let mut state = ScriptState::default();
    for line in script.lines() {
        state.add_line(line, ScriptLines::Script);
    }
    state.moved
}

/// Returns the word in a line that may end a here-document, maybe within the quotes of another command.
pub(super) fn end_word(line: &str) -> &str {
    line.trim().trim_end_matches(['"', '\'', ')'])
}

fn is_end(line: &str, end: &str) -> bool {
    end_word(line) == end
}

/// Returns `true` for a command that changes the folder.
fn is_move(word: &str) -> bool {
    matches!(word, "cd" | "pushd" | "popd")
}

/// Returns `true` if a command changes the folder of the shell, and not only that of a subshell.
fn changes_folder(tokens: &[ShellToken]) -> bool {
    let (mut is_first, mut depth) = (true, 0_usize);
    for token in tokens {
        match token {
            ShellToken::Open | ShellToken::End('(', _) => (depth, is_first) = (depth + 1, true),
            ShellToken::Close | ShellToken::End(')', _) => depth = depth.saturating_sub(1),
            ShellToken::End(..) => is_first = true,
            ShellToken::Redirection(_) => is_first = false,
            ShellToken::Word(word) => {
                let word = word.text.as_str();
                if is_first && depth == 0 && is_move(word) {
                    return true;
                }
                is_first &= CHANGING.contains(&word) || word.contains('=');
            }
        }
    }
    false
}

fn before_comment(command: &str) -> &str {
    command.rsplit_once(" #").map_or(command, |(text, _)| text)
}

/// Returns `true` if the line after a command may run elsewhere, or not at all.
fn may_redirect(tokens: &[ShellToken], lines: ScriptLines) -> bool {
    let goes_on = matches!(tokens.last(), Some(ShellToken::End('&' | '|', _)));
    if goes_on && lines == ScriptLines::Script {
        return true;
    }
    let (mut is_first, mut depth, mut last) = (true, 0_usize, None);
    for token in tokens {
        match token {
            ShellToken::Open => depth += 1,
            ShellToken::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => (),
            ShellToken::End('(' | ')', _) if lines == ScriptLines::Script => return true,
            ShellToken::End(..) => (is_first, last) = (true, None),
            ShellToken::Redirection(_) => is_first = false,
            ShellToken::Word(word) => {
                if is_first && CHANGING.contains(&word.text.as_str()) {
                    return true;
                }
                let is_assignment = is_first && word.text.contains('=');
                is_first = is_assignment;
                last = Some(word.text.as_str());
            }
        }
    }
    last.is_some_and(|word| SHELLS.contains(&word)) && lines == ScriptLines::Script
}

/// The end word of the here-document that begins below a command.
fn here_document(tokens: &[ShellToken]) -> Option<String> {
    let mut pairs = tokens.windows(2);
    pairs.find_map(|pair| match pair {
        [ShellToken::Redirection(sign), ShellToken::Word(word)]
            if matches!(sign.as_str(), "<<" | "<<-") =>
        {
            Some(word.text.clone())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_may_be_elsewhere() {
        let check = |text: &str, lines: ScriptLines, expected: Option<&str>| {
            let mut state = ScriptState::default();
            text.lines().for_each(|line| state.add_line(line, lines));
            assert_eq!(state.obstacle(), expected, "{text}");
        };
        let script = |text, expected| check(text, ScriptLines::Script, expected);
        for text in [
            "cd sub",
            "$ pushd sub",
            "make; cd sub",
            "(",
            "( cd sub",
            "if make",
            "for f in a b; do",
            "f() {",
            "exit 0",
            "make &&",
            "cat a |",
            "echo 'a",
            "echo a \\",
            "A=1 exec sh",
            "docker exec -it web bash",
        ] {
            script(text, Some(text.strip_prefix("$ ").unwrap_or(text)));
        }
        script("cat <<EOF\ncd sub", Some("cat <<EOF"));
        script("exit 0\necho a", Some("exit 0"));
        for text in [
            "",
            "# don't cd",
            "mkdir -p new",
            "set -e",
            "echo 'a\nb'",
            "echo cd",
            "make # don't",
            "cat <<EOF\ncd sub\nEOF",
            "git commit -m \"$(cat a)\"",
            "npm run build && echo a",
            "bash build.sh",
            "export A=1",
        ] {
            script(text, None);
        }
        // The folder counts in the scripts below as well.
        let moved = |text: &str, expected: Option<&str>| {
            assert_eq!(move_in(text).as_deref(), expected, "{text}");
        };
        for text in [
            "cd sub",
            "$ pushd sub",
            "A=1 cd sub",
            "make && cd ..",
            "popd",
            "cd",
        ] {
            moved(text, Some(text.strip_prefix("$ ").unwrap_or(text)));
        }
        moved("if make; then\n  cd sub\nfi", Some("cd sub"));
        for text in [
            "echo cd",
            "(cd sub && make)",
            "echo $(cd sub; pwd)",
            "exit 0",
            "cat > a <<EOF\ncd sub\nEOF",
            "make # cd sub",
        ] {
            moved(text, None);
        }
        // Prose is no script.
        let prose = |text, expected| check(text, ScriptLines::Text, expected);
        prose("It doesn't (yet) matter &", None);
        prose("cd sub", Some("cd sub"));
    }
}
