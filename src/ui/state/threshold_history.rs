//! Changes of the match threshold, to undo and redo them among the steps of the session.

/// Changes of the match threshold that can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct ThresholdHistory {
    undo: Vec<ThresholdStep>,
    redo: Vec<ThresholdStep>,
}

/// Change of the match threshold.
#[derive(Debug, Clone, Copy)]
struct ThresholdStep {
    /// Call that it was for, in the resident reviewer.
    call: Option<u64>,
    /// The other threshold, in hundredths.
    percent: u8,
    /// Number of steps that the session could undo and redo at that time.
    at: (usize, usize),
}

impl ThresholdHistory {
    /// Records a change from a threshold, after so many steps of the session.
    pub(crate) fn record(&mut self, call: Option<u64>, before: u8, at: (usize, usize)) {
        self.redo.clear();
        self.undo.push(ThresholdStep {
            call,
            percent: before,
            at,
        });
    }

    /// Returns the number of changes that can be undone.
    pub(crate) fn undo_len(&self) -> usize {
        self.undo.len()
    }

    /// Returns true if the last step was a change of the threshold.
    pub fn can_undo(&self, (undo, _): (usize, usize)) -> bool {
        self.undo.last().is_some_and(|step| step.at.0 >= undo)
    }

    /// Returns true if the step that was undone last was a change of the threshold.
    pub(crate) fn can_redo(&self, at: (usize, usize)) -> bool {
        self.redo.last().is_some_and(|step| step.at == at)
    }

    /// Returns the call and the threshold that an undo sets. `now` is the present threshold of a call, if it has one.
    pub(crate) fn undo(
        &mut self,
        at: (usize, usize),
        now: impl Fn(Option<u64>) -> Option<u8>,
    ) -> Option<(Option<u64>, u8)> {
        // A new step of the session takes the place of those that could be made again, and of the changes between them.
        self.redo.retain(|step| step.at.1 <= at.1);
        let step = self.undo.pop_if(|step| step.at.0 >= at.0)?;
        let percent = now(step.call)?;
        self.redo.push(ThresholdStep {
            percent,
            at,
            ..step
        });
        Some((step.call, step.percent))
    }

    /// Returns the call and the threshold that a redo sets.
    pub(crate) fn redo(
        &mut self,
        at: (usize, usize),
        now: impl Fn(Option<u64>) -> Option<u8>,
    ) -> Option<(Option<u64>, u8)> {
        let step = self.redo.pop_if(|step| step.at == at)?;
        let percent = now(step.call)?;
        self.undo.push(ThresholdStep {
            percent,
            at,
            ..step
        });
        Some((step.call, step.percent))
    }

    /// Takes note that the session may hold fewer steps now, as lines changed.
    pub(crate) fn clamp(&mut self, (undo, redo): (usize, usize)) {
        for step in self.undo.iter_mut().chain(&mut self.redo) {
            step.at = (step.at.0.min(undo), step.at.1.min(redo));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_step_ends_what_could_be_made_again() {
        let now = |_| Some(85);
        let mut thresholds = ThresholdHistory::default();
        thresholds.record(None, 90, (3, 0));
        assert_eq!(thresholds.undo((4, 0), now), None, "a step came after it");
        assert_eq!(thresholds.undo((3, 1), now), Some((None, 90)));
        assert!(thresholds.can_redo((3, 1)));
        // Another step, which is taken back.
        assert_eq!(thresholds.undo((4, 0), now), None);
        assert!(!thresholds.can_redo((3, 1)));
        assert_eq!(thresholds.redo((3, 1), now), None);
    }
}
