//! Rules by which hunks are accepted in advance: switched on by the person, and fulfilled only by a proof.
//!
//! A rule never decides about a protected file, a change like one that was rejected before, a place that is neither exact nor safe, the
//! loss of most of a file, or anything but lines of text. What it decides is a decision like any other: shown with its proof, and
//! changed or taken back by the person before anything is written.

mod evaluate;
mod exclusions;
mod proof;
mod recheck;
mod rules;
#[cfg(feature = "syntax")]
mod syntax;

pub use evaluate::judge;
pub use proof::{Judged, Proof, Verdict};
pub use recheck::recheck;
pub use rules::{RULES, Rule, Rules};
