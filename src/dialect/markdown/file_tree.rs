//! Trees and lists of files, as `tree` prints them: their rows name files, and none of them is the text of a file.

use super::name_shape::{KNOWN, is_path};

/// Beginnings of the row of a file; behind one of the last four there are more dashes or a blank.
const BRANCHES: [&str; 6] = ["├", "└", "|--", "`--", "+--", "\\--"];

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
