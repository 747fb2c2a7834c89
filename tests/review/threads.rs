//! Threads follow their lines from one review to the next.

use std::ops::Range;
use std::sync::Arc;

use countersign::review::{
    Author, Carried, Compared, Decision, FileReview, Found, HunkId, Passage, Postimage,
    ReviewSession, Side, Spot, Stance, Target, Thread, ThreadKind, ThreadMessage, ThreadPlace,
    comments_of, compare, compose, kept_passages, passage_at, place_threads, placed_in,
};
use countersign::text::Document;

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
    let Carried {
        what,
        path,
        passage,
    } = comments_of(session, true).remove(0);
    assert_eq!((path, what), ("file", "why"));
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
    first.decide(&Target::Rest, Decision::Accepted);
    let threads = [thread(said(&mut first, 0, 1))];
    let kept = |session: &ReviewSession, is_written| {
        let kept = kept_passages(session, &threads, is_written).remove(0);
        assert_eq!(kept.what, "t1");
        (kept.passage.line, kept.passage.lines)
    };
    assert_eq!(
        kept(&session, true),
        (4, lines("D")),
        "nothing is decided yet"
    );
    session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!(kept(&session, true), (4, lines("E1|E2")));
    assert_eq!(kept(&session, false), (4, lines("D")));
    session.decide(
        &Target::Hunk(HunkId { file: 0, hunk: 0 }),
        Decision::Rejected,
    );
    assert_eq!(kept(&session, true), (4, lines("D")));
}

/// Comments on the first hunk of a review, decides it, and carries the thread through a second review of the file that the first
/// one leaves. Each review is its edits and the decisions about their hunks: `y`, `n`, or `-` for none.
#[track_caller]
fn check_carried(base: &str, [first, second]: [(&[&str], &str); 2], expected: &str) {
    let decided = |base: &str, (edits, decisions): (&[&str], &str)| {
        let mut session = review(base, edits);
        for (hunk, decision) in decisions.chars().enumerate() {
            let decision = match decision {
                'y' => Decision::Accepted,
                'n' => Decision::Rejected,
                _ => continue,
            };
            session.decide(&Target::Hunk(HunkId { file: 0, hunk }), decision);
        }
        session
    };
    let mut session = decided(base, first);
    let id = HunkId { file: 0, hunk: 0 };
    session.comment(id, Some("why".to_owned()));
    let known = thread(comments_of(&session, true).remove(0).passage);
    let file = session.files[0].clone();
    let after = if let Postimage::Text { text, .. } = compose(&file) {
        text
    } else {
        file.base.text().to_owned()
    };
    let after = after.trim_end().replace('\n', "|");
    let later = decided(&after, second);
    let threads = [known];
    let kept = kept_passages(&later, &threads, true);
    let found = kept.first().map_or_else(
        || "not found".to_owned(),
        |kept| format!("{} {}", kept.passage.line, kept.passage.lines.join("|")),
    );
    assert_eq!(found, expected, "{base} {first:?} {second:?}");
}

#[test]
fn a_thread_is_carried_through_what_was_decided() {
    let base = "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa";
    let v1 = "delta>one|two|three|four@4";
    let check = |second: &str, decisions: &str, expected: &str| {
        check_carried(base, [(&[v1], "n"), (&[second], decisions)], expected);
    };
    // The next version: accepted, it is what the thread is about.
    check("delta>return all@4", "y", "4 return all");
    check("delta>one|2|three|four@4", "y", "4 one|2|three|four");
    check(
        "delta>one|two|three|four|five@4",
        "y",
        "4 one|two|three|four",
    );
    // Rejected again: the lines are not in the file, and their place is.
    check("delta>return all@4", "n", "4 one|two|three|four");
    check("alpha>x|y|z|alpha@1", "y", "7 one|two|three|four");
    check("alpha>x|y|z|alpha@1", "n", "4 one|two|three|four");
    // Lines that are in the file move with it, and are not replaced by their neighbours.
    let check = |second: &[&str], decisions: &str, expected: &str| {
        check_carried(base, [(&[v1], "y"), (second, decisions)], expected);
    };
    check(&["alpha>x|y|alpha@1"], "y", "6 one|two|three|four");
    check(&["alpha>x|y|alpha@1"], "n", "4 one|two|three|four");
    check(&["two|three>@5"], "y", "4 one|four");
    check(
        &["alpha>x|y|alpha@1", "two>2@5"],
        "ny",
        "4 one|2|three|four",
    );
    check(&["one|two|three|four>all@4"], "y", "4 all");
    // A second hunk of the first review that was rejected moves nothing.
    let first: &[&str] = &["theta>eight@8", "alpha>x|y|alpha@1"];
    check_carried(base, [(first, "yn"), (&["kappa>K@10"], "y")], "8 eight");
    check_carried(base, [(first, "nn"), (&["theta>8@8"], "y")], "8 8");
}

#[test]
fn a_thread_is_found_in_the_file_by_its_lines_or_their_place() {
    let base = "alpha|beta|gamma|delta|epsilon|zeta|eta|theta";
    let mut session = review(base, &["delta>one|two|three@4"]);
    let passage = said(&mut session, 0, 3);
    let check = |text: &str, expected: Option<(Range<usize>, bool)>| {
        let document = Document::from_text(&(text.replace('|', "\n") + "\n"));
        let placed = placed_in(&document, &passage);
        let found = placed.map(|placed| (placed.lines, placed.is_found));
        assert_eq!(found, expected, "{text}");
    };
    let (own, others) = (true, false);
    check(base, Some((3..4, others)));
    check(&format!("1|2|3|{base}"), Some((6..7, others)));
    check(
        "alpha|beta|gamma|one|two|three|epsilon|zeta",
        Some((3..6, own)),
    );
    check("alpha|beta|gamma|x|epsilon|zeta|eta", Some((3..4, others)));
    check("alpha|beta|gamma", Some((3..3, others)));
    check("1|2|epsilon|zeta|eta", Some((2..2, others)));
    check("1|2|3", None);
}

#[test]
fn a_thread_takes_the_name_that_its_file_gets() {
    let renamed = Compared {
        path: "old".to_owned(),
        rename: Some("new".to_owned()),
        old: text("a\nb\n"),
        new: text("a\nb\n"),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    };
    let mut session = compare(String::new(), &[renamed]);
    let passage = passage_at(&session.files[0], &Spot::Base(1..2));
    let opened = Thread::opened("old", passage, ThreadKind::Comment, "why", 0);
    let threads = [opened.expect("a thread")];
    let mut check = |decision, is_written, expected| {
        session.decide(&Target::File(0), decision);
        let kept = kept_passages(&session, &threads, is_written).remove(0);
        assert_eq!((kept.path, kept.passage.line), (expected, 2));
    };
    check(Decision::Rejected, true, "old");
    check(Decision::Accepted, false, "old");
    check(Decision::Accepted, true, "new");
}

#[test]
fn a_thread_goes_with_its_lines_to_another_file() {
    let file = |path: &str, old: &str, new: &str| Compared {
        path: path.to_owned(),
        rename: None,
        old: text(old),
        new: text(new),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    };
    let files = [
        file("from", "a\nfn f() {\n    g();\n}\nb\n", "a\nb\n"),
        file("to", "c\n", "c\nfn f() {\n    g();\n}\n"),
    ];
    let mut session = compare(String::new(), &files);
    let passage = passage_at(&session.files[0], &Spot::Base(2..3));
    let opened = Thread::opened("from", passage, ThreadKind::Comment, "why", 0);
    let threads = [opened.expect("a thread")];
    let mut check = |from, to, expected| {
        session.decide(&Target::File(0), from);
        session.decide(&Target::File(1), to);
        let kept = kept_passages(&session, &threads, true).remove(0);
        let is_there = kept.passage.gap.is_none();
        assert_eq!((kept.path, kept.passage.line, is_there), expected);
        assert_eq!(kept.passage.lines, ["    g();"]);
    };
    let (yes, no) = (Decision::Accepted, Decision::Rejected);
    check(yes, yes, ("to", 3, true));
    check(yes, no, ("from", 2, false));
    check(no, yes, ("from", 3, true));
}

fn text(text: &str) -> Found {
    Found::Text {
        document: Arc::new(Document::from_text(text)),
        executable: false,
    }
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

#[test]
fn an_agent_is_told_once_what_the_person_adds() {
    let mut session = review(BASE, &["c|d|e>c|D|e@3"]);
    let mut thread = thread(said(&mut session, 0, 1));
    thread.agent = Some("claude".to_owned());
    let message = |author: Author| ThreadMessage {
        author,
        text: "so".to_owned(),
        time: 0,
        proposes_resolution: false,
    };
    let is_news = |thread: &Thread| ["claude", "codex"].map(|agent| thread.is_news_for(agent));
    assert_eq!(
        is_news(&thread),
        [false, false],
        "a comment alone asks for no words"
    );
    thread
        .add(message(Author::Agent("claude".to_owned())))
        .unwrap();
    thread.add(message(Author::Person)).unwrap();
    assert_eq!(is_news(&thread), [true, false]);
    thread.tell();
    assert_eq!(is_news(&thread), [false, false]);
    thread
        .add(message(Author::Agent("claude".to_owned())))
        .unwrap();
    assert_eq!(is_news(&thread), [false, false], "it has answered");
}
