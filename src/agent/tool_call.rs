//! Parsing and failing of tool calls, shared by both MCP servers.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Parses the arguments of a tool.
pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ErrorData> {
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

/// Returns the error for a tool that does not exist.
pub(super) fn unknown(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("no tool is called `{name}`"), None)
}

/// Returns a failed result, with the reason for the model.
pub(super) fn failed(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(format!("countersign: {why}"))])
}
