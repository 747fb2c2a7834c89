//! Detects a line that shares no word with the text around it, in place of lines of a file.
//!
//! Names and keywords tie code to the code around it. A line that only replaces omitted code has no word at all (`;`, `{}`), words that
//! the text has nowhere else (`rest unchanged`, `<rest/>`), or the names of what is missing (`parse, render`). An edit that was written
//! as the text of a file is such a line too.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::gap::{Gap, anchors, inner, is_word, words};
use super::running_text::is_rule_of_heading;
use super::stub::Stubs;
use crate::proposal::{has_word, is_comment, is_comment_edge};
use crate::text::LineIdx;

/// Lines that must be missing for each new line in their place.
const MISSING: usize = 2;
/// Lines that must be missing for a range of them.
const MISSING_IN_RANGE: usize = 3;
/// Lines that must be missing in place of a line of their kind: two settings may have become one.
const MISSING_OF_KIND: usize = 4;
/// The longest sign or word between the ends of a range.
const MOST_BETWEEN: usize = 5;
/// Other new lines beside the foreign one: an edit next to it.
const MOST_BESIDE: usize = 1;

/// Finds a foreign line of a new text, and the lines of the old text in whose place it is.
pub(super) fn foreign_line(
    path: &str,
    (old, new): (&[&str], &[&str]),
    stubs: &Stubs,
) -> Option<(usize, Gap)> {
    let had: HashSet<&str> = old.iter().map(|line| line.trim()).collect();
    let is_new = |line: &str| !line.trim().is_empty() && !had.contains(line.trim());
    let wording = |at: usize| stubs.other_text(at).unwrap_or_else(|| new[at].trim());
    let wordings = Wordings::of(new, wording);
    let anchors = anchors(old, new);
    let is_mark = |at: usize| stubs.is_mark(at);
    let around = |at: usize| Gap::around(at, &anchors, path, (old, new), &is_mark);
    let is_part = |at: usize| {
        is_unbalanced(new[at]) || is_comment_edge(new[at]) || is_rule_of_heading(path, new, at)
    };
    let mut gap: Option<Gap> = None;
    let is_in_place = |&at: &usize| {
        let known = gap.take().filter(|gap| gap.new.contains(&at));
        let gap = gap.insert(known.unwrap_or_else(|| around(at)));
        let is_counted = has_word(new[at]) && !is_mark(at);
        let beside = gap.added.saturating_sub(usize::from(is_counted));
        let alike = if is_counted {
            wordings.count(wording(at), &gap.new).saturating_sub(1)
        } else {
            0
        };
        let is_many = gap.code >= MISSING_OF_KIND * (beside + 1);
        let is_comment_for_comments = || gap.code == 0 && is_comment(path, new[at]);
        let is_version =
            || (gap.missing.iter()).any(|&line| is_version(new[at], old[line], is_many));
        beside.saturating_sub(alike) <= MOST_BESIDE
            && gap.missing.len() >= MISSING * (beside + 1)
            && !is_part(at)
            && !is_comment_for_comments()
            && (!has_word(new[at])
                || has_dots(new[at])
                || is_range(new[at], gap, old)
                || stubs.other_text(at).is_some()
                || !is_version())
    };
    let candidates: Vec<usize> = (0..new.len())
        .filter(|&at| is_new(new[at]))
        .filter(is_in_place)
        .collect();
    let mut places = WordLines::of(candidates.iter().flat_map(|&at| words(new[at])));
    if !candidates.is_empty() {
        places.fill(new, wording);
    }
    let found = candidates.into_iter().find(|&at| {
        has_dots(new[at])
            || is_range(new[at], &around(at), old)
            || places.are_within(new[at], wording(at))
            || (stubs.other_text(at)).is_some_and(|rest| places.are_within(rest, rest))
            || (is_name_in_signs(new[at]) && names_missing(new[at], &around(at), old))
    })?;
    Some((found, around(found)))
}

/// Returns true for a line of one name and signs, such as `<name>`, which states nothing about the name. With other signs the
/// line is a part of what is above or below: an item, an argument, a call of a method.
fn is_name_in_signs(line: &str) -> bool {
    let mut words = words(line);
    let only = words.next().filter(|_| words.next().is_none());
    let (before, behind) = outer_signs(line);
    let is_part = before.starts_with(|c| ".,:=+-*/|&?".contains(c))
        || behind.ends_with(|c| ".,:=+-*/|&?([{".contains(c));
    only.is_some_and(|word| word != line.trim() && !word.starts_with(|c: char| c.is_ascii_digit()))
        && !is_part
}

/// Returns true if missing lines have the words of a line, and none of them is between the same signs.
fn names_missing(line: &str, gap: &Gap, old: &[&str]) -> bool {
    let mut missing = gap.missing.iter().flat_map(|&at| words(old[at]));
    let has_same_signs = |&at: &LineIdx| outer_signs(old[at]) == outer_signs(line);
    words(line).all(|word| missing.any(|other| other == word))
        && !gap.missing.iter().any(has_same_signs)
}

/// Returns the signs before the first word of a line and behind its last one.
fn outer_signs(line: &str) -> (&str, &str) {
    let line = line.trim();
    let behind = line.trim_start_matches(|c| !is_word(c));
    let inner = behind.trim_end_matches(|c| !is_word(c));
    (&line[..line.len() - behind.len()], &behind[inner.len()..])
}

/// The lines of a text, by what they have in common with equal ones.
struct Wordings<'t>(HashMap<&'t str, Vec<usize>>);

impl<'t> Wordings<'t> {
    fn of(text: &[&'t str], wording: impl Fn(usize) -> &'t str) -> Self {
        let mut lines: HashMap<&str, Vec<usize>> = HashMap::new();
        for at in (0..text.len()).filter(|&at| !wording(at).is_empty()) {
            lines.entry(wording(at)).or_default().push(at);
        }
        Self(lines)
    }

    /// Returns how many lines of a range have a wording.
    fn count(&self, wording: &str, range: &Range<usize>) -> usize {
        let lines = self.0.get(wording).map_or(&[][..], Vec::as_slice);
        let before = |end: usize| lines.partition_point(|&at| at < end);
        before(range.end) - before(range.start)
    }
}

/// The words of some lines, with the wordings of the lines of a text that have them.
struct WordLines<'t>(HashMap<&'t str, Occurrence<'t>>);

#[derive(Clone, Copy)]
enum Occurrence<'t> {
    Nowhere,
    /// On one line, or on several of one wording.
    Lines(&'t str),
    Anywhere,
}

impl<'t> WordLines<'t> {
    fn of(words: impl Iterator<Item = &'t str>) -> Self {
        Self(words.map(|word| (word, Occurrence::Nowhere)).collect())
    }

    fn fill(&mut self, text: &[&str], wording: impl Fn(usize) -> &'t str) {
        for (at, line) in text.iter().enumerate() {
            let own = wording(at);
            for word in words(line) {
                if let Some(place) = self.0.get_mut(word) {
                    *place = match *place {
                        Occurrence::Nowhere => Occurrence::Lines(own),
                        Occurrence::Lines(only) if only == own => Occurrence::Lines(own),
                        Occurrence::Lines(_) | Occurrence::Anywhere => Occurrence::Anywhere,
                    };
                }
            }
        }
    }

    /// Returns true if no line of another wording has a word of these.
    fn are_within(&self, line: &str, wording: &str) -> bool {
        let is_only =
            |word| matches!(self.0.get(word), Some(Occurrence::Lines(only)) if *only == wording);
        words(line).all(is_only)
    }
}

/// Returns true for a line with dots that are a value, such as `x = ...`: not those of `...rest` or of a text in quotes.
fn has_dots(line: &str) -> bool {
    let is_code =
        |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || "_\"'`.$".contains(c));
    ["...", "…"].iter().any(|dots| {
        let parts = line.match_indices(dots);
        parts.into_iter().any(|(at, _)| {
            is_code(line[..at].chars().next_back())
                && is_code(line[at + dots.len()..].chars().next())
        })
    })
}

/// Returns true for a line that begins with one missing line and ends with a later one, without those between them, as
/// `"item3...item9"` does.
fn is_range(line: &str, gap: &Gap, old: &[&str]) -> bool {
    let (line, missing) = (inner(line), &gap.missing);
    let begins = |at: &LineIdx| has_word(old[*at]) && line.starts_with(inner(old[*at]));
    let ends = |at: &LineIdx| has_word(old[*at]) && line.ends_with(inner(old[*at]));
    let (Some(first), Some(last)) = (
        missing.iter().position(begins),
        missing.iter().rposition(ends),
    ) else {
        return false;
    };
    let between = (line.strip_prefix(inner(old[missing[first]])))
        .and_then(|rest| rest.strip_suffix(inner(old[missing[last]])));
    let is_sign = |c: &char| !c.is_whitespace() && !"'\"`".contains(*c);
    last + 1 >= first + MISSING_IN_RANGE
        && between.is_some_and(|between| {
            let is_short = (1..=MOST_BETWEEN).contains(&between.chars().filter(is_sign).count());
            let mut inside = missing[first + 1..last].iter();
            is_short && !inside.any(|&line| between.contains(inner(old[line])))
        })
}

/// Returns true for a line of signs with brackets that other lines close or open, such as `});`.
fn is_unbalanced(line: &str) -> bool {
    let count = |signs: [char; 3]| line.matches(signs).count();
    !has_word(line) && count(['(', '[', '{']) != count([')', ']', '}'])
}

/// Returns true if a line may be another version of a lost one: it begins with the same word, or has the same signs, which are
/// those of too many lines if many are lost.
fn is_version(line: &str, lost: &str, is_many: bool) -> bool {
    let (line, lost) = (line.trim(), lost.trim());
    let ends = [line, lost].map(|line| {
        let word = words(line).next();
        word.map(|word| line.find(word).unwrap_or(0) + word.len())
    });
    let [Some(end), Some(lost_end)] = ends else {
        return false;
    };
    let has_signs = |c: char| !is_word(c) && !c.is_whitespace();
    line[..end] == lost[..lost_end]
        || (!is_many && line.contains(has_signs) && signs(line).eq(signs(lost)))
}

/// Returns the characters of a line with one blank for each word.
fn signs(line: &str) -> impl Iterator<Item = char> {
    let mut inside = false;
    line.chars().filter_map(move |c| {
        let starts = is_word(c) && !inside;
        inside = is_word(c);
        if inside {
            starts.then_some('w')
        } else {
            Some(c)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        let [old, new] = [old, new].map(|text| text.split('|').collect::<Vec<_>>());
        let stubs = Stubs::of("a.py", &old, &new);
        let found = foreign_line("a.py", (&old, &new), &stubs);
        let found = found.map(|(at, gap)| format!("{} for {}", new[at].trim(), gap.missing.len()));
        assert_eq!(found.unwrap_or_default(), expected, "{old:?} => {new:?}");
    }

    const FILE: &str =
        "import os|def a(n):|    return n|def b(m):|    return m|def c(k):|    return k";

    #[test]
    fn a_line_without_a_tie_replaces_omitted_code() {
        for mark in [
            ";",
            "{}",
            "()",
            "pass",
            "etc.",
            "rest unchanged",
            "<rest/>",
            "$REST",
            "{{rest}}",
            "\"b\"",
            "[b, m]",
            "b, m",
            "b = ...",
            "x = ...",
            "b(...)",
            "# b() and m() as before",
            "все прочее",
        ] {
            let new = FILE.replace("def b(m):|    return m", mark);
            check(FILE, &new, &format!("{mark} for 2"));
            // An edit right beside it.
            let new = "import os|def a(n):|    return n + 1|".to_owned() + mark;
            check(FILE, &new, &format!("{mark} for 5"));
        }
        for mark in [
            r#"{"name":"Edit","input":{"old_string":"return n","new_string":"return 1"}}"#,
            "<edit><old>return n</old><new>return 1</new></edit>",
        ] {
            check(FILE, mark, &format!("{mark} for 7"));
        }
    }

    #[test]
    fn a_name_of_what_is_lost_replaces_it() {
        let old = "fn a|    x = b(1)|    y = x|fn b|    return b(2)|fn c|    b(3)";
        for mark in ["b;", "<b>", "[[b]]", "${b}"] {
            let new = old.replace("fn b|    return b(2)", mark);
            check(old, &new, &format!("{mark} for 2"));
        }
        // A name that is not lost, a word without signs, a line that does something, another version, and parts of other
        // lines: an item, an argument, a call, an opening.
        for line in ["<x>", "b", "b(x);", "fn;", "- b", "b,", ".b()", "b {", "b:"] {
            check(old, &old.replace("fn b|    return b(2)", line), "");
        }
        let fence = |open: &str| format!("as in|```{open}|>>> go(1)|1|```|and so on");
        check(&fence("{eval}|.. test::"), &fence("{test}"), "");
    }

    #[test]
    fn an_opening_without_its_block_replaces_it() {
        let body = "    x = k|    y = x|    return y";
        let old = FILE.replace("def b(m):|    return m", &format!("fn b(m) {{|{body}|}}"));
        let new = |stub: &str| FILE.replace("def b(m):|    return m", stub);
        for (stub, missing) in [("fn b(m) { todo!() }", 4), ("fn b(m) {}", 3)] {
            check(&old, &new(stub), &format!("{stub} for {missing}"));
        }
        // The second one is as much of a stub as the first.
        let twice = |text: &str, other: &str| format!("{text}|{}", other.replace("b(m)", "d(m)"));
        let both = twice(&old, &format!("fn b(m) {{|{body}|}}"));
        let stub = "fn b(m) { todo!() }";
        check(&both, &twice(&new(stub), stub), &format!("{stub} for 4"));
        // Two bodies of one line that call what is there, or do not do the same.
        for [one, other] in [["a(m)", "a(m)"], ["a1(m)", "a2(m)"], ["u(w)", "w(u)"]] {
            let [one, other] = [one, other].map(|call| format!("fn b(m) {{ {call} }}"));
            check(&both, &twice(&new(&one), &other), "");
        }
        // Another body, one with a word of the lost one, and another head.
        for stub in ["fn b(m) { a(m) }", "fn b(m) { y }", "fn b(n) { todo!() }"] {
            check(&old, &new(stub), "");
        }
        // Two lines are lost.
        let old = old.replace("    x = k|", "");
        check(&old, &new("fn b(m) { todo!() }"), "");
    }

    #[test]
    fn a_range_of_missing_lines_is_foreign() {
        let list = |items: &str| format!("a: [|{items}|]|b: 1");
        let old = list("  'x1',|  'x2',|  'x3',|  'x4',");
        for mark in [
            "  'x2...x4',",
            "  'x2' .. 'x4'",
            "  x2 - x4,",
            "  'x2 bis x4',",
        ] {
            let new = list(&format!("  'x1',|{mark}"));
            check(&old, &new, &format!("{} for 3", mark.trim()));
        }
        let new = list("  'x1',|  'x2...x4',").replace("b: 1", "b: 2");
        check(&old, &new, "'x2...x4', for 4");
        // Another item, the items in one line, and a range that begins elsewhere.
        for line in [
            "  'x2',|  'y4',",
            "  'x2', 'x3', 'x4',",
            "  'x1...x4',|  'x3',",
        ] {
            check(&old, &list(&format!("  'x1',|{line}")), "");
        }
    }

    #[test]
    fn one_line_replaces_few_of_its_kind() {
        let old = |n: usize| {
            let lines: Vec<String> = (0..n).map(|n| format!("k{n}: v{n}|")).collect();
            format!("a: 1|{}b: 2", lines.concat())
        };
        check(
            &old(4),
            "a: 1|weitere: gleich|b: 2",
            "weitere: gleich for 4",
        );
        check(&old(3), "a: 1|weitere: gleich|b: 2", "");
    }

    #[test]
    fn one_side_of_brackets_or_of_a_comment_is_no_mark() {
        let old = "f(a, [|b(1)|c(2)|d(3)|]);|g(a)";
        for line in ["]);", "});", "])", "{", "*/", "/**", "-->"] {
            check(old, &format!("f(a, [|{line}|g(a)"), "");
        }
        for line in ["{}", "([]);", ";", "* * *"] {
            check(
                old,
                &format!("f(a, [|{line}|g(a)"),
                &format!("{line} for 3"),
            );
        }
    }

    #[test]
    fn code_is_tied_to_the_code_around_it() {
        for line in [
            "return helper(os)",
            "b = c",
            // Another version of a lost line.
            "def other(x): pass",
            "if q(z):",
        ] {
            check(FILE, &FILE.replace("def b(m):|    return m", line), "");
        }
        // One line is lost, or as many as are new.
        check(FILE, &FILE.replace("    return m", "    pass"), "");
        check("a|b 1|b 2|b 3|c", "a|p q|r s|c", "");
        // The file has it.
        let old = format!("{FILE}|pass");
        check(&old, &old.replace("def b(m):|    return m|", ""), "");
        // Dots of a text and of arguments.
        check("a|b|c|d", "a|f(...a)|d", "");
        check("a|b|c|d", "a|say('...a')|d", "");
    }
}
