//! The programs that a shell script runs, as far as its words tell.

/// Programs that run their first argument as a command.
const WRAPPERS: [&str; 11] = [
    "builtin", "command", "doas", "env", "exec", "nice", "nohup", "sudo", "time", "timeout",
    "xargs",
];
/// Words after which a shell expects a command.
const KEYWORDS: [&str; 9] = [
    "!", "do", "elif", "else", "if", "then", "until", "while", "{",
];
/// Shells, which run the argument of `-c` as a script.
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];

pub(super) fn is_shell(word: &str) -> bool {
    SHELLS.contains(&base_name(word))
}

pub(super) fn is_script_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns the names of the programs that a script runs, those of nested scripts included.
pub(super) fn programs(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut expects_command = true;
    // The program whose arguments are being read.
    let mut program = String::new();
    let mut script_follows = false;
    for token in tokens(script) {
        let ShellToken::Word(word) = token else {
            (expects_command, script_follows) = (true, false);
            continue;
        };
        if script_follows {
            found.extend(programs(&word));
            script_follows = program == "eval";
        } else if expects_command {
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
            let is_option = WRAPPERS.contains(&program.as_str())
                && (word.starts_with('-') || word.starts_with(|c: char| c.is_ascii_digit()));
            if KEYWORDS.contains(&word.as_str()) || is_assignment || is_option {
                continue;
            }
            base_name(&word).clone_into(&mut program);
            expects_command = WRAPPERS.contains(&program.as_str());
            script_follows = program == "eval";
            found.push(word);
        } else {
            script_follows = is_shell(&program) && is_script_flag(&word);
        }
    }
    found
}

/// A part of a shell script.
enum ShellToken {
    /// A word, without its quotes.
    Word(String),
    /// The end of a command.
    End,
}

/// Splits a script into words and ends of commands. A command substitution ends the command around it.
fn tokens(script: &str) -> Vec<ShellToken> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    // The quotes and substitutions that are open, by the character that opens them.
    let mut open: Vec<char> = Vec::new();
    let mut chars = script.chars().peekable();
    while let Some(c) = chars.next() {
        let quote = open
            .last()
            .copied()
            .filter(|open| matches!(open, '\'' | '"'));
        if quote == Some('\'') {
            if c == '\'' {
                open.pop();
            } else {
                word.get_or_insert_default().push(c);
            }
            continue;
        }
        let ends_command = match c {
            '\\' => {
                // An escaped line break joins two lines.
                if let Some(next) = chars.next().filter(|next| *next != '\n') {
                    word.get_or_insert_default().push(next);
                }
                false
            }
            '"' if quote.is_some() => {
                open.pop();
                false
            }
            '"' => {
                open.push(c);
                word.get_or_insert_default();
                false
            }
            '`' => {
                if open.last() == Some(&'`') {
                    open.pop();
                } else {
                    open.push('`');
                }
                true
            }
            '$' if chars.next_if_eq(&'(').is_some() => {
                open.push('(');
                true
            }
            c if quote.is_some() => {
                word.get_or_insert_default().push(c);
                false
            }
            '\'' => {
                open.push(c);
                word.get_or_insert_default();
                false
            }
            ' ' | '\t' => {
                found.extend(word.take().map(ShellToken::Word));
                false
            }
            ')' => {
                open.pop_if(|open| *open == '(');
                true
            }
            '\n' | ';' | '|' | '&' | '(' => true,
            c => {
                word.get_or_insert_default().push(c);
                false
            }
        };
        if ends_command {
            found.extend(word.take().map(ShellToken::Word));
            found.push(ShellToken::End);
        }
    }
    found.extend(word.map(ShellToken::Word));
    found
}
