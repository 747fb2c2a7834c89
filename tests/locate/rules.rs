//! The rules of placing, one by one: each case fails if its rule is switched off. Lines of a text are parted by `|`.
//!
//! | rule | switched off in | what fails then |
//! |---|---|---|
//! | a rung forgives what its name says | `fold`, `ladder` | `each_rung_forgives_one_thing_more` |
//! | the first rung with a place decides | `reading::placed`, `ladder::climb` | `a_stricter_place_beats_the_line_number` |
//! | a score below the precision is no place | `similar::sure` | `the_precision_is_the_least_score` |
//! | nothing else may come near | `similar::sure`, the margin | `a_rival_that_comes_near_leaves_nothing_sure` |
//! | a removed line has the same names and numbers | `similar::is_same_line` | `a_line_that_goes_has_the_same_names` |
//! | and the same signs | `similar::is_same_line` | `a_line_that_goes_has_the_same_signs` |
//! | and is nearly the same to the letter | `similar::is_same_line` | `a_line_that_goes_is_the_very_line` |
//! | code around a change has no other names | `similar::rewording` | `code_that_stays_has_the_same_names` |
//! | names that are kin are no slips | `slip::are_kin` | `kin_are_no_slips` |
//! | nor are other operators | `rewording::have_same_operators` | `code_that_stays_has_the_same_operators` |
//! | what is no sentence is code | `prose::is_prose` | `a_statement_without_signs_is_code` |
//! | where only the hand slipped, what has other names is no rival | `similar::sure` | `what_cannot_be_meant_is_no_rival_of_a_slip` |
//! | where both halves come near, either may be meant | `seek` | `what_may_stand_already_is_not_placed_by_likeness` |
//! | line numbers are left out on the last rung too | `reading::nearest` | `numbered_lines_may_have_slips` |
//! | a sign's number is its entity | `escaped::entity` | `entities_by_number_are_read` |
//! | a line that is only moved keeps its bytes | `Script::going` | `a_line_that_is_moved_stays_…` |
//! | indentation that is a guess is not sure | `Levels::of` | `new_lines_among_uneven_ones_are_not_sure` |
//! | nor is it if levels may be of another width | `Shift::otherwise` | `new_lines_of_another_width_are_not_sure` |
//! | nothing foreign stands between a change and its neighbours | `similar::is_safe` | `nothing_foreign_stands_beside_a_change` |
//! | an insertion has both neighbours | `similar::is_safe` | `an_insertion_needs_both_neighbours` |
//! | or the edge of the file | `similar::is_safe` | `an_insertion_without_a_neighbour_is_at_the_edge` |
//! | brackets alone are no evidence | `similar::sure`, `telling` | `brackets_are_no_evidence` |
//! | the order of hunks excludes places | `choose::one_left` | `table::rivals_are_excluded_…` |
//! | what another hunk changes is no place | `choose::Taken` | `table::rivals_are_excluded_…` |
//! | an edit that is sent twice is meant for one place | `choose::twins` | `table::rivals_are_excluded_…` |
//! | line numbers are corrected by what the sure hunks agree on | `choose::Offsets` | `table::a_line_number_is_corrected_…` |
//! | the nearest counts if it is twice as near | `choose::nearest_to_hint` | `a_line_number_must_be_clear` |
//! | the end of the file chooses | `choose::one_left` | `the_end_of_the_file_chooses` |
//! | what contradicts the edit is not sure | `is_elsewhere` | `what_is_not_where_the_edit_says_is_not_sure` |
//! | applied places are rivals | `applied::rivals` | `resent::a_line_that_a_number_chose_…` |
//! | what may stand already is not placed on a looser rung | `applied::stricter_place` | `what_may_stand_already_is_not_…` |
//! | a joint of brackets is no evidence | `applied::standing`, `tells` | `a_joint_of_brackets_proves_nothing` |
//! | a joint is none while the lines stand beside it | `evidence::stand_beside` | `a_function_that_still_stands_is_not_gone` |
//! | applied hunks bound the others | `choose::out_of_order`, `Done` | `resent::hunks_that_were_applied_…` |
//! | the version that a diff was made from decides | `merge` | `merge::…` |
//! | a search half without indentation is shifted, not the replace half | `levels::with_its_own_search` | `a_search_half_…` |
//! | nor is it by the one blank of a diff's context | `levels::Levels::of`, `is_one_blank` | `context_with_a_blank_…` |
//! | the first line's lost indentation is its own | `levels::Levels`, `lost` | `the_first_line_…` |
//! | levels that the file does not tell apart place nothing | `levels::is_known` | `new_lines_of_unknown_levels_…` |
//! | a line is not put beside its equal | `doubt::repeats` | `a_line_is_not_put_beside_its_equal` |
//! | what still stands was not taken away | `evidence::still_stands` | `what_still_stands_was_not_taken_away` |
//! | what is added stands to the letter, if it stands | `evidence::added_stand` | `what_only_looks_alike_is_not_applied` |
//! | blank lines that come are looked for | `evidence::adds_only_blanks` | `what_only_looks_alike_is_not_applied` |
//! | what stands within what is sought may be what is left of it, or not | `rivals::chosen`, `is_within` | `what_only_looks_alike_…` |
//! | a backslash makes another line | `rewording::OPERATORS` | `quotes_with_backslashes_are_read` |
//! | quotes that all have a backslash were escaped | `escaped::without_backslashes` | `quotes_with_backslashes_are_read` |
//! | a place that comes near at the line named is a rival | `similar::is_named_elsewhere` | `a_line_that_is_named_…` |
//! | lines that end with a blank one go below the file's | `script::changed_lines` | `new_lines_keep_their_blank_line` |
//! | nor do they where the line by which they go is off by itself | `levels::is_known` | `new_lines_of_unknown_levels_…` |
//! | lines are not put beside a part of themselves | `doubt::stands_in_part` | `lines_are_not_put_beside_a_part_…` |
//! | a text that ends its line ends there in the file | `passage::passages` | `a_text_that_ends_its_line_…` |
//! | what stands between the changes of a hunk that another follows stays | `follow::Text::together` | `a_hunk_that_is_followed_…` |
//! | a place that holds a line that comes was changed already | `similar::holds_added` | `what_holds_an_added_line_…` |
//! | what stands at the line named is not applied elsewhere | `applied::is_named_here` | `what_stands_at_the_line_named_…` |
//! | blank lines alone are not placed where blank lines are overlooked | `doubt::overlooked` | `what_a_rung_overlooks_…` |
//! | nor is a line that the file has as it is to be | `doubt::overlooked` | `what_a_rung_overlooks_…` |
//! | a line is not put deeper than its edit has it for want of room | `indent::has_room` | `a_line_at_the_margin_…` |
//! | levels have the width of the file's | `Shift::explaining` | `levels_of_another_width_…` |
//! | a star begins a line of a comment only where there is one | `Levels::of`, `stands_in` | `context_with_a_blank_…` |
//! | where lines only go deeper or less deep, depth tells the halves apart | `evidence::moves_only` | `another_depth_…` |
//! | blanks that are left out beside lines that go are no sign of what is applied | `evidence::adds_nothing` | `lines_that_go_…` |

use countersign::locate::{Location, Tolerance, place_all};
use countersign::proposal::{Extent, Hunk, HunkOrder};
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
fn a_line_that_goes_has_the_same_signs() {
    let check = |edit: &str, file: &str, expected| {
        let block = BLOCK.replace("give(sum)", edit);
        let goes = format!("{block} => {}", block.replace(edit, "give(nothing)"));
        let file = reworded("adds up what all the items cost us").replace("give(sum)", file);
        check(&file, &goes, expected);
    };
    let placed = "similar fuzzy 3-4:    give(nothing);";
    let call = "give(sum, of_all == what_was_added_up_before, \",\")";
    check(call, &call.replace('"', "'"), placed);
    check(call, &call.replace("==", "!="), "not found, near 1");
    check(call, &call.replace(",\"", ";\""), "not found, near 1");
    check(
        call,
        &call.replace("of_all", "!of_all"),
        "not found, near 1",
    );
    let call = "give(sum, of_all, `--was-added-up-before`)";
    check(&call.replace("--", "\u{2013}"), call, placed);
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

/// A slip in code that stays, told by the line of the file that it is made in.
#[track_caller]
fn check_slip(file_line: &str, edit_line: &str, expected: &str) {
    let block = |line: &str| BLOCK.replace("let sum = add(items);", line);
    check(&block(file_line), &edit_of(&block(edit_line)), expected);
}

const SLIP: &str = "similar fuzzy 3-4:    give(sum + 1);";

#[test]
fn kin_are_no_slips() {
    check_slip("let sum = decode(all);", "let sum = deocde(all);", SLIP);
    for kin in ["encode", "Decode", "_decode", "decodes", "decodeX"] {
        let line = format!("let sum = {kin}(all);");
        check_slip("let sum = decode(all);", &line, "not found, near 1");
    }
}

#[test]
fn code_that_stays_has_the_same_operators() {
    check_slip("let sum = a + b", "let sum = a + b;", SLIP);
    check_slip("let sum = a - b;", "let sum = a + b;", "not found, near 1");
}

#[test]
fn a_statement_without_signs_is_code() {
    check_slip("Adds up what there is.", "Sums up what there is.", SLIP);
    for (line, other) in [
        ("import all from there", "import sum from there"),
        ("name: adds up all", "name: sums up all"),
        ("msgid \"adds up all\"", "msgid \"sums up all\""),
        ("copy all of ours here", "move all of ours here"),
        ("see chapter 2 of it", "see chapter 3 of it"),
    ] {
        check_slip(line, other, "not found, near 1");
    }
}

#[test]
fn what_cannot_be_meant_is_no_rival_of_a_slip() {
    let slip = edit_of(&BLOCK.replace("items);", "itmes);"));
    let sibling = BLOCK.replace("fn total(", "fn added(");
    check(&format!("{BLOCK}|x|{sibling}"), &slip, SLIP);
    // The comment of the sibling could be what was meant.
    let sibling = BLOCK.replace("adds up whatever", "adds up what");
    check(
        &format!("{BLOCK}|x|{sibling}"),
        &slip,
        "not found, near 1 7",
    );
}

#[test]
fn what_may_stand_already_is_not_placed_by_likeness() {
    let edit = edit_of(&BLOCK.replace("items);", "itmes);"));
    let applied = BLOCK.replace("give(sum)", "give(sum + 1)");
    check(&format!("{applied}|x"), &edit, "applied at 1");
    check(&format!("{applied}|x|{BLOCK}"), &edit, "ambiguous 7");
}

#[test]
fn numbered_lines_may_have_slips() {
    let numbered = |block: &str| {
        let lines = block.split('|').enumerate();
        let lines = lines.map(|(i, line)| format!("{}\u{2192}{line}", i + 1));
        lines.collect::<Vec<_>>().join("|")
    };
    let slip = BLOCK.replace("items);", "itmes);");
    let edit = format!(
        "{} => {}",
        numbered(&slip),
        numbered(&slip.replace("(sum)", "(sum + 1)"))
    );
    check(BLOCK, &edit, SLIP);
}

#[test]
fn entities_by_number_are_read() {
    for quote in ["&#39;", "&#039;", "&#x27;", "&#X27;"] {
        let edit = format!("say({quote}a{quote})|b => say({quote}c{quote})|b");
        check("say('a')|b", &edit, "exact exact 0-1:say('c')");
    }
    check("say(1)|b", "say(&#49;)|b => c|b", "not found, near 1");
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
fn new_lines_of_another_width_are_not_sure() {
    let file = "a|  b|  b|    c|    d|  e";
    let edit = |inner| format!("        c|        d =>         c|        x|{inner}y|        d");
    let placed = |inner| format!("4-4:    x|{inner}y");
    let check_edit = |inner, expected: String| check(file, &edit(inner), &expected);
    check_edit(
        "            ",
        format!("indent fuzzy {}", placed("        ")),
    );
    check_edit("          ", format!("indent safe {}", placed("      ")));
    check_edit("        ", format!("indent safe {}", placed("    ")));
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
    // Nor does it where the lines that go stand, one of them with a slip.
    let edit = "  }|  a %= BASE|  b %= BASE;| =>   }|";
    check(
        "  }||  d;|  }|  a %= BASE;|  b %= BASE;|",
        edit,
        "not found, near 4",
    );
    let edit = "    put(|    give x|} =>     put(|}";
    check("  put(|  give x|}|k|    put(|}", edit, "applied at 5");
}

#[test]
fn a_function_that_still_stands_is_not_gone() {
    let edit = "}||fn a {|  if b == c|  d|}||fn e => }||fn e";
    check(
        "x|}||fn a {|  if b == c|  d|}||fn e",
        edit,
        "exact exact 3-8:",
    );
    check(
        "x|}||fn a {|  if b != c|  d|}||fn e",
        edit,
        "not found, near 2",
    );
    check("x|}||fn e", edit, "applied at 2");
}

#[test]
fn what_is_not_where_the_edit_says_is_not_sure() {
    check_at_end("a|b|c", "b => x", "exact fuzzy 1-2:x");
    check_at_end("a|b||", "b => x", "exact exact 1-2:x");
    check("b|fn a|c", "fn a@b => x", "exact fuzzy 0-1:x");
    check("fn a|b|c", "fn a@b => x", "exact exact 1-2:x");
    check("b|c", "fn a@b => x", "exact exact 0-1:x");
}

#[test]
fn a_search_half_without_indentation_is_not_the_replace_halfs() {
    let file = "fn f() {|    a();|    b();|}";
    check(
        file,
        "a();|b(); =>     a();|    c();",
        "indent safe 2-3:    c();",
    );
    check(file, "a();|b(); =>     c();", "indent safe 1-3:    c();");
    check(file, "a();|b(); => a();|c();", "indent safe 2-3:    c();");
    let wrapped = "a();|b(); => if x {|    a();|    b();|}";
    let expected = "indent safe 1-3:    if x {|        a();|        b();|    }";
    check(file, wrapped, expected);
    let value =
        "a();|s(|    1,|    2,|    3,|); =>     a();|    t(|      1,|      2,|      3,|    );";
    check(
        "{|    a();|    s(|        1,|        2,|        3,|    );|}",
        value,
        "indent safe 2-6:    t(|      1,|      2,|      3,",
    );
    let defined = "a();|b();|c(); =>     a();|#if x|    b();|#endif|    c();";
    check(
        "fn f() {|    a();|    b();|    c();|}",
        defined,
        "indent safe 2-2:#if x 3-3:#endif",
    );
    let taken = "a();|b(); =>     b();";
    check(file, taken, "indent safe 1-2:");
    check("fn f() {|    b();|}", taken, "not found, near 1");
}

#[test]
fn context_with_a_blank_too_many_is_not_the_new_lines() {
    let file = "fn f() {|    a();|    b();|}|fn g() {|    c();|}";
    let edit = "     a();|     b(); =>      a();|    new();|     b();";
    check(file, edit, "indent fuzzy 2-2:    new();");
    let edit = "     a();|     b(); =>      a();|     new();|     b();";
    check(file, edit, "indent safe 2-2:    new();");
    let file = "{|    int *p = get(p);|    *p = 1;|}";
    let edit = "     int *p = get(p);|     *p = 1; =>      int *p = get(p);|     *p = 2;";
    check(file, edit, "indent safe 2-3:    *p = 2;");
}

#[test]
fn the_first_line_alone_may_lose_its_indentation() {
    let file = "fn f() {|    a()|        .b()|        .c();|}";
    let edit = "a()|        .b()|        .c(); => a(|        1,|    )|        .b()|        .c();";
    check(file, edit, "indent fuzzy 1-2:    a(|        1,|    )");
}

#[test]
fn new_lines_of_unknown_levels_are_not_placed() {
    let file = "if a {|  b|    c|}|d";
    let edit = "if a {|b|c|} => if a {|b|x|y|c|}";
    check(file, edit, "doubtful 1: Indentation");
    check(
        file,
        "if a {|b|c|} => if a {|b|x|}",
        "blanks fuzzy 2-3:    x",
    );
    let edit = "  if a {|    b|  c => if a {|    b|  x|  c";
    check("if a {|  b|  c|}", edit, "doubtful 1: Indentation");
    let crossed = "    x|}|  } =>     x|      y|}|  }";
    check(
        "if a {|  if b {|    x|  }|}",
        crossed,
        "doubtful 3: Indentation",
    );
}

#[test]
fn a_line_is_not_put_beside_its_equal() {
    let file = "a|/// tells|fn f {|    x|}";
    let edit = "fn f {|    x => /// tells|fn f {|    y";
    check(file, edit, "doubtful 3: Repeats");
    check(
        file,
        "fn f {|    x => /// says|fn f {|    y",
        "exact exact 2-2:/// says 3-4:    y",
    );
    check(file, "    x =>     y|}", "doubtful 4: Repeats");
    check("b|c|d|e", "a|b => a|x|b", "not found, near 1");
    check("a|b|c|d|e", "a|b => a|x|b|c|d", "doubtful 1: Repeats");
}

#[test]
fn lines_are_not_put_beside_a_part_of_themselves() {
    for (file, edit) in [
        ("a|b|x1|x2|x3|c", "a|b => a|b|x1|x2|x3|x4|x5|x6|x7"),
        ("a|x1|x2|x3||b|c", "b|c => x1|x2|x3|x4|x5|x6|x7||b|c"),
        ("a|x5|x6|x7|b|c", "b|c => x4|x5|x6|x7|b|c"),
        ("a|b||x1|c", "a|b => a|b||x1|"),
    ] {
        let found = shown(&placed(file, &hunk(edit), 0.85));
        assert!(found.ends_with("Repeats"), "{file:?} {edit:?} {found}");
    }
    // Where the edit shows what stands there, it says so itself; and neighbours may end alike.
    let shows = "a|b|x1 => a|b|x1|x2|x3|x4|x1";
    check("a|b|x1|x2|x3|c", shows, "exact exact 3-3:x2|x3|x4|x1");
    check(
        "a|x5|x6|x7|b|c",
        "b|c => x1|x2|x3|x4|x5|x6|x7|b|c",
        "exact exact 4-4:x1|x2|x3|x4|x5|x6|x7",
    );
}

#[test]
fn a_text_that_ends_its_line_ends_there_in_the_file() {
    let text = |ends_line| Hunk {
        extent: Extent::Text,
        ends_line,
        ..hunk("say(1); => say(2);")
    };
    let found = |file, ends_line| shown(&placed(file, &text(ends_line), 0.85));
    assert_eq!(
        found("say(1); // one", false),
        "exact exact 0-1:say(2); // one"
    );
    assert_eq!(found("say(1); // one", true), "not found, near");
    assert_eq!(
        found("if x { say(1);", true),
        "exact exact 0-1:if x { say(2);"
    );
}

#[test]
fn a_hunk_that_is_followed_keeps_what_stands_between_its_changes() {
    let document = Document::from_text("a\nkey: 1\np\nq\nlast\nz\n");
    let first = hunk("a|key: 1|p|q|last|z => a|key: 2|p|q|z");
    let second = hunk("a|key: 2 => a|key: 3");
    let tolerance = Tolerance { precision: 0.85 };
    let locations = place_all(&[&first, &second], HunkOrder::Any, &document, tolerance);
    let found: Vec<String> = locations.iter().map(shown).collect();
    assert_eq!(found, ["exact exact 1-2:key: 3 4-5:", "with 0"]);
}

#[test]
fn what_holds_an_added_line_was_changed_already() {
    let edit =
        "copy(one);|give(one);|next(one);|} while (more); => give(two);|next(one);|} while (more);";
    let file = "copy(one);|give(one);|next(one);|give(two);|next(one, more);|} while (more);|z";
    check(file, edit, "not found, near 1");
    let file = file.replace("two", "six");
    check(&file, edit, "similar fuzzy 0-2:give(two);");
}

#[test]
fn what_stands_at_the_line_named_is_not_applied_elsewhere() {
    let file = "a|say(\u{201C}one\u{201D})|b|x|say(\"one\")|y|b";
    let edit = "a|say(\"one\")|b => a|say(\"one\")|y|b";
    let applied = file.replacen("|x|", "|a|", 1);
    check(&applied, &format!("1@{edit}"), "ambiguous 1");
    check(&applied, edit, "applied at 4");
}

#[test]
fn levels_of_another_width_than_the_files_are_no_levels() {
    let file = "a:|    b:|        c|    d:|        e|        f";
    let edit = "    d:|            e =>     d:|            e|                x";
    check(file, edit, "doubtful 4: Indentation");
    let edit = "d:|  e => d:|  e|    x";
    check(file, edit, "indent safe 5-5:            x");
}

#[test]
fn another_depth_is_not_applied_yet() {
    let file = "with a:|        assert first(value) == second(value)|b";
    let edit = "with a:|        assert first( value) == second(value) => with a:|    assert first(value) == second(value)";
    check(
        file,
        edit,
        "similar fuzzy 1-2:    assert first(value) == second(value)",
    );
}

#[test]
fn lines_that_go_and_a_blank_with_them_are_not_gone_yet() {
    let edit = "one|two|select |b|c => select|b|c";
    check("one|two|select |b|c", edit, "exact exact 0-3:select");
    check("select|b|c", edit, "applied at 1");
}

#[test]
fn what_still_stands_was_not_taken_away() {
    let edit = "cut here|use inptu|end => use input|end";
    check("cut here|use input|end", edit, "not found, near 1");
    check("use input|end", edit, "applied at 1");
}

#[test]
fn what_only_looks_alike_is_not_applied() {
    let edit = "say 'one'|x   = 1  => say 'one'|x = 1";
    check(
        "say \u{2018}one\u{2019}|x   =  2|x = 1",
        edit,
        "not found, near 1",
    );
    let edit = "v 1|one|two => v 2|one||two";
    check("v 2|one|two", edit, "not found, near 1");
    let edit = "p();|q  = 1|r(); => q = 1|r();";
    check("p();|q = 1|r();", edit, "ambiguous 1");
    check("o();|q = 1|r();", edit, "applied at 2");
}

#[test]
fn quotes_with_backslashes_are_read() {
    let edit = r#"say(\"a\")|keep => say(\"b\")|keep"#;
    check("say(\"a\")|keep", edit, "exact exact 0-1:say(\"b\")");
    let edit = r#"say(\"a\", "b")|keep it|as it is|all of it => say(\"a\", "b")|keep it|or not|as it is|all of it"#;
    check(
        "say(\"a\", \"b\")|keep it|as it is|all of it",
        edit,
        "not found, near 1",
    );
}

#[test]
fn a_line_that_is_named_is_a_rival() {
    let file =
        "a href,|log(go);|rel: link,|a target,|out,|}|a href,|go,|rel: link,|a target,|out|}";
    let edit = |named: &str| {
        let (head, tail) = ("a href,|go,", "a target,|out,");
        format!("{named}{head}|rel: link,|{tail} => {head}|rel,|{tail}")
    };
    check(file, &edit(""), "similar fuzzy 8-9:rel,");
    check(file, &edit("7@"), "similar fuzzy 8-9:rel,");
    check(file, &edit("1@"), "not found, near 7 1");
}

#[test]
fn new_lines_keep_their_blank_line() {
    check(
        "a|}||fn c|d",
        "}|fn c => }|fn b||fn c",
        "blank-lines safe 3-3:fn b|",
    );
    check(
        "a|}||fn c|d",
        "}|fn c => }||fn b|fn c",
        "blank-lines safe 2-2:|fn b",
    );
}

#[test]
fn what_a_rung_overlooks_is_not_changed_there() {
    // The file has the blank line, and a comment besides.
    check(
        "const A: i32 = 4096;||const B: i32 = 16;|const C: i32 = 2;|",
        "const A: i32 = 4096;|const B: i32 = 16;||const C: i32 = 2; => const A: i32 = 4096;||const B: i32 = 16;||const C: i32 = 2;",
        "doubtful 1: Blanks",
    );
    // The lines that are to be deeper are, and the one above them too.
    check(
        "      set(1);|      // Aliases|      put(2);|      put(3);|  }|}",
        "    set(1);|    // Aliases|    put(2);|    put(3);|  }|} =>     set(1);|      // Aliases|      put(2);|      put(3);|  }|}",
        "doubtful 1: Done",
    );
}

#[test]
fn a_line_at_the_margin_leaves_no_room_below_it() {
    let edit = "        two();|    }||    // next =>         two();|    }|}||    // next";
    check("    two();|}||// next", edit, "doubtful 1: Indentation");
    check("      two();|  }||  // next", edit, "indent safe 2-2:}");
    let directive = "    one();|    two(); =>     one();|#endif|    two();";
    check("one();|two();", directive, "indent safe 1-1:#endif");
}
