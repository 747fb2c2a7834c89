//! Work before a proposal is shown, such as a command of the person's rules: on a thread of its own, so that others are not held up.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crate::app::source::Preparation;

/// Work that is stopped when it is dropped.
pub(super) struct Preparing {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Preparing {
    /// Starts the work, and does something when it has ended.
    ///
    /// # Errors
    ///
    /// If there is no thread for it.
    pub(super) fn start(
        prepare: Preparation,
        done: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("countersign-prepare".to_owned());
        let thread = thread.spawn(move || {
            prepare(&stopped);
            done();
        })?;
        let thread = Some(thread);
        Ok(Self { stop, thread })
    }
}

impl Drop for Preparing {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Work that has panicked has ended too.
            let _ = thread.join();
        }
    }
}
