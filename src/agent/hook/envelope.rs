//! Codex' envelope for approved texts, written so that it applies in one way only.
//!
//! Codex looks for the lines of each hunk from the end of the one before, to the letter first, and takes the first place.
//! So each hunk here holds as many lines around its change as make its lines unique in the file. What Codex cannot write
//! to the letter is not written: a change of a last line that has no newline, mixed line endings, texts that are not UTF-8.
//!
//! Droid takes dashes, quotes and blanks of every kind for each other from the start, so for it the lines of a hunk are unique
//! without these differences. It ends the last line of a new file, also of an empty one.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};
use unicode_normalization::UnicodeNormalization;

use super::client_effect::Plain;
use super::clients::ClientTrait;
use super::names::Agent;
use super::outcome::FileOutcome;
use crate::agent::Approved;

/// Lines kept around a change, if there are as many.
const CONTEXT: usize = 3;

/// The envelope with which `agent` writes exactly what was approved; `None` if there is none.
pub(super) fn written(agent: Agent, outcomes: &[FileOutcome<'_>]) -> Option<String> {
    let mut text = String::from("*** Begin Patch\n");
    for outcome in outcomes {
        text.push_str(&section(agent, outcome)?);
    }
    text.push_str("*** End Patch");
    Some(text)
}

fn section(agent: Agent, outcome: &FileOutcome<'_>) -> Option<String> {
    let path = outcome.path;
    let rename = outcome.rename;
    let is_name = |name: &str| name.trim() == name && !name.contains(['\n', '\r']);
    if !is_name(path) || !rename.is_none_or(is_name) {
        return None;
    }
    let (base, approved) = match (outcome.base, outcome.approved) {
        (Some(_), Approved::Deleted) => return Some(format!("*** Delete File: {path}\n")),
        (None, Approved::Text(text)) if rename.is_none() => return added(agent, path, text),
        (None, Approved::Deleted | Approved::Text(_)) => return None,
        (Some(base), Approved::Text(text)) => (base, text),
    };
    let plain = Plain::of(Some(base))?;
    let approved = plain.same(approved)?;
    if matches!(agent, Agent::Kilo | Agent::Opencode) && base.text().contains('\r') {
        return None;
    }
    let mut text = format!("*** Update File: {path}\n");
    if let Some(to) = rename {
        let _ = writeln!(text, "*** Move to: {to}");
    }
    text.push_str(&hunks(agent, &plain.text, &approved)?);
    Some(text)
}

/// A new file. Every line of it ends with `\n`: the envelope has no words for anything else.
fn added(agent: Agent, path: &str, text: &str) -> Option<String> {
    if (agent.has(ClientTrait::MakesNoEmptyFiles) && text.is_empty())
        || text.contains('\r')
        || !(text.is_empty() || text.ends_with('\n'))
    {
        return None;
    }
    let lines = text.split_inclusive('\n').map(|line| format!("+{line}"));
    Some(format!(
        "*** Add File: {path}\n{}",
        lines.collect::<String>()
    ))
}

/// The hunks from one text to another; without any change one hunk of context, which a renaming needs.
fn hunks(agent: Agent, base: &str, approved: &str) -> Option<String> {
    let old: Vec<&str> = base.split_inclusive('\n').collect();
    let new: Vec<&str> = approved.split_inclusive('\n').collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changes = (ops.into_iter()).filter(|op| op.tag() != DiffTag::Equal);
    let mut groups: Vec<HunkGroup> = changes
        .map(|op| {
            let Range { start, end } = op.old_range();
            HunkGroup {
                base: start.saturating_sub(CONTEXT)..(end + CONTEXT).min(old.len()),
                ops: vec![op],
            }
        })
        .collect();
    if groups.is_empty() {
        groups.push(HunkGroup {
            base: 0..old.len().min(1),
            ops: Vec::new(),
        });
    }
    let compared: Vec<Cow<str>> = old.iter().map(|line| compared(agent, line)).collect();
    let compared: Vec<&str> = compared.iter().map(AsRef::as_ref).collect();
    let places = Places::of(&compared);
    for group in &mut groups {
        group.grow(&compared, &places);
    }
    let mut text = String::new();
    for group in joined(groups) {
        text.push_str("@@\n");
        group.write(&old, &new, &mut text)?;
    }
    Some(text)
}

/// A line as a client compares it.
fn compared(agent: Agent, line: &str) -> Cow<'_, str> {
    if line.is_ascii() || !agent.has(ClientTrait::FoldsTypography) {
        return Cow::Borrowed(line);
    }
    let folded = line.nfc().map(|c| match c {
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        '\u{201c}'..='\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    });
    Cow::Owned(folded.collect())
}

/// Changes of one hunk, and the base lines that the hunk shows.
struct HunkGroup {
    base: Range<usize>,
    ops: Vec<DiffOp>,
}

/// Positions of each line in a text.
struct Places<'a>(FxHashMap<&'a str, Vec<usize>>);

impl<'a> Places<'a> {
    fn of(lines: &[&'a str]) -> Self {
        let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, line) in lines.iter().enumerate() {
            places.entry(line).or_default().push(at);
        }
        Self(places)
    }

    /// Returns whether these lines occur in one place only.
    fn is_one(&self, lines: &[&str], range: &Range<usize>) -> bool {
        let part = &lines[range.clone()];
        let of = |i: usize| self.0.get(part[i]).map_or(&[][..], Vec::as_slice);
        let Some(rarest) = (0..part.len()).min_by_key(|&i| of(i).len()) else {
            return false;
        };
        let begins = (of(rarest).iter()).filter_map(|at| at.checked_sub(rarest));
        begins
            .filter(|&at| lines.get(at..at + part.len()) == Some(part))
            .count()
            == 1
    }
}

impl HunkGroup {
    /// Adds lines on both sides until the hunk matches one place only.
    fn grow(&mut self, lines: &[&str], places: &Places<'_>) {
        let mut more = 1;
        while self.base != (0..lines.len()) && !places.is_one(lines, &self.base) {
            self.base.start = self.base.start.saturating_sub(more);
            self.base.end = (self.base.end + more).min(lines.len());
            more += more.div_ceil(2);
        }
    }

    fn write(&self, old: &[&str], new: &[&str], text: &mut String) -> Option<()> {
        let mut at = self.base.start;
        for op in &self.ops {
            put(text, ' ', &old[at..op.old_range().start])?;
            put(text, '-', &old[op.old_range()])?;
            put(text, '+', &new[op.new_range()])?;
            at = op.old_range().end;
        }
        put(text, ' ', old.get(at..self.base.end)?)
    }
}

/// Hunks whose lines meet become one.
fn joined(groups: Vec<HunkGroup>) -> Vec<HunkGroup> {
    let mut joined: Vec<HunkGroup> = Vec::new();
    for mut group in groups {
        // One that grew may reach over several before it.
        while let Some(mut last) = joined.pop_if(|last| group.base.start < last.base.end) {
            group.base.start = last.base.start.min(group.base.start);
            group.base.end = last.base.end.max(group.base.end);
            last.ops.append(&mut group.ops);
            group.ops = last.ops;
        }
        joined.push(group);
    }
    joined
}

/// Lines with a sign before each; `None` if one of them is without its newline, which Codex would add.
fn put(text: &mut String, sign: char, lines: &[&str]) -> Option<()> {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        line.ends_with('\n').then_some(())?;
    }
    Some(())
}
