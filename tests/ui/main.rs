//! The screen, driven by keys.

#![allow(missing_docs)]

mod attention;
mod blanks;
mod contrast;
mod edits;
mod endings;
mod filter;
mod fixture;
mod flows;
mod intent;
mod keys;
mod looks;
mod model;
mod mouse;
mod moved;
mod order;
mod placed;
mod places;
mod property;
mod resident;
mod rounds;
mod script;
mod scrolling;
mod seen;
mod shown;
mod sidebar;
mod sideways;
mod snapshots;
mod themes;
mod threads;
mod truthful;
mod undoing;
mod unplaced;
mod unsent;
mod views;
mod whole;
mod written;
