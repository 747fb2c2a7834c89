//! The check command: it runs on a copy of the files with what is accepted, beside the review.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::settling::{name_on_disk, settled};
use crate::agent::{Ended, Shell};
use crate::config::Config;
use crate::proposal::RepoPath;
use crate::review::{
    Bytes, FileReview, Found, Postimage, ReviewSession, Settled, Stance, Writing, compose,
};
use crate::store::{Laid, TreeCopy};
use crate::ui::{CheckEnd, CheckNews, CheckState};

/// The variable that tells the command where the files were copied from.
const ROOT: &str = "COUNTERSIGN_ROOT";

/// Runs the check command of a review. When it is dropped, the command ends, and the copy goes.
pub(super) struct Checker {
    shell: Shell,
    root: PathBuf,
    news: Sender<CheckNews>,
    runs: Option<Run>,
}

/// A run that may go on.
struct Run {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Checker {
    /// The command that the person has set for this root, and where its news come from; `None` if there is none.
    pub(super) fn of(config: &Config, root: &Path) -> Option<(Self, Receiver<CheckNews>)> {
        let check = &config.settings.check;
        let command = check.command.clone();
        let command = command.filter(|command| !command.trim().is_empty())?;
        let (news, inbox) = channel();
        let checker = Self {
            shell: Shell {
                command,
                limit: Duration::from_secs(u64::try_from(check.timeout.0).unwrap_or(u64::MAX)),
            },
            root: root.to_owned(),
            news,
            runs: None,
        };
        Some((checker, inbox))
    }

    /// The command.
    pub(super) fn command(&self) -> &str {
        &self.shell.command
    }

    /// Runs it on what is accepted in a session; an earlier run ends.
    pub(super) fn run(&mut self, run: u64, session: &ReviewSession) {
        let before = self.runs.take();
        if let Some(before) = &before {
            before.stop.store(true, Ordering::Relaxed);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, news) = (Arc::clone(&stop), self.news.clone());
        let (shell, root, session) = (self.shell.clone(), self.root.clone(), session.clone());
        let work = move || {
            if let Some(before) = before {
                // A run that has panicked has ended too.
                let _ = before.thread.join();
            }
            // Nobody listens any more when the review has ended.
            let tell = |what| drop(news.send(CheckNews { run, what }));
            if let Some(ended) = check(&shell, &root, &session, &stopped, &tell) {
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

fn ended(how: CheckEnd, begun: Instant, tail: Vec<String>) -> CheckState {
    CheckState::Ended {
        how,
        took: begun.elapsed(),
        tail,
    }
}

/// What came of it; `None` if it was told to stop.
fn check(
    shell: &Shell,
    root: &Path,
    session: &ReviewSession,
    stop: &AtomicBool,
    tell: &dyn Fn(CheckState),
) -> Option<CheckState> {
    let begun = Instant::now();
    let not_run = |why| Some(ended(CheckEnd::NotRun(why), begun, Vec::new()));
    let laid: Result<Vec<Laid>, String> = (session.files.iter())
        .filter_map(|file| laid(file).transpose())
        .collect();
    let laid = match laid {
        Ok(laid) => laid,
        Err(why) => return not_run(why),
    };
    let copy = match TreeCopy::new(root, &laid, stop) {
        Ok(copy) => copy,
        Err(error) if error.kind() == ErrorKind::Interrupted => return None,
        Err(error) => return not_run(format!("the files cannot be copied: {error}")),
    };
    let begun = Instant::now();
    let told = &mut |line| tell(CheckState::Runs(line));
    match shell.run(copy.path(), &[(ROOT, root)], stop, told) {
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

/// What a file becomes by what is decided; `None` if it stays as it is.
fn laid(file: &FileReview) -> Result<Option<Laid>, String> {
    if file.sides.is_some() {
        return of_two_versions(file);
    }
    let from = path(&file.path)?;
    let name = |rename: Option<String>| match rename {
        Some(to) => path(&to),
        None => Ok(from.clone()),
    };
    let (to, bytes, executable) = match compose(file) {
        Postimage::Unchanged => return Ok(None),
        Postimage::Deleted => (None, None, None),
        Postimage::Kept { rename, executable } => (Some(name(rename)?), None, executable),
        Postimage::Text {
            text,
            rename,
            executable,
        } => {
            let bytes = (file.base.encode_owned(text))
                .map_err(|error| format!("`{}`: {error}", file.path))?;
            (Some(name(rename)?), Some(bytes), executable)
        }
    };
    Ok(Some(Laid {
        from,
        to,
        bytes,
        executable,
    }))
}

/// The same for a file of which both versions are known.
fn of_two_versions(file: &FileReview) -> Result<Option<Laid>, String> {
    let unwritten = |writing: Writing| match writing {
        Writing::Refused { error, .. } | Writing::Failed { error, .. } => {
            format!("`{}`: {error}", file.path)
        }
        Writing::Rehearsed | Writing::Done { .. } | Writing::Conflict { .. } => {
            format!("`{}` cannot be composed", file.path)
        }
    };
    let Some(settled) = settled(file).map_err(unwritten)? else {
        return Ok(None);
    };
    let from = path(name_on_disk(file))?;
    let stance = file.stance();
    Ok(Some(match settled {
        Settled::Absent => Laid {
            from,
            to: None,
            bytes: None,
            executable: None,
        },
        Settled::File {
            path: to,
            bytes,
            executable,
        } => {
            let bytes = match (bytes, stance, &file.sides) {
                (Bytes::These(bytes), _, _) => Some(bytes),
                // It has them already.
                (Bytes::New, Stance::Standing, _)
                | (Bytes::Old, Stance::Proposed, _)
                | (Bytes::Old | Bytes::New, _, None) => None,
                (Bytes::Old, _, Some(sides)) => Some(bytes_of(&sides.old, file)?),
                (Bytes::New, _, Some(sides)) => Some(bytes_of(&sides.new, file)?),
            };
            Laid {
                from,
                to: Some(path(&to)?),
                bytes,
                executable: Some(executable),
            }
        }
    }))
}

fn bytes_of(version: &Found, file: &FileReview) -> Result<Vec<u8>, String> {
    match version {
        Found::Text { document, .. } => {
            (document.encode(document.text())).map_err(|error| format!("`{}`: {error}", file.path))
        }
        Found::Opaque(_) | Found::Absent | Found::Refused(_) => Err(format!(
            "`{}` is no text, and its other version is not at hand",
            file.path
        )),
    }
}

fn path(name: &str) -> Result<RepoPath, String> {
    RepoPath::parse(name).map_err(|error| error.to_string())
}
