//! The same work for many values that have nothing to do with each other, on all cores.
//!
//! The threads are made once and kept: a new one often waits for milliseconds until the system gives it a core of its own,
//! while one that has run before is back on its core at once.

use std::num::NonZero;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer values than this are not worth a thread.
const LEAST: usize = 16;

/// Each core takes a share of the values this often, so that one which is held up does not hold up the others.
const TURNS: usize = 16;

/// What `work` makes of each value, in the order of the values. A system that gives no thread costs time and nothing else.
pub(crate) fn map<'a, T: Sync, R: Send>(
    values: &'a [T],
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<R> {
    map_with(values, || (), |(), value| work(value))
}

/// The same where the work needs something that each core makes once for itself.
pub(crate) fn map_with<'a, T: Sync, R: Send, C>(
    values: &'a [T],
    own: impl Fn() -> C + Sync,
    work: impl Fn(&mut C, &'a T) -> R + Sync,
) -> Vec<R> {
    let shares = values.chunks(share(values.len()));
    in_shares(shares, own, |own, share| {
        share.iter().map(|value| work(own, value)).collect()
    })
}

/// The same for values that it changes.
pub(crate) fn map_mut_with<'a, T: Send, R: Send, C>(
    values: &'a mut [T],
    own: impl Fn() -> C + Sync,
    work: impl Fn(&mut C, &'a mut T) -> R + Sync,
) -> Vec<R> {
    let shares = values.chunks_mut(share(values.len()));
    in_shares(shares, own, |own, share| {
        share.iter_mut().map(|value| work(own, value)).collect()
    })
}

/// What two pieces of work come to, one beside the other; where no thread is to be had, one is done after the other.
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

/// How many values are taken at once.
fn share(values: usize) -> usize {
    let turns = if values < LEAST { 1 } else { cores() * TURNS };
    values.div_ceil(turns).max(1)
}

/// Works all shares off, on as many threads as there are cores, of which this is one.
fn in_shares<S: Send, R: Send, C>(
    shares: impl ExactSizeIterator<Item = S> + Send,
    own: impl Fn() -> C + Sync,
    work: impl Fn(&mut C, S) -> Vec<R> + Sync,
) -> Vec<R> {
    let helpers = shares.len().min(cores()).saturating_sub(1);
    let shares = Mutex::new(shares.enumerate());
    let next = || {
        let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.next()
    };
    let all = Mutex::new(Vec::new());
    let work_off = || {
        let mut own = own();
        let mut done = Vec::new();
        while let Some((n, share)) = next() {
            done.push((n, work(&mut own, share)));
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(done);
    };
    let threads = if helpers > 0 { threads() } else { None };
    match threads {
        Some(threads) => threads.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| work_off());
            }
            work_off();
        }),
        None => work_off(),
    }
    let mut done = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().flat_map(|(_, made)| made).collect()
}

/// The threads that work beside the one that asks, made when they are first needed; `None` where the system gives none. There
/// is one more than is needed, since one may wait for the disk.
fn threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let make = || {
        let name = |n| format!("parallel-{n}");
        let threads = ThreadPoolBuilder::new().num_threads(cores());
        threads.thread_name(name).build().ok()
    };
    THREADS.get_or_init(make).as_ref()
}

/// How many cores there are for this program.
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
