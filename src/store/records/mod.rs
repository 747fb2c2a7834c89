//! Records that stay of a working tree between runs: the history of batches, saved and finished reviews, comments, and reads of agents.

pub(in crate::store) mod agent_reads;
pub(in crate::store) mod agent_turn;
pub(in crate::store) mod change_facts;
pub(in crate::store) mod finished_reviews;
pub(in crate::store) mod history;
pub(in crate::store) mod previous_versions;
pub(in crate::store) mod rejections;
mod related_roots;
pub(in crate::store) mod saved_reviews;
pub(in crate::store) mod threads;
