//! The screen, driven by keys.

#![allow(missing_docs)]

mod endings;
mod fixture;
mod flows;
mod keys;
mod looks;
mod model;
mod placed;
mod places;
mod property;
mod resident;
mod snapshots;
mod themes;
mod views;
mod written;
