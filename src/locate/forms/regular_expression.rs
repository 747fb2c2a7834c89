//! Replacements by a regular expression of Python's `re` module, as Serena makes them.
//!
//! `oraios/serena src/serena/util/text_utils.py` (`ContentReplacer`): the flags are `DOTALL` and `MULTILINE`; a match of several
//! lines in which the expression matches again is ambiguous; `$!1` in the replacement is the first group.
//!
//! An expression is translated only if both engines find the same matches; any other is refused.

use regex::{Captures, Regex};

use crate::locate::forms::whole_text::{no_target, placed, plain_text};
use crate::locate::matching::index::Index;
use crate::locate::placement::{Confidence, Location};
use crate::proposal::Hunk;
use crate::text::plural;

/// Places a hunk on the matches of its anchor.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk, every: bool) -> Location {
    let Some(anchor) = hunk.anchors.first() else {
        return no_target("the edit has no regular expression");
    };
    let document = index.document;
    let text = plain_text(document);
    let with = hunk.body.postimage.join("\n");
    match replaced(&anchor.text, &with, every, &text) {
        Ok((new, confidence)) => placed(document, &new, confidence),
        Err(why) => no_target(why),
    }
}

/// Returns a text with the matches replaced.
fn replaced(
    pattern: &str,
    with: &str,
    every: bool,
    text: &str,
) -> Result<(String, Confidence), String> {
    let translated = Translated::of(pattern)?;
    if translated.has_words && text.chars().any(is_word_in_one_engine)
        || translated.has_blanks && text.contains(['\x1c', '\x1d', '\x1e', '\x1f'])
    {
        return Err("the file has characters of which Python's `re` decides in its own way".into());
    }
    let regex = Regex::new(&format!("(?ms){}", translated.pattern))
        .map_err(|_| "the regular expression is not valid, or too large".to_owned())?;
    let parts = parts(with);
    let (mut new, mut end, mut count) = (String::new(), 0, 0);
    let mut is_within_line = true;
    for found in regex.captures_iter(text) {
        let whole = found.get_match();
        if whole.is_empty() {
            return Err("the regular expression matches an empty text".to_owned());
        }
        if whole.as_str().contains('\n') {
            is_within_line = false;
            let mut rest = whole.as_str().chars();
            rest.next();
            if regex.is_match(rest.as_str()) {
                return Err("the regular expression matches again within its match".to_owned());
            }
        }
        count += 1;
        new.push_str(&text[end..whole.start()]);
        expand(&mut new, &parts, &found)?;
        end = whole.end();
    }
    new.push_str(&text[end..]);
    match count {
        0 => Err("the regular expression does not match".to_owned()),
        2.. if !every => Err(format!(
            "the regular expression matches in {}, and the edit asks for one",
            plural(count, "place")
        )),
        _ if is_within_line => Ok((new, Confidence::Safe)),
        _ => Ok((new, Confidence::Fuzzy)),
    }
}

/// A part of a replacement.
#[derive(Debug, PartialEq, Eq)]
enum ReplacementPart<'a> {
    Text(&'a str),
    /// A group, and how it is written.
    Group(usize, &'a str),
}

/// Cuts a replacement at its groups.
fn parts(with: &str) -> Vec<ReplacementPart<'_>> {
    let (mut parts, mut rest) = (Vec::new(), with);
    while let Some(at) = rest.find("$!") {
        let digits = rest[at + 2..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let (head, written, tail) = (
            &rest[..at],
            &rest[at..at + 2 + digits],
            &rest[at + 2 + digits..],
        );
        parts.push(ReplacementPart::Text(head));
        parts.push(match written[2..].parse() {
            Ok(group) => ReplacementPart::Group(group, written),
            Err(_) => ReplacementPart::Text(written),
        });
        rest = tail;
    }
    parts.push(ReplacementPart::Text(rest));
    parts
}

/// Writes the replacement of a match.
fn expand(
    new: &mut String,
    parts: &[ReplacementPart<'_>],
    found: &Captures<'_>,
) -> Result<(), String> {
    for part in parts {
        new.push_str(match part {
            ReplacementPart::Text(text) => text,
            ReplacementPart::Group(group, _) if *group >= found.len() => {
                return Err(format!("the regular expression has no group {group}"));
            }
            // A group without a match stays as it is written.
            ReplacementPart::Group(group, written) => {
                found.get(*group).map_or(written, |text| text.as_str())
            }
        });
    }
    Ok(())
}

/// Returns `true` for a character that is part of a word for one engine and not for the other.
fn is_word_in_one_engine(c: char) -> bool {
    use std::sync::LazyLock;
    static EITHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let class = r"[[\p{M}\p{No}\p{Nl}\p{Pc}\p{So}\p{Join_Control}]--[_]]";
        Regex::new(class).ok()
    });
    if c.is_ascii() {
        return false;
    }
    let either = EITHER.as_ref();
    either.is_none_or(|either| either.is_match(c.encode_utf8(&mut [0; 4])))
}

/// An expression in the syntax of the `regex` crate.
#[derive(Debug, Default)]
struct Translated {
    pattern: String,
    /// True if it depends on which characters are parts of words.
    has_words: bool,
    /// True if it depends on which characters are blanks.
    has_blanks: bool,
}

impl Translated {
    /// Translates an expression of Python.
    fn of(pattern: &str) -> Result<Self, String> {
        let mut made = Self::default();
        let mut rest = pattern;
        // True behind an atom, which a quantifier may follow.
        let mut may_repeat = false;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                '\\' => rest = made.escape(rest)?,
                '[' => rest = made.class(rest)?,
                '(' => rest = made.group(rest)?,
                '*' | '+' | '?' => {
                    if !may_repeat {
                        return Err(unknown("a quantifier behind a quantifier"));
                    }
                    made.pattern.push(c);
                    rest = made.laziness(rest)?;
                    may_repeat = false;
                    continue;
                }
                '{' => {
                    if let Some((bounds, after)) = bounds(rest) {
                        if !may_repeat {
                            return Err(unknown("a quantifier behind a quantifier"));
                        }
                        made.pattern.push_str(&bounds);
                        rest = made.laziness(after)?;
                        may_repeat = false;
                        continue;
                    }
                    made.pattern.push_str(r"\{");
                }
                '.' | '^' | '$' | '|' | ')' => made.pattern.push(c),
                c => made
                    .pattern
                    .push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            }
            may_repeat = !matches!(c, '^' | '$' | '|' | '(');
        }
        Ok(made)
    }

    /// Reads what follows a backslash.
    fn escape<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        let c = rest.chars().next();
        let c = c.ok_or_else(|| unknown("a backslash at the end"))?;
        match c {
            'Z' => self.pattern.push_str(r"\z"),
            'A' | 'n' | 'r' | 't' | 'f' | 'v' | 'a' | 'x' | 'u' | 'U' | 'd' | 'D' => self.keep(c),
            'b' | 'B' | 'w' | 'W' => {
                self.has_words = true;
                self.keep(c);
            }
            's' | 'S' => {
                self.has_blanks = true;
                self.keep(c);
            }
            c if c.is_ascii_alphanumeric() => {
                return Err(unknown(
                    "a backreference, or an escape that only Python has",
                ));
            }
            c => self
                .pattern
                .push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        Ok(&rest[c.len_utf8()..])
    }

    fn keep(&mut self, c: char) {
        self.pattern.push('\\');
        self.pattern.push(c);
    }

    /// Reads a class of characters behind its bracket.
    fn class<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        let (mut rest, negated) = match rest.strip_prefix('^') {
            Some(rest) => (rest, "^"),
            None => (rest, ""),
        };
        self.pattern.push('[');
        self.pattern.push_str(negated);
        let mut is_first = true;
        loop {
            let mut chars = rest.chars();
            let c = chars
                .next()
                .ok_or_else(|| unknown("a class without an end"))?;
            let after = chars.as_str();
            match c {
                ']' if !is_first => {
                    self.pattern.push(']');
                    return Ok(after);
                }
                '\\' => {
                    let c = after.chars().next();
                    match c {
                        Some('b') => {
                            self.pattern.push_str(r"\x08");
                            rest = &after[1..];
                        }
                        Some('A' | 'Z' | 'B') => return Err(unknown("an anchor in a class")),
                        Some(c) if c.is_ascii_punctuation() => {
                            self.keep(c);
                            rest = &after[1..];
                        }
                        _ => rest = self.escape(after)?,
                    }
                }
                // A range, or a sign at an end of the class.
                '-' if !is_first && !after.starts_with(']') => {
                    if self.pattern.ends_with(['w', 'W', 's', 'S', 'd', 'D'])
                        && self.pattern[..self.pattern.len() - 1].ends_with('\\')
                    {
                        return Err(unknown("a range of classes"));
                    }
                    self.pattern.push('-');
                    rest = after;
                }
                c if c.is_ascii_punctuation() => {
                    self.keep(c);
                    rest = after;
                }
                c => {
                    self.pattern.push(c);
                    rest = after;
                }
            }
            is_first = false;
        }
    }

    /// Reads the head of a group behind its parenthesis.
    fn group<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        let Some(inner) = rest.strip_prefix('?') else {
            self.pattern.push('(');
            return Ok(rest);
        };
        let end = inner.find([':', '>', ')', '=', '!']);
        let end = end.ok_or_else(|| unknown("a group without an end"))?;
        let head = &inner[..=end];
        let flags = head.strip_suffix([':', ')']);
        let is_known = match head
            .strip_prefix("P<")
            .and_then(|name| name.strip_suffix('>'))
        {
            Some(name) => name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
            None => flags.is_some_and(|flags| {
                let is_global = head.ends_with(')');
                flags.chars().all(|c| "ims".contains(c)) && (!is_global || self.pattern.is_empty())
            }),
        };
        if !is_known {
            return Err(unknown(
                "a look-around or another group that only Python has",
            ));
        }
        self.pattern.push_str("(?");
        self.pattern.push_str(head);
        Ok(&inner[end + 1..])
    }

    /// Reads the sign behind a quantifier.
    fn laziness<'a>(&mut self, rest: &'a str) -> Result<&'a str, String> {
        if rest.starts_with('+') {
            return Err(unknown("a possessive quantifier"));
        }
        Ok(rest.strip_prefix('?').map_or(rest, |rest| {
            self.pattern.push('?');
            rest
        }))
    }
}

fn unknown(found: &str) -> String {
    format!("the regular expression has {found}, which is not read here")
}

/// Returns the bounds of a quantifier behind its brace, and what follows; `None` for a brace that is a character.
fn bounds(rest: &str) -> Option<(String, &str)> {
    let is_bound = |c: &u8| c.is_ascii_digit() || *c == b',';
    let (inner, after) = rest.split_at(rest.bytes().take_while(|c| is_bound(c)).count());
    let after = after.strip_prefix('}')?;
    let is_number = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    let bounds = match inner.split_once(',') {
        None if !inner.is_empty() && is_number(inner) => format!("{{{inner}}}"),
        Some((low, high)) if is_number(low) && is_number(high) && inner.len() > 1 => {
            let low = if low.is_empty() { "0" } else { low };
            format!("{{{low},{high}}}")
        }
        Some(_) | None => return None,
    };
    Some((bounds, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_those_of_python() {
        let check = |pattern: &str, with: &str, text: &str, expected: &str| {
            let found = replaced(pattern, with, true, text);
            let found = found.map_or_else(|why| why, |(new, _)| new);
            assert_eq!(found, expected, "{pattern} {text:?}");
        };
        // The results are those of Python 3.11.
        check(r"return a \+ b", "return b", "return a + b\n", "return b\n");
        check("a.*?c", "x", "a\nb\nc c\n", "x c\n");
        check("^b$", "x", "a\nb\n", "a\nx\n");
        check(r"(\w+) (\w+)", "$!2 $!1", "one two\n", "two one\n");
        check("(a)|(b)", "<$!1$!2>", "ab", "<a$!2><$!1b>");
        check("a", "$! $!x", "a", "$! $!x");
        check("a", "$!1", "a", "the regular expression has no group 1");
        check("f{x}", "y", "f{x}", "y");
        check("a{,2}b", "y", "aab", "y");
        check("x{2,}?", "y", "xxx", "yx");
        check("[]a]+", "x", "]a[", "x[");
        check("[a-c-]+", "x", "b-d", "xd");
        check("[[&&]+", "x", "[&a", "xa");
        check(r"[\]\\\w]+", "x", r"\]a-", "x-");
        check(r"\<p\>", "x", "<p>", "x");
        check(r"(?P<name>a)b", "$!1", "ab", "a");
        check("(?i)A", "x", "a", "x");
        check(r"b\Z", "x", "b\nb", "b\nx");
        check(
            "a*",
            "x",
            "b",
            "the regular expression matches an empty text",
        );
        check("a", "x", "b", "the regular expression does not match");
        check(
            "a.*?b",
            "x",
            "a\na\nb",
            "the regular expression matches again within its match",
        );
        check(
            "(a",
            "x",
            "a",
            "the regular expression is not valid, or too large",
        );
        let groups = "a look-around or another group that only Python has";
        check("(?=a)", "x", "a", &unknown(groups));
        check("(?<!a)b", "x", "b", &unknown(groups));
        check("b(?i)a", "x", "a", &unknown(groups));
        check("a++", "x", "a", &unknown("a possessive quantifier"));
        check(
            "a**",
            "x",
            "a",
            &unknown("a quantifier behind a quantifier"),
        );
        let escape = "a backreference, or an escape that only Python has";
        check(r"(a)\1", "x", "aa", &unknown(escape));
        check(r"[\w-z]", "x", "a", &unknown("a range of classes"));
        check("[a", "x", "a", &unknown("a class without an end"));
    }

    #[test]
    fn one_match_is_asked_for_unless_all_are() {
        let check = |every: bool, text: &str, expected: &str| {
            let found = replaced("a(\n)?", "x", every, text);
            let found = found.map(|(new, confidence)| format!("{new:?} {confidence:?}"));
            assert_eq!(found.unwrap_or_else(|why| why), expected);
        };
        check(false, "a b", "\"x b\" Safe");
        check(false, "a\nb", "\"xb\" Fuzzy");
        check(true, "aa", "\"xx\" Safe");
        check(
            false,
            "aa",
            "the regular expression matches in 2 places, and the edit asks for one",
        );
    }

    #[test]
    fn characters_on_which_the_engines_differ_are_refused() {
        let check = |pattern: &str, text: &str, expected: bool| {
            assert_eq!(
                replaced(pattern, "x", true, text).is_ok(),
                expected,
                "{pattern} {text:?}"
            );
        };
        check(r"\w", "é", true);
        check(r"\w", "a²", false);
        check("a", "a²", true);
        check(r"a\s", "a \x1c", false);
        check("a", "a \x1c", true);
    }
}
