//! The report for people: one line per hunk, and under each that did not apply the reason and what to do.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::{FileReport, ProblemReport, Report, Status};
use super::hunk::HunkReport;
use super::parts::{LineCommentReport, PartReport};
use crate::dialect;
use crate::locate::{Differs, Nearest, Place, Rung};
use crate::review::session::decision::Mark;
use crate::review::session::hunk::ByPolicy;
use crate::review::status::HunkStatus;
use crate::review::wording::nearest_words;
use crate::text::{plural, sanitize_name};

/// The most places and differing lines that are listed for one hunk.
const MOST_LISTED: usize = 8;

/// Level of detail of a text report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The outcome of every hunk; hunks that only other hunks of the batch keep from being written share one line.
    Outcome,
    /// The confidence of every placement too, with one line for each hunk.
    Confidence,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_text(f, Detail::Outcome)
    }
}

impl Report {
    /// Returns the report for people.
    pub fn text(&self, detail: Detail) -> String {
        struct Text<'a>(&'a Report, Detail);
        impl fmt::Display for Text<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write_text(f, self.1)
            }
        }
        Text(self, detail).to_string()
    }

    /// Writes the hunks, those first that keep others from being written, and then all that concerns the whole batch.
    fn write_text(&self, f: &mut fmt::Formatter<'_>, detail: Detail) -> fmt::Result {
        let files = self.files.iter().map(|file| (file.path.as_str(), file));
        let files: FxHashMap<&str, &FileReport> = files.collect();
        if detail == Detail::Confidence {
            (self.readings.iter()).try_for_each(|reading| writeln!(f, "{reading}"))?;
        }
        let (held_back, own): (Vec<&HunkReport>, Vec<&HunkReport>) =
            self.hunks.iter().partition(|hunk| is_held_back(hunk));
        for hunk in own {
            write_hunk(f, hunk, files.get(hunk.path.as_str()).copied(), detail)?;
        }
        for file in self.files.iter().filter(|file| file.is_commented()) {
            writeln!(f, "{}", file.path)?;
            write_comment(f, file.comment.as_deref())?;
            (file.comments.iter()).try_for_each(|said| write_line_comment(f, said))?;
        }
        for problem in &self.problems {
            write_problem(f, problem)?;
        }
        if detail == Detail::Confidence {
            for hunk in &held_back {
                write_head(f, hunk, files.get(hunk.path.as_str()).copied(), detail)?;
            }
        }
        write_held_back(f, &held_back)?;
        self.warnings
            .iter()
            .try_for_each(|warning| writeln!(f, "warning: {warning}"))?;
        for thread in &self.threads {
            writeln!(f, "thread {thread}: {}", thread.latest())?;
        }
        if let Some(comment) = &self.comment {
            writeln!(f, "comment on all of it: {comment}")?;
        }
        writeln!(f, "{}", self.summary())?;
        if let Some(seen) = self.seen.filter(|seen| seen.missed() > 0) {
            let of = plural(seen.of, "changed line");
            writeln!(f, "shown on the screen: {} of {of}", seen.lines)?;
        }
        match &self.error {
            Some(error) if !(self.hunks.iter()).any(|hunk| hunk.reason.as_ref() == Some(error)) => {
                writeln!(f, "{error}")
            }
            Some(_) | None => Ok(()),
        }
    }

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
        let open = count(|status| status == HunkStatus::Undecided);
        match self.status {
            Status::Applied if stood > 0 => self.standing(),
            Status::Applied if self.written => format!(
                "applied: {} written in {}",
                plural(applied, "hunk"),
                plural(files, "file")
            ),
            Status::Applied => format!(
                "would apply: {}; nothing is written",
                plural(applied, "hunk")
            ),
            Status::AlreadyApplied => format!(
                "already applied: {} there already; nothing is written",
                plural(already, "hunk")
            ),
            Status::Partial if self.written => {
                format!(
                    "partial: {} written in {}, {left} not",
                    plural(applied, "hunk"),
                    plural(files, "file")
                )
            }
            Status::Partial => format!(
                "would apply in part: {}, and {left} not; nothing is written",
                plural(applied, "hunk")
            ),
            Status::Refused if open > 0 => self.kept(),
            Status::Refused => format!(
                "refused: {left} of {} not applied; nothing is written",
                plural(self.hunks.len() + self.problems.len(), "hunk")
            ),
            Status::Failed if self.stuck.is_empty() => "failed: nothing is written".to_owned(),
            Status::Failed => format!(
                "failed: {} not put back yet",
                plural(self.stuck.len(), "file")
            ),
        }
    }

    /// Summarizes a review that is kept for later.
    fn kept(&self) -> String {
        let open = self
            .hunks
            .iter()
            .filter(|hunk| hunk.status == HunkStatus::Undecided);
        let count = |wanted| open.clone().filter(|hunk| hunk.kept == wanted).count();
        let counts = [
            (count(Some(Mark::Accepted)), "accepted"),
            (count(Some(Mark::Mixed)), "decided in part"),
            (count(Some(Mark::Rejected)), "rejected"),
            (
                count(Some(Mark::Undecided)) + count(None),
                "not decided yet",
            ),
        ];
        let there = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = there
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        format!("kept for later: {}; nothing is written", words.join(", "))
    }

    /// Summarizes a review of changes that were in the tree already.
    fn standing(&self) -> String {
        let counts = [
            HunkStatus::Kept,
            HunkStatus::Reverted,
            HunkStatus::KeptWithEdits,
            HunkStatus::Undecided,
            HunkStatus::LeftAlone,
        ]
        .map(|wanted| {
            let found = self.hunks.iter().filter(|hunk| hunk.status == wanted);
            (found.count(), wanted)
        });
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counts
            .map(|(count, status)| format!("{} {}", plural(count, "hunk"), status.words()))
            .collect();
        words.join(", ")
    }
}

/// Returns true if nothing is to be said of a hunk but that another one keeps it from being written.
fn is_held_back(hunk: &HunkReport) -> bool {
    hunk.held_back && hunk.comment.is_none() && hunk.comments.is_empty() && hunk.parts.is_empty()
}

/// Writes one line for all hunks that only others keep from being written.
fn write_held_back(f: &mut fmt::Formatter<'_>, hunks: &[&HunkReport]) -> fmt::Result {
    let Some(first) = hunks.first() else {
        return Ok(());
    };
    let files: FxHashSet<&str> = hunks.iter().map(|hunk| hunk.path.as_str()).collect();
    let files = match files.len() {
        1 => sanitize_name(&first.path).into_owned(),
        more => plural(more, "file"),
    };
    writeln!(
        f,
        "not written     {} in {files}: {}",
        plural(hunks.len(), "other hunk"),
        first.reason.as_deref().unwrap_or_default()
    )
}

fn write_hunk(
    f: &mut fmt::Formatter<'_>,
    hunk: &HunkReport,
    file: Option<&FileReport>,
    detail: Detail,
) -> fmt::Result {
    write_head(f, hunk, file, detail)?;
    write_reason(f, hunk)
}

/// Writes the first line of a hunk: its outcome, its place, and how it was placed.
fn write_head(
    f: &mut fmt::Formatter<'_>,
    hunk: &HunkReport,
    file: Option<&FileReport>,
    detail: Detail,
) -> fmt::Result {
    let line = hunk.line.map(|line| format!(":{line}")).unwrap_or_default();
    write!(
        f,
        "{:<15} {}{line}  hunk {}",
        match hunk.kept {
            Some(Mark::Accepted) => "accepted",
            Some(Mark::Rejected) => "rejected",
            Some(Mark::Mixed) => "in part",
            Some(Mark::Undecided) | None => hunk.status.name(),
        },
        sanitize_name(&hunk.path),
        hunk.hunk
    )?;
    let mut facts: Vec<String> = Vec::new();
    if let Some(file) = file.filter(|file| file.kind != "modify") {
        let is_applied = matches!(
            hunk.status,
            HunkStatus::Applied | HunkStatus::AppliedWithEdits
        );
        facts.push(match (&file.rename, &file.source) {
            (Some(_), _) if is_applied && !file.is_renamed => "not renamed".to_owned(),
            (Some(to), _) => format!("rename to {}", sanitize_name(to)),
            (None, Some(from)) => format!("copy of {}", sanitize_name(from)),
            (None, None) => file.kind.to_owned(),
        });
    }
    if detail == Detail::Confidence {
        facts.extend(hunk.confidence.map(|confidence| confidence.to_string()));
    }
    facts.extend(
        hunk.rung
            .filter(|rung| *rung != Rung::Exact)
            .map(|rung| rung.words().to_owned()),
    );
    facts.extend(
        hunk.offset
            .filter(|offset| *offset != 0)
            .map(|offset| format!("{offset:+} lines")),
    );
    facts.extend(match &hunk.written_against {
        Some(version) => Some(format!("written against {version}")),
        None => hunk.chosen.map(|chosen| chosen.words().to_owned()),
    });
    if !facts.is_empty() {
        write!(f, " ({})", facts.join(", "))?;
    }
    writeln!(f)
}

/// Writes what keeps a hunk from being written, and what to do about it.
fn write_reason(f: &mut fmt::Formatter<'_>, hunk: &HunkReport) -> fmt::Result {
    if let Some(reason) = &hunk.reason {
        // Edits that were written before the review have no input.
        if dialect::named(hunk.dialect).is_some() {
            writeln!(f, "    line {} of the input: {reason}", hunk.input.first)?;
        } else {
            writeln!(f, "    {reason}")?;
        }
    }
    if let Some(ByPolicy { rule, proof }) = &hunk.decided_by {
        writeln!(f, "    accepted by policy, {rule}: {proof}")?;
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
    write_comment(f, hunk.comment.as_deref())?;
    hunk.comments
        .iter()
        .try_for_each(|said| write_line_comment(f, said))?;
    let mut parts = hunk.parts.iter().enumerate();
    parts.try_for_each(|(i, part)| write_part(f, i + 1, part))?;
    hunk.advice
        .iter()
        .try_for_each(|advice| writeln!(f, "    to do: {advice}"))
}

/// Writes the comment on a hunk or a file, if there is one.
fn write_comment(f: &mut fmt::Formatter<'_>, comment: Option<&str>) -> fmt::Result {
    comment.map_or(Ok(()), |comment| writeln!(f, "    comment: {comment}"))
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

pub(in crate::review) fn write_place(f: &mut fmt::Formatter<'_>, place: &Place) -> fmt::Result {
    match &place.scope {
        Some(scope) => writeln!(f, "      line {} in `{scope}`", place.line),
        None => writeln!(f, "      line {}", place.line),
    }
}

pub(in crate::review) fn write_nearest(
    f: &mut fmt::Formatter<'_>,
    nearest: &Nearest,
) -> fmt::Result {
    let differs = &nearest.differs;
    writeln!(f, "    {}", nearest_words(nearest))?;
    for Differs {
        line,
        found,
        expected,
    } in differs.iter().take(MOST_LISTED)
    {
        if let (Some(line), Some(found)) = (line, found) {
            writeln!(f, "      {line:>6} in the file: {found}")?;
        }
        if let Some(expected) = expected {
            writeln!(f, "      {:>6} in the edit: {expected}", "")?;
        }
    }
    if differs.len() > MOST_LISTED {
        writeln!(f, "      and {} more", differs.len() - MOST_LISTED)?;
    }
    Ok(())
}

fn write_problem(f: &mut fmt::Formatter<'_>, problem: &ProblemReport) -> fmt::Result {
    let path = sanitize_name(problem.path.as_deref().unwrap_or("the input"));
    writeln!(
        f,
        "{:<15} {path}  ({})",
        HunkStatus::Malformed.name(),
        problem.dialect
    )?;
    writeln!(f, "    {}", problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::InputSpan;

    fn hunk(status: HunkStatus) -> HunkReport {
        HunkReport {
            path: "a.txt".to_owned(),
            hunk: 1,
            dialect: "run",
            input: InputSpan::of(0..1),
            status,
            line: None,
            rung: None,
            confidence: None,
            offset: None,
            chosen: None,
            written_against: None,
            reason: None,
            held_back: false,
            announcement: None,
            rejected_before: None,
            decided_by: None,
            not_removed: None,
            notes: Vec::new(),
            advice: None,
            places: Vec::new(),
            nearest: Vec::new(),
            kept: None,
            edits: None,
            comment: None,
            comments: Vec::new(),
            parts: Vec::new(),
        }
    }

    #[test]
    fn only_a_review_with_open_hunks_is_kept_for_later() {
        let check = |statuses: &[HunkStatus], expected: &str| {
            let mut report = Report::without_hunks(Status::Refused, None);
            report.hunks = statuses.iter().copied().map(hunk).collect();
            assert_eq!(report.summary(), expected);
        };
        check(
            &[HunkStatus::Undecided, HunkStatus::LeftAlone],
            "kept for later: 1 not decided yet; nothing is written",
        );
        check(
            &[HunkStatus::LeftAlone],
            "refused: 1 of 1 hunk not applied; nothing is written",
        );
    }

    #[test]
    fn comments_on_a_file_and_on_the_batch_are_shown() {
        let file = |path: &str, comment: Option<&str>| FileReport {
            path: path.to_owned(),
            kind: "modify",
            rename: None,
            is_renamed: false,
            source: None,
            written: false,
            before: None,
            after: None,
            protected: None,
            refusal: None,
            comment: comment.map(str::to_owned),
            comments: Vec::new(),
        };
        let mut report = Report::without_hunks(Status::Refused, None);
        report.files = vec![file("a.rs", Some("too long")), file("b.rs", None)];
        report.comment = Some("well done".to_owned());
        let text = report.to_string();
        assert!(text.starts_with("a.rs\n    comment: too long\n"), "{text}");
        assert!(text.contains("comment on all of it: well done\n"), "{text}");
        assert!(!text.contains("b.rs"), "{text}");
    }
}
