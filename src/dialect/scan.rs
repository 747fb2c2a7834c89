//! Reads an input in some dialects.

use super::contract::Dialect;
use super::input::Input;
use super::parallel_walk;
use super::parsed::Parsed;
use super::walk::Walk;

/// Asks each dialect at each line, in order, and collects what they read.
pub(super) fn scan(input: &Input, dialects: &[&dyn Dialect]) -> Parsed {
    let walk = Walk::new(input, dialects);
    let walk = if input.len() < LONG {
        walk.walked()
    } else {
        parallel_walk::walked(&walk, input.len() / 2)
    };
    walk.finish()
}

/// An input of fewer lines is not worth a thread.
const LONG: usize = 20_000;
