//! What an agent is about to do, as it says on a hook's standard input.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use thiserror::Error;

use super::names::{Agent, Kind};

/// What a hook is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// A call of a tool that writes.
    Write(Call),
    /// A call that writes nothing, or that is reviewed in another way: it goes its own way.
    Other,
    /// A call that must not be made, and why.
    Forbidden(String),
    /// A call was carried out with the input that a person amended, and the agent may be told more about it.
    Amended(Call),
}

/// A call of a tool that writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Whose.
    pub agent: Agent,
    /// The tool's name.
    pub tool: String,
    /// The agent's session, if it says.
    pub session: Option<String>,
    /// The folder that the agent works in.
    pub folder: PathBuf,
    /// The arguments.
    pub args: Map<String, Value>,
    /// What the tool does.
    pub(super) kind: Kind,
}

/// Why what a hook is asked is not understood.
#[derive(Debug, Error)]
pub enum Malformed {
    /// It is not JSON.
    #[error("the hook's input is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A field is missing, or is no text.
    #[error("the hook's input has no `{0}`")]
    Missing(&'static str),
}

/// Fields that tell that a tool writes, whatever it is called.
const WRITES: [&str; 13] = [
    "content",
    "contents",
    "new_string",
    "newString",
    "new_str",
    "file_text",
    "new_source",
    "patch",
    "patchText",
    "diff",
    "edits",
    "code_edit",
    "new_text",
];

/// Reads what an agent says.
///
/// # Errors
///
/// [`Malformed`] if it is not what this agent says: to be answered with a no.
pub fn read(agent: Agent, input: &[u8]) -> Result<Asked, Malformed> {
    let value: Value = serde_json::from_slice(input)?;
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let names = Envelope::of(agent);
    let tool = text(names.tool).ok_or(Malformed::Missing(names.tool))?;
    let folder = text(names.folder).ok_or(Malformed::Missing(names.folder))?;
    let args = match value.get(names.args) {
        Some(Value::Object(args)) => args.clone(),
        Some(_) | None => return Err(Malformed::Missing(names.args)),
    };
    let event = text("hook_event_name");
    let Some(kind) = agent.tool(&tool) else {
        return Ok(unknown(&tool, &args));
    };
    let call = Call {
        agent,
        tool,
        session: text(names.session),
        folder: PathBuf::from(folder),
        args,
        kind,
    };
    if let Some("AfterTool" | "PostToolUse") = event.as_deref() {
        let amended = call.args.get("modified_by_user").and_then(Value::as_bool) == Some(true);
        return Ok(if amended {
            Asked::Amended(call)
        } else {
            Asked::Other
        });
    }
    if is_planning(&value) {
        return Ok(if call.is_own_plan() {
            Asked::Other
        } else {
            Asked::Forbidden(
                "plan mode: nothing is written now; put the edit into the plan".to_owned(),
            )
        });
    }
    call.check()?;
    Ok(Asked::Write(call))
}

/// What becomes of a tool that is in no table. If it looks like one that writes, it would go round the review.
fn unknown(tool: &str, args: &Map<String, Value>) -> Asked {
    // Whatever our own server is asked for is reviewed there.
    if tool.starts_with("mcp__countersign__") || tool.starts_with("countersign_") {
        return Asked::Other;
    }
    let writes = args.keys().any(|name| WRITES.contains(&name.as_str()));
    let patches = args.values().any(|value| {
        let text = value.as_str();
        text.is_some_and(|text| text.contains("*** Begin Patch"))
    });
    if writes || patches {
        Asked::Forbidden(format!(
            "`{tool}` seems to write, and countersign does not know how to review it; use the usual tools for edits"
        ))
    } else {
        Asked::Other
    }
}

/// Whether the agent only makes a plan. How much it would ask before it writes does not matter else: every edit is reviewed.
fn is_planning(value: &Value) -> bool {
    value.get("permission_mode").and_then(Value::as_str) == Some("plan")
}

impl Call {
    /// The file that it names, as it names it; a patch names its files itself.
    pub fn path(&self) -> Option<&str> {
        let name = match self.kind {
            Kind::Patch => return None,
            Kind::Notebook => "notebook_path",
            Kind::Diff => "filePath",
            Kind::Replace | Kind::ReplaceSeveral | Kind::Write => self.agent.fields().path,
        };
        self.text(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.args.get(name).and_then(Value::as_str)
    }

    /// Makes sure that the arguments that a review needs are there.
    fn check(&self) -> Result<(), Malformed> {
        let fields = self.agent.fields();
        let needed: &[&'static str] = match self.kind {
            Kind::Replace => &[fields.path, fields.old, fields.new],
            Kind::ReplaceSeveral => &[fields.path],
            Kind::Write => &[fields.path, "content"],
            Kind::Patch => &[fields.patch],
            Kind::Notebook => &["notebook_path"],
            Kind::Diff => &["filePath", "newContent"],
        };
        let missing = needed.iter().find(|name| self.text(name).is_none());
        missing.map_or(Ok(()), |name| Err(Malformed::Missing(name)))
    }

    /// Whether it writes the agent's own plan, which plan mode is for: a file in its folder of plans, outside any project.
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

/// What an agent calls the parts of what it says to a hook.
struct Envelope {
    tool: &'static str,
    args: &'static str,
    folder: &'static str,
    session: &'static str,
}

impl Envelope {
    fn of(agent: Agent) -> Self {
        match agent {
            Agent::Claude | Agent::Codex | Agent::Gemini => Self {
                tool: "tool_name",
                args: "tool_input",
                folder: "cwd",
                session: "session_id",
            },
            Agent::Opencode => Self {
                tool: "tool",
                args: "args",
                folder: "directory",
                session: "sessionID",
            },
        }
    }
}
