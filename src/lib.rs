//! countersign stands between AI coding agents and the working tree.
pub mod cli;
pub mod dialect;
pub mod locate;
pub mod proposal;
pub mod review;
pub mod store;
pub mod text;
pub mod ui;
