//! Detects stubs: heads of blocks of the old text that the new one repeats without their bodies.
//!
//! A stub is recognized by what it replaces, a block of the same head whose lines are gone, so several of them are as many stubs.
//! One that says that its body is omitted (`{ ... }`, `# unchanged`) replaces a line or more. Any other text can be a body, such as
//! `{ todo!() }`: several lines must be gone.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::gap::{counts, is_word, words};
use crate::proposal::{StubText, has_word, stub_text};
use crate::review::session::hunk::Loss;
use crate::text::{LineIdx, LineNo};

/// Lines that must be gone below the head of any other stub.
const MISSING_BELOW: usize = 3;
/// The longest text behind a head, in words.
const MOST_WORDS: usize = 12;

/// The stubs of a new text, by their lines.
pub(super) struct Stubs<'t>(BTreeMap<usize, Stub<'t>>);

/// A head without its body.
struct Stub<'t> {
    /// The line up to its text.
    head: &'t str,
    /// The line behind the head.
    rest: &'t str,
    text: StubText,
    missing: Missing,
}

/// The lines of a body that are gone.
#[derive(Debug, Clone, Copy)]
struct Missing {
    first: LineIdx,
    last: LineIdx,
    count: usize,
}

/// Lost lines of all blocks with equal heads.
#[derive(Default)]
struct LostBodies<'o> {
    /// The lines of the first block that has lost any.
    any: Option<Missing>,
    /// The lines of the first block that has lost [`MISSING_BELOW`].
    several: Option<Missing>,
    /// The words of all of them.
    words: HashSet<&'o str>,
}

impl<'t> Stubs<'t> {
    /// Finds the lines of a new text that repeat the head of a block whose body is gone.
    pub(super) fn of(path: &str, old: &[&str], new: &[&'t str]) -> Self {
        let had = counts(old.iter().copied());
        let has = counts(new.iter().copied());
        let texts = Texts {
            path,
            new,
            lost: lost_bodies(old, |line| has.get(line) < had.get(line)),
            had,
        };
        let mut stubs: BTreeMap<usize, Stub<'t>> = (0..new.len())
            .filter_map(|at| Some((at, texts.stub_at(at)?)))
            .collect();
        let others = new.iter().enumerate();
        let others = others.filter(|(at, _)| !stubs.contains_key(at));
        let known: HashSet<&str> = others.flat_map(|(_, line)| words(line)).collect();
        stubs.retain(|_, stub| {
            stub.text != StubText::Words || !stub.has_word_of(|word| known.contains(word))
        });
        Self(stubs)
    }

    /// Returns true for a stub that says that its body is omitted.
    pub(super) fn is_mark(&self, at: usize) -> bool {
        self.0
            .get(&at)
            .is_some_and(|stub| stub.text != StubText::Other)
    }

    /// Returns the text of a stub that does not say that its body is omitted.
    pub(super) fn other_text(&self, at: usize) -> Option<&'t str> {
        let stub = self.0.get(&at);
        stub.filter(|stub| stub.text == StubText::Other)
            .map(|stub| stub.rest)
    }

    /// Returns the loss of the first stub that says that its body is omitted, within brackets or in a comment.
    pub(super) fn loss(&self, new: &[&str]) -> Option<Loss> {
        let mut stubs = self.0.iter();
        let (at, stub) =
            stubs.find(|(_, stub)| matches!(stub.text, StubText::Omits | StubText::Words))?;
        let Missing { first, last, count } = stub.missing;
        Some(Loss::Omission {
            mark: new[*at].trim().to_owned(),
            lines: (LineNo::from_idx(first), LineNo::from_idx(last)),
            count,
        })
    }
}

/// A new text, with what its lines are compared by.
struct Texts<'o, 'n, 't> {
    path: &'o str,
    new: &'n [&'t str],
    /// Lost lines of the blocks of the old text, by their heads.
    lost: HashMap<&'o str, LostBodies<'o>>,
    /// The number of times that each line was there.
    had: HashMap<&'o str, usize>,
}

impl<'t> Texts<'_, '_, 't> {
    /// Reads a line of the new text as a stub.
    fn stub_at(&self, at: usize) -> Option<Stub<'t>> {
        let line = self.new[at].trim();
        if self.had.contains_key(line) {
            return None;
        }
        let ends = word_ends(line).rev().take(MOST_WORDS + 1);
        let readings =
            ends.filter_map(|end| Some((self.lost.get(&line[..end])?, line.split_at(end))));
        let mut readings = readings.peekable();
        readings.peek()?;
        let inner = inner_lines(&self.new[at..]);
        readings.find_map(|(lost, (head, rest))| {
            let text = stub_text(self.path, rest);
            let missing = lost.replaced_by(text, inner)?;
            let stub = Stub {
                head,
                rest,
                text,
                missing,
            };
            // Nothing that it has can be another body.
            let is_new = || !stub.has_word_of(|word| lost.words.contains(word));
            (text == StubText::Omits || is_new()).then_some(stub)
        })
    }
}

impl LostBodies<'_> {
    /// Returns the lines that a text behind the head replaces, if it can be the whole body with what is below it.
    fn replaced_by(&self, text: StubText, inner: Inner) -> Option<Missing> {
        match text {
            StubText::Omits => self.any.filter(|_| inner != Inner::Code),
            StubText::Words | StubText::Dots => self.any.filter(|_| inner == Inner::Nothing),
            StubText::Other => self.several.filter(|_| inner == Inner::Nothing),
        }
    }
}

impl Stub<'_> {
    /// Returns true if the text behind the head has a known word, or one of the head.
    fn has_word_of(&self, is_known: impl Fn(&str) -> bool) -> bool {
        let is_of_head = |word| words(self.head).any(|own| own == word);
        words(self.rest).any(|word| is_known(word) || is_of_head(word))
    }
}

/// The lines below a head that are indented more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inner {
    /// None, or signs alone.
    Nothing,
    /// One word that does nothing, such as `pass`.
    Word,
    /// Any other lines.
    Code,
}

/// Reads the lines below the first one that are indented more than it.
fn inner_lines(lines: &[&str]) -> Inner {
    let mut below = body(lines, 0);
    let Some(first) = below.next() else {
        return Inner::Nothing;
    };
    let word = lines[first].trim().trim_end_matches(';');
    let is_word = word.chars().all(char::is_alphabetic) && below.next().is_none();
    if is_word { Inner::Word } else { Inner::Code }
}

/// Returns the lines with words below a line that are indented more than it.
fn body(lines: &[&str], head: LineIdx) -> impl Iterator<Item = LineIdx> {
    let with_words = (head + 1..lines.len()).filter(|&at| has_word(lines[at]));
    with_words.take_while(move |&at| depth(lines[at]) > depth(lines[head]))
}

/// Collects the lost lines of each block by its head: a line above others that are indented more, up to its last word.
///
/// A line is in as many bodies as it has levels of indentation, so the time is linear in the length of the text.
fn lost_bodies<'o>(
    old: &[&'o str],
    is_gone: impl Fn(&str) -> bool,
) -> HashMap<&'o str, LostBodies<'o>> {
    let mut lost: HashMap<&str, LostBodies> = HashMap::new();
    for at in (0..old.len()).filter(|&at| has_word(old[at])) {
        let mut inner = body(old, at).peekable();
        if inner.peek().is_none() {
            continue;
        }
        let head = old[at].trim().trim_end_matches(|c| !is_word(c));
        let bodies = lost.entry(head).or_default();
        let mut missing: Option<Missing> = None;
        for line in inner.filter(|&line| is_gone(old[line].trim())) {
            bodies.words.extend(words(old[line]));
            let first = missing.map_or(line, |missing| missing.first);
            let count = missing.map_or(0, |missing| missing.count) + 1;
            missing = Some(Missing {
                first,
                last: line,
                count,
            });
        }
        bodies.any = bodies.any.or(missing);
        let several = missing.filter(|missing| missing.count >= MISSING_BELOW);
        bodies.several = bodies.several.or(several);
    }
    lost
}

/// Returns the ends of the words of a line.
fn word_ends(line: &str) -> impl DoubleEndedIterator<Item = usize> + Clone {
    let words = line.char_indices().filter(|(_, c)| is_word(*c));
    let ends = words.map(|(at, c)| at + c.len_utf8());
    ends.filter(|&end| !line[end..].starts_with(is_word))
}

/// Returns the length of the indentation.
fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows the first stub of a new text that says that its body is omitted.
    #[track_caller]
    fn check(path: &str, old: &str, new: &str, expected: &str) {
        let [old, new] = [old, new].map(|text| text.split('|').collect::<Vec<_>>());
        let found = match Stubs::of(path, &old, &new).loss(&new) {
            Some(Loss::Omission { mark, lines, count }) => {
                format!("{mark} for {count} in {}-{}", lines.0, lines.1)
            }
            _ => String::new(),
        };
        assert_eq!(found, expected, "{path}: {old:?} => {new:?}");
    }

    const FILE: &str = "fn a(n) {|  n + k|}|fn b(m) {|  m * k|}|fn c() {|  k|}|z = 1";

    #[test]
    fn a_stub_replaces_one_line_or_more() {
        for stub in [
            "fn b(m) { ... }",
            "fn b(m) { /* unchanged */ }",
            "fn b(m) { // as before|}",
            "fn b(m) { existing code }",
        ] {
            let new = FILE.replace("fn b(m) {|  m * k|}", stub);
            let mark = stub.split('|').next().unwrap();
            check("a.x", FILE, &new, &format!("{mark} for 1 in 5-5"));
            // An edit beside it, and other stubs.
            check(
                "a.x",
                FILE,
                &new.replace("  n + k", "  n + 2|  n + 3|  n + 4"),
                &format!("{mark} for 1 in 5-5"),
            );
            let others = FILE
                .replace("fn b(m) {|  m * k|}", stub)
                .replace("fn c() {|  k|}", &stub.replace("b(m)", "c()"));
            check("a.x", FILE, &others, &format!("{mark} for 1 in 5-5"));
        }
        let old = "def a(n):|    return n|def b(m):|    return m|c = 1";
        for stub in [
            "def b(m):  # ... existing code ...|    pass",
            "def b(m): pass  # unchanged",
            "def b(m): ...  # same",
        ] {
            let mark = stub.split('|').next().unwrap();
            let new = old.replace("def b(m):|    return m", stub);
            check("a.py", old, &new, &format!("{mark} for 1 in 4-4"));
        }
        let old = r#"{|  "a": {|    "x": 1|  },|  "b": {|    "y": 2|  }|}"#;
        for stub in [
            r#"{ "...": "..." }"#,
            "{ /* unchanged */ }",
            "{ ... }",
            r#"{ "rest": "unchanged" }"#,
        ] {
            let new = old.replace("{|    \"y\": 2|  }", stub);
            check("a.json", old, &new, &format!("\"b\": {stub} for 1 in 6-6"));
        }
    }

    #[test]
    fn a_head_with_code_is_no_stub() {
        for body in [
            // It does something, or nothing on purpose.
            "fn b(m) { m }",
            "fn b(m) {}",
            "fn b(m) { // nothing to do|}",
            // The words are those of the text.
            "fn b(rest) { rest }",
            "fn b(m) { ...rest }",
            // Another body below the comment.
            "fn b(m) { // same as a|  m + k|}",
            // The body is there.
            "fn b(m) { // as before|}|fn d() {|  m * k|}",
        ] {
            check("a.x", FILE, &FILE.replace("fn b(m) {|  m * k|}", body), "");
        }
        let kept = FILE.replace("z = 1", "keep = rest(1)");
        let new = kept.replace("fn b(m) {|  m * k|}", "fn b(m) { keep }");
        check("a.x", &kept, &new, "");
        // The file has it, nothing was below it, or the head is new.
        let had = format!("{FILE}|fn d() {{ ... }}");
        check("a.x", &had, &had.replace("z = 1", "z = 2"), "");
        let empty = FILE.replace("|  m * k", "");
        check(
            "a.x",
            &empty,
            &empty.replace("fn b(m) {|}", "fn b(m) { ... }"),
            "",
        );
        check("a.x", FILE, &format!("{FILE}|fn d() {{ ... }}"), "");
        // The words are those of another block of the same head.
        let old = "if n {|  a|  b|  c|}|if n {|  d|  e|  f|}";
        check("a.x", old, "if n { existing d }", "");
        // A body that is an ellipsis in place of one line.
        let old = "def a(n):|    raise X|def b(m):|    raise X";
        check("a.py", old, "def a(n): ...|def b(m): ...", "");
    }
}
