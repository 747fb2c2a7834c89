//! Where a hunk belongs, with the evidence for it, or why it belongs nowhere.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

use crate::proposal::VersionName;
use crate::text::{LineIdx, LineNo};

/// A step of the ladder: what was forgiven for the preimage to match. Strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// Lines are equal, endings apart.
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
    /// The rung's name in reports and headers.
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

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How sure a placement is. Strictest first; only `exact` and `safe` may be accepted in batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The preimage matches exactly, in one place.
    Exact,
    /// It matches in one place but for blanks, indentation or punctuation.
    Safe,
    /// It matches with a few typing errors, or with a few lines missing or extra away from what changes.
    Fuzzy,
    /// It matches in several places, and only a line number chose one.
    Hinted,
    /// This is the best place, and something speaks against it: a person has to decide.
    Doubtful,
}

impl Confidence {
    /// The level's name, as `--confidence` takes it.
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

/// What a hunk does to the file, and the evidence that it belongs there.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The base lines that the preimage matched, context included.
    pub lines: Range<LineIdx>,
    /// The step of the ladder that matched.
    pub rung: Rung,
    /// How sure the place is.
    pub confidence: Confidence,
    /// Lines from the place that the edit names to the place found, less than 0 where that is above; `None` if it names none.
    pub offset: Option<isize>,
    /// What chose this place among equals.
    pub chosen: Option<Chosen>,
    /// The version that the edit was written against, if the place is known from it.
    pub version: Option<Arc<VersionName>>,
    /// What speaks against this place, if it is doubtful.
    pub doubt: Option<Doubt>,
    /// The score of the last rung, in `0..=1`; 1 on all others.
    pub similarity: f64,
    /// The matched lines that differ from the preimage: what was forgiven.
    pub forgiven: Vec<Forgiven>,
    /// The lines that differ, with those that only the edit or only the file has, if the place is doubtful.
    pub differs: Box<[Differs]>,
    /// The changes, in base coordinates, in order and apart from each other.
    pub changes: Vec<Change>,
}

impl Placement {
    /// How sure the place is, in words: by what it was chosen, else how confident it is.
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

/// Base lines that go and the lines that come in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The base lines that go; empty for an insertion before `lines.start`.
    pub lines: Range<LineIdx>,
    /// The new lines, without endings.
    pub with: Vec<String>,
}

/// A matched line that is not the preimage's line to the letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgiven {
    /// The file's line.
    pub line: LineIdx,
    /// What the edit has for it.
    pub preimage: String,
}

/// What chose one place among equals.
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
    /// The version of the file that the edit was written against.
    Version,
    /// A person.
    Hand,
    /// The apply model.
    Model,
}

impl Chosen {
    /// The choice in words, for a header: "chosen by its anchor".
    pub fn words(self) -> &'static str {
        match self {
            Self::Order => "chosen by the order of the hunks",
            Self::Anchor => "chosen by its anchor",
            Self::End => "chosen by the end of the file",
            Self::Hint => "chosen by its line number",
            Self::Version => "placed by the version that it was written against",
            Self::Hand => "placed by hand",
            Self::Model => "placed by the apply model",
        }
    }
}

/// The answer for one hunk.
#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    /// It belongs here.
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
    /// It is not known where it belongs.
    Unplaced(Unplaced),
}

/// Why a hunk has no place.
#[derive(Debug, Clone, PartialEq)]
pub enum Unplaced {
    /// It could be meant for each of these places.
    Ambiguous {
        /// The places, in file order; of very many, those nearest to where the edit says.
        places: Vec<Place>,
        /// How many there are in all.
        count: usize,
        /// The rung on which they match.
        rung: Rung,
    },
    /// It matches nowhere.
    NotFound {
        /// The likeliest places, the best first; at most three.
        nearest: Vec<Nearest>,
    },
    /// It matches an older version, and the lines that it changes have changed since.
    Conflict {
        /// Where its lines are now, if any of them is left, and how they differ.
        nearest: Vec<Nearest>,
        /// The version that it matches.
        matched_in: Arc<VersionName>,
        /// The next version, which it does not match any more; `None` if only the file is newer.
        changed_in: Option<Arc<VersionName>>,
    },
    /// It changes lines that another hunk changes too, in another way.
    Overlap {
        /// The other hunk's position among the hunks of the file.
        with: usize,
        /// The first line that both change.
        at: LineNo,
    },
    /// A delimiter in it could also be content, and the file does not decide which.
    Unclear {
        /// How many ways there are to read it.
        readings: usize,
        /// True if more than one of them matches; else none does.
        several: bool,
    },
    /// It leaves lines out in one half and not in the other, so what it does to them is not known.
    Elisions {
        /// How many times the preimage leaves lines out.
        expected: usize,
        /// How many times the postimage does.
        found: usize,
    },
    /// It is for a cell of a notebook, and there is no such cell.
    NoCell {
        /// Why not.
        why: String,
    },
    /// Nothing says where its lines go: no context, no anchor, no line number.
    Nowhere,
    /// Its two halves are equal.
    NoChange,
}

/// What speaks against the best place of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// A line that the hunk changes is another one in the file.
    Changed,
    /// The file has other lines between a change and the lines beside it in the edit.
    Foreign,
    /// A line that stays has another word or number in the file.
    Words,
    /// So many slips of the hand, or one that could be another name.
    Slips,
    /// Too many lines are missing or extra.
    Lines,
    /// Another place comes nearly as near.
    Rival,
    /// It is not where the edit says: above its anchor, or not at the end of the file.
    Elsewhere,
    /// The file has the line that it adds at its edge already, right beside it, or the lines that it adds elsewhere.
    Repeats,
    /// Nothing shows how deep its new lines are indented in the file.
    Indentation,
    /// It changes nothing but blank lines, and matches only if blank lines are overlooked.
    Blanks,
    /// It may be applied already.
    Done,
    /// It begins or ends with the end of a line, and would join two lines of which it shows one.
    Joins,
    /// It begins or ends inside a word or a number of the file.
    Inside,
}

impl Doubt {
    /// The doubt in words, to follow "its place is doubtful:".
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

/// A place that comes near.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    /// Its first line.
    pub line: LineNo,
    /// Its last line.
    pub last: LineNo,
    /// How near, in `0..=1`.
    pub similarity: f64,
    /// The lines that differ, in order.
    pub differs: Vec<Differs>,
}

/// A line of the edit and what the file has in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// The file's line, if it has one there.
    pub line: Option<LineNo>,
    /// What the file has.
    pub found: Option<String>,
    /// What the edit expects; `None` for a line that the edit lacks.
    pub expected: Option<String>,
}
