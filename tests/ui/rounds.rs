//! Lines that the person was shown in a version that they rejected are folded in the next one.

use std::collections::BTreeMap;

use countersign::review::{
    ChangedLine, Decision, HunkId, Postimage, RejectionRecord, Rejections, ReviewSession, Side,
    Target, accepted_after_all, compose, rejected_changes,
};

use crate::fixture::Batch;
use crate::script::Script;

const PAY: HunkId = HunkId { file: 0, hunk: 0 };

/// The lines of a function, with some in place of others: of `7=check` step 7 is another one, of `7+check` a line follows it, and of
/// `7-` it is left out.
fn steps(changes: &str) -> String {
    let mut steps: Vec<(usize, String)> = (1..=20).map(|n| (n, format!("step_{n}"))).collect();
    for change in changes.split_whitespace() {
        let sign = change.find(['=', '+', '-']).expect("a change has a sign");
        let (number, name) = change.split_at(sign);
        let number: usize = number.parse().expect("a change has a number");
        let at = steps
            .iter()
            .position(|(n, _)| *n == number)
            .expect("the step is there");
        match name.split_at(1) {
            ("=", name) => name.clone_into(&mut steps[at].1),
            ("+", name) => steps.insert(at + 1, (0, name.to_owned())),
            _ => _ = steps.remove(at),
        }
    }
    let lines = steps
        .iter()
        .map(|(_, name)| format!("    {name}(&order, account)?;\n"));
    lines.collect()
}

fn file() -> String {
    "fn pay(order: Order, account: &Account) {\n    todo!();\n}\n\nfn refund(order: Order) {\n    todo!(\"refund\");\n}\n"
        .to_owned()
}

/// A session on a file in which the function pays with these steps, with what is known from earlier reviews.
fn session(text: &str, changes: &str, records: &[RejectionRecord]) -> ReviewSession {
    let [old, new] = ["    todo!();\n", &steps(changes)]
        .map(|steps| format!("fn pay(order: Order, account: &Account) {{\n{steps}}}\n"));
    let hunk = (&*old, &*new);
    let mut session = Batch::new("").modify("pay.rs", text, &[hunk]).session();
    Rejections::new(records.iter().rev().cloned()).mark(&mut session);
    session
}

/// Decides about the hunk, and returns what is kept of the review.
fn decided(script: &mut Script, decision: Decision) -> RejectionRecord {
    let session = &mut script.app.session;
    session.decide(&Target::Hunk(PAY), decision);
    RejectionRecord {
        time: 1,
        rejected: rejected_changes(session),
        accepted: accepted_after_all(session),
        ..RejectionRecord::default()
    }
}

/// Returns the record of a review of the first version that was shown on a screen.
fn first_rejected(width: u16, height: u16) -> RejectionRecord {
    let mut script = Script::new(session(&file(), "", &[]), width, height);
    script.screen();
    decided(&mut script, Decision::Rejected)
}

/// Returns the names of the functions that are called in the added lines on a screen, in order.
fn calls(screen: &str) -> Vec<String> {
    let lines = screen.lines().filter_map(|line| {
        let (call, _) = line.split_once("(&order")?;
        let (_, call) = call.rsplit_once('+')?;
        call.split_whitespace().last()
    });
    lines.map(str::to_owned).collect()
}

/// Reviews a later version on a screen that shows all of it, and compares the calls on it.
#[track_caller]
fn check(script: &mut Script, keys: &str, expected: &str) {
    let screen = script.press(keys).screen();
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(calls(&screen), expected, "{screen}");
}

#[test]
fn a_version_that_was_rejected_is_folded_when_it_comes_again() {
    let first = first_rejected(120, 60);
    let mut script = Script::new(session(&file(), "", std::slice::from_ref(&first)), 120, 60);
    check(&mut script, "", "");
    let screen = script.screen();
    assert!(
        screen.contains("⋯ ✗ +20 −1 as in the version that you rejected"),
        "{screen}"
    );
    assert!(
        screen.contains("you rejected this change before"),
        "{screen}"
    );
    // The next version is compared with the one that it is most like.
    let again = decided(&mut script, Decision::Rejected);
    let records = [first, again];
    let mut script = Script::new(session(&file(), "7=check", &records), 120, 60);
    check(&mut script, "", "step_6 check step_8");
    let second = decided(&mut script, Decision::Rejected);
    let records = [records.to_vec(), vec![second]].concat();
    let mut script = Script::new(session(&file(), "", &records), 120, 60);
    check(&mut script, "", "");
    let mut script = Script::new(session(&file(), "7=check", &records), 120, 60);
    check(&mut script, "", "");
}

#[test]
fn a_comment_opens_its_own_line_alone() {
    let first = first_rejected(120, 60);
    let session = |changes| {
        let mut session = session(&file(), changes, std::slice::from_ref(&first));
        let line = |name: &str| {
            let lines = &session.files[0].hunks[0].state.lines;
            let adds = |line: &ChangedLine| line.adds.as_ref().is_some_and(|it| it.contains(name));
            lines.iter().position(adds).expect("the line is there")
        };
        let at = line("step_12(");
        session.comment_lines(PAY, at..at + 1, Side::New, Some("why?".to_owned()));
        session
    };
    check(&mut Script::new(session(""), 120, 60), "", "step_12");
    // Beside what differs a line more is shown.
    check(
        &mut Script::new(session("7=check"), 120, 60),
        "",
        "step_6 check step_8 step_12",
    );
}

#[test]
fn each_unchanged_line_is_shown_once_in_five_rounds() {
    // The changes of each round to the steps, the decision, and the calls that are shown; those in brackets for the second time.
    let rounds = [
        ("", Decision::Rejected, steps("")),
        (
            "7=check 14=verify",
            Decision::Rejected,
            "(step_6) check (step_8) (step_13) verify (step_15)".to_owned(),
        ),
        (
            "5=record 7=check 14=verify 16+report",
            Decision::Rejected,
            "(step_4) record (step_6) (step_16) report (step_17)".to_owned(),
        ),
        // The same but for one line that is left out, which is quoted above.
        (
            "5=record 7=check 11- 14=verify 16+report",
            Decision::Accepted,
            "(step_10) (step_12)".to_owned(),
        ),
        (
            "5=record 7=check 11- 14=verify 16+report",
            Decision::Accepted,
            String::new(),
        ),
    ];
    for (width, is_wide) in [(120, true), (80, false)] {
        let mut text = file();
        let mut records = Vec::new();
        let mut shown: BTreeMap<String, usize> = BTreeMap::new();
        for (round, (changes, decision, expected)) in rounds.iter().enumerate() {
            let session = session(&text, changes, &records);
            let mut script = Script::new(session, width, 60);
            let screen = script.screen();
            let seen = calls(&screen);
            let words = expected.replace("(&order, account)?;", "");
            let again = |word: &str| word.trim_matches(['(', ')']).to_owned();
            let expected: Vec<String> = words.split_whitespace().map(again).collect();
            assert_eq!(
                seen,
                expected,
                "round {}, wide: {is_wide}\n{screen}",
                round + 1
            );
            for word in words
                .split_whitespace()
                .filter(|word| !word.starts_with('('))
            {
                *shown.entry(word.to_owned()).or_default() += 1;
            }
            // What is folded was shown, so nothing is accepted unseen.
            let count = script.app.session.seen().unwrap();
            assert_eq!(count.missed(), 0, "{screen}");
            records.push(decided(&mut script, *decision));
            if let Postimage::Text { text: now, .. } = compose(&script.app.session.files[0]) {
                text = now;
            }
        }
        let names = steps("5+record 7+check 14+verify 16+report");
        for name in names.split("(&order, account)?;").map(str::trim) {
            let expected = usize::from(!name.is_empty());
            assert_eq!(shown.get(name).copied().unwrap_or(0), expected, "{name}");
        }
    }
}

#[test]
fn folded_lines_are_counted_and_open_like_those_that_were_moved() {
    let records = [first_rejected(120, 60)];
    let open = || Script::new(session(&file(), "7=check", &records), 120, 60);
    let mut script = open();
    let screen = script.screen();
    for words in [
        "you rejected an earlier version of this change; 1 line of it is new",
        // The replaced line is one of them.
        "⋯ ✗ +5 −1 as in the version that you rejected",
        "⋯ ✗ +12 as in the version that you rejected",
        "◦",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    let above = "step_1 step_2 step_3 step_4 step_5";
    let rest = "step_6 check step_8";
    check(&mut script, "j j j j j Enter", &format!("{above} {rest}"));
    // Searching opens the other one at its match; what is left above it is too little for a fold.
    check(
        &mut open(),
        "/ <step_12> Enter",
        &format!("{rest} step_9 step_10 step_11 step_12 step_13"),
    );
    let mut script = open();
    let below: Vec<String> = (9..=20).map(|n| format!("step_{n}")).collect();
    check(
        &mut script,
        "] z R",
        &format!("{above} {rest} {}", below.join(" ")),
    );
    check(&mut script, "z M", rest);
}

#[test]
fn only_lines_that_were_shown_are_folded_and_count_as_shown() {
    // The first version was not shown, or a part of it.
    let all = steps("7=check");
    let all = all.replace("(&order, account)?;", "");
    let nothing = {
        let mut script = Script::new(session(&file(), "", &[]), 120, 60);
        decided(&mut script, Decision::Rejected)
    };
    let mut script = Script::new(session(&file(), "7=check", &[nothing]), 120, 60);
    check(&mut script, "", &all);
    let part = first_rejected(120, 24);
    let first_page = part.rejected[0].shown.added.clone();
    assert!(
        matches!(&first_page[..], [shown] if shown.start == 0 && (12..20).contains(&shown.end)),
        "{first_page:?}"
    );
    let mut script = Script::new(session(&file(), "7=check", &[part]), 120, 60);
    let screen = script.screen();
    let seen = calls(&screen);
    let hidden: Vec<String> = (9..first_page[0].end)
        .map(|n| format!("step_{n}"))
        .collect();
    assert!(hidden.iter().all(|step| !seen.contains(step)), "{screen}");
    let unseen: Vec<String> = (first_page[0].end..=20)
        .map(|n| format!("step_{n}"))
        .collect();
    assert!(seen.ends_with(&unseen), "{screen}");
    // A fold that is not on the screen does not count.
    let records = [first_rejected(120, 60)];
    let mut script = Script::new(session(&file(), "7=check", &records), 120, 11);
    script.screen();
    let count = script.app.session.seen().unwrap();
    assert!(count.lines >= 6 && count.missed() >= 12, "{count:?}");
    script.press("A");
    let screen = script.screen();
    assert!(screen.contains("never shown"), "{screen}");
}

#[test]
fn what_is_repeated_swapped_or_indented_otherwise_is_shown() {
    let records = [first_rejected(120, 60)];
    for (changes, shown) in [
        // Lines that the rejected version has elsewhere.
        ("12+step_3", "step_12 step_3 step_13"),
        ("9=step_10 10=step_9", "step_8 step_10 step_9 step_11"),
    ] {
        let mut script = Script::new(session(&file(), changes, &records), 120, 60);
        let screen = script.screen();
        let seen = calls(&screen).join(" ");
        assert!(seen.contains(shown), "{shown}\n{screen}");
    }
    let text = file();
    let mut deeper = steps("9=check");
    deeper = deeper.replace("    step_13", "        step_13");
    let hunk = ("    todo!();\n", &*deeper);
    let mut session = Batch::new("").modify("pay.rs", &text, &[hunk]).session();
    Rejections::new(records).mark(&mut session);
    let screen = Script::new(session, 120, 60).screen();
    let seen = calls(&screen);
    assert!(seen.contains(&"step_13".to_owned()), "{screen}");
}
