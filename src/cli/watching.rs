//! The files under review are watched while a review of it is open.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::source::Source;
use crate::ui::Placed;

/// Lets a review go on, and places what is reviewed anew beside it whenever one of its files has changed on disk.
pub(super) fn watched<S: Source + Send + ?Sized, T>(
    source: &Mutex<&mut S>,
    review: impl FnOnce(Receiver<Placed>) -> T,
) -> T {
    let (placed, inbox) = channel();
    let (news, changes) = channel();
    thread::scope(|scope| {
        let watch = lock(source).watch(Box::new(move || {
            // Nobody listens any more when the review has ended.
            let _ = news.send(());
        }));
        let place = move || {
            for () in changes {
                let anew = lock(source).place_anew();
                if anew.is_some_and(|anew| placed.send(anew).is_err()) {
                    return;
                }
            }
        };
        // Without a thread the files are compared when they are written, and not before.
        let placing = thread::Builder::new()
            .name("countersign-place".to_owned())
            .spawn_scoped(scope, place);
        let done = review(inbox);
        drop(watch);
        if let Ok(placing) = placing {
            let _ = placing.join();
        }
        done
    })
}

/// What is reviewed is whole after every step of its own, whatever happened to the thread that had it.
pub(super) fn lock<T>(source: &Mutex<T>) -> MutexGuard<'_, T> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
