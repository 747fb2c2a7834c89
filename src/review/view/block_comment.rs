//! Comments and texts of several lines in a file: the lines inside of them are prose, whatever words they have.

use std::path::Path;

use crate::text::{Document, LineIdx};

/// Extensions of the languages with comments between `/*` and `*/`.
const SLASHES: [&str; 24] = [
    "rs", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "java", "js", "jsx", "mjs", "ts", "tsx", "go",
    "cs", "swift", "kt", "scala", "php", "css", "scss", "less", "proto",
];
/// Extensions of Python, whose documentation is between triple quotes.
const PYTHON: [&str; 2] = ["py", "pyi"];
/// Extensions of markup, with comments between `<!--` and `-->`.
const MARKUP: [&str; 5] = ["html", "htm", "xml", "svg", "vue"];

/// The way in which a language encloses prose of several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Enclosure {
    None,
    /// A comment that begins a line: elsewhere the sign may be a part of a text, such as `"src/**/*.rs"`.
    Pair(&'static str, &'static str),
    Quotes,
}

/// The sign that ends the prose, if a line is inside of it.
type OpenBlock = Option<&'static str>;

/// Position in both versions of a file, with what is open there.
#[derive(Debug)]
pub(super) struct BlockComments {
    enclosure: Enclosure,
    /// The base line up to which it is known.
    done: LineIdx,
    old: OpenBlock,
    new: OpenBlock,
}

impl BlockComments {
    /// At the start of a file.
    pub(super) fn new(path: &str) -> Self {
        let extension = Path::new(path).extension().and_then(|name| name.to_str());
        let is_in = |names: &[&str]| extension.is_some_and(|own| names.contains(&own));
        let enclosure = if is_in(&PYTHON) {
            Enclosure::Quotes
        } else if is_in(&SLASHES) {
            Enclosure::Pair("/*", "*/")
        } else if is_in(&MARKUP) {
            Enclosure::Pair("<!--", "-->")
        } else {
            Enclosure::None
        };
        Self {
            enclosure,
            done: 0,
            old: None,
            new: None,
        }
    }

    /// Goes on to the first changed line of a hunk, where both versions are the same.
    pub(super) fn begin_hunk(&mut self, base: &Document, at: LineIdx) {
        self.pass_base(base, at);
        self.new = self.old;
    }

    /// Goes on to a changed line of the hunk.
    pub(super) fn keep_to(&mut self, base: &Document, at: LineIdx) {
        if self.enclosure == Enclosure::None {
            return;
        }
        for line in self.done..at.min(base.len()) {
            self.old = self.after(self.old, base.line(line));
            self.new = self.after(self.new, base.line(line));
        }
        self.done = self.done.max(at);
    }

    /// Takes note of the removed line at a position; returns true if it is prose.
    pub(super) fn removed(&mut self, at: LineIdx, line: &str) -> bool {
        let before = self.old;
        if self.done <= at {
            self.old = self.after(before, line);
            self.done = at + 1;
        }
        before.is_some()
    }

    /// Takes note of an added line; returns true if it is prose.
    pub(super) fn added(&mut self, line: &str) -> bool {
        let before = self.new;
        self.new = self.after(before, line);
        before.is_some()
    }

    fn pass_base(&mut self, base: &Document, at: LineIdx) {
        if self.enclosure == Enclosure::None {
            return;
        }
        for line in self.done..at.min(base.len()) {
            self.old = self.after(self.old, base.line(line));
        }
        self.done = self.done.max(at);
    }

    /// Returns what is open after a line.
    fn after(&self, open: OpenBlock, line: &str) -> OpenBlock {
        match self.enclosure {
            Enclosure::None => None,
            Enclosure::Pair(_, end) if open.is_some() => (!line.contains(end)).then_some(end),
            Enclosure::Pair(begin, end) => {
                let rest = line.trim_start().strip_prefix(begin)?;
                (!rest.contains(end)).then_some(end)
            }
            Enclosure::Quotes => after_quotes(open, line),
        }
    }
}

/// Returns which triple quotes are open after a line.
fn after_quotes(mut open: OpenBlock, line: &str) -> OpenBlock {
    let mut rest = line;
    loop {
        let first = |quotes: &'static str| rest.find(quotes).map(|at| (at, quotes));
        let next = match open {
            Some(quotes) => first(quotes),
            None => [first("\"\"\""), first("'''")].into_iter().flatten().min(),
        };
        let Some((at, quotes)) = next else {
            return open;
        };
        rest = &rest[at + quotes.len()..];
        open = match open {
            Some(_) => None,
            None => Some(quotes),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which lines of a new file are prose: those with `#`.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        let mut comments = BlockComments::new(path);
        comments.begin_hunk(&Document::from_text(""), 0);
        let found = text
            .split('|')
            .map(|line| if comments.added(line) { '#' } else { '.' });
        assert_eq!(found.collect::<String>(), expected, "{path}: {text}");
    }

    #[test]
    fn lines_inside_of_a_comment_are_prose() {
        check("a.rs", "/* if one|fails|end */|if x {|}", ".##..");
        check("a.rs", "glob(\"src/**/*.rs\")|if x {|}", "...");
        check("a.rs", "/* short */|if x {", "..");
        check(
            "a.py",
            "def f():|    \"\"\"Raise.||    On error.|    \"\"\"|    raise x",
            "..###.",
        );
        check("a.py", "q = '''|select|'''|raise x", ".##.");
        check("a.py", "q = '''one''' + \"\"\"|two|\"\"\"|x", ".##.");
        check("a.html", "<!-- if|else -->|<p>", ".#.");
        check("a.sh", "/*|x", "..");
    }

    #[test]
    fn both_versions_are_followed() {
        let base = Document::from_text("/*\nold\n*/\ncode\n");
        let mut comments = BlockComments::new("a.c");
        comments.begin_hunk(&base, 1);
        assert!(comments.removed(1, "old"));
        assert!(comments.added("new */"));
        assert!(!comments.added("x = 1;"));
        comments.keep_to(&base, 3);
        assert!(!comments.removed(3, "code"));
    }
}
