//! Shell commands that change files in a way that is not read: they are named, since without them an edit may be half of what
//! is asked for.

use super::words::{CommandPart, commands, words};

/// Source of a line that may be a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum CommandPlace {
    /// A shell's own text.
    Shell,
    /// Prose: a command has an option or the path of a file.
    Text,
}

/// Commands that change files, by the words with which they begin.
const COMMANDS: [&str; 16] = [
    "rm ",
    "mv ",
    "cp ",
    "git mv ",
    "git rm ",
    "git apply ",
    "git restore ",
    "patch ",
    "touch ",
    "ln ",
    "chmod ",
    "truncate ",
    "python -",
    "python3 -",
    "perl -",
    "sed -i",
];
/// The same, where the text is a shell's.
const SHELL_COMMANDS: [&str; 26] = [
    "git am ",
    "git checkout -- ",
    "git cherry-pick ",
    "git clean ",
    "git merge ",
    "git pull",
    "git rebase ",
    "git reset --hard",
    "git revert ",
    "git stash",
    "black ",
    "cargo fix",
    "cargo fmt",
    "dd ",
    "ed ",
    "gofmt -w",
    "install ",
    "isort ",
    "node -e",
    "rsync ",
    "ruby -e",
    "ruff format",
    "rustfmt ",
    "unlink ",
    "unzip ",
    "wget ",
];
/// Options with which tools rewrite the files that they check.
const REWRITING: [&str; 3] = ["--write", "--fix", "--in-place"];
/// Options that name a file to write.
const OUTPUT: [&str; 3] = ["--output", "-o", "-O"];
/// Programs of which such an option names a file of the tree as a rule.
const WITH_OUTPUT: [&str; 2] = ["curl ", "pandoc "];
/// Commands of PowerShell.
const CMDLETS: [&str; 8] = [
    "Add-Content",
    "Copy-Item",
    "Move-Item",
    "New-Item",
    "Out-File",
    "Remove-Item",
    "Rename-Item",
    "Set-Content",
];
/// Commands that print, in prose: only their redirections write.
const PRINTING: [&str; 5] = ["cat ", "echo ", "printf ", "awk ", "sed "];

/// Returns `true` for a command line that changes files in a way that is not read.
pub(in crate::dialect) fn may_change_files(line: &str, place: CommandPlace) -> bool {
    let line = line.trim();
    let (line, place) = match line.strip_prefix("$ ") {
        Some(line) => (line, CommandPlace::Shell),
        None => (line, place),
    };
    let is_shell = place == CommandPlace::Shell;
    let names_cmdlet = || {
        CMDLETS
            .iter()
            .any(|name| line.contains(&format!("{name} ")))
    };
    if is_shell && names_cmdlet() {
        return true;
    }
    commands(line).into_iter().any(|command| {
        let command = command.trim_start();
        changes(command.strip_prefix("sudo ").unwrap_or(command), is_shell)
    })
}

fn changes(command: &str, is_shell: bool) -> bool {
    let starts = |commands: &[&str]| commands.iter().any(|start| command.starts_with(start));
    let arguments = || command.split_whitespace().skip(1);
    // The text of a here-document for `patch` is a diff, which is read as one.
    let has_diff = starts(&["patch ", "git apply "]) && command.contains("<<");
    let is_known =
        starts(&COMMANDS) || is_shell && (starts(&SHELL_COMMANDS) || is_checkout_of_file(command));
    if is_known && !has_diff {
        let has_path =
            |word: &str| word.starts_with('-') || word.trim_end_matches('.').contains(['/', '.']);
        let is_stated = is_shell || arguments().any(has_path);
        let mut files = arguments().filter(|word| !word.starts_with('-')).peekable();
        let is_elsewhere = files.peek().is_some() && files.all(is_temporary);
        return is_stated && !is_elsewhere && !arguments().any(|word| word == "--check");
    }
    if is_shell && command.starts_with("tee ") {
        return arguments().any(|word| !word.starts_with('-') && !is_temporary(word));
    }
    let rewrites =
        |word: &str| REWRITING.contains(&word) || OUTPUT.contains(&word) && starts(&WITH_OUTPUT);
    is_shell && arguments().any(rewrites)
        || (is_shell || starts(&PRINTING)) && writes_to_file(command)
}

/// Returns `true` for `git checkout` with the name of a file rather than of a branch.
fn is_checkout_of_file(command: &str) -> bool {
    let names = command.strip_prefix("git checkout ").unwrap_or_default();
    let has_extension = |name: &str| {
        let end = name
            .rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'));
        end.is_some_and(|(_, end)| {
            (1..=4).contains(&end.len()) && end.starts_with(char::is_alphabetic)
        })
    };
    names.split_whitespace().any(has_extension)
}

/// Returns `true` for a file that is outside of any working tree.
fn is_temporary(path: &str) -> bool {
    let path = path.trim_matches(['"', '\'']);
    ["/tmp/", "/dev/", "/var/tmp/", "$TMPDIR", "${TMPDIR"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// Returns `true` if the output of a command goes to a file.
fn writes_to_file(command: &str) -> bool {
    let Some(words) = words(command) else {
        return command.contains("> ");
    };
    let mut pairs = words.windows(2);
    pairs.any(|pair| {
        let [CommandPart::Redirection(operator), CommandPart::Word(file)] = pair else {
            return false;
        };
        let sign = operator.trim_start_matches(|c: char| c == '&' || c.is_ascii_digit());
        matches!(sign, ">" | ">>" | ">|") && !is_temporary(&file.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_change_files_are_known() {
        let check = |line: &str, expected: bool| {
            assert_eq!(
                may_change_files(line, CommandPlace::Shell),
                expected,
                "{line}"
            );
        };
        check("rm a", true);
        check("$ sudo mv a b", true);
        check("cd web && git mv a b", true);
        check("echo a > b", true);
        check("cat a >>b", true);
        check("echo 'a > b'", false);
        check("echo 'a; rm b'", false);
        check("echo a > /dev/null", false);
        check("cat a", false);
        check("npm test; chmod +x a", true);
        check("npm test 2>&1 | tail -5", false);
        check("npm test &> /tmp/log", false);
        check("make > log", true);
        check("make | tee log", true);
        check("make | tee /tmp/log", false);
        check("rm -rf /tmp/x", false);
        check("patch -p1 < a.patch", true);
        check("patch -p1 <<'EOF'", false);
        check("npx prettier --write src", true);
        check("npx prettier --check src", false);
        check("cargo fmt --check", false);
        check("curl -o a https://b", true);
        check("gcc -o a b.c", false);
        check("git checkout main", false);
        check("git checkout -b fix/a", false);
        check("git checkout v1.2", false);
        check("git checkout src/a.rs", true);
        check("git checkout -- a", true);
        check("'@ | Set-Content a", true);
        check("ls", false);
        check("remove a", false);
    }

    #[test]
    fn prose_has_no_commands_without_a_path() {
        let check = |line: &str, expected: bool| {
            assert_eq!(
                may_change_files(line, CommandPlace::Text),
                expected,
                "{line}"
            );
        };
        check("rm src/a.rs", true);
        check("rm -r build", true);
        check("$ rm build", true);
        check("touch the file.", false);
        check("patch applied", false);
        check("a -> b", false);
        check("echo a > b", true);
        check("install src/a.rs", false);
    }
}
