//! The report for a model: what was written, what the person changed, what did not apply and why, and what to send
//! again.
//!
//! It is short, because it is paid for by the word, and it never holds a whole file.

use std::collections::BTreeSet;
use std::fmt;

use super::batch::{Report, Status};
use super::hunk::HunkReport;
use super::parts::LineCommentReport;
use super::retry::{write_lines_now, write_next};
use super::text::{write_nearest, write_place};
use crate::locate::Chosen;
use crate::proposal::VersionName;
use crate::review::session::placed_thread::ThreadState;
use crate::review::session::review_session::ReviewSession;
use crate::review::status::HunkStatus;
use crate::review::threads::ThreadReport;
use crate::text::plural;

/// The most lines of one diff.
const MOST_DIFF: usize = 60;
/// The most places that are listed for one hunk.
const MOST_PLACES: usize = 5;

/// A report in words for a model.
#[derive(Debug, Clone, Copy)]
pub struct ForAgent<'a> {
    /// The outcome of the proposal.
    pub report: &'a Report,
    /// The party that writes the approved changes.
    pub voice: Voice,
    /// The files in which the same agent's edit failed the last time too, and the proposal as it was placed in them now.
    pub failed_again: Option<(&'a BTreeSet<String>, &'a ReviewSession)>,
}

/// The party that writes the approved changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// It was written, if writing went well.
    Written,
    /// Nothing: it is only said what would be.
    Would,
    /// The agent is to write it.
    Approved,
}

impl Voice {
    /// Returns the outcome of a hunk in one word or two.
    fn applied(self) -> &'static str {
        match self {
            Self::Written => "applied",
            Self::Would => "would apply",
            Self::Approved => "approved",
        }
    }
}

impl<'a> ForAgent<'a> {
    /// A report, of which nothing is known to have failed before.
    pub fn new(report: &'a Report, voice: Voice) -> Self {
        Self {
            report,
            voice,
            failed_again: None,
        }
    }
}

impl fmt::Display for ForAgent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline())?;
        if let Some(comment) = &self.report.comment {
            writeln!(f, "The reviewer says: {comment}")?;
        }
        let of_path = self.report.hunks_by_path();
        for (file, report) in self.report.files.iter().enumerate() {
            let hunks = of_path.get(report.path.as_str());
            let hunks = hunks.map_or(&[][..], Vec::as_slice);
            let telling = report.is_commented() || hunks.iter().any(|hunk| is_telling(hunk));
            if telling || self.report.files.len() > 1 {
                self.file(f, file, hunks)?;
            }
        }
        for problem in &self.report.problems {
            writeln!(f, "Not understood: {}", problem.message)?;
        }
        for warning in &self.report.warnings {
            writeln!(f, "Note: {warning}")?;
        }
        write_next(f, self.report)?;
        WaitingThreads(&self.report.threads).fmt(f)
    }
}

/// The threads that wait for an answer of the agent, with the way to answer them.
#[derive(Debug, Clone, Copy)]
pub struct WaitingThreads<'a>(pub &'a [ThreadReport]);

impl fmt::Display for WaitingThreads<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = || (self.0.iter()).filter(|thread| thread.state == ThreadState::Open);
        let Some(first) = open().next() else {
            return Ok(());
        };
        writeln!(f, "Threads that wait for your answer:")?;
        for thread in open() {
            let text = thread.latest_of_person();
            writeln!(f, "  {thread}: {text}")?;
        }
        let id = &first.id;
        writeln!(
            f,
            "Answer with the tool `reply`, with a line `Thread {id}: your answer` in the text of your next edit or your last message, or by `countersign threads reply {id} 'your answer' --as NAME`."
        )
    }
}

/// Writes a comment and the lines that it is about.
fn write_line_comment(
    f: &mut fmt::Formatter<'_>,
    said: &LineCommentReport,
    indent: &str,
) -> fmt::Result {
    writeln!(
        f,
        "{indent}the reviewer says of {}: {}",
        said.which(),
        said.text
    )?;
    let mut quoted = said.quoted.iter().take(MOST_PLACES);
    quoted.try_for_each(|line| writeln!(f, "{indent}  {line}"))
}

/// Returns true if the hunk was in the file before it was reviewed.
fn was_written_before(status: HunkStatus) -> bool {
    matches!(
        status,
        HunkStatus::Kept | HunkStatus::KeptWithEdits | HunkStatus::Reverted
    )
}

/// Returns true if there is more to report of a hunk than that it is in the file.
fn is_telling(hunk: &HunkReport) -> bool {
    !matches!(
        hunk.status,
        HunkStatus::Applied | HunkStatus::AlreadyApplied | HunkStatus::Kept
    ) || hunk.comment.is_some()
        || !hunk.comments.is_empty()
        || hunk.written_against.is_some()
        || matches!(hunk.chosen, Some(Chosen::Hand | Chosen::Model))
}

impl ForAgent<'_> {
    fn headline(&self) -> String {
        let report = self.report;
        let all = report.hunks.len() + report.problems.len();
        let done = (report.hunks.iter())
            .filter(|hunk| hunk.status.is_done())
            .count();
        let edited = |hunk: &HunkReport| hunk.status == HunkStatus::AppliedWithEdits;
        let changed = report.hunks.iter().any(edited);
        let applied = self.voice.applied();
        if report
            .hunks
            .iter()
            .any(|hunk| was_written_before(hunk.status))
        {
            let gone = |hunk: &&HunkReport| hunk.status == HunkStatus::Reverted;
            let gone = report.hunks.iter().filter(gone).count();
            let kept = report.hunks.len() - gone;
            return format!(
                "{} written before the review: {kept} kept, {gone} reverted.",
                plural(all, "hunk")
            );
        }
        match report.status {
            Status::Applied if changed => {
                format!("{}, with changes by the reviewer.", capital(applied))
            }
            Status::Applied => format!("{} as sent: {}.", capital(applied), plural(done, "hunk")),
            Status::AlreadyApplied => {
                "Already applied: the files are as asked; there is nothing to send.".to_owned()
            }
            Status::Partial => format!("{} in part: {done} of {all}.", capital(applied)),
            Status::Refused => match &report.error {
                Some(error) => format!("Nothing was applied: {error}"),
                None => format!("Nothing was applied of {}.", plural(all, "hunk")),
            },
            Status::Failed => format!(
                "Nothing was applied, writing failed: {}",
                report.error.as_deref().unwrap_or("no reason is known")
            ),
        }
    }

    fn file(&self, f: &mut fmt::Formatter<'_>, file: usize, hunks: &[&HunkReport]) -> fmt::Result {
        let report = &self.report.files[file];
        match &report.rename {
            Some(to) => writeln!(f, "{} -> {to}", report.path)?,
            None => writeln!(f, "{}", report.path)?,
        }
        if let Some(comment) = &report.comment {
            writeln!(f, "  the reviewer says: {comment}")?;
        }
        (report.comments.iter()).try_for_each(|said| write_line_comment(f, said, "  "))?;
        for (status, word) in [
            (HunkStatus::Applied, self.voice.applied()),
            (
                HunkStatus::AlreadyApplied,
                HunkStatus::AlreadyApplied.words(),
            ),
            (HunkStatus::Kept, HunkStatus::Kept.words()),
        ] {
            let plain = hunks.iter().filter(|hunk| hunk.status == status);
            let numbers: Vec<String> = plain.map(|hunk| hunk.hunk.to_string()).collect();
            if !numbers.is_empty() {
                writeln!(f, "  hunk {}: {word}", numbers.join(", "))?;
            }
        }
        hunks
            .iter()
            .filter(|hunk| is_telling(hunk))
            .try_for_each(|hunk| self.hunk(f, hunk))?;
        let failed = hunks.iter().find(|hunk| hunk.status.is_to_be_sent_again());
        if let (Some(failed), Some((again, session))) = (failed, self.failed_again)
            && again.contains(&report.path)
            && let Some(review) = session.files.get(file)
        {
            write_lines_now(f, &review.base, failed)?;
        }
        Ok(())
    }

    fn hunk(&self, f: &mut fmt::Formatter<'_>, hunk: &HunkReport) -> fmt::Result {
        let line = (hunk.line).map_or_else(
            || format!("line {} of the input", hunk.input.first),
            |line| format!("line {line}"),
        );
        let at = format!("  hunk {} ({line})", hunk.hunk);
        match hunk.status {
            HunkStatus::Applied
            | HunkStatus::Kept
            | HunkStatus::LeftAlone
            | HunkStatus::AlreadyApplied => (),
            HunkStatus::Undecided => {
                if let Some(why) = &hunk.reason {
                    writeln!(f, "{at}: not decided yet: {why}")?;
                }
            }
            HunkStatus::AppliedWithEdits | HunkStatus::KeptWithEdits => {
                let applied = if was_written_before(hunk.status) {
                    HunkStatus::Kept.words()
                } else {
                    self.voice.applied()
                };
                writeln!(
                    f,
                    "{at}: {applied} as the reviewer changed it; do not change it back:"
                )?;
                write_edits(f, hunk.edits.as_deref().unwrap_or_default())?;
            }
            HunkStatus::Reverted | HunkStatus::Rejected => {
                let words = hunk.status.words();
                match &hunk.reason {
                    Some(reason) => writeln!(f, "{at}: {words}: {reason}")?,
                    None => writeln!(f, "{at}: {words} by the reviewer")?,
                }
            }
            HunkStatus::Doubtful
            | HunkStatus::Ambiguous
            | HunkStatus::NotFound
            | HunkStatus::Overlap
            | HunkStatus::Malformed
            | HunkStatus::Forbidden
            | HunkStatus::Conflict
            | HunkStatus::Failed => {
                let reason = hunk.reason.as_deref().unwrap_or(hunk.status.name());
                writeln!(f, "{at}: not applied: {reason}")?;
                let mut places = hunk.places.iter().take(MOST_PLACES);
                places.try_for_each(|place| write_place(f, place))?;
                if let Some(nearest) = hunk.nearest.first() {
                    write_nearest(f, nearest)?;
                }
            }
        }
        match hunk.chosen.filter(|_| hunk.status.is_done()) {
            Some(Chosen::Hand) => {
                let stays = hunk.not_removed.iter().map(|words| format!(": {words}"));
                let stays: String = stays.collect();
                writeln!(f, "{at}: the reviewer said where it goes{stays}")?;
            }
            Some(Chosen::Model) => writeln!(
                f,
                "{at}: an apply model wrote it into the file as it is now, for your lines had no place: read it before you go on"
            )?,
            Some(
                Chosen::Order
                | Chosen::Anchor
                | Chosen::End
                | Chosen::Hint
                | Chosen::Hash
                | Chosen::Version,
            )
            | None => (),
        }
        if let Some(version) = (hunk.written_against.as_ref()).filter(|_| hunk.status.is_done()) {
            let since = if *version == VersionName::Arrival {
                "your edit came".to_owned()
            } else {
                format!("you read it ({version})")
            };
            writeln!(
                f,
                "{at}: the file has changed since {since}, and your edit was merged into it: read it again before you go on"
            )?;
        }
        if let Some(comment) = &hunk.comment {
            writeln!(f, "    the reviewer says: {comment}")?;
        }
        (hunk.comments.iter()).try_for_each(|said| write_line_comment(f, said, "    "))
    }
}

/// Writes the reviewer's changes as lines of a diff.
fn write_edits(f: &mut fmt::Formatter<'_>, edits: &str) -> fmt::Result {
    let lines = edits.lines().filter(|line| !line.starts_with("@@"));
    for line in lines.clone().take(MOST_DIFF) {
        writeln!(f, "    {line}")?;
    }
    let more = lines.count().saturating_sub(MOST_DIFF);
    if more > 0 {
        writeln!(f, "    ({more} more lines: read the file)")?;
    }
    Ok(())
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
