//! Markdown code fences, by the rule of [`CommonMark`](https://spec.commonmark.org/0.31.2/#fenced-code-blocks), but allowed to nest as models write them.

use std::ops::Range;

use crate::dialect::input::Input;
use crate::text::{LineIdx, split_indent};

/// Languages of code fences that hold the commands of a shell.
const SHELLS: [&str; 7] = [
    "sh",
    "bash",
    "zsh",
    "shell",
    "console",
    "shell-session",
    "powershell",
];

/// Languages of code fences that hold diffs.
const DIFFS: [&str; 3] = ["diff", "patch", "udiff"];

/// A line that opens or closes a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) struct Fence<'a> {
    /// The character that it is made of.
    mark: char,
    /// The number of these characters.
    length: usize,
    /// The info string: the language, sometimes a file name.
    pub(in crate::dialect) info: &'a str,
}

impl<'a> Fence<'a> {
    /// Reads a line as a fence, whatever its indentation.
    pub(in crate::dialect) fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let line = line.trim_end();
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        // Backticks in the info string make it inline code.
        (length >= 3 && !rest.contains('`')).then_some(Self {
            mark,
            length,
            info: rest.trim(),
        })
    }

    /// Returns `true` for a fence of shell commands.
    pub(in crate::dialect) fn is_shell(&self) -> bool {
        SHELLS.contains(&self.info)
    }

    /// Returns `true` for a fence of diffs. Its info string may have a file name as well.
    pub(in crate::dialect) fn is_diff(&self) -> bool {
        let language = self.info.split([' ', ':']).next().unwrap_or_default();
        DIFFS.contains(&language)
    }

    /// Returns `true` for a fence of shell commands, or of no language.
    pub(in crate::dialect) fn may_be_shell(&self) -> bool {
        self.info.is_empty() || self.is_shell()
    }

    /// Returns `true` for a fence line that is text inside of `open`: a shorter one cannot close it.
    pub(super) fn is_text_in(&self, open: &Fence) -> bool {
        self.mark != open.mark || self.length < open.length
    }

    /// Returns `true` if this line closes a longer fence of so many marks around `inner`.
    pub(super) fn closes_around(&self, inner: &Fence, marks: usize) -> bool {
        marks > inner.length && self.length >= marks
    }

    /// Returns `true` if this line closes a fence that `open` opened.
    pub(in crate::dialect) fn closes(&self, open: &Fence) -> bool {
        self.info.is_empty() && self.mark == open.mark && self.length >= open.length
    }
}

/// Returns lines in the fence that opens at a line, without the indentation of that line if all of them have it.
pub(in crate::dialect) fn text_in<'a>(
    input: &Input<'a>,
    open: LineIdx,
    lines: Range<LineIdx>,
) -> Vec<&'a str> {
    let (indent, _) = split_indent(input.line(open).unwrap_or_default());
    let lines = input.lines(lines);
    let has_it = |line: &&str| line.starts_with(indent) || line.trim().is_empty();
    let indent = if lines.iter().all(has_it) { indent } else { "" };
    let inner = |line: &&'a str| line.strip_prefix(indent).unwrap_or_default();
    lines.iter().map(inner).collect()
}

/// The tags that Aider uses for a fence when the files themselves hold backticks: `<source>`, `<source>python`.
pub(super) fn is_tag(line: &str) -> bool {
    let Some((name, language)) = line
        .trim()
        .strip_prefix('<')
        .and_then(|tag| tag.split_once('>'))
    else {
        return false;
    };
    let name = name.strip_prefix('/').unwrap_or(name);
    matches!(name, "source" | "code" | "pre" | "codeblock" | "sourcecode")
        && language
            .chars()
            .all(|c| c.is_alphanumeric() || "+#-".contains(c))
}

/// The fences around edits, which are no part of the prose: pairs with nothing but edits and blank lines between them.
#[derive(Debug, Clone, Default)]
pub(in crate::dialect) struct Wrappers<'a> {
    open: Vec<Open<'a>>,
    found: Vec<LineIdx>,
}

/// An open fence and what was met since.
#[derive(Debug, Clone)]
struct Open<'a> {
    fence: Fence<'a>,
    at: LineIdx,
    /// The first line that is neither blank nor part of an edit.
    prose: Option<LineIdx>,
    edits: bool,
}

impl<'a> Wrappers<'a> {
    /// Takes note of a line that belongs to no edit.
    pub(in crate::dialect) fn prose(&mut self, at: LineIdx, line: &'a str) {
        let Some(fence) = Fence::of(line) else {
            if let Some(open) = self.open.last_mut().filter(|_| !line.trim().is_empty()) {
                open.prose = open.prose.or(Some(at));
            }
            return;
        };
        match self.open.pop_if(|open| fence.closes(&open.fence)) {
            Some(open) => self.close(&open, Some(at)),
            None => self.open.push(Open {
                fence,
                at,
                prose: None,
                edits: false,
            }),
        }
    }

    /// Returns `true` if a line closes the innermost fence.
    pub(in crate::dialect) fn are_closed_by(&self, line: &str) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| Fence::of(line).is_some_and(|fence| fence.closes(&open.fence)))
    }

    /// The number of marks of the innermost fence; 0 if none is open.
    pub(in crate::dialect) fn innermost(&self) -> usize {
        self.open.last().map_or(0, |open| open.fence.length)
    }

    /// Returns the innermost fence that is open.
    pub(in crate::dialect) fn innermost_fence(&self) -> Option<Fence<'a>> {
        self.open.last().map(|open| open.fence)
    }

    /// Returns `true` if any fence is open.
    pub(in crate::dialect) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes note of an edit, which may begin above with lines that were taken for prose.
    pub(in crate::dialect) fn edit(&mut self, first: LineIdx) {
        if let Some(open) = self.open.last_mut() {
            open.edits = true;
            open.prose = open.prose.filter(|&at| at < first);
        }
    }

    /// Takes those that follow, where none is open.
    pub(in crate::dialect) fn append(&mut self, later: Self) {
        self.open.extend(later.open);
        self.found.extend(later.found);
    }

    /// The lines of the fences, also of those that are not closed.
    pub(in crate::dialect) fn finish(mut self) -> Vec<LineIdx> {
        while let Some(open) = self.open.pop() {
            self.close(&open, None);
        }
        self.found
    }

    /// Counts the contents of a fence for the one around it as well.
    fn close(&mut self, inner: &Open, at: Option<LineIdx>) {
        if inner.edits && inner.prose.is_none() {
            self.found.push(inner.at);
            self.found.extend(at);
        }
        if let Some(outer) = self.open.last_mut() {
            outer.prose = outer.prose.or(inner.prose);
            outer.edits |= inner.edits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_three_marks_or_more() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(
                Fence::of(line).map(|fence| fence.info),
                expected,
                "{line:?}"
            );
        };
        check("```", Some(""));
        check("  ````rust", Some("rust"));
        check("~~~ diff ", Some("diff"));
        check("``", None);
        check("```x``` is code", None);
    }

    #[test]
    fn tags_stand_alone() {
        for line in ["<source>", "</pre>", "<source>python", "<code>c++"] {
            assert!(is_tag(line), "{line:?}");
        }
        for line in ["<div>", "code", "<code>a b</code>", ""] {
            assert!(!is_tag(line), "{line:?}");
        }
    }
}
