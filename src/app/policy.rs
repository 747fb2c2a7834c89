//! The rules of the person's configuration, applied to a proposal that was placed.

use std::collections::BTreeMap;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::app::snapshots::Snapshots;
use crate::config::Settings;
use crate::policy::{Judged, Rules, Verdict, judge, recheck};
use crate::review::{ByPolicy, HunkId, ReviewSession, Writing};
use crate::text::plural;

/// Returns the rules that the person has switched on.
pub(crate) fn rules(settings: &Settings) -> Rules {
    let policy = &settings.policy;
    Rules {
        formatting: policy.formatting,
        imports: policy.imports,
        comments: policy.comments.compiled(),
        paths: patterns(&policy.paths.0),
        most_lines: policy.most_lines.0,
    }
}

/// Compiles patterns of files; `None` if there are none, or one of them cannot be compiled.
fn patterns(patterns: &[String]) -> Option<Gitignore> {
    if patterns.is_empty() {
        return None;
    }
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        builder.add_line(None, pattern).ok()?;
    }
    builder.build().ok()
}

/// Judges the hunks of a session that was placed in files as they were read.
pub(crate) fn judged(rules: &Rules, placings: &Snapshots, session: &ReviewSession) -> Vec<Judged> {
    if rules.is_empty() {
        return Vec::new();
    }
    judge(session, rules, &|path| {
        Some(placings.known(path)?.target.to_string())
    })
}

/// Accepts the hunks of a session that a rule decides.
pub(crate) fn decide(rules: &Rules, placings: &Snapshots, session: &mut ReviewSession) {
    let judged = judged(rules, placings, session);
    let proven = judged
        .into_iter()
        .filter_map(|Judged { hunk, verdict }| match verdict {
            Verdict::Proven(proof) => {
                let (rule, proof) = (proof.rule.name().to_owned(), proof.evidence);
                Some((hunk, ByPolicy { rule, proof }))
            }
            Verdict::Barred(_) | Verdict::Unproven(_) => None,
        });
    let proven: Vec<(HunkId, ByPolicy)> = proven.collect();
    session.accept_by_policy(proven);
}

/// Returns why a session cannot be written: a proof does not hold beside what the person decided.
pub(crate) fn refused(rules: &Rules, session: &ReviewSession) -> Option<Writing> {
    if rules.is_empty() {
        return None;
    }
    let broken = session
        .files
        .iter()
        .find_map(|file| Some((file, recheck(file, rules)?)));
    broken.map(|(file, why)| Writing::Refused {
        path: file.path.clone(),
        error: format!(
            "what your policy accepted is not proven beside your other decisions: {why}"
        ),
        hint: "decide the hunks of this file yourself, or switch the rule off",
    })
}

/// Says how many hunks rules accepted; `None` if they accepted none.
pub(crate) fn summary(session: &ReviewSession) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, hunk) in session.hunks() {
        if let Some(by) = hunk.by_policy() {
            *counts.entry(&by.rule).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    let of_each: Vec<String> = (counts.iter())
        .map(|(rule, count)| format!("{count} {rule}"))
        .collect();
    (all > 0).then(|| {
        format!(
            "your policy accepted {} ({}); undo takes that back",
            plural(all, "hunk"),
            of_each.join(", ")
        )
    })
}
