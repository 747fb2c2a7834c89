//! How surely a rejected change is recognised when it is proposed again, measured on the history of a git repository.
//!
//! `cargo bench --bench rejections -- REPOSITORY...` (this repository if none is named). Every commit is a proposal that is rejected and
//! then sent again in other forms; and the changes of every second commit are looked for among those of all others.

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

const VARIANTS: [Variant; 6] = [
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
    ("with another change", |edit| Edit {
        after: format!("{}\nanother_change();\n", edit.after),
        ..edit.clone()
    }),
];

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
fn counted(rejections: &Rejections, mut session: ReviewSession) -> (usize, usize) {
    rejections.mark(&mut session);
    let all = session.hunks().count();
    (
        session.hunks().filter(|(_, hunk)| is_known(hunk)).count(),
        all,
    )
}

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
                let (found, of) = counted(&rejections, variant(edit).session());
                // The other change is none that was rejected.
                let others = usize::from(name == "with another change" && of > found);
                known += found;
                all += of - others;
            }
            println!("  recognised {name}: {known} of {all} hunks");
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
