//! The state of the screen, and what is computed from it.

pub mod app;
pub(crate) mod availability;
mod check_output;
pub(crate) mod column_index;
pub(crate) mod command_palette;
pub(crate) mod edit_matches;
pub mod empty_state;
pub(crate) mod finish_notes;
mod frame_requests;
pub(crate) mod heading_cache;
pub(crate) mod help;
pub(crate) mod hunk_kind;
mod invalidate;
pub mod known_threads;
pub mod mode;
pub(crate) mod model_target;
mod moved_lines;
pub(crate) mod outcome_counts;
pub(crate) mod placement_text;
pub(crate) mod plan;
pub mod prompt_draft;
pub mod reader;
pub(crate) mod shown_lines;
pub(crate) mod unplaced_help;
pub(crate) mod unresolved_threads;
pub mod waiting_agents;
