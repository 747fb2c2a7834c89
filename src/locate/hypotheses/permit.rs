//! Confidence of a placement: the differences from the file that may be written without asking a person.
//!
//! The best place is already chosen. Only kinds of differences that were never seen at a wrong place are permitted: blanks and
//! punctuation; a few typos; a few lines missing or extra away from every change. Another word or
//! number in a context line is as frequent at the sibling of a deleted place as at the right one, so a person decides.

use crate::locate::hypotheses::evidence::{Evidence, Veto};
use crate::locate::placement::{Chosen, Confidence, Doubt, Rung};

/// Maximum cost of all typos together, in bits.
const MAX_SLIPS: f64 = 20.0;
/// Maximum number of missing or extra lines.
const MAX_UNPAIRED: usize = 4;

/// Returns the confidence of a placement, and the doubt if it is doubtful.
pub(crate) fn level(
    evidence: &Evidence,
    rung: Rung,
    chosen: Option<Chosen>,
) -> (Confidence, Option<Doubt>) {
    // Matching brackets alone are not evidence if anything differs.
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
    if evidence.slips > MAX_SLIPS || evidence.names_sibling {
        return Some(Doubt::Slips);
    }
    (evidence.unpaired > MAX_UNPAIRED).then_some(Doubt::Lines)
}
