//! Files change on disk while they are under review.

use countersign::review::{HunkId, ReviewSession};
use countersign::ui::script::Script;
use countersign::ui::{Ending, Placed};

use crate::fixture::Batch;

const BASE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// A session on two files, the first with this text.
fn session(base: &str) -> ReviewSession {
    let hunks = [("two\nthree", "two\nTHREE"), ("eight\nnine", "eight\nNINE")];
    Batch::new("Louder.")
        .modify("first", base, &hunks)
        .modify("second", "alpha\nbeta\n", &[("beta", "BETA")])
        .session()
}

/// The session as the `placing`th placing finds it.
fn placed(placing: u64, base: &str) -> Placed {
    let mut session = session(base);
    session.placing = placing;
    let changed = vec!["first".to_owned()];
    Placed { session, changed }
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
