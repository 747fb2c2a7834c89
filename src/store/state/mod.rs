//! The state folder of a working tree, and the formats of what is kept in it: the journal of a batch, packed contents, receipts.

pub(in crate::store) mod batch_id;
pub(in crate::store) mod delta;
pub(in crate::store) mod journal;
pub(in crate::store) mod pack;
pub(in crate::store) mod receipt;
pub(in crate::store) mod seal;
pub(in crate::store) mod state_folder;
pub(in crate::store) mod whole_file;
