//! The arguments of the commands that read edits: where these come from, and what may be written.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::shared_args::{ReportForm, SettingArgs};
use crate::dialect;
use crate::locate::Confidence;
use crate::text::did_you_mean;

/// Arguments for reading edits.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// Files that hold the edits; `-` is standard input
    #[arg(value_name = "EDIT")]
    pub edits: Vec<PathBuf>,
    /// The form that the edits are written in
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = FormatParser)]
    pub format: Format,
    /// The file that edits without a file name are for
    #[arg(long, value_name = "FILE")]
    pub path: Option<String>,
    /// Of the log of a session, read the last turn only: what the agent did for the last prompt
    #[arg(long)]
    pub last: bool,
}

/// Edits, and which files they may touch.
#[derive(Debug, Clone, Args)]
pub struct EditArgs {
    /// The edits.
    #[command(flatten)]
    pub input: InputArgs,
    /// The folder that edits may touch
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Remove this many leading parts from the names in diffs, as `patch -p` does; without it, those that no file has
    #[arg(long, short = 'p', value_name = "N")]
    pub strip: Option<usize>,
    /// Similarity that a reworded place must have, from 0.8 to 1.0 [default: 0.85, or as configured]
    #[arg(long, value_name = "SCORE", value_parser = parse_precision)]
    pub precision: Option<f64>,
    /// Ask the configured apply model about hunks without a match; they are sent to it, and its answers need a review
    #[arg(long)]
    pub model: bool,
    /// Settings of this run.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// Arguments of `apply`.
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    /// The edits and their root.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Write what a command changed in its layer, as `countersign run` named it
    #[arg(long, value_name = "ID", conflicts_with_all = ["edits", "format", "path", "precision", "model", "confidence"])]
    pub run: Option<String>,
    /// The policy that decides.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Write nothing; report what would be written
    #[arg(long)]
    pub dry_run: bool,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of `policy`.
#[derive(Debug, Clone, Args)]
pub struct RuleArgs {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: RuleQuestion,
    /// The edits and their root.
    #[command(flatten)]
    pub edits: EditArgs,
    /// The form of the answer
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// A question about the rules of `[policy]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleQuestion {
    /// The hunks of these edits that would be accepted, by which proof, and why the others would not.
    Explain,
    /// The same for the batches that `countersign log` lists.
    Try,
}

/// The policy of `apply` and `check`, which decides in the place of a person.
#[derive(Debug, Clone, Args)]
pub struct PolicyArgs {
    /// The loosest placement that is written without a person [default: safe, or as configured]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<Level>,
    /// Take what was accepted in a review that kept its decisions in this file, and nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "confidence")]
    pub decisions: Option<PathBuf>,
    /// Demand that a key of this `allowed_signers` file of SSH has signed the decisions, and that files and edits are as they were reviewed
    #[arg(long, value_name = "FILE", requires = "decisions")]
    pub signers: Option<PathBuf>,
    /// Take what can be written, and report the rest
    #[arg(long)]
    pub partial: bool,
    /// Take protected files too: ignore files, agents' instructions, CI workflows and the like
    #[arg(long)]
    pub allow_protected: bool,
}

/// Arguments of `check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// The edits and their root.
    #[command(flatten)]
    pub edits: EditArgs,
    /// The policy that decides.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// The form of the report on standard output
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Required confidence of a placement, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// To the letter, in one place only
    Exact,
    /// But for blanks, indentation and punctuation, in one place only
    Safe,
    /// With a few misspelt words, or a few lines missing or extra away from the change
    Fuzzy,
    /// In several places, one of them chosen by a line number alone
    Hinted,
    /// At the best place, whatever speaks against it; for measuring, and for those who know what they do
    Doubtful,
}

impl From<Level> for Confidence {
    fn from(level: Level) -> Self {
        match level {
            Level::Exact => Self::Exact,
            Level::Safe => Self::Safe,
            Level::Fuzzy => Self::Fuzzy,
            Level::Hinted => Self::Hinted,
            Level::Doubtful => Self::Doubtful,
        }
    }
}

/// The dialect to read; `None` recognises it.
#[derive(Debug, Clone, Copy)]
pub struct Format(pub Option<&'static dyn dialect::Dialect>);

/// Parses the name of a dialect; help and completions list all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = Format;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Format, clap::Error> {
        let names = PossibleValuesParser::new(format_names());
        let name = names.parse_ref(command, argument, value)?;
        Ok(Format(dialect::named(&name)))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(format_names().map(PossibleValue::new)))
    }
}

/// Parses the name of a dialect in a request of an agent.
///
/// # Errors
///
/// A message that names the most similar dialect, and all of them.
pub(super) fn parse_format(name: &str) -> Result<Format, String> {
    if name == "auto" {
        return Ok(Format(None));
    }
    let dialect = dialect::named(name).map(|dialect| Format(Some(dialect)));
    dialect.ok_or_else(|| {
        let similar =
            did_you_mean(name, format_names()).map(|known| format!("did you mean `{known}`? "));
        let all = format_names().collect::<Vec<_>>().join(", ");
        format!("{}the forms are: {all}", similar.unwrap_or_default())
    })
}

/// `auto`, and the names of all dialects.
fn format_names() -> impl Iterator<Item = &'static str> {
    let names = dialect::DIALECTS.into_iter().map(dialect::Dialect::name);
    std::iter::once("auto").chain(names)
}

fn parse_precision(text: &str) -> Result<f64, String> {
    let precision: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.8..=1.0).contains(&precision) {
        Ok(precision)
    } else {
        Err("it must be from 0.8 to 1.0".to_owned())
    }
}
