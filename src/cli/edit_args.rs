//! The arguments of the commands that read edits: where these come from, and what may be written.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::{ReportForm, SettingArgs};
use crate::dialect;
use crate::locate::Confidence;
use crate::text::meant;

/// Where edits come from and how they are read.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// Files that hold the edits; `-` is standard input
    #[arg(value_name = "EDIT")]
    pub edits: Vec<PathBuf>,
    /// The form that the edits are written in
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = parse_format)]
    pub format: Format,
    /// The file that edits without a file name are for
    #[arg(long, value_name = "FILE")]
    pub path: Option<String>,
}

/// Edits, and which files they may touch.
#[derive(Debug, Clone, Args)]
pub struct EditArgs {
    /// Where the edits come from and how they are read.
    #[command(flatten)]
    pub input: InputArgs,
    /// The folder that edits may touch
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
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

/// The form of this name; what there are if it is none.
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

fn parse_precision(text: &str) -> Result<f64, String> {
    let precision: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.8..=1.0).contains(&precision) {
        Ok(precision)
    } else {
        Err("it must be from 0.8 to 1.0".to_owned())
    }
}
