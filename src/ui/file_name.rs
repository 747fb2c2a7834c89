//! Name of a file in a row: of a renamed one, the old and the new name, with the folders that both have named once.

use std::borrow::Cow;
use std::fmt;

use crate::review::{FileKind, FileReview};
use crate::ui::glyphs;

/// Name of a file, from the folder on that a row above names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ShownName<'a> {
    /// The present name.
    pub(crate) old: &'a str,
    /// The new name of a renamed file, by way of `..` if it leaves the folder that a row above names.
    pub(crate) new: Option<Cow<'a, str>>,
    /// Bytes of both names that are shown once: folders that both are in.
    common: usize,
}

impl<'a> ShownName<'a> {
    /// Cells between an old and a new name, at most.
    pub(crate) const BETWEEN: usize = 4;

    /// Returns the name of a file below a folder: what follows the first `from` bytes of its path.
    pub(crate) fn below(review: &'a FileReview, from: usize) -> Self {
        match new_path(review) {
            Some(to) => Self::renamed(&review.path, to, from),
            None => Self::plain(&review.path[from..]),
        }
    }

    /// Returns the name of a file with the whole path of each of its names.
    pub(crate) fn whole(review: &'a FileReview) -> Self {
        Self {
            new: new_path(review).map(Cow::Borrowed),
            ..Self::plain(&review.path)
        }
    }

    /// Returns a name that stays.
    pub(crate) fn plain(name: &'a str) -> Self {
        Self {
            old: name,
            ..Self::default()
        }
    }

    /// Returns the name of a renamed file below the folder in the first `from` bytes of its path.
    pub(crate) fn renamed(path: &'a str, to: &'a str, from: usize) -> Self {
        let (folder, old) = path.split_at(from);
        let kept = common_folders(folder, to);
        let new = match folder[kept..].matches('/').count() {
            0 => Cow::Borrowed(&to[kept..]),
            up => Cow::Owned("../".repeat(up) + &to[kept..]),
        };
        Self {
            old,
            common: common_folders(old, &new),
            new: Some(new),
        }
    }

    /// Displays it with a sign between the old and the new name.
    pub(crate) fn shown(&self, becomes: &str) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let (common, old) = self.old.split_at(self.common);
            match &self.new {
                None => f.write_str(self.old),
                Some(new) if common.is_empty() => write!(f, "{old} {becomes} {new}"),
                Some(new) => {
                    let new = &new[self.common..];
                    write!(f, "{common}{{{old} {becomes} {new}}}")
                }
            }
        })
    }

    /// Returns the cells that it takes at most.
    pub(crate) fn width(&self) -> usize {
        let new = self.new.as_ref().map_or(0, |new| {
            let braces = if self.common > 0 { 2 } else { 0 };
            Self::BETWEEN + braces + glyphs::width(&new[self.common..])
        });
        glyphs::width(self.old) + new
    }
}

/// Returns the path that a renamed file gets.
fn new_path(review: &FileReview) -> Option<&str> {
    match &review.kind {
        FileKind::Renamed { to } => Some(to),
        FileKind::Modified | FileKind::Created | FileKind::Deleted | FileKind::Copied { .. } => {
            None
        }
    }
}

/// Returns the bytes of the folders that two paths have in common.
fn common_folders(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
    let slashes = same.zip(1..).filter(|((byte, _), _)| *byte == b'/');
    slashes.last().map_or(0, |(_, end)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folder: &str, path: &str, to: &str, expected: &str) {
        let whole = format!("{folder}{path}");
        let name = ShownName::renamed(&whole, to, folder.len());
        let shown = name.shown("->").to_string();
        assert_eq!(shown, expected.replace('→', "->"));
        assert_eq!((name.old, name.width()), (path, glyphs::width(&shown)));
    }

    #[test]
    fn folders_of_both_names_are_named_once() {
        check("", "a.rs", "b.rs", "a.rs → b.rs");
        check("", "src/a.rs", "src/b.rs", "src/{a.rs → b.rs}");
        check("", "src/ui/a.rs", "src/b.rs", "src/{ui/a.rs → b.rs}");
        check("", "src/a.rs", "lib/a.rs", "src/a.rs → lib/a.rs");
        // A name that begins like a folder is no folder.
        check("", "src/a.rs", "src.rs", "src/a.rs → src.rs");
    }

    #[test]
    fn a_new_name_is_relative_to_the_folder_above() {
        check("src/", "a.rs", "src/b.rs", "a.rs → b.rs");
        check("src/", "ui/a.rs", "src/ui/b.rs", "ui/{a.rs → b.rs}");
        check("src/ui/", "a.rs", "src/core/a.rs", "a.rs → ../core/a.rs");
        check("src/ui/", "a.rs", "lib/a.rs", "a.rs → ../../lib/a.rs");
        check("src/ui/", "a.rs", "src/a.rs", "a.rs → ../a.rs");
    }
}
