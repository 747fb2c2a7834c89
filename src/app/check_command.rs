//! The check command: it runs on a copy of the files with what is accepted, beside the review.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::agent::{Ended, Shell};
use crate::app::check_tree::{CheckTree, CopyError};
use crate::config::Config;
use crate::review::{Decision, HunkId, Mark, ReviewSession, Target};
use crate::ui::{Check, CheckEnd, CheckNews, CheckState, Undecided};

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
        shell: Shell {
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
        run: Box::new(move |run, session| checker.run(run, session)),
        news,
    })
}

/// Runs the check command of a review.
struct Checker {
    shell: Shell,
    /// Root that the files are copied from, as the command gets it.
    root: PathBuf,
    ground: Arc<CheckTree>,
    undecided: Undecided,
    news: Sender<CheckNews>,
    runs: Option<Run>,
}

/// A run that may go on.
struct Run {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Checker {
    /// Runs it on what is accepted in a session; an earlier run ends.
    fn run(&mut self, run: u64, session: &ReviewSession) {
        let before = self.runs.take();
        if let Some(before) = &before {
            before.stop.store(true, Ordering::Relaxed);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, news) = (Arc::clone(&stop), self.news.clone());
        let (shell, root) = (self.shell.clone(), self.root.clone());
        let ground = Arc::clone(&self.ground);
        let mut session = session.clone();
        if self.undecided == Undecided::Taken {
            take_undecided(&mut session);
        }
        let work = move || {
            if let Some(before) = before {
                // A run that has panicked has ended too.
                let _ = before.thread.join();
            }
            // Nobody listens any more when the review has ended.
            let tell = |what| drop(news.send(CheckNews { run, what }));
            if let Some(ended) = tried(&shell, &root, &ground, &session, &stopped, &tell) {
                tell(ended);
            }
        };
        let thread = thread::Builder::new().name("countersign-check".to_owned());
        match thread.spawn(work) {
            Ok(thread) => self.runs = Some(Run { stop, thread }),
            Err(error) => {
                let what = ended(
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

/// Accepts all that nobody has decided, loosely placed or not: nothing of it is written.
fn take_undecided(session: &mut ReviewSession) {
    session.decide(&Target::Rest, Decision::Accepted);
    let undecided: Vec<HunkId> = (session.hunks())
        .filter(|(_, hunk)| hunk.mark() == Some(Mark::Undecided))
        .map(|(id, _)| id)
        .collect();
    for id in undecided {
        session.decide(&Target::Hunk(id), Decision::Accepted);
    }
}

fn ended(how: CheckEnd, begun: Instant, tail: Vec<String>) -> CheckState {
    CheckState::Ended {
        how,
        took: begun.elapsed(),
        tail,
    }
}

/// Runs the command once and returns its outcome; `None` if it was stopped.
fn tried(
    shell: &Shell,
    root: &Path,
    ground: &CheckTree,
    session: &ReviewSession,
    stop: &AtomicBool,
    tell: &dyn Fn(CheckState),
) -> Option<CheckState> {
    let begun = Instant::now();
    let not_run = |why| Some(ended(CheckEnd::NotRun(why), begun, Vec::new()));
    let copy = match ground.lay_out(session, stop) {
        Ok(copy) => copy,
        Err(CopyError::Stopped) => return None,
        Err(CopyError::Failed(why)) => return not_run(why),
    };
    let begun = Instant::now();
    let told = &mut |line| tell(CheckState::Runs(line));
    match shell.run(
        copy.path(),
        &[(ROOT, root.as_os_str())],
        Vec::new(),
        stop,
        told,
    ) {
        Ok((how, tail)) => {
            let how = match how {
                Ended::Stopped => return None,
                Ended::TimedOut => CheckEnd::TimedOut,
                Ended::Exit(Some(0)) => CheckEnd::Passed,
                Ended::Exit(code) => CheckEnd::Failed(code),
            };
            Some(ended(how, begun, tail))
        }
        Err(error) => not_run(error.to_string()),
    }
}
