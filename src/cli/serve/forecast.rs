//! Forecast of conflicts between pending proposals: hunks that change the same lines of a file.
//!
//! All pending proposals are placed in the files as they are, so their hunks can be compared before any of them is decided. Nothing
//! follows from a forecast: a proposal for a file waits for the earlier ones, and is placed in what they left.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::proposal::RepoPath;
use crate::review::{FileReview, Forecasts};
use crate::text::{Document, LineIdx, plural, sanitize};

/// The most conflicts that are named for a file of a proposal.
const MOST: usize = 6;

/// The most characters of a line that are shown.
const MOST_SHOWN: usize = 60;

/// The lines of a file that a pending proposal changes.
pub(super) struct TouchedFile {
    /// The file itself.
    target: RepoPath,
    /// Its name in the proposal.
    path: String,
    base: Arc<Document>,
    /// The new name, if it is renamed.
    renamed: Option<RepoPath>,
    /// In the order of the base.
    spans: Vec<LineSpan>,
}

/// Adjacent lines that a hunk changes.
struct LineSpan {
    /// The number of the hunk, as the screen shows it.
    hunk: usize,
    /// The base lines that are removed; empty for an insertion.
    lines: Range<LineIdx>,
    adds: Vec<String>,
}

/// A pending proposal.
pub(super) struct WaitingProposal<'a> {
    pub(super) call: u64,
    pub(super) agent: &'a str,
    pub(super) files: &'a [TouchedFile],
}

impl TouchedFile {
    /// Notes the lines that a placed file changes in `target`.
    pub(super) fn new(target: RepoPath, renamed: Option<RepoPath>, file: &FileReview) -> Self {
        let spans = file.groups.iter().map(|group| {
            let lines = &file.hunks[group.hunk].state.lines[group.lines.clone()];
            LineSpan {
                hunk: file.number_of(group.hunk).0,
                lines: group.base.clone(),
                adds: lines.iter().filter_map(|line| line.adds.clone()).collect(),
            }
        });
        Self {
            target,
            path: file.path.clone(),
            base: Arc::clone(&file.base),
            renamed,
            spans: spans.collect(),
        }
    }
}

impl LineSpan {
    /// Returns true if both change a line, or insert at one place.
    fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.lines, &other.lines);
        let is_same_place = a.is_empty() && b.is_empty() && a.start == b.start;
        is_same_place || (a.start < b.end && b.start < a.end)
    }

    /// Describes what an agent makes of the lines, for one who cannot see its hunk yet.
    fn words(&self, agent: &str) -> String {
        let telling = self.adds.iter().find(|line| !line.trim().is_empty());
        let Some(telling) = telling.or(self.adds.first()) else {
            return format!("{agent} removes {}", plural(self.lines.len(), "line"));
        };
        let shown: String = telling.trim().chars().take(MOST_SHOWN).collect();
        let cut = if shown.len() < telling.trim().len() {
            "…"
        } else {
            ""
        };
        let more = match self.adds.len() - 1 {
            0 => String::new(),
            more => format!(" and {} more", plural(more, "line")),
        };
        format!("{agent} writes “{}{cut}”{more}", sanitize(&shown))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.lines == other.lines && self.adds == other.adds
    }
}

/// Returns the conflicts between pending proposals, by call and file.
pub(super) fn forecasts(waiting: &[WaitingProposal<'_>]) -> Forecasts {
    let mut by_target: BTreeMap<&RepoPath, Vec<(&WaitingProposal<'_>, &TouchedFile)>> =
        BTreeMap::new();
    for proposal in waiting {
        for file in proposal.files {
            let touching = by_target.entry(&file.target).or_default();
            touching.push((proposal, file));
        }
    }
    let mut found = Forecasts::new();
    for (proposal, file) in by_target.values().flatten() {
        let Some(name) = &file.renamed else {
            continue;
        };
        let at_name = by_target.get(name).into_iter().flatten();
        for (other, theirs) in at_name.filter(|(other, _)| other.call != proposal.call) {
            let (own, agent) = (proposal.agent, other.agent);
            let named = found.entry((proposal.call, file.path.clone()));
            add_sentence(named.or_default(), format!("{agent} changes {name} too"));
            let named = found.entry((other.call, theirs.path.clone()));
            let sentence = format!("{own} gives {} this name", file.path);
            add_sentence(named.or_default(), sentence);
        }
    }
    for touching in by_target.into_values() {
        for (nth, later) in touching.iter().enumerate() {
            for earlier in &touching[..nth] {
                // Two names of one file in one proposal are no conflict of two proposals.
                if earlier.0.call != later.0.call {
                    add(&mut found, *earlier, *later);
                    add(&mut found, *later, *earlier);
                }
            }
        }
    }
    found
}

/// Adds the conflicts of a proposal with another one, in the words of the first.
fn add(
    found: &mut Forecasts,
    (own, file): (&WaitingProposal<'_>, &TouchedFile),
    (other, theirs): (&WaitingProposal<'_>, &TouchedFile),
) {
    let named = found.entry((own.call, file.path.clone())).or_default();
    let agent = other.agent;
    let is_same_agent = own.agent == agent;
    if let Some(to) = &theirs.renamed {
        add_sentence(named, format!("{agent} renames this file to {to}"));
    } else if file.renamed.is_some() {
        let sentence = format!("{agent} changes this file under its present name");
        add_sentence(named, sentence);
    }
    // One of them is placed in a version that is read again in a moment.
    if file.base.text() != theirs.base.text() {
        return;
    }
    for (own, theirs) in touching(&file.spans, &theirs.spans) {
        let what = if own.is_same(theirs) {
            "make the same change"
        } else if own.meets(theirs) {
            "change the same lines"
        } else {
            "change lines next to each other"
        };
        let text = if own.is_same(theirs) {
            String::new()
        } else {
            format!("; {}", theirs.words(agent))
        };
        let number = theirs.hunk;
        let other = if is_same_agent {
            format!("hunk {number} of another proposal by {agent}")
        } else {
            format!("{agent}'s hunk {number}")
        };
        add_sentence(named, format!("hunk {} and {other} {what}{text}", own.hunk));
    }
}

/// Adds a sentence that is new, up to [`MOST`].
fn add_sentence(named: &mut Vec<String>, sentence: String) {
    if named.len() < MOST && !named.contains(&sentence) {
        named.push(sentence);
    }
}

/// Returns the pairs of spans, of two lists in base order, that change the same lines or lines next to each other: one of such a pair is a
/// conflict once the other is written.
fn touching<'a>(
    own: &'a [LineSpan],
    theirs: &'a [LineSpan],
) -> impl Iterator<Item = (&'a LineSpan, &'a LineSpan)> {
    own.iter().flat_map(|one| {
        let first = theirs.partition_point(|other| other.lines.end < one.lines.start);
        let rest = theirs[first..].iter();
        rest.take_while(|other| other.lines.start <= one.lines.end)
            .map(move |other| (one, other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(spans: &[(usize, Range<usize>, &str)]) -> TouchedFile {
        let spans = spans.iter().map(|(hunk, lines, adds)| LineSpan {
            hunk: *hunk,
            lines: lines.clone(),
            adds: adds.lines().map(str::to_owned).collect(),
        });
        TouchedFile {
            target: RepoPath::parse("a.txt").unwrap(),
            path: "a.txt".to_owned(),
            base: Arc::new(Document::from_text("")),
            renamed: None,
            spans: spans.collect(),
        }
    }

    fn both<'a>(own: &'a [TouchedFile], theirs: &'a [TouchedFile]) -> [WaitingProposal<'a>; 2] {
        [(1, "claude", own), (2, "codex", theirs)].map(|(call, agent, files)| WaitingProposal {
            call,
            agent,
            files,
        })
    }

    #[track_caller]
    fn check(
        own: &[(usize, Range<usize>, &str)],
        theirs: &[(usize, Range<usize>, &str)],
        expected: &[&str],
    ) {
        let (own, theirs) = ([touched(own)], [touched(theirs)]);
        let found = forecasts(&both(&own, &theirs));
        let of_first = found
            .get(&(1, "a.txt".to_owned()))
            .cloned()
            .unwrap_or_default();
        assert_eq!(of_first, expected);
        let of_second = found
            .get(&(2, "a.txt".to_owned()))
            .cloned()
            .unwrap_or_default();
        assert_eq!(of_first.len(), of_second.len());
    }

    #[test]
    fn hunks_that_change_the_same_lines_are_named() {
        let same = "hunk 1 and codex's hunk 1 change the same lines; codex writes “y”";
        check(&[(1, 2..5, "x")], &[(1, 4..9, "y")], &[same]);
        let beside = "hunk 1 and codex's hunk 1 change lines next to each other; codex writes “y”";
        check(&[(1, 2..5, "x")], &[(1, 5..9, "y")], &[beside]);
        check(&[(1, 2..5, "x")], &[(1, 6..9, "y")], &[]);
        check(&[(1, 2..9, "x")], &[(1, 4..4, "y")], &[same]);
        check(&[(1, 2..9, "x")], &[(1, 2..2, "y")], &[beside]);
        check(&[(1, 3..3, "x")], &[(1, 3..3, "y")], &[same]);
        check(&[(1, 3..3, "x")], &[(1, 4..4, "x")], &[]);
        check(
            &[(1, 2..3, "x")],
            &[(1, 2..3, "x")],
            &["hunk 1 and codex's hunk 1 make the same change"],
        );
        check(
            &[(2, 0..1, "a"), (1, 4..20, "b"), (3, 30..31, "c")],
            &[(1, 5..6, "d"), (2, 8..9, "e"), (3, 19..31, "f")],
            &[
                "hunk 1 and codex's hunk 1 change the same lines; codex writes “d”",
                "hunk 1 and codex's hunk 2 change the same lines; codex writes “e”",
                "hunk 1 and codex's hunk 3 change the same lines; codex writes “f”",
                "hunk 3 and codex's hunk 3 change the same lines; codex writes “f”",
            ],
        );
        let removed = "hunk 1 and codex's hunk 1 change the same lines; codex removes 2 lines";
        check(&[(1, 2..5, "x")], &[(1, 3..5, "")], &[removed]);
        let more =
            "hunk 1 and codex's hunk 1 change the same lines; codex writes “y” and 1 line more";
        check(&[(1, 2..5, "x")], &[(1, 3..5, "\n  y")], &[more]);
    }

    #[test]
    fn another_version_is_not_compared_and_a_rename_is_named() {
        let own = [touched(&[(1, 0..1, "x")])];
        let mut theirs = [touched(&[(1, 0..1, "y")])];
        theirs[0].base = Arc::new(Document::from_text("another\n"));
        theirs[0].renamed = RepoPath::parse("b.txt").ok();
        let named = |own: &[TouchedFile], theirs: &[TouchedFile]| {
            let found = forecasts(&both(own, theirs)).into_values().flatten();
            found.collect::<Vec<String>>()
        };
        assert_eq!(
            named(&own, &theirs),
            [
                "codex renames this file to b.txt",
                "claude changes this file under its present name"
            ]
        );
        let mut made = [touched(&[(1, 0..0, "x")])];
        (made[0].target, made[0].path) = (RepoPath::parse("b.txt").unwrap(), "b.txt".to_owned());
        assert_eq!(
            named(&made, &theirs),
            ["codex gives a.txt this name", "claude changes b.txt too"]
        );
        // The name of the agent alone would be its own.
        theirs[0].base = Arc::clone(&own[0].base);
        theirs[0].renamed = None;
        let mut of_one_agent = both(&own, &theirs);
        of_one_agent[1].agent = "claude";
        let named = forecasts(&of_one_agent).into_values().flatten();
        let of_both = "hunk 1 and hunk 1 of another proposal by claude change the same lines";
        let texts = ["y", "x"].map(|text| format!("{of_both}; claude writes “{text}”"));
        assert_eq!(named.collect::<Vec<_>>(), texts);
    }
}
