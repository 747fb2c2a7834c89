//! Names without a folder above edits of a reply, where a tree of files in the same text shows the folder.

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::markdown::file_tree::{self, FileTree};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, Operation, PathClaim, Problem};
use crate::text::LineIdx;

/// The dialects whose names are written by hand above an edit.
const NAMED_ABOVE: [&str; 5] = ["whole", "sketch", "suggestion", "aider", "search-replace"];

/// Adds the folder to the names of files that a tree shows in one folder. A new text for a name that it shows in several is refused.
pub(super) fn add_folders(input: &Input, parsed: &mut Parsed) {
    let is_bare = |file: &FileChange| bare_name(input, file).is_some();
    if !parsed.proposal.files.iter().any(is_bare) {
        return;
    }
    let trees = trees(input, &parsed.proposal.files);
    if trees.is_empty() {
        return;
    }
    for mut file in std::mem::take(&mut parsed.proposal.files) {
        match folders(input, &file, &trees) {
            Ok(None) => parsed.proposal.files.push(file),
            Ok(Some(path)) => {
                file.path = path;
                parsed.proposal.files.push(file);
            }
            Err(problem) => parsed.problems.push(*problem),
        }
    }
}

/// Returns the name of a file without folders, if it is written above an edit.
fn bare_name<'f>(input: &Input, file: &'f FileChange) -> Option<&'f str> {
    let name = file.path.first();
    let is_bare = NAMED_ABOVE.contains(&file.dialect)
        && file.path.readings().count() == 1
        && !name.contains(['/', '\\'])
        && input.path() != Some(name);
    is_bare.then_some(name)
}

/// Finds the path of a file in the nearest tree above it that shows its name, else in the first one below.
fn folders(
    input: &Input,
    file: &FileChange,
    trees: &[(LineIdx, FileTree)],
) -> Result<Option<PathClaim>, Box<Problem>> {
    let Some(name) = bare_name(input, file) else {
        return Ok(None);
    };
    let first = line_of(input, file.span.first.idx());
    let shows = |(_, tree): &&(LineIdx, FileTree)| !tree.paths_of(name).is_empty();
    let (above, below) = trees.split_at(trees.partition_point(|(at, _)| *at < first));
    let tree = above
        .iter()
        .rfind(shows)
        .or_else(|| below.iter().find(shows));
    let Some((at, tree)) = tree else {
        return Ok(None);
    };
    let paths = tree.paths_of(name);
    let path = match paths.as_slice() {
        paths if paths.contains(&name) => name,
        [path] => path,
        _ if file.operation == Operation::Modify => return Ok(None),
        [one, other, ..] => {
            let tree = input.number(*at);
            let found = format!(
                "`{name}`, which the tree at line {tree} shows as `{one}` and as `{other}`"
            );
            let expected = "the name of the file with its folder".to_owned();
            let lines = first..line_of(input, file.span.last.get());
            let error = ParseError::new(first, found, expected);
            let path = Some(file.path.clone());
            return Err(Box::new(error.into_problem(
                input,
                lines,
                file.dialect,
                path,
            )));
        }
        [] => return Ok(None),
    };
    let below_root = tree.root().map(|root| format!("{root}/{path}"));
    // The lines of an edit tell its file from another one of that name; a whole text would take its place.
    let bare = (file.operation == Operation::Modify).then(|| name.to_owned());
    Ok(Some(PathClaim::with_others(
        path,
        below_root.into_iter().chain(bare),
    )))
}

/// The trees of an input, each with its first line. A tree in the text of a file is none.
fn trees(input: &Input, files: &[FileChange]) -> Vec<(LineIdx, FileTree)> {
    let mut spans: Vec<(LineIdx, LineIdx)> = (files.iter())
        .map(|file| {
            let first = line_of(input, file.span.first.idx());
            (first, line_of(input, file.span.last.get()))
        })
        .collect();
    spans.sort_unstable();
    let mut spans = spans.into_iter().peekable();
    let mut found = Vec::new();
    let mut at = 0;
    while at < input.len() {
        while spans.next_if(|(_, end)| *end <= at).is_some() {}
        if let Some((_, end)) = spans.next_if(|(first, _)| *first <= at) {
            at = end;
            continue;
        }
        let line = input.line(at).unwrap_or_default();
        let is_inner = |at: &LineIdx, is: &dyn Fn(&str) -> bool| input.line(*at).is_some_and(is);
        let lines = if let Some(open) = Fence::of(line) {
            let closes = |line: &str| Fence::of(line).is_some_and(|fence| fence.closes(&open));
            let end = (at + 1..input.len()).find(|at| is_inner(at, &closes));
            at + 1..end.unwrap_or(input.len())
        } else if file_tree::is_row(line) {
            let end = (at..input.len()).find(|at| !is_inner(at, &file_tree::is_row_or_trunk));
            // The root is right above the rows.
            at.saturating_sub(1)..end.unwrap_or(input.len())
        } else {
            at += 1;
            continue;
        };
        let rows = input.lines(lines.clone());
        let tree = FileTree::of(rows).or_else(|| FileTree::of(rows.get(1..)?));
        found.extend(tree.map(|tree| (at, tree)));
        // The line that closes a fence is behind its lines.
        at = lines.end + usize::from(Fence::of(line).is_some());
    }
    found
}

/// The position of a line that is counted in the whole input.
fn line_of(input: &Input, line: usize) -> LineIdx {
    line.saturating_sub(input.number(0).idx()).min(input.len())
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    const TREE: &str = "```\nbakery/\n├── oven\n│   ├── heat.py  # degrees\n│   └── crumb.py\n├── shop\n│   └── crumb.py\n├── price.py\n└── README.md\n```\n";

    /// The readings of the files of a text, or the problems with it.
    fn names(text: &str) -> String {
        let parsed = parse(text, &Options::default());
        let files = parsed.proposal.files.iter();
        let files = files.map(|file| file.path.readings().collect::<Vec<_>>().join("|"));
        let problems = parsed.problems.iter().map(|problem| problem.found.clone());
        files.chain(problems).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(name: &str, expected: &str) {
        let text = format!("{TREE}\n**{name}**\n\n```python\nx = 1\n```\n");
        assert_eq!(names(&text), expected, "{name}");
    }

    #[test]
    fn a_bare_name_is_in_the_folder_that_the_tree_shows() {
        check("heat.py", "oven/heat.py|bakery/oven/heat.py");
        check("price.py", "price.py|bakery/price.py");
        check("sale.py", "sale.py");
        // A name with a folder is the one that is meant.
        check("stove/heat.py", "stove/heat.py");
        check("./heat.py", "./heat.py");
    }

    #[test]
    fn a_name_in_several_folders_is_refused() {
        let found =
            "`crumb.py`, which the tree at line 1 shows as `oven/crumb.py` and as `shop/crumb.py`";
        check("crumb.py", found);
        check("shop/crumb.py", "shop/crumb.py");
    }

    #[test]
    fn a_search_block_may_be_for_the_bare_name_too() {
        let edit = "heat.py\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n";
        let expected = "oven/heat.py|bakery/oven/heat.py|heat.py";
        assert_eq!(names(&format!("{TREE}\n{edit}")), expected);
    }

    #[test]
    fn the_nearest_tree_above_counts() {
        let fence = "`heat.py`\n```python\nx = 1\n```\n";
        let other = "Then:\n\n.\n├── heat.py\n└── oven/\n\n";
        assert_eq!(names(&format!("{TREE}{other}{fence}")), "heat.py");
        let below = format!("{other}{fence}\nIt was:\n\n{TREE}");
        assert_eq!(names(&below), "heat.py");
        let below = format!("{fence}\nIt is now:\n\n{TREE}");
        assert_eq!(names(&below), "oven/heat.py|bakery/oven/heat.py");
    }

    #[test]
    fn the_text_of_a_file_is_no_tree() {
        let list = "MANIFEST.txt\n```\noven/heat.py\nprice.py\n```\n";
        let fence = "\n`heat.py`\n```python\nx = 1\n```\n";
        assert_eq!(names(&format!("{list}{fence}")), "MANIFEST.txt heat.py");
        let list = list.replace("MANIFEST.txt\n", "The files:\n\n");
        assert_eq!(names(&format!("{list}{fence}")), "oven/heat.py");
    }
}
