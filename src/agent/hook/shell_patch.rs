//! Patches that Codex applies through its shell tool.
//!
//! Codex carries out `apply_patch <<'EOF' … EOF` as a patch and not as a shell command, and puts an `apply_patch` program
//! on the path for every other spelling. The plain spellings are reviewed like a call of the patch tool; every other
//! command that would run the program is refused. Other shell commands pass: they are not edits.

use std::ops::Range;

use serde_json::{Map, Value};

use super::shell_programs::{base_name, computes_program, is_script_flag, is_shell, programs};

/// Names of the program that applies patches.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];
/// Option with which Codex itself becomes this program.
const OPTION: &str = "codex-run-as-apply-patch";
/// Arguments of the shell tools that hold the command.
const FIELDS: [&str; 3] = ["command", "cmd", "script"];
/// Argument of `write_stdin` that holds the input of a program that runs already.
const INPUT: &str = "chars";
/// The beginnings of its other arguments, which hold no input.
const BESIDE_INPUT: [&str; 4] = ["session", "yield_time", "max_output", "timeout"];

/// Use of the patch program by a call of a shell tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShellPatch {
    /// It runs no patch program.
    None,
    /// It applies this patch and does nothing else.
    Plain(Embedded),
    /// It runs the patch program in a way that cannot be reviewed.
    Opaque,
}

/// Location of a patch within the arguments of a shell tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Embedded {
    pub(super) patch: String,
    /// The folder that the command changes to first, if it does.
    pub(super) folder: Option<String>,
    field: &'static str,
    /// Index of the word, where the command is a list of words.
    word: Option<usize>,
    bytes: Range<usize>,
    /// The word that ends the heredoc, where the patch is one.
    delimiter: Option<String>,
}

impl Embedded {
    /// Returns the arguments with another patch; `None` if the patch cannot be written there.
    pub(super) fn with_patch(
        &self,
        args: &Map<String, Value>,
        patch: &str,
    ) -> Option<Map<String, Value>> {
        let delimiter = self.delimiter.as_deref();
        if delimiter.is_some_and(|word| patch.lines().any(|line| line == word)) {
            return None;
        }
        let patch = match delimiter {
            Some(_) => format!("{}\n", patch.trim_end_matches('\n')),
            None => patch.to_owned(),
        };
        let mut args = args.clone();
        let value = args.get_mut(self.field)?;
        let value = match self.word {
            Some(word) => value.get_mut(word)?,
            None => value,
        };
        let mut text = value.as_str()?.to_owned();
        text.get(self.bytes.clone())?;
        text.replace_range(self.bytes.clone(), &patch);
        *value = text.into();
        Some(args)
    }
}

/// Finds an argument of a tool that writes to a running program of which nobody knows whether it is an input.
pub(super) fn unknown_input<'a>(tool: &str, args: &'a Map<String, Value>) -> Option<&'a str> {
    let is_known =
        |name: &str| name == INPUT || BESIDE_INPUT.iter().any(|start| name.starts_with(start));
    let mut unknown = args.iter().filter(|(name, _)| !is_known(name));
    let is_text = |value: &Value| !matches!(value, Value::Null | Value::Bool(_) | Value::Number(_));
    let found = unknown.find(|(_, value)| is_text(value));
    found
        .filter(|_| tool == "write_stdin")
        .map(|(name, _)| name.as_str())
}

/// Finds the patch that a call of a shell tool applies.
pub(super) fn find(args: &Map<String, Value>) -> ShellPatch {
    for field in FIELDS {
        let found = match args.get(field) {
            Some(Value::String(script)) => in_script(script, field, None),
            Some(Value::Array(words)) => in_words(words, field),
            _ => ShellPatch::None,
        };
        if found != ShellPatch::None {
            return found;
        }
    }
    if is_in_input(args) {
        return ShellPatch::Opaque;
    }
    ShellPatch::None
}

/// Returns whether the input of a running program may apply a patch. It may also be the rest of a command that was sent before.
fn is_in_input(args: &Map<String, Value>) -> bool {
    let text = args.get(INPUT).and_then(Value::as_str);
    text.is_some_and(|text| text.contains("*** Begin Patch") || runs_patch_program(text))
}

fn in_words(words: &[Value], field: &'static str) -> ShellPatch {
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.as_str().unwrap_or(""))
        .collect();
    match words.as_slice() {
        [program, patch] if is_patch_program(program) => ShellPatch::Plain(Embedded {
            patch: (*patch).to_owned(),
            folder: None,
            field,
            word: Some(1),
            bytes: 0..patch.len(),
            delimiter: None,
        }),
        [shell, flags, script] if is_shell(shell) && is_script_flag(flags) => {
            in_script(script, field, Some(2))
        }
        words => {
            // Each word is quoted by itself, so that a word with blanks stays one.
            let quoted = words
                .iter()
                .map(|word| format!("'{}'", word.replace('\'', "'\\''")));
            let script = quoted.collect::<Vec<_>>().join(" ");
            if runs_patch_program(&script) {
                ShellPatch::Opaque
            } else {
                ShellPatch::None
            }
        }
    }
}

fn in_script(script: &str, field: &'static str, word: Option<usize>) -> ShellPatch {
    if let Some(found) = plain(script) {
        let patch = script[found.body.clone()].to_owned();
        return ShellPatch::Plain(Embedded {
            patch,
            folder: found.folder,
            field,
            word,
            bytes: found.body,
            delimiter: Some(found.delimiter),
        });
    }
    if runs_patch_program(script) {
        ShellPatch::Opaque
    } else {
        ShellPatch::None
    }
}

/// A script that is one heredoc for the patch program.
struct PatchHeredoc {
    folder: Option<String>,
    body: Range<usize>,
    delimiter: String,
}

/// Reads `[cd FOLDER &&] apply_patch <<'WORD'`, the body, and the word; `None` for any other script.
fn plain(script: &str) -> Option<PatchHeredoc> {
    let start = script.len() - script.trim_start().len();
    let (head, _) = script[start..].split_once('\n')?;
    let body_start = start + head.len() + 1;
    let (folder, command) = match head.trim_start().strip_prefix("cd ") {
        Some(rest) => {
            let (folder, command) = rest.split_once("&&")?;
            (Some(literal_word(folder.trim())?), command)
        }
        None => (None, head),
    };
    let (program, heredoc) = command.split_once("<<")?;
    if !PROGRAMS.contains(&program.trim()) {
        return None;
    }
    let heredoc = heredoc.trim();
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        heredoc
            .strip_prefix(quote)
            .and_then(|word| word.strip_suffix(quote))
    });
    let delimiter = quoted.unwrap_or(heredoc);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if delimiter.is_empty() || !delimiter.chars().all(is_word) {
        return None;
    }
    let mut end = body_start;
    for line in script[body_start..].split_inclusive('\n') {
        if line.strip_suffix('\n').unwrap_or(line) == delimiter {
            let rest = &script[end + line.len()..];
            let body = &script[body_start..end];
            // Without quotes the shell expands the body.
            let is_literal = quoted.is_some() || !body.contains(['$', '`', '\\']);
            return (rest.trim().is_empty() && is_literal).then(|| PatchHeredoc {
                folder,
                body: body_start..end,
                delimiter: delimiter.to_owned(),
            });
        }
        end += line.len();
    }
    None
}

/// Returns the text of a word that the shell takes as it is; `None` if the shell would change it.
fn literal_word(word: &str) -> Option<String> {
    let quoted = word
        .strip_prefix('\'')
        .and_then(|word| word.strip_suffix('\''))
        .or_else(|| {
            word.strip_prefix('"')
                .and_then(|word| word.strip_suffix('"'))
        });
    let text = quoted.unwrap_or(word);
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@' | ':');
    let blank = |c: char| quoted.is_some() && c == ' ';
    (!text.is_empty() && text.chars().all(|c| plain(c) || blank(c))).then(|| text.to_owned())
}

/// Returns whether a script runs the patch program, or passes a patch to something that names it.
fn runs_patch_program(script: &str) -> bool {
    let names = PROGRAMS.iter().any(|name| script.contains(name)) || script.contains(OPTION);
    (names && (script.contains("*** Begin Patch") || computes_program(script)))
        || programs(script).iter().any(|name| is_patch_program(name))
}

fn is_patch_program(word: &str) -> bool {
    PROGRAMS.contains(&base_name(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: a\n@@\n-b\n+c\n*** End Patch\n";

    #[track_caller]
    fn check(command: &Value, expected: &str) {
        let args = json!({"command": command});
        let found = match find(args.as_object().unwrap()) {
            ShellPatch::None => "none".to_owned(),
            ShellPatch::Opaque => "opaque".to_owned(),
            ShellPatch::Plain(found) => {
                assert_eq!(found.patch, PATCH, "{command}");
                let amended = found
                    .with_patch(args.as_object().unwrap(), "*** x")
                    .unwrap();
                let old = command.to_string();
                let inner = serde_json::to_string(PATCH).unwrap();
                let inner = inner.trim_matches('"').trim_end_matches("\\n");
                assert_eq!(
                    amended["command"].to_string(),
                    old.replace(inner, "*** x")
                        .replace("*** x\\n\"]", "*** x\"]"),
                );
                format!("plain {}", found.folder.unwrap_or_default())
            }
        };
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn plain_spellings_are_read() {
        for command in [
            format!("apply_patch <<'EOF'\n{PATCH}EOF\n"),
            format!("\n applypatch << \"PATCH\"\n{PATCH}PATCH"),
            format!("apply_patch <<EOF\n{PATCH}EOF\n\n"),
        ] {
            check(&command.clone().into(), "plain ");
            check(&json!(["bash", "-lc", command]), "plain ");
            check(&json!(["/bin/zsh", "-c", command]), "plain ");
        }
        check(
            &format!("cd sub/dir && apply_patch <<'EOF'\n{PATCH}EOF\n").into(),
            "plain sub/dir",
        );
        check(
            &format!("cd 'a b' && apply_patch <<'EOF'\n{PATCH}EOF\n").into(),
            "plain a b",
        );
        check(&json!(["apply_patch", PATCH]), "plain ");
    }

    #[test]
    fn other_spellings_are_refused() {
        for command in [
            format!("apply_patch <<'EOF'\n{PATCH}EOF\nrm -rf x"),
            format!("ls && apply_patch <<'EOF'\n{PATCH}EOF\n"),
            format!("cd $DIR && apply_patch <<'EOF'\n{PATCH}EOF\n"),
            format!("apply_patch <<EOF\n{}EOF\n", PATCH.replace('b', "$b")),
            format!("apply_patch <<-'EOF'\n{PATCH}EOF\n"),
            format!("apply_patch '{PATCH}'"),
            format!("python3 - <<'EOF'\nrun(['apply_patch', '''{PATCH}'''])\nEOF"),
            "cat p.txt | apply_patch".to_owned(),
            "apply_patch < p.txt".to_owned(),
            "apply_patch<p.txt".to_owned(),
            "> log apply_patch < p".to_owned(),
            "ls 2>&1; 2>/dev/null apply_patch p".to_owned(),
            "echo \"$( (ls); apply_patch < p)\"".to_owned(),
            "apply\\_patch < p".to_owned(),
            "A=1 env -i B=2 /usr/bin/apply_patch < p".to_owned(),
            "if true; then apply_patch < p; fi".to_owned(),
            "bash -lc 'apply_patch < p'".to_owned(),
            "eval \"apply_patch < p\"".to_owned(),
            "echo $(apply_patch < p)".to_owned(),
            "echo \"`apply_patch < p`\"".to_owned(),
            "echo \"on $(date)\"; apply_patch < p".to_owned(),
            "echo \"$(echo \"$(apply_patch < p)\")\"".to_owned(),
            "timeout 5 'apply_patch' p".to_owned(),
            format!("codex --codex-run-as-apply-patch '{PATCH}'"),
            "$(which apply_patch) < p".to_owned(),
            "\"$(command -v apply_patch)\" < p".to_owned(),
            "`which applypatch` < p".to_owned(),
            "P=apply_patch; $P < p".to_owned(),
            "cat p | env A=1 $(type -p apply_patch)".to_owned(),
            "ls; ${X:-apply_patch} < p".to_owned(),
        ] {
            check(&command.clone().into(), "opaque");
            check(&json!(["bash", "-lc", command]), "opaque");
        }
        check(&json!(["env", "apply_patch", "x"]), "opaque");
    }

    #[test]
    fn patches_in_the_input_of_a_running_program_are_refused() {
        let check = |chars: &str, expected: &ShellPatch| {
            let args = json!({"session_id": 1, "chars": chars});
            assert_eq!(find(args.as_object().unwrap()), *expected, "{chars}");
        };
        for chars in [
            &format!("apply_patch <<'EOF'\n{PATCH}EOF\n"),
            &format!("cd sub\napply_patch <<'EOF'\n{PATCH}EOF\n"),
            // The command was sent before.
            PATCH,
            "apply_patch <<'EOF'\n",
            "apply_patch < p.txt\n",
        ] {
            check(chars, &ShellPatch::Opaque);
        }
        for chars in ["", "\u{3}", "ls -l\n", "grep apply_patch a\n"] {
            check(chars, &ShellPatch::None);
        }
    }

    #[test]
    fn the_input_of_a_running_program_is_in_one_argument() {
        let check = |args: &Value, expected: Option<&str>| {
            let args = args.as_object().unwrap();
            assert_eq!(unknown_input("write_stdin", args), expected);
            assert_eq!(unknown_input("exec_command", args), None);
        };
        check(
            &json!({"session_id": 1, "chars": "x", "yield_time_ms": 5}),
            None,
        );
        check(
            &json!({"session_id": "a", "max_output_tokens": 9, "raw": true}),
            None,
        );
        check(&json!({"session_id": 1, "input": "x"}), Some("input"));
        check(
            &json!({"session_id": 1, "chars": "", "keys": ["x"]}),
            Some("keys"),
        );
    }

    #[test]
    fn commands_that_only_name_the_program_pass() {
        for command in [
            "ls -l",
            "grep -rn apply_patch src",
            "git log --grep 'apply_patch'",
            "echo apply_patch",
            "rg \"apply_patch <<\" .",
            "cat apply_patch/mod.rs; ls",
            "which apply_patch",
            "ls -l $(which apply_patch)",
            "cat $F | grep apply_patch",
            "cat > a.txt <<'EOF'\n*** Begin Patch\nEOF",
        ] {
            check(&command.into(), "none");
            check(&json!(["bash", "-lc", command]), "none");
        }
        check(&json!(["grep", "apply_patch", "a b"]), "none");
        check(&json!(7), "none");
    }
}
