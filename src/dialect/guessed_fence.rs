//! Code fences whose files are only guessed: from a sentence above, from a comment in the first line, or from an info string with words
//! of which nobody knows what they mean. A person must confirm each.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::dialect::body::whole_file;
use crate::dialect::commit_message;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::{self, Fence};
use crate::dialect::markdown::next_fence::{self, NextFence};
use crate::dialect::markdown::{file_name, file_tree};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::tree_names;
use crate::proposal::{FileChange, Guess, Hunk, InputSpan, Operation, PathClaim, Problem, Reading};
use crate::text::LineIdx;

/// Reads such code fences in an input in which nothing else was read.
pub(super) fn alone(input: &Input) -> Parsed {
    let mut parsed = Parsed::default();
    for guess in guesses(input, &Parsed::default()) {
        if let Some(problem) = guess.add(input, &mut parsed.proposal.files) {
            parsed.problems.push(problem);
            return parsed;
        }
    }
    parsed
        .readings
        .extend(parsed.proposal.files.first().map(|file| Reading {
            dialect: "whole",
            line: file.span.first,
            evidence: "a code fence whose file is guessed".to_owned(),
            sections: parsed.proposal.files.len(),
        }));
    tree_names::add_folders(input, &mut parsed);
    parsed
}

/// Adds such code fences beside edits that were read. One for a file that is edited is an example, or shows the result.
pub(super) fn beside(input: &Input, parsed: &mut Parsed) {
    let guesses = guesses(input, parsed);
    if guesses.is_empty() {
        return;
    }
    let files = parsed.proposal.files.iter();
    let mut read: Vec<InputSpan> = files.map(|file| file.span).collect();
    read.extend(parsed.problems.iter().map(|problem| problem.span));
    let files = parsed.proposal.files.iter().map(|file| &file.path);
    let known = files.chain(parsed.problems.iter().filter_map(|it| it.path.as_ref()));
    let known: Vec<String> = (known.flat_map(PathClaim::readings))
        .map(str::to_owned)
        .collect();
    let known_endings: FxHashSet<&str> = known.iter().flat_map(|name| endings(name)).collect();
    let known: FxHashSet<&str> = known.iter().map(String::as_str).collect();
    let mut is_read = vec![false; input.len() + 1];
    for span in read {
        let at = |line: usize| line.saturating_sub(input.number(0).idx()).min(input.len());
        let first = at(span.first.idx());
        is_read[first..at(span.last.get()).max(first)].fill(true);
    }
    for guess in guesses {
        let from = guess.from.min(guess.lines.start);
        let is_apart = !is_read[from..guess.lines.end].contains(&true);
        let name = guess.name();
        let is_known = known_endings.contains(name) || endings(name).any(|it| known.contains(it));
        if is_apart
            && !is_known
            && let Some(problem) = guess.add(input, &mut parsed.proposal.files)
        {
            parsed.problems.push(problem);
        }
    }
    tree_names::add_folders(input, parsed);
}

/// Returns a name without its first folders, from none to all of them: an example often leaves them out.
fn endings(name: &str) -> impl Iterator<Item = &str> {
    let folders = name.match_indices(['/', '\\']);
    std::iter::once(name).chain(folders.map(|(at, _)| &name[at + 1..]))
}

fn is_guess(file: &FileChange) -> bool {
    let guess = file.hunks.first().and_then(|hunk| hunk.guess.as_ref());
    matches!(guess, Some(Guess::File(_)))
}

/// A code fence and the file that it may be for.
struct FenceGuess {
    /// From the opening to the closing line.
    lines: Range<LineIdx>,
    path: PathClaim,
    /// The line with the name.
    from: LineIdx,
    /// The code fences below that may be for the same file.
    next: Option<FollowUp>,
}

/// Code fences without a name below a guessed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FollowUp {
    /// The text says that its lines replace those above.
    Replacement,
    /// It may be one more part of the file.
    Part,
}

impl FenceGuess {
    /// The shortest reading of the name, without the words of its sentence.
    fn name(&self) -> &str {
        let readings = self.path.readings();
        readings.min_by_key(|name| name.len()).unwrap_or_default()
    }

    /// Adds its file; another fence for the same file is refused.
    fn add(self, input: &Input, files: &mut Vec<FileChange>) -> Option<Problem> {
        let name = self.name();
        if let Some(next) = self.next {
            let found = match next {
                FollowUp::Replacement => {
                    format!("lines of `{name}` and those in place of them, in two code fences")
                }
                FollowUp::Part => format!("several code fences that may be parts of `{name}`"),
            };
            let expected = "both in one edit, such as a diff or a search/replace block";
            let error = ParseError::new(self.lines.start, found, expected);
            return Some(error.into_problem(input, self.lines, "whole", Some(self.path)));
        }
        let is_same = |file: &FileChange| is_guess(file) && file.path.first() == name;
        let Some(known) = files.iter().position(is_same) else {
            files.push(self.change(input));
            return None;
        };
        files.remove(known);
        let found = format!("two code fences that may be the new text of `{name}`");
        let expected = "the name of its file alone on the line above each";
        let error = ParseError::new(self.lines.start, found, expected);
        Some(error.into_problem(input, self.lines, "whole", Some(self.path)))
    }

    fn change(&self, input: &Input) -> FileChange {
        let text = self.lines.start + 1..self.lines.end - 1;
        let lines = fence::text_in(input, self.lines.start, text.clone()).into_iter();
        let lines = lines.map(str::to_owned);
        let (body, other_readings) = whole_file::readings(self.name(), lines.collect());
        let hunk = Hunk {
            other_readings,
            guess: Some(Guess::File(input.number(self.from))),
            ..Hunk::new(body, input.span(text))
        };
        FileChange {
            hunks: vec![hunk],
            ..FileChange::new(
                file_name::prefixed(PathClaim::plain(self.name())),
                Operation::Overwrite,
                "whole",
                input.span(self.lines.clone()),
            )
        }
    }
}

/// The most lines between a fence and the sentence that names its file.
const REACH: usize = 3;

/// Finds the code fences whose files are only guessed: from a sentence above, or from a comment in the first line.
fn guesses(input: &Input, parsed: &Parsed) -> Vec<FenceGuess> {
    let mut found = Vec::new();
    let messages = commit_message::messages_beside(input, parsed);
    let mut messages = messages.into_iter().peekable();
    let mut open: Option<(LineIdx, Fence)> = None;
    for at in 0..input.len() {
        while messages.next_if(|lines| lines.end <= at).is_some() {}
        if messages.peek().is_some_and(|lines| lines.contains(&at)) {
            continue;
        }
        let Some(fence) = input.line(at).and_then(Fence::of) else {
            continue;
        };
        let Some((first, opening)) = open.filter(|(_, opening)| fence.closes(opening)) else {
            open = open.or(Some((at, fence)));
            continue;
        };
        open = None;
        // A shell session or a bare diff is no file.
        if opening.is_shell()
            || matches!(opening.info, "diff" | "patch" | "text")
            || at == first + 1
            || is_tree_or_list(input, first + 1..at)
        {
            continue;
        }
        let above = (first.saturating_sub(REACH)..first).rev();
        let is_fence = |at: &LineIdx| {
            input
                .line(*at)
                .is_some_and(|line| Fence::of(line).is_some())
        };
        if file_name::names_lines(opening.info) {
            continue;
        }
        let named = |at: LineIdx| Some((at, file_name::guess(input.line(at)?)?));
        // A sentence in the first line is one of a comment; without its sign it may be a command.
        let commented = |at: LineIdx| {
            let line = input.line(at)?;
            let is_comment = line
                .trim_start()
                .starts_with(|c: char| c.is_ascii_punctuation());
            named(at).filter(|_| is_comment || file_name::alone(line).is_some())
        };
        let headed =
            |at: LineIdx| named(at).or_else(|| Some((at, file_name::heading(input.line(at)?)?)));
        let in_info = || Some((first, file_name::of_info(opening.info)?));
        let sentence = above
            .take_while(|at| !is_fence(at))
            .find_map(headed)
            .or_else(in_info);
        let is_whole =
            |(from, _): &(LineIdx, _)| !input.line(*from).is_some_and(file_name::names_lines);
        let name = sentence.or_else(|| commented(first + 1)).filter(is_whole);
        if let Some((from, path)) = name {
            found.push(FenceGuess {
                lines: first..at + 1,
                path,
                from,
                next: None,
            });
        } else if let Some(last) = found.last_mut()
            && let Some(next) = follow_up(input, last, first, &opening)
        {
            last.next = last.next.or(Some(next));
            last.lines.end = at + 1;
        }
    }
    found
}

/// Returns `true` for lines that name files, and are none.
fn is_tree_or_list(input: &Input, lines: Range<LineIdx>) -> bool {
    let lines = input.lines(lines);
    file_tree::is_tree(lines) || file_tree::is_list(lines)
}

/// Words of a label above the new lines, where the lines that they replace are above it.
const REPLACEMENT: [&str; 8] = [
    "after", "become", "becomes", "by", "into", "new", "to", "with",
];

/// The most words of a label.
const LABEL: usize = 5;

/// Returns the relation of a code fence without a name to the last one with a guessed name, if it may be for the same file.
fn follow_up(input: &Input, last: &FenceGuess, first: LineIdx, fence: &Fence) -> Option<FollowUp> {
    let between = last.lines.end..first;
    if is_replacement(input, between.clone()) {
        return Some(FollowUp::Replacement);
    }
    let above = Fence::of(input.line(last.lines.start)?)?;
    let lines = input.lines(between);
    let is_other_fence = |line: &&str| Fence::of(line).is_some();
    let may_be_part = above.info == fence.info
        && !lines.iter().any(is_other_fence)
        && next_fence::relation(lines) != NextFence::Other;
    may_be_part.then_some(FollowUp::Part)
}

/// Returns `true` if the lines between two code fences are one label, which says that the second one replaces the first.
fn is_replacement(input: &Input, between: Range<LineIdx>) -> bool {
    let lines = input.lines(between).iter();
    let mut lines = lines.filter(|line| !line.trim().is_empty());
    let (Some(label), None) = (lines.next(), lines.next()) else {
        return false;
    };
    let words = label.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.len() <= LABEL
        && words
            .iter()
            .any(|word| REPLACEMENT.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;
    use crate::proposal::Guess;

    /// Returns the names of the files: guessed ones with a `?`, and those of problems with a `!`.
    fn names(text: &str) -> String {
        let parsed = parse(text, &Options::default());
        let files = parsed.proposal.files.iter().map(|file| {
            let guess = file.hunks.first().and_then(|hunk| hunk.guess.as_ref());
            let is_guess = matches!(guess, Some(Guess::File(_)));
            format!("{}{}", file.path.first(), if is_guess { "?" } else { "" })
        });
        let problems = parsed.problems.iter().map(|problem| {
            let path = problem.path.as_ref();
            format!("{}!", path.map_or("", |path| path.first()))
        });
        files.chain(problems).collect::<Vec<_>>().join(" ")
    }

    const EDITS: [&str; 3] = [
        "a.py\n```python\nx = 1\n```\n",
        "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n```\n",
        "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n",
    ];

    #[test]
    fn a_guess_beside_edits_is_kept() {
        for edit in EDITS {
            let check = |fence: &str, expected: &str| {
                let found = names(&format!("{edit}\n{fence}"));
                assert_eq!(found, expected, "{edit}\n{fence}");
            };
            for heading in [
                "FILE: src/b.py",
                "### File 2: src/b.py",
                "Update `src/b.py`:",
                "* src/b.py",
                "Now update src/b.py:",
                "### src/b.py (modified)",
                "=== src/b.py ===",
                "- **src/b.py**",
            ] {
                check(
                    &format!("{heading}\n\n```python\ny\n```\n"),
                    "a.py src/b.py?",
                );
            }
            check("Then:\n\n```python\n# src/b.py\ny\n```\n", "a.py src/b.py?");
            check("```python src/b.py excerpt\ny\n```\n", "a.py src/b.py?");
            let twice = "In src/b.py:\n```py\ny\n```\nAlso in src/b.py:\n```py\nz\n```\n";
            check(twice, "a.py src/b.py!");
            // Examples, shells, and the file that is edited.
            check("Use it like this:\n\n```python\ny\n```\n", "a.py");
            check("Run src/b.py:\n\n```sh\nls\n```\n", "a.py");
            check("Now a.py has this:\n\n```python\ny\n```\n", "a.py");
            check("Now src/a.py has this:\n\n```python\ny\n```\n", "a.py");
        }
    }

    #[test]
    fn a_file_of_the_same_name_in_another_folder_is_another() {
        let edit = EDITS[2].replace("a.py", "src/a/mod.rs");
        for (name, expected) in [
            ("src/b/mod.rs", "src/a/mod.rs src/b/mod.rs?"),
            ("a/mod.rs", "src/a/mod.rs"),
            ("mod.rs", "src/a/mod.rs"),
        ] {
            let text = format!("{edit}\nFILE: {name}\n```rust\ny\n```\n");
            assert_eq!(names(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_label_above_a_fence_is_no_name() {
        for edit in EDITS {
            for label in [
                "**Output:**",
                "**Before**",
                "`add`:",
                "**POST**",
                "<!-- output -->",
                "`1.0.0`",
                "`localhost:8080`",
            ] {
                let text = format!("{edit}\n{label}\n```\n2\n```\n");
                assert_eq!(names(&text), "a.py", "{text}");
                assert_eq!(names(&format!("{label}\n```\n2\n```\n")), "", "{label}");
            }
        }
    }

    #[test]
    fn a_tree_or_a_command_is_no_file() {
        for text in [
            "```\nsrc/\n└── b.py\n```\n",
            "```\n├── a.py\n└── b.py\n```\n\n```python\ny\n```\n",
            "The tree:\n\n├── a.py\n└── b.py\n\n```python\ny\n```\n",
            "|-- a.py\n`-- b.py\n```python\ny\n```\n",
            "`b.py`\n\n```\n├── a.py\n└── b.py\n```\n\n```python\ny\n```\n",
            "The files:\n\n```\na.py\nb.py\n```\n\n```python\ny\n```\n",
            "Use Node.js:\n\n```js\ny\n```\n",
            "Run:\n\n```\npython src/b.py\n```\n",
            "Run `python src/b.py`; it prints:\n\n```\n2\n```\n",
            "Run `go test ./a.go` first:\n\n```\n2\n```\n",
        ] {
            assert_eq!(names(text), "", "{text}");
        }
        let text = "```\nsrc/\n└── b.py\n```\n\nHere is `src/b.py`:\n\n```python\ny\n```\n";
        assert_eq!(names(text), "src/b.py?");
        // The last line of a text is no header of a quotation.
        let text = "Here is `src/b.txt`:\n\n```\nline 1\nline 2\n```\n";
        assert_eq!(names(text), "src/b.txt?");
        for line in [
            "# src/b.py",
            "// src/b.py",
            "/* src/b.py */",
            "# File: src/b.py",
            "src/b.py",
            "-- src/b.py",
        ] {
            let text = format!("```\n{line}\ny\n```\n");
            assert_eq!(names(&text), "src/b.py?", "{text}");
        }
    }

    #[test]
    fn lines_and_their_replacement_are_refused() {
        for (first, second) in [
            ("In `b.py`, replace:", "with:"),
            ("**b.py**\n\nFind:", "Replace with:"),
            ("Before (`b.py`):", "**After:**"),
        ] {
            let text = format!("{first}\n```python\ny\n```\n\n{second}\n\n```python\nz\n```\n");
            assert_eq!(names(&text), "b.py!", "{text}");
            assert_eq!(
                names(&format!("{}\n{text}", EDITS[1])),
                "a.py b.py!",
                "{text}"
            );
        }
        for (label, expected) in [
            ("and g:", "b.py!"),
            ("The tail:", "b.py!"),
            ("", "b.py!"),
            ("It prints:", "b.py?"),
        ] {
            let text = format!(
                "In `b.py`, change f:\n```python\ny\n```\n\n{label}\n\n```python\nz\n```\n"
            );
            assert_eq!(names(&text), expected, "{text}");
            // A fence in another language is no part of it.
            let text = text.replacen("```python", "```py", 1);
            assert_eq!(names(&text), "b.py?", "{text}");
        }
        let text = "In `b.py`:\n```python\ny\n```\n\nRun it:\n\n```python\nz\n```\n";
        assert_eq!(names(text), "b.py?");
    }
}
