//! Whole texts, and replacements in many places: each group of their changes is a hunk, and any of them can be taken.

use countersign::proposal::{Extent, Hunk};
use countersign::review::{
    Decision, FileReview, HunkId, HunkReview, Mark, Postimage, ReviewSession, Target, compose,
};
use proptest::prelude::*;

use crate::fixture::{composed, hunk, lines, session, written};

/// The hunks of a file in short: `line -removed +added`, parted by `, `.
fn hunks(session: &ReviewSession) -> String {
    let hunk = |hunk: &HunkReview| {
        let (added, removed) = hunk.counts();
        format!("{} -{removed} +{added}", hunk.first_line() + 1)
    };
    let hunks: Vec<String> = session.files[0].hunks.iter().map(hunk).collect();
    hunks.join(", ")
}

/// Checks the hunks of a text that is written in place of another one.
#[track_caller]
fn check(base: &str, text: &str, expected: &str) {
    let text_of = |short: &str| lines(short).concat_lines();
    assert_eq!(
        hunks(&written(&text_of(base), &text_of(text))),
        expected,
        "{base} => {text}"
    );
}

trait ConcatLines {
    fn concat_lines(&self) -> String;
}

impl ConcatLines for Vec<String> {
    fn concat_lines(&self) -> String {
        self.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

#[test]
fn a_whole_text_has_a_hunk_for_each_group_of_changes() {
    check(
        "a|b|c|d|e|f|g|h|i|j",
        "a|B|c|d|e|F|g|h|i|J",
        "2 -1 +1, 6 -1 +1, 10 -1 +1",
    );
    // Two lines between them are too few to part them.
    check("a|b|c|d|e", "A|b|c|D|e", "1 -2 +2");
    check("a|b|c|d|e", "A|b|c|d|E", "1 -1 +1, 5 -1 +1");
    check("a|b|c|d|e", "x|a|b|c|d|e|y", "1 -0 +1, 6 -0 +1");
    check("", "a|b|c|d|e|f", "1 -0 +6");
    check("a|b|c|d|e|f", "x", "1 -6 +1");
}

/// Replaces a text everywhere.
fn everywhere(preimage: &str, postimage: &str) -> Hunk {
    Hunk {
        extent: Extent::EveryText,
        ..hunk(lines(preimage), lines(postimage), 0)
    }
}

#[test]
fn a_replacement_everywhere_has_a_hunk_for_each_place() {
    let base = lines("x = a|b|c|d|y = a|z = a|e").concat_lines();
    let mut session = session(&base, vec![everywhere("a", "A")]);
    assert_eq!(hunks(&session), "1 -1 +1, 5 -2 +2");
    let second = Target::Hunk(HunkId { file: 0, hunk: 1 });
    session.decide(&second, Decision::Accepted);
    assert_eq!(composed(&session), "x = a|b|c|d|y = A|z = A|e");
}

#[test]
fn a_diff_keeps_the_hunks_that_it_has() {
    let edit = hunk(lines("a|b|c|d|e|f"), lines("A|b|c|d|e|F"), 1);
    assert_eq!(hunks(&session("a\nb\nc\nd\ne\nf\n", vec![edit])), "1 -2 +2");
}

#[test]
fn what_a_write_would_lose_is_held_against_each_of_its_hunks() {
    let base: Vec<String> = (1..=30).map(|n| format!("line {n}")).collect();
    let mut text = base.clone();
    text[1] = "second".to_owned();
    text.splice(10..20, ["# ... existing code ...".to_owned()]);
    let mut session = written(&base.concat_lines(), &text.concat_lines());
    assert_eq!(hunks(&session), "2 -1 +1, 11 -10 +1");
    assert!(
        session.files[0]
            .hunks
            .iter()
            .all(|hunk| hunk.loss().is_some())
    );
    session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!(session.files[0].mark(), Some(Mark::Undecided));
    // A person can take what is good of it.
    let first = Target::Hunk(HunkId { file: 0, hunk: 0 });
    session.decide(&first, Decision::Accepted);
    let kept = base.join("|").replacen("line 2|", "second|", 1);
    assert_eq!(composed(&session), kept);
}

/// The text of a file with some of its hunks, made line by line.
fn with(file: &FileReview, taken: &[bool]) -> Vec<String> {
    let mut text: Vec<String> = file.base.lines().map(str::to_owned).collect();
    for (hunk, _) in file
        .hunks
        .iter()
        .zip(taken)
        .rev()
        .filter(|(_, taken)| **taken)
    {
        for line in hunk.proposed.iter().rev() {
            let end = line.at + usize::from(line.removes);
            text.splice(line.at..end, line.adds.clone());
        }
    }
    text
}

/// A file of up to 40 lines, and another one that is made of it by a few changes.
fn two_texts() -> impl Strategy<Value = (String, String)> {
    let line = prop_oneof![Just(""), Just("a"), Just("  b"), Just("日本"), Just("}")];
    let change = (
        0..40_usize,
        0..3_usize,
        prop::collection::vec("[a-c]{0,2}", 0..3),
    );
    let changes = prop::collection::vec(change, 0..6);
    let ended = (any::<bool>(), any::<bool>());
    (prop::collection::vec(line, 0..40), changes, ended).prop_map(|(old, changes, ended)| {
        let mut new: Vec<String> = old.iter().map(|&line| line.to_owned()).collect();
        for (start, gone, with) in changes {
            let start = start.min(new.len());
            new.splice(start..(start + gone).min(new.len()), with);
        }
        let text = |text: String, ended: bool| {
            if ended || text.is_empty() {
                text
            } else {
                text[..text.len() - 1].to_owned()
            }
        };
        let old: Vec<String> = old.into_iter().map(str::to_owned).collect();
        (
            text(old.concat_lines(), ended.0),
            text(new.concat_lines(), ended.1),
        )
    })
}

proptest! {
    #[test]
    fn any_hunks_of_a_whole_text_can_be_taken((old, new) in two_texts(), choice in any::<u64>(), crlf in any::<bool>()) {
        // The file's own line ending is kept, where it has one.
        let crlf = crlf && old.contains('\n');
        let base = if crlf { old.replace('\n', "\r\n") } else { old };
        let wanted = if crlf { new.replace('\n', "\r\n") } else { new.clone() };
        let mut session = written(&base, &new);
        prop_assume!(session.files[0].hunks.iter().all(HunkReview::is_decidable));
        let count = session.files[0].hunks.len();
        let taken: Vec<bool> = (0..count).map(|hunk| choice >> (hunk % 64) & 1 == 1).collect();
        let decide = |session: &mut ReviewSession, taken: &[bool]| {
            for (hunk, &is_taken) in taken.iter().enumerate() {
                let decision = if is_taken { Decision::Accepted } else { Decision::Rejected };
                session.decide(&Target::Hunk(HunkId { file: 0, hunk }), decision);
            }
        };
        let text_of = |session: &ReviewSession| match compose(&session.files[0]) {
            Postimage::Text { text, .. } => text,
            Postimage::Deleted => String::new(),
            Postimage::Unchanged
            | Postimage::Kept { .. }
            | Postimage::Copy { .. }
            | Postimage::Bytes { .. }
            | Postimage::Link { .. }
            | Postimage::Folder => base.clone(),
        };
        decide(&mut session, &taken);
        let (some, expected) = (text_of(&session), with(&session.files[0], &taken));
        prop_assert_eq!(some.lines().collect::<Vec<_>>(), expected);
        decide(&mut session, &vec![false; count]);
        prop_assert_eq!(text_of(&session), base.clone());
        decide(&mut session, &vec![true; count]);
        prop_assert_eq!(text_of(&session), wanted);
        // Nothing lies between two hunks that is not kept, and that is enough to part them.
        let ranges = session.files[0].hunks.iter().filter_map(|hunk| Some((hunk.proposed.first()?.at, hunk.proposed.last()?)));
        let ranges: Vec<(usize, usize)> = ranges.map(|(first, last)| (first, last.at + usize::from(last.removes))).collect();
        prop_assert!(ranges.windows(2).all(|pair| pair[0].1 + 3 <= pair[1].0), "{:?}", ranges);
    }
}
