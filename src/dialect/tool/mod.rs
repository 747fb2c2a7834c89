//! Editing tools of agents: the table of tools, the schema of their fields, and the edits that their calls request.
//!
//! A call is an object of fields, from wherever it was read. `tool_match` finds its tool, `edit_request` the edits, and `request_hunk`
//! their hunks. Edits whose fields a protocol defines, not a tool, are read in `protocols` and `hashline`.

pub(in crate::dialect) mod ast_grep;
pub(in crate::dialect) mod bare_fields;
mod bind;
mod edit_consent;
pub(in crate::dialect) mod edit_request;
pub(in crate::dialect) mod field_names;
pub(in crate::dialect) mod hashline;
pub(in crate::dialect) mod protocols;
pub(in crate::dialect) mod request_hunk;
mod review_comment;
#[cfg(test)]
mod sample;
pub(in crate::dialect) mod schema;
pub(in crate::dialect) mod tool_match;
pub(in crate::dialect) mod tool_notation;
pub(in crate::dialect) mod tool_table;
pub(super) mod trial;
