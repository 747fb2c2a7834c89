//! Limit on the memory that all clients together may use.

use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Limit on the bytes that all clients together may have the reviewer keep.
#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    kept: AtomicUsize,
}

impl Budget {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            kept: AtomicUsize::new(0),
        }
    }

    /// Takes room for so many bytes, if there is any.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let fits = |kept: usize| kept.checked_add(bytes).filter(|sum| *sum <= self.most);
        let taken = (self.kept).fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        taken.is_ok()
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.kept.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A reader whose bytes count until they are given back.
#[derive(Debug)]
pub(super) struct Metered<'a, R> {
    from: R,
    budget: &'a Budget,
    taken: usize,
}

impl<'a, R> Metered<'a, R> {
    pub(super) fn new(from: R, budget: &'a Budget) -> Self {
        Self {
            from,
            budget,
            taken: 0,
        }
    }

    /// Releases the bytes that were read so far.
    pub(super) fn give_back(&mut self) {
        self.budget.give_back(std::mem::take(&mut self.taken));
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(into)?;
        if !self.budget.take(length) {
            return Err(ErrorKind::QuotaExceeded.into());
        }
        self.taken += length;
        Ok(length)
    }
}

impl<R> Drop for Metered<'_, R> {
    fn drop(&mut self) {
        self.give_back();
    }
}
