//! Whether a line of context that deviates is still the file's line, told in other words.
//!
//! Neighbouring functions are often alike but for a name, and then that name is all that tells one from the other: a block
//! with `self.gzip.close()` in it is not meant for the place with `self.bzip.close()`. So code may deviate by a slip of
//! the hand, which makes a name that is nowhere else in the file, and comments and prose may be put differently.

use std::collections::BTreeSet;

use super::super::fold::fold;
use super::super::place::Rung;
use super::similarity;
use super::slip::is_typo;

/// What a comment must at least have in common with the file's.
const COMMENT: f64 = 0.5;
/// Names that are mistyped in one block; more are no slip.
const MOST_SLIPS: usize = 16;
/// What a comment begins with; those that begin something else as well are told by the blank after them.
const COMMENTS: [&str; 8] = ["//", "/*", "<!--", "\"\"\"", "'''", "* ", "-- ", "; "];
/// What no sentence has.
const CODE: [char; 12] = ['(', ')', '{', '}', '[', ']', '=', '<', '>', ';', '_', '"'];
/// What statements begin with that need no such sign.
const STATEMENTS: [&str; 38] = [
    "assert", "await", "break", "case", "catch", "class", "const", "def", "default", "del", "elif",
    "else", "export", "extends", "fn", "for", "from", "func", "global", "if", "import", "include",
    "let", "new", "package", "private", "public", "raise", "require", "return", "static", "throw",
    "type", "use", "val", "var", "while", "with",
];
/// Words of sentences, one of which nearly every one has, and that no language uses as a word of its own.
const SENTENCES: [&str; 25] = [
    "a", "an", "are", "be", "been", "can", "has", "have", "it", "its", "may", "must", "should",
    "that", "the", "their", "there", "these", "they", "was", "which", "will", "would", "you",
    "your",
];
/// What declares a name, whichever of them it is.
const DECLARATIONS: [&str; 3] = ["const", "let", "var"];
/// What a line may begin with that says who sees what it declares.
const VISIBILITIES: [&str; 2] = ["export", "pub"];
/// What stands for a part of a line that was left out, and how much of the line must be left.
const LEFT_OUT: [&str; 2] = ["...", "\u{2026}"];
const LEAST_LEFT: usize = 8;
/// The signs that say what code does with its names.
const OPERATORS: [char; 14] = [
    '\\', '+', '-', '*', '/', '%', '=', '!', '<', '>', '&', '|', '^', '~',
];

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

/// Whether the lines of an edit are those of a file but for slips of the hand, comments and prose included.
pub(super) fn are_mistyped<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    text: &str,
) -> bool {
    let mut slips = BTreeSet::new();
    for (edit, file) in pairs {
        let is_same = fold(Rung::Similar, edit) == fold(Rung::Similar, file);
        let mut is_slip = || have_same_operators(edit, file) && are_slips(edit, file, &mut slips);
        if !is_same && !is_slip() {
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
        return is_cut_off(edit, file)
            || (numbers(edit).eq(numbers(file)) && similarity(edit, file) >= COMMENT);
    }
    let (edit, file) = (without_comment(edit), without_comment(file));
    if is_abbreviated(edit, file) {
        return true;
    }
    let (edit, file) = declared(edit, file);
    have_same_operators(edit, file) && are_slips(edit, file, slips)
}

/// Whether a comment is the beginning of the file's, of two words at least after its sign.
fn is_cut_off(edit: &str, file: &str) -> bool {
    let begun = (LEFT_OUT.iter()).fold(edit, |edit, sign| edit.trim_end_matches(sign));
    let begun = begun.trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rest = file.strip_prefix(begun);
    begun.len() >= LEAST_LEFT
        && names(begun).nth(1).is_some()
        && rest.is_some_and(|rest| !rest.starts_with(is_part))
}

/// Whether a line is the file's with a part of it left out, and says so.
fn is_abbreviated(edit: &str, file: &str) -> bool {
    let has_all = |sign: &&str| {
        edit.split_once(*sign).is_some_and(|(head, tail)| {
            head.len() + tail.len() >= LEAST_LEFT
                && head.len() + tail.len() < file.len()
                && names(head).next().is_some()
                && file.starts_with(head)
                && file.ends_with(tail)
        })
    };
    !LEFT_OUT.iter().any(|sign| file.contains(sign)) && LEFT_OUT.iter().any(has_all)
}

/// Two lines without the words at their beginning that say how they declare the same names: no function is told by them from the
/// one beside it.
fn declared<'e, 'f>(edit: &'e str, file: &'f str) -> (&'e str, &'f str) {
    let (own, other) = (
        without_word(edit, &VISIBILITIES),
        without_word(file, &VISIBILITIES),
    );
    let (bare, there) = (
        without_word(own, &DECLARATIONS),
        without_word(other, &DECLARATIONS),
    );
    if bare.len() < own.len() && there.len() < other.len() {
        (bare, there)
    } else {
        (own, other)
    }
}

/// A line without its first word, if that is one of some.
fn without_word<'l>(line: &'l str, words: &[&str]) -> &'l str {
    match line.split_once(' ') {
        Some((word, rest)) if words.contains(&word) => rest,
        _ => line,
    }
}

/// Whether two lines have the same names one after the other, but for slips of the hand.
fn are_slips<'a>(edit: &'a str, file: &str, slips: &mut BTreeSet<&'a str>) -> bool {
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

/// Whether a line reads like a sentence, and not like a statement, a key with its value, or what is told to a shell.
fn is_prose(line: &str) -> bool {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    let mut words = item.unwrap_or(line).split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    let is_command = first.len() > 1 && first.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_name = |name: &str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
    };
    let is_key = first.strip_suffix(':').is_some_and(is_name) || line.ends_with(':');
    let is_marked_up = || line.contains("**") || line.contains('`');
    let is_sentence = || {
        let mut names = names(line);
        names.any(|name| SENTENCES.contains(&name.to_lowercase().as_str()))
    };
    !line.contains(CODE)
        && words.count() >= 2
        && (is_marked_up() || is_sentence())
        && !is_key
        && !is_command
        && !STATEMENTS.contains(&first)
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

fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
}

fn have_same_operators(edit: &str, file: &str) -> bool {
    let (edit, file) = folded_alike(edit, file);
    let operators = |line: &str| -> String {
        let is_operator = |c: &char| OPERATORS.contains(c);
        line.chars().filter(is_operator).collect()
    };
    operators(&edit) == operators(&file)
}

/// Two lines as they look on this rung. One dash may stand for two hyphens.
pub(super) fn folded_alike(edit: &str, file: &str) -> (String, String) {
    let folded = |line| fold(Rung::Similar, line).into_owned();
    let (own, other) = (folded(edit), folded(file));
    let has_dash = |line: &str| line.contains(['\u{2013}', '\u{2014}']);
    if has_dash(edit) == has_dash(file) {
        (own, other)
    } else {
        (own.replace("--", "-"), other.replace("--", "-"))
    }
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
        check("if a < b.first() {", "if a > b.first() {", false);
        check(
            "run(\"-j, \u{2013}threads\")",
            "run(\"-j, --threads\")",
            true,
        );
    }

    #[test]
    fn names_that_are_kin_are_no_slips() {
        for (edit, file) in [
            ("encode(a)", "decode(a)"),
            ("minimum(a)", "maximum(a)"),
            ("import_all(a)", "export_all(a)"),
            ("items.add(a)", "item.add(a)"),
            ("Render(a)", "render(a)"),
            ("self._render(a)", "self.render(a)"),
            ("offsetX += a", "offsetY += a"),
            ("x_offset += a", "y_offset += a"),
            ("xOffset += a", "yOffset += a"),
            ("offsetX += a", "offset += a"),
            ("INode(a)", "Node(a)"),
            ("start(a)", "state(a)"),
        ] {
            check(edit, file, false);
        }
        for (edit, file) in [
            ("Devieloment(a)", "Development(a)"),
            ("PEINTRY(a)", "APIENTRY(a)"),
            ("requset(a)", "request(a)"),
            ("functio(a)", "function(a)"),
            ("noteunit(a)", "nodeunit(a)"),
            ("offsetXx += a", "offsetX += a"),
            ("offset__x += a", "offset_x += a"),
            ("EXPOTS(a)", "EXPORTS(a)"),
            ("oSetOutput(a)", "SetOutput(a)"),
            ("MAIL(a)", "EMAIL(a)"),
            ("WSGGIRequest(a)", "WSGIRequest(a)"),
        ] {
            check(edit, file, true);
        }
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
        check(
            "- **a**: a file from `b`",
            "- **a**: one of the files in `b`",
            true,
        );
        check("walk(); // once more", "run(); // again", false);
        check(
            "The program starts at once.",
            "The program begins at once.",
            true,
        );
        check("# include <a.h>", "#include <b.h>", false);
        check("// the second of 2", "// the second of 3", false);
        check("from foo import some", "from foo import none", false);
        check("code: Roboto Mono", "code: Roboto Sans", false);
        check(
            "msgid \"Link to this table\"",
            "msgid \"Link to this image\"",
            false,
        );
        check("COPY all of it", "COPY some of it", false);
        check("// a", "// something else entirely", false);
        check(
            "// keeps what was",
            "// keeps what was read by 2 of them so far, whichever",
            true,
        );
        check("// keeps what 1", "// keeps what 12 had", false);
        check("copy all of ours here", "move all of ours here", false);
        check(
            "ittt eq @ sanity check in ARM",
            "it eq @ sanity check in ARM",
            false,
        );
    }

    #[test]
    fn a_line_may_say_less_than_the_files() {
        for (edit, file) in [
            (
                "let all = sum(first, ...);",
                "let all = sum(first, second, third);",
            ),
            ("const all = get(x);", "let all = get(x);"),
            ("fn add(a: u32)", "pub fn add(a: u32)"),
            ("export const all = 1;", "var all = 1;"),
        ] {
            check(edit, file, true);
        }
        for (edit, file) in [
            (
                "let all = sum(other, ...);",
                "let all = sum(first, second, third);",
            ),
            ("...", "let all = sum(first, second, third);"),
            ("let all = sum(...args, x);", "let all = sum(...args, y);"),
            ("static all = get(x);", "let all = get(x);"),
            ("size() const", "size()"),
        ] {
            check(edit, file, false);
        }
    }
}
