//! Finds texts between two lines that only bracket them: a comment of several lines, a part that is turned off, an element.
//!
//! Each language has brackets of its own, and a list of them is never complete. Two lines are a pair by their shape: the same signs
//! begin both, the closing line has words or signs of the opening one, or it closes other blocks of the file too. A pair with
//! nothing but a text inside is no code.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::foreign_comment::turned;
use super::gap::{counts, words};
use crate::proposal::{
    Placeholder, has_word, is_explicit, is_prose_file, phrase_grade, placeholder, speaks,
};

/// A text of more lines is no mark.
const MOST_LINES: usize = 3;
/// An opening line of more words states something.
const MOST_OPENING_WORDS: usize = 4;
/// An opening line of more words has no mark beside its name.
const MOST_NAME_WORDS: usize = 8;
/// A closing line of more words states something.
const MOST_CLOSING_WORDS: usize = 2;
/// The shortest part of a word that shows which one it closes: `fi`, `endif`.
const LEAST_LETTERS: usize = 2;
/// Blocks of the file that a line closes before it is known to close any.
const LEAST_BLOCKS: usize = 2;

/// A new text without the lines that only bracket a text.
pub(super) struct Framed<'a> {
    /// The lines. A bracketing one is empty.
    pub(super) lines: Vec<&'a str>,
    /// The lines of the texts, with their grades.
    pub(super) texts: HashMap<usize, Placeholder>,
}

impl<'a> Framed<'a> {
    /// Empties the bracketing lines of a new text that the old one does not have.
    pub(super) fn of(path: &str, old: &[&'a str], new: &[&'a str]) -> Self {
        let pairs = BracketSearch::of(path, old, new);
        let mut framed = Self {
            lines: new.to_vec(),
            texts: HashMap::new(),
        };
        let mut at = 0;
        while at < new.len() {
            let Some(frame) = pairs.opened_by(at) else {
                at += 1;
                continue;
            };
            for edge in &frame.edges {
                framed.lines[*edge] = "";
            }
            at = frame.closing;
            framed.texts.extend(frame.texts);
        }
        framed
    }
}

/// Two lines and the text that they bracket.
struct Frame {
    /// The bracketing lines that the old text does not have.
    edges: Vec<usize>,
    closing: usize,
    texts: Vec<(usize, Placeholder)>,
}

/// Relation of two lines that bracket others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brackets {
    /// The lines have signs alone.
    Signs,
    /// The closing line has the name of the opening one.
    Named,
    /// The same signs begin both.
    Led,
    /// The file has other blocks that end with the closing line.
    Block,
}

/// Finds pairs of bracketing lines.
struct BracketSearch<'a> {
    path: &'a str,
    old: &'a [&'a str],
    new: &'a [&'a str],
    had: HashMap<&'a str, usize>,
    has: HashMap<&'a str, usize>,
    /// True if some text of the file is the content of elements.
    is_markup: bool,
    /// The words of both texts.
    words: OnceCell<HashMap<&'a str, OnlyLine<'a>>>,
    /// The beginnings, up to the first word, of the old lines that the new text lacks.
    lost: OnceCell<HashSet<&'a str>>,
}

/// The line that has a word; `None` if different lines do.
type OnlyLine<'a> = Option<&'a str>;

impl<'a> BracketSearch<'a> {
    fn of(path: &'a str, old: &'a [&'a str], new: &'a [&'a str]) -> Self {
        let [had, has] = [old, new].map(|lines| counts(lines.iter().copied()));
        Self {
            path,
            old,
            new,
            had,
            has,
            is_markup: old.iter().any(|line| is_tag(line.trim())),
            words: OnceCell::new(),
            lost: OnceCell::new(),
        }
    }

    /// Returns true for a line that the text has more often than before.
    fn is_new(&self, at: usize) -> bool {
        let line = self.new[at].trim();
        self.has.get(line) > self.had.get(line)
    }

    /// Returns the text that a line and one of the next lines bracket.
    fn opened_by(&self, opening: usize) -> Option<Frame> {
        let line = self.new[opening].trim();
        let is_possible = !line.is_empty()
            && words(line).nth(MOST_NAME_WORDS).is_none()
            && (!has_word(line) || self.is_new(opening));
        if !is_possible {
            return None;
        }
        let below = (opening + 1..self.new.len()).filter(|&at| !self.new[at].trim().is_empty());
        let below: Vec<usize> = below.take(MOST_LINES + 1).collect();
        let (length, pair) = (below.iter().enumerate())
            .find_map(|(length, &at)| Some((length, self.pair(line, self.new[at].trim())?)))?;
        let closing = below[length];
        let mut edges = vec![closing];
        let texts: Vec<(usize, Placeholder)> = if length == 0 {
            vec![(
                opening,
                named_text(line).filter(|_| pair == Brackets::Named)?,
            )]
        } else {
            edges.push(opening);
            let inside = below[..length].iter();
            let grades = inside.map(|&at| Some((at, self.text(line, self.new[at].trim(), pair)?)));
            grades.collect::<Option<_>>()?
        };
        edges.retain(|&at| self.is_new(at));
        Some(Frame {
            edges,
            closing,
            texts,
        })
    }

    /// Compares two lines of the new text by their shapes.
    fn pair(&self, opening: &str, closing: &str) -> Option<Brackets> {
        if !has_word(opening) {
            return mirrors(opening, closing).then_some(Brackets::Signs);
        }
        let [opens, closes] = [opening, closing].map(lowercase_words);
        if closes.len() > MOST_CLOSING_WORDS || opening == closing {
            return None;
        }
        let known = |word: &String| opens.contains(word);
        let [before, after] = [opening, closing].map(signs_before);
        let has_signs = !before.is_empty() && before.replace('/', "") == after.replace('/', "");
        let is_apart = opening[before.len()..].starts_with(' ');
        let is_short = opens.len() <= MOST_OPENING_WORDS;
        let is_named =
            closes_word(&opens[0], &closes) || has_signs && !is_apart && closes.iter().any(known);
        let is_text = is_prose_file(self.path) || placeholder(self.path, opening).is_some();
        if is_named || !is_text && !closes.is_empty() && is_short && closes.iter().all(known) {
            return Some(Brackets::Named);
        }
        if is_text || !is_short {
            return None;
        }
        if has_signs && !closes.is_empty() {
            return Some(Brackets::Led);
        }
        let closes_blocks = self.had.get(closing) >= Some(&LEAST_BLOCKS);
        (closes_blocks && closes.len() <= 1).then_some(Brackets::Block)
    }

    /// Grades a line between two bracketing ones; `None` for one that may be code.
    fn text(&self, opening: &str, line: &str, pair: Brackets) -> Option<Placeholder> {
        let phrase = phrase_grade(line).filter(|_| !self.is_markup || is_explicit(line));
        match (pair, placeholder(self.path, line)) {
            (Brackets::Block, None) => phrase,
            (Brackets::Signs, None) => phrase.map(|grade| grade.min(Placeholder::Comment)),
            (_, Some(Placeholder::Signs | Placeholder::Stub | Placeholder::Statement))
            // A comment in a block needs no other lines to be one.
            | (Brackets::Block, Some(_)) => None,
            (Brackets::Signs, grade) => grade,
            (Brackets::Named | Brackets::Led, grade) => {
                let signs = signs_before(line);
                let is_alike = !signs.is_empty() && signs == signs_before(opening);
                let grade = grade.max(phrase).or_else(|| self.foreign_words(line));
                let is_version = || self.is_version_of_lost(opening);
                let is_certain =
                    |grade: &Placeholder| *grade >= Placeholder::Phrase || !line.is_ascii();
                grade.filter(|grade| !is_alike && (is_certain(grade) || !is_version()))
            }
        }
    }

    /// Grades a line of plain words that are nowhere else. In markup, it is content.
    fn foreign_words(&self, line: &str) -> Option<Placeholder> {
        let is_sentence = line.contains(' ') || !line.is_ascii();
        let is_foreign = !self.is_markup
            && has_word(line)
            && is_sentence
            && line.chars().all(is_plain)
            && !words(line).any(|word| self.has_elsewhere(word, line));
        is_foreign.then_some(Placeholder::Comment)
    }

    /// Returns true if another line of either text has a word.
    fn has_elsewhere(&self, word: &str, line: &str) -> bool {
        let known = self.words.get_or_init(|| self.words());
        known.get(word).is_some_and(|only| *only != Some(line))
    }

    fn words(&self) -> HashMap<&'a str, OnlyLine<'a>> {
        let mut known = HashMap::new();
        for line in self.old.iter().chain(self.new) {
            for word in words(line) {
                let only = known.entry(word).or_insert(Some(line.trim()));
                *only = only.filter(|only| *only == line.trim());
            }
        }
        known
    }

    /// Returns true for a line that begins as a line does which the new text lacks.
    fn is_version_of_lost(&self, line: &str) -> bool {
        let lost = self.lost.get_or_init(|| {
            let lines = self.old.iter().map(|line| line.trim());
            let lost = lines.filter(|line| !self.has.contains_key(line));
            lost.filter_map(up_to_word).collect()
        });
        up_to_word(line).is_some_and(|begin| lost.contains(begin))
    }
}

/// Returns true for a line that begins with the tag of an element.
fn is_tag(line: &str) -> bool {
    let name = line.strip_prefix('<');
    name.is_some_and(|name| name.starts_with(char::is_alphabetic) && line.ends_with('>'))
}

/// Returns true for a letter, or for a sign of a sentence.
fn is_plain(c: char) -> bool {
    c.is_alphabetic() || c == ' ' || ".,!:'’-".contains(c) || !c.is_ascii()
}

/// Returns the beginning of a line with its first word.
fn up_to_word(line: &str) -> Option<&str> {
    let word = words(line).next()?;
    Some(&line[..line.find(word)? + word.len()])
}

/// Grades an opening line that has a text of its own, as `#region rest unchanged` does.
fn named_text(line: &str) -> Option<Placeholder> {
    let is_plain = !line.contains(['=', '"']);
    (is_plain && speaks(line)).then_some(Placeholder::Phrase)
}

/// Returns the letters and digits of a line.
fn lowercase_words(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns true if words have a part of an opening one at their end (`endif` for `ifdef`) or in turned order (`fi`).
fn closes_word(opening: &str, closing: &[String]) -> bool {
    let end = closing.concat();
    let turned: String = end.chars().rev().collect();
    let mut parts = opening
        .char_indices()
        .map(|(at, c)| &opening[..at + c.len_utf8()]);
    turned.len() >= LEAST_LETTERS && opening.contains(&turned)
        || parts.any(|part| {
            let is_end = part.len() >= LEAST_LETTERS && end.ends_with(part);
            is_end && end.len() > part.len()
        })
}

/// Returns true if a line begins with signs of another one, with its brackets turned.
fn mirrors(opening: &str, closing: &str) -> bool {
    let signs = signs_before(closing);
    let is_alone = lowercase_words(closing).len() <= MOST_CLOSING_WORDS;
    let is_turned = |c: char| opening.chars().any(|open| turned(open) == c);
    is_alone && !signs.is_empty() && !opening.contains('`') && signs.chars().all(is_turned)
}

/// Returns the signs that a line begins with.
fn signs_before(line: &str) -> &str {
    let end = line.find(|c: char| !c.is_ascii_punctuation());
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows the texts that are found, and the lines that are left of a new text.
    #[track_caller]
    fn check(path: &str, new: &str, expected: &str) {
        let old = "if a then|  go 1|end|if b then|  go 2|end|#if C > 1|  go 3|#endif";
        let [old, new] = [old, new].map(|text| text.split('|').collect::<Vec<_>>());
        let framed = Framed::of(path, &old, &new);
        let texts = (0..new.len()).filter_map(|at| {
            let grade = framed.texts.get(&at)?;
            Some(format!("{grade:?} {}", new[at].trim()))
        });
        let emptied = (0..new.len()).filter(|&at| new[at] != framed.lines[at]);
        let shown = texts.chain(emptied.map(|at| new[at].trim().to_owned()));
        assert_eq!(shown.collect::<Vec<_>>().join(" | "), expected, "{new:?}");
    }

    #[test]
    fn a_text_between_two_lines_of_a_pair_is_no_code() {
        // The file has `#endif` as often as before.
        let new_end = |closing: &str| match closing {
            "#endif" => String::new(),
            _ => format!(" | {closing}"),
        };
        let all = |path: &str, pairs: &[(&str, &str)]| {
            for (opening, closing) in pairs {
                let new = format!("go 1|{opening}|  nothing below has changed, keep it|{closing}");
                let text = "Phrase nothing below has changed, keep it";
                check(
                    path,
                    &new,
                    &format!("{text} | {opening}{}", new_end(closing)),
                );
            }
        };
        all(
            "a.x",
            &[
                ("=begin", "=end"),
                ("#if 0", "#endif"),
                (".ifdef NEVER", ".endif"),
                ("define SKIP", "endef"),
                ("case nil", "esac"),
                ("If False Then", "End If"),
                ("cat <<'SKIP' >/dev/null", "SKIP"),
                ("{% skip %}", "{% endskip %}"),
                ("<skip>", "</skip>"),
                ("@ignore", "@end ignore"),
            ],
        );
        all(
            "a.tex",
            &[
                ("\\begin{skip}", "\\end{skip}"),
                ("\\iffalse", "\\fi"),
                ("ifdef::never[]", "endif::[]"),
            ],
        );
        // A block of the file, and signs alone.
        check(
            "a.x",
            "while no|  the rest stays|end",
            "Phrase the rest stays | while no",
        );
        for (opening, closing) in [("--[[", "]]"), ("(*", "*)"), (": '", "'"), ("////", "////")] {
            let expected = format!("Comment the rest stays | {opening} | {closing}");
            check(
                "a.x",
                &format!("{opening}|the rest stays|{closing}"),
                &expected,
            );
        }
        // Words that are nowhere else, and a mark beside the name.
        check(
            "a.x",
            "=pod|alles wie gehabt|=cut",
            "Comment alles wie gehabt | =pod | =cut",
        );
        check(
            "a.x",
            "#part other|#endpart",
            "Phrase #part other | #endpart",
        );
    }

    #[test]
    fn code_between_two_lines_is_no_text() {
        for new in [
            // Code, words of the file, and too many lines.
            "#if D|  run();|#endif",
            "=begin|  go|=end",
            "=begin|the rest|of it|is kept|as it was|=end",
            // Another version of a line of the file.
            "#if D|alles wie gehabt|#endif",
            // No pair: another sign, or a line that states something.
            "=begin|the rest stays|#end",
            "@one|the rest stays|@two three four",
            "x = run(y)|# keep the rest|z = run(w)",
            "@one|@rest|@two",
            // A comment in a block that the file has more of.
            "while no|  # the rest stays|end",
            // The file has the pair.
            "#if C > 1|the rest stays|#endif",
        ] {
            check("a.x", new, "");
        }
        // Content of elements.
        for new in [
            "<p>|The other things.|</p>",
            "<p>|Herzlich willkommen|</p>",
            "{% block a %}|Herzlich willkommen|{% endblock %}",
        ] {
            let new = format!("<b>go</b>|{new}");
            let old: Vec<&str> = vec!["<b>go</b>", "x", "y"];
            let new: Vec<&str> = new.split('|').collect();
            assert!(Framed::of("a.x", &old, &new).texts.is_empty(), "{new:?}");
        }
        // Headings and lists of prose.
        for new in [
            "## One|The rest stays.|## Two",
            "- one|The rest stays.|- two",
        ] {
            check("a.md", new, "");
        }
    }
}
