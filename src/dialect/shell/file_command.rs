//! `shell`: files that a command of a shell would write, read from its text and never executed.
//!
//! Here-documents (`cat > FILE <<'EOF'`, `cat <<EOF >> FILE`, `tee FILE <<EOF`) and `sed -i 's/old/new/' FILE` with a literal
//! pattern, `chmod` with a mode that git keeps, and sequences of these and of `mkdir -p`. Whatever a shell would compute (variables,
//! substitutions, patterns) is refused by its name.

use std::path::Path;

use super::changing_command::{CommandPlace, may_change_files};
use super::mode_command::ModeCommand;
use super::words::{CommandPart, sequence, words};
use crate::dialect::body::{omitted_lines, string_lines, whole_file};
use crate::dialect::dialect_trait::{Before, Dialect, EvidenceKind, Section};
use crate::dialect::input::Input;
use crate::dialect::parse_error::{self, ParseError};
use crate::dialect::script_state::{ScriptLines, ScriptState};
use crate::proposal::{Extent, FileChange, FinalNewline, Hunk, HunkOrder, Operation, PathClaim};
use crate::text::{LineIdx, ShellWord};

/// The dialect `shell`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Shell;

impl Dialect for Shell {
    fn name(&self) -> &'static str {
        "shell"
    }

    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Sequence
    }

    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Commands
    }

    fn openings(&self) -> &'static [&'static str] {
        &["cat > ", "cat >> ", "cat <<", "sed -i ", "chmod "]
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let section = self.command(input, at)?;
        let is_relative = |file: &FileChange| !Path::new(file.path.first()).is_absolute();
        if let Some(obstacle) = before.script.obstacle() {
            let found = format!(
                "a command below {}, after which it may run in another folder, or not at all",
                parse_error::quoted(obstacle)
            );
            let expected = "the command by itself, with the whole path of its file";
            let error = ParseError::new(at, found, expected);
            return Some(self.refused(input, section, error));
        }
        if let Some(moved) = before.script.moved()
            && section.files.iter().any(is_relative)
        {
            let error = elsewhere(at, moved);
            return Some(self.refused(input, section, error));
        }
        Some(section)
    }
}

/// The parts of a command that writes a here-document to a file.
struct FileHeredoc<'w> {
    file: &'w ShellWord,
    appends: bool,
    end: &'w ShellWord,
    /// True if tabs before its lines are removed.
    tabs: bool,
}

impl<'w> FileHeredoc<'w> {
    fn of(parts: &'w [CommandPart]) -> Option<Self> {
        let (mut file, mut end) = (None, None);
        let mut rest = parts.iter().skip(1);
        let is_tee = parts.iter().take(2).any(|part| part.is_word("tee"));
        let mut appends = false;
        while let Some(part) = rest.next() {
            match part {
                CommandPart::Redirection(operator) => {
                    let target = rest.next()?.word()?;
                    match operator.strip_prefix('1').unwrap_or(operator) {
                        _ if target.text == "/dev/null" => (),
                        ">" | ">|" => file = Some((target, false)),
                        ">>" => file = Some((target, true)),
                        "<<" => end = Some((target, false)),
                        "<<-" => end = Some((target, true)),
                        _ => return None,
                    }
                }
                CommandPart::Word(word) if is_tee => match word.text.as_str() {
                    "-a" | "--append" => appends = true,
                    "tee" => (),
                    text if !text.starts_with('-') && file.is_none() => file = Some((word, false)),
                    _ => return None,
                },
                CommandPart::Word(_) => return None,
            }
        }
        let ((file, redirected), (end, tabs)) = (file?, end?);
        Some(Self {
            file,
            appends: appends || redirected,
            end,
            tabs,
        })
    }
}

/// Returns `true` for `mkdir -p FOLDER…`. The folders of a file are made with it, and an empty folder is no change.
fn makes_folder(parts: &[CommandPart]) -> bool {
    let is_word = |part: &CommandPart| part.word().is_some();
    let keeps = |part: &CommandPart| part.is_word("-p") || part.is_word("--parents");
    let program = parts.first().is_some_and(|part| part.is_word("mkdir"));
    program && parts.iter().all(is_word) && parts.iter().any(keeps)
}

/// Returns `true` for a command that changes no files and does not decide where the next one runs, such as `npm test`.
fn keeps_files(command: &str) -> bool {
    let mut state = ScriptState::default();
    state.add_line(command, ScriptLines::Script);
    state.obstacle().is_none() && !may_change_files(command, CommandPlace::Shell)
}

/// Returns the section of two commands of one line; `None` if both have lines below it.
fn joined(first: Section, second: Section) -> Option<Section> {
    let (lines, below) = if first.lines.len() > 1 {
        (first.lines, second.lines)
    } else {
        (second.lines, first.lines)
    };
    (below.len() == 1).then(|| Section {
        lines,
        files: first.files.into_iter().chain(second.files).collect(),
        problems: first.problems.into_iter().chain(second.problems).collect(),
        ..Section::default()
    })
}

/// Returns `true` if a here-document has a second line like its end word before the next one: its text was meant to go on.
fn goes_on(input: &Input, from: LineIdx, closes: impl Fn(&str) -> bool) -> bool {
    let lines = (from..input.len()).filter_map(|at| input.line(at));
    lines.take_while(|line| !line.contains("<<")).any(closes)
}

/// Description of a `sed` command that is read.
const EXPECTED: &str =
    "one `s/old/new/` with a literal text, and one file: the shell command is read, not executed";

/// Returns the error of a command with a relative path in another script than a line that changes the folder: whether the folder
/// lasts depends on the agent.
pub(in crate::dialect) fn elsewhere(at: LineIdx, moved: &str) -> ParseError {
    let found = format!(
        "a command that names its file by a relative path, after {} in an earlier command: it may run in another folder",
        parse_error::quoted(moved)
    );
    ParseError::new(at, found, "the absolute path of its file")
}

impl Shell {
    /// Reads the command that begins at a line, as if nothing were above it.
    fn command(self, input: &Input, at: LineIdx) -> Option<Section> {
        let line = input.line(at)?.trim();
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let may_be = [
            "cat ",
            "cat>",
            "cat<",
            "tee ",
            "sed ",
            "sudo tee ",
            "mkdir ",
            "chmod ",
        ];
        if !may_be.iter().any(|start| line.starts_with(start)) {
            return None;
        }
        let mut found: Option<Section> = None;
        for command in sequence(line)? {
            let parts = words(command)?;
            if makes_folder(&parts) {
                continue;
            }
            if found.is_some() && keeps_files(command) {
                continue;
            }
            let section = self.single(input, at, &parts)?;
            found = Some(match found {
                Some(before) => joined(before, section)?,
                None => section,
            });
        }
        found
    }

    /// Reads one command of a line.
    fn single(self, input: &Input, at: LineIdx, parts: &[CommandPart]) -> Option<Section> {
        if parts.first()?.is_word("sed") {
            self.sed(input, at, parts)
        } else if let Some(mode) = ModeCommand::of(parts) {
            Some(self.mode(input, at, &mode))
        } else {
            self.heredoc(input, at, parts)
        }
    }

    /// Returns the changes that a `chmod` command makes.
    fn mode(self, input: &Input, at: LineIdx, mode: &ModeCommand) -> Section {
        let mut section = Section {
            lines: at..at + 1,
            ..Section::default()
        };
        for file in &mode.files {
            let (path, span) = (PathClaim::plain(&file.text), input.span(at..at + 1));
            section.files.push(FileChange {
                executable: Some(mode.executable),
                ..FileChange::new(path, Operation::Modify, self.name(), span)
            });
        }
        section
    }

    /// Refuses a command that may run elsewhere, or not at all.
    fn refused(self, input: &Input, section: Section, error: ParseError) -> Section {
        let path = section.files.into_iter().next().map(|file| file.path);
        let problem = error.into_problem(input, section.lines.clone(), self.name(), path);
        Section::of(section.lines, Err(problem))
    }

    /// Reads a here-document that is written to a file.
    fn heredoc(self, input: &Input, at: LineIdx, parts: &[CommandPart]) -> Option<Section> {
        let FileHeredoc {
            file,
            appends,
            end,
            tabs,
        } = FileHeredoc::of(parts)?;
        let closes = |line: &str| {
            let line = if tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            line == end.text
        };
        let last = (at + 1..input.len()).find(|&at| input.line(at).is_some_and(closes));
        let path = PathClaim::plain(&file.text);
        let fail = |lines, error: ParseError| {
            let problem = error.into_problem(input, lines, self.name(), Some(path.clone()));
            Some(Section::of(at..problem.span.last.get(), Err(problem)))
        };
        let Some(last) = last else {
            let error = ParseError::end(
                input,
                format!("'{}', which ends the here-document", end.text),
            );
            return fail(at..input.len(), error);
        };
        if goes_on(input, last + 1, closes) {
            let found = format!("a here-document with the line '{}' in it", end.text);
            let error = ParseError::new(last, found, "an end word that is no line of the text");
            return fail(at..last + 1, error);
        }
        let inner = |line: &&str| {
            let line = if tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            line.to_owned()
        };
        let lines: Vec<String> = input.lines(at + 1..last).iter().map(inner).collect();
        let computed = !end.quoted && lines.iter().any(|line| line.contains(['$', '`', '\\']));
        if computed || file.computed {
            let found = "a here-document in which the shell would replace `$`, a backquote or `\\`";
            let error = ParseError::new(at, found, "a quoted end word, such as <<'EOF'");
            return fail(at..last + 1, error);
        }
        let text = lines;
        let is_empty = text.is_empty();
        let span = input.span(at + 1..last.max(at + 2));
        let (body, other_readings) = if appends {
            let body = crate::proposal::Body {
                preimage: Vec::new(),
                postimage: text,
            };
            (body, Vec::new())
        } else {
            whole_file::readings(path.first(), text)
        };
        let hunk = Hunk {
            other_readings,
            at_end: appends,
            extent: if appends { Extent::Text } else { Extent::Lines },
            final_newline: FinalNewline::Add,
            ..Hunk::new(body, span)
        };
        let change = FileChange {
            path,
            operation: if appends {
                Operation::CreateOrAppend
            } else {
                Operation::Overwrite
            },
            executable: None,
            is_regular: false,
            blobs: None,
            binary: None,
            hunks: Vec::from_iter((!is_empty).then_some(hunk)),
            dialect: self.name(),
            span: input.span(at..last + 1),
            patch: 0,
        };
        Some(Section::of(at..last + 1, Ok(change)))
    }

    /// Reads `sed -i 's/old/new/' FILE`.
    fn sed(self, input: &Input, at: LineIdx, parts: &[CommandPart]) -> Option<Section> {
        let is_in_place =
            |word: &ShellWord| word.text.starts_with("-i") || word.text.starts_with("--in-place");
        let in_place = |part: &&CommandPart| part.word().is_some_and(is_in_place);
        parts.iter().find(in_place)?;
        let is_left_out = |part: &&CommandPart| part.is_word("") || part.is_word("-e");
        let rest: Vec<&CommandPart> = (parts.iter().skip(1))
            .filter(|part| !in_place(part) && !is_left_out(part))
            .collect();
        let lines = at..at + 1;
        let path = rest.last().and_then(|part| part.word());
        let path = path.map(|word| PathClaim::plain(&word.text));
        let refuse = |found: &str, expected: &str| {
            let error = ParseError::new(at, found, expected);
            let problem = error.into_problem(input, lines.clone(), self.name(), path.clone());
            Some(Section::of(lines.clone(), Err(problem)))
        };
        let keeps_backup = |part: &CommandPart| {
            let word = part.word().map(|word| word.text.as_str());
            word.is_some_and(is_in_place_with_suffix)
        };
        if parts.iter().any(keeps_backup) {
            return refuse("a `sed -i` command that keeps a backup", EXPECTED);
        }
        let [CommandPart::Word(script), CommandPart::Word(file)] = rest.as_slice() else {
            return refuse("a `sed -i` command with other arguments", EXPECTED);
        };
        if script.computed || file.computed {
            return refuse(
                "a `sed -i` command in which the shell computes a part",
                EXPECTED,
            );
        }
        let Some((old, new, flags)) = substitution(&script.text) else {
            return refuse(
                "a `sed -i` command that needs a regular expression or an address",
                EXPECTED,
            );
        };
        let body = string_lines::replacement(&old, &new);
        if omitted_lines::mark(&body).is_some() || old.is_empty() {
            return refuse("a `sed -i` command with an empty pattern", EXPECTED);
        }
        let mut hunk = Hunk::new(body, input.span(lines.clone()));
        // Without `g` only the first place of each line is replaced: then the text must be in the file once.
        hunk.extent = if flags == "g" {
            Extent::EveryText
        } else {
            Extent::Text
        };
        let change = FileChange {
            hunks: vec![hunk],
            ..FileChange::new(
                PathClaim::plain(&file.text),
                Operation::Modify,
                self.name(),
                input.span(lines.clone()),
            )
        };
        Some(Section::of(lines, Ok(change)))
    }
}

/// Returns `true` for an option of `sed` that names the backups, or that has another option in the same word.
fn is_in_place_with_suffix(word: &str) -> bool {
    word.strip_prefix("-i")
        .is_some_and(|suffix| !suffix.is_empty())
        || word.starts_with("--in-place=")
}

/// The parts of an `s` command whose pattern and replacement are literal texts.
fn substitution(script: &str) -> Option<(String, String, &str)> {
    let rest = script.trim().strip_prefix('s')?;
    let sign = rest
        .chars()
        .next()
        .filter(|c| !c.is_alphanumeric() && *c != '\\')?;
    let mut parts = [String::new(), String::new()];
    let mut part = 0;
    let mut chars = rest[sign.len_utf8()..].char_indices();
    let mut flags = None;
    while let Some((at, c)) = chars.next() {
        if c == sign {
            part += 1;
            if part == 2 {
                flags = rest[sign.len_utf8()..].get(at + c.len_utf8()..);
                break;
            }
        } else if c == '\\' {
            let (_, next) = chars.next()?;
            let is_special = ".[]*^$/&\\".contains(next) || next == sign;
            is_special.then_some(())?;
            parts[part].push(next);
        } else {
            let special = if part == 0 { ".[]*^$" } else { "&" };
            if special.contains(c) {
                return None;
            }
            parts[part].push(c);
        }
    }
    let flags = flags.filter(|flags| matches!(*flags, "" | "g"))?;
    let [old, new] = parts;
    Some((old, new, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_substitution_is_a_replacement() {
        let check = |script: &str, expected: Option<(&str, &str, &str)>| {
            let found = substitution(script);
            let found = found
                .as_ref()
                .map(|(old, new, flags)| (old.as_str(), new.as_str(), *flags));
            assert_eq!(found, expected, "{script}");
        };
        check("s/a + b/int(a + b)/", Some(("a + b", "int(a + b)", "")));
        check("s|/usr|/opt|g", Some(("/usr", "/opt", "g")));
        check(r"s/a\.b/c\/d/", Some(("a.b", "c/d", "")));
        check("s/a.b/c/", None);
        check("s/a/[&]/", None);
        check("s/a/b/2", None);
        check("/x/d", None);
    }
}
