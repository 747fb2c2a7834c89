//! Text as files hold it: lines with their own endings, line numbers, indentation, encodings.
//!
//! Everything above this module works on UTF-8 lines without their endings; this module is where a file's bytes become
//! such lines and where they become bytes again, so that whatever was not changed survives byte for byte. It also has
//! "did you mean" suggestions ([`meant()`]), removes control characters ([`seen()`]), writes counts in words
//! ([`counted()`]), and finds the cells in the text of a notebook.

mod counted;
mod document;
mod encoding;
mod hex;
mod indent;
mod meant;
mod notebook;
mod number;
pub mod raw_bytes;
mod seen;
mod spliced;

pub use counted::counted;
pub use document::{Document, Ending};
pub use encoding::{DecodeError, EncodeError, Encoding, decoded};
pub(crate) use hex::hex;
pub use indent::{IndentUnit, columns, indent_of, split_indent};
pub use meant::meant;
pub(crate) use notebook::{Cell, Notebook};
pub use number::{LineIdx, LineNo};
pub use seen::{misleads, seen, seen_name, visible};
pub use spliced::Spliced;
