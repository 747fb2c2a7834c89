//! Channels between agents and a review: a socket and its protocol, hooks, MCP servers, git, and the apply model.
//!
//! A resident reviewer listens on one socket per root (`socket`). A client sends a [`Submission`] there ([`ask`]) and waits for the
//! [`Verdict`]; the protocol is JSON, one object a line (`wire`). Any failure on the way is an error, and an error never counts as
//! consent.
//!
//! There is one request and one server: hooks, MCP, the companion and ACP are clients of that socket and translate their calls into
//! a [`Submission`]. The socket's own loop has 260 lines and no runtime; as an MCP server it would bring 48 more crates into the
//! smallest program (174).

pub mod acp;
mod approved_call;
mod byte_budget;
mod client;
#[cfg(feature = "mcp")]
pub mod companion;
mod connection;
pub mod git;
pub mod hook;
mod launcher;
pub(crate) mod layer;
mod line_reader;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod model;
mod pending_note;
mod pending_proposals;
#[cfg(feature = "mcp")]
pub mod probe;
pub mod program;
mod registry;
mod server;
mod shell;
pub(crate) mod signature;
mod socket;
#[cfg(feature = "mcp")]
mod tool_call;
mod verdict;
mod verdict_builder;
mod wire;

pub use approved_call::{ApprovalMatch, compare_with_approval, keep_approval};
pub use client::{
    Asking, Cancel, ClientError, ProposalProgress, ask, ask_telling, decide, is_served, pending,
    served_root, warn,
};
pub use launcher::{ask_or_open, open_overlay, overlay_program};
pub use line_reader::{LineReader, Next};
pub use pending_note::{NoteKey, leave_note, take_note};
pub use pending_proposals::{
    PENDING_SCHEMA, PendingDocument, PendingFile, PendingHunk, PendingProposal, PendingQuestion,
    RemoteDecided, RemoteDecision,
};
pub use registry::{ClientEvent, Limits};
pub use server::SocketServer;
pub use shell::{ShellCommand, ShellEnd};
pub use socket::{Socket, SocketError, Stopper};
pub use verdict::{
    Approved, Comment, CommentedLines, FileDecision, FileVerdict, HunkVerdict, VERDICT_SCHEMA,
    Verdict,
};
pub use wire::{
    AgentWarning, Denial, MOST_BYTES, MalformedLine, Refused, Request, ReviewerMessage, SeenFile,
    Submission, TreeBefore, VERSION, WriteMode, read_reply, read_request, write_line,
};
