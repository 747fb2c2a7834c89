//! Reading the edits themselves: from files, or from standard input to its end.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::args::Arguments;
use super::edit_args::InputArgs;
use crate::app::input::{InputError, ParsedInput, parse};
use crate::dialect::{Options, Turns, uncoloured};
use crate::text::{decoded, did_you_mean, raw_bytes};

/// Returns the command whose name is similar to that of a file that cannot be read: without a command, every word is a file.
pub(super) fn similar_command(path: &Path) -> Option<String> {
    let program = <Arguments as CommandFactory>::command();
    let commands = program.get_subcommands().map(clap::Command::get_name);
    did_you_mean(path.to_str()?, commands).map(str::to_owned)
}

/// True if the edits, or some of them, come from standard input.
pub(super) fn is_of_stdin(args: &InputArgs) -> bool {
    args.edits.is_empty() || args.edits.iter().any(|name| name == Path::new("-"))
}

/// Reads all the edits that the arguments name, as one proposal.
///
/// # Errors
///
/// [`InputError`] if there is nothing to read or nothing in it is an edit.
pub(super) fn read(args: &InputArgs) -> Result<ParsedInput, InputError> {
    let options = Options {
        dialect: args.format.0,
        path: args.path.clone(),
        turns: if args.last { Turns::Last } else { Turns::All },
    };
    parse(texts(args)?, &options).map_err(|error| match error {
        InputError::Empty(_) => InputError::Empty(named(&args.edits)),
        InputError::NothingRecognised { fences, keys, .. } => InputError::NothingRecognised {
            names: named(&args.edits),
            keys,
            fences,
        },
        InputError::NotText { path, source } => InputError::NotText {
            path: args.edits.first().cloned().unwrap_or(path),
            source,
        },
        other @ (InputError::NoInput
        | InputError::NoDecisions { .. }
        | InputError::OddColours { .. }
        | InputError::Reversed { .. }
        | InputError::Unreadable { .. }) => other,
    })
}

/// The texts of all files that the arguments name; that of standard input, if they name none.
pub(super) fn texts(args: &InputArgs) -> Result<Vec<String>, InputError> {
    if args.edits.is_empty() {
        return Ok(vec![text(Path::new("-"))?]);
    }
    let mut names = Vec::new();
    for name in &args.edits {
        match series(name)? {
            Some(patches) => names.extend(patches),
            None => names.push(name.clone()),
        }
    }
    names.iter().map(|name| text(name)).collect()
}

/// The patches that a series of quilt lists, in its order: the series itself, or the folder that has it, may be named.
///
/// `man quilt`: each line has the name of a patch, maybe options such as `-p1`, maybe a comment.
fn series(name: &Path) -> Result<Option<Vec<PathBuf>>, InputError> {
    let list = if name.is_dir() {
        let lists = [name.join("series"), name.join("patches/series")];
        lists.into_iter().find(|list| list.is_file())
    } else {
        Some(name.to_owned()).filter(|name| name.ends_with("series") && name.is_file())
    };
    let Some(list) = list else {
        return Ok(None);
    };
    let text = text(&list)?;
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut patches = Vec::new();
    for line in text.lines() {
        let mut words = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let Some(patch) = words.next() else {
            continue;
        };
        if words.any(|option| option == "-R") {
            return Err(InputError::Reversed {
                path: list.clone(),
                patch: patch.to_owned(),
            });
        }
        patches.push(folder.join(patch));
    }
    // Another file may have this name.
    let are_patches = !patches.is_empty() && patches.iter().all(|patch| patch.is_file());
    Ok((are_patches || name.is_dir()).then_some(patches))
}

/// The names that are those of files.
fn named(names: &[PathBuf]) -> Vec<PathBuf> {
    let files = names.iter().filter(|name| *name != Path::new("-"));
    files.cloned().collect()
}

/// The most bytes of one input, as many as of a file under review.
const MOST_BYTES: u64 = 256 << 20;

/// Reads an input to its end.
fn bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let text = format!("it has more than {} MiB", MOST_BYTES >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// The text of a file, or of standard input for `-`.
fn text(name: &Path) -> Result<String, InputError> {
    let bytes = if name == Path::new("-") {
        if io::stdin().is_terminal() {
            return Err(InputError::NoInput);
        }
        bounded(io::stdin().lock())
    } else {
        File::open(name).and_then(bounded)
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
