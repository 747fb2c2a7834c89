//! A row of the list of all files.

use super::list_group::ListGroup;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileListRow {
    /// The head of some files that belong together.
    Group(ListGroup),
    /// A folder, by its position in the folders of the list.
    Folder(usize),
    /// A file, by its position in the session.
    File(usize),
    /// A part of a file, in an order by purposes.
    Part {
        /// The file, by its position in the session.
        file: usize,
        /// The part, by its position in the order of the stream.
        at: usize,
    },
    /// A part of the input that could not be read and names no file of the session, by its position.
    Problem(usize),
}

impl FileListRow {
    /// The file, if it is one or a part of one.
    pub fn file(self) -> Option<usize> {
        match self {
            Self::File(file) | Self::Part { file, .. } => Some(file),
            Self::Group(_) | Self::Folder(_) | Self::Problem(_) => None,
        }
    }
}
