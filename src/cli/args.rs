//! The arguments of every command.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

#[cfg(feature = "mcp")]
use super::agent_args::McpArgs;
use super::agent_args::{AcpArgs, DoctorArgs, HookArgs};
use super::argument_order::options_last;
use super::edit_args::{ApplyArgs, CheckArgs, RuleArgs};
use super::examples;
use super::review_args::{DemoArgs, DiffArgs, GitArgs, ReviewArgs, UndoArgs};
use super::run_args::{EnterArgs, MapArgs, ResetArgs, RunArgs, RunsArgs};
use super::server_args::{DecideArgs, SchemaArgs, ServeArgs, SubmitArgs, ThreadsArgs};
use super::shared_args::{ReportForm, SettingArgs};

/// Review the edits that coding agents propose, before they are written.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
#[command(
    after_help = "Without a command, the edits are reviewed: `agent | countersign` and `countersign edits.md` both \
    open the review. Options may stand before or after the command; a file that is called like a command is named with its \
    folder, as in `./apply`.\n\nExit codes: 0 all written or there already, 1 written in part, 2 nothing written, \
    3 wrong usage, 4 could not write (everything is as it was), 130 interrupted (nothing written)."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<CliCommand>,
    #[command(flatten)]
    review: ReviewArgs,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum CliCommand {
    /// Review edits from files or standard input on the screen, and write what is accepted.
    Review(ReviewArgs),
    /// Review a sample agent's edits to a sample project in a temporary folder.
    Demo(DemoArgs),
    /// Place edits, check them against a policy, and write them; no screen.
    #[command(
        after_help = "Without --partial, one edit that cannot be placed surely keeps all of them from being written."
    )]
    Apply(ApplyArgs),
    /// Say where edits would go; writes nothing.
    Check(CheckArgs),
    /// Review changes that are in a working tree or index already: what is accepted stays, what is rejected is taken back.
    #[command(
        after_help = "Without a revision, what is not staged is reviewed, new files too; with --staged, what is staged. \
        What is left undecided stays as it is.\n\nExit codes: 0 the review was finished, 2 it was left without a change, \
        3 wrong usage, 4 could not write (everything is as it was), 130 interrupted (nothing changed)."
    )]
    Git(GitArgs),
    /// Review two files or folders: what is accepted stays on the right side, what is rejected is taken back there.
    #[command(
        after_help = "It serves as a tool of `git difftool --dir-diff` and as jj's `ui.diff-editor`; both learn from the exit \
        code whether the review was finished: 0 if so, whatever was decided."
    )]
    Diff(DiffArgs),
    /// Run a command whose writes reach the tree only after a review, whatever it writes them with.
    #[command(
        after_help = "The command sees its own writes at the usual paths; the tree does not change. When it exits, the review \
        opens on the difference. Writes outside the root are not held back (see --confine).\n\nExit codes: the command's own \
        while nothing was reviewed, else those of `review`; 4 the layer cannot be made, 126 and 127 the command cannot be \
        started. The last line on standard error is `layer: ID`."
    )]
    Run(RunArgs),
    /// List the layers of this tree: their commands, ages, changed files and states.
    Runs(RunsArgs),
    /// Enter a layer (internal).
    #[command(hide = true)]
    EnterLayer(EnterArgs),
    /// Reset files in a running layer (internal).
    #[command(hide = true)]
    ResetInside(ResetArgs),
    /// Map the ids of a process (internal).
    #[command(hide = true)]
    MapIds(MapArgs),
    /// Stay open and review what agents hand over, each of which waits for its answer.
    Serve(ServeArgs),
    /// Hand edits to the reviewer that is open in this folder or above it, wait, and print the answer.
    #[command(
        after_help = "Where no reviewer is open, one is opened over the terminal multiplexer that this runs in. Where that \
        cannot be, nothing is written and the exit code is 2."
    )]
    Submit(SubmitArgs),
    /// List what waits in the reviewer that is open in this folder or above it, or decide it from this terminal.
    #[command(
        after_help = "The reviewer takes decisions only if it was started with --remote. An id changes with its proposal and its \
        files, so what has changed since it was listed is not decided.\n\nExit codes: 0 listed or decided, 1 some hunks were left \
        out because each needs a decision of its own (--hunk), 2 not decided, 3 wrong usage, 4 the write failed or the connection \
        was lost."
    )]
    Decide(DecideArgs),
    /// List the threads of comments and questions, or reply to one, resolve it or reopen it.
    #[command(
        after_help = "A comment or a question at lines of a proposal opens a thread; agents answer it. Only a person resolves or \
        reopens a thread, so that needs a terminal.\n\nExit codes: 0 done, 3 wrong usage or no such thread, 4 the record cannot \
        be read or written."
    )]
    Threads(ThreadsArgs),
    /// Take back what was written: the latest batch, or the one named.
    #[command(
        after_help = "Files that have changed since are shown: what can be taken back without losing what came later, and what \
        cannot. Without a terminal nothing is written then."
    )]
    Undo(UndoArgs),
    /// Answer an agent that asks before it writes, or install such a gate.
    Hook(HookArgs),
    /// Look at what works here, and try the gates that are installed.
    Doctor(DoctorArgs),
    /// Offer an agent tools that propose edits: an MCP server on standard input and output.
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// Start an agent for an editor, and review its edits: a proxy of the Agent Client Protocol on standard input and output.
    #[command(
        after_help = "The agent is offered to write files through the editor, and what it writes so, or asks permission for, is \
        reviewed. Start agents that write by themselves with --layer: their writes are held back until `countersign serve` or \
        `countersign review --run ID` has reviewed them."
    )]
    Acp(AcpArgs),
    /// List what was written and what was decided, the latest first; or show one of them.
    Log(LogArgs),
    /// Say which hunks the rules of `[policy]` would accept in advance, and why; writes nothing.
    #[command(
        after_help = "The rules are settings of yours, such as `policy.formatting`; without one, nothing is accepted in advance. \
        A repository cannot set them."
    )]
    Policy(RuleArgs),
    /// Show the settings and where they come from.
    Config(ConfigArgs),
    /// Print the JSON Schema of the report, of the verdict that agents get, of what waits, or of threads.
    Schema(SchemaArgs),
    /// Print the licences of the program and of everything that it is built from.
    Licenses,
    /// Print the completions of a shell.
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or of one of its commands.
    Man(ManArgs),
}

/// Arguments of `config`.
#[derive(Debug, Clone, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct ConfigArgs {
    /// Print every value and where it came from; so it is without any of these options
    #[arg(long)]
    pub print: bool,
    /// Print the name of the file that settings are read from
    #[arg(long, conflicts_with = "print")]
    pub path: bool,
    /// Print a file with every setting, commented
    #[arg(long, conflicts_with_all = ["print", "path"])]
    pub default: bool,
    /// Make that file, with every setting commented out, and print its name; one that exists stays as it is
    #[arg(long, conflicts_with_all = ["print", "path", "default"])]
    pub init: bool,
    /// Print all keys and the names of what they do, as a file of settings
    #[arg(long, conflicts_with_all = ["print", "path", "default", "init"])]
    pub keys: bool,
    /// The folder whose `.countersign.toml` is read too
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Settings of this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `log`.
#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// The batch or review to show in full; a list of all without it
    pub id: Option<String>,
    /// The form of the list
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
    /// The folder that was written in [default: the current folder and the others of its repository]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// Arguments of `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// The command that the page is about; the program without it
    pub command: Option<String>,
    /// Write all pages into this folder, which is made if there is none
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub all: Option<PathBuf>,
}

impl Arguments {
    /// Parses the words of a command line, the name of the program first. Options may precede the command.
    pub(super) fn read(words: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut program = Self::program();
        let words = options_last(&program, words);
        let matches = program.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }

    /// The program as its help and its manual describe it.
    pub(super) fn program() -> clap::Command {
        examples::added(<Self as CommandFactory>::command())
    }

    /// The command; reviewing, if none is named.
    pub fn command(self) -> CliCommand {
        self.command.unwrap_or(CliCommand::Review(self.review))
    }
}
