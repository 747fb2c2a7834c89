//! The rules of placing, one by one: each case fails if its rule is switched off. Lines of a text are parted by `|`.
//!
//! | rule | switched off in | what fails then |
//! |---|---|---|
//! | a rung forgives what its name says | `fold`, `ladder` | `each_rung_forgives_one_thing_more` |
//! | the first rung with a place decides | `reading::placed`, `ladder::climb` | `a_stricter_place_beats_the_line_number` |
//! | a score below the precision is no place | `similar::sure` | `the_precision_is_the_least_score` |
//! | nothing else may come near | `similar::sure`, the margin | `a_rival_that_comes_near_leaves_nothing_sure` |
//! | a removed line has the same names and numbers | `similar::is_same_line` | `a_line_that_goes_has_the_same_names` |
//! | and is nearly the same to the letter | `similar::is_same_line` | `a_line_that_goes_is_the_very_line` |
//! | code around a change has no other names | `similar::rewording` | `code_that_stays_has_the_same_names` |
//! | a line that is only moved keeps its bytes | `Script::going` | `a_line_that_is_moved_stays_…` |
//! | indentation that is a guess is not sure | `Script::is_uneven` | `new_lines_among_uneven_ones_are_not_sure` |
//! | nothing foreign stands between a change and its neighbours | `similar::is_safe` | `nothing_foreign_stands_beside_a_change` |
//! | an insertion has both neighbours | `similar::is_safe` | `an_insertion_needs_both_neighbours` |
//! | or the edge of the file | `similar::is_safe` | `an_insertion_without_a_neighbour_is_at_the_edge` |
//! | brackets alone are no evidence | `similar::sure`, `telling` | `brackets_are_no_evidence` |
//! | the order of hunks excludes places | `choose::one_left` | `table::rivals_are_excluded_…` |
//! | what another hunk changes is no place | `choose::Taken` | `table::rivals_are_excluded_…` |
//! | line numbers are corrected by what the sure hunks agree on | `choose::Offsets` | `table::a_line_number_is_corrected_…` |
//! | the nearest counts if it is twice as near | `choose::nearest_to_hint` | `a_line_number_must_be_clear` |
//! | the end of the file chooses | `choose::one_left` | `the_end_of_the_file_chooses` |
//! | what contradicts the edit is not sure | `is_elsewhere` | `what_is_not_where_the_edit_says_is_not_sure` |
//! | applied places are rivals | `applied::rivals` | `resent::a_line_that_a_number_chose_…` |
//! | what may stand already is not placed on a looser rung | `applied::stricter_place` | `what_may_stand_already_is_not_…` |
//! | a joint of brackets is no evidence | `applied::standing`, `tells` | `a_joint_of_brackets_proves_nothing` |
//! | applied hunks bound the others | `choose::out_of_order`, `Done` | `resent::hunks_that_were_applied_…` |
//! | the version that a diff was made from decides | `merge` | `merge::…` |

use countersign::locate::{Location, Tolerance, place_all};
use countersign::proposal::{Hunk, HunkOrder};
use countersign::text::Document;

use crate::table::{hunk, lines, shown};

fn placed(file: &str, hunk: &Hunk, precision: f64) -> Location {
    let document = Document::from_text(lines(file).join("\n") + "\n");
    place_all(&[hunk], HunkOrder::Any, &document, Tolerance { precision }).remove(0)
}

#[track_caller]
fn check(file: &str, edit: &str, expected: &str) {
    let found = shown(&placed(file, &hunk(edit), 0.85));
    assert_eq!(found, expected, "{file:?} {edit:?}");
}

/// The same for an edit that says that it is at the end of the file.
#[track_caller]
fn check_at_end(file: &str, edit: &str, expected: &str) {
    let hunk = Hunk {
        at_end: true,
        ..hunk(edit)
    };
    assert_eq!(
        shown(&placed(file, &hunk, 0.85)),
        expected,
        "{file:?} {edit:?}"
    );
}

#[test]
fn each_rung_forgives_one_thing_more() {
    let edit = "if a {|    b|} => if a {|    c|}";
    for (file, expected) in [
        ("if a {|    b|}", "exact exact 1-2:    c"),
        ("if a { |    b|}\t", "trailing-blanks safe 1-2:    c"),
        ("  if a {|      b|  }", "indent safe 1-2:      c"),
        ("if  a  {|    b|}", "blanks safe 1-2:    c"),
        ("if\u{a0}a\u{2003}{|    b|}", "punctuation safe 1-2:    c"),
        ("if a {||    b||}", "blank-lines safe 2-3:    c"),
    ] {
        check(file, edit, expected);
    }
}

#[test]
fn a_stricter_place_beats_the_line_number() {
    check("b |x|x|x|b", "1@b => c", "exact exact 4-5:c");
    check("  b|x|x|x|b ", "1@b => c", "trailing-blanks safe 4-5:c");
}

const BLOCK: &str = "fn total(items: &[Item]) {|    // adds up whatever all of them cost|    let sum = add(items);|    give(sum);|}";

fn reworded(comment: &str) -> String {
    BLOCK.replace("adds up whatever all of them cost", comment)
}

fn edit_of(block: &str) -> String {
    format!("{block} => {}", block.replace("give(sum)", "give(sum + 1)"))
}

#[test]
fn the_precision_is_the_least_score() {
    let (file, edit) = (
        reworded("adds up what all the items cost us"),
        edit_of(BLOCK),
    );
    let shown = |precision| shown(&placed(&file, &hunk(&edit), precision));
    assert_eq!(shown(0.85), "similar fuzzy 3-4:    give(sum + 1);");
    assert_eq!(shown(0.99), "not found, near 1");
}

#[test]
fn a_rival_that_comes_near_leaves_nothing_sure() {
    let near = reworded("adds up what all the items cost us");
    let nearly = reworded("adds up what all things here cost");
    check(
        &format!("{near}|x|{nearly}"),
        &edit_of(BLOCK),
        "not found, near 1 7",
    );
}

#[test]
fn a_line_that_goes_is_the_very_line() {
    // The same names, and little else.
    let file = reworded("adds up what all the items cost us").replace("give(sum);", "give[[sum]]");
    check(&file, &edit_of(BLOCK), "not found, near 1");
}

#[test]
fn a_line_that_goes_has_the_same_names() {
    // In so long a line a letter is next to nothing.
    let call = "give(sum, of_all, that, was_added_up_before)";
    let block = BLOCK.replace("give(sum)", call);
    let edit = format!("{block} => {}", block.replace(call, "give(nothing)"));
    check(&block, &edit, "exact exact 3-4:    give(nothing);");
    let file = block.replace("of_all", "or_all");
    check(&file, &edit, "not found, near 1");
}

#[test]
fn code_that_stays_has_the_same_names() {
    let edit = edit_of(BLOCK);
    let slip = BLOCK.replace("add(items)", "add(itmes)");
    let slip = format!("{slip} => {}", slip.replace("give(sum)", "give(sum + 1)"));
    check(BLOCK, &slip, "similar fuzzy 3-4:    give(sum + 1);");
    let file = BLOCK.replace("add(items)", "add(goods)");
    check(&file, &edit, "not found, near 1");
    // The mistyped name is one of the file's.
    let file = format!("{BLOCK}|fn itmes() {{}}");
    check(&file, &slip, "not found, near 1");
}

#[test]
fn a_line_that_is_moved_stays_as_the_file_has_it() {
    check(
        "v|i |w",
        "v |i|w => i|v |w",
        "trailing-blanks safe 0-0:i  1-2:",
    );
    check(
        "  v  u|  i|  w",
        "v u|i|w => i|n|v u|w",
        "blanks safe 0-1: 2-2:  n|  v  u",
    );
}

#[test]
fn new_lines_among_uneven_ones_are_not_sure() {
    let edit = "if a {|  b|} => if a {|  b|  c|}";
    check("if a {|     b| }", edit, "blanks fuzzy 2-2:     c");
    check("  if a {|    b|  }", edit, "indent safe 2-2:    c");
    let removes = "if a {|  b|} => if a {|}";
    check("if a {|     b| }", removes, "blanks safe 1-2:");
    let elided = "fn f|...|if a {|  b|} => fn f|...|if a {|  b|  c|}";
    check("fn f|x|if a {|     b| }", elided, "blanks fuzzy 4-4:     c");
    check("fn f|x|  if a {|    b|  }", elided, "indent safe 4-4:    c");
}

#[test]
fn nothing_foreign_stands_beside_a_change() {
    let file = reworded("adds up what all the items cost us")
        .replace("|    give", "|    tell(sum);|    give");
    check(&file, &edit_of(BLOCK), "not found, near 1");
}

#[test]
fn an_insertion_needs_both_neighbours() {
    let block = BLOCK.replace("|}", "|    tell(sum);|    keep(sum);|    done(sum);|}");
    let inserted = block.replace("|    give", "|    log(sum);|    give");
    let edit = format!("{block} => {inserted}");
    let file = block.replace("    // adds up whatever", "    // sums up whatever");
    check(&file, &edit, "similar fuzzy 3-3:    log(sum);");
    let file = block.replace("|    give(sum);", "");
    check(&file, &edit, "not found, near 1");
}

#[test]
fn an_insertion_without_a_neighbour_is_at_the_edge() {
    let edit = format!("{BLOCK} => {BLOCK}|fn more() {{}}");
    let file = reworded("adds up what all the items cost us");
    check(&file, &edit, "similar fuzzy 5-5:fn more() {}");
    check(&format!("{file}|x"), &edit, "not found, near 1");
}

#[test]
fn brackets_are_no_evidence() {
    let edit = |change: &str| format!("{{|}}|(|)|[|]|}} => {{|}}|{change}|)|[|]|}}");
    check("{|}|(|)|[|]|>", &edit("<"), "not found, near 1");
}

#[test]
fn a_line_number_must_be_clear() {
    check("b|a|a|a|b", "2@b => x", "exact hinted 0-1:x");
    check("b|a|a|b", "2@b => x", "exact hinted 0-1:x");
    check("b|a|a|a|a|b", "3@b => x", "ambiguous 1 6");
}

#[test]
fn the_end_of_the_file_chooses() {
    check_at_end("b|a|b", "b => x", "exact hinted 2-3:x");
    check("b|a|b", "b => x", "ambiguous 1 3");
}

#[test]
fn what_may_stand_already_is_not_placed_more_loosely() {
    let edit = "b|} => b|k|a|}";
    check("b||}", edit, "blank-lines safe 1-1:k|a");
    check("b|k|a|}|x|b||}", edit, "applied at 1");
    check("b|k|a|}|x|b|k|a|}|b||}", edit, "ambiguous 10");
}

#[test]
fn a_joint_of_brackets_proves_nothing() {
    let edit = "    )|    give x|} =>     )|}";
    check("  )|  give x|}|k|    )|}", edit, "ambiguous 1");
    check("    )|}", edit, "applied at 1");
    let edit = "    put(|    give x|} =>     put(|}";
    check("  put(|  give x|}|k|    put(|}", edit, "applied at 5");
}

#[test]
fn what_is_not_where_the_edit_says_is_not_sure() {
    check_at_end("a|b|c", "b => x", "exact fuzzy 1-2:x");
    check_at_end("a|b||", "b => x", "exact exact 1-2:x");
    check("b|fn a|c", "fn a@b => x", "exact fuzzy 0-1:x");
    check("fn a|b|c", "fn a@b => x", "exact exact 1-2:x");
    check("b|c", "fn a@b => x", "exact exact 0-1:x");
}
