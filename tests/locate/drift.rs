//! Random files, random edits of them, and random drift between the two: the result is the true one, or the edit is
//! refused, never a third thing. And whatever was applied changes nothing when it is sent again.

use countersign::locate::{Confidence, Location, Rung, Tolerance, place_all};
use countersign::proposal::{Body, Hunk, HunkOrder, InputSpan};
use countersign::text::{Document, LineNo};
use proptest::prelude::*;

/// What an edit's author saw, what stands there now, and what it should become.
#[derive(Debug, Clone)]
struct Case {
    hunk: Hunk,
    now: Vec<String>,
    wanted: Vec<String>,
    slipped: bool,
    /// The lines that go and those that come.
    changed: Vec<String>,
}

/// How the edit's copy of the file's lines went wrong.
#[derive(Debug, Clone, Copy)]
enum Slip {
    None,
    TrailingBlanks,
    Shifted,
    InnerBlanks,
}

/// Lines as code has them: some stand often, some are alike but for a name or a number.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        1 => Just("}".to_owned()),
        1 => Just("    }".to_owned()),
        2 => (0..3_u8).prop_map(|n| format!("    call_{n}(value);")),
        2 => (0..40_u8, 0..3_u8).prop_map(|(name, n)| format!("    let name_{name} = compute({n});")),
        1 => (0..20_u8).prop_map(|n| format!("fn function_{n}() {{")),
    ]
}

fn lines(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(line(), count)
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        Just(Slip::None),
        Just(Slip::TrailingBlanks),
        Just(Slip::Shifted),
        Just(Slip::InnerBlanks)
    ]
}

fn slipped(lines: &[String], slip: Slip) -> Vec<String> {
    let one = |line: &String| match slip {
        _ if line.trim().is_empty() => line.clone(),
        Slip::None => line.clone(),
        Slip::TrailingBlanks => format!("{line}  "),
        Slip::Shifted => format!("    {line}"),
        Slip::InnerBlanks => line.replace(" = ", "  =  "),
    };
    lines.iter().map(one).collect()
}

prop_compose! {
    /// An edit with context, of a file that has moved on above and below it.
    fn case()(
        above in lines(0..30),
        before in lines(1..4),
        goes in lines(0..4),
        comes in lines(0..4),
        after in lines(1..4),
        below in lines(0..30),
        new_above in lines(0..4),
        new_below in lines(0..4),
        slip in slip(),
        hinted in any::<bool>(),
    ) -> Case {
        let now = [&new_above[..], &above, &before, &goes, &after, &below, &new_below].concat();
        let wanted = [&new_above[..], &above, &before, &comes, &after, &below, &new_below].concat();
        let half = |middle: &[String]| slipped(&[&before[..], middle, &after].concat(), slip);
        let body = Body { preimage: half(&goes), postimage: half(&comes) };
        let mut hunk = Hunk::new(body, InputSpan::of(0..1));
        hunk.hint = LineNo::new(above.len() + 1).filter(|_| hinted);
        Case { hunk, now, wanted, slipped: !matches!(slip, Slip::None), changed: [goes, comes].concat() }
    }
}

fn applied(now: &[String], location: &Location) -> Option<Vec<String>> {
    let Location::Placed(placement) = location else {
        return None;
    };
    let mut lines = Vec::new();
    let mut done = 0;
    for change in &placement.changes {
        lines.extend_from_slice(&now[done..change.lines.start]);
        lines.extend_from_slice(&change.with);
        done = change.lines.end;
    }
    lines.extend_from_slice(&now[done..]);
    Some(lines)
}

fn place(now: &[String], hunk: &Hunk) -> Location {
    let document = Document::from_text(
        now.iter()
            .map(|line| line.clone() + "\n")
            .collect::<String>(),
    );
    place_all(&[hunk], HunkOrder::Any, &document, Tolerance::default()).remove(0)
}

/// Blanks aside: a slip in the edit's indentation or inner blanks may show in the lines that it adds.
fn words(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_the_true_one_or_the_edit_is_refused(case in case()) {
        let location = place(&case.now, &case.hunk);
        // An edit whose slip makes it read like another place to the letter means that place.
        let to_the_letter = matches!(&location, Location::Placed(placement) if placement.rung == Rung::Exact);
        if let (Some(result), None) = (applied(&case.now, &location), case.hunk.hint)
            && !(to_the_letter && case.slipped)
        {
            prop_assert_eq!(words(&result), words(&case.wanted));
        }
    }

    #[test]
    fn an_applied_edit_sent_again_changes_nothing(case in case()) {
        let location = place(&case.now, &case.hunk);
        // Where one of several equal lines goes or comes, the edit cannot be told from a new one; brackets stand everywhere.
        let Body { preimage, postimage } = &case.hunk.body;
        for half in [preimage, postimage] {
            let mut seen = words(half);
            seen.retain(|line| !line.is_empty());
            seen.sort();
            prop_assume!(seen.windows(2).all(|two| two[0] != two[1]));
        }
        let tells = |line: &String| line.contains(char::is_alphanumeric);
        prop_assume!(case.changed.iter().chain(preimage).chain(postimage).all(tells));
        // Of a deletion nothing but its context is left to know it by, and that may stand elsewhere as well.
        prop_assume!(postimage.len() >= preimage.len());
        if let Some(result) = applied(&case.now, &location) {
            let again = place(&result, &case.hunk);
            let is_asked = matches!(&again, Location::Placed(placement) if placement.confidence == Confidence::Doubtful);
            let again = applied(&result, &again).filter(|_| !is_asked);
            prop_assert_eq!(again.unwrap_or_else(|| result.clone()), result);
        }
    }
}
