//! The names of files in the prose since the last edit. An edit that names no file is for the file of the edit before it, unless
//! the text between them names another one.

use crate::proposal::PathClaim;

/// The most different names that are kept.
const MOST: usize = 16;

/// Names of files that a text mentions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MentionedNames {
    names: Vec<Mention>,
    /// The number of names before the open code fence: those inside it are lines of an example, unless an edit follows in it.
    before_fence: usize,
}

/// A word that may be the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mention {
    name: String,
    /// True if its line is a name as it is written above an edit.
    is_heading: bool,
}

impl MentionedNames {
    /// Takes a name, and whether its line is one as it is written above an edit.
    pub(super) fn add(&mut self, name: &str, is_heading: bool) {
        if let Some(known) = self.names.iter_mut().find(|it| it.name == name) {
            known.is_heading |= is_heading;
        } else if self.names.len() < MOST {
            self.names.push(Mention {
                name: name.to_owned(),
                is_heading,
            });
        }
    }

    /// Takes note of a line that opens a code fence.
    pub(super) fn open_fence(&mut self) {
        self.before_fence = self.names.len();
    }

    /// Takes note of the end of a code fence.
    pub(super) fn close_fence(&mut self) {
        self.names.truncate(self.before_fence);
    }

    /// Returns the file of an edit below the text, where the edit before it is for `known`; `None` if the text names several.
    ///
    /// A name with a folder, with the extension of the known file or on a line of its own can only be a file. Of another
    /// word with a dot, such as `self.x`, the tree decides.
    pub(super) fn file_below(&self, known: &PathClaim) -> Option<PathClaim> {
        let is_known = |it: &&Mention| known.readings().any(|name| is_same(name, &it.name));
        let (own, others): (Vec<&Mention>, Vec<&Mention>) = self.names.iter().partition(is_known);
        let (files, words): (Vec<&Mention>, Vec<&Mention>) =
            others.into_iter().partition(|it| it.is_file(known));
        match files.split_first() {
            None if own.is_empty() && !words.is_empty() => {
                let mut readings = words.into_iter().map(|it| it.name.clone());
                let first = readings.next()?;
                let known = known.readings().map(ToOwned::to_owned);
                Some(PathClaim::with_others(first, readings.chain(known)))
            }
            None => Some(known.clone()),
            Some((file, rest)) => {
                let is_one = own.is_empty() && rest.iter().all(|it| is_same(&it.name, &file.name));
                is_one.then(|| PathClaim::perhaps(file.name.clone()))
            }
        }
    }
}

impl Mention {
    /// Returns `true` for a name that can only be a file.
    fn is_file(&self, known: &PathClaim) -> bool {
        let own = extension(&self.name);
        self.is_heading
            || own.is_some() && (self.name.contains(['/', '\\']) || own == extension(known.first()))
    }
}

/// Returns `true` if one name is the other one, or the other one without its first folders.
fn is_same(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() < other.len() {
        (other, one)
    } else {
        (one, other)
    };
    let rest = long.strip_suffix(short);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
}

/// The extension of a name: it begins with a letter, unlike the last part of a version.
fn extension(name: &str) -> Option<&str> {
    let file = name.rsplit(['/', '\\']).next()?;
    let (_, extension) = file.rsplit_once('.')?;
    let is_word = extension.chars().all(char::is_alphanumeric);
    (is_word && extension.starts_with(char::is_alphabetic)).then_some(extension)
}
