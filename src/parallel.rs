//! The same work for many values that have nothing to do with each other, on all cores.
//!
//! The threads are made once and kept: a new one often waits for milliseconds until the system gives it a core of its own,
//! while one that has run before is back on its core at once.

use std::num::NonZero;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer values than this are not worth a thread.
const LEAST: usize = 16;

/// Each core takes a share of the values this often at most, so that one which is held up does not hold up the others.
const TURNS: usize = 16;

/// Returns the results of `work`, in the order of the values. Works on the calling thread if no thread can be started.
pub(crate) fn map<'a, T: Sync, R: Send>(
    values: &'a [T],
    work: impl Fn(&'a T) -> R + Sync + Send,
) -> Vec<R> {
    map_with(values, || (), |(), value| work(value))
}

/// The same where the work needs something that each share makes once for itself.
pub(crate) fn map_with<'a, T: Sync, R: Send, C>(
    values: &'a [T],
    own: impl Fn() -> C + Sync + Send,
    work: impl Fn(&mut C, &'a T) -> R + Sync + Send,
) -> Vec<R> {
    let Some(threads) = threads_for(values.len()) else {
        let mut own = own();
        return values.iter().map(|value| work(&mut own, value)).collect();
    };
    threads.install(|| {
        let values = values.par_iter().with_min_len(share(values.len()));
        values.map_init(own, work).collect()
    })
}

/// The same for values that it changes.
pub(crate) fn map_mut_with<'a, T: Send, R: Send, C>(
    values: &'a mut [T],
    own: impl Fn() -> C + Sync + Send,
    work: impl Fn(&mut C, &'a mut T) -> R + Sync + Send,
) -> Vec<R> {
    let Some(threads) = threads_for(values.len()) else {
        let mut own = own();
        return (values.iter_mut())
            .map(|value| work(&mut own, value))
            .collect();
    };
    threads.install(|| {
        let share = share(values.len());
        let values = values.par_iter_mut().with_min_len(share);
        values.map_init(own, work).collect()
    })
}

/// Runs two closures in parallel and returns both results; one after the other if no thread can be started.
pub(crate) fn both<A: Send, B>(
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    let Some(threads) = threads() else {
        let here = here();
        return (beside(), here);
    };
    let done = Mutex::new(None);
    let here = threads.in_place_scope(|scope| {
        scope.spawn(|_| {
            let beside = beside();
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(beside);
        });
        here()
    });
    let beside = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    (beside.expect("the scope waits for it"), here)
}

/// Returns the least number of values that a thread takes at once.
fn share(values: usize) -> usize {
    values.div_ceil(cores() * TURNS).max(1)
}

/// The threads that so many values are worth, if there are any.
fn threads_for(values: usize) -> Option<&'static ThreadPool> {
    if values < LEAST || cores() < 2 {
        return None;
    }
    threads()
}

/// As many threads as there are cores, for whoever asks waits; made when they are first needed. `None` where the system gives
/// none.
fn threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        let name = |n| format!("parallel-{n}");
        let threads = ThreadPoolBuilder::new().num_threads(cores());
        threads.thread_name(name).build().ok()
    });
    threads.as_ref()
}

/// Returns the number of cores that this program may use.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_values_is_kept() {
        for len in [0, 1, 2, 3, 15, 16, 17, 1000] {
            let mut values: Vec<usize> = (0..len).collect();
            let doubled: Vec<usize> = (0..len).map(|n| 2 * n).collect();
            assert_eq!(map(&values, |n| 2 * n), doubled);
            let before = map_mut_with(&mut values, || 2, |by, n| std::mem::replace(n, *n * *by));
            assert_eq!(before, (0..len).collect::<Vec<_>>());
            assert_eq!(values, doubled);
        }
    }
}
