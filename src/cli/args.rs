//! The arguments of every command.

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::door_args::{SchemaArgs, ServeArgs, SubmitArgs};
use super::examples;
#[cfg(feature = "mcp")]
use super::gate_args::McpArgs;
use super::gate_args::{DoctorArgs, HookArgs};
use crate::dialect;
use crate::locate::Confidence;
use crate::text::meant;

/// Review the edits that coding agents propose, before they are written.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
#[command(
    after_help = "Without a command, the edits are reviewed: `agent | countersign` and `countersign edits.md` both \
    open the review.\n\nExit codes: 0 all written or there already, 1 written in part, 2 nothing written, \
    3 wrong usage, 4 could not write (everything is as it was), 130 interrupted (nothing written)."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    review: ReviewArgs,
}

/// What to do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
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
    /// Review what stands in a working tree or index already: what is accepted stays, what is rejected is taken back.
    #[command(
        after_help = "Without a revision, what is not staged is reviewed, new files too; with --staged, what is staged. \
        What is left undecided stays as it is.\n\nExit codes: 0 the review was finished, 2 it was left without a change, \
        3 wrong usage, 4 could not write (everything is as it was), 130 interrupted (nothing changed)."
    )]
    Git(GitArgs),
    /// Review two files or folders: what is accepted stays on the right side, what is rejected is taken back there.
    #[command(
        after_help = "It serves as a tool of `git difftool --dir-diff` and as jj's `ui.diff-editor`; both are told by the exit \
        code whether the review was finished: 0 if so, whatever was decided."
    )]
    Diff(DiffArgs),
    /// Stay open and review what agents hand over, each of which waits for its answer.
    Serve(ServeArgs),
    /// Hand edits to the reviewer that is open in this folder or above it, wait, and print the answer.
    #[command(
        after_help = "Where no reviewer is open, one is opened over the terminal multiplexer that this runs in. Where that \
        cannot be, nothing is written and the exit code is 2."
    )]
    Submit(SubmitArgs),
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
    /// List what was written and what was decided, the latest first; or show one of them.
    Log(LogArgs),
    /// Show the settings and where they come from.
    Config(ConfigArgs),
    /// Print the JSON Schema of the report, or of the verdict that agents get.
    Schema(SchemaArgs),
    /// Print the completions of a shell.
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or of one of its commands.
    Man(ManArgs),
}

/// Where edits come from and which files they may touch.
#[derive(Debug, Clone, Args)]
pub struct EditArgs {
    /// Files that hold the edits; `-` is standard input
    #[arg(value_name = "EDIT")]
    pub edits: Vec<PathBuf>,
    /// The folder that edits may touch
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// The form that the edits are written in
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = parse_format)]
    pub format: Format,
    /// The file that edits without a file name are for
    #[arg(long, value_name = "FILE")]
    pub path: Option<String>,
    /// How alike a reworded place must be, from 0.8 to 1.0 [default: 0.85, or as configured]
    #[arg(long, value_name = "SCORE", value_parser = parse_precision)]
    pub precision: Option<f64>,
    /// Ask the configured apply model about hunks that have no place; they are sent to it, and wait for a look
    #[arg(long)]
    pub model: bool,
    /// What is set for this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Where settings come from.
#[derive(Debug, Clone, Default, Args)]
pub struct SettingArgs {
    /// Read the settings from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set one value for this run, such as `ui.wrap=true`; `countersign config` shows all
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub set: Vec<(String, String)>,
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
    /// Print all keys and the names of what they do, as a file of settings
    #[arg(long, conflicts_with_all = ["print", "path", "default"])]
    pub keys: bool,
    /// The folder whose `.countersign.toml` is read too
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// What is set for this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `review`.
#[derive(Debug, Clone, Args)]
pub struct ReviewArgs {
    /// Where the edits come from and where they may go.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Give hunks the verdicts that they got in other unfinished reviews; a review of the same edits goes on in any case
    #[arg(long)]
    pub resume: bool,
    /// Keep the decisions in this file, and begin with those that are in it
    #[arg(long, value_name = "FILE")]
    pub decisions: Option<PathBuf>,
    /// Go line by line: one hunk at a time as plain text, with answers from standard input if the edits come from elsewhere
    #[arg(long)]
    pub linear: bool,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of `demo`.
#[derive(Debug, Clone, Args)]
pub struct DemoArgs {
    /// Only lay out the project and the edits, and say where they are
    #[arg(long)]
    pub no_review: bool,
    /// Go line by line: one hunk at a time as plain text, with answers from standard input
    #[arg(long)]
    pub linear: bool,
}

/// Arguments of `apply`.
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    /// Where the edits come from and where they may go.
    #[command(flatten)]
    pub edits: EditArgs,
    /// The loosest placement that is written without a person [default: safe, or as configured]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<Level>,
    /// Write what was accepted in a review that kept its decisions in this file, and nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "confidence")]
    pub decisions: Option<PathBuf>,
    /// Write what can be written, and report the rest
    #[arg(long)]
    pub partial: bool,
    /// Write protected files too: ignore files, agents' instructions, CI workflows and the like
    #[arg(long)]
    pub allow_protected: bool,
    /// Write nothing; report what would be written
    #[arg(long)]
    pub dry_run: bool,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of `check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Where the edits come from and where they would go.
    #[command(flatten)]
    pub edits: EditArgs,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// How a review of what stands already goes.
#[derive(Debug, Clone, Args)]
pub struct ReviewingArgs {
    /// What is set for this run.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Give hunks the verdicts that they got in other unfinished reviews; a review of the same goes on in any case
    #[arg(long)]
    pub resume: bool,
    /// Keep the decisions in this file, and begin with those that are in it
    #[arg(long, value_name = "FILE")]
    pub decisions: Option<PathBuf>,
    /// Go line by line: one hunk at a time as plain text, with answers from standard input
    #[arg(long)]
    pub linear: bool,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of `git`.
#[derive(Debug, Clone, Args)]
pub struct GitArgs {
    /// A revision, or two as A..B, and the files to review; all without them
    #[arg(value_name = "REV|A..B|PATH")]
    pub what: Vec<String>,
    /// Files only
    #[arg(last = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Review the index, and take back there what is rejected; the working tree is left alone
    #[arg(long)]
    pub staged: bool,
    /// A folder of the working tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// How the review goes.
    #[command(flatten)]
    pub reviewing: ReviewingArgs,
}

/// Arguments of `diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// The old file or folder, which is only read
    pub left: PathBuf,
    /// The new one, in which what is rejected is taken back
    pub right: PathBuf,
    /// How the review goes.
    #[command(flatten)]
    pub reviewing: ReviewingArgs,
}

/// Arguments of `undo`.
#[derive(Debug, Clone, Args)]
pub struct UndoArgs {
    /// The batch, as `log` names it; the latest without it
    pub id: Option<String>,
    /// The folder that it was written in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Write nothing; say what would be taken back
    #[arg(long)]
    pub dry_run: bool,
    /// How the review goes, if files have changed since.
    #[command(flatten)]
    pub reviewing: ReviewingArgs,
}

/// Arguments of `log`.
#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// The batch or review to show in full; a list of all without it
    pub id: Option<String>,
    /// The form of the list
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
    /// The folder that was written in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
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
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// For people.
    Text,
    /// For scripts, complete.
    Json,
    /// For models, short: what stands, what was changed, what to send again.
    Agent,
}

/// How sure a placement must be, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// To the letter, in one place only
    Exact,
    /// But for blanks, indentation and punctuation, in one place only
    Safe,
    /// In several places, one of them chosen by a line number, an anchor or the other hunks
    Hinted,
    /// Reworded lines, in one place by a clear margin
    Fuzzy,
}

impl From<Level> for Confidence {
    fn from(level: Level) -> Self {
        match level {
            Level::Exact => Self::Exact,
            Level::Safe => Self::Safe,
            Level::Hinted => Self::Hinted,
            Level::Fuzzy => Self::Fuzzy,
        }
    }
}

/// The dialect to read; `None` recognises it.
#[derive(Debug, Clone, Copy)]
pub struct Format(pub Option<&'static dyn dialect::Dialect>);

impl Arguments {
    /// The program's arguments, of which every command's long help has examples.
    pub(super) fn read() -> Result<Self, clap::Error> {
        let mut program = Self::program();
        let matches = program.try_get_matches_from_mut(std::env::args_os())?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }

    /// The program as its help and its manual describe it.
    pub(super) fn program() -> clap::Command {
        examples::added(<Self as CommandFactory>::command())
    }

    /// The command; reviewing, if none is named.
    pub fn command(self) -> Command {
        self.command.unwrap_or(Command::Review(self.review))
    }
}

pub(super) fn parse_format(name: &str) -> Result<Format, String> {
    if name == "auto" {
        return Ok(Format(None));
    }
    dialect::named(name)
        .map(|dialect| Format(Some(dialect)))
        .ok_or_else(|| unknown_format(name))
}

/// What to say of a form that is not known: the one that is meant, if a few letters are wrong, and all that there are.
fn unknown_format(name: &str) -> String {
    let names = || dialect::DIALECTS.into_iter().map(dialect::Dialect::name);
    let meant = meant(name, names()).map(|known| format!("is `{known}` meant? "));
    let all = names().collect::<Vec<_>>().join(", ");
    format!("{}the forms are: auto, {all}", meant.unwrap_or_default())
}

fn parse_assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected a name, `=` and a value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn parse_precision(text: &str) -> Result<f64, String> {
    let precision: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.8..=1.0).contains(&precision) {
        Ok(precision)
    } else {
        Err("it must be from 0.8 to 1.0".to_owned())
    }
}
