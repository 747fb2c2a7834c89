//! Trees and lists of files, as `tree` prints them: their rows name files, and none of them is the text of a file.

use super::name_shape::{KNOWN, is_path};

/// Beginnings of the row of a file; behind one of the last four there are more dashes or a blank.
const BRANCHES: [&str; 6] = ["├", "└", "|--", "`--", "+--", "\\--"];

/// The files that a printed tree shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct FileTree {
    /// The name of its root, where it is not the working folder.
    root: Option<String>,
    /// The paths of its files below the root.
    files: Vec<String>,
}

impl FileTree {
    /// Reads lines that are a tree, as [`is_tree`] and [`is_list`] define it, or an indented list with comments.
    pub(in crate::dialect) fn of(lines: &[&str]) -> Option<Self> {
        if !is_tree(lines) && !is_list(lines) && !is_indented_list(lines) {
            return None;
        }
        let mut folders: Vec<(usize, String)> = Vec::new();
        let mut entries: Vec<(String, bool)> = Vec::new();
        let is_named = |line: &&&str| !line.trim().is_empty() && !is_count(line);
        let mut columns = Vec::new();
        for line in lines.iter().filter(is_named) {
            let Some((column, name)) = named(line) else {
                continue;
            };
            while folders.pop_if(|(above, _)| *above >= column).is_some() {}
            let above = folders.last().map_or("", |(_, path)| path);
            let path = match name.trim_end_matches('/').trim_start_matches("./") {
                "." => above.to_owned(),
                name if above.is_empty() => name.to_owned(),
                name => format!("{above}/{name}"),
            };
            entries.push((path.clone(), name.ends_with('/')));
            folders.push((column, path));
            columns.push(column);
        }
        let (first, rest) = columns.split_first()?;
        let is_root = !lines.iter().find(is_named).is_some_and(|line| is_row(line));
        let root = (is_root && !rest.is_empty() && rest.iter().all(|column| column > first))
            .then(|| entries[0].0.clone())
            .filter(|root| !root.is_empty());
        let is_parent = |at: usize| columns.get(at + 1).is_some_and(|next| *next > columns[at]);
        let files = entries.iter().enumerate();
        let files = files.filter(|(at, (_, is_folder))| !is_folder && !is_parent(*at));
        let files = files
            .filter_map(|(_, (path, _))| below(root.as_deref(), path))
            .collect();
        let root = root.filter(|root| !root.starts_with(['/', '~', '.']));
        Some(Self { root, files })
    }

    /// The name of its root.
    pub(in crate::dialect) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// Returns the paths of the files of a name.
    pub(in crate::dialect) fn paths_of(&self, name: &str) -> Vec<&str> {
        let is_it = |path: &&str| path.rsplit('/').next() == Some(name);
        self.files
            .iter()
            .map(String::as_str)
            .filter(is_it)
            .collect()
    }
}

/// Returns `true` for the row of a tree: `├── a.py`, `│   └── b.py`, `|-- c.py`.
pub(in crate::dialect) fn is_row(line: &str) -> bool {
    let mut rest = line.trim_start();
    while let Some(inner) = rest.strip_prefix('│').or_else(|| {
        let inner = rest.strip_prefix('|')?;
        inner.starts_with(char::is_whitespace).then_some(inner)
    }) {
        rest = inner.trim_start();
    }
    BRANCHES.iter().any(|branch| {
        let rest = rest.strip_prefix(branch);
        let rest = rest.map(|rest| rest.trim_start_matches('-'));
        rest.is_some_and(|rest| !branch.is_ascii() || rest.starts_with(char::is_whitespace))
    })
}

/// Returns `true` for lines that are a tree, with its root or without: rows, and nothing but names of files and folders around them.
pub(in crate::dialect) fn is_tree(lines: &[&str]) -> bool {
    let mut has_row = false;
    let is_all = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .all(|line| {
            let is_row = is_row(line);
            has_row |= is_row;
            is_row || is_entry(line) || is_trunk_alone(line) || is_count(line)
        });
    is_all && has_row
}

/// Returns `true` for several lines of which each is the name of a file or a folder.
pub(in crate::dialect) fn is_list(lines: &[&str]) -> bool {
    let mut names = lines.iter().filter(|line| !line.trim().is_empty());
    names.clone().nth(1).is_some() && names.all(|line| is_entry(line))
}

/// Returns `true` for a line that is a name, perhaps that of a folder or with a mark of a list.
fn is_entry(line: &str) -> bool {
    let name = line.trim().trim_start_matches(['-', '*']).trim();
    let folder = name.trim_end_matches('/');
    let is_word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    is_word(name)
        && (name == "."
            || is_path(name)
            || KNOWN.contains(&name)
            || (folder != name
                && folder
                    .chars()
                    .all(|c| c.is_alphanumeric() || "._-/".contains(c))))
}

/// Returns `true` for the line between two rows.
fn is_trunk_alone(line: &str) -> bool {
    line.contains(['│', '|'])
        && line
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '│' | '|'))
}

/// Returns `true` for the last line of `tree`: `2 directories, 3 files`.
fn is_count(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && line.contains("director")
}

/// The name in a row of a tree, and its column.
fn named(line: &str) -> Option<(usize, &str)> {
    let is_branch = |c: char| c.is_whitespace() || "│├└─|`+\\-*".contains(c);
    let text = line.trim_start_matches(is_branch);
    let name = text.split_whitespace().next()?;
    let column = line.chars().count() - text.chars().count();
    Some((column, name))
}

/// The path of a file below the root of its tree.
fn below(root: Option<&str>, path: &str) -> Option<String> {
    let inner = match root {
        Some(root) => path.strip_prefix(root)?.strip_prefix('/')?,
        None => path,
    };
    Some(inner.to_owned())
}

/// Returns `true` for a name with a comment or without.
fn is_entry_with_comment(line: &str) -> bool {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    is_entry(name) && (rest.is_empty() || rest.starts_with(['#', '(', '-', '←', '–', '—']))
}

/// Returns `true` for names below that of a folder, each with a comment or without.
fn is_indented_list(lines: &[&str]) -> bool {
    let mut names = lines.iter().filter(|line| !line.trim().is_empty());
    let first = names.clone().next().and_then(|line| named(line));
    let is_below = |line: &&str| line.starts_with([' ', '\t']);
    first.is_some_and(|(column, name)| column == 0 && name.ends_with('/'))
        && names.clone().skip(1).any(is_below)
        && names.all(|line| is_entry_with_comment(line))
}

/// Returns `true` for the row of a tree, or for the line between two rows.
pub(in crate::dialect) fn is_row_or_trunk(line: &str) -> bool {
    is_row(line) || is_trunk_alone(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_and_lists_are_no_texts() {
        let check = |text: &str, expected: (bool, bool)| {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((is_tree(&lines), is_list(&lines)), expected, "{text}");
        };
        for text in [
            "├── a.py\n└── b.py",
            ".\n├── src\n│   └── a.py\n│\n└── b.py\n\n2 directories, 2 files",
            "src/\n├── a.py  # the first\n└── b.py",
            "|-- a.py\n`-- b.py",
            "|   |-- a.py",
            "+--- a.py\n\\--- b.py",
        ] {
            check(text, (true, false));
        }
        check("a.py\nsrc/b.py\nMakefile\nsrc/", (false, true));
        check("- a.py\n- b.py", (false, true));
        for text in [
            "",
            "a.py",
            "import a.py\nb.py",
            "print(1)\nprint(2)",
            "# The tree\n├── a.py",
            "| a | b |\n|---|---|\n| c | d |",
        ] {
            check(text, (false, false));
        }
    }
}
