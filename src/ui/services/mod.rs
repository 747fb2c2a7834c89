//! Background services of a review: file watching, other proposals, the check command, the apply model, the external editor.

pub(crate) mod apply_model;
pub(crate) mod background;
pub mod check;
pub mod external_editor;
pub(crate) mod threads;
