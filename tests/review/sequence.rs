//! Edits of one file that a tool carries out one after the other.

use std::fmt::Write as _;
use std::sync::Arc;

use countersign::dialect::{self, Options};
use countersign::locate::{Confidence, Tolerance};
use countersign::proposal::HunkOrder;
use countersign::review::{Found, Intake, NewTextEncoding, Outcome, ReviewSession, intake};
use countersign::text::Document;
use serde_json::{Value, json};

/// Ways to send several edits of the file `f`.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// One call with all of them.
    MultiEdit,
    /// A call for each, in one message.
    Calls,
    /// Search blocks below the name of the file.
    Blocks,
}

const TOOLS: [Way; 2] = [Way::MultiEdit, Way::Calls];

impl Way {
    /// Writes edits `old => new`, parted by ` ; `; `=>>` replaces every occurrence.
    fn write(self, edits: &str) -> String {
        let edits = edits.split(" ; ").map(|edit| {
            let (old, new) = edit.split_once(" =>").expect("an edit is `old => new`");
            let every = new.starts_with('>');
            let new = new.trim_start_matches('>').trim_start_matches(' ');
            (old.replace('|', "\n"), new.replace('|', "\n"), every)
        });
        let fields =
            |(old, new, every)| json!({"old_string": old, "new_string": new, "replace_all": every});
        match self {
            Self::MultiEdit => {
                let edits: Vec<Value> = edits.map(fields).collect();
                json!({"name": "MultiEdit", "input": {"file_path": "f", "edits": edits}})
                    .to_string()
            }
            Self::Calls => {
                let call = |edit| {
                    let mut input = fields(edit);
                    input["file_path"] = json!("f");
                    json!({"name": "Edit", "input": input})
                };
                Value::Array(edits.map(call).collect()).to_string()
            }
            Self::Blocks => edits.fold("f\n".to_owned(), |mut text, (old, new, _)| {
                let block = format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
                write!(text, "{block}").expect("a string can be written to");
                text
            }),
        }
    }
}

/// Places edits in the file `f` with this text, lines parted by `|`.
fn session(base: &str, input: &str) -> ReviewSession {
    let parsed = dialect::parse(input, &Options::default());
    assert_eq!(parsed.problems, [], "{input}");
    let files = parsed.proposal.files.into_iter().map(|change| Intake {
        order: dialect::named(change.dialect).map_or(HunkOrder::Any, dialect::Dialect::hunk_order),
        change: Arc::new(change),
        path: "f".to_owned(),
        other: countersign::review::OtherFile::None,
        found: Found::Text {
            document: Arc::new(Document::from_text(base.replace('|', "\n") + "\n")),
            executable: false,
        },
        protected: None,
        bytes: None,
        reading: NewTextEncoding::default(),
    });
    intake(
        String::new(),
        Vec::new(),
        files.collect(),
        Tolerance::default(),
    )
}

/// Compares the text that all edits leave, or the numbers of those that may not be written unasked.
#[track_caller]
fn check(ways: &[Way], base: &str, edits: &str, expected: &str) {
    for way in ways {
        let session = session(base, &way.write(edits));
        let file = &session.files[0];
        let held: Vec<String> = (file.hunks.iter().zip(1..))
            .filter_map(|(hunk, number)| match &hunk.outcome {
                Outcome::Placed(placement) if placement.confidence == Confidence::Doubtful => {
                    Some(format!("{number} doubtful"))
                }
                Outcome::Unplaced(_) | Outcome::Refused => Some(format!("{number} unplaced")),
                Outcome::Placed(_) | Outcome::Follows { .. } | Outcome::AlreadyApplied { .. } => {
                    None
                }
            })
            .collect();
        let shown = if held.is_empty() {
            file.yours()
                .text()
                .trim_end_matches('\n')
                .replace('\n', "|")
        } else {
            held.join(", ")
        };
        assert_eq!(shown, expected, "{way:?}: {base} with {edits}");
    }
}

#[test]
fn an_edit_that_matches_twice_after_another_is_doubtful() {
    // The edit before it adds the second match: above it, below it, within a line, as a part of other text.
    check(
        &TOOLS,
        "one|x|two",
        "one => two ; two => three",
        "2 doubtful",
    );
    check(
        &TOOLS,
        "two|x|one",
        "one => two ; two => three",
        "2 doubtful",
    );
    check(
        &TOOLS,
        "f(one)|two",
        "one => two ; two => three",
        "2 doubtful",
    );
    check(
        &TOOLS,
        "one|x|two|y",
        "one => 1|two|y ; two|y => 2",
        "2 doubtful",
    );
    // It completes the second match by removing what parts it.
    check(
        &TOOLS,
        "a|-|b|x|a|b",
        "a|-|b => a|b ; a|b => c",
        "2 doubtful",
    );
    // The edit that adds it is not the one directly before.
    check(
        &TOOLS,
        "one|x|two|y",
        "one => two ; y => z ; two => three",
        "3 doubtful",
    );
    // All occurrences become text that a later edit expects once.
    check(&TOOLS, "a|a|b", "a =>> b ; b => c", "2 doubtful");
    // Another edit has no match.
    check(
        &TOOLS,
        "one|x|two",
        "one => two ; two => three ; no => yes",
        "2 doubtful, 3 unplaced",
    );
}

#[test]
fn an_edit_that_matches_once_after_another_is_placed() {
    check(
        &TOOLS,
        "one|x|two",
        "two => three ; one => two",
        "two|x|three",
    );
    check(
        &TOOLS,
        "one|x|two",
        "one => twofold ; x => y",
        "twofold|y|two",
    );
    check(&TOOLS, "one|x", "one => two ; two => three", "three|x");
    // More text makes it one match.
    check(
        &TOOLS,
        "one|x|two|y",
        "one => two ; two|y => three",
        "two|x|three",
    );
    // The edit before it leaves one match of several.
    check(&TOOLS, "a|b|a c", "a c => d ; a => e", "e|b|d");
}

#[test]
fn search_blocks_are_meant_for_the_file_as_it_is() {
    let blocks = [Way::Blocks];
    check(
        &blocks,
        "one|x|two",
        "one => two ; two => three",
        "two|x|three",
    );
    check(&blocks, "one|x|two", "one => two ; two => one", "two|x|one");
    // Text that only the block before it makes.
    check(&blocks, "one|x", "one => two ; two => three", "three|x");
}

#[test]
fn every_occurrence_counts_those_of_earlier_edits() {
    check(
        &TOOLS,
        "one|x|two",
        "one => two ; two =>> three",
        "three|x|three",
    );
    check(
        &TOOLS,
        "one|x|two",
        "x => one two ; two =>> 2 ; one =>> 1",
        "1|1 2|2",
    );
    check(&TOOLS, "a|b", "a =>> b ; b =>> a", "a|a");
}

#[test]
fn many_edits_are_judged_in_order_as_well() {
    let base: Vec<String> = (0..100).map(|n| format!("line {n:03}")).collect();
    let base = base.join("|") + "|two";
    let edits: Vec<String> = (1..80)
        .map(|n| format!("line {n:03} => row {n:03}"))
        .collect();
    let edits = format!("line 000 => two ; {}", edits.join(" ; "));
    check(
        &TOOLS,
        &base,
        &format!("{edits} ; two => three"),
        "81 doubtful",
    );
    let expected = base.replace("two", "three").replace("line 000", "three");
    let expected = (1..80).fold(expected, |text, n| {
        text.replace(&format!("line {n:03}"), &format!("row {n:03}"))
    });
    check(
        &TOOLS,
        &base,
        &format!("{edits} ; two =>> three"),
        &expected,
    );
}
