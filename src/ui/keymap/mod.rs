//! The key table: what each key does where, and what the help says of it.
//!
//! This one table drives dispatch, the hint bar, the help and the palette, by way of the [`Keymap`] that a preset and the
//! settings make of it. Keys are written as [`keystroke`] reads them, a sequence with blanks between its chords.

mod binding;
mod context;
mod effective_keymap;
pub mod key_sequence;
pub mod keystroke;
mod preset;
mod remap;
mod remap_error;
mod table;

pub use binding::{Binding, Remap, Topic};
pub use context::KeyContext;
pub(crate) use effective_keymap::shown;
pub use effective_keymap::{Bound, Keymap, Lookup, Sequence};
pub use preset::Preset;
pub use remap_error::RemapError;
pub use table::KEYS;
