//! The programs that a shell script runs, as far as its words tell.

use crate::text::{ShellToken, shell_tokens};

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

/// Prefix of the name of a program that the shell computes, as of `$(which x)` and `$x`.
const COMPUTED: &str = "$";

/// Returns true if the shell computes the name of a program that a script runs.
pub(super) fn computes_program(script: &str) -> bool {
    programs(script)
        .iter()
        .any(|name| name.starts_with(COMPUTED))
}

/// Returns the names of the programs that a script runs, those of nested scripts included. Of a name that the shell computes nothing is
/// known.
pub(super) fn programs(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut expects_command = true;
    // The program whose arguments are being read.
    let mut program = String::new();
    let mut script_follows = false;
    let mut is_target = false;
    for token in shell_tokens(script).0 {
        let (word, is_computed) = match token {
            ShellToken::Word(word) => (word.text, word.computed),
            ShellToken::Redirection(_) => {
                is_target = true;
                continue;
            }
            // A substitution ends the command around it.
            ShellToken::End(..) | ShellToken::Open | ShellToken::Close => {
                (expects_command, script_follows, is_target) = (true, false, false);
                continue;
            }
        };
        if std::mem::take(&mut is_target) {
            continue;
        }
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
            found.push(if is_computed {
                format!("{COMPUTED}{word}")
            } else {
                word
            });
        } else {
            script_follows = is_shell(&program) && is_script_flag(&word);
        }
    }
    found
}
