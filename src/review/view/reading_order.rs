//! Order of a review in which a mistake is met early, and which a person can follow.
//!
//! The hunks with the riskiest fifth of the changed lines come first, then all others; in both, what belongs to one file stays together and
//! in the order of the file. So a file comes at most twice.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::file_group::FileGroup;
use super::risk::{Risk, RunRisk};
use super::rows::FilePart;
use crate::review::session::review_session::ReviewSession;

/// One in so many changed lines comes first.
const FIRST: usize = 5;
/// In batches with fewer changed lines, no file is split.
const LEAST_LINES: usize = 60;

/// A part of a file, with what decides about its place.
struct Ranked {
    part: FilePart,
    call: Option<u64>,
    is_urgent: bool,
    score: usize,
    group: FileGroup,
}

/// Returns the parts of a session, those first that need attention, then those in whose lines a mistake is likeliest.
pub fn riskiest_first(session: &ReviewSession, risks: &[Risk]) -> Vec<FilePart> {
    let mut batches: BTreeMap<Option<u64>, Vec<usize>> = BTreeMap::new();
    for (file, review) in session.files.iter().enumerate() {
        let call = review.call.as_ref().map(|call| call.number);
        batches.entry(call).or_default().push(file);
    }
    let mut ranked = Vec::new();
    for (call, files) in batches {
        let least = least_score(files.iter().flat_map(|&file| &risks[file].runs));
        for file in files {
            let risk = &risks[file];
            let lists = split(risk, least);
            let hunks = lists.iter().map(|runs| hunks_of(runs)).collect::<Vec<_>>();
            let parts = FilePart::split(file, &hunks).into_iter().zip(lists);
            ranked.extend(parts.map(|(part, runs)| Ranked {
                part,
                call,
                is_urgent: is_urgent(risk, &runs),
                score: mean_score(risk, &runs),
                group: risk.group,
            }));
        }
    }
    ranked.sort_by_key(|ranked| {
        (
            ranked.call,
            !ranked.is_urgent,
            Reverse(ranked.score),
            ranked.group,
        )
    });
    ranked.into_iter().map(|ranked| ranked.part).collect()
}

/// Returns the score of the last of the riskiest hunks, at least one; `None` for a batch that is too small to be split.
fn least_score<'a>(runs: impl Iterator<Item = &'a RunRisk>) -> Option<usize> {
    let mut runs: Vec<&RunRisk> = runs.filter(|run| run.lines > 0).collect();
    runs.sort_by_key(|run| Reverse(run.score));
    let all: usize = runs.iter().map(|run| run.lines).sum();
    let mut done = 0;
    let first = runs.iter().take_while(|run| {
        let is_first = done == 0;
        done += run.lines;
        is_first || done * FIRST <= all
    });
    let last = first.last();
    last.map(|run| run.score).filter(|_| all >= LEAST_LINES)
}

/// Splits a file into the hunks that are read first and the rest.
fn split(risk: &Risk, least: Option<usize>) -> Vec<Vec<&RunRisk>> {
    let (first, rest): (Vec<_>, Vec<_>) = risk.runs.iter().partition(|run| {
        let is_risky = least.is_some_and(|least| run.score >= least);
        run.is_urgent || is_risky || run.lines == 0
    });
    let has_lines = |runs: &[&RunRisk]| runs.iter().any(|run| run.lines > 0);
    let concerns_file = risk.is_urgent && !risk.runs.iter().any(|run| run.is_urgent);
    if least.is_none() || concerns_file || !has_lines(&first) || !has_lines(&rest) {
        return vec![risk.runs.iter().collect()];
    }
    vec![first, rest]
}

fn hunks_of(runs: &[&RunRisk]) -> Vec<usize> {
    let hunks = runs.iter().flat_map(|run| run.hunks.iter().copied());
    hunks.collect()
}

/// Returns true if some hunks come first whatever their lines are.
fn is_urgent(risk: &Risk, runs: &[&RunRisk]) -> bool {
    let is_whole = runs.len() == risk.runs.len();
    is_whole && risk.is_urgent || runs.iter().any(|run| run.is_urgent)
}

fn mean_score(risk: &Risk, runs: &[&RunRisk]) -> usize {
    if runs.len() == risk.runs.len() {
        return risk.score;
    }
    let lines: usize = runs.iter().map(|run| run.lines).sum();
    let scores: usize = runs.iter().map(|run| run.score * run.lines).sum();
    scores / lines.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a file whose runs are `lines:score`, with `!` for those that need attention; names the hunks of each part.
    #[track_caller]
    fn check(runs: &str, expected: &str) {
        let run = |(at, text): (usize, &str)| {
            let urgent = text.strip_prefix('!');
            let (lines, score) = urgent.unwrap_or(text).split_once(':').expect("lines:score");
            RunRisk {
                hunks: vec![at],
                lines: lines.parse().expect("lines"),
                score: score.parse().expect("score"),
                is_urgent: urgent.is_some(),
            }
        };
        let runs: Vec<RunRisk> = runs.split(' ').enumerate().map(run).collect();
        let risk = Risk {
            is_urgent: runs.iter().any(|run| run.is_urgent),
            runs,
            ..Risk::default()
        };
        let least = least_score(risk.runs.iter());
        let lists = split(&risk, least);
        let is_whole = lists.len() == 1;
        let parts = lists.into_iter().map(|runs| {
            let hunks = runs.iter().map(|run| run.hunks[0].to_string());
            let hunks: Vec<String> = hunks.collect();
            let urgent = if is_urgent(&risk, &runs) { "!" } else { "" };
            let whole = if is_whole { "all " } else { "" };
            format!("{urgent}{whole}{}", hunks.join(" "))
        });
        assert_eq!(parts.collect::<Vec<_>>().join(" | "), expected);
    }

    #[test]
    fn the_riskiest_fifth_of_the_lines_comes_first() {
        check("40:1 10:9 10:8 40:2", "1 2 | 0 3");
        check("40:1 10:9 11:8 40:2", "1 | 0 2 3");
        check("40:1 30:9 10:8 40:2", "1 | 0 2 3");
        check("40:5 40:5 40:5", "all 0 1 2");
        check("30:1 9:9 20:2", "all 0 1 2");
        check("30:1 10:9 20:2", "1 | 0 2");
    }

    #[test]
    fn what_needs_attention_comes_first() {
        check("40:1 !10:0 9:9 40:2", "!1 2 | 0 3");
        check("9:1 !10:0 10:9", "!all 0 1 2");
        check("0:0 40:1 10:9 40:2", "0 2 | 1 3");
    }
}
