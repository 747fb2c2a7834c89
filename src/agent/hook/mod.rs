//! The gates that agents call before they write: what an agent is about to do, and the answer in the agent's own shape.
//!
//! [`read`] takes what an agent says on standard input and makes a [`Call`] of it, or knows that the call is none of ours.
//! [`allowed()`] finds the input with which the agent writes exactly what was approved: its own, one amended, or none. An
//! [`Answer`] is printed in the shape that the agent reads. The shapes and the habits of the clients (`effect`) are those
//! of Claude Code 2.1, Codex 0.169, Gemini CLI 0.61 and opencode 1.18, found by running them.
//!
//! These clients let an edit through when a hook crashes, says nothing that they understand or takes too long. So nothing
//! here ends without an answer, and an answer that was not given by a person is a no.

mod allowed;
mod amend;
mod answer;
mod call;
mod effect;
mod entry;
mod envelope;
mod file_name;
mod foreign_tool;
mod input;
mod names;
mod notebook;
pub mod settings;
mod shell_patch;
pub mod trial;
mod turn;

pub use allowed::{Allowed, Outcome, allowed};
pub use answer::Answer;
pub use call::{Asked, Call, Malformed, read};
pub use file_name::{AmbiguousName, check_name};
pub use names::Agent;
pub use turn::{TurnAnswer, TurnEvent, TurnNews};
