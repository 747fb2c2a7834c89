//! The doors between agents and a review: a socket, and what goes over it.
//!
//! A reviewer that stays open listens on one socket per root (`socket`); whoever has a proposal asks there ([`ask`]) with a
//! [`Submission`] and waits for the [`Verdict`]. What goes over the socket is JSON, a line each (`wire`). Whatever fails on
//! the way is an error, and an error is never taken for consent.

mod client;
#[cfg(feature = "mcp")]
pub mod companion;
mod door;
pub mod git;
mod hall;
mod hearer;
pub mod hook;
mod judge;
pub(crate) mod layer;
mod lines;
#[cfg(feature = "mcp")]
pub mod mcp;
mod meter;
pub mod model;
mod overlay;
mod pending_note;
pub mod program;
mod shell;
mod socket;
#[cfg(feature = "mcp")]
mod tool_call;
mod verdict;
mod wire;

pub use client::{Asking, Cancel, ClientError, Progress, ask, ask_telling, is_served, served_root};
pub use door::{Door, Knock};
pub use hall::Limits;
pub use lines::{Lines, Next};
pub use overlay::{ask_or_open, open_overlay, overlay_program};
pub use pending_note::{NoteKey, leave_note, take_note};
pub use shell::{Ended, Shell};
pub use socket::{Socket, SocketError, Stopper};
pub use verdict::{
    Approved, Comment, CommentedLines, FileDecision, FileVerdict, HunkVerdict, VERDICT_SCHEMA,
    Verdict,
};
pub use wire::{
    Denial, MOST_BYTES, Malformed, Mode, Refused, Reply, Request, Since, Submission, VERSION,
    read_reply, read_request, write_line,
};
