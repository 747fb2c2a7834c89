//! countersign stands between AI coding agents and the working tree.
pub mod dialect;
pub mod proposal;
pub mod text;
