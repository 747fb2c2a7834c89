//! The report for people: a line a hunk, and under each that did not apply what stands in its way and what to do.

use std::fmt;

use rustc_hash::FxHashMap;

use super::report::{FileReport, ProblemReport, Report, Status};
use super::report_hunk::HunkReport;
use super::report_parts::{LineCommentReport, PartReport};
use super::status::HunkStatus;
use crate::dialect;
use crate::locate::{Differs, Nearest, Place, Rung};
use crate::text::{counted, seen_name};

/// The most places and differing lines that are listed for one hunk.
const MOST_LISTED: usize = 8;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.files.iter().map(|file| (file.path.as_str(), file));
        let files: FxHashMap<&str, &FileReport> = files.collect();
        for hunk in &self.hunks {
            write_hunk(f, hunk, files.get(hunk.path.as_str()).copied())?;
        }
        for file in self.files.iter().filter(|file| !file.comments.is_empty()) {
            writeln!(f, "{}", file.path)?;
            (file.comments.iter()).try_for_each(|said| write_line_comment(f, said))?;
        }
        for problem in &self.problems {
            write_problem(f, problem)?;
        }
        self.warnings
            .iter()
            .try_for_each(|warning| writeln!(f, "warning: {warning}"))?;
        writeln!(f, "{}", self.summary())?;
        let is_told = |error: &String| {
            self.hunks
                .iter()
                .any(|hunk| hunk.reason.as_ref() == Some(error))
        };
        self.error
            .iter()
            .filter(|error| !is_told(error))
            .try_for_each(|error| writeln!(f, "{error}"))
    }
}

impl Report {
    /// The batch in one sentence.
    pub fn summary(&self) -> String {
        let count = |test: fn(HunkStatus) -> bool| {
            self.hunks.iter().filter(|hunk| test(hunk.status)).count()
        };
        let applied =
            count(|status| matches!(status, HunkStatus::Applied | HunkStatus::AppliedWithEdits));
        let already = count(|status| status == HunkStatus::AlreadyApplied);
        let left = count(|status| !status.is_done()) + self.problems.len();
        let files = self.files.iter().filter(|file| file.written).count();
        let stood = count(|status| {
            matches!(
                status,
                HunkStatus::Kept
                    | HunkStatus::KeptWithEdits
                    | HunkStatus::Undecided
                    | HunkStatus::Reverted
                    | HunkStatus::LeftAlone
            )
        });
        match self.status {
            Status::Applied if stood > 0 => self.standing(),
            Status::Applied if self.written => format!(
                "applied: {} written in {}",
                counted(applied, "hunk"),
                counted(files, "file")
            ),
            Status::Applied => format!(
                "would apply: {}; nothing is written",
                counted(applied, "hunk")
            ),
            Status::AlreadyApplied => format!(
                "already applied: {} there already; nothing is written",
                counted(already, "hunk")
            ),
            Status::Partial if self.written => {
                format!(
                    "partial: {} written in {}, {left} not",
                    counted(applied, "hunk"),
                    counted(files, "file")
                )
            }
            Status::Partial => format!(
                "would apply in part: {}, and {left} not; nothing is written",
                counted(applied, "hunk")
            ),
            Status::Refused if stood > 0 => format!(
                "kept for later: {} not decided yet; nothing is written",
                counted(stood, "hunk")
            ),
            Status::Refused => format!(
                "refused: {left} of {} not applied; nothing is written",
                counted(self.hunks.len() + self.problems.len(), "hunk")
            ),
            Status::Failed if self.stuck.is_empty() => "failed: nothing is written".to_owned(),
            Status::Failed => format!(
                "failed: {} not put back yet",
                counted(self.stuck.len(), "file")
            ),
        }
    }

    /// What became of what stood there already, in one sentence.
    fn standing(&self) -> String {
        let count = |wanted: HunkStatus| {
            let found = self.hunks.iter().filter(|hunk| hunk.status == wanted);
            found.count()
        };
        let [kept, reverted, edited, undecided, left] = [
            HunkStatus::Kept,
            HunkStatus::Reverted,
            HunkStatus::KeptWithEdits,
            HunkStatus::Undecided,
            HunkStatus::LeftAlone,
        ]
        .map(count);
        let said = [
            (kept, "kept"),
            (reverted, "taken back"),
            (edited, "kept in part or as you edited them"),
            (undecided, "undecided: they stay as they are"),
            (left, "left alone"),
        ];
        let said = said.into_iter().filter(|(count, _)| *count > 0);
        let said: Vec<String> = said
            .map(|(count, what)| format!("{} {what}", counted(count, "hunk")))
            .collect();
        said.join(", ")
    }
}

fn write_hunk(
    f: &mut fmt::Formatter<'_>,
    hunk: &HunkReport,
    file: Option<&FileReport>,
) -> fmt::Result {
    let line = hunk.line.map(|line| format!(":{line}")).unwrap_or_default();
    write!(
        f,
        "{:<15} {}{line}  hunk {}",
        hunk.status.name(),
        seen_name(&hunk.path),
        hunk.hunk
    )?;
    let mut facts: Vec<String> = Vec::new();
    if let Some(file) = file.filter(|file| file.kind != "modify") {
        facts.push(match (&file.rename, &file.source) {
            (Some(to), _) => format!("rename to {}", seen_name(to)),
            (None, Some(from)) => format!("copy of {}", seen_name(from)),
            (None, None) => file.kind.to_owned(),
        });
    }
    facts.extend(
        hunk.rung
            .filter(|rung| *rung != Rung::Exact)
            .map(|rung| rung.to_string()),
    );
    facts.extend(
        hunk.offset
            .filter(|offset| *offset != 0)
            .map(|offset| format!("{offset:+} lines")),
    );
    facts.extend(hunk.chosen.map(|chosen| chosen.words().to_owned()));
    if !facts.is_empty() {
        write!(f, " ({})", facts.join(", "))?;
    }
    writeln!(f)?;
    if let Some(reason) = &hunk.reason {
        // What stands already has no input.
        if dialect::named(hunk.dialect).is_some() {
            writeln!(f, "    input line {}: {reason}", hunk.input.first)?;
        } else {
            writeln!(f, "    {reason}")?;
        }
    }
    (hunk.notes.iter()).try_for_each(|note| writeln!(f, "    note: {note}"))?;
    hunk.places
        .iter()
        .take(MOST_LISTED)
        .try_for_each(|place| write_place(f, place))?;
    if let Some(nearest) = hunk.nearest.first() {
        write_nearest(f, nearest)?;
    }
    if let Some(edits) = &hunk.edits {
        edits
            .lines()
            .try_for_each(|line| writeln!(f, "    {line}"))?;
    }
    hunk.comment
        .iter()
        .try_for_each(|comment| writeln!(f, "    comment: {comment}"))?;
    hunk.comments
        .iter()
        .try_for_each(|said| write_line_comment(f, said))?;
    let mut parts = hunk.parts.iter().enumerate();
    parts.try_for_each(|(i, part)| write_part(f, i + 1, part))?;
    hunk.advice
        .iter()
        .try_for_each(|advice| writeln!(f, "    to do: {advice}"))
}

fn write_line_comment(f: &mut fmt::Formatter<'_>, said: &LineCommentReport) -> fmt::Result {
    writeln!(f, "    comment on {}: {}", said.which(), said.text)?;
    let mut listed = said.quoted.iter().take(MOST_LISTED);
    listed.try_for_each(|line| writeln!(f, "      {line}"))
}

fn write_part(f: &mut fmt::Formatter<'_>, number: usize, part: &PartReport) -> fmt::Result {
    let line = part.line.map(|line| format!(" at line {line}"));
    let status = part.status.name();
    writeln!(f, "    part {number}{}: {status}", line.unwrap_or_default())?;
    part.comment
        .iter()
        .filter(|_| number > 1)
        .try_for_each(|comment| writeln!(f, "      comment: {comment}"))
}

pub(super) fn write_place(f: &mut fmt::Formatter<'_>, place: &Place) -> fmt::Result {
    match &place.scope {
        Some(scope) => writeln!(f, "      line {} in `{scope}`", place.line),
        None => writeln!(f, "      line {}", place.line),
    }
}

pub(super) fn write_nearest(f: &mut fmt::Formatter<'_>, nearest: &Nearest) -> fmt::Result {
    let Nearest {
        line,
        last,
        similarity,
        differs,
    } = nearest;
    writeln!(
        f,
        "    nearest: lines {line} to {last}, {:.0} % alike",
        (similarity * 100.0).floor()
    )?;
    for Differs {
        line,
        found,
        expected,
    } in differs.iter().take(MOST_LISTED)
    {
        if let (Some(line), Some(found)) = (line, found) {
            writeln!(f, "      {line:>6} the file has {found}")?;
        }
        if let Some(expected) = expected {
            writeln!(f, "      {:>6} the edit has {expected}", "")?;
        }
    }
    if differs.len() > MOST_LISTED {
        writeln!(f, "      and {} more", differs.len() - MOST_LISTED)?;
    }
    Ok(())
}

fn write_problem(f: &mut fmt::Formatter<'_>, problem: &ProblemReport) -> fmt::Result {
    let path = seen_name(problem.path.as_deref().unwrap_or("the input"));
    writeln!(
        f,
        "{:<15} {path}  ({})",
        HunkStatus::Malformed.name(),
        problem.dialect
    )?;
    writeln!(f, "    input {}", problem.message)
}
