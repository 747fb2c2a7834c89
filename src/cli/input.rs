//! Reading the edits themselves: from files, or from standard input to its end.

use std::io::{ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::CommandFactory;
use thiserror::Error;

use super::args::Arguments;
use super::coloured_diff::uncoloured;
use super::edit_args::InputArgs;
use crate::dialect::{self, Options, Parsed};
use crate::store::ContentHash;
use crate::text::{DecodeError, LineNo, decoded, meant, raw_bytes};

/// The most code fences that an error names.
const MOST_FENCES: usize = 8;

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
    /// A file of decisions does not exist.
    #[error("there is no file of decisions `{}`", path.display())]
    NoDecisions {
        /// The file.
        path: PathBuf,
    },
    /// A coloured diff has escape sequences inside of its lines.
    #[error(
        "{} has escape sequences in line {line} that are not the colours of a diff",
        input_named(std::slice::from_ref(path))
    )]
    OddColours {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// The first such line.
        line: LineNo,
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
    #[error(
        "no edit is recognised in {}{}",
        input_named(names),
        fences_named(fences)
    )]
    NothingRecognised {
        /// The files that were read.
        names: Vec<PathBuf>,
        /// The lines at which code fences open.
        fences: Vec<LineNo>,
    },
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
            Self::NoDecisions { .. } => {
                "name a file that `countersign review --decisions FILE` has written".into()
            }
            Self::OddColours { .. } => {
                "make the diff without colours, as with `git diff --no-color`".into()
            }
            Self::NothingRecognised { fences, .. } if !fences.is_empty() => {
                "if the fence holds the new text of a file, name the file: `--path FILE --format whole`".into()
            }
            Self::NothingRecognised { .. } => {
                "`--path FILE --format whole` reads the input as the new text of a file; `countersign apply --help` lists all forms".into()
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
        InputError::NothingRecognised { fences, .. } => InputError::NothingRecognised {
            names: named(&args.edits),
            fences,
        },
        InputError::NotText { path, source } => InputError::NotText {
            path: args.edits.first().cloned().unwrap_or(path),
            source,
        },
        other @ (InputError::NoInput
        | InputError::NoDecisions { .. }
        | InputError::OddColours { .. }
        | InputError::Unreadable { .. }) => other,
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

/// The lines at which the code fences of a text open.
fn opening_fences(text: &str) -> Vec<LineNo> {
    let is_fence = |line: &&str| {
        ["```", "~~~"]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
    };
    let fences = (1..).zip(text.lines()).filter(|(_, line)| is_fence(line));
    fences
        .step_by(2)
        .filter_map(|(number, _)| LineNo::new(number))
        .collect()
}

/// Where code fences without a file name were found, in words.
fn fences_named(fences: &[LineNo]) -> String {
    let numbers = |fences: &[LineNo]| {
        let numbers: Vec<String> = fences.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    match fences {
        [] => String::new(),
        [one] => format!(": the code fence at line {one} names no file"),
        fences if fences.len() <= MOST_FENCES => {
            format!(
                ": the code fences at lines {} name no file",
                numbers(fences)
            )
        }
        fences => format!(
            ": the code fences at lines {} and {} more name no file",
            numbers(&fences[..MOST_FENCES]),
            fences.len() - MOST_FENCES
        ),
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
        } else if texts.iter().any(|text| text.contains('\0')) {
            InputError::NotText {
                path: PathBuf::from("-"),
                source: DecodeError::Binary,
            }
        } else {
            InputError::NothingRecognised {
                names: Vec::new(),
                fences: match texts.as_slice() {
                    [text] => opening_fences(text),
                    _ => Vec::new(),
                },
            }
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
    let plain = uncoloured(&bytes).map_err(|line| InputError::OddColours {
        path: name.to_owned(),
        line,
    })?;
    let bytes = plain.unwrap_or(bytes);
    // UTF-16 with a byte order mark is the encoding of the whole input; anything else is decoded for each file by itself.
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return decoded(bytes).map_err(|source| InputError::NotText {
            path: name.to_owned(),
            source,
        });
    }
    Ok(raw_bytes::from_bytes(bytes))
}
