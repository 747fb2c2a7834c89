//! The scan of an input: asks each dialect at each line if a section of its own begins there. A long input is scanned from its
//! beginning and from its middle at the same time.

mod doubtful;
mod findings;
mod parallel_scan;
mod prose;
mod scanner;

use self::scanner::Scanner;
use crate::dialect::dialect_trait::Dialect;
use crate::dialect::input::Input;
use crate::dialect::parsed::Parsed;

/// Asks each dialect at each line, in order, and collects what they read.
pub(in crate::dialect) fn scan(input: &Input, dialects: &[&dyn Dialect]) -> Parsed {
    let scanner = Scanner::new(input, dialects);
    let scanner = if input.len() < LONG {
        scanner.scanned()
    } else {
        parallel_scan::scanned(&scanner, input.len() / 2)
    };
    scanner.finish()
}

/// An input of fewer lines is not worth a thread.
const LONG: usize = 20_000;
