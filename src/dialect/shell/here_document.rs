//! Here-documents in the text of a shell.

use super::changing_command::{
    SHELLS, input_of, is_option, reads_script, without_wrappers, words_of,
};
use super::words::commands;

/// A here-document that begins below a line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct CommandInput {
    /// The line that ends it.
    pub(in crate::dialect) end: String,
    /// True if its text is a script that a shell runs.
    pub(in crate::dialect) is_script: bool,
}

impl CommandInput {
    /// Returns the one that begins below a line.
    pub(in crate::dialect) fn below(line: &str) -> Option<Self> {
        let word = input_of(line, "<<")?;
        let end = word.trim_start_matches('-').trim_start();
        (!end.is_empty()).then(|| Self {
            end: end.to_owned(),
            is_script: commands(line).iter().any(|command| runs_input(command)),
        })
    }
}

/// Returns true for a shell that runs what it reads.
fn runs_input(command: &str) -> bool {
    let words = words_of(command.trim_start());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = without_wrappers(&words, true);
    words.split_first().is_some_and(|(program, arguments)| {
        let name = program.rsplit('/').next().unwrap_or(program);
        let has_script = arguments.iter().any(|word| is_option(word, 'c', "o"));
        SHELLS.contains(&name) && !has_script && reads_script(arguments)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_here_document_for_a_shell_is_a_script() {
        let check = |line: &str, expected: Option<(&str, bool)>| {
            let found = CommandInput::below(line);
            let found = found.as_ref().map(|it| (it.end.as_str(), it.is_script));
            assert_eq!(found, expected, "{line}");
        };
        check("bash <<'E'", Some(("E", true)));
        check("sudo -u me sh -s -- a <<-EOF", Some(("EOF", true)));
        check("cat <<E | bash -eu", Some(("E", true)));
        check("cat <<'E' > a.py", Some(("E", false)));
        check("bash a.sh <<E", Some(("E", false)));
        check("bash -c 'cat' <<E", Some(("E", false)));
        check("python3 - <<\"EOF\"", Some(("EOF", false)));
        check("grep a <<< \"$b\"", None);
        check("echo '<<E'", None);
        check("ls", None);
    }
}
