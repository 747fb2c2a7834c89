//! Whether a line of context that deviates is still the file's line, told in other words.
//!
//! Neighbouring functions are often alike but for a name, and then that name is all that tells one from the other: a block
//! with `self.gzip.close()` in it is not meant for the place with `self.bzip.close()`. So code may deviate by a slip of
//! the hand, which makes a name that is nowhere else in the file, and comments and prose may be put differently.

use std::collections::BTreeSet;

use super::super::fold::fold;
use super::super::place::Rung;
use super::similarity;

/// What a comment must at least have in common with the file's.
const COMMENT: f64 = 0.5;
/// How many letters a name has for each that may be mistyped.
const LETTERS_A_SLIP: usize = 2;
/// Slips in one name, however long it is.
const SLIPS_A_NAME: usize = 3;
/// Names of so many letters are known with one of them replaced.
const LONG: usize = 5;
/// Names that are mistyped in one block; more are no slip.
const MOST_SLIPS: usize = 16;
/// What a comment begins with; those that begin something else as well are told by the blank after them.
const COMMENTS: [&str; 8] = ["//", "/*", "<!--", "\"\"\"", "'''", "* ", "-- ", "; "];
/// What no sentence has.
const CODE: [char; 11] = ['(', ')', '{', '}', '[', ']', '=', '<', '>', ';', '_'];

/// Whether the context lines of an edit may be the lines of a file that they are paired with. `text` is all of that file.
pub(super) fn are_reworded<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    text: &str,
) -> bool {
    let mut slips = BTreeSet::new();
    for (edit, file) in pairs {
        if !may_be(edit.trim(), file.trim(), &mut slips) {
            return false;
        }
    }
    slips.len() <= MOST_SLIPS && !slips.iter().any(|name| is_name_in(name, text))
}

/// Whether a line may be another, if the names that are put to `slips` are slips of the hand.
fn may_be<'a>(edit: &'a str, file: &str, slips: &mut BTreeSet<&'a str>) -> bool {
    if fold(Rung::Similar, edit) == fold(Rung::Similar, file) {
        return true;
    }
    if (is_comment(edit) && is_comment(file)) || (is_prose(edit) && is_prose(file)) {
        return similarity(edit, file) >= COMMENT;
    }
    let (edit, file) = (without_comment(edit), without_comment(file));
    let (mut edit, mut file) = (names(edit), names(file));
    loop {
        match (edit.next(), file.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => (),
            (Some(a), Some(b)) if is_typo(a, b) => {
                slips.insert(a);
            }
            _ => return false,
        }
    }
}

fn is_comment(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    COMMENTS.iter().any(|sign| line.starts_with(sign))
        || (heading.len() < line.len() && heading.starts_with(' '))
}

fn is_prose(line: &str) -> bool {
    !line.contains(CODE) && line.split_whitespace().count() >= 3
}

/// The line up to a comment at its end.
fn without_comment(line: &str) -> &str {
    let signs = [" //", " # ", " /*"].into_iter();
    let end = signs.filter_map(|sign| line.find(sign)).min();
    &line[..end.unwrap_or(line.len())]
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|name| !name.is_empty())
}

/// Whether two names are one, mistyped: nearly the same letters, and the same digits. In short names a letter in the place of
/// another makes another name (`get`, `set`); there letters are only lost, doubled or swapped. A name with more at its end is
/// another one too (`module`, `moduleId`).
fn is_typo(a: &str, b: &str) -> bool {
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (own, other) = (sorted(a), sorted(b));
    let is_substituted = own.len() == other.len() && own.len() < LONG && own != other;
    let slips = strsim::osa_distance(a, b);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_derived = slips > 1 && (long.starts_with(short) || long.ends_with(short));
    !is_substituted
        && !is_derived
        && digits(a) == digits(b)
        && slips <= SLIPS_A_NAME
        && slips * LETTERS_A_SLIP <= own.len().max(other.len())
}

fn is_name_in(name: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(edit: &str, file: &str, expected: bool) {
        let text = format!("import gzip\nget(x); x1 = y1\n{file}\n");
        let found = are_reworded(std::iter::once((edit, file)), &text);
        assert_eq!(found, expected, "{edit:?} {file:?}");
    }

    #[test]
    fn slips_are_forgiven_and_other_names_are_not() {
        check("let total = inptu.len();", "let total = input.len();", true);
        check("c = iointiialize()", "c = initialize()", true);
        check("self.gzip.close()", "self.bzip.close()", false);
        check("query(\"COMMIT\");", "query(\"ROLLBACK\");", false);
        check("if sid.is_quit() {", "if dfa.is_quit_state(sid) {", false);
        check("let a = b + 1;", "let a = c + 1;", false);
        check("let row1 = next();", "let row2 = next();", false);
        check("let roww = next();", "let row = next();", true);
        check("Ag::new(1)", "Arg::new(1)", true);
        check("fn read(a: A)", "fn read(a: A, b: B)", false);
        check("get(value)", "set(value)", false);
        check("[Globals.moduleId]", "[Globals.module]", false);
        check("say(\u{201C}\u{FF21}\u{201D})", "say(\"A\")", true);
        check("fn a_lost_task_wakes()", "fn a_found_task_wakes()", false);
    }

    #[test]
    fn comments_and_prose_may_be_put_differently() {
        check("### [The usage](a.md)", "### [How to use it](a.md)", true);
        check(
            "// Restore the old state",
            "// Restore what was before",
            true,
        );
        check("run(); // once more", "run(); // again", true);
        check("walk(); // once more", "run(); // again", false);
        check(
            "The program starts at once.",
            "The program begins at once.",
            true,
        );
        check("# include <a.h>", "#include <b.h>", false);
        check("// a", "// something else entirely", false);
    }
}
