//! The screen, driven by keys.

#![allow(missing_docs)]

mod fixture;
mod flows;
mod property;
mod snapshots;
