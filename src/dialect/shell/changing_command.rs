//! Shell commands that change files in a way that is not read: they are named, since without them an edit may be half of what
//! is asked for.

use super::words::{CommandPart, commands, words};
use crate::text::{ShellToken, shell_tokens};

/// Source of a line that may be a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum CommandPlace {
    /// A shell's own text.
    Shell,
    /// Prose: a command has an option or the path of a file.
    Text,
}

/// Commands that change files, by the words with which they begin.
const COMMANDS: [&str; 12] = [
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
];
/// The same, where the text is a shell's.
const SHELL_COMMANDS: [&str; 39] = [
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
    "dos2unix ",
    "ed ",
    "ex ",
    "fastmod ",
    "hg mv ",
    "hg rename ",
    "hg revert ",
    "hg rm ",
    "install ",
    "isort ",
    "jscodeshift ",
    "node -e",
    "npm pkg set ",
    "rename ",
    "rpl ",
    "rsync ",
    "ruby -e",
    "ruff format",
    "rustfmt ",
    "sad ",
    "sponge ",
    "unix2dos ",
    "unlink ",
    "unzip ",
    "wget ",
];
/// Options with which tools rewrite the files that they check.
const REWRITING: [&str; 5] = ["--write", "--fix", "--autofix", "--in-place", "--inplace"];
/// Programs with a short option that makes them rewrite their files, and their short options with a value.
const IN_PLACE: [(&str, char, &str); 17] = [
    ("ast-grep", 'U', "prls"),
    ("autopep8", 'i', "jp"),
    ("clang-format", 'i', ""),
    ("gofmt", 'w', "r"),
    ("goimports", 'w', ""),
    ("gsed", 'i', "efl"),
    ("perl", 'i', "eEMmIFx0"),
    ("perl", 'e', "MmIFx0"),
    ("prettier", 'w', ""),
    ("ruby", 'i', "eEIrFx0"),
    ("ruby", 'e', "EIrFx0"),
    ("sed", 'i', "efl"),
    ("sg", 'U', "prls"),
    ("shfmt", 'w', "i"),
    ("sort", 'o', "kStT"),
    ("yapf", 'i', "el"),
    ("yq", 'i', "op"),
];
/// Words of the grammar of a shell in front of a command.
const KEYWORDS: [&str; 9] = ["!", "{", "(", "do", "elif", "else", "if", "then", "while"];
/// Programs that run the command that follows, with their short options that have a value, and the number of words before it.
const WRAPPERS: [(&str, &str, usize); 18] = [
    ("builtin", "", 0),
    ("bunx", "", 0),
    ("command", "", 0),
    ("doas", "uC", 0),
    ("env", "uC", 0),
    ("exec", "a", 0),
    ("ionice", "cnp", 0),
    ("nice", "n", 0),
    ("nohup", "", 0),
    ("npx", "p", 0),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("sudo", "ugphCrtTD", 0),
    ("time", "fo", 0),
    ("timeout", "ks", 1),
    ("until", "", 0),
    ("uvx", "p", 0),
    ("xargs", "IinLPsdEa", 0),
];
/// Programs that run a command elsewhere, after words that are not known.
const REMOTE: [&str; 4] = ["docker", "kubectl", "podman", "ssh"];
/// Shells, which take a script behind `-c`.
pub(super) const SHELLS: [&str; 5] = ["bash", "dash", "ksh", "sh", "zsh"];
/// Editors, and the beginnings of the options by which they run commands.
const EDITORS: [(&str, &[&str]); 6] = [
    ("emacs", &["-batch", "--batch", "--eval", "--script", "-l"]),
    ("nvim", &VIM_SCRIPTS),
    ("vi", &VIM_SCRIPTS),
    ("view", &VIM_SCRIPTS),
    ("vim", &VIM_SCRIPTS),
    ("vimdiff", &VIM_SCRIPTS),
];
const VIM_SCRIPTS: [&str; 7] = ["+", "-c", "--cmd", "-e", "-E", "-s", "-S"];
/// The most scripts within scripts that are read.
const DEPTH: usize = 8;
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
const PRINTING: [&str; 5] = ["awk", "cat", "echo", "printf", "sed"];

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
    let mut commands = commands(line).into_iter();
    commands.any(|command| changes(command.trim_start(), is_shell, 0))
}

/// Returns `true` if a command changes files, or a script in it does.
fn changes(command: &str, is_shell: bool, depth: usize) -> bool {
    let words = words_of(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    runs(&words, command, is_shell, depth)
        || (is_shell || words.first().is_some_and(|name| PRINTING.contains(name)))
            && writes_to_file(command)
}

/// The words of a command, without its redirections.
pub(super) fn words_of(command: &str) -> Vec<String> {
    let Some(parts) = words(command) else {
        return command.split_whitespace().map(str::to_owned).collect();
    };
    let mut found = Vec::new();
    let mut parts = parts.into_iter();
    while let Some(part) = parts.next() {
        match part {
            CommandPart::Word(word) => found.push(word.text),
            CommandPart::Redirection(_) => drop(parts.next()),
        }
    }
    found
}

/// Returns `true` if the program that these words run changes files.
fn runs(words: &[&str], command: &str, is_shell: bool, depth: usize) -> bool {
    let words = without_wrappers(words, is_shell);
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    let inner = |words: &[&str]| depth < DEPTH && runs(words, command, is_shell, depth + 1);
    let scripts = |text: &str| depth < DEPTH && script_changes(text, depth + 1);
    if is_shell && SHELLS.contains(&name) {
        let is_script = |word: &&str| is_option(word, 'c', "o");
        let at = arguments.iter().position(is_script);
        if let Some(at) = at {
            return arguments.get(at + 1).is_some_and(|text| scripts(text));
        }
        let text = input_of(command, "<<<");
        return reads_script(arguments) && text.is_some_and(|text| scripts(&text));
    }
    if is_shell && let Some((_, options)) = EDITORS.iter().find(|(editor, _)| *editor == name) {
        return arguments
            .iter()
            .any(|word| options.iter().any(|option| word.starts_with(option)));
    }
    if is_shell && name == "sd" {
        let is_preview = |word: &&str| matches!(*word, "-p" | "--preview");
        let files = arguments.iter().filter(|word| !word.starts_with('-'));
        return files.count() > 2 && !arguments.iter().any(is_preview);
    }
    if is_shell && name == "eval" {
        return scripts(&arguments.join(" "));
    }
    if is_shell && REMOTE.contains(&name) {
        return (0..arguments.len()).any(|at| {
            arguments[at].contains(' ') && scripts(arguments[at]) || inner(&arguments[at..])
        });
    }
    if is_shell && name == "find" {
        let is_exec = |word: &&str| matches!(*word, "-exec" | "-execdir" | "-ok" | "-okdir");
        let at = arguments.iter().position(is_exec);
        return arguments.contains(&"-delete") || at.is_some_and(|at| inner(&arguments[at + 1..]));
    }
    if name.starts_with("python") {
        return python_changes(arguments, command, &inner);
    }
    changes_by_table(name, arguments, command, is_shell)
}

/// Returns `true` if a shell with these arguments reads its script from its input.
pub(super) fn reads_script(arguments: &[&str]) -> bool {
    let is_input = |word: &&str| is_option(word, 's', "oO") || *word == "-";
    arguments.iter().any(is_input) || arguments.iter().all(|word| word.starts_with('-'))
}

/// Returns true for an operator, with or without a number in front. `<<-` is `<<` that removes tabs.
fn is_input(sign: &str, operator: &str) -> bool {
    let sign = sign.trim_start_matches(|c: char| c.is_ascii_digit());
    sign.trim_end_matches('-') == operator
}

/// Returns the word behind a redirection of the input of a line.
pub(super) fn input_of(line: &str, operator: &str) -> Option<String> {
    let (tokens, _) = shell_tokens(line);
    let mut pairs = tokens.windows(2).rev();
    pairs.find_map(|pair| match pair {
        [ShellToken::Redirection(sign), ShellToken::Word(word)] if is_input(sign, operator) => {
            Some(word.text.clone())
        }
        _ => None,
    })
}

/// Returns `true` if a command of a script changes files.
fn script_changes(script: &str, depth: usize) -> bool {
    let mut commands = script.lines().flat_map(commands);
    commands.any(|command| changes(command, true, depth))
}

/// Removes assignments, keywords and the programs that run the command behind them.
pub(super) fn without_wrappers<'w, 's>(words: &'w [&'s str], is_shell: bool) -> &'w [&'s str] {
    let mut rest = words;
    while let Some((first, others)) = rest.split_first() {
        let name = first.rsplit('/').next().unwrap_or(first);
        if is_assignment(first) || is_shell && KEYWORDS.contains(first) {
            rest = others;
        } else if let Some((_, values, count)) =
            (WRAPPERS.iter()).find(|(wrapper, ..)| *wrapper == name && (is_shell || name == "sudo"))
        {
            rest = others;
            while let Some((option, others)) = rest.split_first()
                && option.starts_with('-')
            {
                let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
                let takes_next = letter.is_some_and(|letter| values.contains(letter));
                rest = others.get(usize::from(takes_next)..).unwrap_or_default();
            }
            rest = rest.get(*count..).unwrap_or_default();
        } else {
            break;
        }
    }
    rest
}

/// Returns `true` for `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Returns `true` for a word with a short option, maybe among others. The text behind an option with a value is that value.
pub(super) fn is_option(word: &str, option: char, with_value: &str) -> bool {
    let Some(letters) = word.strip_prefix('-').filter(|it| !it.starts_with('-')) else {
        return false;
    };
    let mut letters = letters.chars();
    let end = letters.find(|c| *c == option || with_value.contains(*c));
    end == Some(option)
}

/// Returns `true` for a program of Python that may change files: its text, unless it only prints, or a module that does.
fn python_changes(arguments: &[&str], command: &str, inner: &dyn Fn(&[&str]) -> bool) -> bool {
    let script = arguments.iter().position(|word| !word.starts_with('-'));
    let options = &arguments[..script.unwrap_or(arguments.len())];
    let rest = script.and_then(|at| arguments.get(at..));
    let value = |option: &str| rest.filter(|_| options.last() == Some(&option));
    match (value("-m"), value("-c")) {
        (Some(module), _) => inner(module),
        (None, Some(code)) => !code.first().is_some_and(|code| only_prints(code)),
        (None, None) => script.is_none() && (options.contains(&"-") || command.contains("<<")),
    }
}

/// Returns `true` for statements of Python that do nothing but import and print.
fn only_prints(code: &str) -> bool {
    const WRITING: [&str; 8] = [
        "open(",
        "write",
        "os.",
        "shutil",
        "subprocess",
        "Path",
        "exec(",
        "eval(",
    ];
    code.split([';', '\n']).all(is_print) && !WRITING.iter().any(|part| code.contains(part))
}

fn is_print(statement: &str) -> bool {
    let statement = statement.trim();
    let starts = ["import ", "from ", "print("];
    statement.is_empty() || starts.iter().any(|start| statement.starts_with(start))
}

/// Returns `true` for a program of the tables that changes files with these arguments.
fn changes_by_table(name: &str, arguments: &[&str], command: &str, is_shell: bool) -> bool {
    let line = format!("{name} {} ", arguments.join(" "));
    let starts = |commands: &[&str]| commands.iter().any(|start| line.starts_with(start));
    let mut words = arguments.iter();
    // The text of a here-document for `patch` is a diff, which is read as one.
    let has_diff = starts(&["patch ", "git apply "]) && command.contains("<<");
    let in_place = IN_PLACE.iter().filter(|(program, ..)| *program == name);
    let rewrites_itself = in_place.into_iter().any(|(_, option, values)| {
        arguments
            .iter()
            .any(|word| is_option(word, *option, values))
    });
    let is_known = rewrites_itself
        || starts(&COMMANDS)
        || is_shell
            && (starts(&SHELL_COMMANDS) || is_checkout_of_file(&line) || extracts(name, arguments));
    if is_known && !has_diff {
        let has_path =
            |word: &&str| word.starts_with('-') || word.trim_end_matches('.').contains(['/', '.']);
        let is_stated = is_shell || words.any(has_path);
        let mut files = arguments.iter().filter(|word| !word.starts_with('-'));
        let is_elsewhere = files.clone().next().is_some() && files.all(|word| is_temporary(word));
        return is_stated && !is_elsewhere && !arguments.contains(&"--check");
    }
    if is_shell && name == "tee" {
        return words.any(|word| !word.starts_with('-') && !is_temporary(word));
    }
    let edits_includes = matches!(name, "awk" | "gawk") && arguments.contains(&"inplace");
    let writes_output = |word: &&str| OUTPUT.contains(word) && starts(&WITH_OUTPUT);
    let rewrites = |word: &&str| is_rewriting(word) || writes_output(word);
    is_shell && (edits_includes || words.any(rewrites))
}

fn is_rewriting(word: &str) -> bool {
    let option = word.split('=').next().unwrap_or(word);
    REWRITING.contains(&option)
}

/// Returns `true` for `tar` that extracts an archive.
fn extracts(name: &str, arguments: &[&str]) -> bool {
    let mode = arguments.first().copied().unwrap_or_default();
    let is_bare = !mode.starts_with('-') && mode.contains('x') && mode.len() <= 6;
    let mut words = arguments.iter();
    let is_long = |word: &&str| matches!(*word, "--extract" | "--get");
    name == "tar" && (is_bare || words.any(|word| is_option(word, 'x', "fC") || is_long(word)))
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
pub(super) fn is_temporary(path: &str) -> bool {
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
        check("sed -Ei 's/a/b/' a", true);
        check("sed -ni 1p a", true);
        check("sed -i.bak 's/a/b/' a", true);
        check("sed -ne 's/i/b/p' a", false);
        check("sed --in-place=.bak 's/a/b/' a", true);
        check("LC_ALL=C gsed -i 's/a/b/' a", true);
        check("time sudo -u me /usr/bin/sed -i 's/a/b/' a", true);
        check("timeout -k 5 10 rm a", true);
        check("sudo apt install a", false);
        check("find . -name '*.py' -exec sed -i 's/a/b/' {} +", true);
        check("find . -name '*.pyc' -delete", true);
        check("find . -name '*.py' -exec grep -i a {} +", false);
        check("grep -rl a src | xargs -n 1 sed -i 's/a/b/'", true);
        check("grep -rl a src | xargs wc -l", false);
        check("bash -lc \"cd web && sed -i 's/a/b/' a\"", true);
        check("bash -c 'npm test'", false);
        check("while read f; do sed -i 's/a/b/' $f; done < l", true);
        check("docker exec app sed -i 's/a/b/' /app/x", true);
        check("docker compose up", false);
        check("awk -i inplace '{print}' a", true);
        check("sort a | sponge a", true);
        check("sort -o a a", true);
        check("sort -k1 a", false);
        check("yq -i '.a=2' a.yaml", true);
        check("ex -sc '%s/a/b/|x' a", true);
        check("clang-format -i a.c", true);
        check("ast-grep run -p a -r b -U src", true);
        check("semgrep --config x --autofix", true);
        check("tar xf a.tar", true);
        check("tar -czf a.tar a", false);
        check("npx jscodeshift -t x.js src", true);
        check("perl -pi -e 's/a/b/' a", true);
        check("perl -v", false);
        check("python -m pytest -q", false);
        check("python -m black src", true);
        check("python --version", false);
        check("python -c 'import a; print(a.b(1))'", false);
        check("python -c 'print(open(\"a\", \"w\").write(1))'", true);
        check("python3 - <<'EOF'", true);
        check("python3 a.py", false);
        check("vim -c '%s/a/b/|wq' a", true);
        check("vim +wq a", true);
        check("nvim --headless -es a", true);
        check("vim a", false);
        check("sd a b c.txt", true);
        check("cat c.txt | sd a b", false);
        check("sd -p a b c.txt", false);
        check("emacs --batch -l x.el a", true);
        check("npx prettier -w src", true);
        check("bash <<< 'rm a'", true);
        check("bash <<< 'npm test'", false);
        check("bash a.sh <<< 'rm a'", false);
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
