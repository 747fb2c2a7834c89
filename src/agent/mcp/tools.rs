//! Tools of the server: names, descriptions, results.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::handler::server::common::schema_for_input;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::{Instant, interval, sleep_until};

use super::McpServer;
use super::parameters::{
    ApplyDiff, ApplyPatch, EditFile, ListThreads, ProposeChanges, Proposes, Reply, WaitForFeedback,
    WaitForVerdict, WriteFile, arguments_of,
};
use super::thread_store::MessagePurpose;
use super::tickets::PendingTicket;
use crate::agent::tool_call::{failed, unknown};
use crate::agent::{Submission, Verdict};
use crate::review::{Status, ThreadReport};

/// Interval of progress notifications.
const PROGRESS: Duration = Duration::from_secs(3);

/// Interval between two looks for a question about a proposal.
const QUESTIONS: Duration = Duration::from_secs(1);

/// The JSON Schema of a list of threads.
const THREADS: &str = include_str!("../../../assets/threads.schema.json");

/// The JSON Schema of a verdict.
const VERDICT: &str = include_str!("../../../assets/verdict.schema.json");

const INSTRUCTIONS: &str = "Edits that go through these tools are reviewed by a person before they are written. Use them instead of other \
    tools that write files. The answer says what was written, what the person changed (do not revert it), and what was rejected \
    and why. If a call comes back with a ticket, nobody has decided yet: call `wait_for_verdict` with it, again and again if need \
    be, and do not send the edit a second time. The person may also ask and comment in threads at lines of a file: answer them with \
    `reply`, and with `propose_resolution` where you have done what was asked; only the person resolves a thread.";

/// A tool: name, title, description, and the schema of its parameters.
struct OfferedTool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    schema: fn() -> Result<Arc<JsonObject>, String>,
    purpose: Purpose,
}

/// Purpose of a tool, by which clients decide what they allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Changes files, after a review.
    Proposes,
    /// Waits for the verdict.
    Waits,
    /// Reads threads.
    Reads,
    /// Answers a thread.
    Answers,
}

const OFFERS: [OfferedTool; 10] = [
    offer::<ApplyDiff>(
        "apply_diff",
        "Propose a diff",
        "Changes one file (or several, with `args`) by search/replace blocks or a diff, after a person has reviewed it.",
        Purpose::Proposes,
    ),
    offer::<ApplyPatch>(
        "apply_patch",
        "Propose a patch",
        "Changes any number of files by one patch, after a person has reviewed it.",
        Purpose::Proposes,
    ),
    offer::<EditFile>(
        "edit_file",
        "Propose an edit",
        "Replaces text in a file, or merges changed code into it, after a person has reviewed it.",
        Purpose::Proposes,
    ),
    offer::<WriteFile>(
        "write_file",
        "Propose a file",
        "Makes a file, or replaces all that one holds, after a person has reviewed it.",
        Purpose::Proposes,
    ),
    offer::<ProposeChanges>(
        "propose_changes",
        "Propose changes",
        "Changes any number of files, in whatever form edits are written, as one proposal that a person reviews before anything is written. Best for changes that belong together.",
        Purpose::Proposes,
    ),
    offer::<WaitForVerdict>(
        "wait_for_verdict",
        "Wait for the verdict",
        "Goes on waiting for the review of a proposal whose call came back with a ticket.",
        Purpose::Waits,
    ),
    offer::<ListThreads>(
        "list_threads",
        "List threads",
        "Lists what the person asked and commented at lines of files, with all replies: the threads that are not resolved, or others.",
        Purpose::Reads,
    ),
    offer::<Reply>(
        "reply",
        "Reply in a thread",
        "Answers a question or a comment of the person in its thread. It changes no file.",
        Purpose::Answers,
    ),
    offer::<Reply>(
        "propose_resolution",
        "Propose a resolution",
        "Tells the person that what a thread asks for is done, and how. The thread stays unresolved until the person resolves it.",
        Purpose::Answers,
    ),
    offer::<WaitForFeedback>(
        "wait_for_feedback",
        "Wait for feedback",
        "Waits until the person writes to you in a thread, resolves one or reopens one, and returns these threads: at once, if something came that you were not given yet.",
        Purpose::Reads,
    ),
];

const fn offer<T: JsonSchema + 'static>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    purpose: Purpose,
) -> OfferedTool {
    OfferedTool {
        name,
        title,
        description,
        schema: schema_for_input::<T>,
        purpose,
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let own = Implementation::new("countersign", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<Tool>, String> = OFFERS.iter().map(OfferedTool::tool).collect();
        let tools = tools.map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let pending = match &*request.name {
            "apply_diff" => self.propose::<ApplyDiff>("apply_diff", arguments, &context),
            "apply_patch" => self.propose::<ApplyPatch>("apply_patch", arguments, &context),
            "edit_file" => self.propose::<EditFile>("edit_file", arguments, &context),
            "write_file" => self.propose::<WriteFile>("write_file", arguments, &context),
            "propose_changes" => {
                self.propose::<ProposeChanges>("propose_changes", arguments, &context)
            }
            "wait_for_verdict" => self.waiting(arguments),
            "list_threads" => return Ok(self.list_threads(arguments).into()),
            "reply" => {
                return Ok(self
                    .answer_thread(arguments, MessagePurpose::Reply, &context)
                    .into());
            }
            "propose_resolution" => {
                let answered = self.answer_thread(arguments, MessagePurpose::Resolution, &context);
                return Ok(answered.into());
            }
            "wait_for_feedback" => {
                return Ok(self.wait_for_feedback(arguments, &context).await.into());
            }
            other => return Err(unknown(other)),
        };
        // A model can correct its arguments, so that they are wrong is a result of the tool, and no error of the protocol.
        Ok(match pending {
            Ok(pending) => self.wait(pending, &context).await,
            Err(why) => failed(&why),
        }
        .into())
    }

    /// Answers a request of an unknown method, and a call of a tool that the SDK cannot parse, such as one whose arguments are a string.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            let code = ErrorCode::METHOD_NOT_FOUND;
            return Err(ErrorData::new(code, request.method, None));
        }
        let why = "the call cannot be read: `name` must be a string and `arguments` an object";
        match serde_json::to_value(failed(why)) {
            Ok(result) => Ok(CustomResult(result)),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}

impl OfferedTool {
    fn tool(&self) -> Result<Tool, String> {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(matches!(self.purpose, Purpose::Waits | Purpose::Reads))
            .destructive(self.purpose == Purpose::Proposes)
            .idempotent(true)
            .open_world(false);
        let tool = Tool::new(self.name, self.description, (self.schema)()?);
        let tool = tool.with_title(self.title).with_annotations(hints);
        let output = match self.purpose {
            Purpose::Proposes | Purpose::Waits => output_schema()?,
            Purpose::Reads | Purpose::Answers => {
                Arc::new(serde_json::from_str(THREADS).map_err(|error| error.to_string())?)
            }
        };
        Ok(tool.with_raw_output_schema(output))
    }
}

impl McpServer {
    /// Hands what a tool is called with to the reviewer.
    fn propose<T: Proposes + DeserializeOwned>(
        &self,
        tool: &str,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> Result<PendingTicket, String> {
        let proposal = arguments_of::<T>(arguments)?.proposal()?;
        let client = context
            .peer
            .peer_info()
            .map(|info| info.client_info.name.clone());
        let submission = Submission {
            agent: client.unwrap_or_else(|| proposal.agent.clone()),
            tool: Some(tool.to_owned()),
            answers: true,
            ..proposal
        };
        PendingTicket::ask(&self.folder, self.overlay.as_deref(), submission)
            .map_err(|error| error.to_string())
    }

    /// Returns the proposal of a ticket.
    fn waiting(&self, arguments: Value) -> Result<PendingTicket, String> {
        let WaitForVerdict { ticket } = arguments_of(arguments)?;
        self.tickets.take(&ticket).ok_or_else(|| {
            "no proposal waits under this ticket: its verdict was given already, or another call waits for it"
                .to_owned()
        })
    }

    /// Waits for the verdict, until the client would give up, or does.
    async fn wait(
        &self,
        mut pending: PendingTicket,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let token = context.meta.get_progress_token();
        let patience = Instant::now() + self.patience;
        let (mut ticks, mut heard) = (interval(PROGRESS), 0.0);
        let mut looks = interval(QUESTIONS);
        loop {
            if let Some(answer) = pending.done() {
                return match &*answer {
                    Ok(verdict) => verdict_result(verdict),
                    Err(error) => failed(error),
                };
            }
            tokio::select! {
                () = context.ct.cancelled() => return failed("cancelled: the proposal is withdrawn"),
                () = self.input_ended() => return failed("the connection is closed: the proposal is withdrawn"),
                () = sleep_until(patience) => {
                    let result = ticket(&pending, &[]);
                    self.tickets.keep(pending);
                    return result;
                }
                _ = looks.tick() => {
                    let questions = self.questions(&pending.ticket);
                    if !questions.is_empty() {
                        let result = ticket(&pending, &questions);
                        self.tickets.keep(pending);
                        return result;
                    }
                }
                changed = pending.told.changed() => {
                    if changed.is_err() && pending.done().is_none() {
                        return failed("countersign failed within itself, and nothing is written");
                    }
                }
                _ = ticks.tick() => if let Some(token) = &token {
                    heard += 1.0;
                    let progress = ProgressNotificationParam::new(token.clone(), heard).with_message(pending.words());
                    // A client that does not listen may still want the verdict.
                    let _ = context.peer.notify_progress(progress).await;
                },
            }
        }
    }
}

/// Returns the schema of the data that a tool returns: a verdict, or a ticket, of which only the status is common.
fn output_schema() -> Result<Arc<JsonObject>, String> {
    let mut schema: JsonObject =
        serde_json::from_str(VERDICT).map_err(|error| error.to_string())?;
    schema.retain(|name, _| matches!(name.as_str(), "type" | "properties" | "$defs"));
    schema.insert("required".to_owned(), json!(["status"]));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let properties = properties.ok_or("the schema of verdicts has no properties")?;
    let states = properties
        .get_mut("status")
        .and_then(|status| status.get_mut("enum"));
    let states = states.and_then(Value::as_array_mut);
    states
        .ok_or("the schema of verdicts has no states")?
        .push("pending".into());
    let ticket = json!({"type": "string", "description": "With the status `pending`: the ticket for `wait_for_verdict`."});
    properties.insert("ticket".to_owned(), ticket);
    Ok(Arc::new(schema))
}

/// A verdict, as text for the model and as data.
fn verdict_result(verdict: &Verdict) -> CallToolResult {
    let text = vec![ContentBlock::text(verdict.message.clone())];
    let mut result = match verdict.status {
        Status::Refused | Status::Failed => CallToolResult::error(text),
        Status::Applied | Status::AlreadyApplied | Status::Partial => CallToolResult::success(text),
    };
    result.structured_content = serde_json::to_value(verdict).ok();
    result
}

/// A ticket: nobody has decided yet, or the person asks something first.
fn ticket(pending: &PendingTicket, questions: &[ThreadReport]) -> CallToolResult {
    let wait = format!(
        "call `wait_for_verdict` with the ticket `{}` to go on waiting. Do not send the edit again, and do not make it in another way.",
        pending.ticket
    );
    let text = if questions.is_empty() {
        format!(
            "Nobody has decided yet ({}). To do: {wait}",
            pending.words()
        )
    } else {
        let asked: Vec<String> = (questions.iter())
            .map(|thread| format!("{thread}: {}", thread.latest_of_person()))
            .collect();
        format!(
            "The person asks before deciding:\n{}\nAnswer with `reply` and the name of the thread, then {wait}",
            asked.join("\n")
        )
    };
    let mut content = json!({"status": "pending", "ticket": pending.ticket});
    if !questions.is_empty() {
        content["threads"] = json!(questions);
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(content);
    result
}
