//! Names of the worker threads.

/// The name that every worker thread's name begins with.
pub(crate) const WORKER: &str = "countersign-";
