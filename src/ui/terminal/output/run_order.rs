//! In which order runs are written. Row by row the cursor travels least; look by look the attributes change least, and of true
//! colours each takes as much as the way to a dozen other places.

use super::cell_style::CellStyle;
use super::runs::Run;

/// The runs look by look, beginning with the one that is the least change from what the terminal has now. Rows in which a
/// terminal may not agree on a width come last and from left to right, so that what is written later mends what it does.
pub(crate) fn by_style(runs: &[Run], now: Option<CellStyle>) -> Vec<Run> {
    let (unsure, sure): (Vec<Run>, Vec<Run>) = runs.iter().partition(|run| run.unsure);
    let mut groups: Vec<Vec<Run>> = Vec::new();
    for run in sure {
        let alike = |group: &&mut Vec<Run>| {
            group[0].bare == run.bare
                && if run.bare {
                    group[0].style.has_background_of(run.style)
                } else {
                    group[0].style == run.style
                }
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    let mut ordered = Vec::with_capacity(runs.len());
    let mut now = now;
    while !groups.is_empty() {
        let cost = |group: &Vec<Run>| group[0].style_from(now).distance(now);
        let nearest = (0..groups.len()).min_by_key(|&nth| cost(&groups[nth]));
        let group = groups.remove(nearest.unwrap_or(0));
        now = Some(group[0].style_from(now));
        ordered.extend(group);
    }
    ordered.extend(unsure);
    ordered
}
