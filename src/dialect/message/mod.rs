//! Messages around calls: JSON of model APIs, streams of their events, and logs of whole sessions.

pub(in crate::dialect) mod aider_history;
pub(in crate::dialect) mod alternatives;
mod call_fields;
mod call_outcome;
pub(in crate::dialect) mod call_result;
pub(in crate::dialect) mod call_search;
mod cursor_call;
pub(in crate::dialect) mod json_call;
pub(in crate::dialect) mod json_event;
pub(in crate::dialect) mod message_fields;
pub(in crate::dialect) mod message_role;
pub(in crate::dialect) mod message_tree;
pub(in crate::dialect) mod name_beside;
pub(in crate::dialect) mod nested_json;
pub(in crate::dialect) mod permission;
mod result_text;
pub(in crate::dialect) mod stream;
pub(in crate::dialect) mod tool_report;
pub(in crate::dialect) mod transcript;
mod unfinished;
pub(in crate::dialect) mod unknown_messages;
