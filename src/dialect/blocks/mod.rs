//! Search/replace blocks: an old and a new text between marker lines, as Roo Code, Cline and Aider write them.

pub(in crate::dialect) mod aider;
pub(in crate::dialect) mod marker;
pub(in crate::dialect) mod search_block;
pub(in crate::dialect) mod search_replace;
