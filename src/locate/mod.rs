//! Places the hunks of a file: finds where each preimage matches the current text.
//!
//! All hunks of a file are placed together, against its current text, with one `Index` for all of them:
//!
//! | step | folder |
//! |---|---|
//! | find the lines of the file that match lines of the hunk | `matching` |
//! | collect the hypotheses (no change is made, some are, all are), choose one, and decide if it may be written unasked | `hypotheses` |
//! | make the location of it, with the changes of the file and their indentation | `resolve` |
//! | or place a hunk of another form: a notebook cell, a text within lines, a sketch, a JSON Patch | `forms` |
//! | or ask an earlier version of the file | `versions` |
//!
//! The result is a placement with its evidence, or the reason why there is none, never a guess: two matches that nothing tells
//! apart are [`Unplaced::Ambiguous`], and an edit whose result is in the file already is [`Location::AlreadyApplied`].

mod forms;
mod hypotheses;
mod manual;
mod matching;
mod place_all;
mod placement;
mod resolve;
#[cfg(test)]
mod shown;
mod versions;

pub use hypotheses::escapes::adds_doubtful_entities;
pub use manual::place_at;
pub(crate) use matching::edit_script::with_final_newline;
pub(crate) use matching::index::Index;
pub use matching::scope::{depth_of, enclosing};
pub use matching::tolerance::Tolerance;
pub(crate) use matching::words::{folded, split};
pub use place_all::place_all;
pub use placement::{
    Change, Chosen, Confidence, Differs, Doubt, Forgiven, Location, Nearest, Place, Placement,
    Rung, Unplaced,
};
pub(crate) use resolve::chained::lost;
pub(crate) use versions::composition::{Composed, compose};
pub use versions::line_map::LineMap;
pub use versions::merge::{Origin, may_merge, merge, place_by_versions, place_in_own_version};
