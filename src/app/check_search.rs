//! Search for the hunk that breaks a check, by bisection.

/// Finds the least number of hunks, counted from the first one on, with which a check fails, given that it fails with all of
/// them: 0 if it fails without any. The check is run once without hunks, and then log2 times. `None` if a run gives no answer.
///
/// That it fails with more hunks too is not assumed of the result: it passes with one hunk fewer.
pub(super) fn first_failing(
    all: usize,
    mut fails: impl FnMut(usize) -> Option<bool>,
) -> Option<usize> {
    if all == 0 || fails(0)? {
        return Some(0);
    }
    let (mut passing, mut failing) = (0, all);
    while failing - passing > 1 {
        let middle = passing.midpoint(failing);
        if fails(middle)? {
            failing = middle;
        } else {
            passing = middle;
        }
    }
    Some(failing)
}

/// Returns the maximum number of runs of [`first_failing`].
pub(super) fn most_runs(all: usize) -> usize {
    let halvings = all.max(1).next_power_of_two().ilog2();
    1 + usize::try_from(halvings).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hunk_that_breaks_it_is_found_in_few_runs() {
        for all in 1..130 {
            for culprit in 0..=all {
                let mut runs = 0;
                let found = first_failing(all, |count| {
                    runs += 1;
                    Some(count >= culprit)
                });
                assert_eq!(found, Some(culprit), "{all}");
                assert!(runs <= most_runs(all), "{runs} for {all}");
            }
        }
        assert_eq!(most_runs(64), 7);
    }

    #[test]
    fn one_that_only_some_hunks_together_break_is_found_at_its_edge() {
        let fails = |count| matches!(count, 3..=5 | 9..);
        let found = first_failing(12, |count| Some(fails(count))).unwrap();
        assert!(fails(found) && !fails(found - 1), "{found}");
    }

    #[test]
    fn a_search_that_is_stopped_finds_nothing() {
        let mut answers = [Some(false), None].into_iter();
        assert_eq!(first_failing(8, |_| answers.next().flatten()), None);
    }
}
