//! Places the hunks of a file: finds where each preimage matches the current text.
//!
//! All hunks of a file are placed together, against its current text, with one `Index` for all of them. Each hunk climbs a
//! ladder of ever looser rungs, and a rung reports *all* matches of the preimage. If there are several, the other hunks,
//! anchors and line numbers narrow them down. The result is a placement with its evidence, or the reason why there is none,
//! never a guess: two matches that nothing tells apart are [`Unplaced::Ambiguous`], and an edit whose result is in the file
//! already is [`Location::AlreadyApplied`].

mod align;
mod anchor;
mod assign;
mod by_hand;
mod candidates;
mod cell;
mod changes;
mod choose;
mod doubt;
mod elision;
mod entities;
mod escaped;
mod evidence;
mod fold;
mod follow;
mod hashed;
mod hypothesis;
mod indent;
mod index;
mod insert;
mod json_patch;
mod ladder;
mod levels;
mod line_map;
mod merge;
mod numbered;
mod occupied;
mod overlap;
mod pairing;
mod passage;
mod pattern;
mod permit;
mod place;
mod place_all;
mod prefix;
mod reading;
mod rewrite;
mod scope;
mod script;
mod search;
mod settle;
#[cfg(test)]
mod shown;
mod since;
mod sketch;
mod tolerance;
mod words;

pub use by_hand::place_at;
pub use escaped::adds_doubtful_entities;
pub use line_map::LineMap;
pub use merge::{Origin, is_open, may_merge, merge, place_by_versions};
pub use place::{
    Change, Chosen, Confidence, Differs, Doubt, Forgiven, Location, Nearest, Place, Placement,
    Rung, Unplaced,
};
pub use place_all::place_all;
pub use scope::{depth_of, enclosing};
pub use tolerance::Tolerance;
pub(crate) use words::{folded, split};
