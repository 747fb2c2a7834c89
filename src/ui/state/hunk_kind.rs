//! Hunks that need no close reading: only whitespace, only comments, or only moved lines.

use super::app::App;
use crate::review::{HunkId, LookAlikes, WhitespaceChange};
use crate::text::{LineIdx, plural};
use crate::ui::highlight::{Half, TextSource, TokenKind};

/// Contents of a hunk, where all of its changed lines are of one kind or most of them are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HunkKind {
    /// The changes differ in whitespace only.
    Whitespace(WhitespaceChange),
    /// All changed lines are comments or blank.
    Comments,
    /// All changed lines are moved.
    Moved {
        /// True if the indentation of some differs at the other end.
        is_reindented: bool,
    },
    /// At least half of the changed lines are moved.
    PartlyMoved {
        /// Number of moved lines.
        moved: usize,
        /// Number of changed lines.
        all: usize,
        /// True if the indentation of some differs at the other end.
        is_reindented: bool,
    },
}

impl HunkKind {
    /// Returns the kind in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Whitespace(WhitespaceChange::Blanks) => "only whitespace".to_owned(),
            Self::Whitespace(WhitespaceChange::LineBreaks) => {
                "only whitespace and line breaks".to_owned()
            }
            Self::Comments => "only comments".to_owned(),
            Self::Moved { is_reindented } => {
                format!("only moved lines{}", indent_words(is_reindented))
            }
            Self::PartlyMoved {
                moved,
                all,
                is_reindented,
            } => {
                let lines = plural(all, "line");
                format!("{moved} of {lines} moved{}", indent_words(is_reindented))
            }
        }
    }
}

/// Describes the changed lines of a hunk that look the same before and after; `None` if there are none.
pub(crate) fn look_alike_words(found: LookAlikes) -> Option<String> {
    let how = "only in characters that look the same";
    match found {
        LookAlikes { lines: 0, .. } => None,
        LookAlikes { is_all: true, .. } => Some(format!("differs {how}")),
        LookAlikes { lines: 1, .. } => Some(format!("1 line differs {how}")),
        LookAlikes { lines, .. } => Some(format!("{lines} lines differ {how}")),
    }
}

fn indent_words(is_reindented: bool) -> &'static str {
    if is_reindented {
        ", indented otherwise"
    } else {
        ""
    }
}

impl App {
    /// Returns the kind of a hunk, as far as the colours of its lines and the moved lines are known.
    pub(crate) fn hunk_kind(&self, id: HunkId) -> Option<HunkKind> {
        let whitespace = self.headings.whitespace(id).map(HunkKind::Whitespace);
        let comments = || self.is_comments_only(id).then_some(HunkKind::Comments);
        (whitespace.or_else(|| self.moved_kind(id))).or_else(comments)
    }

    /// Returns the kind of a hunk of which at least half of the lines are moved.
    pub(crate) fn moved_kind(&self, id: HunkId) -> Option<HunkKind> {
        let summary = self.summaries.hunk(id);
        let all = summary.added + summary.removed;
        let count = self.moved_lines.count(id);
        let is_reindented = count.reindented > 0;
        match count.lines {
            0 => None,
            moved if moved == all => Some(HunkKind::Moved { is_reindented }),
            moved if moved * 2 >= all => Some(HunkKind::PartlyMoved {
                moved,
                all,
                is_reindented,
            }),
            _ => None,
        }
    }

    /// Returns true if all changed lines of a hunk are known to be comments or blank.
    fn is_comments_only(&self, id: HunkId) -> bool {
        let Some(file) = self.session.files.get(id.file) else {
            return false;
        };
        let [base, proposed] = [Half::Base, Half::Proposed].map(|half| TextSource {
            file: id.file,
            half,
        });
        let mut shift = 0_isize;
        let mut any = false;
        for group in &file.groups {
            let lines = &file.hunks[group.hunk].state.lines[group.lines.clone()];
            let mut new = group.base.start.saturating_add_signed(shift);
            shift += group.adds.cast_signed() - group.base.len().cast_signed();
            for line in lines.iter().filter(|_| group.hunk == id.hunk) {
                let is_old =
                    !line.removes || self.is_comment(base, line.at, file.base.line(line.at));
                let adds = line.adds.as_deref();
                if !is_old || adds.is_some_and(|text| !self.is_comment(proposed, new, text)) {
                    return false;
                }
                new += usize::from(adds.is_some());
                any = true;
            }
        }
        any
    }

    /// Returns true if a line is known to be a comment or blank.
    fn is_comment(&self, source: TextSource, line: LineIdx, text: &str) -> bool {
        text.trim().is_empty() || self.tokens.is_only(source, line, text, TokenKind::Comment)
    }
}
