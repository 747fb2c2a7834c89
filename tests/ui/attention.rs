//! What needs attention is the same set wherever it is counted, and a review without it is finished by one key.

use countersign::review::{Concern, Loss, Remark, ReviewSession};
use countersign::ui::Ending;
use countersign::ui::state::mode::Mode;

use crate::fixture::Batch;
use crate::script::Script;

const TEXT: &str = "alpha beta gamma delta\none two three four\nfive six seven eight\nlast line\n";

/// A batch with a hunk that may be accepted with others, in a file behind the one that is of interest.
fn plain(batch: Batch) -> Batch {
    batch.modify("z.txt", "left\nright\n", &[("left", "gone")])
}

fn one(search: &str, replace: &str) -> Batch {
    Batch::new("").modify("a.txt", TEXT, &[(search, replace)])
}

/// The batch with a remark about its first hunk.
fn remarked(batch: Batch, remark: Remark) -> ReviewSession {
    let mut session = plain(batch).session();
    session.files[0].hunks[0].remarks.push(remark);
    session
}

/// Asserts what needs attention in a session, by every way in which the screen shows it.
#[track_caller]
fn check(session: ReviewSession, keys: &str, expected: &[Concern]) {
    let concerns: Vec<Concern> = session.attention().map(|(_, concern)| concern).collect();
    let mut script = Script::new(session, 160, 40);
    // The next key takes the message about the last one away.
    script.press(keys).press("j");
    let found: Vec<Concern> = (script.app.session.attention())
        .map(|(_, concern)| concern)
        .collect();
    assert_eq!(found, expected, "{concerns:?} before {keys:?}");
    let count = expected.len();
    let words = match count {
        0 => String::new(),
        1 => "1 needs attention".to_owned(),
        n => format!("{n} need attention"),
    };
    let shown = script.screen();
    let bar = shown.lines().next().unwrap_or_default();
    assert_eq!(bar.contains('!'), count > 0, "{shown}");
    assert!(
        count == 0 || bar.contains(&format!(" {count} !")),
        "{shown}"
    );
    assert!(
        shown.contains(&words) && shown.contains("attention") == (count > 0),
        "{shown}"
    );

    let mut visited = 0;
    script.press("G");
    loop {
        let before = script.app.stream.cursor;
        script.press("(");
        if script.app.stream.cursor == before {
            break;
        }
        visited += 1;
    }
    assert_eq!(visited, count, "{shown}");

    let plan = script.press("!").screen();
    let heading = match count {
        0 => "\u{0}".to_owned(),
        1 => "Needs attention: 1".to_owned(),
        n => format!("Need attention: {n}"),
    };
    assert_eq!(plan.contains(&heading), count > 0, "{plan}");
    for concern in expected.iter().filter(|of| **of != Concern::NotUnderstood) {
        assert!(plan.contains(concern.words()), "{concern:?}: {plan}");
    }

    script.press("Esc f <!> Enter");
    let (list, summaries) = (&script.app.file_list, &script.app.summaries);
    let of_file = |file: &usize| {
        let file = &summaries.files[*file];
        file.needs_attention + file.problems
    };
    let of_files: usize = list.files.iter().map(of_file).sum();
    assert_eq!(of_files + list.problems.len(), count);

    script.press("Esc Esc q");
    if script.ending() == Some(Ending::Write) {
        assert_eq!(count, 0);
        return;
    }
    let dialog = script.screen();
    let line = dialog.lines().find(|line| line.contains("!    "));
    assert_eq!(line.is_some(), count > 0, "{dialog}");
    assert!(
        line.is_none_or(|line| line.contains(&format!(" {count} need"))),
        "{dialog}"
    );
}

#[test]
fn the_same_things_need_attention_everywhere() {
    let loss = || Remark::Loss(Loss::Shrinks { lost: 9, of: 10 });
    let unplaced = || one("nothing of this is there", "anything");
    let loose = || {
        one(
            "one two three four five\nfive six seven eight",
            "one\nfive six seven eight",
        )
    };
    let protected = || one("last line", "end").protect("it is run");
    check(plain(one("last line", "end")).session(), "", &[]);
    check(plain(unplaced()).session(), "", &[Concern::NoPlace]);
    check(plain(unplaced()).session(), "g a y", &[Concern::NoPlace]);
    check(plain(loose()).session(), "", &[Concern::Loose]);
    check(plain(loose()).session(), "g a y", &[Concern::Loose]);
    check(plain(loose()).session(), "a", &[]);
    check(plain(loose()).session(), "r", &[]);
    check(plain(protected()).session(), "", &[Concern::Protected]);
    check(plain(protected()).session(), "g r y", &[]);
    check(
        remarked(one("last line", "end"), loss()),
        "",
        &[Concern::Loss("loses text")],
    );
    check(remarked(one("last line", "end"), loss()), "a", &[]);
    let absent = Batch::new("").missing("a.txt", &[("one", "two"), ("three", "four")]);
    check(plain(absent).session(), "", &[Concern::Refused]);
    let problem = || plain(one("last line", "end")).problem("a.txt", 3);
    check(problem().session(), "", &[Concern::NotUnderstood]);
    check(problem().session(), "g a y", &[Concern::NotUnderstood]);
    let both = Batch::new("").modify(
        "a.txt",
        TEXT,
        &[("nothing there", "x"), ("last line", "end")],
    );
    let both = plain(both.protect("it is run")).problem("a.txt", 3);
    let all = [Concern::NoPlace, Concern::Protected, Concern::NotUnderstood];
    check(both.session(), "", &all);
}

#[test]
fn control_c_leads_out_of_every_screen() {
    let screens = [
        "",
        "t",
        "?",
        "? / <x>",
        "!",
        "p",
        "! / <x>",
        "g p",
        "i",
        "i <x>",
        "i <x> C-c n",
        "c <x>",
        "/ <x>",
        "f <x>",
        ": <x>",
        "q",
        "g a",
        "t g a",
        "v j",
        "g",
        "Z",
        "1 2",
        "m",
        "m j",
    ];
    for keys in screens {
        let session = plain(one("nothing of this is there", "x").modify(
            "b.txt",
            TEXT,
            &[("last line", "end")],
        ));
        let mut script = Script::new(session.session(), 100, 30);
        script.press(keys).press("C-c C-c C-c C-c C-c");
        assert_eq!(script.ending(), Some(Ending::Aborted), "{keys:?}");
    }
    let mut script = Script::new(plain(one("last line", "end")).session(), 100, 30);
    script.press("i <x> C-c C-c");
    assert!(matches!(script.app.mode, Mode::Review));
    assert!(script.app.session.files[0].hunks[0].state.edited);
}

#[test]
fn a_settled_review_is_finished_by_one_key() {
    let check = |batch: Batch, keys: &str, ends: bool| {
        let mut script = Script::new(plain(batch).session(), 100, 30);
        script.press(keys).press("q");
        let ended = script.ending() == Some(Ending::Write);
        let asked = matches!(script.app.mode, Mode::Finish);
        assert_eq!((ended, asked), (ends, !ends), "{keys:?}");
    };
    let sure = || one("last line", "end");
    check(sure(), "", false);
    check(sure(), "a", false);
    check(sure(), "a a", true);
    check(sure(), "a r", true);
    check(sure(), "a a u", false);
    check(sure(), "g a y", true);
    check(one("nothing of this is there", "x"), "g a y", false);
    check(sure().problem("a.txt", 3), "g a y", false);
    let named =
        Batch::new("I change a.txt and b.txt.").modify("a.txt", TEXT, &[("last line", "end")]);
    check(named, "g a y", false);
}
