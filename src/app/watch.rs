//! Files under review while it is open: they are placed if they are not yet, and watched.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::app::autosave::Earlier;
use crate::app::policy;
use crate::app::source::ReviewSource;
use crate::ui::Placed;

/// Messages to the thread beside the review.
enum WatchMessage {
    /// A file may be another.
    Changed,
    /// Everything is to be placed with this precision, in hundredths.
    Precision(u8),
    /// The review has ended.
    Ended,
}

/// Tells the thread of the end when it is dropped: when the review has ended, or in a panic.
struct End {
    news: Sender<WatchMessage>,
    stop: Arc<AtomicBool>,
}

impl Drop for End {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Nobody listens if there is no thread.
        let _ = self.news.send(WatchMessage::Ended);
    }
}

/// Lets a review go on, and places what is reviewed beside it: at once if it is shown in outline, with what was kept of it, and again
/// whenever one of its files has changed on disk, or with another precision, in hundredths, when the review asks for it.
pub(crate) fn watched<S: ReviewSource + Send + ?Sized, T>(
    source: &Mutex<&mut S>,
    outlined: Option<Earlier>,
    review: impl FnOnce(Receiver<Placed>, &dyn Fn(u8)) -> T,
) -> T {
    let (placed, inbox) = channel();
    let (news, told) = channel();
    let watcher = news.clone();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    thread::scope(|scope| {
        // Without a thread the files are compared when they are written, and not before.
        let beside = thread::Builder::new()
            .name("countersign-place".to_owned())
            .spawn_scoped(scope, move || {
                follow(source, outlined, &placed, watcher, (&told, &stopped));
            });
        let asked = news.clone();
        let end = End { news, stop };
        let done = review(inbox, &|percent| {
            // Nobody listens if there is no thread.
            let _ = asked.send(WatchMessage::Precision(percent));
        });
        drop(end);
        if let Ok(beside) = beside {
            let _ = beside.join();
        }
        done
    })
}

fn follow<S: ReviewSource + ?Sized>(
    source: &Mutex<&mut S>,
    outlined: Option<Earlier>,
    placed: &Sender<Placed>,
    watcher: Sender<WatchMessage>,
    (told, stop): (&Receiver<WatchMessage>, &AtomicBool),
) {
    if let Some(earlier) = outlined {
        let preparation = lock(source).preparation();
        if let Some(prepare) = preparation {
            prepare(stop);
        }
        let Ok(mut session) = lock(source).place() else {
            return;
        };
        let notice = policy::with_summary(earlier.resume(&mut session), &session);
        let first = Placed {
            session,
            changed: Vec::new(),
            precision: None,
            notice,
        };
        if placed.send(first).is_err() {
            return;
        }
    }
    let _watch = lock(source).watch(Box::new(move || {
        // Nobody listens any more when the review has ended.
        let _ = watcher.send(WatchMessage::Changed);
    }));
    while let Ok(news) = told.recv() {
        let anew = match news {
            WatchMessage::Changed => lock(source).place_anew(),
            WatchMessage::Precision(percent) => place_with(&mut **lock(source), percent),
            WatchMessage::Ended => return,
        };
        if anew.is_some_and(|anew| placed.send(anew).is_err()) {
            return;
        }
    }
}

/// A new session, placed with another precision.
fn place_with<S: ReviewSource + ?Sized>(source: &mut S, percent: u8) -> Option<Placed> {
    source.set_precision(percent);
    let session = source.place().ok()?;
    Some(Placed {
        session,
        changed: source.placings().changed(),
        precision: Some(percent),
        notice: None,
    })
}

/// Locks a source, which is consistent after every step of its own, even if a thread that held it has panicked.
pub(crate) fn lock<T>(source: &Mutex<T>) -> MutexGuard<'_, T> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
