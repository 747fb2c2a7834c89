//! `countersign run`: a command works in a copy-on-write layer, and what it changed reaches the tree only after a review.

mod base;
mod candidates;
mod changes;
mod commits;
mod counterparts;
mod find;
mod finish;
mod inside;
mod internal;
mod list;
mod renames;
mod review;
mod source;
mod start;
mod through;

pub(super) use changes::LayerChanges;
pub(super) use find::folder as layer_folder;
pub(super) use finish::LAYER_VERDICT;
pub(super) use internal::{enter, map_ids, reset_inside};
pub(super) use list::list;
pub(super) use review::{apply, review};
pub(super) use start::run;
