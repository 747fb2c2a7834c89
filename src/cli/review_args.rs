//! The arguments of the commands that open a review.

use std::path::PathBuf;

use clap::Args;

use super::edit_args::EditArgs;
use super::shared_args::{ReportForm, SettingArgs};

/// Arguments of `review`.
#[derive(Debug, Clone, Args)]
pub struct ReviewArgs {
    /// The edits and their root.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Review what a command changed in its layer, as `countersign run` named it
    #[arg(long, value_name = "ID", conflicts_with_all = ["edits", "format", "path", "precision", "model"])]
    pub run: Option<String>,
    /// The course of the review.
    #[command(flatten)]
    pub how: HowArgs,
}

/// Settings and course of a review of existing changes.
#[derive(Debug, Clone, Args)]
pub struct ReviewingArgs {
    /// Settings of this run.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// The course of the review.
    #[command(flatten)]
    pub how: HowArgs,
}

/// Course of a review.
#[derive(Debug, Clone, Args)]
pub struct HowArgs {
    /// Give hunks the verdicts that they got in other unfinished reviews; a review of the same goes on in any case
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
    /// The course of the review.
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
    /// The course of the review.
    #[command(flatten)]
    pub reviewing: ReviewingArgs,
}

/// Arguments of `undo`.
#[derive(Debug, Clone, Args)]
pub struct UndoArgs {
    /// The batch, as `log` names it; the latest without it
    pub id: Option<String>,
    /// The folder that it was written in [default: the current folder or another one of its repository]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Write nothing; say what would be taken back
    #[arg(long)]
    pub dry_run: bool,
    /// The course of the review, if files have changed since.
    #[command(flatten)]
    pub reviewing: ReviewingArgs,
}
