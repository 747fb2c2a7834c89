//! Detects stubs: heads of blocks of the old text that the new one repeats without their bodies.
//!
//! A stub is recognized by what it replaces: each one is compared with its own block, so several of them are as many stubs. One
//! that says that its body is omitted (`{ ... }`, `# unchanged`) replaces a line or more. Any other text can be a body, such as
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
    /// The lines of the body that are gone.
    missing: Vec<LineIdx>,
}

impl<'t> Stubs<'t> {
    /// Finds the lines of a new text that repeat the head of a block whose body is gone.
    pub(super) fn of(path: &str, old: &[&str], new: &[&'t str]) -> Self {
        let texts = Texts {
            path,
            old,
            new,
            heads: heads(old),
            had: counts(old.iter().copied()),
            has: counts(new.iter().copied()),
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
        let (first, last) = (stub.missing.first()?, stub.missing.last()?);
        Some(Loss::Omission {
            mark: new[*at].trim().to_owned(),
            lines: (LineNo::from_idx(*first), LineNo::from_idx(*last)),
            count: stub.missing.len(),
        })
    }
}

/// Both texts, with what their lines are compared by.
struct Texts<'o, 'n, 't> {
    path: &'o str,
    old: &'o [&'o str],
    new: &'n [&'t str],
    heads: HashMap<&'o str, Vec<LineIdx>>,
    /// The number of times that each line was there, and that it is there now.
    had: HashMap<&'o str, usize>,
    has: HashMap<&'t str, usize>,
}

impl<'t> Texts<'_, '_, 't> {
    /// Reads a line of the new text as a stub.
    fn stub_at(&self, at: usize) -> Option<Stub<'t>> {
        let line = self.new[at].trim();
        if self.had.contains_key(line) {
            return None;
        }
        let readings = word_ends(line).rev().take(MOST_WORDS + 1).flat_map(|end| {
            let heads = self.heads.get(&line[..end]).into_iter().flatten().rev();
            heads.map(move |&head| (head, line.split_at(end)))
        });
        let mut readings = readings.peekable();
        readings.peek()?;
        let inner = inner_lines(&self.new[at..]);
        readings.find_map(|(of, (head, rest))| {
            let missing = body(self.old, of).filter(|&at| self.is_gone(self.old[at].trim()));
            let stub = Stub {
                head,
                rest,
                text: stub_text(self.path, rest),
                missing: missing.collect(),
            };
            stub.replaces_body(self.old, inner).then_some(stub)
        })
    }

    /// Returns true if the new text has a line less often.
    fn is_gone(&self, line: &str) -> bool {
        self.has.get(line) < self.had.get(line)
    }
}

impl Stub<'_> {
    /// Returns true if nothing that the stub has can be another body.
    fn replaces_body(&self, old: &[&str], inner: Inner) -> bool {
        let least = match self.text {
            StubText::Omits => return inner != Inner::Code && !self.missing.is_empty(),
            StubText::Words | StubText::Dots => 1,
            StubText::Other => MISSING_BELOW,
        };
        let lost: HashSet<&str> = self.missing.iter().flat_map(|&at| words(old[at])).collect();
        let is_new = !self.has_word_of(|word| lost.contains(word));
        inner == Inner::Nothing && self.missing.len() >= least && is_new
    }

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

/// Finds the lines that have others below them which are indented more, by their text up to the last word.
fn heads<'o>(old: &[&'o str]) -> HashMap<&'o str, Vec<LineIdx>> {
    let mut heads: HashMap<&str, Vec<LineIdx>> = HashMap::new();
    let mut below: Option<LineIdx> = None;
    for at in (0..old.len()).rev().filter(|&at| has_word(old[at])) {
        if below.is_some_and(|below| depth(old[below]) > depth(old[at])) {
            let head = old[at].trim().trim_end_matches(|c| !is_word(c));
            heads.entry(head).or_default().push(at);
        }
        below = Some(at);
    }
    heads
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
        // A body that is an ellipsis in place of one line.
        let old = "def a(n):|    raise X|def b(m):|    raise X";
        check("a.py", old, "def a(n): ...|def b(m): ...", "");
    }
}
