//! Shell commands that write files. They are read, never executed.

pub(in crate::dialect) mod changing_command;
pub(in crate::dialect) mod edit_command;
pub(in crate::dialect) mod file_command;
pub(in crate::dialect) mod here_document;
mod mode_command;
mod words;
