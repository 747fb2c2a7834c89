//! The changes of the file that the changes of a hunk are at a match.

use std::collections::VecDeque;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::locate::matching::edit_script::{EditStep, Script};
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::{Change, Rung};
use crate::locate::resolve::reindent::IndentLevels;
use crate::locate::resolve::typography;
use crate::proposal::Body;
use crate::text::{Document, LineIdx, indent_of};

impl Script {
    /// Returns the removed file lines, by their text in the edit. One that is added again elsewhere in the hunk has only been
    /// moved, and is written as the file has it. Empty on the exact rung, where both texts are equal.
    fn removed_lines<'b>(
        &self,
        body: &'b Body,
        matched: &Match,
        rung: Rung,
    ) -> FxHashMap<&'b str, VecDeque<LineIdx>> {
        let mut removed_lines: FxHashMap<&str, VecDeque<LineIdx>> = FxHashMap::default();
        if rung > Rung::Exact {
            for i in self.steps().iter().flat_map(|step| step.removed.clone()) {
                let line = body.preimage[i].as_str();
                if let Some(at) = matched.line_of(i).filter(|_| !is_blank(line)) {
                    removed_lines.entry(line).or_default().push_back(at);
                }
            }
        }
        removed_lines
    }

    /// Returns the changes of the file at a match, in file order.
    pub(crate) fn changes(
        &self,
        body: &Body,
        matched: &Match,
        rung: Rung,
        index: &Index<'_>,
    ) -> Vec<Change> {
        let levels = IndentLevels::of(self, body, matched, rung, index);
        self.changes_at(body, matched, rung, index, &levels)
    }

    /// Returns the same changes where the indentation of the new lines is known already.
    pub(crate) fn changes_at(
        &self,
        body: &Body,
        matched: &Match,
        rung: Rung,
        index: &Index<'_>,
        levels: &IndentLevels<'_>,
    ) -> Vec<Change> {
        let mut moved = self.removed_lines(body, matched, rung);
        let mut new_line = |step: &EditStep, line: &String| {
            let own = moved.get_mut(line.as_str()).and_then(VecDeque::pop_front);
            match own {
                Some(own) => index.document.line(own).to_owned(),
                None => levels.reindent(line, step.removed.start),
            }
        };
        let change = |step: &EditStep| {
            let added = &body.postimage[step.added.clone()];
            let typeset = typeset(step, body, matched, rung, index.document);
            let with = |(nth, line): (usize, &String)| {
                let new = new_line(step, line);
                match typeset.get(nth) {
                    Some(text) if new.trim_start() == line.trim_start() => {
                        format!("{}{text}", indent_of(&new))
                    }
                    Some(_) | None => new,
                }
            };
            Change {
                lines: changed_lines(step, body, matched, index.document),
                with: added.iter().enumerate().map(with).collect(),
            }
        };
        self.steps()
            .iter()
            .map(change)
            .filter(|change| !change.lines.is_empty() || !change.with.is_empty())
            .collect()
    }
}

/// Returns the added lines of a step without their indentation and with the typographic characters of the file; none if the lines
/// that it removes have no other ones.
fn typeset(
    step: &EditStep,
    body: &Body,
    matched: &Match,
    rung: Rung,
    document: &Document,
) -> Vec<String> {
    let pair = |i: usize| {
        let line = body.preimage[i].as_str();
        let file = matched.line_of(i).map(|at| document.line(at));
        (line, file.unwrap_or(line))
    };
    let differs =
        |(line, file): (&str, &str)| line != file && !(line.is_ascii() && file.is_ascii());
    if rung < Rung::Punctuation
        || step.added.is_empty()
        || !step.removed.clone().map(pair).any(differs)
    {
        return Vec::new();
    }
    let pairs: Vec<(&str, &str)> = step.removed.clone().map(pair).collect();
    typography::kept(&pairs, &body.postimage[step.added.clone()])
}

/// Returns the file lines that are paired with a range of preimage lines, and all lines between them.
fn file_lines(matched: &Match, preimage: &Range<usize>) -> Range<LineIdx> {
    let mut lines = preimage.clone().filter_map(|line| matched.line_of(line));
    if let Some(first) = lines.next() {
        first..lines.next_back().unwrap_or(first) + 1
    } else {
        let point = matched.point_before(preimage.start);
        point..point
    }
}

/// Returns the file lines that a step changes. Lines inserted where the file has blank lines that the edit lacks are placed
/// below these if the edit has a blank line above them, which are these, or if they end with a blank line and do not begin with
/// one.
fn changed_lines(
    step: &EditStep,
    body: &Body,
    matched: &Match,
    document: &Document,
) -> Range<LineIdx> {
    let lines = file_lines(matched, &step.removed);
    let added = &body.postimage[step.added.clone()];
    let is_blank_line = |line: Option<&String>| line.is_some_and(|line| is_blank(line));
    let is_uneven = matches!(matched.pairs, Pairs::Each(_));
    let above = step.removed.start.checked_sub(1);
    let is_below_blank = is_blank_line(above.map(|above| &body.preimage[above]));
    let is_spaced = !is_blank_line(added.first()) && is_blank_line(added.last());
    if !is_uneven || !lines.is_empty() || !(is_below_blank || is_spaced) {
        return lines;
    }
    let next = matched.line_of(step.removed.start);
    let between = lines.start..next.unwrap_or(matched.lines.end);
    let below = between.take_while(|line| is_blank(document.line(*line)));
    let point = lines.start + below.count();
    point..point
}
