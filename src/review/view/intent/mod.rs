//! Order of a review in which the hunks that belong to one purpose are together.
//!
//! The purpose of a hunk is the first of these that is known: the sentence with which the agent announced it; the word that it
//! replaces with another, if other hunks do the same; a name that it shares with other hunks, if the change is about this name.
//! The groups by sentences come first, in the order of the prose, then the others by their size, and then all other hunks by path.
//! In a review that stays open, each proposal has its own groups. The work grows with the lines of the changed files.

mod changed_text;
mod definition;
mod entity;
mod gather;
mod purpose;
mod substitution;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::file_group::FileGroup;
use super::rows::FilePart;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkId, HunkReview, Outcome};
use crate::review::session::review_session::ReviewSession;
use changed_text::ChangedText;
use entity::entities;
use gather::gather;
pub use purpose::ChangePurpose;
use substitution::substitutions;

/// The parts of a session, ordered by purposes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByIntent {
    /// The purposes, in the order of their parts.
    pub purposes: Vec<ChangePurpose>,
    /// The parts, each with its purpose; without any if no purpose is known.
    pub parts: Vec<FilePart>,
}

/// Maximum number of lines of a file whose unchanged lines are read.
const LONGEST: usize = 20_000;

/// Files and hunks with one purpose.
struct Group {
    purpose: ChangePurpose,
    /// The files in their order, each with hunks in any order.
    files: Vec<(usize, Vec<usize>)>,
}

/// Orders a session by purposes.
pub fn by_intent(session: &ReviewSession) -> ByIntent {
    let mut calls: BTreeMap<Option<u64>, Vec<usize>> = BTreeMap::new();
    for (file, review) in session.files.iter().enumerate() {
        let call = review.call.as_ref().map(|call| call.number);
        calls.entry(call).or_default().push(file);
    }
    let groups = calls.values().flat_map(|files| groups(session, files));
    let groups: Vec<Group> = groups.collect();
    let mut lists = vec![Vec::new(); session.files.len()];
    for (file, hunks) in groups.iter().flat_map(|group| &group.files) {
        lists[*file].push(hunks.clone());
    }
    let split = |(file, lists): (usize, &Vec<Vec<usize>>)| FilePart::split(file, lists).into_iter();
    let mut parts: Vec<_> = lists.iter().enumerate().map(split).collect();
    let is_known = groups.len() > 1
        || groups
            .iter()
            .any(|group| group.purpose != ChangePurpose::Other);
    let mut ordered = Vec::new();
    for (purpose, group) in groups.iter().enumerate() {
        for (file, _) in &group.files {
            let purpose = is_known.then_some(purpose);
            ordered.extend(parts[*file].next().map(|part| part.with_purpose(purpose)));
        }
    }
    let purposes = groups.into_iter().map(|group| group.purpose);
    ByIntent {
        purposes: purposes.filter(|_| is_known).collect(),
        parts: ordered,
    }
}

/// Groups the hunks of some files.
fn groups(session: &ReviewSession, files: &[usize]) -> Vec<Group> {
    let review = |id: HunkId| &session.files[id.file].hunks[id.hunk];
    let mut hunks: Vec<HunkId> = files
        .iter()
        .flat_map(|&file| leading_hunks(&session.files[file], file))
        .collect();
    // In the order of the input, which may name a file more than once.
    hunks.sort_by_key(|&id| (review(id).span.first, id));
    let languages: FxHashMap<usize, Option<&str>> = files
        .iter()
        .map(|&file| (file, language(&session.files[file])))
        .collect();
    let texts: Vec<ChangedText> = hunks
        .iter()
        .map(|&id| ChangedText::of(&session.files[id.file], review(id), languages[&id.file]))
        .collect();
    let sentences: Vec<Option<&Arc<str>>> =
        hunks.iter().map(|&id| review(id).announcement()).collect();
    let programs = files.iter().filter(|file| languages[file].is_some());
    let untouched = programs.flat_map(|&file| untouched_lines(&session.files[file]));
    let mut members = purposes(&sentences, &texts, untouched);
    let mut is_grouped = vec![false; hunks.len()];
    for &at in members.iter().flat_map(|(_, members)| members) {
        is_grouped[at] = true;
    }
    let mut other: Vec<usize> = (0..hunks.len()).filter(|&at| !is_grouped[at]).collect();
    other.sort_by_key(|&at| &session.files[hunks[at].file].path);
    members.push((ChangePurpose::Other, other));
    let groups = members.into_iter().map(|(purpose, members)| {
        let ids = members
            .into_iter()
            .map(|at| (hunks[at].file, hunks[at].hunk));
        Group {
            purpose,
            files: gather(ids),
        }
    });
    let mut groups: Vec<Group> = groups.collect();
    add_followers(session, files, &mut groups);
    groups.retain(|group| !group.files.is_empty());
    groups
}

/// Returns the purposes of some hunks in their order, each with the positions of its hunks. Hunks without a known purpose are in none.
/// `untouched` are the lines of programs that stay as they are.
fn purposes<'a>(
    sentences: &[Option<&Arc<str>>],
    texts: &[ChangedText<'a>],
    untouched: impl Iterator<Item = &'a str>,
) -> Vec<(ChangePurpose, Vec<usize>)> {
    let mut is_free: Vec<bool> = sentences.iter().map(Option::is_none).collect();
    let all = sentences.iter().enumerate();
    let announced = gather(all.filter_map(|(at, said)| Some(((*said)?, at))));
    let mut found = Vec::new();
    for ((old, new), hunks) in substitutions(texts, &is_free) {
        for &hunk in &hunks {
            is_free[hunk] = false;
        }
        let (old, new) = (old.to_owned(), new.to_owned());
        found.push((ChangePurpose::Replaces { old, new }, hunks));
    }
    let entities = entities(texts, &is_free, untouched).into_iter();
    found.extend(
        entities.map(|entity| (ChangePurpose::UsesOf(entity.name.to_owned()), entity.hunks)),
    );
    found.sort_by_key(|(_, hunks)| (Reverse(hunks.len()), hunks.iter().min().copied()));
    let announced = announced.into_iter();
    announced
        .map(|(said, hunks)| (ChangePurpose::Announced(Arc::clone(said)), hunks))
        .chain(found)
        .collect()
}

/// Returns the hunks of a file that have a purpose of their own: neither later parts of a split hunk nor those that are decided with
/// another one.
fn leading_hunks(review: &FileReview, file: usize) -> impl Iterator<Item = HunkId> {
    let all = review.hunks.iter().enumerate();
    let leads = |hunk: &HunkReview| !hunk.is_later_part() && leader(hunk).is_none();
    all.filter(move |(_, hunk)| leads(hunk))
        .map(move |(hunk, _)| HunkId { file, hunk })
}

/// Returns the hunk with which another one is decided.
fn leader(hunk: &HunkReview) -> Option<usize> {
    match &hunk.outcome {
        Outcome::Follows { hunks } => Some(hunks.start),
        Outcome::Placed(_)
        | Outcome::AlreadyApplied { .. }
        | Outcome::Unplaced(_)
        | Outcome::Refused => None,
    }
}

/// Adds the hunks that are decided with another one to its group, and files without hunks to the last group.
fn add_followers(session: &ReviewSession, files: &[usize], groups: &mut [Group]) {
    let mut places: FxHashMap<HunkId, (usize, usize)> = FxHashMap::default();
    for (group, of) in groups.iter().enumerate() {
        for (at, (file, hunks)) in of.files.iter().enumerate() {
            let ids = hunks.iter().map(|&hunk| HunkId { file: *file, hunk });
            places.extend(ids.map(|id| (id, (group, at))));
        }
    }
    for &file in files {
        let hunks = session.files[file].hunks.iter().enumerate();
        for (hunk, leader) in hunks.filter_map(|(hunk, review)| Some((hunk, leader(review)?))) {
            if let Some(&(group, at)) = places.get(&HunkId { file, hunk: leader }) {
                groups[group].files[at].1.push(hunk);
            }
        }
        // What is in no group is in the last part of its file, which each file has.
        let is_first = |hunk: usize| places.contains_key(&HunkId { file, hunk });
        if !(0..session.files[file].hunks.len()).any(is_first)
            && let Some(last) = groups.last_mut()
        {
            last.files.push((file, Vec::new()));
        }
    }
}

/// Returns the extension of a file whose lines can define names; `None` for any other file.
fn language(file: &FileReview) -> Option<&str> {
    let text = if file.base.is_empty() {
        file.yours()
    } else {
        &file.base
    };
    let group = FileGroup::of(file.new_path(), text);
    let is_program = matches!(group, FileGroup::Source | FileGroup::Tests);
    let extension = Path::new(file.new_path()).extension();
    is_program.then(|| extension.and_then(OsStr::to_str).unwrap_or_default())
}

/// Returns the lines of a file that no hunk removes; none of a file that is too long to read for this.
fn untouched_lines(file: &FileReview) -> impl Iterator<Item = &str> {
    let lines = file.base.len();
    let mut is_removed = vec![false; if lines <= LONGEST { lines } else { 0 }];
    for line in file.hunks.iter().flat_map(|hunk| hunk.whole().iter()) {
        if let Some(at) = is_removed.get_mut(line.at) {
            *at |= line.removes;
        }
    }
    let kept = (0..is_removed.len()).filter(move |&line| !is_removed[line]);
    kept.map(|line| file.base.line(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups hunks, each with removed and added lines between `|` and the sentence that announces it after `=>`; what is returned is
    /// `purpose: hunks`, without those of no known purpose.
    #[track_caller]
    fn check(hunks: &[&str], expected: &[&str]) {
        let split = hunks.iter().map(|hunk| match hunk.split_once("=>") {
            Some((lines, sentence)) => (lines, Some(Arc::from(sentence))),
            None => (*hunk, None),
        });
        let (lines, sentences): (Vec<&str>, Vec<Option<Arc<str>>>) = split.unzip();
        let texts: Vec<ChangedText> = lines.iter().copied().map(ChangedText::of_program).collect();
        let sentences: Vec<Option<&Arc<str>>> = sentences.iter().map(Option::as_ref).collect();
        let found = purposes(&sentences, &texts, std::iter::empty())
            .into_iter()
            .map(|(purpose, hunks)| {
                let hunks: Vec<String> = hunks.iter().map(usize::to_string).collect();
                format!("{purpose}: {}", hunks.join(" "))
            });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{hunks:?}");
    }

    #[test]
    fn sentences_come_first_and_in_their_order() {
        check(
            &["-a|+b=>Then two.", "+x=>First.", "+y=>Then two.", "+z"],
            &["“Then two.”: 0 2", "“First.”: 1"],
        );
    }

    #[test]
    fn one_word_that_several_hunks_replace_is_a_purpose() {
        check(
            &[
                "-send(x)|+post(x)",
                "-a = send|+a = post",
                "-send(1)|+post(2)",
            ],
            &["replaces `send` with `post`: 0 1"],
        );
        check(&["-send(x)|+post(x)", "-other|+words"], &[]);
        check(
            &["-send(x)|+post(x)=>So.", "-send(y)|+post(y)", "-send|+post"],
            &["“So.”: 0", "replaces `send` with `post`: 1 2"],
        );
    }

    #[test]
    fn hunks_that_rename_among_other_things_belong_to_the_rename() {
        let hunks = [
            "-send_all(x)|+post(x)",
            "-send_all()|+post()",
            "-send_all()|+post(1, 2)|+more()",
            "-send_all()|+send_all(1)",
        ];
        check(&hunks, &["replaces `send_all` with `post`: 0 1 2"]);
        // Both words are common ones.
        let hunks = [
            "-a = true|+a = false",
            "-true|+false",
            "-b(true)|+c(false, 1)",
        ];
        check(&hunks, &["replaces `true` with `false`: 0 1"]);
    }

    #[test]
    fn the_largest_group_without_a_sentence_comes_first() {
        let hunks = [
            "-old|+new",
            "+fn send() {",
            "-old()|+new()",
            "+send(1)",
            "+send(2)",
            "+other=>Last.",
        ];
        check(
            &hunks,
            &[
                "“Last.”: 5",
                "uses of `send`: 1 3 4",
                "replaces `old` with `new`: 0 2",
            ],
        );
    }
}
