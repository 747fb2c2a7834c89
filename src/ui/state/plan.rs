//! The plan as lines: what would be written, what stays open, the message to the agent, the check result.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::app::App;
use super::check_output::changed_lines;
use super::reader::{Plan, PlanKind, PlanLine};
use crate::review::{
    Concern, ConcernedPart, Decision, FileProspect, ForAgent, HunkId, Mark, Prospect, Report,
    ReviewSession, Stance, Voice, Writing, mentioned, not_removed_words,
};
use crate::text::{LineNo, plural, sanitize_name};
use crate::ui::command::{Command, ReaderPage};
use crate::ui::keymap::KeyContext;
use crate::ui::services::check::{Breaking, CheckEnd, CheckState, CheckTask, Checking, Undecided};

/// The most files, or hunks of a kind, that are listed.
const MOST_LISTED: usize = 200;
/// The most undecided hunks of one file that are listed.
const MOST_IN_FILE: usize = 8;

/// Writes the plan of what is reviewed.
pub(crate) fn plan(app: &App) -> Plan {
    let session = &app.session;
    let prospect = session.prospect();
    let mut lines = PlanText { all: alarm(app) };
    // With the blank line in front of the next heading.
    let alarm = match lines.all.len() {
        0 => 0,
        lines => lines + 1,
    };
    lines.files(session, &prospect, app.display.signs.minus);
    let above = lines.all.len();
    lines.all.append(&mut check(app));
    let check = above..lines.all.len();
    lines.attention(session);
    lines.undecided(session, &prospect);
    if let Some(words) = app.summaries.missing_words() {
        lines.push(PlanKind::Plain, String::new());
        lines.push(PlanKind::Attention, words);
    }
    // Edits that are written already have no agent that waits for an answer.
    let is_proposed = session.stance() == Stance::Proposed;
    if is_proposed {
        lines.intent(app);
    }
    if is_proposed {
        lines.agent_report(app);
    }
    let lines = lines.all;
    let mut plan = Plan {
        lines,
        alarm,
        check,
        rows: Vec::new(),
    };
    plan.lay_out(usize::MAX);
    plan
}

/// Returns a thing that needs attention, with the reason.
fn concern_words(session: &ReviewSession, part: ConcernedPart, concern: Concern) -> String {
    match part {
        ConcernedPart::Hunk(id) => {
            let file = &session.files[id.file];
            let hunk = file.number_of(id.hunk).0;
            let words = match file.overlapped(id.hunk) {
                Some(other) => format!("overlaps hunk {}", file.number_of(other).0),
                None => concern.words().to_owned(),
            };
            let path = sanitize_name(&file.path);
            format!("  {path}  hunk {hunk}: {words}")
        }
        ConcernedPart::File(file) => {
            let path = sanitize_name(&session.files[file].path);
            format!("  {path}: {}", concern.words())
        }
        ConcernedPart::Problem(problem) => format!("  {}", session.problems[problem]),
    }
}

/// The part of the plan that says what would be written.
pub(crate) fn written(session: &ReviewSession) -> Vec<PlanLine> {
    let mut lines = PlanText::default();
    lines.files(session, &session.prospect(), "-");
    lines.all
}

/// Replaces the lines of the check in a plan, without computing the rest again.
pub(crate) fn renew_check(plan: &mut Plan, app: &App) {
    let lines = check(app);
    let end = plan.check.start + lines.len();
    plan.lines.splice(plan.check.clone(), lines);
    let mut lines = alarm(app);
    if !lines.is_empty() {
        let (text, kind) = (String::new(), PlanKind::Plain);
        lines.push(PlanLine { text, kind });
    }
    let alarm = lines.len();
    let moved = |at: usize| at - plan.alarm + alarm;
    plan.check = moved(plan.check.start)..moved(end);
    plan.lines.splice(..plan.alarm, lines);
    plan.alarm = alarm;
}

/// Returns the lines above all others about a check that has not passed, with the hunks that it names: its output is below the files,
/// which may be many.
fn alarm(app: &App) -> Vec<PlanLine> {
    let Some(check) = &app.check else {
        return Vec::new();
    };
    let CheckState::Ended { how, took, tail } = &check.state else {
        return Vec::new();
    };
    let (kind, words) = outcome(&app.session, how, took);
    if *how == CheckEnd::Passed {
        return Vec::new();
    }
    let stale = if check.is_stale(app.revision) {
        ", before the last decision"
    } else {
        ""
    };
    let text = format!("Check `{}`: {words}{stale}", check.command);
    let mut lines = vec![PlanLine { text, kind }];
    // Its line numbers are those of the files that it ran on.
    if stale.is_empty() {
        lines.extend(suspects(&app.session, tail));
    }
    lines
}

/// Returns the hunks that add lines which the output of a check names, each with its first such line.
fn suspects(session: &ReviewSession, output: &[String]) -> Vec<PlanLine> {
    let mut known = BTreeSet::new();
    let mut named = changed_lines(session, output);
    named.retain(|(id, _)| known.insert(*id));
    let lines = named.into_iter().map(|(id, line)| {
        let file = &session.files[id.file];
        let (path, hunk) = (sanitize_name(&file.path), file.number_of(id.hunk).0);
        PlanLine {
            text: format!("  {path}  hunk {hunk}: the check names line {line}, which it adds"),
            kind: PlanKind::Attention,
        }
    });
    lines.collect()
}

/// Returns the lines of the check, if there is one.
pub(crate) fn check(app: &App) -> Vec<PlanLine> {
    let mut lines = PlanText::default();
    if let Some(check) = &app.check {
        let [all, breaking] = [ReaderPage::Check, ReaderPage::Breaking]
            .map(|page| app.keymap.key_for(KeyContext::Reader, Command::Read(page)));
        lines.check(check, app, &all, &breaking);
    }
    lines.all
}

/// Returns how a run of the check ended, in words.
fn outcome(session: &ReviewSession, how: &CheckEnd, took: &Duration) -> (PlanKind, String) {
    let took = format!("{:.1} s", took.as_secs_f64());
    let words = match how {
        CheckEnd::Passed => return (PlanKind::Done, format!("passed in {took}")),
        CheckEnd::Failed(Some(code)) => format!("failed with exit code {code} after {took}"),
        CheckEnd::Failed(None) => format!("ended by a signal after {took}"),
        CheckEnd::TimedOut => format!("took too long: ended after {took}"),
        CheckEnd::NotRun(why) => format!("could not be run: {why}"),
        CheckEnd::BrokenBy(found) => broken_by(session, found, &took),
        CheckEnd::FailsBefore => format!("fails without any of the hunks, after {took}"),
    };
    (PlanKind::Attention, words)
}

/// Returns the hunk that breaks a check, in words.
fn broken_by(session: &ReviewSession, found: &Breaking, took: &str) -> String {
    let Some(file) = session.files.get(found.hunk.file) else {
        return "the hunk that breaks it is no longer in the review".to_owned();
    };
    let (name, hunk) = (sanitize_name(&file.path), file.number_of(found.hunk.hunk).0);
    let passes = match (found.with, found.without) {
        (0, 0) => "passes without it".to_owned(),
        (0, _) => "passes without any hunk".to_owned(),
        (with, 0) => format!("passes with {with} more"),
        (with, without) => format!("passes with {with} of the {} others", with + without),
    };
    let runs = plural(found.runs, "run");
    format!("hunk {hunk} of {name} breaks it: {passes}, fails when it is added; {runs} in {took}")
}

#[derive(Default)]
struct PlanText {
    all: Vec<PlanLine>,
}

impl PlanText {
    /// Adds what needs attention, with the reasons.
    fn attention(&mut self, session: &ReviewSession) {
        let attention: Vec<_> = session.attention().collect();
        if attention.is_empty() {
            return;
        }
        let need = if attention.len() == 1 {
            "Needs"
        } else {
            "Need"
        };
        self.heading(format!("{need} attention: {}", attention.len()));
        for &(part, concern) in attention.iter().take(MOST_LISTED) {
            self.push(PlanKind::Attention, concern_words(session, part, concern));
        }
        self.more(attention.len());
    }

    /// Adds the undecided hunks of each file.
    fn undecided(&mut self, session: &ReviewSession, prospect: &Prospect) {
        let count = prospect.undecided.len();
        if count == 0 {
            return;
        }
        let effect = session.effect(Mark::Undecided);
        self.heading(format!("{} {effect}", plural(count, "hunk")));
        let is_of_one =
            |one: &(HunkId, LineNo), other: &(HunkId, LineNo)| one.0.file == other.0.file;
        let files: Vec<_> = prospect.undecided.chunk_by(is_of_one).collect();
        for of_file in files.iter().take(MOST_LISTED) {
            let file = &session.files[of_file[0].0.file];
            let hunks = of_file.iter().take(MOST_IN_FILE).map(|(id, line)| {
                let (number, _) = file.number_of(id.hunk);
                match file.hunks[id.hunk].step {
                    Some(_) => format!("hunk {number}"),
                    None => format!("hunk {number} at line {line}"),
                }
            });
            let hunks: Vec<String> = hunks.collect();
            let more = match of_file.len().saturating_sub(MOST_IN_FILE) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let path = sanitize_name(&file.path);
            let text = format!("  {path}  {}{more}", hunks.join(", "));
            self.push(PlanKind::Plain, text);
        }
        self.more(files.len());
    }

    /// Adds the agent's prose in full.
    fn intent(&mut self, app: &App) {
        let mut said = app.intent().peekable();
        if said.peek().is_some() {
            self.heading("In the words of the agent".to_owned());
        }
        for line in said {
            self.push(PlanKind::Quiet, format!("  {}", sanitize_name(line)));
        }
    }

    fn agent_report(&mut self, app: &App) {
        self.heading("Report to the agent".to_owned());
        let mut report = Report::new(&app.session, &Writing::Rehearsed, &BTreeMap::new());
        if let Some(threads) = &app.threads {
            report.threads = mentioned(&app.session, None, &[], &threads.known);
        }
        let told = ForAgent {
            report: &report,
            voice: Voice::Would,
            failed_again: None,
        };
        for line in told.to_string().lines() {
            self.push(PlanKind::Quiet, format!("  {line}"));
        }
    }

    fn push(&mut self, kind: PlanKind, text: String) {
        self.all.push(PlanLine { text, kind });
    }

    fn heading(&mut self, text: String) {
        if !self.all.is_empty() {
            self.push(PlanKind::Plain, String::new());
        }
        self.push(PlanKind::Heading, text);
    }

    fn more(&mut self, count: usize) {
        if let Some(more) = count.checked_sub(MOST_LISTED).filter(|more| *more > 0) {
            self.push(PlanKind::Quiet, format!("  and {more} more"));
        }
    }

    /// The files that would be written.
    fn files(&mut self, session: &ReviewSession, prospect: &Prospect, minus: &str) {
        let files = prospect.files.len();
        let (added, removed) = prospect
            .files
            .iter()
            .fold((0, 0), |(added, removed), file| {
                (added + file.added, removed + file.removed)
            });
        self.heading(match files {
            0 => "Nothing will be written".to_owned(),
            n => format!(
                "{} will be written, +{added} {minus}{removed}",
                plural(n, "file")
            ),
        });
        for file in &prospect.files {
            self.file(session, file, minus);
        }
    }

    fn file(&mut self, session: &ReviewSession, file: &FileProspect, minus: &str) {
        let path = sanitize_name(&session.files[file.file].path);
        let to = (file.rename.as_ref()).map(|to| format!(" to {}", sanitize_name(to)));
        let kind = if file.error.is_some() {
            PlanKind::Attention
        } else {
            PlanKind::Done
        };
        let in_part = match file.in_part {
            0 => String::new(),
            n if n == file.accepted => ", in part".to_owned(),
            n => format!(", {n} in part"),
        };
        let text = format!(
            "  {} {path}{}  +{} {minus}{}  {} of {}{in_part}",
            file.action,
            to.unwrap_or_default(),
            file.added,
            file.removed,
            file.accepted,
            plural(file.hunks, "hunk")
        );
        self.push(kind, text);
        let review = &session.files[file.file];
        for (hunk, own) in review.hunks.iter().enumerate() {
            let is_written = own.is_decidable() && own.has_decision(Decision::Accepted);
            if let Some(words) = not_removed_words(own).filter(|_| is_written) {
                let (number, _) = review.number_of(hunk);
                let text = format!("      hunk {number}: {words}");
                self.push(PlanKind::Attention, text);
            }
        }
        if let Some(error) = &file.error {
            self.push(
                PlanKind::Attention,
                format!("      cannot be written: {error}"),
            );
        }
    }

    /// Adds the lines of the check; `run` is the key that runs it, `find` the one that finds the hunk that breaks it.
    fn check(&mut self, check: &Checking, app: &App, run: &str, find: &str) {
        let stamp = app.revision;
        self.push(PlanKind::Plain, String::new());
        self.push(PlanKind::Heading, format!("Check: {}", check.command));
        if check.undecided == Undecided::Taken {
            let text = "  undecided hunks count as accepted";
            self.push(PlanKind::Quiet, text.to_owned());
        }
        match &check.state {
            CheckState::Runs(said) => {
                let task = match check.task {
                    CheckTask::Check => "  runs on a copy of the files",
                    CheckTask::Find => "  runs on copies of the files, with fewer and fewer hunks",
                };
                self.push(PlanKind::Plain, task.to_owned());
                if !said.is_empty() {
                    self.push(PlanKind::Quiet, format!("  {said}"));
                }
            }
            CheckState::Ended { how, took, tail } => {
                // Of a check that has not passed, the alarm at the top says it.
                if *how == CheckEnd::Passed {
                    let (kind, words) = outcome(&app.session, how, took);
                    self.push(kind, format!("  {words}"));
                }
                if check.can_find(stamp) && !find.is_empty() {
                    let text = format!("  {find} finds the hunk that breaks it");
                    self.push(PlanKind::Quiet, text);
                } else if check.breaking(stamp).is_some() && !find.is_empty() {
                    self.push(PlanKind::Quiet, format!("  {find} goes to it"));
                }
                for line in tail {
                    self.push(PlanKind::Quiet, format!("  {line}"));
                }
            }
        }
        if check.is_stale(stamp) {
            let text = format!("  stale: something was decided since; {run} runs it again");
            self.push(PlanKind::Attention, text);
        }
    }
}
