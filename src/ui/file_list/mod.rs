//! The list of all files: in which order, which of them, and which are chosen.

mod filter;
mod folder;
mod list_group;
mod row;
mod sort_order;

use std::collections::BTreeSet;
use std::ops::Add;

use filter::NameMatches;
use folder::FolderRows;
pub use folder::{INDENT, Indent, ListFolder};
pub use list_group::ListGroup;
pub use row::FileListRow;
pub use sort_order::Sort;

use crate::proposal::Problem;
use crate::review::{FileReview, ReviewSession, Standing};
use crate::text::plural;
use crate::ui::file_name::ShownName;
use crate::ui::glyphs;
use crate::ui::summary::{Progress, SIGNS, Summaries};

/// The list of all files.
#[derive(Debug, Default)]
pub struct FileList {
    /// The files listed, by their positions in the session.
    pub files: Vec<usize>,
    /// The parts of the input that are listed above them: those that could not be read and name no file of the session.
    pub problems: Vec<usize>,
    /// The rows of the list.
    pub rows: Vec<FileListRow>,
    /// The folders among the rows.
    pub folders: Vec<ListFolder>,
    /// Places of the rows in the tree of folders.
    indents: Vec<Indent>,
    /// Paths of the closed folders.
    closed: BTreeSet<String>,
    /// Cells that the longest row needs at the side.
    pub(crate) needed: usize,
    /// The row of the cursor.
    pub cursor: usize,
    /// The first row on the screen.
    pub top: usize,
    /// Sort order.
    pub sort: Sort,
    /// The letters that their names must hold.
    pub filter: String,
    /// The row where a range of chosen files begins that ends at the cursor.
    pub from: Option<usize>,
    chosen: BTreeSet<FileListRow>,
    hits: NameMatches,
}

impl FileList {
    /// Sorts and filters again and keeps the cursor on its row.
    pub fn arrange(&mut self, session: &ReviewSession, summaries: &Summaries) {
        let here = self.row();
        let folder_here = self.folder().cloned();
        let names = session.files.iter().map(ShownName::whole);
        // A leading `!` asks for files that need attention.
        let (attention, letters) = match self.filter.strip_prefix('!') {
            Some(letters) => (true, letters),
            None => (false, self.filter.as_str()),
        };
        self.hits = NameMatches::new(letters, names.enumerate());
        let rows = self.sort.rows(session, summaries).into_iter();
        let rows = rows.filter(|row| {
            row.file().is_some_and(|file| {
                session.files[file].standing != Standing::Gone
                    && self.hits.score(file).is_some()
                    && (!attention || summaries.files[file].needs_attention())
            })
        });
        let mut rows: Vec<FileListRow> = rows.collect();
        if self.sort == Sort::Proposal {
            // Where nothing else was asked for, the best match comes first.
            let score = |row: &FileListRow| row.file().and_then(|file| self.hits.score(file));
            rows.sort_by_key(|row| std::cmp::Reverse(score(row)));
        }
        let mut known = BTreeSet::new();
        let files = rows.iter().filter_map(|row| row.file());
        self.files = files.filter(|file| known.insert(*file)).collect();
        let problems = session.files_of_problems().into_iter().enumerate();
        let unnamed = problems
            .filter(|(_, file)| file.is_none())
            .map(|(at, _)| at);
        self.problems = unnamed
            .filter(|at| is_named_by(&session.problems[*at], letters))
            .collect();
        self.put_rows(&rows, session, summaries);
        let again = match folder_here {
            // Its position among the folders is another one.
            Some(here) => self.position_of_folder(&here),
            None => here.and_then(|here| self.position(here)),
        };
        self.cursor = again
            .unwrap_or(self.cursor)
            .min(self.rows.len().saturating_sub(1));
        self.from = None;
        let width = self.width(session, summaries);
        // While a name is searched for, the list keeps its width.
        self.needed = if self.filter.is_empty() {
            width
        } else {
            self.needed.max(width)
        };
    }

    fn position(&self, row: FileListRow) -> Option<usize> {
        self.rows.iter().position(|&other| other == row)
    }

    /// Returns the position of a folder with this path, if possible of the one with the same first file.
    fn position_of_folder(&self, folder: &ListFolder) -> Option<usize> {
        let first = folder.members.first();
        let folders = || self.folders.iter().enumerate();
        let found = folders()
            .find(|(_, other)| other.path == folder.path && other.members.first() == first)
            .or_else(|| folders().find(|(_, other)| other.path == folder.path));
        found.and_then(|(at, _)| self.position(FileListRow::Folder(at)))
    }

    /// Lists the problems, and then files and parts below the headings of their groups and folders.
    fn put_rows(&mut self, rows: &[FileListRow], session: &ReviewSession, summaries: &Summaries) {
        let mut list = FolderRows::default();
        for &problem in &self.problems {
            list.push(FileListRow::Problem(problem));
        }
        let group = |row: &FileListRow| self.sort.group(*row, summaries);
        let path = |row: &FileListRow| Some((*row, &*session.files[row.file()?].path));
        for rows in rows.chunk_by(|row, next| group(row) == group(next)) {
            if let Some(group) = rows.first().and_then(group) {
                list.push(FileListRow::Group(group));
            }
            if self.filter.is_empty() {
                let files: Vec<_> = rows.iter().filter_map(path).collect();
                list.nest(&files, &self.closed);
            } else {
                // What is looked for is a whole name.
                for &row in rows {
                    list.push(row);
                }
            }
        }
        self.rows = list.rows;
        self.indents = list.indents;
        self.folders = list.folders;
    }

    /// Returns the place of a row in the tree of folders.
    pub fn indent(&self, row: usize) -> Indent {
        self.indents.get(row).copied().unwrap_or_default()
    }

    /// Returns the name of a file as a row shows it: below the folder that it is in, or all of it where a name is searched for.
    pub(crate) fn name<'a>(&self, review: &'a FileReview, row: usize) -> ShownName<'a> {
        if self.filter.is_empty() {
            ShownName::below(review, self.indent(row).from)
        } else {
            ShownName::whole(review)
        }
    }

    /// Returns the cells that the longest row needs at the side.
    fn width(&self, session: &ReviewSession, summaries: &Summaries) -> usize {
        let rows = self.rows.iter().enumerate();
        let widths = rows.map(|(at, &row)| {
            let indent = self.indent(at);
            let name = match row {
                FileListRow::File(file) | FileListRow::Part { file, .. } => {
                    let name = self.name(&session.files[file], at).width();
                    name + summaries.files[file].list_width()
                }
                FileListRow::Folder(at) => {
                    let folder = &self.folders[at];
                    let name = glyphs::width(&folder.path[indent.from..]);
                    let files = folder.members.iter().filter_map(|row| row.file());
                    let all = files.map(|file| summaries.files[file].progress);
                    let hidden = match folder.hidden() {
                        words if words.is_empty() => 0,
                        words => glyphs::width(&words) + 1,
                    };
                    SIGNS + name + hidden + all.fold(Progress::default(), Add::add).width()
                }
                // Headings are cut.
                FileListRow::Group(_) | FileListRow::Problem(_) => 0,
            };
            name + INDENT * indent.depth
        });
        widths.max().unwrap_or(0)
    }

    /// Returns the filter in words, with what the list shows of a number of files; `None` without a filter.
    pub(crate) fn filter_words(&self, all: usize) -> Option<String> {
        let (shown, filter) = (self.files.len(), &self.filter);
        // They have rows of their own above the files.
        let unread = match self.problems.len() {
            0 => String::new(),
            count => format!(" files and {}", plural(count, "unread part")),
        };
        let words = || format!("{shown} of {all}{unread} with `{filter}`");
        (!filter.is_empty()).then(words)
    }

    /// The row of the cursor.
    pub fn row(&self) -> Option<FileListRow> {
        self.rows.get(self.cursor).copied()
    }

    /// Puts the cursor on the first row that is no heading.
    pub(crate) fn go_to_first(&mut self) {
        let is_heading =
            |row: &FileListRow| matches!(row, FileListRow::Group(_) | FileListRow::Folder(_));
        let first = self.rows.iter().position(|row| !is_heading(row));
        self.cursor = first.unwrap_or(0);
    }

    /// The file under the cursor.
    pub fn file(&self) -> Option<usize> {
        self.row()?.file()
    }

    /// The part of the input under the cursor.
    pub fn problem(&self) -> Option<usize> {
        match self.row()? {
            FileListRow::Problem(at) => Some(at),
            FileListRow::File(_)
            | FileListRow::Part { .. }
            | FileListRow::Group(_)
            | FileListRow::Folder(_) => None,
        }
    }

    /// The characters of a file's name that the filter asks for.
    pub fn hits(&self, file: usize) -> &[u32] {
        if self.filter.is_empty() {
            return &[];
        }
        self.hits.at(file)
    }

    /// The folder under the cursor.
    pub fn folder(&self) -> Option<&ListFolder> {
        match self.row()? {
            FileListRow::Folder(at) => self.folders.get(at),
            FileListRow::File(_)
            | FileListRow::Part { .. }
            | FileListRow::Group(_)
            | FileListRow::Problem(_) => None,
        }
    }

    /// Returns the rows of files and parts below the heading of a group or below a folder; none below any other row.
    pub fn members(&self, head: FileListRow) -> Vec<FileListRow> {
        match head {
            FileListRow::Group(_) => {
                let after = self.rows.iter().skip_while(|&&row| row != head).skip(1);
                let own = after.take_while(|row| !matches!(row, FileListRow::Group(_)));
                own.flat_map(|row| self.contents(row)).copied().collect()
            }
            FileListRow::Folder(at) => self.folders[at].members.clone(),
            FileListRow::File(_) | FileListRow::Part { .. } | FileListRow::Problem(_) => Vec::new(),
        }
    }

    /// Returns the rows of files and parts that a row of the list shows or hides: itself, or what is in a closed folder.
    fn contents<'a>(&'a self, row: &'a FileListRow) -> &'a [FileListRow] {
        match row {
            FileListRow::File(_) | FileListRow::Part { .. } => std::slice::from_ref(row),
            FileListRow::Folder(at) if self.folders[*at].is_closed => &self.folders[*at].members,
            FileListRow::Folder(_) | FileListRow::Group(_) | FileListRow::Problem(_) => &[],
        }
    }

    /// Closes the folder of the cursor, or the folder that its file is in, or opens it. Returns false if there is none.
    pub(crate) fn toggle_folder(&mut self) -> bool {
        let depth = self.indent(self.cursor).depth;
        let is_outside = |&row: &usize| self.indent(row).depth < depth;
        let row = match self.row() {
            Some(FileListRow::Folder(_)) => self.cursor,
            Some(_) | None => match (0..self.cursor).rev().find(is_outside) {
                Some(row) => row,
                None => return false,
            },
        };
        let Some(FileListRow::Folder(at)) = self.rows.get(row) else {
            return false;
        };
        let path = self.folders[*at].path.clone();
        if !self.closed.remove(&path) {
            self.closed.insert(path);
        }
        self.cursor = row;
        true
    }

    /// The rows of files and of parts that are chosen, in the order of the session. Those that the filter hides are not among them.
    pub fn chosen(&self) -> Vec<FileListRow> {
        let rows = self.rows.get(self.range()).unwrap_or_default().iter();
        let range = rows.flat_map(|row| self.contents(row));
        let all: BTreeSet<FileListRow> = self.chosen.iter().chain(range).copied().collect();
        if self.filter.is_empty() {
            return all.into_iter().collect();
        }
        let listed: BTreeSet<usize> = self.files.iter().copied().collect();
        let is_listed = |row: &FileListRow| row.file().is_some_and(|file| listed.contains(&file));
        all.into_iter().filter(is_listed).collect()
    }

    /// Takes note that the parts of the files are others.
    pub(crate) fn forget_parts(&mut self) {
        (self.chosen).retain(|row| !matches!(row, FileListRow::Part { .. }));
    }

    /// Returns true if a row is chosen, or all that a closed folder hides.
    pub fn is_chosen(&self, row: usize) -> bool {
        let contents = self.rows.get(row).map_or(&[][..], |row| self.contents(row));
        let all_are = !contents.is_empty() && contents.iter().all(|row| self.chosen.contains(row));
        self.range().contains(&row) || all_are
    }

    /// Chooses the file of the cursor or the files of its group or folder, or chooses them no more; ends a range.
    pub fn choose(&mut self) {
        if self.from.is_some() {
            self.chosen = self.chosen().into_iter().collect();
            self.from = None;
            return;
        }
        let rows = match self.row() {
            Some(row @ (FileListRow::File(_) | FileListRow::Part { .. })) => vec![row],
            Some(row @ (FileListRow::Group(_) | FileListRow::Folder(_))) => self.members(row),
            Some(FileListRow::Problem(_)) | None => Vec::new(),
        };
        self.turn(&rows);
        self.step(1);
    }

    /// Chooses all files that are listed, or none.
    pub fn choose_all(&mut self) {
        self.from = None;
        let rows = self.rows.iter().flat_map(|row| self.contents(row));
        let rows: Vec<FileListRow> = rows.copied().collect();
        self.turn(&rows);
    }

    /// Chooses nothing; whether anything was.
    pub fn choose_none(&mut self) -> bool {
        let any = self.from.take().is_some() || !self.chosen.is_empty();
        self.chosen.clear();
        any
    }

    fn turn(&mut self, rows: &[FileListRow]) {
        if rows.iter().all(|row| self.chosen.contains(row)) {
            for row in rows {
                self.chosen.remove(row);
            }
        } else {
            self.chosen.extend(rows);
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        let range = |from: usize| from.min(self.cursor)..from.max(self.cursor) + 1;
        self.from.map_or(0..0, range)
    }

    /// Puts the cursor on a file, if it is listed: on the part of it, by its position in the order of the stream, if there is one.
    pub fn go_to_file(&mut self, file: usize, part: Option<usize>) {
        self.cursor = self.row_of(file, part).unwrap_or(self.cursor);
    }

    /// Returns the position of the row of a file, or of a part of it, or of the closed folder that hides it.
    pub fn row_of(&self, file: usize, part: Option<usize>) -> Option<usize> {
        let is_part =
            |row: &FileListRow| matches!(*row, FileListRow::Part { at, .. } if Some(at) == part);
        let is_of_file = |row: &FileListRow| row.file() == Some(file);
        let position = |is_it: &dyn Fn(&FileListRow) -> bool| {
            (self.rows.iter()).position(|row| self.contents(row).iter().any(is_it))
        };
        position(&is_part).or_else(|| position(&is_of_file))
    }

    /// Moves the cursor; the ends hold it.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Scrolls as little as it takes to see the cursor.
    pub fn show_cursor(&mut self, page: usize) {
        let page = page.max(1);
        let most = self.rows.len().saturating_sub(page);
        let lowest = (self.cursor + 1).saturating_sub(page);
        self.top = self
            .top
            .clamp(lowest, self.cursor.max(lowest))
            .min(most.max(lowest));
    }
}

/// Returns true if the file that a part of the input names has some letters in its path; no letters are in every path.
fn is_named_by(problem: &Problem, letters: &str) -> bool {
    let path = problem.path.as_ref();
    letters.is_empty() || path.is_some_and(|path| path.to_string().contains(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> FileList {
        let files: Vec<usize> = (0..10).collect();
        FileList {
            rows: files.iter().map(|&file| FileListRow::File(file)).collect(),
            files,
            ..FileList::default()
        }
    }

    #[test]
    fn the_cursor_stays_in_sight() {
        let mut batch = batch();
        batch.step(99);
        batch.show_cursor(4);
        assert_eq!((batch.cursor, batch.top), (9, 6));
        batch.step(-9);
        batch.show_cursor(4);
        assert_eq!((batch.cursor, batch.top), (0, 0));
    }

    #[test]
    fn files_are_chosen_one_by_one_by_range_and_all() {
        let mut batch = batch();
        batch.choose();
        batch.step(2);
        batch.from = Some(batch.cursor);
        batch.step(2);
        assert_eq!(batch.chosen(), [0, 3, 4, 5].map(FileListRow::File));
        batch.choose();
        batch.step(-1);
        batch.choose();
        assert_eq!(batch.chosen(), [0, 3, 5].map(FileListRow::File));
        batch.choose_all();
        assert_eq!(batch.chosen().len(), 10);
        batch.choose_all();
        assert!(batch.chosen().is_empty());
        assert!(!batch.choose_none());
    }
}
