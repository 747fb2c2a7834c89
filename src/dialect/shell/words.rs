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
