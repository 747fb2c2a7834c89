//! An edit of an agent's tool is a plain operation on strings: where it is written at the default policy, the file has the bytes of
//! that operation. It is reported as applied already only if it would change nothing, if its old text is gone and the new one there,
//! or if the words that it adds are around its old text already.

use countersign::dialect::Options;
use countersign::locate::Tolerance;
use countersign::review::{Decision, Outcome, Target};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::engine::{Tree, review, written};

/// What the default policy makes of a call.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// The file has this text.
    Written(String),
    /// Every edit is reported as applied already.
    Already,
    /// A person is asked, or the edit is refused.
    Asked,
}

/// A replacement of one text by another, at its only place or at all places.
#[derive(Debug, Clone)]
struct Replacement {
    old: String,
    new: String,
    every: bool,
}

/// Sends a call for the file `f`, and accepts everything that is sure.
fn sent(file: Option<&str>, call: &Value) -> Answer {
    let file = file.map(|text| ("f".to_owned(), text.as_bytes().to_vec()));
    let before: Tree = file.into_iter().collect();
    let (text, options) = (call.to_string(), Options::default());
    let mut session = review(&before, &text, &options, Tolerance::default());
    session.decide(&Target::Rest, Decision::Accepted);
    let [file] = session.files.as_slice() else {
        return Answer::Asked;
    };
    let is_applied = |outcome: &Outcome| matches!(outcome, Outcome::AlreadyApplied { .. });
    if file.hunks.iter().all(|hunk| is_applied(&hunk.outcome)) {
        return Answer::Already;
    }
    let is_done = file.hunks.iter().all(|hunk| {
        let follows = matches!(hunk.outcome, Outcome::Follows { .. });
        follows || is_applied(&hunk.outcome) || hunk.is_sure()
    });
    if !is_done || file.refusal().is_some() || !session.problems.is_empty() {
        return Answer::Asked;
    }
    let after = written(&before, &session).unwrap();
    let bytes = after.get("f").cloned().unwrap_or_default();
    Answer::Written(String::from_utf8(bytes).unwrap())
}

impl Replacement {
    /// Returns the texts that the tool may make of a file: it takes the line break after a line that it removes, and what was
    /// applied before may stay as it is. None if the tool refuses the edit.
    fn carried_out(&self, file: &str) -> Vec<String> {
        let count = file.matches(&*self.old).count();
        if count == 0 || (count > 1 && !self.every) {
            return Vec::new();
        }
        let mut texts = if self.new.is_empty() {
            vec![without_lines(file, &self.old)]
        } else {
            vec![file.replace(&*self.old, &self.new)]
        };
        if self.is_around(file) {
            texts.push(file.to_owned());
        }
        texts
    }

    /// Returns true if the words that the edit adds to its old text are around that in the file.
    fn is_around(&self, file: &str) -> bool {
        let mut places = self.new.match_indices(&*self.old);
        let is_telling = places.any(|(at, old)| {
            let added = [&self.new[..at], &self.new[at + old.len()..]];
            added.concat().contains(char::is_alphanumeric)
        });
        is_telling && file.contains(&self.new)
    }
}

/// Returns the file without the lines that a text covers, and without the text elsewhere.
fn without_lines(file: &str, old: &str) -> String {
    let (mut text, mut done) = (String::new(), 0);
    for (at, _) in file.match_indices(old) {
        text.push_str(&file[done..at]);
        done = at + old.len();
        let is_line = at == 0 || file[..at].ends_with('\n');
        let rest = &file[done..];
        if is_line && !old.ends_with('\n') && !rest.starts_with(old) && rest.starts_with('\n') {
            done += 1;
        }
    }
    text + &file[done..]
}

/// Returns true if the tool does not find one of the edits in the text that those before it leave.
fn is_lost(file: &str, edits: &[Replacement]) -> bool {
    let mut text = file.to_owned();
    for edit in edits {
        if !text.contains(&*edit.old) {
            return true;
        }
        let Some(next) = edit.carried_out(&text).into_iter().next() else {
            return false;
        };
        text = next;
    }
    false
}

/// Compares what became of replacements with the plain operations, one after the other.
fn compare(file: &str, edits: &[Replacement], answer: &Answer) -> Result<(), TestCaseError> {
    let mut texts = vec![file.to_owned()];
    for (at, edit) in edits.iter().enumerate() {
        // An edit that is sent twice is meant once.
        let is_it = |other: &Replacement| (&other.old, &other.new) == (&edit.old, &edit.new);
        let is_sent_twice = edits[..at].iter().any(is_it);
        let made: Vec<String> = (texts.iter())
            .flat_map(|text| edit.carried_out(text))
            .collect();
        let kept = if is_sent_twice && !made.is_empty() {
            texts
        } else {
            Vec::new()
        };
        texts = [made, kept].concat();
    }
    let context = || format!("{file:?} {edits:?}");
    match answer {
        // What no tool finds is placed with more tolerance.
        _ if texts.is_empty() || is_lost(file, edits) => (),
        Answer::Written(text) => prop_assert!(texts.contains(text), "{}: {text:?}", context()),
        Answer::Already => {
            prop_assert!(texts.iter().any(|text| text == file), "{}", context());
        }
        Answer::Asked => (),
    }
    Ok(())
}

fn text(longest: usize) -> impl Strategy<Value = String> {
    let characters = select(&['a', 'b', '\n', 'a', 'b', '\n', ' ', '\t', ')'][..]);
    vec(characters, 0..=longest).prop_map(|characters| characters.into_iter().collect())
}

/// A replacement whose old text is mostly a part of a file.
fn replacement(file: &str) -> impl Strategy<Value = Replacement> + use<> {
    let part = |file: &str, at: Index, length: usize| {
        let at = if file.is_empty() {
            0
        } else {
            at.index(file.len())
        };
        file[at..(at + length).min(file.len())].to_owned()
    };
    let file = file.to_owned();
    let of_file = (any::<Index>(), 1..4_usize);
    let old = prop_oneof![
        4 => of_file.prop_map(move |(at, length)| part(&file, at, length)),
        1 => text(3),
    ];
    let around = |old: String, new: String, side: u8| match side {
        0 => old + &new,
        1 => new + &old,
        _ => new,
    };
    let new = (text(3), 0..4_u8);
    (old, new, prop::bool::weighted(0.3)).prop_map(move |(old, (new, side), every)| {
        // A tool makes a file if the old text is empty.
        let old = if old.is_empty() { "a".to_owned() } else { old };
        let new = around(old.clone(), new, side);
        Replacement { old, new, every }
    })
}

fn case() -> impl Strategy<Value = (String, Vec<Replacement>)> {
    text(9).prop_flat_map(|file| {
        let edits = vec(replacement(&file), 1..4);
        (Just(file), edits)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * ProptestConfig::default().cases, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_replaces_a_text((file, edits) in case()) {
        let edit = &edits[0];
        let fields = json!({"file_path": "f", "old_string": edit.old, "new_string": edit.new, "replace_all": edit.every});
        let answer = sent(Some(&file), &json!({"name": "Edit", "input": fields}));
        compare(&file, &edits[..1], &answer)?;
    }

    #[test]
    fn several_edits_replace_one_text_after_the_other((file, edits) in case()) {
        let field = |edit: &Replacement| json!({"old_string": edit.old, "new_string": edit.new, "replace_all": edit.every});
        let fields: Vec<Value> = edits.iter().map(field).collect();
        let call = json!({"name": "MultiEdit", "input": {"file_path": "f", "edits": fields}});
        compare(&file, &edits, &sent(Some(&file), &call))?;
    }

    #[test]
    fn a_written_file_has_the_text(file in prop::option::of(text(9)), text in text(9)) {
        let call = json!({"name": "Write", "input": {"file_path": "f", "content": text}});
        match sent(file.as_deref(), &call) {
            Answer::Written(found) => prop_assert_eq!(found, text),
            Answer::Already => prop_assert_eq!(file, Some(text)),
            Answer::Asked => (),
        }
    }

    #[test]
    fn a_text_is_added_at_the_end(file in prop::option::of(text(9)), text in text(4)) {
        let call = json!({"name": "WriteFile", "input": {"path": "f", "content": text, "mode": "append"}});
        let plain = file.clone().unwrap_or_default() + &text;
        match sent(file.as_deref(), &call) {
            Answer::Written(found) => prop_assert_eq!(found, plain),
            Answer::Already => {
                let ended = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
                let file = file.unwrap_or_default();
                let is_telling = text.contains(char::is_alphanumeric);
                prop_assert!(plain == file || is_telling && ended(&file).ends_with(&ended(&text)), "{:?} {:?}", file, text);
            }
            Answer::Asked => (),
        }
    }

    #[test]
    fn lines_are_inserted_after_a_line(file in text(9), line in 0..5_usize, text in text(4)) {
        let text = if text.is_empty() { "a".to_owned() } else { text };
        let call = json!({"name": "str_replace_based_edit_tool", "input": {
            "command": "insert", "path": "f", "insert_line": line, "insert_text": text}});
        let lines: Vec<&str> = file.split_inclusive('\n').collect();
        let new = if text.ends_with('\n') { text.clone() } else { text.clone() + "\n" };
        let mut plain = lines.iter().take(line).copied().collect::<String>();
        if !plain.is_empty() && !plain.ends_with('\n') {
            plain.push('\n');
        }
        plain.push_str(&new);
        plain.extend(lines.iter().skip(line).copied());
        if line >= lines.len() && !text.ends_with('\n') && !file.is_empty() && !file.ends_with('\n') {
            plain.pop();
        }
        match sent(Some(&file), &call) {
            Answer::Written(found) => prop_assert_eq!(found, plain),
            Answer::Already => prop_assert!(text.contains(char::is_alphanumeric) && file.contains(text.trim_end_matches('\n'))),
            Answer::Asked => (),
        }
    }

    #[test]
    fn a_new_file_keeps_its_line_endings(lines in vec((text(3), select(&["\n", "\r\n", "\r", ""][..])), 0..5)) {
        let text: String = lines.into_iter().map(|(line, ending)| line + ending).collect();
        let call = json!({"name": "Write", "input": {"file_path": "f", "content": text}});
        if let Answer::Written(found) = sent(None, &call) {
            prop_assert_eq!(found, text);
        }
    }
}
