//! Parsing inputs: several texts become one proposal, which is known by their hash.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::OnceLock;

use thiserror::Error;

use crate::dialect::{self, Options, Parsed};
use crate::store::ContentHash;
use crate::text::{DecodeError, LineNo};

/// The most code fences that an error names.
const MOST_FENCES: usize = 8;

/// Reasons that an input has no edits.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    /// Nothing says where the edits are.
    #[error("no edits: name a file that holds them, or pipe them in")]
    NoInput,
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A series of quilt takes a patch back.
    #[error("`{}` takes the patch `{patch}` back (`-R`)", path.display())]
    Reversed {
        /// The series.
        path: PathBuf,
        /// The patch.
        patch: String,
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
        "no edit is recognised in {}{}{}",
        input_named(names),
        fences_named(fences),
        keys_named(keys)
    )]
    NothingRecognised {
        /// The files that were read.
        names: Vec<PathBuf>,
        /// The keys of an input that is a JSON object, or an array of such.
        keys: Vec<String>,
        /// The lines at which code fences open.
        fences: Vec<LineNo>,
    },
}

impl InputError {
    /// Returns advice for the person.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::NoInput => "`agent | countersign`, or `countersign edits.md`; `countersign demo` shows how it looks".into(),
            Self::Unreadable { source, .. } if source.kind() == ErrorKind::IsADirectory => {
                "name the files in it that hold the edits".into()
            }
            Self::Unreadable { source, .. } if source.kind() == ErrorKind::FileTooLarge => {
                "split it into several inputs".into()
            }
            Self::Unreadable { .. } => "check the name; `-` is standard input".into(),
            Self::NotText { .. } => "edits are text; check that this is the right file".into(),
            Self::Empty(names) if !names.is_empty() => "check that these are the right files".into(),
            Self::Empty(_) => "the program before the pipe printed nothing; see what it says by itself".into(),
            Self::Reversed { .. } => "name the patches to apply one by one, and that one reversed, as by `interdiff`".into(),
            Self::NoDecisions { .. } => {
                "name a file that `countersign review --decisions FILE` has written".into()
            }
            Self::OddColours { .. } => {
                "make the diff without colours, as with `git diff --no-color`".into()
            }
            Self::NothingRecognised { fences, .. } if !fences.is_empty() => {
                "if the fence holds the new text of a file, name the file: `--path FILE --format whole`".into()
            }
            Self::NothingRecognised { keys, .. } if !keys.is_empty() => {
                "the calls of editing tools that are read are listed in the guide, on the page Tools".into()
            }
            Self::NothingRecognised { .. } => {
                "`--path FILE --format whole` reads the input as the new text of a file; `countersign apply --help` lists all forms".into()
            }
        }
    }
}

/// A parsed input.
pub(crate) struct ParsedInput {
    /// Its edits and problems.
    pub(crate) parsed: Parsed,
    /// Its identity.
    pub(crate) known: InputIdentity,
}

/// Identity of an input: its text, and the options by which it was parsed.
pub(crate) struct InputIdentity {
    how: String,
    texts: Vec<String>,
    hash: OnceLock<ContentHash>,
}

impl InputIdentity {
    /// The hash of all that. Only a review that is kept asks for it.
    pub(crate) fn hash(&self) -> ContentHash {
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

/// Names the files of an input for a message.
fn input_named(names: &[PathBuf]) -> String {
    match names {
        [] => "the input".to_owned(),
        [one] => format!("`{}`", one.display()),
        [one, rest @ ..] => format!("`{}` and {} more", one.display(), rest.len()),
    }
}

/// The lines at which the code fences of a text open.
fn opening_fences(text: &str) -> Vec<LineNo> {
    let lines = (1..).zip(text.lines().map(str::trim_start));
    let fences = lines.filter(|(_, line)| line.starts_with("```") || line.starts_with("~~~"));
    fences
        .step_by(2)
        .filter_map(|(number, _)| LineNo::new(number))
        .collect()
}

/// The keys of a JSON object, or of the first object of an array.
fn keys(text: &str) -> Vec<String> {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let first = value.as_ref().map(|value| value.get(0).unwrap_or(value));
    let fields = first.and_then(serde_json::Value::as_object);
    fields.map_or_else(Vec::new, |fields| fields.keys().cloned().collect())
}

/// Names the keys of a JSON object.
fn keys_named(keys: &[String]) -> String {
    match keys {
        [] => String::new(),
        keys => {
            let shown: Vec<&str> = keys.iter().map(String::as_str).take(MOST_FENCES).collect();
            let rest = if keys.len() > shown.len() {
                " and others"
            } else {
                ""
            };
            format!(": it is JSON with the keys `{}`{rest}", shown.join("`, `"))
        }
    }
}

/// Names the lines of code fences that have no file name.
fn fences_named(fences: &[LineNo]) -> String {
    let numbers = fences.iter().take(MOST_FENCES).map(ToString::to_string);
    let numbers = numbers.collect::<Vec<_>>().join(", ");
    match fences {
        [] => String::new(),
        [one] => format!(": the code fence at line {one} names no file"),
        fences if fences.len() <= MOST_FENCES => {
            format!(": the code fences at lines {numbers} name no file")
        }
        fences => format!(
            ": the code fences at lines {numbers} and {} more name no file",
            fences.len() - MOST_FENCES
        ),
    }
}

/// Reads the edits in some texts, as one proposal.
///
/// # Errors
///
/// [`InputError::Empty`] or [`InputError::NothingRecognised`] if nothing in them is an edit.
pub(crate) fn parse(texts: Vec<String>, options: &Options) -> Result<ParsedInput, InputError> {
    let mut all = Parsed::default();
    for text in &texts {
        let Parsed {
            proposal,
            problems,
            readings,
        } = dialect::parse(text, options);
        if !proposal.intent.is_empty() && !all.proposal.intent.is_empty() {
            all.proposal.intent.push_str("\n\n");
        }
        all.proposal.intent.push_str(&proposal.intent);
        // A later text is for the result of the earlier ones.
        let first = all.proposal.files.iter().map(|file| file.patch + 1).max();
        let first = first.unwrap_or(0);
        all.proposal
            .files
            .extend(proposal.files.into_iter().map(|mut file| {
                file.patch += first;
                file
            }));
        all.problems.extend(problems);
        all.readings.extend(readings);
    }
    if texts.len() > 1 {
        dialect::follow_moves(&mut all);
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
                keys: match texts.as_slice() {
                    [text] => keys(text),
                    _ => Vec::new(),
                },
                fences: match texts.as_slice() {
                    [text] => opening_fences(text),
                    _ => Vec::new(),
                },
            }
        });
    }
    let dialect = options.dialect.map(dialect::Dialect::name);
    Ok(ParsedInput {
        parsed: all,
        known: InputIdentity {
            how: format!("{dialect:?} {:?} {:?}\n", options.path, options.turns),
            texts,
            hash: OnceLock::new(),
        },
    })
}
