//! Hunks that an agent proposes again after a person rejected them.

use std::fmt;

use serde::Serialize;

/// A change that a person rejected before, or one that is close to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    /// Its relation to the rejected change.
    pub kind: RecurrenceKind,
    /// The reviewer's reason at that time.
    pub reason: Option<String>,
    /// The time of that review, in seconds since 1970.
    pub time: u64,
    /// The positions of the hunk's changed lines that the rejected version did not have.
    pub fresh: Vec<usize>,
    /// The lines that the rejected version added and another version of it does not.
    pub dropped: Vec<String>,
    /// The changed lines that the rejected version had as well and that were shown in its review, in ascending order.
    pub shown: Vec<ShownBefore>,
}

/// A changed line of a hunk that the rejected version had as well and that was shown in its review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownBefore {
    /// Its position among the hunk's changed lines.
    pub line: usize,
    /// The position of its removed line among those of the rejected version; `None` if it has none that was shown.
    pub removed: Option<usize>,
    /// The position of its added line among those of the rejected version; `None` if it has none that was shown.
    pub added: Option<usize>,
}

/// The relation of a hunk to a change that was rejected before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecurrenceKind {
    /// It is that change.
    Same,
    /// It is that change with other names for what it introduces.
    Renamed,
    /// It is that change, at another place of the file or in another file.
    Moved,
    /// It is a part of that change.
    Part,
    /// It contains that change among others.
    Contains,
    /// It brings back lines in the place of which the person wrote others.
    UndoesEdit,
    /// It brings back some of the lines in the place of which the person wrote others.
    UndoesPart,
    /// It is another version of that change, in the same place.
    Revised,
}

impl RecurrenceKind {
    /// Returns true if the hunk asks for what was rejected; a revised hunk is a new one.
    pub fn is_rejected(self) -> bool {
        self != Self::Revised
    }

    /// Returns the relation of a hunk that has other changes as well.
    pub(in crate::review) fn among_others(self) -> Self {
        match self {
            Self::UndoesEdit | Self::UndoesPart => Self::UndoesPart,
            Self::Same
            | Self::Renamed
            | Self::Moved
            | Self::Part
            | Self::Contains
            | Self::Revised => Self::Contains,
        }
    }

    /// Returns true if the hunk is nothing but what was rejected, under its own names.
    pub fn is_same(self) -> bool {
        matches!(self, Self::Same | Self::UndoesEdit)
    }
}

impl Recurrence {
    /// Describes for the agent why the hunk is rejected.
    pub fn for_agent(&self) -> String {
        let what = match self.kind {
            RecurrenceKind::Same | RecurrenceKind::Renamed => "this change was rejected before",
            RecurrenceKind::Moved => "this change was rejected before, at another place",
            RecurrenceKind::Part => "it is part of a change that was rejected before",
            RecurrenceKind::Contains => "it contains a change that was rejected before",
            RecurrenceKind::UndoesEdit => {
                "it undoes what the reviewer wrote in the place of its lines"
            }
            RecurrenceKind::UndoesPart => {
                "it undoes some of what the reviewer wrote in the place of its lines"
            }
            RecurrenceKind::Revised => "an earlier version of this change was rejected",
        };
        self.with_reason(what)
    }

    fn with_reason(&self, what: &str) -> String {
        match &self.reason {
            Some(reason) => format!("{what}: “{reason}”"),
            None => what.to_owned(),
        }
    }
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RecurrenceKind::Same => "you rejected this change before",
            RecurrenceKind::Renamed => "you rejected this change before, with other names",
            RecurrenceKind::Moved => "you rejected this change before, at another place",
            RecurrenceKind::Part => "it is part of a change that you rejected before",
            RecurrenceKind::Contains => "it contains a change that you rejected before",
            RecurrenceKind::UndoesEdit => "it undoes what you wrote in the place of its lines",
            RecurrenceKind::UndoesPart => {
                "it undoes some of what you wrote in the place of its lines"
            }
            RecurrenceKind::Revised => {
                let new = match self.fresh.len() {
                    0 => "none of its lines is new".to_owned(),
                    1 => "1 line of it is new".to_owned(),
                    more => format!("{more} lines of it are new"),
                };
                let what = self.with_reason("you rejected an earlier version of this change");
                return write!(f, "{what}; {new}");
            }
        };
        f.write_str(&self.with_reason(what))
    }
}
