//! The check command: it runs on a copy of the files with what is accepted, beside the review.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::agent::{ShellCommand, ShellEnd};
use crate::app::check_search::{first_failing, most_runs};
use crate::app::check_tree::{CheckTree, CopyError, take_undecided};
use crate::config::Config;
use crate::review::{Decision, HunkId, Mark, ReviewSession, Target};
use crate::ui::{Breaking, Check, CheckEnd, CheckNews, CheckState, CheckTask, Undecided};

/// The variable that tells the command where the files were copied from.
const ROOT: &str = "COUNTERSIGN_ROOT";

/// The check command that the person has set, for a review of the files below `root`; `None` if there is none. When it is dropped,
/// the command ends, and the copy goes.
pub(crate) fn check(
    config: &Config,
    root: &Path,
    ground: CheckTree,
    undecided: Undecided,
) -> Option<Check> {
    let set = &config.settings.check;
    let command = set.command.clone();
    let command = command.filter(|command| !command.trim().is_empty())?;
    let (sender, news) = channel();
    let mut checker = Checker {
        shell: ShellCommand {
            command: command.clone(),
            limit: Duration::from_secs(u64::try_from(set.timeout.0).unwrap_or(u64::MAX)),
        },
        root: root.to_owned(),
        ground: Arc::new(ground),
        undecided,
        news: sender,
        runs: None,
    };
    Some(Check {
        command,
        undecided,
        run: Box::new(move |run, task, session| checker.run(run, task, session)),
        news,
    })
}

/// Runs the check command of a review.
struct Checker {
    shell: ShellCommand,
    /// Root that the files are copied from, as the command gets it.
    root: PathBuf,
    ground: Arc<CheckTree>,
    undecided: Undecided,
    news: Sender<CheckNews>,
    runs: Option<PendingRun>,
}

/// A run that may go on.
struct PendingRun {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Checker {
    /// Runs it on what is accepted in a session, or on parts of it; an earlier run ends.
    fn run(&mut self, run: u64, task: CheckTask, session: &ReviewSession) {
        let before = self.runs.take();
        if let Some(before) = &before {
            before.stop.store(true, Ordering::Relaxed);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let news = self.news.clone();
        let trial = CheckTrial {
            shell: self.shell.clone(),
            root: self.root.clone(),
            ground: Arc::clone(&self.ground),
            stop: Arc::clone(&stop),
        };
        let mut session = session.clone();
        if self.undecided == Undecided::Taken {
            take_undecided(&mut session);
        }
        let thread = thread::Builder::new().name("countersign-check".to_owned());
        let spawned = thread.spawn(move || {
            if let Some(before) = before {
                // A run that has panicked has ended too.
                let _ = before.thread.join();
            }
            // Nobody listens any more when the review has ended.
            let tell = |what| drop(news.send(CheckNews { run, what }));
            let ended = match task {
                CheckTask::Check => trial.run(&session, &|said| tell(CheckState::Runs(said))),
                CheckTask::Find => trial.find(&session, &|said| tell(CheckState::Runs(said))),
            };
            if let Some(ended) = ended {
                tell(ended);
            }
        });
        match spawned {
            Ok(thread) => self.runs = Some(PendingRun { stop, thread }),
            Err(error) => {
                let what = check_state(
                    CheckEnd::NotRun(error.to_string()),
                    Instant::now(),
                    Vec::new(),
                );
                let _ = self.news.send(CheckNews { run, what });
            }
        }
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        if let Some(run) = self.runs.take() {
            run.stop.store(true, Ordering::Relaxed);
            // A run that has panicked has ended too.
            let _ = run.thread.join();
        }
    }
}

fn check_state(how: CheckEnd, begun: Instant, tail: Vec<String>) -> CheckState {
    CheckState::Ended {
        how,
        took: begun.elapsed(),
        tail,
    }
}

/// Runs the command on copies of the files.
struct CheckTrial {
    shell: ShellCommand,
    root: PathBuf,
    ground: Arc<CheckTree>,
    stop: Arc<AtomicBool>,
}

impl CheckTrial {
    /// Runs the command once and returns its outcome; `None` if it was stopped.
    fn run(&self, session: &ReviewSession, tell: &dyn Fn(String)) -> Option<CheckState> {
        let begun = Instant::now();
        let not_run = |why| Some(check_state(CheckEnd::NotRun(why), begun, Vec::new()));
        let copy = match self.ground.lay_out(session, &self.stop) {
            Ok(copy) => copy,
            Err(CopyError::Stopped) => return None,
            Err(CopyError::Failed(why)) => return not_run(why),
        };
        let begun = Instant::now();
        let variables = [(ROOT, self.root.as_os_str())];
        let told = &mut |line| tell(line);
        let ran = (self.shell).run(copy.path(), &variables, Vec::new(), &self.stop, told);
        match ran {
            Ok((how, tail)) => {
                let how = match how {
                    ShellEnd::Stopped => return None,
                    ShellEnd::TimedOut => CheckEnd::TimedOut,
                    ShellEnd::Exit(Some(0)) => CheckEnd::Passed,
                    ShellEnd::Exit(code) => CheckEnd::Failed(code),
                };
                Some(check_state(how, begun, tail))
            }
            Err(error) => not_run(error.to_string()),
        }
    }

    /// Finds the hunk that breaks the check: the first one, in the order of the review, with which it fails. `None` if it was
    /// stopped.
    fn find(&self, session: &ReviewSession, tell: &dyn Fn(String)) -> Option<CheckState> {
        let begun = Instant::now();
        let accepted: Vec<HunkId> = (session.hunks())
            .filter(|(_, hunk)| matches!(hunk.mark(), Some(Mark::Accepted | Mark::Mixed)))
            .map(|(id, _)| id)
            .collect();
        let most = most_runs(accepted.len());
        let (mut runs, mut said, mut no_answer) = (0, Vec::new(), None);
        let found = first_failing(accepted.len(), |count| {
            runs += 1;
            let mut part = session.clone();
            for id in &accepted[count..] {
                part.decide(&Target::Hunk(*id), Decision::Rejected);
            }
            let step = format!("run {runs} of at most {most}");
            tell(step.clone());
            let state = self.run(&part, &|line| tell(format!("{step}: {line}")))?;
            let CheckState::Ended { how, tail, .. } = &state else {
                return None;
            };
            match how {
                CheckEnd::Passed => Some(false),
                CheckEnd::Failed(_) | CheckEnd::TimedOut => {
                    said.clone_from(tail);
                    Some(true)
                }
                CheckEnd::NotRun(_) | CheckEnd::BrokenBy(_) | CheckEnd::FailsBefore => {
                    no_answer = Some(state);
                    None
                }
            }
        });
        let Some(found) = found else {
            return no_answer;
        };
        let how = match found.checked_sub(1) {
            None => CheckEnd::FailsBefore,
            Some(with) => CheckEnd::BrokenBy(Breaking {
                hunk: accepted[with],
                with,
                without: accepted.len() - found,
                runs,
            }),
        };
        Some(check_state(how, begun, said))
    }
}
