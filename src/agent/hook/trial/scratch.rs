//! The file and the time of a trial.

use std::time::Duration;

/// The file that is edited, and what is in it.
pub const FILE: (&str, &str) = ("scratch.txt", "one\ntwo\nthree\n");
/// The longest time for a gate.
pub(super) const WITHIN: Duration = Duration::from_secs(20);
