//! Colours by meaning, and the signs that say the same without colour.
//!
//! Every state has a sign, so a theme without any colour loses nothing but comfort. A theme with 16 colours names them
//! and leaves their shades to the terminal.

mod capability;
mod palette;
mod signs;
mod styles;
mod theme_file;

pub use capability::{Background, Depth};
pub use palette::Palette;
pub use signs::Signs;
pub use styles::{ChangeStyle, MovedStyle, Theme};
pub use theme_file::{THEMES, ThemeError};
