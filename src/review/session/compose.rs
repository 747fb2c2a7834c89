//! The text of a file as its decisions make it.
//!
//! Only decided lines are composed: with nothing accepted the result is the base, byte for byte. A kept line keeps its own
//! ending, an added one takes that of the line it replaces or follows, and the newline at the end of the file stays as it
//! is unless an accepted hunk says otherwise.

use std::ops::Range;
use std::sync::Arc;

use super::file::{FileKind, FileReview};
use super::hunk::{HunkReview, LineMarks, Step};
use super::versions::Stance;
use crate::proposal::FinalNewline;
use crate::text::{Document, LineEnding, LineIdx, PieceTable};

/// The result of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Postimage<T = String> {
    /// Nothing changes.
    Unchanged,
    /// The file holds this text, under this name if it gets another, with this permission to execute if that changes.
    Text {
        /// The whole text, without a byte order mark.
        text: T,
        /// The new name, relative to the root.
        rename: Option<String>,
        /// The permission to execute.
        executable: Option<bool>,
    },
    /// The file's bytes stay, whatever they are; it gets another name or another permission to execute.
    Kept {
        /// The new name, relative to the root.
        rename: Option<String>,
        /// The permission to execute.
        executable: Option<bool>,
    },
    /// The file is made of the bytes of another one, which is not text.
    Copy {
        /// The other file's name, relative to the root.
        from: String,
        /// The permission to execute.
        executable: Option<bool>,
    },
    /// The file gets these bytes, whatever it held.
    Bytes {
        /// The new bytes.
        bytes: Arc<[u8]>,
        /// The new name, relative to the root.
        rename: Option<String>,
        /// The permission to execute.
        executable: Option<bool>,
    },
    /// The name becomes a symbolic link.
    Link {
        /// The target as the link holds it.
        to: String,
    },
    /// The name becomes a folder without files.
    Folder,
    /// The file goes.
    Deleted,
}

impl<T> Postimage<T> {
    /// Returns the new name of the file, if it gets another.
    pub fn rename(&self) -> Option<&str> {
        match self {
            Self::Text { rename, .. } | Self::Kept { rename, .. } | Self::Bytes { rename, .. } => {
                rename.as_deref()
            }
            Self::Unchanged
            | Self::Copy { .. }
            | Self::Link { .. }
            | Self::Folder
            | Self::Deleted => None,
        }
    }
}

/// Composes what is accepted.
pub fn compose(file: &FileReview) -> Postimage {
    match splice(file) {
        Postimage::Unchanged => Postimage::Unchanged,
        Postimage::Text {
            text,
            rename,
            executable,
        } => Postimage::Text {
            text: text.into(),
            rename,
            executable,
        },
        Postimage::Kept { rename, executable } => Postimage::Kept { rename, executable },
        Postimage::Copy { from, executable } => Postimage::Copy { from, executable },
        Postimage::Bytes {
            bytes,
            rename,
            executable,
        } => Postimage::Bytes {
            bytes,
            rename,
            executable,
        },
        Postimage::Link { to } => Postimage::Link { to },
        Postimage::Folder => Postimage::Folder,
        Postimage::Deleted => Postimage::Deleted,
    }
}

/// The same without a copy of what stays: the text is made of stretches of the file's base.
pub fn splice(file: &FileReview) -> Postimage<PieceTable<'_>> {
    if !file.is_open() {
        return Postimage::Unchanged;
    }
    let stance = file.stance();
    let text = composed_text(file, |marks| {
        (stance.takes(marks.removed), stance.takes(marks.added))
    });
    let steps = file
        .hunks
        .iter()
        .filter(|hunk| hunk.is_decidable() && is_taken(hunk, stance))
        .filter_map(|hunk| hunk.step.as_ref());
    let (mut rename, mut executable, mut creates, mut deletes) = (None, None, false, false);
    let mut bytes = None;
    for step in steps {
        match step {
            Step::Create | Step::Copy => creates = true,
            Step::Delete => deletes = true,
            Step::Rename => {
                if let FileKind::Renamed { to } = &file.kind {
                    rename = Some(to.clone());
                }
            }
            Step::Mode { executable: value } => executable = Some(*value),
            // Of these only a file of two versions knows what it comes to.
            Step::Content | Step::Form { .. } => (),
            Step::Bytes(new) => bytes = Some(Arc::clone(new)),
            Step::Link { to } => return Postimage::Link { to: to.clone() },
            Step::Unlink | Step::RemoveFolder => return Postimage::Deleted,
            Step::MakeFolder => return Postimage::Folder,
        }
    }
    if let Some(bytes) = bytes {
        return Postimage::Bytes {
            bytes,
            rename,
            executable,
        };
    }
    let changed = !text.is(file.base.text());
    match &file.kind {
        FileKind::Deleted if deletes || (changed && text.is_empty()) => Postimage::Deleted,
        FileKind::Created if !changed && !creates => Postimage::Unchanged,
        FileKind::Copied { .. } if !creates => Postimage::Unchanged,
        FileKind::Copied {
            from,
            executable: like,
        } => {
            let executable = executable.or(like.then_some(true));
            match file.opaque() {
                Some(_) => Postimage::Copy {
                    from: from.clone(),
                    executable,
                },
                None => Postimage::Text {
                    text,
                    rename: None,
                    executable,
                },
            }
        }
        _ if !changed && rename.is_none() && executable.is_none() && !creates => {
            Postimage::Unchanged
        }
        _ if file.opaque().is_some() => Postimage::Kept { rename, executable },
        FileKind::Modified | FileKind::Created | FileKind::Deleted | FileKind::Renamed { .. } => {
            Postimage::Text {
                text,
                rename,
                executable,
            }
        }
    }
}

impl FileReview {
    /// Its text with everything that is proposed or edited, decided or not: the right side. Made when it is first asked for,
    /// and the same until lines change.
    pub fn yours(&self) -> &Arc<Document> {
        self.yours
            .get_or_init(|| Arc::new(Document::from_text(yours(self))))
    }
}

/// The text with everything that is proposed or edited.
fn yours(file: &FileReview) -> String {
    composed_text(file, |_| (true, true)).into()
}

fn is_taken(hunk: &HunkReview, stance: Stance) -> bool {
    hunk.step.is_some()
        && hunk
            .state
            .marks
            .first()
            .is_some_and(|marks| stance.takes(marks.added))
}

/// The text, where `taken` says whether a base line goes and whether the new line comes.
fn composed_text(file: &FileReview, taken: impl Fn(&LineMarks) -> (bool, bool)) -> PieceTable<'_> {
    let mut text = Composer::new(&file.base);
    for group in &file.groups {
        let hunk = &file.hunks[group.hunk];
        text.keep_to(group.base.start);
        for i in group.lines.clone() {
            let (line, marks) = (&hunk.state.lines[i], &hunk.state.marks[i]);
            let (goes, comes) = taken(marks);
            let comes = line.adds.as_deref().filter(|_| comes);
            match (line.removes && !goes, comes) {
                (true, None) => text.keep(line.at..line.at + 1),
                (true, Some(with)) => {
                    text.keep(line.at..line.at + 1);
                    text.add(with, line.at + 1, stated(hunk, with));
                }
                (false, Some(with)) => {
                    let before = if line.removes { line.at + 1 } else { line.at };
                    text.add(with, before, stated(hunk, with));
                }
                (false, None) => (),
            }
            let is_taken = comes.is_some() || (line.removes && goes);
            if is_taken && hunk.final_newline != FinalNewline::Keep {
                text.states_end(hunk.final_newline);
            }
        }
        text.done = group.base.end;
    }
    text.finish()
}

/// Returns the ending that an edit states for a line.
fn stated(hunk: &HunkReview, line: &str) -> Option<LineEnding> {
    hunk.asked.as_ref()?.hunk()?.ending_of(line)
}

/// Puts kept and new lines together.
struct Composer<'a> {
    base: &'a Document,
    text: PieceTable<'a>,
    /// The base lines that are dealt with.
    done: LineIdx,
    /// The ending of the last line of the text.
    last_ending: LineEnding,
    /// The statement of the last change about the end of the file, and the length of the text after it.
    end: Option<(usize, FinalNewline)>,
}

impl<'a> Composer<'a> {
    fn new(base: &'a Document) -> Self {
        Self {
            base,
            text: PieceTable::new(base.text()),
            done: 0,
            last_ending: LineEnding::None,
            end: None,
        }
    }

    fn keep_to(&mut self, end: LineIdx) {
        self.keep(self.done..end);
    }

    fn keep(&mut self, lines: Range<LineIdx>) {
        if lines.start < lines.end {
            self.terminate(lines.start);
            self.last_ending = self.base.ending(lines.end - 1);
            self.text.keep(self.base.bytes_of(lines));
        }
    }

    /// Adds a line before the base line `before`. It has the ending that the edit states where the base does not have one ending
    /// for all lines.
    fn add(&mut self, line: &str, before: LineIdx, stated: Option<LineEnding>) {
        let stated = stated.filter(|ending| *ending != LineEnding::None);
        let stated = stated.filter(|_| !self.base.has_one_ending());
        if !self.base.text().contains('\n')
            && let Some(stated) = stated
        {
            self.terminate_with(stated);
        }
        self.terminate(before);
        self.text.add(line);
        self.last_ending = stated.unwrap_or_else(|| self.base.ending_near(before));
        self.text.add(self.last_ending.as_str());
    }

    /// Ends the base's unterminated last line when something follows it.
    fn terminate(&mut self, before: LineIdx) {
        self.terminate_with(self.base.ending_near(before));
    }

    fn terminate_with(&mut self, ending: LineEnding) {
        let last = self.text.bytes_back().next();
        if last.is_some_and(|last| last != b'\n') {
            self.text.add(ending.as_str());
        }
    }

    fn states_end(&mut self, end: FinalNewline) {
        self.end = Some((self.text.len(), end));
    }

    fn finish(mut self) -> PieceTable<'a> {
        self.keep_to(self.base.len());
        let stated = self
            .end
            .filter(|&(at, _)| at == self.text.len())
            .map(|(_, end)| end);
        let newline = match stated {
            Some(FinalNewline::Add) => true,
            Some(FinalNewline::Remove) => false,
            Some(FinalNewline::Keep) | None => self.base.has_final_newline(),
        };
        if !newline {
            let ending = self.last_ending.as_str().len();
            let before = self.text.bytes_back().nth(ending);
            // An empty line without its ending would be no line at all.
            if before.is_some_and(|before| before != b'\n') {
                self.text.drop_end(ending);
            }
        }
        self.text
    }
}
