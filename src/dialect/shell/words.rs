//! The commands of a shell's line, and their words.

use crate::text::{ShellToken, ShellWord, shell_tokens};

/// A part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommandPart {
    Word(ShellWord),
    /// An operator such as `2>`; the next word is its target.
    Redirection(String),
}

impl CommandPart {
    /// Returns `true` for a word with this text.
    pub(super) fn is_word(&self, text: &str) -> bool {
        self.word().is_some_and(|word| word.text == text)
    }

    pub(super) fn word(&self) -> Option<&ShellWord> {
        match self {
            Self::Word(word) => Some(word),
            Self::Redirection(_) => None,
        }
    }
}

/// Cuts a command line into its commands, at the operators that are in no quotes.
pub(super) fn commands(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for token in shell_tokens(line).0 {
        if let ShellToken::End('&' | '|' | ';', at) = token {
            found.push(&line[start..at]);
            start = at + 1;
        }
    }
    found.push(&line[start..]);
    found.retain(|command| !command.trim().is_empty());
    found
}

/// Cuts a command line into the commands that run one after the other, at `&&` and `;`; `None` if another operator joins two.
pub(super) fn sequence(line: &str) -> Option<Vec<&str>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for token in shell_tokens(line).0 {
        let ShellToken::End(sign, at) = token else {
            continue;
        };
        let is_second = at < start;
        if is_second {
            continue;
        }
        let length = match (sign, line.as_bytes().get(at + 1)) {
            ('&', Some(b'&')) => 2,
            (';', next) if next != Some(&b';') => 1,
            _ => return None,
        };
        found.push(&line[start..at]);
        start = at + length;
    }
    found.push(&line[start..]);
    found.retain(|command| !command.trim().is_empty());
    Some(found)
}

/// Cuts a command line into words and redirections; `None` if it has more than one command, or no end.
pub(super) fn words(line: &str) -> Option<Vec<CommandPart>> {
    let (tokens, is_complete) = shell_tokens(line);
    let mut found: Vec<CommandPart> = Vec::new();
    let mut depth = 0_usize;
    for token in tokens {
        match token {
            ShellToken::Open => depth += 1,
            ShellToken::Close => depth -= 1,
            _ if depth > 0 => (),
            ShellToken::End(..) => return None,
            ShellToken::Word(rest) if rest.continues => {
                if let Some(CommandPart::Word(word)) = found.last_mut() {
                    word.text.push_str(&rest.text);
                }
            }
            ShellToken::Word(word) => found.push(CommandPart::Word(word)),
            ShellToken::Redirection(operator) => found.push(CommandPart::Redirection(operator)),
        }
    }
    is_complete.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_cut_where_one_command_follows_another() {
        let check = |line: &str, expected: Option<&[&str]>| {
            let found = sequence(line);
            let found = found.map(|found| found.iter().map(|it| it.trim()).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), expected, "{line}");
        };
        check("mkdir a && cat > a/b", Some(&["mkdir a", "cat > a/b"]));
        check("mkdir a; echo 'b; c' ;", Some(&["mkdir a", "echo 'b; c'"]));
        check("a &> b", Some(&["a &> b"]));
        check("a || b", None);
        check("a | b", None);
        check("a & b", None);
        check("a;; b", None);
        check("(a && b)", None);
    }
}
