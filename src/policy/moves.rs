//! Hunks that together change nothing but the order of items: what one removes, it or another one adds.

use std::collections::BTreeMap;

use super::composed::text_with;
use super::proof::Proof;
use super::rules::{Rule, Rules};
use super::syntax;
use crate::proposal::FinalNewline;
use crate::review::{Decision, FileReview};

/// The most moves of a file that are tried: each takes four parses.
const MOST_MOVES: usize = 32;

/// The additions of each line less its removals; lines without a difference are left out.
type Balance = BTreeMap<String, isize>;

/// Returns the hunks of a file that are proven to be moves, among those that rules may decide.
pub(super) fn moves(
    file: &FileReview,
    rules: &Rules,
    may_decide: &dyn Fn(usize) -> bool,
) -> BTreeMap<usize, Proof> {
    let mut proven = BTreeMap::new();
    let is_candidate =
        |hunk: &usize| file.hunks[*hunk].final_newline == FinalNewline::Keep && may_decide(*hunk);
    for hunks in candidates(file, (0..file.hunks.len()).filter(is_candidate))
        .into_iter()
        .take(MOST_MOVES)
    {
        if let Ok(tokens) = prove(file, rules, &hunks) {
            for &hunk in &hunks {
                let evidence = evidence(&hunks, hunk, tokens);
                let rule = Rule::Moves;
                proven.insert(hunk, Proof { rule, evidence });
            }
        }
    }
    proven
}

/// Returns the hunks, alone or in pairs, that remove and add the same lines.
fn candidates(file: &FileReview, hunks: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut single: BTreeMap<Balance, usize> = BTreeMap::new();
    for hunk in hunks {
        let (balance, moves) = balance(file, hunk);
        if balance.is_empty() {
            if moves {
                found.push(vec![hunk]);
            }
            continue;
        }
        let opposite = balance.iter().map(|(line, by)| (line.clone(), -by));
        match single.remove(&opposite.collect()) {
            Some(other) => found.push(vec![other, hunk]),
            None => drop(single.insert(balance, hunk)),
        }
    }
    found
}

/// Returns the balance of a hunk, without blank lines, and whether it changes any other line.
fn balance(file: &FileReview, hunk: usize) -> (Balance, bool) {
    let mut balance = Balance::new();
    for line in &*file.hunks[hunk].state.lines {
        let removed = line.removes.then(|| file.base.line(line.at));
        for (text, by) in removed
            .into_iter()
            .map(|line| (line, -1))
            .chain(line.adds.as_deref().map(|line| (line, 1)))
        {
            if !text.trim().is_empty() {
                *balance.entry(text.trim_end().to_owned()).or_default() += by;
            }
        }
    }
    let moves = !balance.is_empty();
    balance.retain(|_, by| *by != 0);
    (balance, moves)
}

/// Proves that hunks together change only the order of items, in the file as it is and as it is proposed. Returns the number of
/// tokens that were compared.
fn prove(file: &FileReview, rules: &Rules, hunks: &[usize]) -> Result<usize, syntax::Unproven> {
    let mut tokens = 0;
    for others in [Decision::Rejected, Decision::Accepted] {
        let texts = [Decision::Rejected, Decision::Accepted].map(|own| {
            let decide = |hunk: usize| if hunks.contains(&hunk) { own } else { others };
            text_with(file, &|hunk| Some(decide(hunk)))
        });
        let whole = [0..texts[0].len(), 0..texts[1].len()];
        let versions = syntax::ParsedVersions::parse(&file.path, [&texts[0], &texts[1]], rules)?;
        tokens = versions.prove_all(&[Rule::Moves], &whole)?;
    }
    Ok(tokens)
}

fn evidence(hunks: &[usize], own: usize, tokens: usize) -> String {
    let other = hunks.iter().find(|hunk| **hunk != own);
    let with = other.map_or(String::new(), |other| {
        format!(" together with hunk {}", other + 1)
    });
    format!("only the order of items changes{with}: {tokens} parts of the file compared")
}
