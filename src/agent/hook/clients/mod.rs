//! The clients that have a gate: a file for each, with its row of the table.

mod claude;
mod client_trait;
mod cline;
mod codex;
mod copilot;
mod droid;
mod gemini;
mod kilo;
mod opencode;
mod pi;
mod profile;
mod qwen;

pub(super) use claude::CLAUDE;
pub(super) use client_trait::ClientTrait;
pub(super) use cline::CLINE;
pub(super) use codex::CODEX;
pub(super) use copilot::{COPILOT, FREEFORM};
pub(super) use droid::DROID;
pub(super) use gemini::GEMINI;
pub(super) use kilo::KILO;
pub(super) use opencode::OPENCODE;
pub(super) use pi::PI;
#[cfg(feature = "mcp")]
pub(in crate::agent) use profile::Launch;
pub(super) use profile::{Fields, HookFormat, Installed, Profile, ToolKind};
pub use profile::{GateFile, SettingsScope, SettingsSource};
pub(super) use qwen::QWEN;
