//! Place of a hunk with the evidence for it, or the reason why it has none.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

use crate::proposal::{FinalNewline, VersionName};
use crate::text::{LineIdx, LineNo};

/// A step of the ladder: the differences that it forgives. Strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// Lines are equal, apart from their endings.
    Exact,
    /// Blanks at line ends and on blank lines.
    TrailingBlanks,
    /// One shift of indentation for the whole block.
    Indent,
    /// Runs of blanks within lines, and any indentation.
    Blanks,
    /// Typographic punctuation and compatibility forms of characters.
    Punctuation,
    /// Blank lines missing or extra within the block.
    BlankLines,
    /// Reworded lines, by similarity.
    Similar,
}

impl Rung {
    /// Returns the rung's name in reports and headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrailingBlanks => "trailing-blanks",
            Self::Indent => "indent",
            Self::Blanks => "blanks",
            Self::Punctuation => "punctuation",
            Self::BlankLines => "blank-lines",
            Self::Similar => "similar",
        }
    }
}

impl Rung {
    /// Returns what the file and the hunk differ in, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "same lines",
            Self::TrailingBlanks => "other trailing blanks",
            Self::Indent => "other indentation",
            Self::Blanks => "other blanks",
            Self::Punctuation => "other punctuation",
            Self::BlankLines => "other blank lines",
            Self::Similar => "similar lines",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Confidence of a placement. Strictest first; only `exact` and `safe` may be accepted in batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The preimage matches exactly, and only here.
    Exact,
    /// It matches only here, apart from blanks, indentation or punctuation.
    Safe,
    /// It matches with a few typos, or with a few lines missing or extra away from the changes.
    Fuzzy,
    /// It matches in several places, and only a line number chose one.
    Hinted,
    /// This is the best place, and there is evidence against it: a person has to decide.
    Doubtful,
}

impl Confidence {
    /// Returns the level's name, as `--confidence` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Safe => "safe",
            Self::Fuzzy => "fuzzy",
            Self::Hinted => "hinted",
            Self::Doubtful => "doubtful",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Changes that a hunk makes to the file, and the evidence for its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The base lines that the preimage matched, context included.
    pub lines: Range<LineIdx>,
    /// The rung that matched.
    pub rung: Rung,
    /// The confidence of the place.
    pub confidence: Confidence,
    /// Number of lines from the place that the edit names to the place found, negative if that is above; `None` if it names
    /// none.
    pub offset: Option<isize>,
    /// The evidence that chose this place among equal ones.
    pub chosen: Option<Chosen>,
    /// The version that the edit was written against, if the place is known from it.
    pub version: Option<Arc<VersionName>>,
    /// The evidence against this place, if it is doubtful.
    pub doubt: Option<Doubt>,
    /// The score of the last rung, in `0..=1`; 1 on all others.
    pub similarity: f64,
    /// The matched lines that differ from the preimage, which the rung forgave.
    pub forgiven: Vec<Forgiven>,
    /// The lines that differ, and those that only the edit or only the file has, if the place is doubtful.
    pub differs: Box<[Differs]>,
    /// The changes, in base coordinates and in order. They share no line, and may touch.
    pub changes: Vec<Change>,
    /// The newline at the end of the file, if the place reaches it and the edit is of text and not of lines.
    pub(crate) final_newline: FinalNewline,
}

impl Placement {
    /// Describes what the hunk and its place in the file differ in; `None` if they have the same lines.
    pub fn difference(&self) -> Option<String> {
        match self.rung {
            Rung::Exact => None,
            Rung::Similar => {
                let percent = (self.similarity * 100.0).floor();
                Some(format!("similar {percent:.0} %"))
            }
            Rung::TrailingBlanks
            | Rung::Indent
            | Rung::Blanks
            | Rung::Punctuation
            | Rung::BlankLines => Some(self.rung.words().to_owned()),
        }
    }

    /// Returns the base lines that it changes: removed lines that touch, as one range, and the empty ranges of insertions.
    pub(crate) fn changed_ranges(&self) -> Vec<Range<LineIdx>> {
        let mut ranges: Vec<Range<LineIdx>> = Vec::with_capacity(self.changes.len());
        let mut removed: Option<usize> = None;
        for Change { lines, .. } in &self.changes {
            match removed.and_then(|at| ranges.get_mut(at)) {
                Some(last) if !lines.is_empty() && last.end == lines.start => last.end = lines.end,
                _ => {
                    if !lines.is_empty() {
                        removed = Some(ranges.len());
                    }
                    ranges.push(lines.clone());
                }
            }
        }
        ranges
    }

    /// Returns the placement of a hunk that matches to the letter: `exact`, and nothing speaks against it.
    pub(crate) fn exact(lines: Range<LineIdx>, changes: Vec<Change>) -> Self {
        Self {
            lines,
            rung: Rung::Exact,
            confidence: Confidence::Exact,
            offset: None,
            chosen: None,
            version: None,
            doubt: None,
            similarity: 1.0,
            forgiven: Vec::new(),
            differs: Box::default(),
            changes,
            final_newline: FinalNewline::Keep,
        }
    }

    /// Returns true if it may be written without a person.
    pub fn is_sure(&self) -> bool {
        self.confidence <= Confidence::Safe
    }

    /// Returns the confidence in words: the doubt if there is one, else the version that the edit was written against, else the
    /// evidence that chose the place, else the level.
    pub fn words(&self) -> String {
        let chosen = self.chosen.map_or(self.confidence.name(), Chosen::words);
        let evidence = match &self.version {
            Some(version) => format!("written against {version}"),
            None => chosen.to_owned(),
        };
        self.doubt
            .map_or(evidence, |doubt| doubt.words().to_owned())
    }
}

/// Removed base lines and the lines that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The removed base lines; empty for an insertion before `lines.start`.
    pub lines: Range<LineIdx>,
    /// The new lines, without endings.
    pub with: Vec<String>,
}

/// A matched line that differs from the preimage line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgiven {
    /// The file's line.
    pub line: LineIdx,
    /// The preimage line.
    pub preimage: String,
}

/// Evidence that chose one place among equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// The other places belong to other hunks, or the order of the hunks excludes them.
    Order,
    /// An anchor.
    Anchor,
    /// The end of the file.
    End,
    /// The line number.
    Hint,
    /// The line number, with a hash of the line's text.
    Hash,
    /// The version of the file that the edit was written against.
    Version,
    /// A person.
    Hand,
    /// The apply model.
    Model,
}

impl Chosen {
    /// Returns the choice in words, for a header: "chosen by its anchor".
    pub fn words(self) -> &'static str {
        match self {
            Self::Order => "the only match that the order of the hunks leaves",
            Self::Anchor => "chosen by its anchor",
            Self::End => "chosen by the end of the file",
            Self::Hint => "chosen by its line number",
            Self::Hash => "chosen by its line number and a short hash",
            Self::Version => "placed by the version that it was written against",
            Self::Hand => "placed by hand",
            Self::Model => "placed by the apply model",
        }
    }
}

/// The location of one hunk.
#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    /// The hunk has a place.
    Placed(Placement),
    /// The file has its result already.
    AlreadyApplied {
        /// The first line of the result.
        at: LineNo,
    },
    /// It changes lines that an earlier hunk adds, and is a part of that hunk's placement.
    Follows {
        /// The earlier hunk's position among the hunks of the file.
        hunk: usize,
    },
    /// The hunk has no place.
    Unplaced(Unplaced),
}

/// The reason why a hunk has no place.
#[derive(Debug, Clone, PartialEq)]
pub enum Unplaced {
    /// Each of these places may be the right one.
    Ambiguous {
        /// The places, in file order; of very many, those nearest to the line that the edit names.
        places: Vec<Place>,
        /// The number of places in all.
        count: usize,
        /// The rung on which they match.
        rung: Rung,
    },
    /// The preimage has no match in the file.
    NotFound {
        /// The most similar places, the best first; at most three.
        nearest: Vec<Nearest>,
    },
    /// It matches an older version, and the lines that it changes have changed since.
    Conflict {
        /// The present place of its lines, if any of them is left, and their differences.
        nearest: Vec<Nearest>,
        /// The version that it matches.
        matched_in: Arc<VersionName>,
        /// The next version, which it does not match any more; `None` if only the file is newer.
        changed_in: Option<Arc<VersionName>>,
    },
    /// Another hunk changes the same lines in another way.
    Overlap {
        /// The other hunk's position among the hunks of the file.
        with: usize,
        /// The first line that both change.
        at: LineNo,
    },
    /// A delimiter in it could also be content, and the file does not decide which.
    Unclear {
        /// The number of possible readings.
        readings: usize,
        /// True if more than one of them matches; else none does.
        several: bool,
    },
    /// It leaves lines out in one half and not in the other, so its effect on them is not known.
    Elisions {
        /// The number of elisions in the preimage.
        expected: usize,
        /// The number of elisions in the postimage.
        found: usize,
    },
    /// The cell, value, line or text that it names was not found, or its operation cannot be carried out.
    NoTarget {
        /// The reason, in words.
        why: String,
    },
    /// Nothing states where its lines belong: no context, no anchor, no line number.
    Nowhere,
    /// Its two halves are equal.
    NoChange,
}

/// Evidence against the best place of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// A line that the hunk changes is different in the file.
    Changed,
    /// The file has other lines between a change and its context.
    Foreign,
    /// A context line has another word or number in the file.
    Words,
    /// There are too many typos, or one that could be another name.
    Slips,
    /// Too many lines are missing or extra.
    Lines,
    /// Another place is nearly as similar.
    Rival,
    /// The place is not where the edit states: it is above its anchor, or not at the end of the file.
    Elsewhere,
    /// The file has the line that it adds at its edge directly beside it already, or has the added lines elsewhere.
    Repeats,
    /// Nothing shows the indentation of its new lines in the file.
    Indentation,
    /// It changes nothing but blank lines, and matches only if blank lines are ignored.
    Blanks,
    /// It may be applied already.
    Done,
    /// It begins or ends with a line break, and would join two lines of which it shows one.
    Joins,
    /// It begins or ends inside a word or a number of the file.
    Inside,
    /// It adds whole lines beside one of which it shows only a part.
    Splits,
    /// It matches once in the file, and several times after the edits before it.
    Sequence,
}

impl Doubt {
    /// Returns the doubt in words, to follow "its place is doubtful:".
    pub fn words(self) -> &'static str {
        match self {
            Self::Changed => "a line that it changes is not the same in the file",
            Self::Foreign => "the file has other lines beside what it changes",
            Self::Words => "a line around its change has other words in the file",
            Self::Slips => "a name in it may be misspelt, or may be another name",
            Self::Lines => "too many of its lines differ in the file",
            Self::Rival => "another place in the file is nearly as similar",
            Self::Elsewhere => "it is not where the edit says that it is",
            Self::Repeats => "the lines that it adds are in the file already",
            Self::Indentation => "nothing shows how deep its new lines are indented there",
            Self::Blanks => "it changes nothing but blank lines, and the file has others there",
            Self::Done => "it may be applied already",
            Self::Joins => "it would join two lines, of which it shows one",
            Self::Inside => "it begins or ends inside a word or a number of the file",
            Self::Splits => "it adds lines beside one of which the file has more than it shows",
            Self::Sequence => "it matches several times after the edits before it",
        }
    }
}

impl Unplaced {
    /// Returns the ambiguity of places that begin at these lines.
    pub(crate) fn ambiguous(rung: Rung, lines: impl IntoIterator<Item = LineIdx>) -> Self {
        let places = lines.into_iter().map(|line| Place {
            line: LineNo::from_idx(line),
            scope: None,
        });
        let places: Vec<Place> = places.collect();
        Self::Ambiguous {
            count: places.len(),
            places,
            rung,
        }
    }
}

/// A place that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its first line.
    pub line: LineNo,
    /// The line that encloses it, by indentation; without its indentation.
    pub scope: Option<String>,
}

/// A place that is similar to the preimage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    /// Its first line.
    pub line: LineNo,
    /// Its last line.
    pub last: LineNo,
    /// The similarity, in `0..=1`.
    pub similarity: f64,
    /// The lines that differ, in order.
    pub differs: Vec<Differs>,
}

/// A line of the edit and the file's line in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// The number of the file's line, if it has one there.
    pub line: Option<LineNo>,
    /// The text of the file's line.
    pub found: Option<String>,
    /// The line that the edit expects; `None` for a line that only the file has.
    pub expected: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_lines_that_touch_are_one_range() {
        let check = |changes: &[(LineIdx, LineIdx)], expected: &[(LineIdx, LineIdx)]| {
            let change = |&(start, end): &(LineIdx, LineIdx)| Change {
                lines: start..end,
                with: Vec::new(),
            };
            let placement = Placement::exact(0..9, changes.iter().map(change).collect());
            let found = placement.changed_ranges().into_iter();
            let found: Vec<_> = found.map(|range| (range.start, range.end)).collect();
            assert_eq!(found, expected, "{changes:?}");
        };
        check(&[(0, 1), (1, 2), (2, 4)], &[(0, 4)]);
        check(&[(0, 1), (2, 3)], &[(0, 1), (2, 3)]);
        check(&[(0, 1), (1, 1), (1, 2)], &[(0, 2), (1, 1)]);
        check(&[(1, 1), (1, 2), (3, 3)], &[(1, 1), (1, 2), (3, 3)]);
    }
}
