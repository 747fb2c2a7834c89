//! How surely a rejected change is recognised when it is proposed again, measured on the history of a git repository.
//!
//! `cargo bench --bench rejections -- REPOSITORY...` (this repository if none is named). Every commit is a proposal that is rejected and
//! then sent again in other forms; and the changes of every second commit are looked for among those of all others. A change of layout alone
//! is another change in another layout, so such hunks are left out of the forms that change it; and names are changed only in hunks that use a
//! name of their own more than once.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::HashSet;
use std::env;
use std::error::Error;

use countersign::review::{
    HunkReview, RecurrenceKind, RejectionRecord, Rejections, ReviewSession, rejected_changes,
};

use history::{Edit, edits, repositories};

mod history;

/// Commits that are read of one repository.
const COMMITS: usize = 600;
/// A way to send an edit again: its name, and the two versions that are compared then.
type Variant = (&'static str, fn(&Edit) -> Edit);

const VARIANTS: [Variant; 7] = [
    ("as it was", Edit::clone),
    ("indented otherwise", |edit| {
        with_added(edit, &|line| vec![format!("    {line}")])
    }),
    ("wrapped", |edit| with_added(edit, &wrapped)),
    ("at other lines", |edit| {
        below(edit, &"// A line above.\n".repeat(30))
    }),
    ("in a renamed file", |edit| Edit {
        path: format!("renamed/{}", edit.path),
        ..edit.clone()
    }),
    (RENAMED, with_other_names),
    ("with another change", |edit| Edit {
        after: format!("{}\nanother_change();\n", edit.after),
        ..edit.clone()
    }),
];

const RENAMED: &str = "with other names";

/// Gives every name that the edit introduces another name, if it is used more than once.
fn with_other_names(edit: &Edit) -> Edit {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let known: HashSet<&str> = edit.before.split(|c| !is_word(c)).collect();
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
        if is_name && edit.after.matches(word).count() > 1 {
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
    let diff = similar::TextDiff::from_lines(&edit.before, &edit.after);
    let mut after = String::new();
    for line in diff.iter_all_changes() {
        match line.tag() {
            similar::ChangeTag::Equal => after.push_str(line.value()),
            similar::ChangeTag::Delete => (),
            similar::ChangeTag::Insert => {
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

/// Returns the record of a review in which all of the edit was rejected.
fn rejected(edit: &Edit) -> RejectionRecord {
    let mut session = edit.session();
    session.reject_all();
    RejectionRecord {
        time: 0,
        rejected: rejected_changes(&session),
        accepted: Vec::new(),
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

fn is_known(hunk: &HunkReview) -> bool {
    hunk.is_rejected_before()
}

/// Counts the hunks of a session that are recognised, and all of them.
fn counted(rejections: &Rejections, mut session: ReviewSession, name: &str) -> (usize, usize) {
    rejections.mark(&mut session);
    let counts = |hunk: &HunkReview| match name {
        "indented otherwise" | "wrapped" => !is_layout(&session, hunk),
        RENAMED => (hunk.proposed.iter().filter_map(|line| line.adds.as_deref()))
            .any(|line| line.contains("_q")),
        _ => true,
    };
    let hunks: Vec<&HunkReview> = (session.hunks().map(|(_, hunk)| hunk))
        .filter(|hunk| counts(hunk))
        .collect();
    let found = hunks.iter().filter(|hunk| is_known(hunk)).count();
    if env::var_os("SHOW").is_some() {
        for hunk in hunks.iter().filter(|hunk| !is_known(hunk)) {
            println!("{name}: {} {:?}", session.files[0].path, hunk.proposed);
        }
    }
    (found, hunks.len())
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn main() -> Result<(), Box<dyn Error>> {
    for repository in repositories() {
        let edits = edits(&repository, COMMITS)?;
        println!(
            "{}: {} files of {COMMITS} commits",
            repository.display(),
            edits.len()
        );
        for (name, variant) in VARIANTS {
            let (mut known, mut all) = (0, 0);
            for edit in &edits {
                let rejections = Rejections::new([rejected(edit)]);
                let (found, of) = counted(&rejections, variant(edit).session(), name);
                // The other change is none that was rejected.
                let others = usize::from(name == "with another change" && of > found);
                known += found;
                all += of - others;
            }
            let percent = known as f64 * 100.0 / all.max(1) as f64;
            println!("  recognised {name}: {known} of {all} hunks, {percent:.2} %");
        }
        let (even, odd): (Vec<&Edit>, Vec<&Edit>) =
            edits.iter().partition(|edit| edit.commit % 2 == 0);
        let records: Vec<RejectionRecord> = even.iter().map(|edit| rejected(edit)).collect();
        let known_lines: HashSet<(String, String)> = (records.iter())
            .flat_map(|record| &record.rejected)
            .flat_map(|change| {
                let lines = change.removed.iter().chain(&change.added);
                lines.map(|line| (change.path.clone(), line.clone()))
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
                let base = &session.files[0].base;
                let removed = hunk.proposed.iter().filter(|line| line.removes);
                let mut lines = added.chain(removed.map(|line| base.line(line.at).to_owned()));
                let is_known = |line| known_lines.contains(&(edit.path.clone(), line));
                let is_in_part = hunk.recurrence().is_some_and(|earlier| {
                    matches!(
                        earlier.kind,
                        RecurrenceKind::Part | RecurrenceKind::Contains
                    )
                });
                if lines.clone().all(is_known) || is_in_part && lines.any(is_known) {
                    repeats += 1;
                    continue;
                }
                wrong += 1;
                if env::var_os("SHOW").is_some() {
                    println!("{} {:?} {:?}", edit.path, hunk.recurrence(), hunk.proposed);
                }
            }
        }
        println!("  repeated to the letter: {repeats} of {all} hunks");
        println!("  recognised among other changes: {wrong} of {all} hunks");
    }
    Ok(())
}
