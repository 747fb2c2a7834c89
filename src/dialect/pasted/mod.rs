//! Colours, quotation marks and indentation that a terminal, a mail program or a document put around the lines of an input or
//! into them.

pub(in crate::dialect) mod call_in_line;
pub(in crate::dialect) mod decoration;
pub(in crate::dialect) mod diff_colour;
pub(in crate::dialect) mod mail;
