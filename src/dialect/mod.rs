//! From text to a proposal.
//!
//! A dialect is a way to write edits down. Each has one file here and one row in [`DIALECTS`]; [`parse()`] walks the lines of
//! an input (`walk`; a large one's in two `halves`) and asks every dialect at every line whether a section of its own
//! begins there. What no dialect claims is prose: the proposal's intent.
//!
//! The frame: `contract` (what a dialect is), `table` (all of them), `parse` (the entry), `options`, `parsed`, `scan`, `walk`.
//!
//! Modules that several dialects share:
//! * text: `input`, `fence`, `indented_fence`, `file_name`, `fault` (why something cannot be read), `text_body`,
//!   `written` (whole files);
//! * search/replace blocks: `marker`, `search_block`, `left_out`;
//! * diffs: `binary_patch`, `hunk_header`, `diff_body`, `diff_hunk`, `diff_path`, `diff_command`, `git_header`, `line_range`,
//!   `presence`;
//! * wrappers: `heredoc`, `xml`, `xml_call`, `fenced_file`, `quoted`;
//! * tool calls: `tools` (the table), `schema`, `json_call`, `containers`, `call_fields`, `wish`, `call_hunk`, `markup`, `marked_call`, `refactoring`,
//!   `hashline`, `inner_text`;
//! * transcripts: `transcript`, `stream`, `call_result`, `foreign_message`, `aider_history`;
//! * whole inputs: `colour`, `transport`, `series`, `unsupported`.

mod aider;
mod aider_history;
mod binary_patch;
mod call_fields;
mod call_hunk;
mod call_request;
mod call_result;
mod colour;
mod containers;
mod context;
mod contract;
mod diff_body;
mod diff_command;
mod diff_hunk;
mod diff_path;
mod ed;
mod elision;
mod envelope;
mod envelope_file;
mod envelope_text;
mod fault;
mod fence;
mod fenced_file;
mod file_existence;
mod file_name;
mod file_write;
mod foreign_message;
mod git_header;
mod hashline;
mod heredoc;
mod hunk_header;
mod indented_fence;
mod inner_text;
mod input;
mod json_call;
mod line_range;
mod marked_call;
mod marker;
mod markup;
mod normal;
mod options;
mod parallel_walk;
mod parse;
mod parsed;
mod quotation;
mod rcs;
mod refactoring;
mod roo_xml;
mod scan;
mod schema;
mod search_block;
mod search_replace;
mod series;
mod shell;
mod sketch;
mod stream;
mod suggestion;
mod table;
mod text_body;
mod tool_call;
mod tools;
mod transcript;
mod transport;
mod unified;
mod unsupported;
mod walk;
mod whole;
mod xml;
mod xml_call;
mod zed;

pub(crate) use colour::uncoloured;
pub use contract::{Before, Dialect, Evidence, Section};
pub use input::{Asked, Input, Turns};
pub use options::Options;
pub use parse::parse;
pub use parsed::Parsed;
pub use table::{DIALECTS, KnownTool, known_tools, named};
