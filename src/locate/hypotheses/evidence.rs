//! Evidence for and against a variant of a hunk at a place.
//!
//! The cost ranks places. [`permit`](crate::locate::hypotheses::permit) decides from the kinds of differences found here if the best one may be
//! written. Some kinds are vetoes: a line of a change differs from the file's line in a word, a line of a change is missing, or
//! other lines are between a change and its nearest context.

use std::ops::Range;

use crate::locate::hypotheses::scale::{Scale, length};
use crate::locate::hypotheses::variants::{HunkRow, HunkRows, Variant};
use crate::locate::matching::edit_script::ChangeSide;
use crate::locate::matching::line_cost::Likeness;
use crate::locate::matching::normalize::{fold, has_word, is_blank};
use crate::locate::matching::word_alignment::{Difference, SLIP};
use crate::locate::placement::Rung;
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// Cost of a first or last context line that is cut short, in bits.
const CUT: f64 = 2.0;
/// Minimum length of a line that is cut short, in bytes without blanks, and its minimum share of the file's line.
const CUT_LENGTH: usize = 8;
const CUT_SHARE: f64 = 0.4;

/// Evidence for and against a hypothesis.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a kind of difference by itself"
)]
#[derive(Debug, Clone, Default)]
pub(crate) struct Evidence {
    /// The cost of all differences, in bits.
    pub(crate) cost: f64,
    /// The information of all that is equal, in bits.
    pub(crate) support: f64,
    /// True if a line with a letter or a digit matches apart from blanks and punctuation.
    pub(crate) is_telling: bool,
    /// True if such a line is context.
    pub(crate) has_context: bool,
    /// The cost of all typos together, in bits.
    pub(crate) slips: f64,
    /// True if a typo could also be the name of a sibling.
    pub(crate) names_sibling: bool,
    /// True if a line has another word in the file, or another number that `has_other_number` does not cover.
    pub(crate) has_other_word: bool,
    /// True if a line between equal ones, away from every change, has another number in the file, and a line that the hunk
    /// removes is nowhere else.
    pub(crate) has_other_number: bool,
    /// The number of lines that only the edit or only the file has.
    pub(crate) unpaired: usize,
    /// The cost of the lines that only the file has, in bits.
    pub(crate) extra: f64,
    /// True if the first or the last line is cut short.
    pub(crate) is_cut: bool,
    /// The first veto, if there is one.
    pub(crate) veto: Option<Veto>,
    /// True if nothing shows that the change was made, because it only removes lines.
    pub(crate) only_joins: bool,
    /// The information of the lines that such a change leaves, in bits.
    pub(crate) left_bits: f64,
    /// True if blank lines are missing or extra.
    pub(crate) has_other_blank_lines: bool,
    /// The file lines that each change affects.
    pub(crate) touched: Vec<Range<LineIdx>>,
    /// True if every line of context is equal to the file's, blanks included.
    pub(crate) is_context_literal: bool,
    /// True if the lines of every change are equal to the file's, blanks included.
    pub(crate) is_change_literal: bool,
    /// True if only a part of the hunk is made, and that part removes lines: a sibling that always had the added ones looks the same.
    pub(crate) is_partly_replaced: bool,
}

/// A reason not to write a hunk without asking a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Veto {
    /// A line that the hunk removes, or that it would have added, differs.
    Changed,
    /// Such a line is missing.
    Lost,
    /// Another line is between a change and its nearest context.
    Foreign,
    /// The only evidence is that lines are missing.
    Nothing,
}

/// A variant of a hunk and the file lines that are paired with its rows.
pub(crate) struct Trial<'t> {
    pub(crate) document: &'t Document,
    pub(crate) body: &'t Body,
    pub(crate) rows: &'t HunkRows,
    pub(crate) variant: Variant,
    pub(crate) selected: &'t [usize],
    /// The file line paired with each selected row.
    pub(crate) pairs: &'t [Option<LineIdx>],
}

impl Evidence {
    /// Collects the evidence of a trial.
    pub(crate) fn of(trial: &Trial<'_>, scale: &impl Scale) -> Self {
        let mut evidence = Self {
            is_change_literal: true,
            is_context_literal: true,
            ..Self::default()
        };
        evidence.is_partly_replaced = trial.is_partly_replaced();
        evidence.compare_lines(trial, scale);
        evidence.find_replaced(trial);
        evidence.count_skipped(trial, scale);
        evidence.look_around_changes(trial);
        evidence
    }

    /// Returns the share of the hunk's information that the file has at the place, in `0..=1`. Lines that only the file has do not
    /// count: their words say nothing about the hunk.
    pub(crate) fn similarity(&self) -> f64 {
        let all = self.support + self.cost - self.extra;
        self.support / all.max(f64::MIN_POSITIVE)
    }

    /// Compares every row with its line.
    fn compare_lines(&mut self, trial: &Trial<'_>, scale: &impl Scale) {
        let (mut trailing, mut blanks, mut signs) = (false, false, false);
        let last = trial.selected.len().saturating_sub(1);
        for (nth, &row) in trial.selected.iter().enumerate() {
            let text = trial.rows.text(row, trial.body);
            let is_changed = !matches!(trial.rows.rows[row], HunkRow::Context(_));
            let Some(at) = trial.pairs[nth] else {
                if is_blank(text) {
                    self.has_other_blank_lines = true;
                } else {
                    self.unpaired += 1;
                    self.cost += scale.weight(nth);
                }
                self.is_context_literal &= is_changed;
                if is_changed {
                    self.veto = self.veto.or(Some(Veto::Lost));
                    self.is_change_literal = false;
                } else if is_blank(text) && trial.is_beside_change(row) {
                    self.veto = self.veto.or(Some(Veto::Foreign));
                }
                continue;
            };
            let pair = scale.pair(nth, at);
            let is_equal = pair.likeness == Likeness::Equal;
            self.is_change_literal &= !is_changed || is_equal;
            self.is_context_literal &= is_changed || is_equal;
            match pair.likeness {
                Likeness::Equal => (),
                Likeness::Trailing => trailing = true,
                Likeness::Blanks => blanks = true,
                Likeness::Signs => signs = true,
                Likeness::Words | Likeness::Apart => {
                    let is_edge = nth == 0 || nth == last;
                    if is_edge
                        && !is_changed
                        && is_cut_short(text, trial.document.line(at), nth == last)
                    {
                        self.is_cut = true;
                        self.support += scale.weight(nth);
                        continue;
                    }
                    let found = scale.differences(nth, at);
                    self.support += (scale.weight(nth) - bits(&found)).max(0.0);
                    let has_number = |one: &Difference| matches!(one, Difference::Number(_));
                    let is_held = found.iter().any(has_number) && is_held(trial, scale, nth);
                    self.differ(&found, at, is_held, scale);
                    if is_changed {
                        self.veto = self.veto.or(Some(Veto::Changed));
                    }
                    continue;
                }
            }
            self.support += scale.weight(nth);
            self.is_telling |= has_word(text);
            self.has_context |= !is_changed && has_word(text);
        }
        let price = |is_there: bool, price: f64| if is_there { price } else { 0.0 };
        self.cost += price(trailing, 0.25)
            + price(blanks, 0.5)
            + price(signs, 1.0)
            + price(self.is_cut, CUT);
    }

    /// Adds the differences between the words of two lines.
    fn differ(
        &mut self,
        differences: &[Difference],
        at: LineIdx,
        is_held: bool,
        scale: &impl Scale,
    ) {
        self.cost += bits(differences);
        for difference in differences {
            match difference {
                Difference::Slip(_, position) => {
                    self.slips += SLIP;
                    self.names_sibling |= scale.has_siblings(at, *position);
                }
                Difference::Number(_) if is_held => self.has_other_number = true,
                Difference::Number(_) | Difference::Word(_) => self.has_other_word = true,
            }
        }
    }

    /// Finds lines without a partner that have another line in their place: one with the same punctuation and other words, or any
    /// line instead of a bracket.
    fn find_replaced(&mut self, trial: &Trial<'_>) {
        let is_solid = |at: &LineIdx| !is_blank(trial.document.line(*at));
        let mut first = 0;
        for lost in trial.pairs.chunk_by(|a, b| a.is_none() && b.is_none()) {
            let rows = first..first + lost.len();
            first = rows.end;
            if lost[0].is_some() {
                continue;
            }
            let above = rows.start.checked_sub(1).and_then(|nth| trial.pairs[nth]);
            let below = trial.pairs.get(rows.end).copied().flatten();
            let file: Vec<LineIdx> = match (above, below) {
                (Some(above), Some(below)) => (above + 1..below).filter(is_solid).collect(),
                (Some(above), None) => (above + 1..trial.document.len())
                    .filter(is_solid)
                    .take(rows.len())
                    .collect(),
                (None, Some(below)) => (0..below).rev().filter(is_solid).take(rows.len()).collect(),
                (None, None) => Vec::new(),
            };
            let own = rows.map(|nth| trial.rows.text(trial.selected[nth], trial.body));
            let mut own = own.filter(|line| !is_blank(line));
            self.has_other_word |= own.any(|own| {
                let mut file = file.iter().map(|at| trial.document.line(*at));
                file.any(|file| !has_word(own) || punctuation(own).eq(punctuation(file)))
            });
        }
    }

    /// Counts the lines of the file between the partners of consecutive rows.
    fn count_skipped(&mut self, trial: &Trial<'_>, scale: &impl Scale) {
        let mut known = trial.pairs.iter().flatten().copied();
        let Some(mut before) = known.next() else {
            return;
        };
        for at in known {
            for skipped in before + 1..at {
                if is_blank(trial.document.line(skipped)) {
                    self.has_other_blank_lines = true;
                } else {
                    self.unpaired += 1;
                    self.extra += scale.extra(skipped);
                }
            }
            before = at;
        }
        if self.has_other_blank_lines {
            self.cost += 0.5;
        }
        self.cost += self.extra;
    }

    /// Finds other lines between each change and its nearest context, and records the lines of each change.
    fn look_around_changes(&mut self, trial: &Trial<'_>) {
        let is_solid = |line: &LineIdx| !is_blank(trial.document.line(*line));
        let mut has_context = false;
        let (mut has_gap, mut has_added) = (false, false);
        for (change, rows) in trial.rows.changes.iter().enumerate() {
            let (above, lost_above) = trial.context(rows.start, ChangeSide::Above);
            let (below, lost_below) = trial.context(rows.end, ChangeSide::Below);
            has_context |= above.is_some() || below.is_some();
            let mut own: Vec<LineIdx> = trial.lines_of(rows).collect();
            own.sort_unstable();
            let (Some(&first), Some(&last)) = (own.first(), own.last()) else {
                has_gap |= trial.variant.has(change);
                if matches!(trial.variant, Variant::Mixed(_)) && trial.variant.has(change) {
                    // A missing line does not prove that this part of the hunk is made.
                    self.veto = self.veto.or(Some(Veto::Nothing));
                }
                let (Some(from), Some(to)) = (
                    above.map(|line| line + 1).or(below),
                    below.or(above.map(|line| line + 1)),
                ) else {
                    self.veto = self.veto.or(Some(Veto::Foreign));
                    continue;
                };
                let foreign = (from..to).filter(is_solid).count() + lost_above + lost_below;
                if foreign > 0 {
                    self.veto = self.veto.or(Some(Veto::Foreign));
                }
                self.touched.push(from..from);
                continue;
            };
            has_added |= trial.variant.has(change);
            let between_above = above.map_or(0, |line| (line + 1..first).filter(is_solid).count());
            let between_below = below.map_or(0, |line| (last + 1..line).filter(is_solid).count());
            let inside = (first..last)
                .filter(is_solid)
                .filter(|line| own.binary_search(line).is_err())
                .count();
            if between_above + between_below + inside + lost_above + lost_below > 0 {
                self.veto = self.veto.or(Some(Veto::Foreign));
            }
            self.touched.push(first..last + 1);
        }
        self.only_joins = has_gap && !has_added;
        if self.only_joins && !has_context {
            self.veto = self.veto.or(Some(Veto::Nothing));
        }
    }
}

impl Trial<'_> {
    /// Returns true if some changes are made and some are not, and one that is made removes lines.
    fn is_partly_replaced(&self) -> bool {
        let is_replaced =
            |row: &HunkRow| matches!(row, HunkRow::Removed(change, _) if self.variant.has(*change));
        matches!(self.variant, Variant::Mixed(_)) && self.rows.rows.iter().any(is_replaced)
    }

    /// Returns true if only blank context is between a row and a change: how many blank lines belong to which side of the change
    /// is not known if one of them is missing.
    fn is_beside_change(&self, row: usize) -> bool {
        let is_changed = |row: usize| !matches!(self.rows.rows[row], HunkRow::Context(_));
        let ends = |row: &usize| is_changed(*row) || !is_blank(self.rows.text(*row, self.body));
        let above = (0..row).rev().find(ends);
        let below = (row + 1..self.rows.rows.len()).find(ends);
        above.is_some_and(is_changed) || below.is_some_and(is_changed)
    }

    /// Returns the partner of the nearest row beside a change that is not blank and has one, and the number of non-blank rows
    /// without a partner that are skipped.
    fn context(&self, from: usize, side: ChangeSide) -> (Option<LineIdx>, usize) {
        let split = self.selected.partition_point(|&row| row < from);
        match side {
            ChangeSide::Above => self.first_partner((0..split).rev()),
            ChangeSide::Below => self.first_partner(split..self.selected.len()),
        }
    }

    /// Returns the first partner of these rows that are not blank, and the number of rows without one before it.
    fn first_partner(&self, rows: impl Iterator<Item = usize>) -> (Option<LineIdx>, usize) {
        let text = |nth: &usize| self.rows.text(self.selected[*nth], self.body);
        let mut lost = 0;
        for nth in rows.filter(|nth| !is_blank(text(nth))) {
            if self.pairs[nth].is_some() {
                return (self.pairs[nth], lost);
            }
            lost += 1;
        }
        (None, lost)
    }

    /// Returns the file lines that are paired with the rows of a change.
    fn lines_of(&self, rows: &Range<usize>) -> impl Iterator<Item = LineIdx> {
        let first = self.selected.partition_point(|&row| row < rows.start);
        let end = self.selected.partition_point(|&row| row < rows.end);
        self.pairs[first..end].iter().flatten().copied()
    }
}

/// Returns true if a row between two that match is away from every change, and a line that the hunk removes is in the file to the
/// letter, and only here: then the place is no sibling.
fn is_held(trial: &Trial<'_>, scale: &impl Scale, nth: usize) -> bool {
    let row = trial.selected[nth];
    let is_beside = |change: &Range<usize>| change.start <= row + 1 && row <= change.end;
    let neighbours = nth.checked_sub(1).map(|before| [before, nth + 1]);
    !trial.rows.changes.iter().any(is_beside)
        && neighbours.is_some_and(|rows| rows.iter().all(|row| is_equal_row(trial, scale, *row)))
        && trial.selected.iter().zip(trial.pairs).any(|(row, at)| {
            at.is_some_and(|at| {
                matches!(trial.rows.rows[*row], HunkRow::Removed(..))
                    && trial.document.line(at) == trial.rows.text(*row, trial.body)
                    && scale.is_only(at)
            })
        })
}

/// Returns true if a row matches its own line apart from blanks and punctuation, and is not blank.
fn is_equal_row(trial: &Trial<'_>, scale: &impl Scale, nth: usize) -> bool {
    let at = trial.pairs.get(nth).copied().flatten();
    at.is_some_and(|at| scale.pair(nth, at).likeness <= Likeness::Signs)
        && (trial.selected.get(nth)).is_some_and(|row| !is_blank(trial.rows.text(*row, trial.body)))
}

/// Returns the characters of a line that are neither letters, digits nor blanks.
fn punctuation(line: &str) -> impl Iterator<Item = char> {
    line.chars()
        .filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '_')
}

fn bits(differences: &[Difference]) -> f64 {
    let bits = differences.iter().map(|difference| match difference {
        Difference::Slip(..) => SLIP,
        Difference::Number(bits) | Difference::Word(bits) => *bits,
    });
    bits.sum()
}

/// Returns true if a line of the edit is the beginning of the file's line, or the end of it if it is not the edit's last line.
fn is_cut_short(own: &str, file: &str, is_last: bool) -> bool {
    let solid = |line: &str| {
        let line = fold(Rung::Punctuation, line);
        line.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    let (own, file) = (solid(own), solid(file));
    let is_long = own.len() >= CUT_LENGTH && length(&own) >= CUT_SHARE * length(&file);
    is_long
        && if is_last {
            file.starts_with(&own)
        } else {
            file.ends_with(&own)
        }
}
