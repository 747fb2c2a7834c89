//! Indentation that an edit got wrong: finds the shift of a whole block and applies it to the new lines.

use crate::text::{IndentUnit, columns, indent_of};

/// Tab widths that are tried, the likeliest first, in columns.
const TAB_WIDTHS: [usize; 4] = [4, 8, 2, 3];
/// Widths of a level in the edit and in the file, where the two differ, in columns.
const SCALES: [(usize, usize); 8] = [
    (2, 4),
    (4, 2),
    (4, 8),
    (8, 4),
    (2, 8),
    (8, 2),
    (3, 4),
    (4, 3),
];

/// Position of a matched preimage line that is not blank, its indentation, and that of the file's line.
pub(crate) type IndentPair<'a> = (usize, &'a str, &'a str);

/// Difference between the indentation of a whole block and the file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shift {
    literal: Option<Literal>,
    tab_width: usize,
    /// Columns of a level in the edit, and in the file.
    scale: (usize, usize),
}

/// One prefix by which all lines differ.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Literal {
    /// The file has it and the edit lacks it.
    Added(String),
    /// The edit has it and the file lacks it.
    Taken(String),
}

impl Shift {
    /// Returns the one shift that explains all pairs, if there is one.
    ///
    /// If several tab widths explain the pairs, one has priority with which every line is as far in as before and all of
    /// `added`, the new lines, are indented by whole tabs; then that of `unit`, the indentation unit of the file.
    pub(crate) fn explaining(
        pairs: &[IndentPair<'_>],
        added: &[&str],
        unit: Option<IndentUnit>,
    ) -> Option<Self> {
        if let Some(literal) = Literal::explaining(pairs) {
            let (tab_width, scale) = (width(unit), (1, 1));
            return Some(Self {
                literal: Some(literal),
                tab_width,
                scale,
            });
        }
        let even = TAB_WIDTHS
            .into_iter()
            .filter(|width| converts(pairs, added, *width))
            .chain(std::iter::once(width(unit)))
            .chain(TAB_WIDTHS)
            .map(|tab_width| (tab_width, (1, 1)));
        // Levels of another width than the file's count only if they explain all lines from the margin on.
        let is_level = |(from, to): &(usize, usize)| {
            let is_other = matches!(unit, Some(IndentUnit::Spaces(width)) if width != *to);
            !is_other || counts_all(pairs, (*from, *to))
        };
        let scaled = SCALES.into_iter().filter(is_level);
        let scaled = scaled.map(|scale| (scale.1, scale));
        even.chain(scaled)
            .find(|&(tab_width, scale)| is_even(pairs, tab_width, scale))
            .map(|(tab_width, scale)| Self {
                literal: None,
                tab_width,
                scale,
            })
    }

    /// Returns true if every line has one blank more or less in the edit than in the file.
    pub(crate) fn is_one_blank(&self) -> bool {
        matches!(&self.literal, Some(Literal::Added(prefix) | Literal::Taken(prefix)) if prefix == " ")
    }

    /// Returns true if levels have another width in the file than in the edit.
    pub(crate) fn is_scaled(&self) -> bool {
        self.scale.0 != self.scale.1
    }

    /// Returns the shift by levels that explains all pairs as well as the prefix does: levels are wider or narrower in the
    /// file.
    pub(crate) fn otherwise(
        &self,
        pairs: &[IndentPair<'_>],
        unit: Option<IndentUnit>,
    ) -> Option<Self> {
        self.literal.as_ref()?;
        let explains = |scale: &(usize, usize)| counts_all(pairs, *scale);
        let is_wide = |(_, to): &(usize, usize)| unit == Some(IndentUnit::Spaces(*to));
        let scale = SCALES.into_iter().filter(is_wide).find(explains)?;
        Some(Self {
            literal: None,
            tab_width: scale.1,
            scale,
        })
    }

    /// Returns true if a line of the edit is whole levels away from all matched lines; else levels do not explain the pairs.
    /// This is not needed if levels are equally wide in both, or if they explain all lines from the margin on.
    pub(crate) fn is_whole(&self, line: &str, pairs: &[IndentPair<'_>]) -> bool {
        let wide = |indent: &str| columns(indent, self.scale.0);
        let away = |(_, edit, _): &IndentPair<'_>| wide(indent_of(line)).abs_diff(wide(edit));
        !self.is_scaled()
            || counts_all(pairs, self.scale)
            || pairs
                .iter()
                .all(|pair| away(pair).is_multiple_of(self.scale.0))
    }

    /// Returns true if a line of the edit is indented by whole levels, with the width of the edit's levels.
    pub(crate) fn is_level(&self, line: &str) -> bool {
        columns(indent_of(line), self.scale.0).is_multiple_of(self.scale.0)
    }

    /// Returns the shift for pairs that no one shift explains: only the nearest pairs count.
    pub(crate) fn uneven(unit: Option<IndentUnit>) -> Self {
        Self {
            literal: None,
            tab_width: width(unit),
            scale: (1, 1),
        }
    }

    /// Returns a new line with the indentation that it should have in the file. `near` is the preimage position where it
    /// belongs.
    ///
    /// The prefix that all other lines gain or lose is added to it or removed from it. Failing that, it takes the file's
    /// indentation of the nearest line that has the same indentation in the edit; failing that, it is as many columns from the
    /// nearest line as in the edit.
    pub(crate) fn reindent(&self, line: &str, near: usize, pairs: &[IndentPair<'_>]) -> String {
        let indent = indent_of(line);
        let rest = &line[indent.len()..];
        if rest.is_empty() {
            return line.to_owned();
        }
        match &self.literal {
            Some(Literal::Added(prefix)) => return format!("{prefix}{line}"),
            Some(Literal::Taken(prefix)) if indent.starts_with(prefix.as_str()) => {
                return line[prefix.len()..].to_owned();
            }
            Some(Literal::Taken(_)) | None => (),
        }
        let distance = |pair: &&IndentPair<'_>| pair.0.abs_diff(near);
        if let Some((_, _, file)) = pairs
            .iter()
            .filter(|(_, edit, _)| *edit == indent)
            .min_by_key(distance)
        {
            return format!("{file}{rest}");
        }
        let Some((_, edit, file)) = pairs.iter().min_by_key(distance) else {
            return line.to_owned();
        };
        // Both sides indent with the same kind of blanks: keep the blanks that the line has beyond its neighbour.
        let tabs = pairs.iter().any(|(_, _, file)| file.contains('\t'));
        let converts =
            tabs != (indent.contains('\t') || pairs.iter().any(|(_, edit, _)| edit.contains('\t')));
        if let Some(beyond) = indent
            .strip_prefix(edit)
            .filter(|_| self.scale == (1, 1) && !converts)
        {
            return format!("{file}{beyond}{rest}");
        }
        let columns = |blanks| columns(blanks, self.tab_width).cast_signed();
        let step = (columns(indent) - columns(edit)) * self.scale.1.cast_signed()
            / self.scale.0.cast_signed();
        let target = usize::try_from(columns(file) + step).unwrap_or(0);
        let unit = if tabs {
            IndentUnit::Tab
        } else {
            IndentUnit::Spaces(self.scale.1)
        };
        unit.blanks(target, self.tab_width) + rest
    }
}

impl Literal {
    fn explaining(pairs: &[IndentPair<'_>]) -> Option<Self> {
        let (_, edit, file) = pairs.first()?;
        if let Some(prefix) = file.strip_suffix(edit) {
            let explains =
                |(_, edit, file): &IndentPair<'_>| file.strip_suffix(edit) == Some(prefix);
            return pairs
                .iter()
                .all(explains)
                .then(|| Self::Added(prefix.to_owned()));
        }
        let prefix = edit.strip_suffix(file)?;
        let explains = |(_, edit, file): &IndentPair<'_>| edit.strip_suffix(file) == Some(prefix);
        pairs
            .iter()
            .all(explains)
            .then(|| Self::Taken(prefix.to_owned()))
    }
}

/// Returns true if a line of the edit can be indented less than others in the file too. It cannot if a line that is deeper in
/// the edit is at the file's margin; a directive is at the margin anyway.
pub(crate) fn has_room(line: &str, pairs: &[IndentPair<'_>]) -> bool {
    let indent = indent_of(line);
    let is_at_margin = |(_, edit, file): &IndentPair<'_>| {
        file.is_empty() && edit.len() > indent.len() && edit.starts_with(indent)
    };
    line.starts_with('#') || !pairs.iter().any(is_at_margin)
}

/// Returns true if every line has as many levels of one width in the edit as of another in the file.
fn counts_all(pairs: &[IndentPair<'_>], (from, to): (usize, usize)) -> bool {
    let wide = |blanks| columns(blanks, to);
    pairs
        .iter()
        .all(|(_, edit, file)| wide(edit) * to == wide(file) * from)
}

fn is_even(pairs: &[IndentPair<'_>], tab_width: usize, (from, to): (usize, usize)) -> bool {
    let shift = |(_, edit, file): &IndentPair<'_>| {
        let edit = columns(edit, if to == from { tab_width } else { from });
        (columns(file, tab_width) * from).cast_signed() - (edit * to).cast_signed()
    };
    pairs.windows(2).all(|two| shift(&two[0]) == shift(&two[1]))
}

/// Returns true if all lines are as far in as before with tabs of a width, and new lines by whole tabs.
fn converts(pairs: &[IndentPair<'_>], added: &[&str], tab_width: usize) -> bool {
    let wide = |blanks: &str| columns(blanks, tab_width);
    let is_whole = |line: &&str| wide(indent_of(line)).is_multiple_of(tab_width);
    pairs.iter().all(|(_, edit, file)| wide(edit) == wide(file)) && added.iter().all(is_whole)
}

/// Returns the width of a level, in columns.
fn width(unit: Option<IndentUnit>) -> usize {
    match unit {
        Some(IndentUnit::Spaces(width)) => width,
        Some(IndentUnit::Tab) | None => TAB_WIDTHS[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a reindented line. The pairs are `edit>file` indentations, with `.` for a space and `t` for a tab.
    #[track_caller]
    fn check(pairs: &str, line: &str, expected: &str) {
        let blanks = |text: &str| text.replace('.', " ").replace('t', "\t");
        let owned: Vec<(String, String)> = pairs
            .split('|')
            .map(|pair| pair.split_once('>').unwrap())
            .map(|(edit, file)| (blanks(edit), blanks(file)))
            .collect();
        let pairs: Vec<IndentPair<'_>> = owned
            .iter()
            .enumerate()
            .map(|(i, (edit, file))| (i, edit.as_str(), file.as_str()))
            .collect();
        let line = blanks(line);
        let found = match Shift::explaining(&pairs, &[&line], None) {
            Some(shift) => shift.reindent(&line, pairs.len(), &pairs),
            None => "uneven".to_owned(),
        };
        assert_eq!(found, blanks(expected));
    }

    #[test]
    fn new_lines_follow_the_shift_of_the_block() {
        check("..>....|....>......", "....x", "......x");
        check("....>..|......>....", "......x", "....x");
        check("....>|......>..", "..x", "x");
        check(">....", "x", "....x");
        check("....>t|........>tt", "........x", "ttx");
        check("....>t|........>tt", "............x", "tttx");
        check("........>t", "................x", "ttx");
        check("........>t|........>t", "............x", "ttx");
        check("..>t|..>t", "......x", "tttx");
        check("t>....|tt>........", "tttx", "............x");
        check("..>....|....>........", "......x", "............x");
        check("..>t|....>tt", "......x", "tttx");
        check("..>..|....>..", "x", "uneven");
        check("..>....", "", "");
    }
}
