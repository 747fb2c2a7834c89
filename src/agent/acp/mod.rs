//! Agent Client Protocol, version 1, as a proxy between an editor and an agent sees it: JSON-RPC, one object a line.
//!
//! The agent is offered the capability to write files through the editor, and these requests are reviewed. So are its requests
//! for permission that show an edit. Everything else passes unchanged; the editor is warned of edits that the agent made by itself. What the reviewer has to say reaches the model as a
//! further prompt at the end of the turn, because agents pass on the text of an error badly or not at all.

mod edits;
mod message;
mod process;
mod sessions;
mod unreviewed;

pub use edits::{Permission, Write};
pub use message::RpcMessage;
pub use process::{AgentInput, AgentOutput, Process};
pub use sessions::{FromAgent, FromEditor, OfferedCapabilities, Sessions};
