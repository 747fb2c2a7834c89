//! Rules by which hunks are accepted in advance: switched on by the person, and fulfilled only by a proof.
//!
//! A rule never decides about a protected file, a change like one that was rejected before, a place that is neither exact nor safe, the
//! loss of most of a file, or anything but lines of text. What it decides is a decision like any other: shown with its proof, and
//! changed or taken back by the person before anything is written.

#[cfg(feature = "syntax")]
mod composed;
mod evaluate;
mod exclusions;
#[cfg(feature = "syntax")]
mod moves;
mod proof;
mod recheck;
mod rules;
#[cfg(feature = "syntax")]
mod syntax;
mod versions;

pub use evaluate::{FileFacts, GeneratedBytes, judge};
pub use proof::{Judged, Proof, RuleVerdict};
pub use recheck::recheck;
pub use rules::{Generated, RULES, Rule, Rules};
