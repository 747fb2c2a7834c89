//! Titles above the header of a diff that state a new or a removed file, of tools that write its name on both sides.
//!
//! `ADDED    name` and `DELETED  name` (Fossil), `Added: name` and `Deleted: name` (`svnlook diff`), and `diff -u name:1.2 name:removed`
//! (`cvs rdiff`).

use crate::dialect::input::Input;
use crate::text::LineIdx;

/// Change of a file as a title states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileTitle {
    Added,
    Removed,
}

const TITLES: [(&str, FileTitle); 4] = [
    ("ADDED ", FileTitle::Added),
    ("DELETED ", FileTitle::Removed),
    ("Added: ", FileTitle::Added),
    ("Deleted: ", FileTitle::Removed),
];

/// Returns what the lines right above the header of a diff state about the file that it names: above its line `---`, or `***` of a context
/// diff.
pub(super) fn above(input: &Input, header: LineIdx) -> Option<FileTitle> {
    let line = |back: usize| input.line(header.checked_sub(back)?);
    let marks = ["--- ", "*** "];
    let name = marks.iter().find_map(|mark| line(0)?.strip_prefix(mark))?;
    let name = name.split('\t').next()?.trim_end();
    if line(1)?.starts_with("diff ") {
        return line(1)?.ends_with(":removed").then_some(FileTitle::Removed);
    }
    let is_rule = |line: &str| line.len() > 2 && line.bytes().all(|byte| byte == b'=');
    line(1).filter(|line| is_rule(line))?;
    let title = match line(2)?.strip_prefix("Index: ") {
        Some(_) => line(3)?,
        None => line(2)?,
    };
    let (_, kind) =
        (TITLES.iter()).find(|(word, _)| title.strip_prefix(word).map(str::trim) == Some(name))?;
    Some(*kind)
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;
    use crate::proposal::Operation;

    #[test]
    fn a_title_states_a_new_or_a_removed_file() {
        let check = |title: &str, hunk: &str, expected: Operation| {
            let text = format!("{title}--- d/f\n+++ d/f\n{hunk}\n");
            let parsed = parse(&text, &Options::default());
            let operations = parsed.proposal.files.iter().map(|file| &file.operation);
            assert_eq!(operations.collect::<Vec<_>>(), [&expected], "{text}");
        };
        let (new, gone) = ("@@ -0,0 +1 @@\n+x", "@@ -1 +0,0 @@\n-x");
        let rule = "=".repeat(66);
        let fossil = |word: &str| format!("{word} d/f\nIndex: d/f\n{rule}\n");
        let svnlook = |word: &str| format!("{word} d/f\n{rule}\n");
        check(&fossil("ADDED   "), new, Operation::Create);
        check(&fossil("DELETED "), gone, Operation::Delete);
        check(&svnlook("Added:"), new, Operation::Create);
        check(&svnlook("Deleted:"), gone, Operation::Delete);
        let cvs = "diff -u d/f:1.2 d/f:removed\n";
        check(cvs, gone, Operation::Delete);
        // The hunk is of a file that stays, or the title of another one.
        check(
            &fossil("ADDED   "),
            "@@ -1 +1 @@\n-x\n+y",
            Operation::Modify,
        );
        check(
            &svnlook("Deleted:").replace("d/f", "d/g"),
            gone,
            Operation::Modify,
        );
        check("diff -u d/f:1.2 d/f:1.3\n", gone, Operation::Modify);
        check(&svnlook("Modified:"), gone, Operation::Modify);
    }

    #[test]
    fn a_title_above_a_context_diff_states_the_same() {
        let check = |title: &str, old: &str, new: &str, expected: Operation| {
            let stars = "*".repeat(15);
            let text = format!(
                "{title}*** d/f\tThu Jan  1 10:00:00 2026\n--- d/f\tFri Jan  2 10:00:00 2026\n{stars}\n*** {old}\n--- {new}\n"
            );
            let parsed = parse(&text, &Options::default());
            let operations = parsed.proposal.files.iter().map(|file| &file.operation);
            assert_eq!(operations.collect::<Vec<_>>(), [&expected], "{text}");
        };
        let (gone, cvs) = ("1 ****\n- x", "diff -c d/f:1.2 d/f:removed\n");
        check(cvs, gone, "0 ----", Operation::Delete);
        check("", gone, "0 ----", Operation::Modify);
        check(cvs, "1 ****\n! x", "1 ----\n! y", Operation::Modify);
        let added = format!("Added: d/f\n{}\n", "=".repeat(66));
        check(&added, "0 ****", "1 ----\n+ x", Operation::Create);
    }
}
