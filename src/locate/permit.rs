//! At which level a hunk may be written where it is placed.
//!
//! Which place is the best one is known by then. What may be written unasked is a list of kinds of differences that were never seen
//! beside a wrong place: blanks and signs; a few slips of the hand; a few lines missing or extra away from every change. Another
//! word in a line that stays is seen as often at the sibling of a deleted place as at a true one, so a person is asked.

use super::evidence::{Evidence, Veto};
use super::place::{Chosen, Confidence, Doubt, Rung};

/// What slips of the hand may cost together.
const MOST_SLIPS: f64 = 20.0;
/// How many lines may be missing or extra, and their share of the information that is equal.
const MOST_UNPAIRED: usize = 4;
const UNPAIRED_SHARE: f64 = 0.5;

/// Returns the level of a placement, and what speaks against it if it is doubtful.
pub(super) fn level(
    evidence: &Evidence,
    rung: Rung,
    chosen: Option<Chosen>,
) -> (Confidence, Option<Doubt>) {
    // Brackets alone are no evidence where anything differs.
    let is_bare = rung == Rung::Similar && !evidence.is_telling;
    if let Some(doubt) = doubt(evidence).or(is_bare.then_some(Doubt::Lines)) {
        return (Confidence::Doubtful, Some(doubt));
    }
    let confidence = if chosen == Some(Chosen::Hint) {
        Confidence::Hinted
    } else if evidence.slips > 0.0
        || evidence.unpaired > 0
        || evidence.is_cut
        || evidence.has_other_number
        || (rung == Rung::Similar && evidence.has_other_blank_lines)
    {
        Confidence::Fuzzy
    } else if rung == Rung::Exact {
        Confidence::Exact
    } else {
        Confidence::Safe
    };
    (confidence, None)
}

fn doubt(evidence: &Evidence) -> Option<Doubt> {
    match evidence.veto {
        Some(Veto::Changed | Veto::Lost) => return Some(Doubt::Changed),
        Some(Veto::Foreign | Veto::Nothing) => return Some(Doubt::Foreign),
        None => (),
    }
    if evidence.has_other_word {
        return Some(Doubt::Words);
    }
    if evidence.slips > MOST_SLIPS || evidence.names_sibling {
        return Some(Doubt::Slips);
    }
    let are_many = evidence.unpaired > MOST_UNPAIRED
        || evidence.unpaired_bits > UNPAIRED_SHARE * evidence.support;
    are_many.then_some(Doubt::Lines)
}
