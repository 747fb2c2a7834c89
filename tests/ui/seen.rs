//! Lines that were on the screen are counted, and those that were not are named when they are accepted.

use countersign::review::ReviewSession;
use countersign::ui::Ending;

use crate::fixture::Batch;
use crate::script::Script;

/// A new file of 60 lines, and a line that is replaced.
fn session() -> ReviewSession {
    let lines: Vec<String> = (0..60).map(|n| format!("line {n}\n")).collect();
    Batch::new("")
        .create("new.txt", &lines.concat())
        .modify("old.txt", "one\ntwo\nthree\n", &[("two", "zwei")])
        .session()
}

/// Presses keys, draws, and checks how many lines were shown of the 62.
#[track_caller]
fn check(script: &mut Script, keys: &str, expected: usize) {
    script.press(keys);
    let screen = script.screen();
    let lines = script.app.session.seen().map(|seen| seen.lines);
    assert_eq!(lines, Some(expected), "{keys}\n{screen}");
}

#[test]
fn lines_count_when_they_were_on_the_screen() {
    let mut script = Script::new(session(), 80, 24);
    assert_eq!(script.app.session.seen(), None, "nothing was drawn yet");
    check(&mut script, "", 19);
    check(&mut script, "j j", 19);
    check(&mut script, "t", 19);
    check(&mut script, "t C-d", 28);
    check(&mut script, "?", 28);
    check(&mut script, "Esc G", 44);
    check(&mut script, "g g C-f", 54);
    check(&mut script, "C-f", 62);
}

#[test]
fn accepted_lines_that_were_never_shown_are_counted() {
    let mut script = Script::new(session(), 80, 24);
    script.screen();
    script.press("g a");
    let screen = script.screen();
    assert!(
        screen.contains("62 lines, 43 of them never shown"),
        "{screen}"
    );
    script.press("y");
    let screen = script.screen();
    let told = "2 hunks accepted: 62 lines, 43 of them never shown";
    assert!(screen.contains(told), "{screen}");
    script.press("q");
    let screen = script.screen();
    let told = "62 accepted lines, 43 of them never shown";
    assert!(screen.contains(told), "{screen}");
    script.press("Esc u G");
    script.screen();
    script.press("A");
    let screen = script.screen();
    assert!(screen.contains("1 hunk accepted"), "{screen}");
    assert!(!screen.contains("never shown"), "{screen}");
}

#[test]
fn a_cut_line_counts_when_what_differs_in_it_was_shown() {
    let long = |end: &str| format!("{} {end}", "word ".repeat(40));
    let session = Batch::new("")
        .modify(
            "a.txt",
            &format!("{}\n", long("before")),
            &[(&long("before"), &long("after"))],
        )
        .session();
    let mut script = Script::new(session, 80, 24);
    check(&mut script, "w w 0", 0);
    check(&mut script, "j $", 2);
}

#[test]
fn both_keys_that_finish_ask_about_the_same() {
    let finished = |batch: Batch, keys: &str| {
        let mut script = Script::new(batch.session(), 80, 24);
        script.screen();
        script.press(keys);
        script.screen();
        script.ending()
    };
    let shown = || Batch::new("").modify("a.txt", "one\ntwo\n", &[("one", "eins")]);
    let long = || {
        let lines: Vec<String> = (0..60).map(|n| format!("line {n}\n")).collect();
        shown().create("new.txt", &lines.concat())
    };
    let unplaced = || {
        let hunks = [("quantum", "flux"), ("drei", "three")];
        shown().modify("b.txt", "eins\ndrei\n", &hunks)
    };
    for leave in ["q", "Z Z"] {
        let check = |batch: Batch, keys: &str, asks: bool| {
            let ending = finished(batch, &format!("{keys} {leave}"));
            let expected = if asks { None } else { Some(Ending::Write) };
            assert_eq!(ending, expected, "{keys} {leave}");
        };
        check(shown(), "a", false);
        check(shown(), "r", false);
        check(shown(), "", true);
        check(long(), "g a y", true);
        check(long(), "g r y", false);
        check(unplaced(), "g a y", true);
        check(unplaced(), "g a y ) r", false);
        check(shown().problem("c.txt", 3), "a", true);
    }
}
