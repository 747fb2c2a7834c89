//! countersign stands between AI coding agents and the working tree.
pub mod proposal;
pub mod store;
pub mod text;
