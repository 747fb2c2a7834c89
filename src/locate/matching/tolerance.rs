//! The tolerance of a placing.

/// Limits of the differences between a hunk and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Minimum similarity of a match on the last rung that is not doubtful, in `0.8..=1.0`.
    pub precision: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { precision: 0.85 }
    }
}
