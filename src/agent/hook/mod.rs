//! Gates that agents call before they write: parsing of the call, and the answer in the agent's own form.
//!
//! [`read`] parses the input of a hook into a [`HookCall`], or finds that the call is not reviewed. [`allowed()`] finds the input with
//! which the agent writes exactly the approved text: its own, an amended one, or none. An [`GateAnswer`] is printed in the form of the
//! agent. The table of clients (`clients`) and their behavior (`client_effect`) were found by running them.
//!
//! These clients let an edit through when a hook crashes, prints what they cannot parse, or takes too long. So everything here ends
//! with an answer, and any answer that was not given by a person is a denial.

mod answer;
mod call;
mod call_hash;
mod client_effect;
mod client_input;
mod client_report;
mod clients;
mod codex_sandbox;
mod codex_trust;
mod entry;
mod envelope;
mod file_name;
mod folder_trust;
mod foreign_tool;
mod input;
mod names;
mod notebook;
mod outcome;
pub mod settings;
mod shell_patch;
mod shell_programs;
pub mod switches;
mod tool_words;
pub mod trial;
mod turn;
mod unique_replacement;

pub use answer::{GateAnswer, NOT_OTHERWISE};
pub use call::{HookCall, HookRequest, MalformedInput, read};
pub use client_input::allowed;
pub use client_report::{reads_gate, refused_settings};
#[cfg(feature = "mcp")]
pub(in crate::agent) use clients::Launch;
pub use clients::{GateFile, SettingsScope, SettingsSource};
pub use codex_trust::{Trust, codex_trust};
pub(crate) use file_name::normalized;
pub use file_name::{AmbiguousName, check_name};
pub use folder_trust::{trusted_by_copilot, trusts};
pub use names::Agent;
pub use outcome::{Allowed, FileOutcome};
pub use turn::{TurnAnswer, TurnEvent, TurnNews};
