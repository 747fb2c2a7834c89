//! Layout of the screen, and display settings.

pub mod areas;
pub mod display_settings;
