//! The same work for many values that have nothing to do with each other, on all cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// Fewer values than this are not worth a thread.
const LEAST: usize = 16;

/// What `work` makes of each value, in the order of the values. A system that gives no thread costs time and nothing else.
pub(crate) fn map<'a, T: Sync, R: Send>(
    values: &'a [T],
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = values.len().div_ceil(cores);
    if share == values.len() || values.len() < LEAST {
        return values.iter().map(work).collect();
    }
    let work = &work;
    let all = |share: &'a [T]| share.iter().map(work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let spawn = |share| {
            (
                share,
                Builder::new().spawn_scoped(scope, move || all(share)),
            )
        };
        let workers: Vec<_> = values.chunks(share).map(spawn).collect();
        workers
            .into_iter()
            .flat_map(|(share, worker)| match worker {
                Ok(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => all(share),
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_values_is_kept() {
        for len in [0, 1, 2, 3, 1000] {
            let values: Vec<usize> = (0..len).collect();
            let doubled: Vec<usize> = (0..len).map(|n| 2 * n).collect();
            assert_eq!(map(&values, |n| 2 * n), doubled);
        }
    }
}
