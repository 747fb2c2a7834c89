//! Finds what a hunk loses of the text that it replaces.
//!
//! A hunk that quotes none of it is a whole-file write, or one of a smaller unit: nothing proves that its author has seen the lines that it
//! removes. The unit is the file for a sketch and for a JSON Patch, and the source of a cell for an edit of a notebook. A hunk
//! that quotes all of a file is one too, because clients that make a diff of a write take the old text from the disk. One that
//! quotes its lines loses them only if a line of it is a mark in their place.

use std::cell::OnceCell;

use super::loss::loss;
use super::new_hunk::changed;
use super::omission::quoted_omission;
use crate::locate::Change;
use crate::proposal::{Body, CellEdit, Extent, Hunk};
use crate::review::session::hunk::Loss;
use crate::text::{Document, LineNo, Notebook};

/// The texts that the hunks of one file replace without quoting them.
pub(super) struct UnseenTexts<'d> {
    base: &'d Document,
    notebook: OnceCell<Option<Notebook<'d>>>,
}

impl<'d> UnseenTexts<'d> {
    pub(super) fn of(base: &'d Document) -> Self {
        Self {
            base,
            notebook: OnceCell::new(),
        }
    }

    /// Finds what the text that a placed hunk replaces would lose, if the hunk does not quote it.
    pub(super) fn loss(&self, path: &str, hunk: &Hunk, changes: &[Change]) -> Option<Loss> {
        let file = || loss(path, self.base, &changed(self.base, changes));
        match hunk.extent {
            Extent::Sketch | Extent::JsonPatch => file(),
            Extent::Text if self.is_quoted_whole(&hunk.body) => file(),
            Extent::Cell {
                edit: CellEdit::Replace,
                ..
            } => self.loss_of_cell(path, hunk),
            Extent::Lines
            | Extent::Text
            | Extent::EveryText
            | Extent::Texts(_)
            | Extent::Numbered(_)
            | Extent::Span { .. }
            | Extent::Hashed(_)
            | Extent::Pattern { .. } => quoted_omission(path, self.base, changes),
            Extent::Insertion | Extent::Cell { .. } => None,
        }
    }

    /// Returns true if the lines of a hunk are those of the file, but for blank ones.
    fn is_quoted_whole(&self, body: &Body) -> bool {
        let is_solid = |line: &&str| !line.trim().is_empty();
        let quoted = body.preimage.iter().map(String::as_str);
        quoted
            .filter(is_solid)
            .eq(self.base.lines().filter(is_solid))
    }

    /// Finds what a cell would lose, with the lines of the notebook.
    fn loss_of_cell(&self, path: &str, hunk: &Hunk) -> Option<Loss> {
        let read = || Notebook::read(self.base.text()).ok();
        let notebook = self.notebook.get_or_init(read).as_ref()?;
        let name = &hunk.anchors.first()?.text;
        let named = notebook.cells_named(name).next();
        let at = named.or_else(|| notebook.cell_numbered(name))?;
        let cell = &notebook.cells[at];
        let mut found = loss(
            path,
            &Document::from_text(&cell.source),
            &hunk.body.postimage,
        )?;
        let [first, last] =
            [cell.source_range.start, cell.source_range.end].map(|at| notebook.line_of(at));
        // A list has its first string in the line below the bracket.
        let in_file = |line: LineNo| LineNo::from_idx((first + 1 + line.idx()).min(last));
        if let Loss::Omission { lines, .. } = &mut found {
            *lines = (in_file(lines.0), in_file(lines.1));
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::InputSpan;

    /// Checks the loss of a hunk that makes `new` of `old`.
    #[track_caller]
    fn check(extent: Extent, old: &str, new: &str, expected: &str) {
        let base = Document::from_text(old.replace('|', "\n"));
        let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        let body = Body {
            preimage: lines(old),
            postimage: lines(new),
        };
        let hunk = Hunk {
            extent,
            ..Hunk::new(body, InputSpan::of(0..1))
        };
        let change = Change {
            lines: 0..base.len(),
            with: lines(new),
        };
        let loss = UnseenTexts::of(&base).loss("a.py", &hunk, &[change]);
        let shown = loss.map(|loss| loss.to_string()).unwrap_or_default();
        assert!(shown.contains(expected), "{shown:?} {expected:?}");
        assert_eq!(shown.is_empty(), expected.is_empty(), "{shown:?}");
    }

    #[test]
    fn what_is_replaced_unseen_may_be_lost() {
        let old = "import os|def a():|    x = 1|    return x|def b():|    return 2|";
        let new = "import os|# functions unchanged|";
        let lost = "`# functions unchanged` seems to replace omitted code: 5 lines of lines 2 to 6";
        check(Extent::Sketch, old, new, lost);
        check(Extent::JsonPatch, old, new, lost);
        // It quotes the whole file, as a client does that makes a diff of a write.
        check(Extent::Text, old, new, lost);
    }

    #[test]
    fn quoted_lines_may_be_replaced_by_a_mark() {
        let old = "import os|def a():|    x = 1|    return x|def b():|    return 2|";
        for mark in [
            "# rest unchanged",
            "# ... existing code ...",
            "[...]",
            "# … bleibt gleich",
        ] {
            let new = format!("import os|def a():|    {mark}|");
            check(Extent::Lines, old, &new, "seems to replace omitted code");
        }
        // It may tell why they were removed.
        for mark in ["# Nothing to do.", "[x]", "} as const", "<App />"] {
            let new = format!("import os|def a():|    {mark}|");
            check(Extent::Lines, old, &new, "");
        }
        // The file has the line, or the comment is above code.
        let has_it = format!("# rest unchanged|{old}");
        check(
            Extent::Lines,
            &has_it,
            "# rest unchanged|import os|# rest unchanged|",
            "",
        );
        let version = "import os|# Both in one, as before.|def a():|    return 3|";
        check(Extent::Lines, old, version, "");
        check(Extent::Lines, old, "import os|def a():|    return 3|", "");
    }
}
