//! Threads follow their lines from one review to the next.

use countersign::review::{
    Decision, FileReview, HunkId, Passage, ReviewSession, Side, Spot, Target, Thread, ThreadKind,
    ThreadPlace, comments_of, kept_passages, passage_at, place_threads,
};

use crate::fixture::{hunk, lines, session};

const BASE: &str = "a|b|c|d|e|f|g|h";

/// A review of replacements in a text, each `old>new@line`.
fn review(base: &str, edits: &[&str]) -> ReviewSession {
    let hunks = edits.iter().map(|edit| {
        let (change, line) = edit.rsplit_once('@').expect("a line");
        let (old, new) = change.split_once('>').expect("a change");
        hunk(lines(old), lines(new), line.parse().expect("a number"))
    });
    let text = base.replace('|', "\n") + "\n";
    session(&text, hunks.collect())
}

fn thread(passage: Passage) -> Thread {
    let mut thread =
        Thread::opened("file", passage, ThreadKind::Comment, "why", 0).expect("a thread");
    "t1".clone_into(&mut thread.id);
    thread
}

/// Describes the row that a thread is shown below.
fn place(file: &FileReview) -> String {
    match file.threads.first().and_then(|thread| thread.place) {
        None => "gone".to_owned(),
        Some(ThreadPlace::Base(line)) => format!("={}", file.base.line(line)),
        Some(ThreadPlace::Added { hunk, line }) => {
            let line = &file.hunks[hunk].state.lines[line];
            format!("+{}", line.adds.as_deref().unwrap_or_default())
        }
    }
}

fn said(session: &mut ReviewSession, first: usize, end: usize) -> Passage {
    let id = HunkId { file: 0, hunk: 0 };
    session.comment_lines(id, first..end, Side::Both, Some("why".to_owned()));
    let (path, passage, text) = comments_of(session).remove(0);
    assert_eq!((path, text), ("file", "why"));
    passage
}

/// A thread at the line that replaces `d`, in a later review.
#[track_caller]
fn check(base: &str, edits: &[&str], expected: &str) {
    let mut first = review(BASE, &["c|d|e>c|D|e@3"]);
    let passage = said(&mut first, 0, 1);
    assert_eq!(passage.lines, ["D"]);
    let mut later = review(base, edits);
    place_threads(&mut later, &[thread(passage)]);
    assert_eq!(place(&later.files[0]), expected, "{base} {edits:?}");
}

#[test]
fn a_thread_is_shown_where_its_lines_are_now() {
    // Accepted: in the file, moved, changed again.
    check("a|b|c|D|e|f|g|h", &["g>G@7"], "=D");
    check("x|y|z|a|b|c|D|e|f|g|h", &["g>G@10"], "=D");
    check("a|b|c|D|e|f|g|h", &["D>E1|E2@4"], "=D");
    check("a|b|c|D|e|f|g|h", &["a>x|y|a@1"], "=D");
    // Rejected: proposed again, as it was or otherwise.
    check(BASE, &["c|d|e>c|D|e@3"], "+D");
    check(BASE, &["c|d|e>c|Other|e@3"], "+Other");
    // Gone with everything around it.
    check("1|2|3", &["2>two@2"], "gone");
}

#[test]
fn a_thread_takes_the_lines_that_were_accepted_in_its_place() {
    let mut session = review("a|b|c|D|e|f|g|h", &["D>E1|E2@4"]);
    let mut first = review(BASE, &["c|d|e>c|D|e@3"]);
    let threads = [thread(said(&mut first, 0, 1))];
    place_threads(&mut session, &threads);
    assert!(kept_passages(&session).is_empty(), "nothing is decided yet");
    session.decide(&Target::Rest, Decision::Accepted);
    let (id, passage) = kept_passages(&session).remove(0);
    assert_eq!(
        (id.as_str(), passage.line, passage.lines),
        ("t1", 4, lines("E1|E2"))
    );
    session.decide(
        &Target::Hunk(HunkId { file: 0, hunk: 0 }),
        Decision::Rejected,
    );
    assert!(kept_passages(&session).is_empty());
}

#[test]
fn a_resolved_thread_stays_in_sight_until_the_review_ends() {
    let mut session = review(BASE, &["c|d|e>c|D|e@3"]);
    let mut known = thread(said(&mut session, 0, 1));
    assert!(place_threads(&mut session, std::slice::from_ref(&known)));
    assert!(!place_threads(&mut session, std::slice::from_ref(&known)));
    known.resolve();
    assert!(place_threads(&mut session, std::slice::from_ref(&known)));
    assert!(session.files[0].threads[0].text.contains("t1, resolved"));
    let mut next = review(BASE, &["c|d|e>c|D|e@3"]);
    assert!(!place_threads(&mut next, &[known]));
}

#[test]
fn a_question_is_about_changed_or_unchanged_lines() {
    let session = review(BASE, &["c|d|e>c|D|e@3", "g>@7"]);
    let file = &session.files[0];
    let check = |spot: Spot, expected: &str| {
        let passage = passage_at(file, &spot);
        let found = format!(
            "{} {} [{}] {}",
            passage.line,
            passage.before.join("|"),
            passage.lines.join("|"),
            passage.after.join("|")
        );
        assert_eq!(found, expected, "{spot:?}");
    };
    check(Spot::Hunk(0), "4 a|b|c [D] e|f|h");
    check(Spot::Hunk(1), "7 d|e|f [g] h");
    check(Spot::Base(0..2), "1  [a|b] c|D|e");
    check(
        Spot::Lines {
            hunk: 0,
            lines: 0..1,
            side: Side::Old,
        },
        "4 a|b|c [d] e|f|g",
    );
    check(Spot::Hunk(9), "0  [] ");
}
