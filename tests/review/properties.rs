//! What holds for every file and every change of it.

use countersign::proposal::Hunk;
use countersign::review::{
    Decision, FilePart, Folds, HunkId, Layout, Postimage, Row, Rows, Side, Target, compose,
};
use proptest::prelude::*;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::fixture::{hunk, session};

/// Texts with much in common, so that lines stand more than once.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just(""),
        Just("a"),
        Just("  a"),
        Just("b"),
        Just("}"),
        Just("日本 語"),
        "[a-d]{1,3}".prop_map(|s| &*s.leak())
    ];
    let ending = prop_oneof![4 => Just("\n"), 1 => Just("\r\n")];
    (prop::collection::vec((line, ending), 0..24), any::<bool>()).prop_map(|(lines, newline)| {
        let text: Vec<String> = lines
            .into_iter()
            .map(|(line, ending)| line.to_owned() + ending)
            .collect();
        let text = text.concat();
        if newline {
            text
        } else {
            text.trim_end_matches(['\r', '\n']).to_owned()
        }
    })
}

/// What `diff` makes of two texts: hunks with context and right line numbers.
fn diff(a: &str, b: &str, context: usize) -> Vec<Hunk> {
    let (old, new): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    let own = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), context)
        .iter()
        .filter_map(|ops| Some((ops.first()?, ops.last()?)))
        .map(|(first, last): (&DiffOp, &DiffOp)| {
            let before = first.old_range().start..last.old_range().end;
            let after = first.new_range().start..last.new_range().end;
            hunk(
                own(&old[before.clone()]),
                own(&new[after]),
                before.start + 1,
            )
        })
        .collect()
}

fn text_of(postimage: Postimage, base: &str) -> String {
    match postimage {
        Postimage::Unchanged
        | Postimage::Kept { .. }
        | Postimage::Copy { .. }
        | Postimage::Bytes { .. }
        | Postimage::Link { .. }
        | Postimage::Folder => base.to_owned(),
        Postimage::Text { text, .. } => text,
        Postimage::Deleted => String::new(),
    }
}

/// What a policy makes of a file: everything that is sure, or nothing if anything is not.
fn applied(base: &str, hunks: &[Hunk]) -> String {
    let mut session = session(base, hunks.to_vec());
    session.decide(&Target::Rest, Decision::Accepted);
    let file = &session.files[0];
    let done = file.hunks.iter().all(|hunk| {
        matches!(
            hunk.outcome,
            countersign::review::Outcome::AlreadyApplied { .. }
        ) || hunk.is_sure()
    });
    if done {
        text_of(compose(file), base)
    } else {
        base.to_owned()
    }
}

proptest! {
    #[test]
    fn with_nothing_accepted_the_base_stays_byte_for_byte(a in text(), b in text()) {
        let mut session = session(&a, diff(&a, &b, 3));
        prop_assert_eq!(compose(&session.files[0]), Postimage::Unchanged);
        session.decide(&Target::File(0), Decision::Rejected);
        prop_assert_eq!(compose(&session.files[0]), Postimage::Unchanged);
    }

    #[test]
    fn all_of_a_diff_gives_the_other_text(a in text(), b in text(), context in 1..4_usize) {
        let hunks = diff(&a, &b, context);
        let mut session = session(&a, hunks);
        // A hunk that stands there already, or could be meant for two places, is not placed, and that is no error.
        prop_assume!(session.files[0].hunks.iter().all(countersign::review::HunkReview::is_decidable));
        session.decide(&Target::File(0), Decision::Accepted);
        let result = text_of(compose(&session.files[0]), &a);
        prop_assert_eq!(result.lines().collect::<Vec<_>>(), b.lines().collect::<Vec<_>>());
    }

    #[test]
    fn an_edit_in_place_gives_the_text_that_was_left(a in text(), b in text(), with in prop::collection::vec("[a-c]{0,2}", 0..5)) {
        let mut session = session(&a, diff(&a, &b, 1));
        let id = HunkId { file: 0, hunk: 0 };
        if let Some(region) = session.begin_edit(id, 2) {
            session.edit(&region, &with);
            session.finish_edit();
            session.decide(&Target::File(0), Decision::Rejected);
            session.decide(&Target::Hunk(id), Decision::Accepted);
            let lines: Vec<&str> = a.lines().collect();
            let mut expected: Vec<&str> = lines[..region.base.start].to_vec();
            expected.extend(with.iter().map(String::as_str));
            expected.extend(&lines[region.base.end..]);
            let result = text_of(compose(&session.files[0]), &a);
            prop_assert_eq!(result.lines().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn undo_returns_to_the_very_same_state(a in text(), b in text(), steps in prop::collection::vec((0..4_usize, 0..6_usize, 0..3_u8), 0..12)) {
        let mut session = session(&a, diff(&a, &b, 1));
        let before: Vec<_> = session.files[0].hunks.clone();
        for (hunk, line, decision) in steps {
            let decision = [Decision::Undecided, Decision::Accepted, Decision::Rejected][usize::from(decision)];
            let hunk = HunkId { file: 0, hunk };
            session.decide(&Target::Lines { hunk, lines: line..line + 2, side: Side::Both }, decision);
        }
        while session.undo().is_some() {}
        prop_assert_eq!(&session.files[0].hunks, &before);
    }

    #[test]
    fn rows_show_every_line_of_both_sides_once(a in text(), b in text(), unified in any::<bool>(), first in prop::collection::btree_set(0..4_usize, 0..3)) {
        let session = session(&a, diff(&a, &b, 1));
        let layout = if unified { Layout::Unified } else { Layout::Split };
        let whole = Folds { context: 1000, ..Folds::default() };
        let is_split = !first.is_empty();
        // The first of the named hunks, the others, and the rest.
        let mut named = first.into_iter();
        let parts = [named.next().into_iter().collect(), named.collect(), Vec::new()];
        let parts = FilePart::split(0, &parts);
        let rows = Rows::lay_out_each(&session, parts, |_| layout, &whole);
        let (mut old_lines, mut new_lines) = (Vec::new(), Vec::new());
        for row in (0..rows.len()).filter_map(|i| rows.get(i)) {
            match row {
                Row::Context { old, new, .. } => { old_lines.push(old); new_lines.push(new); }
                Row::Change { old, new, .. } => { old_lines.extend(old); new_lines.extend(new); }
                Row::File { .. } | Row::Purpose { .. } | Row::Note { .. } | Row::Hunk { .. } | Row::Fold { .. } | Row::FoldedChange { .. } | Row::Elsewhere { .. } | Row::Comment { .. } | Row::Problem { .. } | Row::Gap { .. } => (),
            }
        }
        if !session.files[0].groups.is_empty() {
            if is_split {
                old_lines.sort_unstable();
                new_lines.sort_unstable();
            }
            prop_assert_eq!(old_lines, (0..session.files[0].base.len()).collect::<Vec<_>>());
            prop_assert_eq!(new_lines, (0..session.files[0].yours().len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_applied_hunk_sent_again_changes_nothing(a in text(), start in 0..24_usize, gone in 0..3_usize, context in 1..4_usize, hinted in any::<bool>()) {
        let mut lines: Vec<&str> = a.lines().collect();
        let start = start.min(lines.len());
        let end = (start + gone).min(lines.len());
        // Something that the file does not hold yet: without that, nobody could know it again.
        lines.splice(start..end, ["new", "a"]);
        let mut hunks = diff(&a, &lines.join("\n"), context);
        prop_assume!(hunks.len() == 1);
        if !hinted {
            hunks[0].hint = None;
        }
        let once = applied(&a, &hunks);
        prop_assert_eq!(applied(&once, &hunks), once, "{:?}", hunks);
    }
}
