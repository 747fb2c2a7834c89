//! The arguments of the reviewer that stays open, and of those who come to it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::edit_args::InputArgs;
use super::shared_args::{ReportForm, SettingArgs, parse_seconds};

/// Arguments of `serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// The folder that edits may touch; agents that work in it or below it find the reviewer by it
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Seconds that a rejection without a comment waits for one before the agent gets it
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = parse_seconds)]
    pub grace: Duration,
    /// Leave when everything that has come is answered
    #[arg(long)]
    pub once: bool,
    /// Be the companion of Gemini CLI too: what it asks about in its own window can be reviewed here
    #[cfg(feature = "mcp")]
    #[arg(long)]
    pub gemini: bool,
    /// Run this command line when a proposal waits and no key was pressed for a minute (`serve.notify_after`): it gets what
    /// waits in environment variables, and as JSON on standard input
    #[arg(long, value_name = "CMD")]
    pub notify: Option<String>,
    /// Take decisions from other terminals of yours: `countersign decide`
    #[arg(long)]
    pub remote: bool,
    /// Settings of this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `decide`.
#[derive(Debug, Clone, Args)]
pub struct DecideArgs {
    /// The proposal, by the id that the list shows; the list without it
    #[arg(value_name = "ID")]
    pub proposal: Option<String>,
    /// The decision; the proposal is shown without it
    #[arg(requires = "proposal")]
    pub verdict: Option<DecisionArg>,
    /// Decide this hunk only, by the name that the list shows; may be given again
    #[arg(long = "hunk", value_name = "N", requires = "verdict")]
    pub hunks: Vec<String>,
    /// Say something to the agent about it
    #[arg(long, value_name = "TEXT", requires = "verdict")]
    pub comment: Option<String>,
    /// The folder that the reviewer was started in, or one below it
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// The form of the answer on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Decisions of `decide`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DecisionArg {
    /// Accept all that is undecided, or the named hunks
    Accept,
    /// Reject all that is undecided, or the named hunks
    Reject,
}

/// Arguments of `submit`.
#[derive(Debug, Clone, Args)]
pub struct SubmitArgs {
    /// The edits.
    #[command(flatten)]
    pub input: InputArgs,
    /// The folder that names in the edits start from
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// The name of the agent, for the reviewer
    #[arg(long, value_name = "NAME", default_value = "script")]
    pub agent: String,
    /// The agent's session: what its hooks have seen it read says where its edits belong
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// A file as the agent saw it when it made the edits, if it may have changed since: its name in the edits, and the file that
    /// holds what the agent saw; may be given again
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_seen)]
    pub seen: Vec<(String, PathBuf)>,
    /// Write nothing: whoever asks writes, by the texts that were approved, which the answer has as JSON (`--report json`)
    #[arg(long)]
    pub agent_writes: bool,
    /// Take all of the edits as they are, or none
    #[arg(long)]
    pub whole: bool,
    /// Seconds to wait for the answer; without it as long as it takes
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub wait: Option<Duration>,
    /// Open no reviewer where none is open
    #[arg(long)]
    pub no_overlay: bool,
    /// The form of the answer on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
    /// Settings of this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `threads`.
#[derive(Debug, Clone, Args)]
pub struct ThreadsArgs {
    /// Act on a thread; the list of threads without it
    #[arg(requires = "thread")]
    pub action: Option<ThreadsAction>,
    /// The thread, by the name that the list shows
    #[arg(value_name = "ID")]
    pub thread: Option<String>,
    /// The text of a reply
    pub text: Option<String>,
    /// List resolved threads too
    #[arg(long)]
    pub all: bool,
    /// Reply as this agent; without it you reply yourself, which needs a terminal
    #[arg(long = "as", value_name = "NAME")]
    pub agent: Option<String>,
    /// The folder that is reviewed, or one below it while a reviewer is open
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// The form of the list on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Actions of `threads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThreadsAction {
    /// Write a message
    Reply,
    /// Resolve it, which only a person does
    Resolve,
    /// Reopen a resolved one, which only a person does
    Reopen,
}

/// Arguments of `schema`.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// Whose schema
    #[arg(default_value = "report")]
    pub form: SchemaForm,
}

/// Documents that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaForm {
    /// The report of `apply`, `check` and `review`
    Report,
    /// The verdict of `submit` and of the doors for agents
    Verdict,
    /// The pending proposals of `decide` and of a notification
    Pending,
    /// The threads of `threads` and of the MCP server
    Threads,
}

fn parse_seen(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (name, file) = text.split_once('=').ok_or("it is `NAME=FILE`")?;
    Ok((name.to_owned(), file.into()))
}
