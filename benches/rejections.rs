//! How surely a rejected change is recognised when it is proposed again, measured on the history of a git repository.
//!
//! `cargo bench --bench rejections -- REPOSITORY...` (this repository if none is named). Every commit is a proposal that is rejected and
//! then sent again in other forms; and the changes of every second commit are looked for among those of all others. A change of layout alone
//! is another change in another layout, so such hunks are left out of the forms that change it; and names are changed that the edit adds
//! to the file, and that it uses more than once. `VARIANT` in the environment names the forms to measure, by a part of their names (none, if no
//! name has it: then only other changes are counted), and `SHOW` prints what is not recognised.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::{HashMap, HashSet};
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use countersign::dialect::{Options, named, parse};
use countersign::locate::Tolerance;
use countersign::proposal::HunkOrder;
use countersign::review::{
    Decision, Found, HunkReview, Intake, NewTextEncoding, Postimage, RecurrenceKind,
    RejectionRecord, Rejections, ReviewSession, Side, Target, compose, intake, rejected_changes,
};
use countersign::text::Document;
use similar::{ChangeTag, DiffTag, TextDiff};

use history::{Edit, edits, repositories};

mod history;

/// Commits that are read of one repository, unless `COMMITS` in the environment names another number.
const COMMITS: usize = 600;
/// A way to send an edit again: its name, and the reviews that it leads to.
type Variant = (&'static str, fn(&Edit) -> Vec<ReviewSession>);

const VARIANTS: [Variant; 16] = [
    ("as it was", |edit| vec![edit.session()]),
    ("indented otherwise", |edit| {
        vec![with_added(edit, &|line| vec![format!("    {line}")]).session()]
    }),
    ("wrapped", |edit| vec![with_added(edit, &wrapped).session()]),
    ("at other lines", |edit| {
        vec![below(edit, &"// A line above.\n".repeat(30)).session()]
    }),
    ("in a renamed file", |edit| {
        let path = format!("renamed/{}", edit.path);
        vec![
            Edit {
                path,
                ..edit.clone()
            }
            .session(),
        ]
    }),
    (RENAMED, |edit| vec![with_other_names(edit).session()]),
    ("as search and replace", |edit| {
        parsed(edit, &search_replace(edit, 3))
    }),
    ("as a patch of codex", |edit| {
        parsed(edit, &codex_patch(edit))
    }),
    ("as a diff with much around", |edit| {
        parsed(edit, &unified(edit, 20))
    }),
    ("in parts", each_alone),
    ("with another change", |edit| {
        let after = format!("{}\nanother_change();\n", edit.after);
        vec![
            Edit {
                after,
                ..edit.clone()
            }
            .session(),
        ]
    }),
    ("moved in the file", |edit| {
        let moved = |edit: Edit| moved_region(&edit, None).session();
        alone(edit).into_iter().map(moved).collect()
    }),
    (IN_ANOTHER_FILE, |edit| {
        let moved = |edit: Edit| moved_region(&edit, Some(&elsewhere(&edit))).session();
        alone(edit).into_iter().map(moved).collect()
    }),
    (ADDED_ELSEWHERE, |edit| {
        let moved = alone(edit)
            .into_iter()
            .filter_map(|edit| added_elsewhere(&edit));
        moved.map(|edit| edit.session()).collect()
    }),
    (SPLIT, split_in_two),
    ("merged with lines below it", |edit| {
        // A change without a word is no part of another one that anybody decides about.
        let merged = alone(edit).into_iter().filter(|edit| {
            let session = edit.session();
            session.hunks().any(|(_, hunk)| has_word(&session, hunk))
        });
        merged.map(|edit| merged_below(&edit).session()).collect()
    }),
];

const RENAMED: &str = "with other names";
const IN_ANOTHER_FILE: &str = "moved to another file";
const SPLIT: &str = "split in two";
const ADDED_ELSEWHERE: &str = "added at another place";
/// Lines that move with a change.
const MOVED_AROUND: usize = 6;
/// Words of lines that are the same change wherever they are added. A change of fewer words at another place is another one.
const WORDS_ALONE: usize = 24;
/// Text around lines that were moved.
const STRANGE: &str = "// Another part of the program begins here.\n";

/// Returns the first and the last line of an edit with one change, before and after it; `None` if nothing changes.
fn changed_lines(edit: &Edit) -> Option<[(usize, usize); 2]> {
    let diff = TextDiff::from_lines(&edit.before, &edit.after);
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let changed: Vec<_> = changed.collect();
    let (first, last) = (changed.first()?, changed.last()?);
    Some([
        (first.old_range().start, last.old_range().end),
        (first.new_range().start, last.new_range().end),
    ])
}

/// Moves the change with the lines around it to the end of the file, or of the other file, below other lines.
fn moved_region(edit: &Edit, other: Option<&str>) -> Edit {
    let Some(changed) = changed_lines(edit) else {
        return edit.clone();
    };
    let texts = [&edit.before, &edit.after].into_iter().zip(changed);
    let moved = texts.map(|(text, (start, end))| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let around = start.saturating_sub(MOVED_AROUND)..(end + MOVED_AROUND).min(lines.len());
        let region = lines[around.clone()].concat();
        let rest = [&lines[..around.start], &lines[around.end..]]
            .concat()
            .concat();
        let end = if region.ends_with('\n') { "" } else { "\n" };
        format!(
            "{}{STRANGE}{region}{end}{STRANGE}",
            if other.is_some() { "" } else { &rest }
        )
    });
    let texts: Vec<String> = moved.collect();
    Edit {
        commit: edit.commit,
        path: other.unwrap_or(&edit.path).to_owned(),
        before: texts[0].clone(),
        after: texts[1].clone(),
    }
}

fn elsewhere(edit: &Edit) -> String {
    format!("elsewhere/{}", edit.path)
}

/// Adds the lines that an edit adds, and that remove none, at the end of the file, if they have enough words.
fn added_elsewhere(edit: &Edit) -> Option<Edit> {
    let [old, new] = changed_lines(edit)?;
    let lines: Vec<&str> = edit.after.split_inclusive('\n').collect();
    let added = lines.get(new.0..new.1)?.concat();
    let words = added.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_long = words.filter(|word| !word.is_empty()).count() >= WORDS_ALONE;
    let before = format!("{}\n{STRANGE}", edit.before);
    (old.0 == old.1 && is_long).then(|| Edit {
        after: format!("{before}{added}"),
        before,
        ..edit.clone()
    })
}

/// Adds lines right below the change.
fn merged_below(edit: &Edit) -> Edit {
    let Some([_, (_, end)]) = changed_lines(edit) else {
        return edit.clone();
    };
    let mut lines: Vec<&str> = edit.after.split_inclusive('\n').collect();
    lines.insert(end.min(lines.len()), "another_change(first, second);\n");
    Edit {
        after: lines.concat(),
        ..edit.clone()
    }
}

/// Returns every change of an edit in two halves, each as a proposal of its own.
fn split_in_two(edit: &Edit) -> Vec<ReviewSession> {
    let mut all = Vec::new();
    for edit in alone(edit) {
        let session = edit.session();
        let Some((id, hunk)) = session.hunks().next() else {
            continue;
        };
        let count = hunk.state.lines.len();
        if count < 2 {
            continue;
        }
        for lines in [0..count / 2, count / 2..count] {
            let mut decided = session.clone();
            let target = Target::Lines {
                hunk: id,
                lines,
                side: Side::Both,
            };
            decided.decide(&target, Decision::Accepted);
            if let Postimage::Text { text: after, .. } = compose(&decided.files[0]) {
                let half = Edit {
                    after,
                    ..edit.clone()
                };
                all.push(half.session());
            }
        }
    }
    all
}

/// Gives every name that the edit introduces another name, if it is used more than once, and once by itself: the members of other things
/// are not the edit's to name.
fn with_other_names(edit: &Edit) -> Edit {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let known: HashSet<&str> = edit.before.split(|c| !is_word(c)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut introduced: HashSet<&str> = HashSet::new();
    for word in edit.after.split(|c| !is_word(c)) {
        *counts.entry(word).or_default() += 1;
        let at = word.as_ptr() as usize - edit.after.as_ptr() as usize;
        let above = edit.after[..at].trim_end();
        if ![".", "::", "->"].iter().any(|sign| above.ends_with(sign)) {
            introduced.insert(word);
        }
    }
    let mut after = String::new();
    let mut rest = edit.after.as_str();
    while !rest.is_empty() {
        let end = rest.find(is_word).unwrap_or(rest.len());
        after.push_str(&rest[..end]);
        rest = &rest[end..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        after.push_str(word);
        let is_name = word.starts_with(|c: char| c.is_alphabetic()) && !known.contains(word);
        if is_name && counts[word] > 1 && introduced.contains(word) {
            after.push_str("_q");
        }
        rest = &rest[end..];
    }
    Edit {
        after,
        ..edit.clone()
    }
}

/// Returns true if a hunk changes nothing but blanks.
fn is_layout(session: &ReviewSession, hunk: &HunkReview) -> bool {
    let base = &session.files[0].base;
    let text = |lines: Vec<&str>| lines.concat().split_whitespace().collect::<String>();
    let added = hunk.proposed.iter().filter_map(|line| line.adds.as_deref());
    let removed = hunk.proposed.iter().filter(|line| line.removes);
    text(added.collect()) == text(removed.map(|line| base.line(line.at)).collect())
}

/// Returns true if a hunk changes a line with a letter in it.
fn has_word(session: &ReviewSession, hunk: &HunkReview) -> bool {
    let base = &session.files[0].base;
    let added = hunk.proposed.iter().filter_map(|line| line.adds.as_deref());
    let removed = hunk.proposed.iter().filter(|line| line.removes);
    let mut lines = added.chain(removed.map(|line| base.line(line.at)));
    lines.any(|line| line.contains(char::is_alphabetic))
}

/// Puts lines above the file, before and after the edit.
fn below(edit: &Edit, lines: &str) -> Edit {
    Edit {
        before: format!("{lines}{}", edit.before),
        after: format!("{lines}{}", edit.after),
        ..edit.clone()
    }
}

/// Changes the lines that the edit adds.
fn with_added(edit: &Edit, change: &dyn Fn(&str) -> Vec<String>) -> Edit {
    let diff = TextDiff::from_lines(&edit.before, &edit.after);
    let mut after = String::new();
    for line in diff.iter_all_changes() {
        match line.tag() {
            ChangeTag::Equal => after.push_str(line.value()),
            ChangeTag::Delete => (),
            ChangeTag::Insert => {
                for line in change(line.value().trim_end_matches('\n')) {
                    after.push_str(&line);
                    after.push('\n');
                }
            }
        }
    }
    Edit {
        after,
        ..edit.clone()
    }
}

/// Returns the review of an edit that is written as a text.
fn parsed(edit: &Edit, text: &str) -> Vec<ReviewSession> {
    // Some files have the marks of a dialect among their lines.
    if ["<<<<<<<", "=======", ">>>>>>>", "```", "***"]
        .iter()
        .any(|mark| edit.before.contains(mark) || edit.after.contains(mark))
    {
        return Vec::new();
    }
    let proposal = parse(text, &Options::default()).proposal;
    let files = proposal.files.into_iter().map(|change| Intake {
        order: named(change.dialect)
            .map_or(HunkOrder::Any, countersign::dialect::Dialect::hunk_order),
        change: Arc::new(change),
        path: edit.path.clone(),
        other: countersign::review::OtherFile::None,
        found: Found::Text {
            document: Arc::new(Document::from_text(&edit.before)),
            executable: false,
        },
        protected: None,
        bytes: None,
        reading: NewTextEncoding::default(),
    });
    vec![intake(
        String::new(),
        Vec::new(),
        files.collect(),
        Tolerance::default(),
    )]
}

/// Writes an edit as blocks of search and replace.
fn search_replace(edit: &Edit, around: usize) -> String {
    let diff = TextDiff::from_lines(&edit.before, &edit.after);
    let mut text = String::new();
    for ops in diff.grouped_ops(around) {
        let mut sides = [String::new(), String::new()];
        for change in ops.iter().flat_map(|op| diff.iter_changes(op)) {
            for (side, other) in sides.iter_mut().zip([ChangeTag::Insert, ChangeTag::Delete]) {
                if change.tag() != other {
                    side.push_str(change.value());
                }
            }
        }
        let [old, new] = sides.map(|side| {
            if side.ends_with('\n') {
                side
            } else {
                side + "\n"
            }
        });
        let path = &edit.path;
        let _ = writeln!(
            text,
            "{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
        );
    }
    text
}

/// Writes an edit in the form of `apply_patch`.
fn codex_patch(edit: &Edit) -> String {
    let diff = TextDiff::from_lines(&edit.before, &edit.after);
    let mut text = format!("*** Begin Patch\n*** Update File: {}\n", edit.path);
    for ops in diff.grouped_ops(3) {
        text.push_str("@@\n");
        for change in ops.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches('\n');
            let _ = writeln!(text, "{}{line}", change.tag());
        }
    }
    text + "*** End Patch\n"
}

/// Writes an edit as a diff.
fn unified(edit: &Edit, around: usize) -> String {
    let diff = TextDiff::from_lines(&edit.before, &edit.after);
    let path = &edit.path;
    let mut unified = diff.unified_diff();
    let unified = unified.context_radius(around);
    unified
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

/// Returns an edit in as many proposals as it has changes.
fn each_alone(edit: &Edit) -> Vec<ReviewSession> {
    alone(edit).iter().map(Edit::session).collect()
}

/// Returns an edit in as many edits as it has changes.
fn alone(edit: &Edit) -> Vec<Edit> {
    let session = edit.session();
    let alone = session.hunks().filter_map(|(id, _)| {
        let mut decided = session.clone();
        decided.decide(&Target::Hunk(id), Decision::Accepted);
        let Postimage::Text { text: after, .. } = compose(&decided.files[0]) else {
            return None;
        };
        Some(Edit {
            after,
            ..edit.clone()
        })
    });
    alone.collect()
}

/// Returns the record of a review in which all of the edit was rejected.
fn rejected(edit: &Edit) -> RejectionRecord {
    let mut session = edit.session();
    session.reject_all();
    RejectionRecord {
        time: 0,
        rejected: rejected_changes(&session),
        ..RejectionRecord::default()
    }
}

/// Breaks a line behind its commas.
fn wrapped(line: &str) -> Vec<String> {
    let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
    let parts = line.trim_start().split_inclusive(", ");
    parts
        .map(|part| format!("{indent}{}", part.trim_end()))
        .collect()
}

/// Returns a line without blanks, and without the comma at its end.
fn squeezed(line: &str) -> String {
    let words: String = line.split_whitespace().collect();
    words.trim_end_matches(',').to_owned()
}

fn is_known(hunk: &HunkReview) -> bool {
    hunk.is_rejected_before()
}

/// Returns the changed lines of a hunk as in a diff, each with its number in the file.
fn shown(session: &ReviewSession, hunk: &HunkReview) -> String {
    let mut text = String::new();
    for line in &*hunk.proposed {
        let number = line.at + 1;
        if line.removes {
            let removed = session.files[0].base.line(line.at);
            let _ = writeln!(text, "{number:>6} -{removed}");
        }
        if let Some(added) = &line.adds {
            let _ = writeln!(text, "{number:>6} +{added}");
        }
    }
    text
}

/// Counts the hunks of a session that are recognised, and all of them.
fn counted(rejections: &Rejections, mut session: ReviewSession, name: &str) -> (usize, usize) {
    rejections.mark(&mut session);
    let counts = |hunk: &HunkReview| match name {
        "indented otherwise" | "wrapped" => !is_layout(&session, hunk),
        RENAMED => (hunk.proposed.iter().filter_map(|line| line.adds.as_deref()))
            .any(|line| line.contains("_q")),
        // A blank line or a bracket alone is no part that anybody decides about.
        SPLIT => has_word(&session, hunk),
        _ => true,
    };
    // Where a place is not sure, that is shown.
    let hunks: Vec<&HunkReview> = (session.hunks().map(|(_, hunk)| hunk))
        .filter(|hunk| hunk.is_decidable() && counts(hunk))
        .collect();
    let found = hunks.iter().filter(|hunk| is_known(hunk)).count();
    if env::var_os("SHOW").is_some() {
        for hunk in hunks.iter().filter(|hunk| !is_known(hunk)) {
            println!(
                "{name}: {}\n{}",
                session.files[0].path,
                shown(&session, hunk)
            );
        }
    }
    (found, hunks.len())
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let commits = env::var("COMMITS")
        .ok()
        .and_then(|count| count.parse().ok());
    let commits = commits.unwrap_or(COMMITS);
    let only = env::var("VARIANT").ok();
    let (mut wrong_in_all, mut others_in_all) = (0, 0);
    for repository in repositories() {
        let edits = edits(&repository, commits)?;
        println!(
            "{}: {} files of {commits} commits",
            repository.display(),
            edits.len()
        );
        let is_wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
        for (name, variant) in VARIANTS.into_iter().filter(|(name, _)| is_wanted(name)) {
            let (mut known, mut all) = (0, 0);
            for edit in &edits {
                let rejections = Rejections::new([rejected(edit)]);
                for session in variant(edit) {
                    let (found, of) = counted(&rejections, session, name);
                    // The other change is none that was rejected.
                    let others = usize::from(name == "with another change" && of > found);
                    known += found;
                    all += of - others;
                }
            }
            let percent = known as f64 * 100.0 / all.max(1) as f64;
            println!("  recognised {name}: {known} of {all} hunks, {percent:.2} %");
        }
        let (even, odd): (Vec<&Edit>, Vec<&Edit>) =
            edits.iter().partition(|edit| edit.commit % 2 == 0);
        let records: Vec<RejectionRecord> = even.iter().map(|edit| rejected(edit)).collect();
        let joined = |lines: &[String]| lines.iter().map(|line| squeezed(line)).collect::<String>();
        let known_texts: HashSet<[String; 2]> = (records.iter())
            .flat_map(|record| &record.rejected)
            .map(|change| [joined(&change.removed), joined(&change.added)])
            .collect();
        let known_lines: HashSet<String> = (records.iter())
            .flat_map(|record| &record.rejected)
            .flat_map(|change| {
                let lines = change.removed.iter().chain(&change.added);
                lines.map(|line| squeezed(line))
            })
            .collect();
        let rejections = Rejections::new(records);
        let (mut wrong, mut all, mut repeats) = (0, 0, 0);
        for edit in odd {
            let mut session = edit.session();
            rejections.mark(&mut session);
            for (_, hunk) in session.hunks() {
                all += 1;
                if !hunk.is_rejected_before() {
                    continue;
                }
                // A commit that repeats another one to the letter, as on two branches, is no other change; and one that contains it, or is a
                // part of it, has some of its lines.
                let added = hunk.proposed.iter().filter_map(|line| line.adds.clone());
                let base_lines = hunk.proposed.iter().filter(|line| line.removes);
                let base_lines =
                    base_lines.map(|line| session.files[0].base.line(line.at).to_owned());
                let text = [base_lines.collect::<Vec<_>>(), added.clone().collect()];
                let is_in_other_lines = known_texts.contains(&text.map(|lines| joined(&lines)));
                let base = &session.files[0].base;
                let removed = hunk.proposed.iter().filter(|line| line.removes);
                let mut lines = added.chain(removed.map(|line| base.line(line.at).to_owned()));
                let is_known = |line: String| known_lines.contains(&squeezed(&line));
                let is_in_part = hunk.recurrence().is_some_and(|earlier| {
                    matches!(
                        earlier.kind,
                        RecurrenceKind::Part | RecurrenceKind::Contains
                    )
                });
                if is_in_other_lines
                    || lines.clone().all(is_known)
                    || is_in_part && lines.any(is_known)
                {
                    repeats += 1;
                    continue;
                }
                wrong += 1;
                if env::var_os("SHOW").is_some() {
                    let shown = shown(&session, hunk);
                    println!("{} {:?}\n{shown}", edit.path, hunk.recurrence());
                }
            }
        }
        println!("  repeated to the letter: {repeats} of {all} hunks");
        println!("  recognised among other changes: {wrong} of {all} hunks");
        wrong_in_all += wrong;
        others_in_all += all - repeats;
    }
    println!("recognised among other changes of all: {wrong_in_all} of {others_in_all} hunks");
    Ok(())
}
