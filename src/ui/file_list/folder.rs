//! Folders of the list: files that follow each other in one folder are below it, in any order.

use std::collections::BTreeSet;

use super::row::FileListRow;
use crate::text::plural;

/// Cells by which a row is indented for each folder that it is in.
pub const INDENT: usize = 2;

/// Folder with more than one of the listed files. A folder with nothing but another one is no row of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFolder {
    /// The path, which ends with `/`.
    pub path: String,
    /// Rows of the files and parts in it, also while it is closed.
    pub members: Vec<FileListRow>,
    /// True if these rows are not shown.
    pub is_closed: bool,
}

impl ListFolder {
    /// Returns the files that it hides in words; none if it is open.
    pub(crate) fn hidden(&self) -> String {
        if self.is_closed {
            plural(self.members.len(), "file")
        } else {
            String::new()
        }
    }
}

/// Place of a row in the tree of folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Indent {
    /// Number of folders that it is in.
    pub depth: usize,
    /// Bytes of its path that the folder above names.
    pub from: usize,
}

/// Rows of files under rows of their folders.
#[derive(Debug, Default)]
pub(super) struct FolderRows {
    pub(super) rows: Vec<FileListRow>,
    pub(super) indents: Vec<Indent>,
    pub(super) folders: Vec<ListFolder>,
}

impl FolderRows {
    /// Adds a row that is in no folder.
    pub(super) fn push(&mut self, row: FileListRow) {
        self.push_at(row, Indent::default());
    }

    /// Adds files in their order, each with its path. Those that follow each other in one folder are below it; a file that is alone
    /// there has the folder in its name. Rows in the closed folders are left out.
    pub(super) fn nest(&mut self, files: &[(FileListRow, &str)], closed: &BTreeSet<String>) {
        self.nest_at(files, closed, Indent::default());
    }

    fn nest_at(
        &mut self,
        files: &[(FileListRow, &str)],
        closed: &BTreeSet<String>,
        indent: Indent,
    ) {
        let mut rest = files;
        while let Some(&(row, path)) = rest.first() {
            let folder = folder(path, indent.from);
            let together = folder.map_or(1, |folder| {
                let others = rest.iter().take_while(|(_, path)| path.starts_with(folder));
                others.count()
            });
            let (own, others) = rest.split_at(together);
            rest = others;
            let Some(folder) = folder.filter(|_| together > 1) else {
                self.push_at(row, indent);
                continue;
            };
            let path = common_folder(folder, own);
            let from = path.len();
            let is_closed = closed.contains(path);
            let at = self.folders.len();
            self.folders.push(ListFolder {
                path: path.to_owned(),
                members: own.iter().map(|(row, _)| *row).collect(),
                is_closed,
            });
            self.push_at(FileListRow::Folder(at), indent);
            if !is_closed {
                let depth = indent.depth + 1;
                self.nest_at(own, closed, Indent { depth, from });
            }
        }
    }

    fn push_at(&mut self, row: FileListRow, indent: Indent) {
        self.rows.push(row);
        self.indents.push(indent);
    }
}

/// Returns the first folder of a path that is not named yet, with those above it.
fn folder(path: &str, from: usize) -> Option<&str> {
    let end = path.get(from..)?.find('/')?;
    path.get(..=from + end)
}

/// Returns the innermost folder that all files are in; `folder` is one.
fn common_folder<'a>(folder: &'a str, files: &[(FileListRow, &'a str)]) -> &'a str {
    let mut common = folder;
    let Some((_, first)) = files.first() else {
        return common;
    };
    while let Some(inner) = self::folder(first, common.len()) {
        if !files.iter().all(|(_, path)| path.starts_with(inner)) {
            break;
        }
        common = inner;
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists paths; what is returned has two blanks for each folder that a row is in.
    #[track_caller]
    fn check(paths: &[&str], expected: &[&str]) {
        check_closed(paths, &[], expected);
    }

    /// Lists paths with some folders closed.
    #[track_caller]
    fn check_closed(paths: &[&str], closed: &[&str], expected: &[&str]) {
        let files: Vec<(FileListRow, &str)> = (paths.iter().enumerate())
            .map(|(file, &path)| (FileListRow::File(file), path))
            .collect();
        let mut list = FolderRows::default();
        list.nest(&files, &closed.iter().map(ToString::to_string).collect());
        let shown = list.rows.iter().zip(&list.indents).map(|(row, indent)| {
            let path = match *row {
                FileListRow::Folder(at) => &*list.folders[at].path,
                FileListRow::File(file) => paths[file],
                FileListRow::Group(_) | FileListRow::Part { .. } | FileListRow::Problem(_) => "",
            };
            format!("{}{}", "  ".repeat(indent.depth), &path[indent.from..])
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{paths:?}");
    }

    #[test]
    fn files_are_below_their_folders() {
        check(
            &[
                "Cargo.toml",
                "src/a.rs",
                "src/ui/b.rs",
                "src/ui/c.rs",
                "z/y/x.rs",
            ],
            &[
                "Cargo.toml",
                "src/",
                "  a.rs",
                "  ui/",
                "    b.rs",
                "    c.rs",
                "z/y/x.rs",
            ],
        );
    }

    #[test]
    fn folders_with_one_folder_are_one_row() {
        check(
            &["a/b/c/x.rs", "a/b/c/y.rs"],
            &["a/b/c/", "  x.rs", "  y.rs"],
        );
        check(
            &["a/b/c/x.rs", "a/b/d/y.rs"],
            &["a/b/", "  c/x.rs", "  d/y.rs"],
        );
        // A name that begins like a folder is another one.
        check(&["ab/x.rs", "a/x.rs"], &["ab/x.rs", "a/x.rs"]);
    }

    #[test]
    fn the_order_of_the_files_stays() {
        check(
            &["a/x.rs", "a/y.rs", "b.rs", "a/z.rs"],
            &["a/", "  x.rs", "  y.rs", "b.rs", "a/z.rs"],
        );
    }

    #[test]
    fn a_closed_folder_has_its_files_and_does_not_show_them() {
        let paths = ["a/x", "a/b/y", "a/b/z", "c", "a/v", "a/w"];
        check_closed(
            &paths,
            &["a/b/"],
            &["a/", "  x", "  b/", "c", "a/", "  v", "  w"],
        );
        check_closed(&paths, &["a/", "c"], &["a/", "c", "a/"]);
        let files = paths.map(|path| (FileListRow::File(path.len()), path));
        let mut list = FolderRows::default();
        list.nest(&files, &BTreeSet::from(["a/".to_owned()]));
        let counts: Vec<usize> = (list.folders.iter())
            .map(|folder| folder.members.len())
            .collect();
        assert_eq!(counts, [3, 2]);
    }
}
