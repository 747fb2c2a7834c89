//! Likelihood of a mistake in a file's changes, for the order of a review. Judged by the changed lines alone, without a model.
//!
//! The score of some lines is their mean weight, times the weight of the file's group. The weights were fitted with
//! `benches/risk.rs`, which plants mistakes in real changes and measures how early each order meets them.

use std::collections::BTreeSet;

use super::block_comment::BlockComments;
use super::file_group::FileGroup;
use super::section::{IMPORTS, SourceSection};
use crate::parallel;
use crate::review::session::attention::Concern;
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{ChangedLine, HunkReview, Step};

/// Weight of any changed line.
const LINE: usize = 1;
/// Additional weight of a line that is neither blank nor a comment nor an import.
const CODE: usize = 1;
/// Additional weight of a line that decides where a program goes on.
const CONDITION: usize = 2;
/// Additional weight of a line that compares or calculates.
const CALCULATION: usize = 3;
/// Additional weight of a line that handles errors.
const ERROR_HANDLING: usize = 1;
/// Additional weight of a line with a number or a truth value.
const CONSTANT: usize = 3;
/// Factor for added lines, of which a removed one has half.
const ADDED: usize = 2;
/// Factor for removed lines.
const REMOVED: usize = 1;
/// A trait of at least one in so many added lines is named as a reason.
const NAMED: usize = 5;
/// Maximum number of changed lines of a file that are judged, evenly spaced, so that a large batch opens at once.
const JUDGED_LINES: usize = 250;
/// Maximum number of bytes of a line that are judged.
const JUDGED: usize = 400;
/// Hunks with at most this many unchanged lines between them are read together.
const NEAR: usize = 6;

const CONDITIONS: [&str; 15] = [
    "if", "else", "elif", "match", "while", "for", "loop", "switch", "case", "unless", "until",
    "return", "break", "continue", "goto",
];
const ERRORS: [&str; 22] = [
    "err", "error", "errors", "except", "catch", "finally", "panic", "unwrap", "expect", "throw",
    "throws", "raise", "rescue", "fail", "assert", "result", "ok", "some", "none", "null",
    "unsafe", "defer",
];
const CALCULATIONS: [&str; 8] = [" - ", " + ", " * ", " / ", " % ", " < ", " > ", "!="];
const COMPARISONS: [&str; 7] = ["==", "&&", "||", "<=", ">=", "(!", " !"];
/// Signs with which a comment begins, in the usual programming languages.
const COMMENTS: [&str; 8] = ["//", "/*", "*", "#", "--", "<!--", "\"\"\"", ";"];

/// Likelihood of a mistake in a file's changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Risk {
    /// Purpose of the file.
    pub group: FileGroup,
    /// True if it comes first whatever its lines are: something in it needs attention, or it becomes executable.
    pub is_urgent: bool,
    /// Score of its lines.
    pub score: usize,
    /// Kind of the file and reasons for the score, the most important first. The reasons why a file is urgent change with its hunks:
    /// [`FileReview::urgent_reasons`].
    pub reasons: Vec<&'static str>,
    /// The same for its neighbouring hunks, in the order of the file.
    pub runs: Vec<RunRisk>,
}

/// Likelihood of a mistake in neighbouring hunks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunRisk {
    /// The hunks, by their positions in the file.
    pub hunks: Vec<usize>,
    /// Number of their changed lines.
    pub lines: usize,
    /// Score of their lines.
    pub score: usize,
    /// True if one of them comes first whatever its lines are.
    pub is_urgent: bool,
}

/// Traits of a line.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each holds or not whatever the others do"
)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LineTraits {
    condition: bool,
    calculation: bool,
    error_handling: bool,
    constant: bool,
    code: bool,
    comment: bool,
}

/// The changed lines of a file, counted by their traits.
#[derive(Debug, Default)]
struct Counted {
    lines: usize,
    weight: usize,
    conditions: usize,
    calculations: usize,
    error_handling: usize,
    constants: usize,
    error_handling_removed: usize,
    comments: usize,
    blanks_only: usize,
    added: usize,
    /// True if not all lines were judged.
    is_sample: bool,
}

impl Risk {
    /// Judges the changes of some files.
    pub fn of_files(files: &[FileReview]) -> Vec<Self> {
        parallel::map(files, Self::of)
    }

    /// Judges the changes that were proposed for a file.
    pub fn of(file: &FileReview) -> Self {
        let path = file.new_path();
        let group = FileGroup::of(
            path,
            if file.base.is_empty() {
                file.yours()
            } else {
                &file.base
            },
        );
        let all: usize = file.hunks.iter().map(|hunk| hunk.proposed.len()).sum();
        let step = all.div_ceil(JUDGED_LINES).max(1);
        let mut counted = Counted {
            is_sample: step > 1,
            ..Counted::default()
        };
        let runs = runs(file);
        let mut section = SourceSection::default();
        // Of a sample nobody knows what is between its lines.
        let followed = if step == 1 { path } else { "" };
        let mut comments = BlockComments::new(followed);
        let runs = runs.into_iter().map(|hunks| {
            let mut own = Counted::default();
            for hunk in hunks.iter().map(|&hunk| &file.hunks[hunk]) {
                section.advance(file, hunk);
                let first = hunk.proposed.first().map_or(0, |line| line.at);
                comments.begin_hunk(&file.base, first);
                for line in hunk.proposed.iter().step_by(step) {
                    comments.keep_to(&file.base, line.at);
                    own.add(file, line, &mut section, &mut comments);
                }
            }
            counted.merge(&own);
            own.run(file, hunks, group)
        });
        let runs = runs.collect();
        let mut reasons = Vec::from_iter(group_word(group));
        reasons.extend(counted.reasons(file, group));
        Self {
            group,
            is_urgent: !file.urgent_reasons().is_empty(),
            score: counted.score(group),
            reasons,
            runs,
        }
    }
}

/// Returns the hunks of a file in its order, with those together that have few lines between them.
fn runs(file: &FileReview) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut end = None;
    for hunk in file.in_file_order() {
        let review = &file.hunks[hunk];
        let lines = review.state.lines.first().zip(review.state.lines.last());
        let is_near = |(first, _): (&ChangedLine, _)| end.is_some_and(|end| first.at <= end + NEAR);
        match runs.last_mut() {
            Some(run) if lines.is_some_and(is_near) => run.push(hunk),
            Some(_) | None => runs.push(vec![hunk]),
        }
        end = lines.map(|(_, last)| last.end());
    }
    runs
}

impl FileReview {
    /// Returns the reasons why the file comes first whatever its lines are, as its hunks are now.
    pub fn urgent_reasons(&self) -> Vec<&'static str> {
        let of_hunks = self.hunks.iter().filter_map(|hunk| self.concern(hunk));
        let of_file = [
            (self.refusal().is_some(), Concern::Refused),
            (self.protected.is_some(), Concern::Protected),
        ];
        let of_file = of_file.into_iter().filter(|(holds, _)| *holds);
        let concerns: BTreeSet<Concern> = of_hunks.chain(of_file.map(|(_, why)| why)).collect();
        let executable = |hunk: &HunkReview| hunk.step == Some(Step::Mode { executable: true });
        let executable = self.hunks.iter().any(executable);
        let executable = executable.then_some("becomes executable");
        (concerns.into_iter().map(Concern::words))
            .chain(executable)
            .collect()
    }
}

/// Returns the weight of a group, in hundredths.
fn group_weight(group: FileGroup) -> usize {
    match group {
        FileGroup::Source => 100,
        FileGroup::Configuration => 30,
        FileGroup::Tests => 5,
        FileGroup::Documentation | FileGroup::Generated => 2,
        FileGroup::LockFile => 0,
    }
}

fn group_word(group: FileGroup) -> Option<&'static str> {
    match group {
        FileGroup::Source => None,
        FileGroup::Configuration => Some("configuration"),
        FileGroup::Tests => Some("tests"),
        FileGroup::Documentation => Some("documentation"),
        FileGroup::Generated => Some("generated"),
        FileGroup::LockFile => Some("lock file"),
    }
}

impl Counted {
    fn add(
        &mut self,
        file: &FileReview,
        line: &ChangedLine,
        section: &mut SourceSection,
        comments: &mut BlockComments,
    ) {
        let old = line.removes.then(|| file.base.line(line.at));
        let old_prose = old.is_some_and(|old| comments.removed(line.at, old));
        let new_prose = line.adds.as_ref().is_some_and(|new| comments.added(new));
        if let (Some(old), Some(new)) = (old, &line.adds)
            && old.split_whitespace().eq(new.split_whitespace())
        {
            self.lines += 2;
            self.added += 1;
            self.blanks_only += 2;
            return;
        }
        if let Some(old) = old {
            let traits = LineTraits::of(old, old_prose);
            self.error_handling_removed += usize::from(traits.error_handling);
            self.count(traits, REMOVED, section);
        }
        if let Some(new) = &line.adds {
            section.pass(new);
            let traits = LineTraits::of(new, new_prose);
            self.error_handling += usize::from(traits.error_handling);
            self.conditions += usize::from(traits.condition);
            self.calculations += usize::from(traits.calculation);
            self.constants += usize::from(traits.constant);
            self.added += 1;
            self.count(traits, ADDED, section);
        }
    }

    fn count(&mut self, traits: LineTraits, factor: usize, section: &SourceSection) {
        let share = if section.is_test() {
            group_weight(FileGroup::Tests)
        } else {
            group_weight(FileGroup::Source)
        };
        self.lines += 1;
        self.comments += usize::from(traits.comment);
        self.weight += traits.weight() * factor * share;
    }

    fn merge(&mut self, other: &Self) {
        self.lines += other.lines;
        self.weight += other.weight;
        self.conditions += other.conditions;
        self.calculations += other.calculations;
        self.error_handling += other.error_handling;
        self.constants += other.constants;
        self.error_handling_removed += other.error_handling_removed;
        self.comments += other.comments;
        self.blanks_only += other.blanks_only;
        self.added += other.added;
    }

    fn score(&self, group: FileGroup) -> usize {
        self.weight * group_weight(group) / self.lines.max(1)
    }

    fn run(&self, file: &FileReview, hunks: Vec<usize>, group: FileGroup) -> RunRisk {
        let own = || hunks.iter().map(|&hunk| &file.hunks[hunk]);
        let counts = own().map(HunkReview::counts);
        RunRisk {
            lines: counts.map(|(added, removed)| added + removed).sum(),
            score: self.score(group),
            is_urgent: own().any(|hunk| file.concern(hunk).is_some()),
            hunks,
        }
    }

    /// Returns what the changed lines are, in words.
    fn reasons(&self, file: &FileReview, group: FileGroup) -> Vec<&'static str> {
        // The words of a text for people mean nothing of the kind.
        let is_code = group != FileGroup::Documentation;
        let removes_error_handling =
            is_code && !self.is_sample && self.error_handling_removed > self.error_handling;
        let often = |count: usize| is_code && count > 0 && count * NAMED >= self.added;
        let any = self.lines > 0 && !self.is_sample;
        // The lines of hunks without a place are not judged.
        let all_placed = file.unplaced() == 0;
        let only_quiet = any && self.comments + self.blanks_only == self.lines;
        let all = [
            (
                all_placed && any && self.added == 0 && file.kind != FileKind::Deleted,
                "only removes lines",
            ),
            (removes_error_handling, "removes error handling"),
            (
                all_placed && any && self.blanks_only == self.lines,
                "only whitespace",
            ),
            (
                all_placed && only_quiet && self.comments > 0,
                "only comments",
            ),
            (often(self.calculations), "comparisons and calculations"),
            (often(self.conditions), "conditions"),
            (
                often(self.error_handling) && !removes_error_handling,
                "error handling",
            ),
            (often(self.constants), "constants"),
        ];
        all.into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, words)| words)
            .collect()
    }
}

impl LineTraits {
    /// Judges a line, which may be inside of a comment or a text of several lines.
    fn of(line: &str, is_prose: bool) -> Self {
        let text = line.trim();
        let end = (0..=text.len().min(JUDGED))
            .rev()
            .find(|&end| text.is_char_boundary(end));
        let text = &text[..end.unwrap_or(0)];
        let is_attribute = text.starts_with("#[") || text.starts_with("#!");
        let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
        if text.is_empty() {
            return Self::default();
        }
        if is_prose || !is_attribute && begins(&COMMENTS) {
            return Self {
                comment: true,
                ..Self::default()
            };
        }
        if is_attribute || begins(&IMPORTS) {
            return Self::default();
        }
        let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
        let words = text.split(|c: char| !c.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        let is_code = words.peek().is_some();
        let is_error = |word: &str| ERRORS.iter().any(|error| word.eq_ignore_ascii_case(error));
        Self {
            condition: words.clone().any(|word| CONDITIONS.contains(&word)),
            calculation: has(&CALCULATIONS) || has(&COMPARISONS),
            error_handling: words.clone().any(is_error) || has(&["?;", "?.", "?)", "?,"]),
            constant: words.any(is_constant),
            code: is_code,
            comment: false,
        }
    }

    fn weight(self) -> usize {
        let part = |holds: bool, weight: usize| if holds { weight } else { 0 };
        LINE + part(self.code, CODE)
            + part(self.condition, CONDITION)
            + part(self.calculation, CALCULATION)
            + part(self.error_handling, ERROR_HANDLING)
            + part(self.constant, CONSTANT)
    }
}

/// Returns true for a number, and for a name of a truth value.
fn is_constant(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        || word.eq_ignore_ascii_case("true")
        || word.eq_ignore_ascii_case("false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_judged_by_their_signs_and_words() {
        let check = |line: &str, expected: &str| {
            let LineTraits {
                condition,
                calculation,
                error_handling,
                constant,
                code,
                comment,
            } = LineTraits::of(line, false);
            let all = [
                (condition, 'c'),
                (calculation, 'k'),
                (error_handling, 'e'),
                (constant, '1'),
                (code, '.'),
                (comment, '#'),
            ];
            let found: String = all
                .into_iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, sign)| sign)
                .collect();
            assert_eq!(found, expected, "{line:?}");
        };
        check("    if a && b {", "ck.");
        check("let x = read()?;", "e.");
        check("return Err(x);", "ce.");
        check("total = price * count", "k.");
        check("let name = name.to_owned();", ".");
        check("limit: 30,", "1.");
        check("quiet = True", "1.");
        check("}", "");
        check("// if a == b", "#");
        check("# a comment", "#");
        check("#[derive(Debug)]", "");
        check("use std::error::Error;", "");
        check("", "");
        check("notify(&iffy, \"format\")", ".");
    }
}
