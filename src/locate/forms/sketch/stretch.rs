//! The stretches of a sketch.

use crate::locate::matching::normalize::is_blank;

/// Lines of a sketch between two elisions, without blank ones at the edges.
#[derive(Debug, Clone)]
pub(super) struct Stretch<'h> {
    /// The position of its first line in the sketch.
    pub(super) first: usize,
    pub(super) lines: &'h [String],
    /// True if it begins with the file, and true if it ends with it.
    pub(super) edges: (bool, bool),
}

/// Returns the stretches of a sketch between the lines that are marks of elisions.
pub(super) fn stretches(lines: &[String], is_mark: impl Fn(&str) -> bool) -> Vec<Stretch<'_>> {
    let is_first = |line: Option<&String>| !line.is_some_and(|line| is_mark(line));
    let opens = is_first(lines.iter().find(|line| !is_blank(line)));
    let closes = is_first(lines.iter().rev().find(|line| !is_blank(line)));
    let mut first = 0;
    let mut found = Vec::new();
    for part in lines.split(|line| is_mark(line)) {
        let leading = part.iter().take_while(|line| is_blank(line)).count();
        let trailing = part[leading..]
            .iter()
            .rev()
            .take_while(|line| is_blank(line))
            .count();
        let own = &part[leading..part.len() - trailing];
        if !own.is_empty() {
            found.push(Stretch {
                first: first + leading,
                lines: own,
                edges: (false, false),
            });
        }
        first += part.len() + 1;
    }
    if let Some(stretch) = found.first_mut() {
        stretch.edges.0 = opens;
    }
    if let Some(stretch) = found.last_mut() {
        stretch.edges.1 = closes;
    }
    found
}
