//! Blanks in which two versions of a line differ: tabs, spaces and the like, which look the same on the screen.
//!
//! The words of the lines are compared without the blanks between them. A blank run next to words that both lines have, or next to
//! their ends, is compared with the run in the same place of the other line.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::words::{LONGEST, words};

/// Returns the byte ranges of the runs of blanks of both lines that the other line lacks in the same place. Of lines longer than [`LONGEST`] the words
/// between their common start and their common end are not compared. Lines that are not related have spaces in other places, so
/// their runs of nothing but spaces are no difference.
pub(crate) fn differing_blanks(old: &str, new: &str, is_related: bool) -> [Vec<Range<usize>>; 2] {
    let is_long = old.len().max(new.len()) > LONGEST;
    let (old, new) = (Split::new(old, is_long), Split::new(new, is_long));
    let is_spaces = |runs: &[&str]| runs.iter().all(|run| run.bytes().all(|byte| byte == b' '));
    let mut found = [Vec::new(), Vec::new()];
    for (of_old, of_new) in gaps(&old, &new, is_long) {
        let ends = [old.ends_of(&of_old), new.ends_of(&of_new)];
        if !is_related && ends.iter().all(|runs| is_spaces(runs)) {
            continue;
        }
        // Other words bring blanks of their own: what one line has all of, the other one has too.
        let has_all = |some: &[&str], others: &[&str]| some.iter().all(|run| others.contains(run));
        let is_alone = of_old.len() == 1 && of_new.len() == 1;
        if !is_alone && (has_all(&ends[0], &ends[1]) || has_all(&ends[1], &ends[0])) {
            continue;
        }
        for (side, (line, runs)) in [(&old, of_old), (&new, of_new)].into_iter().enumerate() {
            let others = &ends[1 - side];
            let is_compared = is_alone || others.iter().any(|other| !other.is_empty());
            let differs = |text: &str| is_compared && !text.is_empty() && !others.contains(&text);
            let mut at = vec![runs.start, runs.end.saturating_sub(1)];
            at.dedup();
            let blanks = at.into_iter().filter_map(|run| line.runs.get(run));
            found[side].extend(
                blanks
                    .filter(|run| differs(&line.text[(*run).clone()]))
                    .cloned(),
            );
        }
    }
    found
}

/// A line as words and the blanks around them.
struct Split<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    /// The blanks before each word and after the last one, which may be empty: one more than words.
    runs: Vec<Range<usize>>,
}

impl<'a> Split<'a> {
    fn new(text: &'a str, is_long: bool) -> Self {
        let parts: Vec<&str> = if is_long {
            let ends = text.split_inclusive(char::is_whitespace);
            ends.flat_map(|part| {
                let (word, blank) = part.split_at(part.trim_end().len());
                [word, blank]
            })
            .collect()
        } else {
            words(text)
        };
        let mut split = Self {
            text,
            words: Vec::new(),
            runs: Vec::new(),
        };
        let (mut at, mut start) = (0, 0);
        for part in parts {
            let end = at + part.len();
            if !part.trim().is_empty() {
                split.words.push(part);
                split.runs.push(start..at);
                start = end;
            }
            at = end;
        }
        split.runs.push(start..at);
        split
    }

    /// Returns the first and the last run of blanks in some that follow each other.
    fn ends_of(&self, runs: &Range<usize>) -> Vec<&'a str> {
        let ends = [runs.start, runs.end.saturating_sub(1)];
        let runs = ends.into_iter().filter_map(|run| self.runs.get(run));
        runs.map(|run| &self.text[run.clone()]).collect()
    }
}

/// Returns the runs of blanks of both lines between one common word and the next, the ends of the lines included.
fn gaps(old: &Split, new: &Split, is_long: bool) -> Vec<(Range<usize>, Range<usize>)> {
    let mut gaps = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for (old_word, new_word) in common_words(&old.words, &new.words, is_long) {
        gaps.push((old_at..old_word + 1, new_at..new_word + 1));
        (old_at, new_at) = (old_word + 1, new_word + 1);
    }
    gaps.push((old_at..old.runs.len(), new_at..new.runs.len()));
    gaps
}

/// Returns the positions of the words that both lines have, in order.
fn common_words(old: &[&str], new: &[&str], is_long: bool) -> Vec<(usize, usize)> {
    if is_long {
        let same = |(a, b): &(&&str, &&str)| a == b;
        let start = old.iter().zip(new).take_while(same).count();
        let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
        let end = rest.take_while(same).count();
        let ends = (old.len() - end..old.len()).zip(new.len() - end..new.len());
        return (0..start).zip(0..start).chain(ends).collect();
    }
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    equal
        .flat_map(|op| op.old_range().zip(op.new_range()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: [&str; 2]) {
        let show = |line: &str, ranges: &[Range<usize>]| {
            let mut shown = line.to_owned();
            for range in ranges.iter().rev() {
                shown.replace_range(range.clone(), &format!("[{}]", &line[range.clone()]));
            }
            shown
        };
        let [of_old, of_new] = differing_blanks(old, new, true);
        assert_eq!([show(old, &of_old), show(new, &of_new)], expected);
    }

    #[test]
    fn blanks_that_differ_are_found() {
        check("\trun", "    run", ["[\t]run", "[    ]run"]);
        check("\trun(a)", "    walk(a)", ["[\t]run(a)", "[    ]walk(a)"]);
        check("run", "run  ", ["run", "run[  ]"]);
        check("run \t", "run  ", ["run[ \t]", "run[  ]"]);
        check("日\u{3000}本", "日  本", ["日[\u{3000}]本", "日[  ]本"]);
        check("a =\tb", "a = c", ["a =[\t]b", "a =[ ]c"]);
        check(
            "f(a,\tb, x)",
            "f(a, b, y)",
            ["f(a,[\t]b, x)", "f(a,[ ]b, y)"],
        );
        check("f (x)", "f(x)", ["f[ ](x)", "f(x)"]);
    }

    #[test]
    fn blanks_around_other_words_are_no_difference() {
        let same = |old: &str, new: &str| check(old, new, [old, new]);
        same("the cat", "the big cat");
        same("call(a, b)", "call(a, b, c)");
        same("f(x)", "f(other, x)");
        same("end", "end of line");
        same("    self.call(r)", "    retry(3, || self.call(r))");
        same("  indented", "  set in");
        same("", "");
        check("the\tcat", "the big cat", ["the[\t]cat", "the[ ]big[ ]cat"]);
    }

    #[test]
    fn long_lines_are_compared_from_their_ends() {
        let long = "word ".repeat(1000);
        let [old, new] = [format!("\t{long}a {long}"), format!(" {long}b {long}")];
        let blanks = differing_blanks(&old, &new, true);
        assert_eq!(blanks.map(|own| format!("{own:?}")), ["[0..1]", "[0..1]"]);
    }

    #[test]
    fn spaces_of_other_lines_are_no_difference() {
        let none = <[Vec<Range<usize>>; 2]>::default();
        assert_eq!(differing_blanks("  one", "    other", false), none);
        let blanks = differing_blanks("\tone", "    other", false);
        assert_eq!(blanks.map(|own| format!("{own:?}")), ["[0..1]", "[0..4]"]);
    }
}
