//! Watching the files under review, so that a change shows while the review is open.
//!
//! It is early notice only: a commit compares the files itself. Folders are watched, not files, because a program that saves
//! by renaming takes the watch away with the old file; and where a folder cannot be watched, or is not there yet, the files
//! are looked at twice a second.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::root::Root;
use crate::store::folder::snapshot::Snapshot;

/// Interval at which files are polled that cannot be watched.
const POLL: Duration = Duration::from_millis(500);
/// A save is several steps: it is over when nothing has happened for so long,
const QUIET: Duration = Duration::from_millis(50);
/// or at the latest after this.
const LONGEST: Duration = Duration::from_millis(400);

/// Files that are watched until it is dropped.
#[derive(Debug)]
pub struct Watch {
    news: Sender<WatchEvent>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WatchEvent {
    /// Something happened to one of the files, or may have.
    Touched,
    /// Nobody wants to know any more.
    Stop,
}

/// Metadata that differs when a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    size: u64,
    mode: u32,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Root {
    /// Watches the files that were read, from now on. `changed` is called on another thread when any of them may be another.
    /// If no thread can be started, no change is reported.
    pub fn watch<'a>(
        &self,
        files: impl IntoIterator<Item = &'a Snapshot>,
        changed: impl FnMut() + Send + 'static,
    ) -> Watch {
        let names = files.into_iter().flat_map(|file| {
            let link = Some(&file.path).filter(|path| **path != file.target);
            [Some(&file.target), link].into_iter().flatten()
        });
        let files: Vec<PathBuf> = names.map(|path| self.path().join(path.as_path())).collect();
        let (news, inbox) = channel();
        let events = news.clone();
        let thread = thread::Builder::new()
            .name("countersign-watch".to_owned())
            .spawn(move || watch(&files, events, &inbox, changed));
        Watch {
            news,
            thread: thread.ok(),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Whether it has ended by itself makes no difference.
        let _ = self.news.send(WatchEvent::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(
    files: &[PathBuf],
    events: Sender<WatchEvent>,
    news: &Receiver<WatchEvent>,
    mut changed: impl FnMut(),
) {
    let stamps = || files.iter().map(|file| Stamp::of(file)).collect();
    let mut known: Vec<Option<Stamp>> = stamps();
    let watcher = watcher(files, events);
    let patience = if watcher.is_some() {
        Duration::MAX
    } else {
        POLL
    };
    loop {
        match news.recv_timeout(patience) {
            Ok(WatchEvent::Touched) if is_over(news) => (),
            Err(RecvTimeoutError::Timeout) => (),
            Ok(WatchEvent::Touched | WatchEvent::Stop) | Err(RecvTimeoutError::Disconnected) => {
                return;
            }
        }
        let now = stamps();
        if now != known {
            known = now;
            changed();
        }
    }
}

/// Waits for the end of a save; `false` if nobody wants to know any more.
fn is_over(news: &Receiver<WatchEvent>) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < LONGEST {
        match news.recv_timeout(QUIET) {
            Ok(WatchEvent::Touched) => (),
            Err(RecvTimeoutError::Timeout) => return true,
            Ok(WatchEvent::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}

/// Watches the folders that files are in; `None` if not all of them can be watched.
fn watcher(files: &[PathBuf], events: Sender<WatchEvent>) -> Option<RecommendedWatcher> {
    let folders: HashSet<PathBuf> = files
        .iter()
        .filter_map(|file| file.parent().map(Path::to_owned))
        .collect();
    let wanted: HashSet<PathBuf> = files.iter().chain(&folders).cloned().collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.is_err() || event.is_ok_and(|event| is_change(&event, &wanted)) {
            // Without a listener it is of no interest.
            let _ = events.send(WatchEvent::Touched);
        }
    })
    .ok()?;
    for folder in &folders {
        watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    }
    Some(watcher)
}

/// Returns true if an event may be a change of one of these files and folders.
fn is_change(event: &Event, wanted: &HashSet<PathBuf>) -> bool {
    !matches!(event.kind, EventKind::Access(_))
        && (event.need_rescan() || event.paths.iter().any(|path| wanted.contains(path)))
}

impl Stamp {
    /// `None` if there is no such file.
    fn of(path: &Path) -> Option<Self> {
        let meta = fs::symlink_metadata(path).ok()?;
        Some(Self {
            file: (meta.dev(), meta.ino()),
            size: meta.size(),
            mode: meta.mode(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::PathClaim;

    /// Far more than it takes.
    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn a_change_of_a_watched_file_is_told() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("src")).unwrap();
        fs::write(at("src/a"), "a\n").unwrap();
        let root = Root::open(place.path()).unwrap();
        let read = |name: &str| {
            let path = root.resolve(&PathClaim::plain(name)).unwrap();
            root.read(&path).unwrap()
        };
        // The second one is polled, as its folder is not there; and so are both.
        for names in [["src/a", "b"], ["src/a", "new/c"]] {
            let files = names.map(read);
            let (tell, told) = channel();
            let watch = root.watch(&files, move || tell.send(()).unwrap());
            let step = |what: &dyn Fn()| {
                // The watch may begin after the first step, so it is done until it is seen.
                let deadline = Instant::now() + PATIENCE;
                loop {
                    what();
                    if told.recv_timeout(2 * POLL).is_ok() {
                        break;
                    }
                    assert!(Instant::now() < deadline, "it was not told");
                }
            };
            // In place, by renaming twice, a new file, and its end.
            step(&|| fs::write(at("src/a"), "b\n").unwrap());
            for _ in 0..2 {
                step(&|| {
                    fs::write(at("src/.a.new"), "c\n").unwrap();
                    fs::rename(at("src/.a.new"), at("src/a")).unwrap();
                });
            }
            let second = at(names[1]);
            step(&|| {
                fs::create_dir_all(second.parent().unwrap()).unwrap();
                fs::write(&second, "new\n").unwrap();
            });
            step(&|| drop(fs::remove_file(&second)));
            drop(watch);
            assert!(told.try_recv().is_err(), "one step was told twice");
        }
    }
}
