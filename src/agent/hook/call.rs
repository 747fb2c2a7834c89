//! The call that an agent is about to make, parsed from a hook's standard input.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::clients::{FREEFORM, HookFormat, ToolKind};
use super::codex_sandbox;
use super::foreign_tool;
use super::names::Agent;
use super::shell_patch::{self, Embedded, ShellPatch};
use crate::text::UniqueJson;

/// Request of a client to a hook.
#[derive(Debug, Clone, PartialEq)]
pub enum HookRequest {
    /// A call of a tool that writes.
    Write(HookCall),
    /// A shell command, which no hook reviews; the hook lets it pass.
    Shell(HookCall),
    /// A call that writes nothing, or that is reviewed in another way; the hook lets it pass.
    Other,
    /// A call that must not be made, with the reason.
    Forbidden(String),
    /// A call that writes in a way that cannot be reviewed, with advice. It must not be made, unless it is a shell command and a
    /// layer holds back what it writes.
    Opaque(HookCall, String),
    /// A call of another client, which calls the hooks of this one as well, in this folder.
    OfOther(Agent, PathBuf),
    /// A call that was carried out: the agent has read or written a file, and the model may get a message about it.
    Done(HookCall),
}

/// A call of a tool that writes.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// The agent that makes it.
    pub agent: Agent,
    /// The tool's name.
    pub tool: String,
    /// The agent's session, where the client names one.
    pub session: Option<String>,
    /// The client's name for the call, where it gives one.
    pub id: Option<String>,
    /// The folder that the agent works in.
    pub folder: PathBuf,
    /// The arguments.
    pub args: Map<String, Value>,
    /// The kind of tool.
    pub(super) kind: ToolKind,
    /// Location of the patch, where a shell command applies it.
    pub(super) embedded: Option<Embedded>,
    /// True if `args` differ from what the agent sent.
    pub(super) is_rewritten: bool,
}

/// Why the input of a hook cannot be read.
#[derive(Debug, Error)]
pub enum MalformedInput {
    /// It is not JSON.
    #[error("the hook's input is not JSON")]
    Json(#[from] serde_json::Error),
    /// A field is missing, or is not text.
    #[error("the hook's input has no `{0}`")]
    Missing(&'static str),
}

/// Parses the input of a hook.
///
/// # Errors
///
/// [`MalformedInput`] if this is not the form of the agent; the call must then be denied.
pub fn read(agent: Agent, input: &[u8]) -> Result<HookRequest, MalformedInput> {
    let is_done = is_done(input);
    match read_call(agent, input, is_done) {
        Err(_) if is_done => Ok(HookRequest::Other),
        found => found,
    }
}

/// Returns whether the call is carried out already, so that there is nothing to decide about it. The rest of the input need not be
/// understood: it has what the tool has read as well.
fn is_done(input: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Event {
        hook_event_name: String,
    }
    serde_json::from_slice::<Event>(input)
        .is_ok_and(|event| matches!(event.hook_event_name.as_str(), "AfterTool" | "PostToolUse"))
}

fn read_call(agent: Agent, input: &[u8], is_done: bool) -> Result<HookRequest, MalformedInput> {
    let value = UniqueJson::parse(input)?;
    let value = match agent.form() {
        HookFormat::Cline => flattened(&value),
        HookFormat::PreToolUse | HookFormat::BeforeTool | HookFormat::Copilot | HookFormat::Own => {
            value
        }
    };
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let names = InputFields::of(agent);
    let tool = text(names.tool).ok_or(MalformedInput::Missing(names.tool))?;
    let folder = text(names.folder).ok_or(MalformedInput::Missing(names.folder))?;
    if !is_done
        && agent == Agent::Claude
        && agent.tool(&tool).is_some()
        && is_of_copilot(&value[names.args])
    {
        return Ok(HookRequest::OfOther(Agent::Copilot, folder.into()));
    }
    let args = value.get(names.args);
    let args = args.ok_or(MalformedInput::Missing(names.args))?;
    let args = arguments(agent, args)?.ok_or(MalformedInput::Missing(names.args))?;
    let mut call = HookCall {
        agent,
        kind: kind_of(agent, &tool, &args),
        session: text(names.session),
        id: text("tool_use_id"),
        folder: PathBuf::from(folder),
        embedded: None,
        is_rewritten: false,
        args,
        tool,
    };
    if agent.is_shell(&call.tool) {
        let found = if agent.has_patches_in_shell() {
            shell_patch::find(&call.args)
        } else {
            ShellPatch::None
        };
        match found {
            ShellPatch::None | ShellPatch::Opaque if is_done => {
                return Ok(HookRequest::Done(call));
            }
            ShellPatch::None => {
                let Some(name) = shell_patch::unknown_input(&call.tool, &call.args) else {
                    return Ok(HookRequest::Shell(call));
                };
                let why = format!(
                    "`{name}` may be input of the program, and so a patch; put all input into `chars`"
                );
                return Ok(HookRequest::Opaque(call, why));
            }
            ShellPatch::Opaque => return Ok(HookRequest::Opaque(call, OPAQUE_PATCH.to_owned())),
            ShellPatch::Plain(found) => {
                call.kind = ToolKind::Patch;
                call.folder.extend(text_of(&call.args, "workdir"));
                call.folder.extend(found.folder.as_deref());
                call.embedded = Some(found);
            }
        }
    } else if agent.tool(&call.tool).is_none() && !(is_done && agent.is_reader(&call.tool)) {
        if is_done || agent.is_harmless(&call.tool) {
            return Ok(HookRequest::Other);
        }
        return Ok(
            match foreign_tool::check(&call.tool, &call.args, &call.folder) {
                Some(why) => HookRequest::Opaque(call, why),
                None => HookRequest::Other,
            },
        );
    }
    if is_done {
        return Ok(HookRequest::Done(call));
    }
    if is_planning(&value) {
        return Ok(if call.is_own_plan() {
            HookRequest::Other
        } else {
            HookRequest::Forbidden(
                "plan mode: nothing is written now; put the edit into the plan".to_owned(),
            )
        });
    }
    if agent == Agent::Codex && codex_sandbox::refuses_edits(&value) {
        return Ok(HookRequest::Forbidden(READ_ONLY.to_owned()));
    }
    call.check()?;
    Ok(HookRequest::Write(call))
}

/// Reads the arguments of a call: an object or, from some clients, a string of JSON or the text of a patch.
fn arguments(agent: Agent, args: &Value) -> Result<Option<Map<String, Value>>, MalformedInput> {
    let of_text = |field: &str, text: &str| Map::from_iter([(field.to_owned(), text.into())]);
    Ok(match (args, agent) {
        (Value::Object(args), _) => Some(args.clone()),
        (Value::String(text), Agent::Copilot) if text.trim_start().starts_with('{') => {
            UniqueJson::parse(text.as_bytes())?.as_object().cloned()
        }
        (Value::String(text), Agent::Copilot) => Some(of_text(FREEFORM, text)),
        (Value::String(text), Agent::Cline) => Some(of_text(agent.fields().patch, text)),
        (_, _) => None,
    })
}

/// Returns the kind of a call. A tool whose new contents have the name of a new text replaces another text or inserts lines where
/// the arguments have an old text or a line.
fn kind_of(agent: Agent, tool: &str, args: &Map<String, Value>) -> ToolKind {
    let fields = agent.fields();
    let has = |name: &str| args.get(name).is_some_and(|value| !value.is_null());
    match agent.tool(tool) {
        Some(ToolKind::Write) if fields.content == fields.new => {
            if fields.line.is_some_and(has) {
                ToolKind::Insert
            } else if has(fields.old) {
                ToolKind::Replace
            } else {
                ToolKind::Write
            }
        }
        kind => kind.unwrap_or(ToolKind::Write),
    }
}

/// Returns a call of Cline CLI in the form of Claude Code. Cline runs its hooks in the folder from which its tools take names, and sends
/// only the top of the working tree.
fn flattened(value: &Value) -> Value {
    let folder = std::env::current_dir().ok();
    json!({
        "tool_name": value.pointer("/tool_call/name"),
        "tool_input": value.pointer("/tool_call/input"),
        "session_id": value.pointer("/sessionContext/rootSessionId"),
        "cwd": folder.map(|folder| folder.to_string_lossy().into_owned()),
    })
}

/// Returns whether the arguments in a call of Claude Code's form are those of GitHub Copilot CLI, which calls the hooks in Claude
/// Code's settings as well, by Claude Code's names for its tools: a text, or a file by Copilot's name for it and an edit.
fn is_of_copilot(args: &Value) -> bool {
    let fields = Agent::Copilot.fields();
    let has = |name| args.get(name).is_some();
    args.is_string()
        || (has(fields.path)
            && !has(Agent::Claude.fields().path)
            && [fields.old, fields.new, fields.content]
                .into_iter()
                .any(has))
}

/// The lines of a patch that name files.
const PATCH_NAMES: [&str; 4] = [
    "*** Add File:",
    "*** Delete File:",
    "*** Update File:",
    "*** Move to:",
];

/// Advice for a shell command that runs the patch program in a way that cannot be reviewed.
const OPAQUE_PATCH: &str = "this command applies a patch in a way that cannot be reviewed; send the patch with the `apply_patch` tool, or \
    as a shell command that is only `apply_patch <<'EOF'`, the patch, and `EOF`";

/// Reason to deny an edit that the client would not make after a review either.
const READ_ONLY: &str = "Codex works in a read-only sandbox here and may ask nobody, so it would refuse this edit after the review; nothing is \
    written, and the person is not asked. Say what you would change, or ask the person to start Codex with `--sandbox workspace-write`";

fn text_of<'a>(args: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    args.get(name).and_then(Value::as_str)
}

/// Returns whether the agent is in plan mode. Other permission modes make no difference: every edit is reviewed.
fn is_planning(value: &Value) -> bool {
    value.get("permission_mode").and_then(Value::as_str) == Some("plan")
}

impl HookCall {
    /// Returns the file that the call names, as the agent writes it; a patch names its files itself.
    pub fn path(&self) -> Option<&str> {
        self.text(self.path_field()?)
    }

    /// Returns the files that the call names, as the agent writes them: its own, or those of its patch.
    pub fn named_files(&self) -> Vec<&str> {
        if self.kind != ToolKind::Patch {
            return self.path().into_iter().collect();
        }
        let lines = self.patch().into_iter().flat_map(str::lines);
        let names = lines.filter_map(|line| {
            let line = line.trim();
            (PATCH_NAMES.iter()).find_map(|heading| line.strip_prefix(heading))
        });
        names.map(str::trim).collect()
    }

    /// Returns whether the tool is one of the client's own that write files or run shell commands.
    pub fn is_of_known_tool(&self) -> bool {
        self.agent.tool(&self.tool).is_some() || self.agent.is_shell(&self.tool)
    }

    /// Returns the command of a call that runs one in the shell.
    pub fn shell_command(&self) -> Option<String> {
        if !self.agent.is_shell(&self.tool) {
            return None;
        }
        let given = ["command", "cmd", "commands", "chars"]
            .into_iter()
            .find_map(|name| self.args.get(name))?;
        match given {
            Value::String(command) => Some(command.clone()),
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                Some(words.collect::<Vec<_>>().join(" "))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        }
    }

    /// Replaces the name of the file, so that the client opens the file that is reviewed.
    pub fn rename_file(&mut self, path: &str) {
        if let Some(field) = self.path_field()
            && self.text(field) != Some(path)
        {
            self.args.insert(field.to_owned(), path.into());
            self.is_rewritten = true;
        }
    }

    /// Returns whether the client remembers which files it has read by the names that the agent gave, and refuses to edit
    /// one under another name.
    pub fn remembers_names(&self) -> bool {
        self.agent.profile().remembers_names
    }

    fn path_field(&self) -> Option<&'static str> {
        match self.kind {
            ToolKind::Patch => None,
            ToolKind::Notebook => Some("notebook_path"),
            ToolKind::Diff => Some("filePath"),
            ToolKind::Replace | ToolKind::ReplaceSeveral | ToolKind::Insert | ToolKind::Write => {
                Some(self.agent.fields().path)
            }
        }
    }

    /// Returns the patch of a call that makes one.
    pub(super) fn patch(&self) -> Option<&str> {
        match &self.embedded {
            Some(embedded) => Some(&embedded.patch),
            None => self.text(self.agent.fields().patch),
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        text_of(&self.args, name)
    }

    /// Checks that the arguments that a review needs are there.
    fn check(&self) -> Result<(), MalformedInput> {
        let fields = self.agent.fields();
        let needed: &[&'static str] = match self.kind {
            ToolKind::Replace => &[fields.path, fields.old, fields.new],
            ToolKind::ReplaceSeveral => &[fields.path],
            ToolKind::Insert => &[fields.path, fields.new],
            ToolKind::Write => &[fields.path, fields.content],
            ToolKind::Patch if self.embedded.is_some() => &[],
            ToolKind::Patch => &[fields.patch],
            ToolKind::Notebook => &["notebook_path"],
            ToolKind::Diff => &["filePath", "newContent"],
        };
        let missing = needed.iter().find(|name| self.text(name).is_none());
        missing.map_or(Ok(()), |name| Err(MalformedInput::Missing(name)))
    }

    /// Returns whether the call writes the agent's own plan: a file in its folder of plans, outside of any project.
    fn is_own_plan(&self) -> bool {
        let own = std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".claude"));
        let plans = own.or(home).map(|folder| folder.join("plans"));
        let plain = |path: &Path| path.components().all(|part| part.as_os_str() != "..");
        match (self.agent, self.path().map(Path::new), plans) {
            (Agent::Claude, Some(path), Some(plans)) => plain(path) && path.starts_with(plans),
            _ => false,
        }
    }
}

/// Names of the fields in the input of a hook.
pub(super) struct InputFields {
    pub(super) tool: &'static str,
    pub(super) args: &'static str,
    pub(super) folder: &'static str,
    pub(super) session: &'static str,
}

impl InputFields {
    pub(super) fn of(agent: Agent) -> Self {
        match agent.form() {
            HookFormat::PreToolUse | HookFormat::BeforeTool | HookFormat::Cline => Self {
                tool: "tool_name",
                args: "tool_input",
                folder: "cwd",
                session: "session_id",
            },
            HookFormat::Copilot => Self {
                tool: "toolName",
                args: "toolArgs",
                folder: "cwd",
                session: "sessionId",
            },
            HookFormat::Own => Self {
                tool: "tool",
                args: "args",
                folder: "directory",
                session: "sessionID",
            },
        }
    }
}
