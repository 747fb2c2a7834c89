//! Reading the edits themselves: from files, or from standard input to its end.

use std::io::{ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::CommandFactory;
use thiserror::Error;

use super::args::Arguments;
use super::edit_args::InputArgs;
use crate::dialect::{self, Options, Parsed};
use crate::store::ContentHash;
use crate::text::{DecodeError, decoded, meant};

/// Why there are no edits to look at.
#[derive(Debug, Error)]
pub(super) enum InputError {
    /// Nothing says where the edits are.
    #[error("no edits: name a file that holds them, or pipe them in")]
    NoInput,
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file holds no text.
    #[error("`{}` holds no edits: {source}", path.display())]
    NotText {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// Why not.
        source: DecodeError,
    },
    /// There is nothing in the input.
    #[error("{} is empty", input_named(.0))]
    Empty(Vec<PathBuf>),
    /// Nothing in the input is an edit.
    #[error("no edit is recognised in {}", input_named(.0))]
    NothingRecognised(Vec<PathBuf>),
}

impl InputError {
    /// What to do about it.
    pub(super) fn hint(&self) -> String {
        match self {
            Self::NoInput => "`agent | countersign`, or `countersign edits.md`; `countersign demo` shows how it looks".into(),
            Self::Unreadable { source, .. } if source.kind() == ErrorKind::IsADirectory => {
                "name the files in it that hold the edits".into()
            }
            Self::Unreadable { path, .. } => match command_meant(path) {
                Some(command) => format!("is the command `{command}` meant?"),
                None => "check the name; `-` is standard input".into(),
            },
            Self::NotText { .. } => "edits are text; check that this is the right file".into(),
            Self::Empty(names) if !names.is_empty() => "check that these are the right files".into(),
            Self::Empty(_) => "the program before the pipe printed nothing; see what it says by itself".into(),
            Self::NothingRecognised(_) => {
                let names = dialect::DIALECTS.map(dialect::Dialect::name).join(", ");
                format!("looked for these forms: {names}; `--format NAME` reads one of them only")
            }
        }
    }
}

/// The command that was meant by the name of a file that cannot be read: without a command, every word is one.
fn command_meant(path: &Path) -> Option<String> {
    let program = <Arguments as CommandFactory>::command();
    let commands = program.get_subcommands().map(clap::Command::get_name);
    meant(path.to_str()?, commands).map(str::to_owned)
}

/// The edits.
pub(super) struct Input {
    /// What is in them.
    pub(super) parsed: Parsed,
    /// What they are known by.
    pub(super) known: Known,
}

/// What edits are known by: their text, and what was said about how to read it.
pub(super) struct Known {
    how: String,
    texts: Vec<String>,
    hash: OnceLock<ContentHash>,
}

impl Known {
    /// The hash of all that. Only a review that is kept asks for it.
    pub(super) fn hash(&self) -> ContentHash {
        *self.hash.get_or_init(|| {
            let texts = self.texts.iter().flat_map(|text| [text.as_str(), "\0"]);
            ContentHash::of_parts(
                [self.how.as_str()]
                    .into_iter()
                    .chain(texts)
                    .map(str::as_bytes),
            )
        })
    }
}

/// Whether the edits, or some of them, come from standard input.
pub(super) fn is_of_stdin(args: &InputArgs) -> bool {
    args.edits.is_empty() || args.edits.iter().any(|name| name == Path::new("-"))
}

/// Reads all the edits that the arguments name, as one proposal.
///
/// # Errors
///
/// [`InputError`] if there is nothing to read or nothing in it is an edit.
pub(super) fn read(args: &InputArgs) -> Result<Input, InputError> {
    let options = Options {
        dialect: args.format.0,
        path: args.path.clone(),
    };
    parse(texts(args)?, &options).map_err(|error| match error {
        InputError::Empty(_) => InputError::Empty(named(&args.edits)),
        InputError::NothingRecognised(_) => InputError::NothingRecognised(named(&args.edits)),
        other @ (InputError::NoInput
        | InputError::Unreadable { .. }
        | InputError::NotText { .. }) => other,
    })
}

/// The texts of all files that the arguments name; that of standard input, if they name none.
///
/// # Errors
///
/// [`InputError`] if one cannot be read, or is no text.
pub(super) fn texts(args: &InputArgs) -> Result<Vec<String>, InputError> {
    if args.edits.is_empty() {
        return Ok(vec![text(Path::new("-"))?]);
    }
    args.edits.iter().map(|name| text(name)).collect()
}

/// The names that are those of files.
fn named(names: &[PathBuf]) -> Vec<PathBuf> {
    let files = names.iter().filter(|name| *name != Path::new("-"));
    files.cloned().collect()
}

/// What was read, in words.
fn input_named(names: &[PathBuf]) -> String {
    match names {
        [] => "the input".to_owned(),
        [one] => format!("`{}`", one.display()),
        [one, rest @ ..] => format!("`{}` and {} more", one.display(), rest.len()),
    }
}

/// Reads the edits in some texts, as one proposal.
///
/// # Errors
///
/// [`InputError::Empty`] or [`InputError::NothingRecognised`] if nothing in them is an edit.
pub(super) fn parse(texts: Vec<String>, options: &Options) -> Result<Input, InputError> {
    let mut all = Parsed::default();
    for text in &texts {
        let Parsed { proposal, problems } = dialect::parse(text, options);
        if !proposal.intent.is_empty() && !all.proposal.intent.is_empty() {
            all.proposal.intent.push_str("\n\n");
        }
        all.proposal.intent.push_str(&proposal.intent);
        all.proposal.files.extend(proposal.files);
        all.problems.extend(problems);
    }
    if all.proposal.files.is_empty() && all.problems.is_empty() {
        let is_empty = texts.iter().all(|text| text.trim().is_empty());
        return Err(if is_empty {
            InputError::Empty(Vec::new())
        } else {
            InputError::NothingRecognised(Vec::new())
        });
    }
    let dialect = options.dialect.map(dialect::Dialect::name);
    Ok(Input {
        parsed: all,
        known: Known {
            how: format!("{dialect:?} {:?}\n", options.path),
            texts,
            hash: OnceLock::new(),
        },
    })
}

/// The text of a file, or of standard input for `-`.
fn text(name: &Path) -> Result<String, InputError> {
    let bytes = if name == Path::new("-") {
        if std::io::stdin().is_terminal() {
            return Err(InputError::NoInput);
        }
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(name)
    };
    let bytes = bytes.map_err(|source| InputError::Unreadable {
        path: name.to_owned(),
        source,
    })?;
    decoded(bytes).map_err(|source| InputError::NotText {
        path: name.to_owned(),
        source,
    })
}
