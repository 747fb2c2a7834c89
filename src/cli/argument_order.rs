//! Options before the command: they are moved behind it, where the command's own options are read.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

/// Returns the words of a command line with the options that precede the command moved behind it.
///
/// A command is the first word that is neither an option nor the value of one. Without a command, and for what follows `--`,
/// the words stay as they are.
pub(super) fn options_last(program: &clap::Command, words: Vec<OsString>) -> Vec<OsString> {
    let valued = options_with_values(program);
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match option_of(word) {
            Some("--") => return words,
            Some(option) if valued.contains(option) && !is_assigned(word) => at += 2,
            Some(_) => at += 1,
            None => break,
        }
    }
    let is_command = |word: &OsString| {
        (word.to_str()).is_some_and(|word| program.find_subcommand(word).is_some())
    };
    if at > 1 && words.get(at).is_some_and(is_command) {
        let mut moved = words;
        moved[1..=at].rotate_right(1);
        return moved;
    }
    words
}

/// The options of all commands that take a value, as they are typed.
fn options_with_values(program: &clap::Command) -> BTreeSet<String> {
    let commands = std::iter::once(program).chain(program.get_subcommands());
    let options = commands.flat_map(clap::Command::get_arguments);
    let options = options.filter(|option| option.get_action().takes_values());
    let typed = options.flat_map(|option| {
        let long = option.get_long().map(|name| format!("--{name}"));
        let short = option.get_short().map(|letter| format!("-{letter}"));
        long.into_iter().chain(short)
    });
    typed.collect()
}

/// The option that a word is, without its value: `--root` of `--root=DIR`, `-p` of `-p1`. `-` alone is standard input.
fn option_of(word: &OsStr) -> Option<&str> {
    let word = word.to_str().filter(|word| word.len() > 1)?;
    if word.starts_with("--") {
        return word.split('=').next();
    }
    word.starts_with('-').then(|| word.get(..2)).flatten()
}

/// True if the value of an option is in the same word.
fn is_assigned(word: &OsStr) -> bool {
    let word = word.to_string_lossy();
    word.contains('=') || (!word.starts_with("--") && word.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::super::args::Arguments;
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let words = words.split_whitespace().map(OsString::from).collect();
        let moved = options_last(&Arguments::program(), words);
        let moved: Vec<String> = (moved.into_iter())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        assert_eq!(moved.join(" "), expected);
    }

    #[test]
    fn options_before_a_command_are_its_options() {
        check("c --root . check a.md", "c check --root . a.md");
        check("c --root=. check a.md", "c check --root=. a.md");
        check(
            "c --dry-run --set a=b apply -",
            "c apply --dry-run --set a=b -",
        );
        check("c -p1 apply a", "c apply -p1 a");
        check("c -p 1 apply a", "c apply -p 1 a");
        check("c --partial apply --partial", "c apply --partial --partial");
        check("c --linear review", "c review --linear");
    }

    #[test]
    fn other_words_stay_where_they_are() {
        check("c check --root . a.md", "c check --root . a.md");
        check("c --root apply a.md", "c --root apply a.md");
        check("c --root . a.md apply", "c --root . a.md apply");
        check("c - apply", "c - apply");
        check("c --linear -- apply", "c --linear -- apply");
        check("c --linear", "c --linear");
        check("c", "c");
    }
}
