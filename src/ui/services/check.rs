//! The check command: whether what is accepted would pass it.
//!
//! The command itself is run by whoever opened the review, on a copy of the files; here is only what is known of it.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::review::{HunkId, ReviewSession};

/// A command that checks what would be written, and how to run it.
pub struct Check {
    /// The command, as the person wrote it.
    pub command: String,
    /// Treatment of undecided hunks.
    pub undecided: Undecided,
    /// Runs it on what is accepted in a session, beside the review; what was begun before is ended. The number is for the
    /// answers.
    pub run: RunCheck,
    /// Progress and results.
    pub news: Receiver<CheckNews>,
}

/// Function that runs the check command.
pub type RunCheck = Box<dyn FnMut(u64, CheckTask, &ReviewSession)>;

/// Task of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckTask {
    /// To run the command on everything that is accepted.
    Check,
    /// To find the hunk that breaks it: the command fails on everything that is accepted, and runs on parts of it.
    Find,
}

/// Treatment of undecided hunks when the check command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecided {
    /// It is left out, as it is when a review is written.
    LeftOut,
    /// It is taken as if it were accepted: where the last decision is carried out at once, there is no later moment to try it.
    Taken,
}

/// Something that came of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckNews {
    /// The number of the run.
    pub run: u64,
    /// State of the run.
    pub what: CheckState,
}

/// State of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckState {
    /// It runs; this was the last that it said.
    Runs(String),
    /// It has ended.
    Ended {
        /// Result.
        how: CheckEnd,
        /// Run time.
        took: Duration,
        /// The last lines that it said.
        tail: Vec<String>,
    },
}

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckEnd {
    /// It passed.
    Passed,
    /// It failed with this exit code; `None` if a signal ended it.
    Failed(Option<i32>),
    /// It took too long and was ended.
    TimedOut,
    /// It could not be run.
    NotRun(String),
    /// It fails when this hunk is added to others with which it passes.
    BrokenBy(Breaking),
    /// It fails without any hunk.
    FailsBefore,
}

/// The hunk that breaks a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breaking {
    /// The hunk.
    pub hunk: HunkId,
    /// The number of other accepted hunks, with which the check passes.
    pub with: usize,
    /// The number of accepted hunks that were left out.
    pub without: usize,
    /// The number of runs.
    pub runs: usize,
}

/// The check command of a review, and what is known of it.
#[derive(Debug, Clone)]
pub struct Checking {
    /// The command.
    pub command: String,
    /// Treatment of undecided hunks.
    pub undecided: Undecided,
    /// State of the last run.
    pub state: CheckState,
    /// The number of the last run; 0 before the first.
    pub run: u64,
    /// Task of the last run.
    pub task: CheckTask,
    /// The state of the review that the last run was about.
    of: u64,
    /// The last lines that the command said when it failed last.
    failed: Vec<String>,
}

impl Checking {
    /// A command that was not run yet.
    pub fn new(command: String, undecided: Undecided) -> Self {
        Self {
            command,
            undecided,
            state: CheckState::Runs(String::new()),
            run: 0,
            task: CheckTask::Check,
            of: 0,
            failed: Vec::new(),
        }
    }

    /// Returns true if the hunk that breaks the check can be searched for: it has failed, and nothing was decided since.
    pub fn can_find(&self, stamp: u64) -> bool {
        let has_failed = matches!(
            self.state,
            CheckState::Ended {
                how: CheckEnd::Failed(_) | CheckEnd::TimedOut,
                ..
            }
        );
        has_failed && !self.is_stale(stamp)
    }

    /// Returns the hunk that breaks the check, if it was found and nothing was decided since.
    pub fn breaking(&self, stamp: u64) -> Option<HunkId> {
        match &self.state {
            CheckState::Ended {
                how: CheckEnd::BrokenBy(found),
                ..
            } => (!self.is_stale(stamp)).then_some(found.hunk),
            CheckState::Ended { .. } | CheckState::Runs(_) => None,
        }
    }

    /// Returns true if the last run was for another revision of the review.
    pub fn is_stale(&self, stamp: u64) -> bool {
        self.of != stamp
    }

    /// Returns true if the check has not run for this revision of the review.
    pub fn is_due(&self, stamp: u64) -> bool {
        self.run == 0 || self.is_stale(stamp)
    }

    /// Takes note that it is run for a state of the review.
    pub fn begin(&mut self, task: CheckTask, stamp: u64) {
        self.run += 1;
        self.task = task;
        self.of = stamp;
        if let CheckState::Ended { tail, .. } = &mut self.state {
            self.failed = std::mem::take(tail);
        }
        self.state = CheckState::Runs(String::new());
    }

    /// Takes news; those of an earlier run are dropped.
    pub fn take(&mut self, news: CheckNews) {
        if news.run != self.run {
            return;
        }
        self.state = news.what;
        if let CheckState::Ended {
            how: CheckEnd::BrokenBy(found),
            tail,
            ..
        } = &mut self.state
            && found.without == 0
        {
            // The run on everything that is accepted has said it.
            *tail = std::mem::take(&mut self.failed);
        }
    }
}
