//! How a call of a tool begins and how it fails, in both servers that speak the Model Context Protocol.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads what a tool is called with.
pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ErrorData> {
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

/// That no tool has the name that is called.
pub(super) fn unknown(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("no tool is called `{name}`"), None)
}

/// Why a call came to nothing, for the model.
pub(super) fn failed(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(format!("countersign: {why}"))])
}
