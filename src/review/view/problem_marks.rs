//! Differing words and blanks in the quoted lines of a part of the input that could not be read.

use super::line_difference::{DifferingParts, LineDifference};
use crate::review::session::hunk::Side;

/// Returns the words and the blanks in which a line of a quoted diff differs from the line of the other sign in its place: the first
/// line of a removed run from the first one of the added run below it, and so on.
pub(crate) fn problem_marks(text: &[String], line: usize) -> Option<DifferingParts> {
    let sign = |at: usize| text.get(at)?.chars().next();
    let is_removed = match sign(line)? {
        '-' => true,
        '+' => false,
        _ => return None,
    };
    let run_from =
        |at: usize, own: char| (at..text.len()).take_while(move |&at| sign(at) == Some(own));
    let above = |at: usize, own: char| (0..at).rev().take_while(move |&at| sign(at) == Some(own));
    let start_of = |at: usize, own: char| at - above(at, own).count();
    let (old, new) = if is_removed {
        let start = start_of(line, '-');
        let added = line + run_from(line, '-').count();
        (line, run_from(added, '+').nth(line - start)?)
    } else {
        let added = start_of(line, '+');
        let start = start_of(added, '-');
        (Some(start + line - added).filter(|&at| at < added)?, line)
    };
    let difference = LineDifference::new(text[old].get(1..)?, text[new].get(1..)?);
    let side = if is_removed { Side::Old } else { Side::New };
    Some(difference.of(side).behind(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_compared_with_the_one_in_its_place() {
        let text = ["@@", "-a", "-b ", "+a", "+b", " c", "+d"].map(str::to_owned);
        let check = |line: usize, expected: &str| {
            let marks = problem_marks(&text, line).map(|marks| marks.blanks);
            let shown = marks.map_or("none".to_owned(), |blanks| format!("{blanks:?}"));
            assert_eq!(shown, expected, "{line}");
        };
        check(0, "none");
        check(1, "[]");
        check(2, "[2..3]");
        check(4, "[]");
        check(6, "none");
    }
}
