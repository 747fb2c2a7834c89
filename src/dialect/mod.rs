//! From text to a proposal.
//!
//! A dialect is a way to write edits down. Each is a [`Dialect`] with one row in [`DIALECTS`]; [`parse()`] goes over the lines of
//! an input and asks every dialect at every line whether a section of its own begins there. What no dialect claims is prose: the
//! proposal's intent.
//!
//! Each folder imports only from those above it in this table, and from the files beside it ([`Input`], [`Parsed`], …):
//!
//! | what is read | folder |
//! |---|---|
//! | code fences and the names of files above them | `markdown` |
//! | the lines of a hunk, from texts | `body` |
//! | the lines of an input, one dialect after the other | `scan` |
//! | search/replace blocks | `blocks` |
//! | tags around edits | `xml` |
//! | diffs of all forms | `diff` |
//! | `apply_patch` envelopes | `envelope` |
//! | shell commands that write files | `shell` |
//! | files in code fences | `fenced` |
//! | editing tools and the fields of their calls | `tool` |
//! | messages, streams and logs of sessions | `message` |
//! | calls in JSON, tags and tokens | `call` |
//! | colours, quotation marks and indentation of a whole input; mails | `pasted` |

mod blocks;
mod body;
mod call;
mod commit_message;
mod dialect_trait;
mod diff;
mod envelope;
mod fenced;
mod file_names;
mod guessed_fence;
mod input;
mod left_out;
mod markdown;
mod marker_line;
mod mentioned_names;
mod message;
mod options;
mod parse;
mod parse_error;
mod parsed;
mod pasted;
mod refused_forms;
mod scan;
mod script_state;
mod shell;
mod table;
mod tool;
mod tree_names;
mod unread;
mod unsupported;
mod xml;

pub use dialect_trait::{Before, Dialect, EvidenceKind, Section};
pub(crate) use file_names::follow_moves;
pub use input::{Input, ReadReason, Turns};
pub(crate) use marker_line::MarkerLine;
pub use options::Options;
pub use parse::parse;
pub use parsed::Parsed;
pub(crate) use pasted::diff_colour::uncoloured;
pub use table::{DIALECTS, KnownTool, known_tools, named};
