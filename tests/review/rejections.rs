//! What was rejected is recognised when it is proposed again.

use countersign::review::{
    Decision, HunkId, HunkReview, RecurrenceKind, RejectionRecord, Rejections, ReviewSession, Side,
    Target, accepted_after_all, notes, rejected_changes,
};

use crate::fixture::{composed, of_edits};

/// A file with a function that is edited in the tests, and one that looks like it.
const FILE: &str = "use std::io;||/// Sends a request.|pub fn send(&self, request: &Request) -> Result<Response> {|    \
let stream = self.connect()?;|    stream.write_all(request.as_bytes())?;|    read_response(stream)|}||/// Sends a ping.|\
pub fn ping(&self) -> Result<()> {|    let stream = self.connect()?;|    stream.write_all(b\"ping\")?;|    Ok(())|}";

const FIRST: &str = "    stream.write_all(request.as_bytes())?; => \
    let bytes = request.as_bytes();|    stream.write_all(bytes).unwrap();";

/// Decides about each hunk of the first file in turn: `a` accepts it, `r` rejects it, `-` leaves it undecided.
fn decided(mut session: ReviewSession, decisions: &str) -> ReviewSession {
    for (hunk, decision) in decisions.chars().enumerate() {
        let decision = match decision {
            'a' => Decision::Accepted,
            'r' => Decision::Rejected,
            _ => continue,
        };
        session.decide(&Target::Hunk(HunkId { file: 0, hunk }), decision);
    }
    session
}

fn record(session: &ReviewSession) -> RejectionRecord {
    RejectionRecord {
        time: 1,
        rejected: rejected_changes(session),
        accepted: accepted_after_all(session),
        ..RejectionRecord::default()
    }
}

/// Returns the kinds that are found for the hunks of a session after a review.
fn kinds(records: Vec<RejectionRecord>, mut session: ReviewSession) -> Vec<Option<RecurrenceKind>> {
    Rejections::new(records).mark(&mut session);
    let hunks = session.hunks();
    hunks
        .map(|(_, hunk)| Some(hunk.recurrence()?.kind))
        .collect()
}

#[test]
fn a_rejected_change_is_recognised_in_other_forms_and_other_changes_are_not() {
    use RecurrenceKind::{Contains, Renamed, Revised, Same};
    let check = |edits: &str, expected: &[Option<RecurrenceKind>]| {
        let first = record(&decided(of_edits(FILE, FIRST), "r"));
        let again = of_edits(FILE, edits);
        assert_eq!(kinds(vec![first], again), expected, "{edits}");
    };
    check(FIRST, &[Some(Same)]);
    // With more context, wrapped, and with a comma and a name more or less.
    check(
        "    let stream = self.connect()?;|    stream.write_all(request.as_bytes())?;|    read_response(stream) => \
         let stream = self.connect()?;|    let bytes =|        request.as_bytes();|    stream.write_all(|        \
         bytes,|    ).unwrap();|    read_response(stream)",
        &[Some(Same)],
    );
    check(
        "    stream.write_all(request.as_bytes())?; => \
         let data = request.as_bytes();|    stream.write_all(data).unwrap();",
        &[Some(Renamed)],
    );
    // In parts, and with others.
    check(
        "    stream.write_all(request.as_bytes())?; => \
         let bytes = request.as_bytes();|    stream.write_all(bytes).unwrap();|    stream.flush()?;",
        &[Some(Contains)],
    );
    check(
        "    stream.write_all(request.as_bytes())?; => \
         let bytes = request.as_bytes();|    stream.write_all(bytes)?;",
        &[Some(Revised)],
    );
    // The same change of the function below is another one, and so are others.
    check(
        "    stream.write_all(b\"ping\")?; => \
         let bytes = b\"ping\";|    stream.write_all(bytes).unwrap();",
        &[None],
    );
    check("use std::io; => use std::io::Write;", &[None]);
}

#[test]
fn names_are_the_agents_own_if_they_change_everywhere_in_the_same_way() {
    use RecurrenceKind::{Renamed, Revised, Same};
    let edits = |[read, called, name, value]: [&str; 4]| {
        format!(
            "use std::io; => use std::io::{read}; ; \
             /// Sends a request. => /// Sends a request, and {called} the {name}. ; \
                 stream.write_all(request.as_bytes())?; => \
                 let {name} = self.{value}();|    stream.write_all(request.as_bytes())?; ; \
                 stream.write_all(b\"ping\")?; =>     {called}.write_all(b\"ping\")?;"
        )
    };
    let rejected = ["Bar", "counts", "sum", "total"];
    let check = |again: [&str; 4], expected: [Option<RecurrenceKind>; 4]| {
        let first = record(&decided(of_edits(FILE, &edits(rejected)), "rrrr"));
        let again = edits(again);
        assert_eq!(
            kinds(vec![first], of_edits(FILE, &again)),
            expected,
            "{again}"
        );
    };
    check(rejected, [Some(Same); 4]);
    // Each of these names is used twice, in two hunks.
    check(
        ["Bar", "adds", "all", "total"],
        [Some(Same), Some(Renamed), Some(Renamed), Some(Renamed)],
    );
    // A name that is used once may be another thing, and so may one that the file knows.
    let other = |again| check(again, [None, Some(Same), Some(Same), Some(Same)]);
    other(["Baz", "counts", "sum", "total"]);
    check(
        ["Bar", "counts", "sum", "all"],
        [Some(Same), Some(Same), Some(Revised), Some(Same)],
    );
    check(
        ["Bar", "connect", "sum", "total"],
        [Some(Same), None, Some(Same), None],
    );
    // Two names for one thing are two things.
    check(
        ["Bar", "sum", "sum", "total"],
        [Some(Same), None, Some(Same), None],
    );
}

#[test]
fn a_part_of_a_rejected_change_is_recognised() {
    let twice = |second: &str| {
        format!(
            "    stream.write_all(request.as_bytes())?; =>     let bytes = request.as_bytes();|    \
             stream.write_all(bytes).unwrap();|    stream.flush().unwrap();{second}"
        )
    };
    let first = record(&decided(
        of_edits(FILE, &twice("|    stream.sync().unwrap();")),
        "r",
    ));
    assert_eq!(
        kinds(vec![first], of_edits(FILE, &twice(""))),
        [Some(RecurrenceKind::Part)]
    );
}

#[test]
fn a_change_that_undoes_an_edit_of_the_person_is_recognised() {
    let mut first = of_edits(FILE, FIRST);
    let id = HunkId { file: 0, hunk: 0 };
    let region = first.begin_edit(id, 0).expect("it can be edited");
    let mine = [
        "    let bytes = request.as_bytes();",
        "    stream.write_all(bytes)?;",
    ];
    first.edit(&region, &mine.map(str::to_owned));
    first.finish_edit();
    let first = decided(first, "a");
    let left = composed(&first);
    let back = "    stream.write_all(bytes)?; =>     stream.write_all(bytes).unwrap();";
    assert_eq!(
        kinds(vec![record(&first)], of_edits(&left, back)),
        [Some(RecurrenceKind::UndoesEdit)]
    );
}

#[test]
fn what_was_accepted_or_left_undecided_is_not_rejected() {
    let edits = format!("use std::io; => use std::io::Read; ; {FIRST}");
    let check = |decisions: &str, expected: usize| {
        let session = decided(of_edits(FILE, &edits), decisions);
        assert_eq!(rejected_changes(&session).len(), expected, "{decisions}");
    };
    check("aa", 0);
    check("--", 0);
    check("a-", 0);
    check("ar", 1);
    check("rr", 2);
}

#[test]
fn an_accepted_neighbor_does_not_hide_a_rejected_change() {
    let edits = format!(
        "pub fn send(&self, request: &Request) -> Result<Response> {{ => \
         pub async fn send(&self, request: &Request) -> Result<Response> {{ ; {FIRST}"
    );
    let first = decided(of_edits(FILE, &edits), "ar");
    let left = composed(&first);
    let again = of_edits(&left, FIRST);
    assert_eq!(
        kinds(vec![record(&first)], again),
        [Some(RecurrenceKind::Same)]
    );
}

#[test]
fn a_change_that_is_accepted_after_all_is_no_longer_rejected() {
    let first = record(&decided(of_edits(FILE, FIRST), "r"));
    let mut second = of_edits(FILE, FIRST);
    Rejections::new([first.clone()]).mark(&mut second);
    let second = record(&decided(second, "a"));
    assert_eq!(second.accepted.len(), 1);
    assert_eq!(kinds(vec![second, first], of_edits(FILE, FIRST)), [None]);
}

#[test]
fn rejected_before_is_not_accepted_in_batch() {
    let first = record(&decided(of_edits(FILE, FIRST), "r"));
    let mut again = of_edits(FILE, FIRST);
    assert!(again.files[0].hunks[0].is_sure());
    Rejections::new([first]).mark(&mut again);
    assert!(!again.files[0].hunks[0].is_sure());
}

#[test]
fn what_the_person_decides_about_a_change_that_was_rejected_again_holds() {
    let check = |decision: Decision| {
        let first = record(&decided(of_edits(FILE, FIRST), "r"));
        let hunk = HunkId { file: 0, hunk: 0 };
        let rejected_again = || {
            let mut again = of_edits(FILE, FIRST);
            Rejections::new([first.clone()]).mark(&mut again);
            again.reject_again(&[hunk]);
            again
        };
        let mut again = rejected_again();
        again.decide(&Target::Hunk(hunk), decision);
        let mut placed_anew = rejected_again();
        placed_anew.carry_over(&again);
        let mark = placed_anew.hunk(hunk).and_then(HunkReview::mark);
        assert_eq!(
            mark,
            again.hunk(hunk).and_then(HunkReview::mark),
            "{decision:?}"
        );
        let counts = placed_anew.counts();
        let accepted = usize::from(decision == Decision::Accepted);
        assert_eq!(counts.accepted, accepted, "{decision:?}");
    };
    check(Decision::Accepted);
    check(Decision::Rejected);
    check(Decision::Undecided);
}

#[test]
fn a_change_is_recognised_where_a_diff_places_equal_lines_otherwise() {
    const LIST: &str = "[|    {|        name: first,|    },|    {|        name: second,|    },|    {|        name: third,|    },|]";
    let rejected = record(&decided(
        of_edits(
            LIST,
            "        name: first,|    },|    {|        name: second,|    }, =>         name: first,|    },",
        ),
        "r",
    ));
    let other_start = "    },|    {|        name: second,|    },|    { =>     },|    {";
    let other_entry = "        name: second,|    },|    {|        name: third,|    }, =>         name: second,|    },";
    for (edit, expected) in [
        (other_start, Some(RecurrenceKind::Same)),
        (other_entry, None),
    ] {
        let again = of_edits(LIST, edit);
        assert_eq!(kinds(vec![rejected.clone()], again), [expected], "{edit}");
    }
}

#[test]
fn a_change_is_recognised_where_a_diff_cuts_it_at_other_lines() {
    use RecurrenceKind::{Contains, Part, Same};
    const CODE: &str = "struct Bed {|    rows: u8,|}||struct Shed;|let first = 1;|let last = 9;";
    let check = |first: &str, again: &str, expected: &[Option<RecurrenceKind>]| {
        let first = of_edits(CODE, first);
        let all = "r".repeat(first.counts().hunks);
        let rejected = record(&decided(first, &all));
        assert_eq!(
            kinds(vec![rejected], of_edits(CODE, again)),
            expected,
            "{again}"
        );
    };
    let two = "    rows: u8, =>     rows: u8,|    soil: Soil, ; \
               }||struct Shed; => }||impl Bed {|    fn dig(self) {}|}||struct Shed;";
    let one = |second: &str| {
        format!(
            "    rows: u8, =>     rows: u8,|    soil: Soil,|}}||impl Bed {{|    fn dig(self) {{}}{second}"
        )
    };
    // The bracket of the one stays as that of the other.
    check(two, &one(""), &[Some(Same)]);
    check(&one(""), two, &[Some(Part), Some(Part)]);
    check(
        &one("|    fn rake(self) {}"),
        two,
        &[Some(Part), Some(Part)],
    );
    check(two, &one("|    fn rake(self) {}"), &[Some(Contains)]);
    let other = one("").replace("Soil", "Loam").replace("dig", "mow");
    check(two, &other, &[None]);
    // Only what was unchanged between them is in both.
    check(two, "let first = 1; => let first = 1;|}", &[None]);
    // A line less at the end, or a line more.
    let lines = "let first = 1; => let first = one;|let second = two;|let third = three;";
    let fewer = "let first = 1; => let first = one;";
    check(lines, fewer, &[Some(Part)]);
    check(fewer, lines, &[Some(Contains)]);
    check(lines, "let last = 9; => let first = one;", &[None]);
}

#[test]
fn lines_that_are_only_indented_otherwise_are_part_of_a_rejected_change() {
    let first = "    stream.write_all(request.as_bytes())?;|    read_response(stream) => \
        if self.is_open() {|        stream.write_all(request.as_bytes())?;|        read_response(stream)|    }";
    let again = "    read_response(stream) =>         read_response(stream)";
    let first = record(&decided(of_edits(FILE, first), "r"));
    let expected = [Some(RecurrenceKind::Part)];
    assert_eq!(kinds(vec![first], of_edits(FILE, again)), expected);
}

#[test]
fn a_change_at_the_start_of_a_file_is_recognised_in_another_one() {
    let file = "import pytest|from one import first, second, third, fourth|from two import fifth, sixth, seventh|\
        from three import eighth, ninth, tenth|run(first)";
    let edit = "import pytest => import sys|import pytest";
    let check = |other: &str, expected: Option<RecurrenceKind>| {
        let mut first = record(&decided(of_edits(file, edit), "r"));
        first.rejected[0].path = "other.py".to_owned();
        assert_eq!(kinds(vec![first], of_edits(other, edit)), [expected]);
    };
    check(
        &format!("# Another file begins here.|{file}"),
        Some(RecurrenceKind::Moved),
    );
    check("# Another file begins here.|import pytest|run(first)", None);
}

#[test]
fn words_in_lines_that_another_change_wraps_are_no_part_of_it() {
    let first = of_edits(
        "ALLOWED = set([|    \"sys\",|    \"os\",|    \"io\",|    \"threading\",|    \"colorama\",|    \"errno\",|    \"fcntl\",|])",
        "ALLOWED = set([|    \"sys\",|    \"os\",|    \"io\",|    \"threading\",|    \"colorama\",|    \"errno\",|    \"fcntl\",|]) => \
         ALLOWED = {|  \"sys\",|  \"os\",|  \"io\",|  \"threading\",|  \"colorama\",|  \"errno\",|  \"fcntl\",|}",
    );
    let again = of_edits(
        "ALLOWED = set([|    'sys', 'os', 'io',|    'threading', 'colorama'|])",
        "    'threading', 'colorama' =>     'threading', 'colorama', 'errno'",
    );
    let first = record(&decided(first, "r"));
    assert_eq!(kinds(vec![first], again), [None]);
}

#[test]
fn the_comma_of_a_last_item_is_no_difference_and_another_one_is() {
    use RecurrenceKind::{Contains, Part, Same};
    const CODE: &str = "let row = plant(|    bean,|);|let all = 1;|let end = 2;";
    let check = |first: &str, again: &str, expected: Option<RecurrenceKind>| {
        let rejected = record(&decided(of_edits(CODE, first), "r"));
        let found = kinds(vec![rejected], of_edits(CODE, again));
        assert_eq!(found, [expected], "{again}");
    };
    let pea = "    bean, =>     bean,|    pea(sweet, early),";
    let both = "    bean, =>     bean,|    pea(sweet, early),|    leek(late),";
    check(pea, both, Some(Contains));
    check(both, pea, Some(Part));
    check(
        pea,
        "    bean, =>     bean,|    pea(sweet, early)",
        Some(Same),
    );
    // A comma that no bracket follows makes a tuple of it.
    let tuple = "let all = 1; => let all = many,";
    check(tuple, "let all = 1; => let all = many", None);
}

#[test]
fn a_change_of_quotes_alone_is_recognised_in_another_layout() {
    const CODE: &str = "def a():|    first()|    send(host, 'one')|    last()";
    let rejected = record(&decided(
        of_edits(CODE, "    send(host, 'one') =>     send(host, \"one\")"),
        "r",
    ));
    for (edit, expected) in [
        (
            "    send(host, 'one') =>     send(|        host, \"one\"|    )",
            Some(RecurrenceKind::Same),
        ),
        ("    send(host, 'one') =>     send(host, `one`)", None),
    ] {
        let again = of_edits(CODE, edit);
        assert_eq!(kinds(vec![rejected.clone()], again), [expected], "{edit}");
    }
}

#[test]
fn another_name_that_other_changes_use_is_another_thing() {
    let edits = |name: &str, other: &str| {
        format!(
            "/// Sends a request. => /// Sends a request with {name}. ; \
                 stream.write_all(request.as_bytes())?; => \
                 let {name} = 1;|    stream.write_all(request.as_bytes())?; ; \
             use std::io; => use std::io;|{other}"
        )
    };
    let rejected = record(&decided(
        of_edits(FILE, &edits("total", "use std::fs;")),
        "rrr",
    ));
    for (other, expected) in [
        ("use std::fs;", [Some(RecurrenceKind::Renamed); 2]),
        ("use std::sum;", [None, Some(RecurrenceKind::Revised)]),
    ] {
        let again = of_edits(FILE, &edits("sum", other));
        let found = kinds(vec![rejected.clone()], again);
        assert_eq!(found[1..], expected, "{other}");
    }
}

#[test]
fn the_lines_that_another_version_leaves_out_are_shown() {
    let check = |first: &str, second: &str, expected: &[&str]| {
        let change = |lines: &str| format!("    stream.write_all(request.as_bytes())?; => {lines}");
        let first = record(&decided(of_edits(FILE, &change(first)), "r"));
        let mut again = of_edits(FILE, &change(second));
        Rejections::new([first]).mark(&mut again);
        let notes = notes(&again.files[0], Some(0)).into_iter();
        let texts: Vec<String> = notes.map(|note| note.text).collect();
        assert_eq!(texts, expected, "{second}");
    };
    let four = "    one(1);|    two(2);|    three(3);|    four(4);";
    check(
        four,
        "    one(1);|  three(3);|    four(5);",
        &[
            "you rejected an earlier version of this change; 1 line of it is new",
            "without 2 lines of that version:",
            "−     two(2);",
            "−     four(4);",
        ],
    );
    check(
        &format!("{four}|    five(5);|    six(6);"),
        "    one(1);|    seven(7);",
        &[
            "you rejected an earlier version of this change; 1 line of it is new",
            "without 5 lines of that version:",
            "−     two(2);",
            "−     three(3);",
            "−     four(4);",
            "−     five(5);",
            "and 1 more",
        ],
    );
    check(four, four, &["you rejected this change before"]);
}

#[test]
fn another_member_of_something_is_no_other_name() {
    let check = |first: &str, second: &str, expected: Option<RecurrenceKind>| {
        let change = |name: &str| {
            format!(
                "    let stream = self.connect()?;|    stream.write_all(request.as_bytes())?; => \
                 {}",
                "    let kept = NAME(request);|    let other = self.check(NAME(self), 1, 2, 3);"
                    .replace("NAME", name)
            )
        };
        let first = record(&decided(of_edits(FILE, &change(first)), "r"));
        assert_eq!(
            kinds(vec![first], of_edits(FILE, &change(second))),
            [expected],
            "{second}"
        );
    };
    check("copied", "cloned", Some(RecurrenceKind::Renamed));
    check("net.open", "net.close", None);
    check("net::open", "net::close", None);
    check("net->open", "net->close", None);
}

#[test]
fn lines_that_were_shown_are_known_in_another_version() {
    // Which lines were shown: all, or those of these positions.
    let check = |shown: Option<&[usize]>,
                 second: &str,
                 expected: &[(usize, Option<usize>, Option<usize>)]| {
        let change = |lines: &str| format!("    stream.write_all(request.as_bytes())?; => {lines}");
        let four = "    one(1);|    two(2);|    three(3);|    four(4);";
        let mut first = of_edits(FILE, &change(four));
        let hunk = HunkId { file: 0, hunk: 0 };
        match shown {
            None => first.mark_hunk_seen(hunk),
            Some(lines) => (lines.iter()).for_each(|line| first.mark_seen(hunk, *line, Side::New)),
        }
        let first = record(&decided(first, "r"));
        let mut again = of_edits(FILE, &change(second));
        Rejections::new([first]).mark(&mut again);
        let known = again.files[0].hunks[0].recurrence();
        let known = known.map_or(Vec::new(), |known| known.shown.clone());
        let known: Vec<_> = (known.iter())
            .map(|known| (known.line, known.removed, known.added))
            .collect();
        assert_eq!(known, expected, "{second}");
    };
    let second = "    one(1);|    two(2);|    other(3);|    four(4);";
    check(
        None,
        second,
        &[
            (0, Some(0), Some(0)),
            (1, None, Some(1)),
            (3, None, Some(3)),
        ],
    );
    check(Some(&[1, 2]), second, &[(1, None, Some(1))]);
    check(Some(&[]), second, &[]);
    // Another indentation, and another order.
    check(
        None,
        "  one(1);|    two(2);|    four(4);|    three(3);",
        &[(0, Some(0), None), (1, None, Some(1)), (3, None, Some(2))],
    );
    // The change itself.
    check(
        None,
        "    one(1);|    two(2);|    three(3);|    four(4);",
        &[
            (0, Some(0), Some(0)),
            (1, None, Some(1)),
            (2, None, Some(2)),
            (3, None, Some(3)),
        ],
    );
}

#[test]
fn of_several_rejected_versions_the_latest_is_compared() {
    let change = |lines: &str| of_edits(FILE, &format!("use std::io; => use std::io;|{lines}"));
    let rejected = |lines: &str, reason: &str| {
        let mut session = change(lines);
        let hunk = HunkId { file: 0, hunk: 0 };
        session.comment(hunk, Some(reason.to_owned()));
        record(&decided(session, "r"))
    };
    let first = rejected("fn alpha(a: u8, b: u8) {}|fn beta(c: u8) {}", "first");
    let second = rejected("fn gamma(d: u8) {}|fn beta(c: u8, d: u8) {}", "second");
    // It begins like the first version.
    let mut again = change("fn alpha(a: u8, b: u8) {}|fn delta() {}|fn beta(c: u8, d: u8) {}");
    Rejections::new([second, first]).mark(&mut again);
    let known = again.files[0].hunks[0].recurrence();
    let known = known.map(|known| (known.kind, known.reason.as_deref()));
    assert_eq!(known, Some((RecurrenceKind::Revised, Some("second"))));
}
