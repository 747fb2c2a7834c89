//! Folders as handles: what is read is what the handle holds, whatever the path has become since. Snapshots of files, and reads
//! that stop at a bound.

pub(in crate::store) mod bounded_read;
pub(in crate::store) mod enclosing_folders;
pub(in crate::store) mod folder_handle;
pub(in crate::store) mod replace_file;
pub(in crate::store) mod snapshot;
