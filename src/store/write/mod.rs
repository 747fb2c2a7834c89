//! Writing a batch, all of it or nothing: planned, staged, exchanged by rename; recovered when it was interrupted, and undone.

pub(in crate::store) mod commit;
pub(in crate::store) mod commit_error;
pub(in crate::store) mod directories;
pub(in crate::store) mod disk;
pub(in crate::store) mod folder_changes;
pub(in crate::store) mod metadata;
pub(in crate::store) mod plan;
pub(in crate::store) mod real_disk;
pub(in crate::store) mod recover;
pub(in crate::store) mod recover_error;
pub(in crate::store) mod recovery_scan;
pub(in crate::store) mod stage;
pub(in crate::store) mod swap;
pub(in crate::store) mod swap_apply;
pub(in crate::store) mod sync;
pub(in crate::store) mod transaction;
pub(in crate::store) mod undo;
