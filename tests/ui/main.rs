//! The screen, driven by keys.

#![allow(missing_docs)]

mod fixture;
mod flows;
mod keys;
mod model;
mod placed;
mod property;
mod resident;
mod snapshots;
mod themes;
