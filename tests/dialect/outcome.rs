//! What an edit makes of files, or what is said of why it cannot.

use std::collections::BTreeMap;

use countersign::dialect::Options;
use countersign::locate::Tolerance;
use countersign::review::{Decision, HunkId, Reason, Report, ReviewSession, Target, Writing};

use crate::engine::{Tree, accept_all, review, written};

/// What an edit makes of files: their texts under their names, or what is said of why it cannot.
#[track_caller]
pub(crate) fn check(before: &[(&str, &str)], edit: &str, after: &[(&str, &str)], said: &[&str]) {
    let tree = |files: &[(&str, &str)]| -> Tree {
        let files = files.iter();
        files
            .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
            .collect()
    };
    let options = Options {
        dialect: None,
        path: before.first().map(|(name, _)| (*name).to_owned()),
        ..Options::default()
    };
    let mut session = review(&tree(before), edit, &options, Tolerance::default());
    accept_all(&mut session);
    let reasons = reject_doubtful(&mut session);
    let report = Report::new(&session, &Writing::Rehearsed, &reasons).to_string();
    let shown = |tree: Tree| -> Vec<(String, String)> {
        let files = tree.into_iter();
        files
            .map(|(name, text)| (name, String::from_utf8_lossy(&text).into_owned()))
            .collect()
    };
    assert_eq!(
        written(&tree(before), &session).map(shown),
        Ok(shown(tree(after))),
        "\n{edit}\n{report}"
    );
    let asked = session.unplaced() + reasons.len();
    assert_eq!(asked, said.len(), "\n{edit}\n{report}");
    for said in said {
        assert!(report.contains(said), "no `{said}` in\n{report}");
    }
}

/// Rejects the hunks whose places are doubtful, as `apply` does, and says why.
fn reject_doubtful(session: &mut ReviewSession) -> BTreeMap<HunkId, Reason> {
    let mut reasons = BTreeMap::new();
    for (file, review) in session.files.iter().enumerate() {
        for (hunk, review) in review.hunks.iter().enumerate() {
            let doubt = review.placement().and_then(|found| found.doubt);
            if doubt.is_some() {
                reasons.insert(HunkId { file, hunk }, Reason::Doubtful(doubt));
            }
        }
    }
    for &id in reasons.keys() {
        session.decide(&Target::Hunk(id), Decision::Rejected);
    }
    reasons
}

/// An edit of one file.
#[track_caller]
pub(crate) fn becomes(before: &str, edit: &str, after: &str) {
    check(&[("shop.py", before)], edit, &[("shop.py", after)], &[]);
}

/// An edit that changes nothing, and why.
#[track_caller]
pub(crate) fn refused(before: &str, edit: &str, said: &str) {
    check(
        &[("shop.py", before)],
        edit,
        &[("shop.py", before)],
        &[said],
    );
}
