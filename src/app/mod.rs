//! The workflows of the program, without arguments and output: what the commands, the resident reviewer and the hooks share.
//!
//! A [`source::ReviewSource`] is what a review is of: a [`batch::Batch`] of edits, or a difference that is on disk already. It reads
//! the files, makes the session, and writes what was decided, all of it or nothing. Around it: [`autosave`] of decisions,
//! [`watch`]ing for files that change, the [`check_command`], and [`recovery`] of interrupted runs.

mod absent_deletions;
pub(crate) mod apply;
pub(crate) mod ask_reviewer;
pub(crate) mod autosave;
pub(crate) mod batch;
pub(crate) mod check_command;
mod check_search;
pub(crate) mod check_tree;
mod clashing_names;
mod copied_links;
pub(crate) mod difference;
mod done_moves;
mod enclosing_repository;
pub(crate) mod failures;
pub(crate) mod finished_reviews;
pub(crate) mod folders;
pub(crate) mod generated;
pub(crate) mod git_versions;
pub(crate) mod index;
pub(crate) mod index_changes;
pub(crate) mod input;
pub(crate) mod intake;
pub(crate) mod link_targets;
pub(crate) mod look;
pub(crate) mod missing_files;
pub(crate) mod model;
pub(crate) mod model_questions;
pub(crate) mod moved_hunks;
pub(crate) mod notice;
pub(crate) mod older_versions;
pub(crate) mod policy;
pub(crate) mod recorded_folder;
pub(crate) mod recovery;
pub(crate) mod rejections;
pub(crate) mod snapshots;
pub(crate) mod source;
pub(crate) mod strip_level;
mod swapped_names;
pub(crate) mod thread_error;
mod thread_places;
mod thread_replies;
pub(crate) mod thread_worker;
pub(crate) mod threads;
pub(crate) mod three_way_merge;
pub(crate) mod undo;
pub(crate) mod watch;
pub(crate) mod worktree_changes;
pub(crate) mod write_comparison;
