//! The lines of a unified diff before a file's first hunk: `---`/`+++`, and git's extended header.
//!
//! <https://git-scm.com/docs/diff-format#generate_patch_text_with_p>

use std::sync::Arc;

use super::binary_patch;
use super::file_title::{self, FileTitle};
use super::header_path::{self, HeaderName};
use super::hunk::file_header;
use super::hunk_header;
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{BinaryPatch, Blobs, Operation, PathClaim};
use crate::text::LineIdx;

/// Header of a file, before its hunks.
#[derive(Debug)]
pub(super) struct GitHeader {
    /// The first line after it.
    pub(super) end: LineIdx,
    pub(super) path: Option<PathClaim>,
    pub(super) operation: Operation,
    pub(super) executable: Option<bool>,
    pub(super) blobs: Option<Blobs>,
    /// The bytes of a file that is not text.
    pub(super) binary: Option<Arc<BinaryPatch>>,
    /// The kind of entry that the diff is of.
    pub(super) entry: DiffEntryKind,
    /// True if it announces hunks: it has lines `---` and `+++`, or ends the input and is that of a file with another text than
    /// the one that it is made from, or of a new file that it does not state to be empty.
    pub(super) has_hunks: bool,
    /// The reason why the whole file is unreadable.
    pub(super) error: Option<ParseError>,
}

/// A kind of directory entry, as the mode of a diff tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum DiffEntryKind {
    /// Not stated: the diff has no mode, or one of no known kind.
    #[default]
    Unstated,
    /// A regular file.
    File,
    /// A symbolic link, whose text is its target.
    Link,
}

/// The header as it is collected line by line.
#[derive(Debug, Default)]
struct HeaderLines {
    git: Option<(String, String)>,
    old: Option<HeaderName>,
    new: Option<HeaderName>,
    from: Option<String>,
    to: Option<String>,
    /// The file that is copied, and the copy's name.
    copied: (Option<String>, Option<String>),
    operation: Option<Operation>,
    executable: Option<bool>,
    blobs: Option<Blobs>,
    binary: Option<Arc<BinaryPatch>>,
    entry: DiffEntryKind,
    /// True if a line `old file mode` states that the file was there.
    has_old_file_mode: bool,
    /// True if the file differs from the one that it is made from.
    is_similar: bool,
    error: Option<ParseError>,
}

/// Reads the header that begins at a line, if one does.
pub(super) fn read(input: &Input, at: LineIdx) -> Option<GitHeader> {
    let line = input.line(at)?;
    let mut lines = HeaderLines::default();
    let mut end = at;
    if let Some(names) = line.strip_prefix("diff --git ") {
        lines.git = header_path::git_sides(names);
        end += 1;
        while input
            .line(end)
            .is_some_and(|line| lines.extended(input, end, line))
        {
            end += 1;
        }
        if input.line(end - 1) == Some(BINARY) {
            let (after, patch) = binary_patch::read(input, end);
            end = after;
            match patch {
                Ok(patch) => lines.binary = Some(Arc::new(patch)),
                Err(error) => lines.error = Some(error),
            }
        }
    } else if line.starts_with("diff --cc ") || line.starts_with("diff --combined ") {
        lines.error = Some(ParseError::line(
            input,
            at,
            "a diff of two versions, not a combined one",
        ));
        // Its hunks have a mark for each parent: they are no hunks of a diff of two versions.
        end += 1;
        while input.line(end).is_some_and(is_combined) {
            end += 1;
        }
    }
    if let Some((old, new, next)) = sides(input, end) {
        let git = line.strip_prefix("diff --git ");
        let is_other = git.is_some_and(|git| lines.is_of_another(git, &[&old, &new]));
        // Nothing changes in a file that is only moved: the diff below it is that of another file.
        if !is_other || lines.is_similar || lines.from.is_none() {
            if is_other {
                let expected = "the names that the line 'diff --git' has";
                lines.error = Some(ParseError::line(input, end, expected));
            }
            (lines.old, lines.new, end) = (old, new, next);
            lines.take_absent(input, end);
        }
    }
    (end > at).then(|| lines.finish(input, at, end))
}

/// Returns `true` for a line after the first of a combined diff.
fn is_combined(line: &str) -> bool {
    const HEADERS: [&str; 5] = [
        "index ",
        "mode ",
        "new file mode ",
        "deleted file mode ",
        "@@@",
    ];
    line.starts_with([' ', '+', '-', '\\']) || HEADERS.iter().any(|key| line.starts_with(key))
}

/// Reads the `---` and `+++` lines. One of them may be missing if a hunk follows, or if git's lines came before.
fn sides(input: &Input, at: LineIdx) -> Option<(Option<HeaderName>, Option<HeaderName>, LineIdx)> {
    let after = |at: LineIdx, marker| input.line(at)?.strip_prefix(marker).map(header_path::side);
    let is_hunk = |at| input.line(at).is_some_and(hunk_header::is_header);
    match (after(at, "--- "), after(at + 1, "+++ "), after(at, "+++ ")) {
        (Some(old), Some(new), _) if is_hunk(at + 2) || file_header(input, at).is_some() => {
            Some((Some(old), Some(new), at + 2))
        }
        (Some(old), None, _) if is_hunk(at + 1) => Some((Some(old), None, at + 1)),
        (None, _, Some(new)) if is_hunk(at + 1) => Some((None, Some(new), at + 1)),
        _ => None,
    }
}

/// Returns true if the header line so many lines above a hunk has the timestamp of an absent file.
fn is_epoch_above(input: &Input, hunk: LineIdx, lines: usize, marker: &str) -> bool {
    let line = hunk.checked_sub(lines).and_then(|at| input.line(at));
    let name = line.and_then(|line| line.strip_prefix(marker));
    name.is_some_and(header_path::is_absent)
}

impl HeaderLines {
    /// Returns true if a name in the lines `---` and `+++` is none of those in the line `diff --git` and the lines below it.
    fn is_of_another(&self, git: &str, sides: &[&Option<HeaderName>]) -> bool {
        if git.contains('"') {
            return false;
        }
        let stated = [&self.from, &self.to, &self.copied.0, &self.copied.1];
        let stated: Vec<&str> = stated.into_iter().flatten().map(String::as_str).collect();
        let pair = self.git.as_ref();
        let pair = pair.map(|(old, new)| [old, new].map(String::as_str));
        let known: Vec<&str> = pair.into_iter().flatten().chain(stated).collect();
        let mut names = sides.iter().filter_map(|side| side.as_ref()?.as_deref());
        names.any(|name| !is_in_line(git, name) && !is_one_of(&known, name))
    }

    /// Takes a side for absent if its timestamp or the title, and the first hunk, state that. Both names are of one file.
    fn take_absent(&mut self, input: &Input, hunk: LineIdx) {
        let range = input.line(hunk).unwrap_or_default();
        let title = hunk
            .checked_sub(2)
            .and_then(|at| file_title::above(input, at));
        let is_stated = |kind: FileTitle| title == Some(kind);
        let is_old = (is_epoch_above(input, hunk, 2, "--- ") || is_stated(FileTitle::Added))
            && range.starts_with("@@ -0,0 ");
        let is_new = (is_epoch_above(input, hunk, 1, "+++ ") || is_stated(FileTitle::Removed))
            && range.contains(" +0,0 @@");
        if is_old == is_new {
            return;
        }
        if let (Some(Some(old)), Some(Some(new))) = (&self.old, &self.new) {
            self.git.get_or_insert_with(|| (old.clone(), new.clone()));
        }
        let side = if is_old { &mut self.old } else { &mut self.new };
        *side = Some(None);
    }

    /// Takes a line of git's extended header; `false` if it is none.
    fn extended(&mut self, input: &Input, at: LineIdx, line: &str) -> bool {
        let Some((key, value)) = KEYS
            .iter()
            .find_map(|key| Some((*key, line.strip_prefix(key)?)))
        else {
            return false;
        };
        match key {
            "old mode " => self.entry(input, at, value),
            "new mode " => self.mode(input, at, value),
            // Breezy writes both modes of all files, and 0 for a file that is absent.
            "old file mode " if value.trim() == "0" => (),
            "old file mode " => {
                self.has_old_file_mode = true;
                self.entry(input, at, value);
            }
            "new file mode " if self.has_old_file_mode && value.trim() == "0" => {
                self.operation = Some(Operation::Delete);
            }
            "new file mode " if self.has_old_file_mode => self.mode(input, at, value),
            "new file mode " => {
                self.operation = Some(Operation::Create);
                self.mode(input, at, value);
            }
            "deleted file mode " => {
                self.operation = Some(Operation::Delete);
                self.entry(input, at, value);
            }
            "rename from " => self.from = Some(name(value)),
            "rename to " => self.to = Some(name(value)),
            "copy from " => self.copied.0 = Some(name(value)),
            "copy to " => self.copied.1 = Some(name(value)),
            // What goes need not be shown.
            "Binary files " if self.operation == Some(Operation::Delete) => (),
            "Binary files " => {
                let expected = "the bytes of the binary file, as `git diff --binary` writes them";
                self.error = Some(ParseError::line(input, at, expected));
            }
            "index " => {
                self.blobs = Blobs::parse(value);
                if let Some(mode) = value.split_whitespace().nth(1) {
                    self.entry(input, at, mode);
                }
            }
            "similarity index " => self.is_similar = value.trim() != "100%",
            // The mark before a binary patch: nothing that changes the file.
            _ => (),
        }
        true
    }

    /// Reads a file's mode.
    fn mode(&mut self, input: &Input, at: LineIdx, mode: &str) {
        self.entry(input, at, mode);
        match mode.trim() {
            "100755" => self.executable = Some(true),
            "100644" | "100664" => self.executable = Some(false),
            LINK | SUBMODULE => (),
            _ => {
                let expected = "the mode of a file, 100644 or 100755";
                self.error = Some(ParseError::line(input, at, expected));
            }
        }
    }

    /// Reads which kind of entry a mode is for.
    fn entry(&mut self, input: &Input, at: LineIdx, mode: &str) {
        match mode.trim() {
            LINK => self.entry = DiffEntryKind::Link,
            "100644" | "100664" | "100755" => self.entry = DiffEntryKind::File,
            SUBMODULE => {
                let expected =
                    "a file or a link: mode 160000 is a submodule, which only git can change";
                self.error = Some(ParseError::line(input, at, expected));
            }
            _ => (),
        }
    }

    /// Settles what the lines say together.
    fn finish(self, input: &Input, at: LineIdx, end: LineIdx) -> GitHeader {
        let (git_old, git_new) = self.git.unzip();
        let is_none = |side: &Option<HeaderName>| matches!(side, Some(None));
        let (created, deleted) = (is_none(&self.old), is_none(&self.new));
        // Only at its end is an input cut off.
        let announces = self.is_similar
            || (self.operation == Some(Operation::Create)
                && self.binary.is_none()
                && self.blobs.as_ref().is_none_or(|blobs| !blobs.is_after(b"")));
        let has_hunks =
            self.old.is_some() || self.new.is_some() || (announces && ends_input(input, end));
        let (source, copy) = self.copied;
        let new_name = self.to.as_ref().or(copy.as_ref());
        let is_cut = (git_new.as_ref().zip(new_name)).is_some_and(|(git, new)| is_cut(git, new));
        let renamed = self.from.clone().zip(self.to);
        let operation = match (self.operation, renamed, source.filter(|_| copy.is_some())) {
            (_, Some((_, to)), _) => Operation::Rename(PathClaim::plain(to)),
            (_, None, Some(source)) => Operation::CopyOf(PathClaim::plain(source)),
            (Some(operation), None, None) => operation,
            (None, None, None) if created && !deleted => Operation::Create,
            (None, None, None) if deleted && !created => Operation::Delete,
            (None, None, None) => Operation::Modify,
        };
        let old = self.old.flatten();
        let new = self.new.flatten();
        let of_one = (git_old.as_deref().zip(git_new.as_deref()))
            .and_then(|(old, new)| header_path::claim_of_one(old, new));
        let path = match (self.from.or(copy), &operation) {
            (Some(name), _) => Some(PathClaim::plain(name)),
            // The line `diff --git` shows the prefix of a name that is the only one.
            (None, _)
                if old.is_some() != new.is_some()
                    && (old.is_none() || old == git_old)
                    && (new.is_none() || new == git_new) =>
            {
                of_one
            }
            (None, Operation::Create) if new.is_some() => {
                new.as_deref().map(header_path::one_sided)
            }
            (None, _) if old.is_some() || new.is_some() => {
                header_path::claim(old.as_deref(), new.as_deref())
            }
            (None, _) => of_one,
        };
        let nameless = path.is_none() || (created && deleted);
        let error = self
            .error
            .or_else(|| nameless.then(|| ParseError::line(input, at, "the name of a file")))
            .or_else(|| {
                let expected = "the new name that the line 'diff --git' has";
                is_cut.then(|| ParseError::line(input, end - 1, expected))
            });
        GitHeader {
            end,
            path,
            operation,
            executable: self.executable,
            blobs: self.blobs,
            binary: self.binary,
            entry: self.entry,
            has_hunks,
            error,
        }
    }
}

/// Beginnings of the lines of git's extended header.
const KEYS: [&str; 14] = [
    "old mode ",
    "old file mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "similarity index ",
    "dissimilarity index ",
    "index ",
    "Binary files ",
    BINARY,
];

/// The mode of a symbolic link.
const LINK: &str = "120000";
/// The mode of a submodule, which is a commit of another repository.
const SUBMODULE: &str = "160000";
/// Lines before the bytes of a binary file.
const BINARY: &str = "GIT binary patch";

/// Returns true if an input ends at a line, or in the next lines of the same header.
fn ends_input(input: &Input, at: LineIdx) -> bool {
    const NEXT: [&str; 4] = ["index ", "--- ", "+++ ", "@@"];
    let is_begun = |line: &str| NEXT.iter().any(|key| key.starts_with(line));
    let mut next = input.skip_blank(at);
    for key in ["--- ", "+++ "] {
        if input.line(next).is_some_and(|line| line.starts_with(key)) {
            next = input.skip_blank(next + 1);
        }
    }
    input.line(next).is_none_or(is_begun) && input.skip_blank(next + 1) >= input.len()
}

/// Returns true if a line `diff --git` has a name, with or without git's prefix.
fn is_in_line(git: &str, name: &str) -> bool {
    let bare = header_path::bare(name);
    git.match_indices(bare).any(|(at, _)| {
        let before = git[..at].chars().next_back();
        let after = git[at + bare.len()..].chars().next();
        matches!(before, None | Some(' ' | '/')) && matches!(after, None | Some(' '))
    })
}

/// Returns true if a name ends with one of the known ones.
fn is_one_of(known: &[&str], name: &str) -> bool {
    let name = header_path::bare(name);
    let mut known = known.iter().map(|known| header_path::bare(known));
    known.any(|known| ends_with(name, known))
}

/// Returns true if a name ends with all parts of another one.
fn ends_with(name: &str, end: &str) -> bool {
    let folder = name.strip_suffix(end);
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Returns true if a name is the beginning of the one that the line `diff --git` has, without its prefix.
fn is_cut(git: &str, name: &str) -> bool {
    let inner = git.match_indices('/').map(|(at, _)| &git[at + 1..]);
    let mut names = inner
        .chain([git])
        .filter(|one| one.starts_with(name))
        .peekable();
    names.peek().is_some() && names.all(|one| one != name)
}

/// The name in a `rename` line, which has no prefix but may be quoted. It is the rest of the line.
fn name(text: &str) -> String {
    if text.trim() != text && !text.trim().is_empty() {
        return header_path::without_blank_marks(text).to_owned();
    }
    header_path::side(text).unwrap_or_else(|| text.to_owned())
}
