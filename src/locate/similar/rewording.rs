//! Whether a line of context that deviates is still the file's line, told in other words.
//!
//! Neighbouring functions are often alike but for a name, and then that name is all that tells one from the other: a block
//! with `self.gzip.close()` in it is not meant for the place with `self.bzip.close()`. So code may deviate by a slip of
//! the hand, which makes a name that is nowhere else in the file, and comments and prose may be put differently.

use std::collections::BTreeSet;

use super::super::fold::fold;
use super::super::place::Rung;
use super::prose::{are_prose, is_retold, without_comment};
use super::shortened::{declared, is_abbreviated, is_cut_off};
use super::slip::is_typo;

/// Names that are mistyped in one block; more are no slip.
const MOST_SLIPS: usize = 16;
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
    if are_prose(edit, file) {
        return is_cut_off(edit, file) || is_retold(edit, file);
    }
    let (edit, file) = (without_comment(edit), without_comment(file));
    if is_abbreviated(edit, file) {
        return true;
    }
    let (edit, file) = declared(edit, file);
    have_same_operators(edit, file) && are_slips(edit, file, slips)
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

pub(super) fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|name| !name.is_empty())
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
        let whole = "let all = sum(first, second, third);";
        check("let all = sum(first, ...);", whole, true);
        check("let all = sum(other, ...);", whole, false);
        check("...", whole, false);
        let spread = "let all = sum(...args, y);";
        check("let all = sum(...args, x);", spread, false);
        check("const all = get(x);", "let all = get(x);", true);
        check("static all = get(x);", "let all = get(x);", false);
        check("fn add(a: u32)", "pub fn add(a: u32)", true);
        check("export const all = 1;", "var all = 1;", true);
        check("size() const", "size()", false);
    }
}
