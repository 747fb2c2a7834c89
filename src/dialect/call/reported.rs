//! Binds the reports of Cline and Roo Code to the calls above them: a call that failed or was rejected is no edit, and a person
//! confirms one whose report states neither.
//!
//! A message may have several calls, of which the client carries out some, and reports about them in their order. Where the number
//! of reports about a file differs from that of its calls, nobody can tell which calls they belong to.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::dialect::input::Input;
use crate::dialect::message::tool_report::{ReportHead, ReportVerdict, ToolReport};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::xml::xml_call;
use crate::proposal::{Guess, PathClaim};
use crate::text::{LineNo, plural};

/// A line that is no part of an edit.
#[derive(Debug)]
enum LogMark {
    Call(TagCall),
    Report(ToolReport),
}

/// A call that a tag opens.
#[derive(Debug)]
struct TagCall {
    tool: &'static str,
    paths: Vec<String>,
    /// The statement of its report, and the first line of that.
    fate: Option<(ReportVerdict, Arc<str>)>,
}

/// The marks of a text, each with its line.
#[derive(Debug, Default)]
struct Marks(Vec<(LineNo, LogMark)>);

/// The most names of files in a note.
const MOST_NAMES: usize = 10;

/// Takes out the calls that failed, as reports in the text itself state, and notes them in the intent.
pub(in crate::dialect) fn settle(input: &Input, parsed: &mut Parsed) {
    let left_out = take_out(input, parsed, Vec::new());
    let count = left_out.len();
    if count == 0 {
        return;
    }
    if parsed.is_empty() {
        let found = format!("a conversation in which every edit ({count}) failed or was rejected");
        let error = ParseError::new(0, found, "an edit that was carried out");
        let problem = error.into_problem(input, 0..input.len(), "roo-xml", None);
        parsed.problems.push(problem);
        return;
    }
    let intent = &mut parsed.proposal.intent;
    if !intent.is_empty() {
        intent.push_str("\n\n");
    }
    let more = if count > MOST_NAMES { ", …" } else { "" };
    let names: Vec<&str> = left_out.values().map(String::as_str).collect();
    let names = names[..count.min(MOST_NAMES)].join(", ");
    let calls = plural(count, "failed or rejected call");
    let note = format!("(Left out: {calls}, for {names}{more}.)");
    intent.push_str(&note);
}

/// Takes out the calls of a text that failed, and returns the file of each with the line of the call. `below` are the reports of the
/// message that answers the text.
pub(in crate::dialect) fn take_out(
    input: &Input,
    parsed: &mut Parsed,
    below: Vec<ToolReport>,
) -> BTreeMap<LineNo, String> {
    let mut left_out = BTreeMap::new();
    let marks = Marks::of(input, parsed, below);
    if marks.0.is_empty() {
        return left_out;
    }
    for mut file in std::mem::take(&mut parsed.proposal.files) {
        let had_hunks = !file.hunks.is_empty();
        let (dialect, path) = (file.dialect, file.path.first().to_owned());
        file.hunks.retain_mut(|hunk| {
            if let Some(line) = marks.failure_around(hunk.span.first) {
                left_out.entry(line).or_insert_with(|| path.clone());
                return false;
            }
            let Some((line, verdict, text)) = marks.fate(hunk.span.first, dialect) else {
                return true;
            };
            match verdict {
                ReportVerdict::Failed => {
                    left_out.entry(line).or_insert_with(|| path.clone());
                    false
                }
                ReportVerdict::Unclear => {
                    hunk.guess = Some(Guess::Outcome(hunk.span.first, Arc::clone(text)));
                    true
                }
                ReportVerdict::Done | ReportVerdict::Allowed => true,
            }
        });
        if !had_hunks || !file.hunks.is_empty() {
            parsed.proposal.files.push(file);
        }
    }
    parsed.problems.retain(|problem| {
        let fate = marks.fate(problem.span.first, problem.dialect);
        let failed = fate.filter(|(_, verdict, _)| *verdict == ReportVerdict::Failed);
        let Some((line, ..)) = failed else {
            return true;
        };
        let path = problem.path.as_ref().map_or("?", PathClaim::first);
        left_out.entry(line).or_insert_with(|| path.to_owned());
        false
    });
    left_out
}

impl Marks {
    /// Finds the calls and the reports between the lines of edits, and binds them.
    fn of(input: &Input, parsed: &Parsed, below: Vec<ToolReport>) -> Self {
        let mut marks = Self::default();
        let edited = edited_lines(parsed);
        let mut edits = edited.iter().peekable();
        for at in 0..input.len() {
            let number = input.number(at);
            while edits.next_if(|lines| *lines.end() < number).is_some() {}
            if edits.peek().is_some_and(|lines| lines.contains(&number)) {
                continue;
            }
            let line = input.line(at).unwrap_or_default();
            if let Some(tool) = xml_call::call(line) {
                marks.add_call(number, tool);
            } else if let Some(head) = ReportHead::of(line) {
                let rest = input.lines(at + 1..input.len());
                marks.0.push((number, LogMark::Report(head.report(rest))));
            }
        }
        let is_report = |(_, mark): &(LineNo, LogMark)| matches!(mark, LogMark::Report(_));
        if below.is_empty() && !marks.0.iter().any(is_report) {
            return Self::default();
        }
        let end = input.number(input.len());
        let below = below.into_iter().map(LogMark::Report);
        marks.0.extend(below.map(|report| (end, report)));
        marks.name(parsed);
        marks.bind();
        marks
    }

    /// Adds a call. The tag of the arguments below that of the call is no other one.
    fn add_call(&mut self, line: LineNo, tool: &'static str) {
        if tool == "args"
            && let Some((_, LogMark::Call(_))) = self.0.last()
        {
            return;
        }
        let call = TagCall {
            tool: if tool == "args" { "apply_diff" } else { tool },
            paths: Vec::new(),
            fate: None,
        };
        self.0.push((line, LogMark::Call(call)));
    }

    /// Returns the position of the call that a line of an edit belongs to.
    fn call_of(&self, line: LineNo, dialect: &str) -> Option<usize> {
        let after = self.0.partition_point(|(at, _)| *at <= line);
        let at = after.checked_sub(1)?;
        let (first, mark) = &self.0[at];
        let is_own = dialect == "roo-xml" || (dialect == "tool-call" && *first == line);
        (is_own && matches!(mark, LogMark::Call(_))).then_some(at)
    }

    /// Gives the calls the names of their files.
    fn name(&mut self, parsed: &Parsed) {
        let files = parsed.proposal.files.iter().flat_map(|file| {
            let hunks = file.hunks.iter();
            hunks.map(|hunk| (hunk.span.first, file.dialect, &file.path))
        });
        let problems = parsed.problems.iter();
        let problems = problems.filter_map(|problem| {
            Some((problem.span.first, problem.dialect, problem.path.as_ref()?))
        });
        for (line, dialect, path) in files.chain(problems) {
            let at = self.call_of(line, dialect);
            if let Some((_, LogMark::Call(call))) = at.and_then(|at| self.0.get_mut(at)) {
                call.paths.extend(path.readings().map(str::to_owned));
            }
        }
    }

    /// Returns the first line of the report of a failure that a line is in: what it has is an example, or the text of the call again.
    fn failure_around(&self, line: LineNo) -> Option<LineNo> {
        let after = self.0.partition_point(|(at, _)| *at <= line);
        let (first, mark) = &self.0[after.checked_sub(1)?];
        let LogMark::Report(report) = mark else {
            return None;
        };
        let is_in = line.get() <= first.get() + report.length;
        (is_in && report.verdict == ReportVerdict::Failed).then_some(*first)
    }

    /// Returns the line of the call that a line of an edit belongs to, and what its report states.
    fn fate(&self, line: LineNo, dialect: &str) -> Option<(LineNo, ReportVerdict, &Arc<str>)> {
        let (first, mark) = &self.0[self.call_of(line, dialect)?];
        let LogMark::Call(call) = mark else {
            return None;
        };
        let (verdict, text) = call.fate.as_ref()?;
        Some((*first, *verdict, text))
    }

    /// Binds each group of reports to the calls between it and the group above.
    fn bind(&mut self) {
        let mut rest = &mut self.0[..];
        while !rest.is_empty() {
            let is_call = |(_, mark): &(LineNo, LogMark)| matches!(mark, LogMark::Call(_));
            let calls = rest.iter().position(|mark| !is_call(mark));
            let calls = calls.unwrap_or(rest.len());
            let reports = rest[calls..].iter().position(is_call);
            let end = reports.map_or(rest.len(), |reports| calls + reports);
            let (group, others) = std::mem::take(&mut rest).split_at_mut(end);
            bind_group(group);
            rest = others;
        }
    }
}

/// Description of a call in a report. Those with a file come first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CallName {
    is_tool_alone: bool,
    tool: String,
    path: String,
}

impl CallName {
    fn new(tool: &str, path: Option<&str>) -> Self {
        Self {
            is_tool_alone: path.is_none(),
            tool: tool.to_owned(),
            path: path.unwrap_or_default().to_owned(),
        }
    }
}

/// Binds reports to the calls above them: those about a file first, then those that name a tool alone.
fn bind_group(group: &mut [(LineNo, LogMark)]) {
    let mut calls = Vec::new();
    let mut reports: BTreeMap<CallName, Vec<ToolReport>> = BTreeMap::new();
    for (_, mark) in group {
        match mark {
            LogMark::Call(call) => calls.push(call),
            LogMark::Report(report) if report.verdict == ReportVerdict::Allowed => (),
            LogMark::Report(report) => {
                let name = CallName::new(&report.tool, report.path.as_deref());
                reports.entry(name).or_default().push(report.clone());
            }
        }
    }
    // Each call has its names looked up once: a message may have many calls and many reports.
    let mut by_name: BTreeMap<CallName, Vec<usize>> = BTreeMap::new();
    for (at, call) in calls.iter().enumerate() {
        let paths = call.paths.iter().map(|path| Some(path.as_str()));
        for path in paths.chain([None]) {
            let known = by_name.entry(CallName::new(call.tool, path)).or_default();
            if known.last() != Some(&at) {
                known.push(at);
            }
        }
    }
    let mut fates: Vec<Option<(ReportVerdict, Arc<str>)>> = vec![None; calls.len()];
    for (name, reports) in &reports {
        let open = by_name.get(name).into_iter().flatten().copied();
        let open: Vec<usize> = open.filter(|at| fates[*at].is_none()).collect();
        let found = stated(reports, open.len());
        for (at, fate) in open.into_iter().zip(found) {
            fates[at] = Some(fate);
        }
    }
    for (call, fate) in calls.into_iter().zip(fates) {
        call.fate = fate;
    }
}

/// Returns what reports state about as many calls, in their order.
fn stated(reports: &[ToolReport], calls: usize) -> Vec<(ReportVerdict, Arc<str>)> {
    let own = |report: &ToolReport| (report.verdict, Arc::clone(&report.text));
    let is_done = |report: &&ToolReport| report.verdict == ReportVerdict::Done;
    let is_alike = reports
        .windows(2)
        .all(|two| two[0].verdict == two[1].verdict);
    let odd = reports.iter().find(|report| !is_done(report));
    match (odd, reports.last()) {
        (None, _) => reports.iter().map(own).take(calls).collect(),
        (Some(_), _) if reports.len() == calls => reports.iter().map(own).collect(),
        (Some(_), Some(last)) if is_alike && reports.len() > calls => vec![own(last); calls],
        (Some(odd), _) => vec![(ReportVerdict::Unclear, Arc::clone(&odd.text)); calls],
    }
}

/// Returns the lines of edits in their order. The first line of what could not be read may be the tag of a call.
fn edited_lines(parsed: &Parsed) -> Vec<RangeInclusive<LineNo>> {
    let files = &parsed.proposal.files;
    let hunks = files.iter().flat_map(|file| &file.hunks);
    let hunks = hunks.map(|hunk| hunk.span.first..=hunk.span.last);
    let problems = parsed.problems.iter();
    let problems = problems.map(|it| LineNo::from_idx(it.span.first.get())..=it.span.last);
    let mut lines: Vec<_> = hunks.chain(problems).collect();
    lines.sort_by_key(|lines| (*lines.start(), *lines.end()));
    let mut joined: Vec<RangeInclusive<LineNo>> = Vec::with_capacity(lines.len());
    for lines in lines {
        match joined.last_mut() {
            Some(last) if lines.start() <= last.end() => {
                let end = *last.end().max(lines.end());
                *last = *last.start()..=end;
            }
            Some(_) | None => joined.push(lines),
        }
    }
    joined
}
