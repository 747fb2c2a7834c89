//! The arguments of the commands that run others in a copy-on-write layer.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::shared_args::{ReportForm, SettingArgs};

/// Arguments of `run`.
#[derive(Debug, Clone, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct RunArgs {
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "drop")]
    pub command: Vec<OsString>,
    /// The folder that the layer covers [default: the top of the git working tree, or the current folder]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Continue in the layer of an earlier run; in the latest without an ID
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "", conflicts_with = "drop")]
    pub resume: Option<String>,
    /// Discard a layer, and stop the processes that run in it
    #[arg(long, value_name = "ID", conflicts_with = "command")]
    pub drop: Option<String>,
    /// Open no review when the command has exited; `countersign review --run ID` opens it later
    #[arg(long)]
    pub no_review: bool,
    /// Write a folder directly and never review it, such as `target`; relative to the root
    #[arg(long, value_name = "PATTERN")]
    pub through: Vec<String>,
    /// Work on a copy of the tree, where the system has no overlay; the command then sees another path
    #[arg(long)]
    pub copy: bool,
    /// Make everything outside the root read-only but temporary folders and the agents' own
    #[arg(long, conflicts_with = "copy")]
    pub confine: bool,
    /// Keep this folder writable with `--confine`
    #[arg(long, value_name = "DIR", requires = "confine")]
    pub write: Vec<PathBuf>,
    /// Bring the commits that the command made as a branch `countersign/ID`
    #[arg(long)]
    pub commits: bool,
    /// Review line by line: one hunk at a time as plain text
    #[arg(long)]
    pub linear: bool,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
    /// Settings for this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `runs`.
#[derive(Debug, Clone, Args)]
pub struct RunsArgs {
    /// The folder whose layers are listed [default: the top of the git working tree, or the current folder]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The form of the list
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of the internal command that enters a layer.
#[derive(Debug, Clone, Args)]
pub struct EnterArgs {
    /// The layer's name
    #[arg(long)]
    pub id: String,
    /// The folder that is covered
    #[arg(long)]
    pub root: PathBuf,
    /// The layer's folder
    #[arg(long)]
    pub layer: PathBuf,
    /// The folder with the state of all roots
    #[arg(long)]
    pub state: PathBuf,
    /// The working folder
    #[arg(long)]
    pub folder: PathBuf,
    /// Other folders that are covered
    #[arg(long)]
    pub also: Vec<PathBuf>,
    /// Folders that are written directly
    #[arg(long)]
    pub through: Vec<PathBuf>,
    /// Make the rest of the file system read-only
    #[arg(long)]
    pub confine: bool,
    /// Folders that stay writable
    #[arg(long)]
    pub write: Vec<PathBuf>,
    /// The command and its arguments
    #[arg(last = true)]
    pub command: Vec<OsString>,
}

/// Arguments of the internal command that resets files in a running layer.
#[derive(Debug, Clone, Args)]
pub struct ResetArgs {
    /// The layer
    #[arg(long)]
    pub layer: String,
    /// A process in it (may be repeated: the first that still runs counts)
    #[arg(long = "process", required = true)]
    pub processes: Vec<u32>,
    /// The folder that the layer covers
    #[arg(long)]
    pub root: PathBuf,
}

/// Arguments of the internal command that maps the ids of another process.
#[derive(Debug, Clone, Args)]
pub struct MapArgs {
    /// The process
    pub process: u32,
}
