//! Where hunks belong in a file as it is now.

mod place;

pub use place::{
    Change, Chosen, Confidence, Differs, Forgiven, Location, Nearest, Place, Placement, Rung,
    Unplaced,
};

use crate::proposal::Hunk;
use crate::text::Document;

/// What may be forgiven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The least score of the last rung, in `0.8..=1.0`.
    pub precision: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { precision: 0.85 }
    }
}

/// Places all hunks of one file.
pub fn place_all(hunks: &[&Hunk], _document: &Document, _tolerance: Tolerance) -> Vec<Location> {
    hunks
        .iter()
        .map(|_| Location::Unplaced(Unplaced::Nowhere))
        .collect()
}
