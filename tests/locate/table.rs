//! Where hunks are placed, a case a line. Lines of a text are parted by `|`.

use countersign::locate::{Location, Tolerance, Unplaced, place_all};
use countersign::proposal::{Anchor, AnchorStrength, Body, Hunk, HunkOrder, InputSpan};
use countersign::text::{Document, LineNo};

pub(crate) fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        Vec::new()
    } else {
        text.split('|').map(str::to_owned).collect()
    }
}

pub(crate) fn hunk(edit: &str) -> Hunk {
    let (preimage, postimage) = edit
        .split_once(" => ")
        .expect("an edit is `before => after`");
    let mut hunk = Hunk::new(
        Body {
            preimage: lines(preimage),
            postimage: lines(postimage),
        },
        InputSpan::of(0..1),
    );
    if let Some((anchor, rest)) = preimage.split_once('@') {
        hunk.body.preimage = lines(rest);
        match anchor.parse() {
            Ok(number) => hunk.hint = LineNo::new(number),
            Err(_) => {
                hunk.anchors = vec![Anchor {
                    text: anchor.to_owned(),
                    strength: AnchorStrength::Stated,
                }];
            }
        }
    }
    hunk
}

pub(crate) fn shown(location: &Location) -> String {
    match location {
        Location::Placed(placement) => {
            let changes: Vec<String> = placement
                .changes
                .iter()
                .map(|change| {
                    format!(
                        "{}-{}:{}",
                        change.lines.start,
                        change.lines.end,
                        change.with.join("|")
                    )
                })
                .collect();
            let doubt = placement.doubt.map(|doubt| format!(" {doubt:?}"));
            format!(
                "{} {}{} {}",
                placement.rung,
                placement.confidence,
                doubt.unwrap_or_default(),
                changes.join(" ")
            )
        }
        Location::AlreadyApplied { at } => format!("applied at {at}"),
        Location::Unplaced(Unplaced::Ambiguous { places, .. }) => {
            let lines: Vec<String> = places.iter().map(|place| place.line.to_string()).collect();
            format!("ambiguous {}", lines.join(" "))
        }
        Location::Unplaced(Unplaced::NotFound { nearest }) => {
            let lines: Vec<String> = nearest.iter().map(|near| near.line.to_string()).collect();
            format!("not found, near {}", lines.join(" "))
                .trim_end()
                .to_owned()
        }
        Location::Unplaced(Unplaced::Conflict { nearest, .. }) => {
            let near = nearest.first().map(|near| format!(", near {}", near.line));
            format!("conflict{}", near.unwrap_or_default())
        }
        Location::Follows { hunk } => format!("with {hunk}"),
        Location::Unplaced(other) => format!("{other:?}"),
    }
}

/// `edits` are `before => after`, parted by ` ; `; `12@before` has a line number, `fn a@before` an anchor.
#[track_caller]
fn check_all(order: HunkOrder, file: &str, edits: &str, expected: &str) {
    let document = Document::from_text(lines(file).join("\n") + "\n");
    let hunks: Vec<Hunk> = edits.split(" ; ").map(hunk).collect();
    let hunks: Vec<&Hunk> = hunks.iter().collect();
    let found = place_all(&hunks, order, &document, Tolerance::default());
    assert_eq!(
        found.iter().map(shown).collect::<Vec<_>>().join(" ; "),
        expected,
        "{file:?} {edits:?}"
    );
}

#[track_caller]
fn check(file: &str, edit: &str, expected: &str) {
    check_all(HunkOrder::Any, file, edit, expected);
}

/// A blank line before an elision may be any line of the file: the offset is that of the lines which show the place.
#[test]
fn the_blank_lines_beside_an_elision_are_no_place() {
    let document = Document::from_text("x\n\nfn a\n  one\n  two\n");
    let hunk = hunk(
        "4@|// ... existing code ...|  one|  two => |// ... existing code ...|  one|  new|  two",
    );
    let found = place_all(&[&hunk], HunkOrder::Any, &document, Tolerance::default());
    let [Location::Placed(placement)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((placement.lines.clone(), placement.offset), (3..5, Some(0)));
}

#[test]
fn the_strictest_rung_decides() {
    check("a|b|c", "b|c => b|d", "exact exact 2-3:d");
    check("a|b  |c", "b|c => b|d", "trailing-blanks safe 2-3:d");
    check("a|b|b  ", "b => d", "exact exact 1-2:d");
    check(
        "a|  b|    c",
        "b|  c => b|  d|  e",
        "indent safe 2-3:    d|    e",
    );
    check(
        "\tb|\t\tc",
        "    b|        c => b|        d",
        "indent safe 0-2:b|\t\td",
    );
    check(
        "  b|    c",
        "    b|      c => b|c",
        "indent doubtful Indentation 0-2:b|c",
    );
    check("x  =  1", "x = 1 => x = 2", "blanks safe 0-1:x = 2");
    check(
        "say(\u{201C}a\u{201D})|end",
        "say(\"a\")|end => say(\"a\")|more|end",
        "punctuation safe 1-1:more",
    );
    check("a||b|c", "a|b|c => a|b|d", "blank-lines safe 3-4:d");
    check("a|b|c", "a||b|c => a||b|d", "blank-lines safe 2-3:d");
    // The blank line at the edge is the file's: what comes after it in the edit comes after it in the file.
    check(
        "z||y||x|w||v",
        "|x||w| => |x||w||n|",
        "blank-lines safe 7-7:n|",
    );
    check(
        "z||y||x|w||v",
        "|x||w| => |n||x||w|",
        "blank-lines safe 4-4:n|",
    );
    // The blank lines of the file are the one of the edit.
    check("a|||b", "a||b => a||n|b", "blank-lines safe 3-3:n");
    check("a|||b", "a||b => a|||n|b", "blank-lines safe 3-3:|n");
    check("a|||b", "a||b => a|n||b", "blank-lines safe 1-1:n");
}

/// The stretch with the change has no indented line; the one below the elision has.
#[test]
fn the_indentation_of_an_elided_hunk_is_that_of_all_its_lines() {
    let file = "use(|    one|    two|    three|)";
    let edit = "use(|\t...|\tthree|) => set(|\tall|)|use(|\t...|\tthree|)";
    check(file, edit, "indent safe 0-0:set(|    all|)");
    let file = "use(|\tone|\ttwo|\tthree|)";
    check(file, edit, "exact safe 0-0:set(|\tall|)");
}

#[test]
fn two_places_are_ambiguous() {
    check("b|a|b", "b => c", "ambiguous 1 3");
    check("a|a|a", "a|a => b", "ambiguous 1 2");
    check("x|  b|y|    b", "b => c", "ambiguous 2 4");
}

#[test]
fn rivals_are_excluded_by_order_anchors_and_line_numbers() {
    check("b|a|b|c", "3@b => x", "exact hinted 2-3:x");
    check("b|a|a|a|a|b", "2@b => x", "exact hinted 0-1:x");
    check("b|a|a|b", "2@b => x", "ambiguous 1 4");
    check("b|a|a|a|b", "3@b => x", "ambiguous 1 5");
    check(
        "fn a|  b|fn c|  b",
        "fn c@  b =>   x",
        "exact exact 3-4:  x",
    );
    check("fn a|  b|fn c|  b", "fn zz@  b =>   x", "ambiguous 2 4");
    let twice = "b => x ; b => x";
    check_all(
        HunkOrder::Any,
        "b|a|b",
        twice,
        "exact exact 0-1:x ; exact exact 2-3:x",
    );
    check_all(
        HunkOrder::Any,
        "b|a|b",
        "3@b => x ; 3@b => x",
        "exact hinted 2-3:x ; applied at 3",
    );
    check_all(
        HunkOrder::Any,
        "b|a|b",
        "b => x ; b => y",
        "ambiguous 1 3 ; ambiguous 1 3",
    );
    check_all(
        HunkOrder::Any,
        "b|a|b",
        "b|a => x|a ; b => y",
        "exact exact 0-1:x ; exact exact 2-3:y",
    );
    check_all(
        HunkOrder::Ascending,
        "b|a|b",
        "b => x ; b => y",
        "exact exact 0-1:x ; exact exact 2-3:y",
    );
    check_all(
        HunkOrder::Ascending,
        "b|a|b",
        "a => x ; b => y",
        "exact exact 1-2:x ; exact exact 2-3:y",
    );
}

#[test]
fn a_line_number_is_corrected_by_the_offset_of_its_neighbours() {
    let file = "0|b|a|b|1|b|2";
    check_all(
        HunkOrder::Any,
        file,
        "1@a => x ; 2@b => y",
        "exact exact 2-3:x ; exact hinted 3-4:y",
    );
    check(file, "2@b => y", "exact hinted 1-2:y");
}

#[test]
fn insertions_need_a_place() {
    check("a|b", " => x", "Nowhere");
    check("a|b", "2@ => x", "exact hinted 1-1:x");
    check("fn a|fn b", "fn a@ => x", "exact hinted 1-1:x");
    check("fn a|fn a", "fn a@ => x", "ambiguous 1 2");
    check("a|x|b", "2@ => x", "exact doubtful Done 1-1:x");
}

#[test]
fn an_applied_edit_is_known() {
    check("a|x|b", "a => a|x", "applied at 1");
    check("a|x|b", "b => x|b", "applied at 2");
    check("a|x|b", "a|b => a|x|b", "applied at 1");
    check("a|y|b", "a|x|b => a|y|b", "applied at 1");
    check("  a|  y", "a|x => a|y", "applied at 1");
    check("    foo", "  foo =>     foo", "applied at 1");
    check("a||b", "a|b => a||b", "applied at 1");
    check("a|b", "a||b => a|b", "applied at 1");
    check("a|c", "a|b|c => a|c", "applied at 1");
    check("y", "x => y", "not found, near");
    check("a|a", "a => a|a", "ambiguous 1 2");
}

#[test]
fn the_side_of_a_missing_blank_line_is_asked() {
    let edit = "|||last() => ||use it;|||last()";
    check("use this;||||last()", edit, "exact exact 3-3:use it;|");
    check(
        "use this;|||last()",
        edit,
        "blank-lines doubtful Foreign 3-3:use it;|",
    );
    check(
        "first()||last()",
        "first()|||last() => first()|||last()|next()",
        "blank-lines safe 3-3:next()",
    );
}

#[test]
fn mistakes_that_look_like_a_shift_move_no_new_line() {
    let file = "class A:|    def one():|        x = 1|        y = 2|        return y";
    // Only the context of a diff has a blank too many, or too few.
    check(
        file,
        "     def one():|         x = 1|         y = 2 =>      def one():|         x = 1|        z = 4|         y = 2",
        "indent fuzzy 3-3:        z = 4",
    );
    check(
        file,
        "   def one():|       x = 1|       y = 2 =>    def one():|       x = 1|        z = 4|       y = 2",
        "indent fuzzy 3-3:        z = 4",
    );
    // Only the first line has lost its indentation.
    check(
        file,
        "def one():|        x = 1 => def one():|        x = 1|        z = 4",
        "indent fuzzy 3-3:        z = 4",
    );
    check(
        file,
        "x = 1|        y = 2 => z = 1|        y = 2",
        "blanks fuzzy 2-3:        z = 1",
    );
}

#[test]
fn what_a_deletion_leaves_is_no_proof_that_it_was_made() {
    check("  b|  c|x|y", "\tb|\tc|x|y => x|y", "indent safe 0-2:");
    check("a|  b|  c|x|y|", "\tb|\tc|x|y| => x|y|", "indent safe 1-3:");
}

#[test]
fn a_reworded_line_beside_the_change_is_doubtful() {
    let head = "fn total(items: &[Item]) -> u32 {|    // add up what";
    let tail = "item costs|    let sum = items.iter().map(cost).sum();|    sum";
    check(
        &format!("{head} every {tail}|}}"),
        &format!("{head} each {tail}|}} => {head} each {tail} + 1|}}"),
        "similar doubtful Words 3-4:    sum + 1",
    );
}

#[test]
fn a_changed_line_with_another_value_is_not_the_same_line() {
    let text = |most: u32| {
        format!(
            "fn limits() {{|    let most = {most};|    let least = 2;|    check(most, least);|}}"
        )
    };
    check(
        &text(250),
        &format!("{} => {}", text(200), text(300)),
        "similar doubtful Changed 1-2:    let most = 300;",
    );
}

#[test]
fn a_line_that_another_hunk_removes_is_moved() {
    check_all(
        HunkOrder::Any,
        "use some::x|use y|use z|go()",
        "use some::x|use y => use y ; use z => use z|use some::x",
        "exact exact 0-1: ; exact exact 3-3:use some::x",
    );
}

#[test]
fn hunks_that_change_the_same_line_are_refused() {
    let found = "Overlap { with: 1, at: LineNo(1) } ; Overlap { with: 0, at: LineNo(1) }";
    check_all(HunkOrder::Any, "a|b", "a => x ; a => y", found);
    check_all(
        HunkOrder::Any,
        "a|b",
        "a => x ; a => x",
        "exact exact 0-1:x ; applied at 1",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "a|b => x|b ; b|c => b|y",
        "exact exact 0-1:x ; exact exact 2-3:y",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "a|b => a|x ; c => y",
        "exact exact 1-2:x ; exact exact 2-3:y",
    );
}

#[test]
fn a_hunk_on_the_text_of_an_earlier_one_becomes_a_part_of_it() {
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "b => x|y ; y => z",
        "exact exact 1-2:x|z ; with 0",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "b => x|y ; y|c => y|d",
        "exact exact 1-3:x|y|d ; with 0",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "b => x ; x => y ; y => z",
        "exact exact 1-2:z ; with 0 ; with 0",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "y => z ; b => x|y",
        "not found, near ; exact exact 1-2:x|y",
    );
    check_all(
        HunkOrder::Ascending,
        "a|b|c",
        "b => x|y ; y => z",
        "exact exact 1-2:x|y ; not found, near",
    );
    check_all(
        HunkOrder::Any,
        "a|b|c",
        "b => x|y ; y|c => z ; c => d",
        "exact exact 1-2:x|y ; not found, near 3 ; exact exact 2-3:d",
    );
}

#[test]
fn hunks_of_one_file_are_escaped_together() {
    let any = HunkOrder::Any;
    let escaped = "a &lt; b => a &lt;= b";
    let file = "a < b|x|y &lt; z|t";
    // What is added beside it was escaped with it.
    check_all(
        any,
        file,
        &format!("{escaped} ; t => t &gt; 1 &amp;amp; 2"),
        "exact exact 0-1:a <= b ; exact exact 3-4:t > 1 &amp; 2",
    );
    // A character that would have been escaped, and the entity that the file has, were not.
    check_all(
        any,
        file,
        &format!("{escaped} ; x => x <b>&gt;</b> ; y &lt; z => y &lt; &gt; z"),
        "exact exact 0-1:a <= b ; exact exact 1-2:x <b>&gt;</b> ; exact exact 2-3:y &lt; &gt; z",
    );
    // Nothing tells.
    check("x|t", "t => t &gt; 1", "exact exact 1-2:t &gt; 1");
    // So are backslashes before quotes.
    let (file, escaped) = ("say(\"a\")|t", r#"say(\"a\") => say(\"b\")"#);
    let quotes = "t => t \\\"x\\\"";
    check_all(
        any,
        file,
        &format!("{escaped} ; {quotes}"),
        "exact exact 0-1:say(\"b\") ; exact exact 1-2:t \"x\"",
    );
    check(file, quotes, r#"exact exact 1-2:t \"x\""#);
}
