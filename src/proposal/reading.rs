//! The reason why an input is read in a dialect.

use std::fmt;

use serde::Serialize;

use crate::text::LineNo;

/// A dialect that was recognised in an input, and the first line that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The first line that only this dialect has.
    pub line: LineNo,
    /// The text of that line, quoted and cut.
    pub evidence: String,
    /// The number of sections in this dialect.
    pub sections: usize,
}

impl Reading {
    /// Adds a section to the readings of an input, of which there is one for each dialect.
    pub fn add(readings: &mut Vec<Self>, section: Self) {
        match readings
            .iter_mut()
            .find(|known| known.dialect == section.dialect)
        {
            Some(known) => known.sections += section.sections,
            None => readings.push(section),
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            dialect,
            line,
            evidence,
            sections,
        } = self;
        write!(f, "read as {dialect} because of line {line}: {evidence}")?;
        match sections {
            0 | 1 => Ok(()),
            more => write!(f, ", and {} more like it", more - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_a_dialect_are_counted() {
        let section = |dialect, line| Reading {
            dialect,
            line: LineNo::from_idx(line),
            evidence: "'x'".to_owned(),
            sections: 1,
        };
        let mut readings = Vec::new();
        for section in [
            section("aider", 2),
            section("unified", 5),
            section("aider", 9),
        ] {
            Reading::add(&mut readings, section);
        }
        let shown: Vec<String> = readings.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "read as aider because of line 3: 'x', and 1 more like it",
                "read as unified because of line 6: 'x'"
            ]
        );
    }
}
