//! The tools that Gemini calls, `openDiff` and `closeDiff`, and the notifications that it waits for.

use std::path::{Path, PathBuf};

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::handler::server::common::schema_for_input;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomNotification,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    ServerNotification, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::diff::{Diff, DiffOutcome, Opener};
use super::open_diffs::{OpenDiffs, outcome};
use crate::agent::tool_call::{failed, read, unknown};

/// The header that names a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// MCP tools for Gemini CLI.
#[derive(Clone)]
pub(super) struct CompanionTools {
    pub(super) opener: Opener,
    pub(super) shown: OpenDiffs,
}

/// Parameters of `openDiff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenDiff {
    /// The file, by its full name.
    file_path: PathBuf,
    /// The text that it is to have.
    new_content: String,
}

/// Parameters of `closeDiff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CloseDiff {
    /// The file, by its full name.
    file_path: PathBuf,
}

impl ServerHandler for CompanionTools {
    fn get_info(&self) -> ServerConfig {
        let own = Implementation::new("countersign", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(own)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let wrong = |error: String| ErrorData::internal_error(error, None);
        let open = schema_for_input::<OpenDiff>().map_err(wrong)?;
        let close = schema_for_input::<CloseDiff>().map_err(wrong)?;
        Ok(ListToolsResult::with_all_items(vec![
            Tool::new("openDiff", "Shows a file's new text for review.", open),
            Tool::new("closeDiff", "Takes back what `openDiff` shows.", close),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let session = session(&context);
        match &*request.name {
            "openDiff" => {
                let OpenDiff {
                    file_path: file,
                    new_content: text,
                } = read(arguments)?;
                Ok(self.open(session, Diff { file, text }, context.peer).into())
            }
            "closeDiff" => {
                let CloseDiff { file_path: file } = read(arguments)?;
                Ok(self.close(&session, &file).await.into())
            }
            other => Err(unknown(other)),
        }
    }
}

impl CompanionTools {
    /// Shows a diff. Its outcome is sent when it is decided.
    fn open(&self, session: String, diff: Diff, peer: Peer<RoleServer>) -> CallToolResult {
        let file = diff.file.clone();
        let opened = (self.opener)(diff).and_then(|showing| {
            let told = self.shown.open(&session, &file, showing);
            told.map_err(|error| error.to_string())
        });
        match opened {
            Ok(told) => {
                let shown = self.shown.clone();
                tokio::spawn(send_outcome(shown, session, file, told, peer));
                CallToolResult::success(Vec::new())
            }
            Err(why) => failed(&why),
        }
    }

    /// Takes a diff back. Gemini reads the text as `content` of an object, and `null` as "what I have proposed".
    async fn close(&self, session: &str, file: &Path) -> CallToolResult {
        let Some(outcome) = self.shown.close(session, file).await else {
            return failed("nothing is shown for this file");
        };
        let content = match outcome {
            DiffOutcome::Accepted(text) => Value::String(text),
            DiffOutcome::Rejected | DiffOutcome::Undecided => Value::Null,
        };
        let content = json!({ "content": content }).to_string();
        CallToolResult::success(vec![ContentBlock::text(content)])
    }
}

/// Waits for the outcome of a diff, and sends it to Gemini CLI.
async fn send_outcome(
    shown: OpenDiffs,
    session: String,
    file: PathBuf,
    told: watch::Receiver<Option<DiffOutcome>>,
    peer: Peer<RoleServer>,
) {
    let outcome = outcome(told.clone()).await;
    if !shown.is_done(&session, &file, &told) {
        return;
    }
    let (method, params) = match outcome {
        DiffOutcome::Accepted(text) => (
            "ide/diffAccepted",
            json!({"filePath": file, "content": text}),
        ),
        DiffOutcome::Rejected => ("ide/diffRejected", json!({"filePath": file})),
        DiffOutcome::Undecided => return,
    };
    let notification = CustomNotification::new(method, Some(params));
    // A Gemini that has gone asks no more.
    let _ = peer
        .send_notification(ServerNotification::CustomNotification(notification))
        .await;
}

/// The session that a call belongs to, by the name that it has in every request.
fn session(context: &RequestContext<RoleServer>) -> String {
    let parts = context.extensions.get::<hyper::http::request::Parts>();
    let name = parts.and_then(|parts| parts.headers.get(SESSION)?.to_str().ok());
    name.unwrap_or_default().to_owned()
}
