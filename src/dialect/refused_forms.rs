//! The table of forms that are refused by their name: texts in which edits are recognised and cannot be read with certainty.

use crate::dialect::diff::merged_files;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::markdown::file_name;
use crate::dialect::shell::changing_command::{CommandPlace, may_change_files};
use crate::text::LineIdx;

/// A form, recognised by a line and the next one.
pub(super) struct RefusedForm {
    pub(super) is: fn(&str, &str) -> bool,
    pub(super) found: &'static str,
    pub(super) expected: &'static str,
    /// True if it is no prose beside edits, and none of their lines.
    is_beside_edits: bool,
}

/// Every form that a line shows.
pub(super) const FORMS: [RefusedForm; 18] = [
    RefusedForm {
        is: |line, _| {
            let inner = line.trim_start_matches(['{', '[', ' ']);
            inner.len() < line.len() && inner.starts_with(['\u{201C}', '\u{201D}'])
        },
        found: "JSON with typographic quotes",
        expected: "the same text with the quotes `\"`",
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, _| line.starts_with("&lt;") && line.contains("&gt;"),
        found: "tags that are escaped as HTML",
        expected: "the same text with `<` and `>`",
        is_beside_edits: false,
    },
    RefusedForm {
        is: is_hashline_patch,
        found: "a hashline patch, which names lines by their numbers alone",
        expected: "an edit that quotes its lines, such as a diff",
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, next| {
            let is_header = |line| file_name::names_lines(line);
            Fence::of(line).is_some_and(|fence| is_header(fence.info))
                || is_header(line) && Fence::of(next).is_some()
        },
        found: "a quotation of some lines of a file",
        expected: "an edit of these lines, such as a diff, or the whole text of the file",
        is_beside_edits: false,
    },
    RefusedForm {
        is: |line, _| {
            let in_backticks = || line.split('`').skip(1).step_by(2);
            may_change_files(line, CommandPlace::Text)
                || in_backticks().any(|code| may_change_files(code, CommandPlace::Text))
        },
        found: COMMAND,
        expected: COMMAND_READ,
        is_beside_edits: false,
    },
    RefusedForm {
        is: is_color_words,
        found: "a diff of Jujutsu in its color-words form, in which old and new words share a line",
        expected: "the output of `jj diff --git`",
        is_beside_edits: true,
    },
    RefusedForm {
        is: is_darcs_patch,
        found: "a patch of darcs",
        expected: "the output of `darcs diff --unified`",
        is_beside_edits: true,
    },
    RefusedForm {
        is: is_word_diff,
        found: WORD_DIFF,
        expected: NO_WORD_DIFF,
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, next| is_patch_name(line) && (is_patch_name(next) || next.trim().is_empty()),
        found: "a series of quilt, which names patches",
        expected: "its file or its folder, as in `countersign review patches/series`",
        is_beside_edits: false,
    },
    RefusedForm {
        is: |line, next| {
            let stat = line.split_once(" | ").is_some_and(|(_, counts)| {
                counts
                    .trim_start()
                    .starts_with(|c: char| c.is_ascii_digit())
                    && counts.ends_with(['+', '-'])
            });
            stat && next.contains(" changed, ")
        },
        found: "the summary of a diff (`--stat`), which has no lines to apply",
        expected: "the diff itself",
        is_beside_edits: false,
    },
    RefusedForm {
        is: |line, _| {
            let url = line.trim();
            (url.starts_with("https://") || url.starts_with("http://"))
                && !url.contains(char::is_whitespace)
        },
        found: "a URL",
        expected: "the text behind it",
        is_beside_edits: false,
    },
    RefusedForm {
        is: is_printed_edit,
        found: "an edit as an agent prints it on a terminal, where lines are cut and wrapped",
        expected: "the log of the session (JSONL), or the output of `git diff`",
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, _| values(line, "\"kind\"").any(|kind| kind.starts_with("textEditGroup\"")),
        found: "a chat session of Copilot, whose edits (`textEditGroup`) name places without their text",
        expected: "the output of `git diff`, or the edits that the model wrote",
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, _| line.starts_with("<antArtifact "),
        found: "an artifact of Claude (`<antArtifact>`), which has a title and names no file",
        expected: "its text alone, with `--path FILE --format whole`",
        is_beside_edits: true,
    },
    RefusedForm {
        is: |line, next| {
            let path = |text: &str| text.trim_start().starts_with("<path>");
            line.strip_prefix("<file>")
                .is_some_and(|rest| path(rest) || rest.is_empty() && path(next))
        },
        found: "`<file>` with `<path>`, in which tools also quote files that they read",
        expected: WHOLE_FILE,
        is_beside_edits: false,
    },
    RefusedForm {
        is: |line, next| {
            let source = |text: &str| text.trim_start().starts_with("<source>");
            let rest = (line.strip_prefix("<document")).and_then(|rest| rest.split_once('>'));
            rest.is_some_and(|(attributes, rest)| {
                (attributes.is_empty() || attributes.starts_with(' '))
                    && (source(rest) || rest.is_empty() && source(next))
            })
        },
        found: "`<document>` with `<source>`, in which a prompt quotes files",
        expected: WHOLE_FILE,
        is_beside_edits: false,
    },
    RefusedForm {
        is: is_file_heading,
        found: "a listing of files below lines such as `=== FILE ===`, which may quote what was read",
        expected: WHOLE_FILE,
        is_beside_edits: false,
    },
    RefusedForm {
        is: is_swe_agent_action,
        found: "an action of SWE-agent in the words of its shell",
        expected: "the same call in JSON, or the patch of the run (`.patch`, `.pred`)",
        is_beside_edits: true,
    },
];

/// A form that only the lines of a text together show.
pub(super) struct RefusedText {
    /// Returns the line at which it begins.
    pub(super) find: fn(&Input) -> Option<LineIdx>,
    pub(super) found: &'static str,
    pub(super) expected: &'static str,
}

/// Every form that only the lines of a text together show.
pub(super) const TEXTS: [RefusedText; 2] = [
    RefusedText {
        find: merged_files::side_by_side,
        found: "a diff with both files side by side (`diff -y`), in which lines are cut",
        expected: "the output of `diff -u`",
    },
    RefusedText {
        find: merged_files::by_macro,
        found: "two versions of a file in one text, as `diff -D NAME` writes them",
        expected: "the output of `diff -u`, or, for the text of a file, `--path FILE --format whole`",
    },
];

/// The name and the remedy of a diff whose lines hold old and new words.
pub(super) const WORD_DIFF: &str = "a word diff, in which old and new words share a line";
pub(super) const NO_WORD_DIFF: &str =
    "the output of `git diff` without `--word-diff`, or of `diff -u`";
const WHOLE_FILE: &str =
    "each file in a code fence below its name, or its text with `--path FILE --format whole`";
pub(super) const COMMAND: &str = "a shell command that may change files";
pub(super) const COMMAND_READ: &str = "its effect as an edit: commands are not executed, and only here-documents, `sed -i` with a literal text and `chmod +x` are read";

/// Returns what is found and expected at a line that has one of these forms and is no prose beside edits.
pub(super) fn beside_edits(line: &str, next: &str) -> Option<(&'static str, &'static str)> {
    let mut forms = FORMS.iter().filter(|form| form.is_beside_edits);
    let form = forms.find(|form| (form.is)(line, next))?;
    Some((form.found, form.expected))
}

/// Returns `true` for `[PATH#TAG]` above an operation: the tag is that of a text which only the editor has.
///
/// <https://github.com/can1357/oh-my-pi/tree/main/packages/hashline>
fn is_hashline_patch(line: &str, next: &str) -> bool {
    let name = line
        .trim_end()
        .strip_prefix('[')
        .and_then(|line| line.strip_suffix(']'));
    let tag = name.and_then(|name| Some(name.rsplit_once('#')?.1));
    let operation = next.split([' ', '.', ':']).next().unwrap_or_default();
    tag.is_some_and(|tag| !tag.is_empty() && tag.bytes().all(|c| c.is_ascii_hexdigit()))
        && ["SWAP", "DEL", "INS", "CUT", "PASTE", "REM", "MV"].contains(&operation)
}

fn is_color_words(line: &str, next: &str) -> bool {
    let kinds = [
        "Modified", "Added", "Removed", "Renamed", "Copied", "Created",
    ];
    let header = kinds.iter().any(|kind| line.starts_with(kind))
        && [" regular file ", " executable file "]
            .iter()
            .any(|kind| line.contains(kind))
        && line.ends_with(':');
    let numbers = next.split_once(": ").is_some_and(|(numbers, _)| {
        !numbers.trim().is_empty() && numbers.chars().all(|c| c.is_ascii_digit() || c == ' ')
    });
    header && numbers
}

/// Returns `true` for a line of a patch bundle of darcs, or of what `darcs whatsnew` writes.
///
/// <https://darcs.net/Using/Commands>
fn is_darcs_patch(line: &str, next: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && !name.contains(' ');
    // The first change of a named patch follows its description.
    let line = line.strip_prefix("] ").unwrap_or(line);
    let change = |kind: &str| line.strip_prefix(kind)?.strip_prefix(" ./");
    let is_hunk = change("hunk")
        .and_then(|rest| rest.rsplit_once(' '))
        .is_some_and(|(_, at)| {
            at.bytes().all(|byte| byte.is_ascii_digit()) && next.starts_with(['-', '+'])
        });
    let is_move = change("move")
        .and_then(|rest| rest.split_once(" ./"))
        .is_some_and(|(from, to)| is_name(from) && is_name(to));
    let kinds = ["addfile", "rmfile", "adddir", "rmdir"];
    is_hunk
        || is_move
        || kinds.iter().any(|kind| change(kind).is_some_and(is_name))
        || line.starts_with("New patches:")
        || line.starts_with("patch ") && line.len() == 46
}

/// Returns `true` for a line with an old and a new word in the marks of `wdiff` and `git diff --word-diff`, or for a line in one of them.
pub(super) fn is_word_diff(line: &str, _: &str) -> bool {
    let line = line.trim();
    let has_removed = has_marked_word(line, "[-", "-]");
    let has_added = has_marked_word(line, "{+", "+}");
    has_removed && has_added
        || has_removed && line.starts_with("[-") && line.ends_with("-]")
        || has_added && line.starts_with("{+") && line.ends_with("+}")
}

/// Returns `true` if a line has a text between two marks. A row of signs such as `[-----]` is none.
fn has_marked_word(line: &str, open: &str, close: &str) -> bool {
    let word = line
        .split_once(open)
        .and_then(|(_, rest)| rest.split_once(close));
    word.is_some_and(|(word, _)| word.contains(|c| !matches!(c, '-' | '+')))
}

/// Returns `true` for the head of an edit on a terminal: `⏺ Update(src/a.py)` and `● Write(a)` of Claude Code, `• Edited a (+1 -1)` of
/// Codex.
///
/// `openai/codex codex-rs/tui/src/diff_render.rs`; screens in the issues of `anthropics/claude-code`.
fn is_printed_edit(line: &str, _: &str) -> bool {
    const TOOLS: [&str; 6] = [
        "Create",
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "Update",
        "Write",
    ];
    const VERBS: [&str; 3] = ["Added", "Deleted", "Edited"];
    let Some(text) = line.trim().strip_prefix(['⏺', '●', '•']) else {
        return false;
    };
    let text = text.trim_start();
    let called = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let is_counted = |counts: &str| counts.starts_with('+') && counts.contains(" -");
    called.is_some_and(|(name, inner)| {
        let is_call = TOOLS.contains(&name) && !inner.is_empty();
        let verb = name.split(' ').next().unwrap_or_default();
        let counts = inner.rsplit('(').next().unwrap_or_default();
        is_call || VERBS.contains(&verb) && is_counted(counts)
    })
}

/// Returns `true` for the line above the text of a file in a listing: `=== src/a.py ===`, `--- src/a.py ---`, or `FILE: src/a.py`
/// between rules (gitingest).
fn is_file_heading(line: &str, next: &str) -> bool {
    let line = line.trim();
    let is_rule = line.len() > 2 && line.bytes().all(|byte| byte == b'=');
    if is_rule {
        let name = ["FILE: ", "File: "]
            .iter()
            .find_map(|lead| next.strip_prefix(lead));
        return name.is_some_and(|name| file_name::alone(name.trim()).is_some());
    }
    ['=', '-'].iter().any(|sign| {
        let inner = line.trim_matches(*sign);
        let marks = line.len() - line.trim_start_matches(*sign).len();
        let is_closed = line.ends_with(*sign) && inner.ends_with(' ');
        let name = inner.trim();
        let name = name
            .strip_prefix("FILE: ")
            .or(name.strip_prefix("File: "))
            .unwrap_or(name);
        marks > 2 && is_closed && inner.starts_with(' ') && file_name::alone(name).is_some()
    })
}

/// Returns `true` for an action of SWE-agent: `str_replace_editor str_replace /a --old_str …`, also in a trajectory, or `edit 10:20`.
///
/// `SWE-agent/SWE-agent tools/edit_anthropic/config.yaml`, `tools/windowed_edit_linting/config.yaml`.
fn is_swe_agent_action(line: &str, next: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let lines = line
        .strip_prefix("edit ")
        .and_then(|lines| lines.trim_end().split_once(':'));
    calls_editor(line)
        || values(line, "\"action\"").any(calls_editor)
        || !next.is_empty() && lines.is_some_and(|(start, end)| is_number(start) && is_number(end))
}

/// Returns `true` for a command of the shell of SWE-agent that changes a file.
fn calls_editor(command: &str) -> bool {
    const COMMANDS: [&str; 4] = ["create ", "insert ", "str_replace ", "undo_edit "];
    let Some(command) = command.strip_prefix("str_replace_editor ") else {
        return false;
    };
    COMMANDS.iter().any(|name| command.starts_with(name))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

/// Returns what follows a quoted key of JSON each time that it is in a line: a text from its first character on.
fn values<'a>(line: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(key).filter_map(move |(at, _)| {
        let value = line[at + key.len()..].trim_start().strip_prefix(':')?;
        value.trim_start().strip_prefix('"')
    })
}

/// Returns `true` for a line of the `series` file of quilt: the name of a patch, maybe with `-pN`.
pub(super) fn is_patch_name(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let is_patch = [".patch", ".diff"]
        .iter()
        .any(|end| name.len() > end.len() && name.ends_with(end));
    is_patch
        && !name.contains("://")
        && words.all(|word| word.starts_with('-') || word.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// Checks the beginning of what is found in a text; `""` if nothing is.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let parsed = parse(text, &Options::default());
        assert!(parsed.proposal.files.is_empty(), "{text}");
        let found = parsed.problems.first();
        let found = found.map_or("", |problem| problem.found.as_str());
        let is_it = found.starts_with(expected) && found.is_empty() == expected.is_empty();
        assert!(is_it, "{text}\n{found}");
    }

    #[test]
    fn an_edit_on_a_terminal_is_named() {
        let name = "an edit as an agent prints it";
        check(
            "⏺ Update(src/a.py)\n  ⎿  Updated\n       2 - x\n       2 + y\n",
            name,
        );
        check("● Write(notes.txt)\n  ⎿  Wrote 2 lines\n", name);
        check("• Edited lib/b.rs (+1 -1)\n    3 -x\n    3 +y\n", name);
        check("⏺ Read(src/a.py)\n  ⎿  Read 20 lines\n", "");
        check("• Edited the text (again)\n", "");
        check("Update(src/a.py) is called.\n", "");
    }

    #[test]
    fn a_quotation_of_files_is_named() {
        check("=== lib/b.rs ===\nfn b() {}\n", "a listing of files");
        check("--- notes.txt ---\nnew\n", "a listing of files");
        check(
            "=====\nFILE: lib/b.rs\n=====\nfn b() {}\n",
            "a listing of files",
        );
        check("=== Results ===\nAll is well.\n", "");
        check("=====\nA title\n=====\n", "");
        check(
            "<file>\n<path>b.rs</path>\n<content>\nx\n</content>\n</file>\n",
            "`<file>` with",
        );
        check(
            "<file><path>b.rs</path><content>x</content></file>\n",
            "`<file>` with",
        );
        check("<file>\n<name>b.rs</name>\n</file>\n", "");
        let document = "<document index=\"1\">\n<source>b.rs</source>\n";
        check(document, "`<document>` with");
        check("<documents>\n<source>b.rs</source>\n", "");
        check("<document>\n<title>b</title>\n", "");
        check(
            "<antArtifact identifier=\"a\" title=\"b.rs\">\nx\n</antArtifact>\n",
            "an artifact",
        );
        check("<antThinking>x</antThinking>\n", "");
    }

    #[test]
    fn an_action_of_swe_agent_is_named() {
        let name = "an action of SWE-agent";
        check(
            "str_replace_editor str_replace /a --old_str 'x' --new_str 'y'\n",
            name,
        );
        check("str_replace_editor view /a\n", "");
        check(
            "{\"trajectory\": [{\"action\": \"str_replace_editor create /a\"}]}\n",
            name,
        );
        check("```\nedit 10:20\nx\nend_of_edit\n```\n", name);
        check("edit 10:20 of the book\nx\n", "");
    }

    #[test]
    fn two_columns_are_named() {
        let name = "a diff with both files side by side";
        check(
            "import os\t\t\t\timport os\nx = 1\t\t\t      |\tx = 2\n",
            name,
        );
        check("a         a\nb       <\n", name);
        check("a         a\n        > b\n", name);
        check("| a     | b |\n|-------|---|\n| c     | d |\n", "");
        check("one     | two\nthree   | four\n", "");
        check("a         b\nc       | d\n", "");
    }

    #[test]
    fn two_versions_in_one_text_are_named() {
        let name = "two versions of a file";
        check(
            "a\n#ifndef NEW\nx\n#else /* NEW */\ny\n#endif /* NEW */\n",
            name,
        );
        check("a\n#ifndef NEW\nx\n#endif /* ! NEW */\n", name);
        check("#ifndef LIB_H\n#define LIB_H\n#endif /* LIB_H */\n", "");
        check("#ifndef A\nx\n#else\ny\n#endif\n", "");
        check(
            "#ifndef A\n#ifndef NEW\nx\n#else /* NEW */\ny\n#endif /* NEW */\n#endif /* A */\n",
            name,
        );
    }

    #[test]
    fn words_between_marks_are_named() {
        let name = "a word diff";
        check("x = [-1-] {+2+}\n", name);
        check("one\n{+three+}\n", name);
        check("a regular expression: [-a-z] or {a+b}\n", "");
        check("x[-1] + y[-2]\n", "");
        check("[-two-]\n", name);
        check("[-----]\n", "");
    }

    #[test]
    fn an_action_alone_is_named() {
        check(
            "<lov-add-dependency>x@1</lov-add-dependency>\n",
            "an action",
        );
        check("<lov-thinking>x</lov-thinking>\n", "");
    }

    #[test]
    fn a_chat_session_of_copilot_is_named() {
        let session = |kind: &str| format!("{{\"requests\": [{{\"kind\": \"{kind}\"}}]}}\n");
        check(&session("textEditGroup"), "a chat session of Copilot");
        check(&session("progressMessage"), "");
        check("The kind is \"textEditGroup\".\n", "");
    }
}
