//! Files change on disk while they are under review.

use crate::script::Script;
use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, Mark, ReviewSession, Target,
};
use countersign::ui::action::{Effect, Mouse};
use countersign::ui::{Ending, Placed};

use crate::fixture::Batch;

const BASE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// Edits of two files, the first with this text.
fn batch(base: &str) -> Batch {
    let hunks = [("two\nthree", "two\nTHREE"), ("eight\nnine", "eight\nNINE")];
    Batch::new("Louder.").modify("first", base, &hunks).modify(
        "second",
        "alpha\nbeta\n",
        &[("beta", "BETA")],
    )
}

fn session(base: &str) -> ReviewSession {
    batch(base).session()
}

/// The session as the `placing`th placing finds it.
fn placed(placing: u64, base: &str) -> Placed {
    let mut session = session(base);
    session.placing = placing;
    let changed = vec!["first".to_owned()];
    Placed {
        session,
        changed,
        precision: None,
        notice: None,
    }
}

fn script() -> Script {
    Script::new(session(BASE), 100, 30)
}

fn here(script: &Script) -> Option<HunkId> {
    script.app.stream.hunk()
}

#[test]
fn the_cursor_stays_on_its_hunk_and_decisions_on_theirs() {
    let mut script = script();
    script.press("a j j");
    let second = Some(HunkId { file: 0, hunk: 1 });
    assert_eq!(here(&script), second);
    let line = script.app.stream.row();
    script.place(placed(1, &format!("new\nnewer\n{BASE}")));
    assert_eq!(here(&script), second);
    assert_ne!(script.app.stream.row(), line, "its lines have moved");
    assert_eq!(script.app.session.counts().accepted, 1);
    let screen = script.screen();
    assert!(screen.contains("first has changed on disk"), "{screen}");
    assert!(screen.contains("newer"), "{screen}");

    script.place(placed(2, &BASE.replace("two", "2")));
    assert_eq!(here(&script), second);
    assert_eq!(script.app.session.counts().accepted, 0);
    let screen = script.screen();
    assert!(
        screen.contains("1 accepted hunk is undecided again"),
        "{screen}"
    );
}

#[test]
fn what_is_under_way_comes_first() {
    for (begin, end) in [
        ("i <!!>", "Esc"),
        ("v", "Esc"),
        ("c <why>", "Enter"),
        ("g a", "n"),
    ] {
        let mut script = script();
        script.press(begin);
        script.place(placed(1, &format!("new\n{BASE}")));
        script.place(placed(2, &format!("newer\n{BASE}")));
        script.place(placed(1, BASE));
        let screen = script.screen();
        assert!(!screen.contains("newer"), "{begin}\n{screen}");
        script.press(end);
        let screen = script.screen();
        assert!(screen.contains("newer"), "{begin} {end}\n{screen}");
        assert_eq!(screen.contains("!!"), begin.contains("!!"), "{screen}");
        assert_eq!(screen.contains("why"), begin.contains("why"), "{screen}");
    }
}

#[test]
fn the_last_dialog_ends_the_review_that_it_was_asked_about() {
    let mut script = script();
    script
        .press("a q")
        .place(placed(1, &BASE.replace("two", "2")));
    script.press("w");
    assert_eq!(script.ending(), Some(Ending::Write));
    let session = script.outcome().session;
    assert_eq!((session.placing, session.counts().accepted), (0, 1));
}

#[test]
fn what_is_on_the_screen_may_be_gone() {
    for keys in ["G", "w G", "t", "z R G", "|"] {
        let mut script = script();
        script.press(keys).place(placed(1, "two\nthree\n"));
        script.screen();
        script.place(placed(2, ""));
        script.screen();
        script.press("j k G g g").screen();
    }
}

#[test]
fn an_outline_is_looked_at_and_decided_only_when_it_is_placed() {
    let mut script = Script::new(batch(BASE).outline(), 130, 20);
    let screen = script.screen();
    for shown in [
        "2 files  3 ·",
        "first",
        "2 hunks, being placed",
        "placing the edits of 2 files",
    ] {
        assert!(screen.contains(shown), "`{shown}`\n{screen}");
    }
    for key in [
        "a", "r", "x", "u", "i", "c", "v", "g a", "q", "Z Z", "Z Q", "A",
    ] {
        let screen = script.press(key).screen();
        assert!(screen.contains("still being placed"), "{key}\n{screen}");
        assert_eq!(script.ending(), None, "{key}");
    }
    // The file in the list, its head and its mark.
    for (x, y) in [(1, 2), (32, 2), (33, 2)] {
        script.mouse(Mouse::Press, x, y);
    }
    assert_eq!(script.app.session.counts().hunks, 0);

    script.press("G");
    let mut earlier = session(BASE);
    earlier.decide(
        &Target::Hunk(HunkId { file: 0, hunk: 0 }),
        Decision::Accepted,
    );
    earlier.placing = 1;
    script.place(Placed {
        session: earlier,
        changed: Vec::new(),
        precision: None,
        notice: Some("an earlier review goes on".to_owned()),
    });
    let screen = script.screen();
    assert!(screen.contains("an earlier review goes on"), "{screen}");
    assert!(screen.contains("2 files  1 ✓  2 ·"), "{screen}");
    assert!(!script.app.has_changed(), "nobody has decided anything");
    assert_eq!(script.app.stream.file(), Some(1), "the cursor was moved");
    assert_eq!(script.press("a").app.session.counts().accepted, 2);
}

#[test]
fn a_cursor_that_was_not_moved_goes_where_the_earlier_review_left_off() {
    let mut script = Script::new(batch(BASE).outline(), 130, 20);
    let mut earlier = session(BASE);
    earlier.decide(&Target::File(0), Decision::Rejected);
    earlier.placing = 1;
    script.place(Placed {
        session: earlier,
        changed: Vec::new(),
        precision: None,
        notice: None,
    });
    assert_eq!(here(&script), Some(HunkId { file: 1, hunk: 0 }));
}

#[test]
fn an_edit_of_lines_that_change_on_disk_is_kept_and_placed_by_hand() {
    let mut script = script();
    script.press("] i End <!> Home C-k <mine>");
    script.place(placed(1, &BASE.replace("nine", "9")));
    script.press("Esc");
    let screen = script.screen();
    assert!(
        screen.contains("first has changed on disk: your edit of hunk 2 is kept: m places it"),
        "{screen}"
    );
    for words in [
        "your edit was made for lines that have changed since",
        "+ mine",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    // It outlives a second change, and a break.
    script.place(placed(2, &BASE.replace("nine", "IX")));
    let decisions = Decisions::of(&script.app.session);
    let mut resumed = session(&BASE.replace("nine", "IX"));
    resumed.take_up(&decisions, DecisionSource::SameProposal);
    let mut script = Script::new(resumed, 100, 30);
    let screen = script.screen();
    assert!(screen.contains("+ mine"), "{screen}");
    script.press("Tab Tab Tab y");
    let id = HunkId { file: 0, hunk: 1 };
    script.app.go_to_hunk(id);
    script.press("y");
    assert!(
        script
            .effects()
            .iter()
            .any(|effect| matches!(effect, Effect::Copy(text) if text.contains("mine"))),
    );
    script.press("m 8 G Enter");
    let hunk = script.app.session.hunk(id).expect("a hunk");
    assert!(hunk.state.edited && hunk.is_by_hand());
    let screen = script.press("a").screen();
    assert!(screen.contains("+ mine"), "{screen}");
    script.app.go_to_hunk(id);
    script.press("g =");
    let screen = script.screen();
    assert!(
        screen.contains("+ NINE") && !screen.contains("mine"),
        "{screen}"
    );
    script.press("u u u");
    let screen = script.screen();
    assert!(screen.contains("your edit was made for"), "{screen}");
    script.press("g =");
    let screen = script.screen();
    assert!(!screen.contains("your edit was made for"), "{screen}");
}

/// A review in which the person's edit of hunk 2 has no place any more; the agent's hunk has one.
fn with_kept_edit() -> Script {
    let mut script = script();
    script.press("] i Down End <!> Esc");
    script.place(placed(1, &BASE.replace("ten", "TEN")));
    let hunk = &script.app.session.files[0].hunks[1];
    assert!(hunk.kept_edit().is_some() && hunk.is_decidable());
    script
}

#[test]
fn no_decision_about_several_hunks_passes_over_a_kept_edit() {
    let check = |keys: &str, mark: Mark, waits: bool| {
        let mut script = with_kept_edit();
        script.press(keys);
        let session = &script.app.session;
        assert_eq!(session.files[0].hunks[1].mark(), Some(mark), "{keys:?}");
        let waiting: Vec<HunkId> = session.waiting_edits().collect();
        let second = HunkId { file: 0, hunk: 1 };
        assert_eq!(waiting, [second][..usize::from(waits)], "{keys:?}");
        assert_eq!(script.app.summaries.needs_attention, waiting.len());
        let screen = script.press("j").screen();
        let bar = screen.lines().next().unwrap_or_default();
        assert_eq!(bar.contains("1 !"), waits, "{keys:?}: {screen}");
        script.press("g g )");
        assert_eq!(here(&script) == Some(second), waits, "{keys:?}");
        let plan = script.press("!").screen();
        let words = "hunk 2: your edit has no place";
        assert_eq!(plan.contains(words), waits, "{keys:?}: {plan}");
        let dialog = script.press("Esc q").screen();
        let words = "your edit of hunk 2 in first has no place: it would not be written";
        assert_eq!(dialog.contains(words), waits, "{keys:?}: {dialog}");
    };
    check("", Mark::Undecided, true);
    check("g a y", Mark::Undecided, true);
    check("g r y", Mark::Undecided, true);
    check("g g A A", Mark::Undecided, true);
    check("g g R R", Mark::Undecided, true);
    check("t a a", Mark::Undecided, true);
    check("t g a y", Mark::Undecided, true);
    // By name: the agent's lines are accepted and the edit still waits, or both are rejected.
    check("g g ] ] a", Mark::Accepted, true);
    check("g g ] ] r", Mark::Rejected, false);
    check("g g ] ] g =", Mark::Undecided, false);

    let mut script = with_kept_edit();
    let screen = script.press("g a y").screen();
    assert!(screen.contains("left out: 1 undecided hunk"), "{screen}");
    let screen = script.press("g g ] ] a").screen();
    let words = "the agent's lines are accepted, your edit is not: m places it, g= drops it";
    assert!(screen.contains(words), "{screen}");
    assert_eq!(script.app.session.counts().undecided, 0);
    script.press("Z Z");
    assert_eq!(script.ending(), None);
    let dialog = script.screen();
    assert!(
        dialog.contains("your edit of hunk 2 in first has no place"),
        "{dialog}"
    );
}

#[test]
fn what_was_decided_in_advance_is_undecided_where_an_edit_is_kept() {
    let mut script = script();
    script.press("] i Down End <!> Esc");
    let second = HunkId { file: 0, hunk: 1 };
    let mut next = placed(1, &BASE.replace("ten", "TEN"));
    next.session.reject_again(&[second]);
    script.app.session.reject_again(&[second]);
    script.place(next);
    let hunk = &script.app.session.files[0].hunks[1];
    assert!(hunk.kept_edit().is_some());
    assert_eq!(hunk.mark(), Some(Mark::Undecided));
    assert_eq!(script.app.session.waiting_edits().count(), 1);
}

#[test]
fn an_accepted_edit_that_is_kept_counts_as_undecided_again() {
    let mut script = script();
    script.press("] i Home <my > Esc a");
    assert_eq!(script.app.session.counts().accepted, 1);
    script.place(placed(1, &BASE.replace("eight", "8").replace("nine", "9")));
    let screen = script.screen();
    let words = "your edit of hunk 2 is kept: m places it; 1 acce";
    assert!(screen.contains(words), "{screen}");
    assert_eq!(script.app.session.counts().edited, 0);
}

#[test]
fn a_precision_is_asked_for_by_steps_and_what_comes_of_it_is_said() {
    let mut script = script();
    script.app.precision = Some(87);
    script.press("a g >");
    assert!(
        script
            .screen()
            .contains("match threshold is 0.90: placing again")
    );
    script.press("g < g < g <");
    assert!(script.screen().contains("match threshold is 0.80 already"));
    script.press("g > g > g > g > g >");
    assert!(script.screen().contains("match threshold is 1.00 already"));
    let asked = script.effects();
    let steps = [90, 85, 80, 85, 90, 95, 100];
    let asks = |percent| Effect::Match {
        call: None,
        percent,
    };
    assert_eq!(asked, steps.map(asks));
    let placed = Placed {
        changed: Vec::new(),
        precision: Some(100),
        ..placed(1, BASE)
    };
    script.place(placed);
    let screen = script.screen();
    assert!(
        screen.contains("match threshold is 1.00: no decision changed, 0 without a place"),
        "{screen}"
    );
    assert_eq!(script.app.session.counts().accepted, 1);
}
