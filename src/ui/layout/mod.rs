//! Where everything is on the screen, and what the person chose to see.

pub mod areas;
pub mod display_settings;
