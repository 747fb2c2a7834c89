//! Edits that are a guess, which a person must confirm.

use super::loss::withhold;
use crate::proposal::Guess;
use crate::review::session::hunk::{HunkReview, Loss, Outcome, StatedHunk};

/// Returns the reason to ask a person about a guess.
pub(in crate::review) fn guess(path: &str, guess: Option<Guess>) -> Option<Loss> {
    let path = path.to_owned();
    guess.map(|guess| Loss::Guess { path, guess })
}

/// Withholds hunks that carry out others if one of those is a guess. The located hunks begin at `first`.
pub(in crate::review) fn withhold_leaders(
    reviews: &mut [HunkReview],
    located: &[StatedHunk],
    first: usize,
) {
    for (at, asked) in located.iter().enumerate() {
        let stated = asked.hunk().and_then(|hunk| hunk.guess.clone());
        let outcome = reviews.get(first + at).map(|review| &review.outcome);
        if let (Some(_), Some(Outcome::Follows { hunks })) = (&stated, outcome) {
            for leader in reviews.get_mut(hunks.clone()).into_iter().flatten() {
                withhold(leader, guess(asked.change.path.first(), stated.clone()));
            }
        }
    }
}
