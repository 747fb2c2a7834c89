//! Text as the terminal shows it: graphemes, their widths, and line breaking.

mod glyph;
pub mod terminal_width;
pub(crate) mod wrap;

pub use glyph::*;
