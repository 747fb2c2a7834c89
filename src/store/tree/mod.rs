//! The working tree: its root, how names are resolved in it without following links out of it, which files are guarded, and
//! reading, listing, watching and locking it.

mod git_folder;
mod git_links;
pub(in crate::store) mod guard_file;
pub(in crate::store) mod ignore_files;
mod link_protection;
pub(in crate::store) mod linked_names;
pub(in crate::store) mod listing;
pub(in crate::store) mod lock;
pub(in crate::store) mod protect;
pub(in crate::store) mod read_file;
pub(in crate::store) mod resolve;
pub(in crate::store) mod root;
pub(in crate::store) mod symlinks;
pub(in crate::store) mod tree_copy;
pub(in crate::store) mod watch;
