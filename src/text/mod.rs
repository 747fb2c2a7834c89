//! Text as files hold it: lines with their own endings, line numbers, indentation, encodings.
//!
//! Everything above this module works on UTF-8 lines without their endings; this module is where a file's bytes become
//! such lines and where they become bytes again, so that whatever was not changed survives byte for byte. It also has
//! "did you mean" suggestions ([`did_you_mean()`]), removes control characters ([`sanitize()`]), writes counts in words
//! ([`plural()`]), and finds the cells in the text of a notebook and the words in that of a shell script.

mod declared_encoding;
mod did_you_mean;
mod document;
mod duration;
mod encoding;
mod hex;
mod indent;
mod json_syntax;
mod notebook;
mod number;
mod piece_table;
mod plural;
pub mod raw_bytes;
mod sanitize;
mod seven_bit;
mod shared_encoding;
mod shell_tokens;
mod unique_json;

pub use did_you_mean::did_you_mean;
pub use document::{Document, LineEnding};
pub use duration::duration;
pub use encoding::{DecodeError, EncodeError, Encoding, decoded};
pub(crate) use hex::hex;
pub use indent::{IndentUnit, columns, indent_of, split_indent};
pub(crate) use json_syntax::PLAIN_JSON;
pub(crate) use notebook::{Notebook, NotebookCell};
pub use number::{LineIdx, LineNo};
pub use piece_table::PieceTable;
pub use plural::plural;
pub use sanitize::{misleads, sanitize, sanitize_name, visible};
pub(crate) use shared_encoding::{in_one_encoding, may_be_recoded};
pub(crate) use shell_tokens::{ShellToken, ShellWord, shell_tokens};
pub(crate) use unique_json::UniqueJson;
