//! Tags at the start of a line around edits, and the calls of tools that consist of such tags.

pub(in crate::dialect) mod element;
pub(in crate::dialect) mod xml_call;
