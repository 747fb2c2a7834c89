//! Pending proposals as text, for a terminal of 40 columns too.

use std::borrow::Cow;
use std::path::Path;

use crate::agent::{PendingDocument, PendingFile, PendingHunk, PendingProposal};
use crate::review::Mark;
use crate::text::{duration, plural, sanitize};
use crate::ui::glyphs::wrap::words;

/// Proposals of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedProposals {
    /// All, in outline.
    All,
    /// One, with its lines.
    One,
}

/// Lines of text of a width.
struct Page {
    width: usize,
    /// True if the reviewer is known to take no decisions from here.
    is_read_only: bool,
    text: String,
}

/// Returns the result of a decision, or the pending proposals.
pub(super) fn page(
    pending: &PendingDocument,
    shown: ListedProposals,
    root: &Path,
    width: usize,
) -> String {
    let mut page = Page {
        width,
        is_read_only: pending.takes_decisions == Some(false),
        text: String::new(),
    };
    match (&pending.decided, pending.proposals.as_slice()) {
        (Some(decided), _) => page.prose(0, &decided.message),
        (None, []) => page.prose(0, "nothing waits"),
        (None, all) => {
            if shown == ListedProposals::All {
                page.prose(0, &format!("{} to decide", plural(all.len(), "proposal")));
            }
            for proposal in all {
                page.proposal(proposal);
            }
            let command = match root.to_str().filter(|root| *root != ".") {
                Some(root) => format!(
                    "countersign decide --root '{}'",
                    root.replace('\'', "'\\''")
                ),
                None => "countersign decide".to_owned(),
            };
            let next = match shown {
                ListedProposals::All => format!("{command} ID"),
                ListedProposals::One if page.is_read_only => {
                    "decide at the reviewer's screen; it takes decisions from here if it is \
                     started with `countersign serve --remote`"
                        .to_owned()
                }
                ListedProposals::One => format!("{command} {} accept|reject", all[0].id),
            };
            page.line("");
            page.prose(0, &format!("next: {next}"));
        }
    }
    page.text
}

impl Page {
    fn proposal(&mut self, proposal: &PendingProposal) {
        if !self.text.is_empty() {
            self.line("");
        }
        let waits = duration(proposal.seconds);
        self.prose(0, &format!("{}  {}, {waits}", proposal.id, proposal.agent));
        for line in proposal
            .intent
            .lines()
            .filter(|line| !line.trim().is_empty())
        {
            self.prose(2, line);
        }
        for problem in &proposal.problems {
            self.prose(2, &format!("! {problem}"));
        }
        for file in &proposal.files {
            self.file(file);
        }
    }

    fn file(&mut self, file: &PendingFile) {
        let change = if file.change.is_empty() { "" } else { ": " };
        self.prose(0, &format!("{}{change}{}", file.path, file.change));
        for note in &file.notes {
            self.prose(2, note);
        }
        for hunk in &file.hunks {
            self.hunk(hunk);
        }
    }

    fn hunk(&mut self, hunk: &PendingHunk) {
        let mut parts = vec![format!("hunk {}", hunk.name)];
        parts.extend(hunk.line.map(|line| format!("line {line}")));
        if hunk.added + hunk.removed > 0 {
            parts.push(format!("+{} -{}", hunk.added, hunk.removed));
        }
        let mut state = match hunk.decision {
            Some(Mark::Undecided) => Vec::new(),
            Some(mark) => vec![mark.name()],
            None => vec!["cannot be decided"],
        };
        if hunk.needs_attention && hunk.decision.is_some() {
            state.push(if self.is_read_only {
                "needs attention"
            } else {
                "needs --hunk"
            });
        }
        parts.extend(state.into_iter().map(str::to_owned));
        self.prose(2, &parts.join(", "));
        for note in &hunk.notes {
            self.prose(4, note);
        }
        for line in &hunk.lines {
            self.line(line);
        }
    }

    /// Adds a sentence, broken between words.
    fn prose(&mut self, indent: usize, text: &str) {
        let text = seen(text);
        let room = self.width.saturating_sub(indent).max(10);
        for line in words(&text, room) {
            self.line(&format!("{:indent$}{line}", ""));
        }
    }

    /// Adds a line; the terminal breaks it where it is too long.
    fn line(&mut self, text: &str) {
        self.text += &seen(text);
        self.text.push('\n');
    }
}

/// Returns a text without anything that a terminal would obey.
fn seen(text: &str) -> String {
    match sanitize(text) {
        Cow::Owned(shown) => shown,
        Cow::Borrowed(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(takes_decisions: Option<bool>, shown: ListedProposals, root: &str, expected: &str) {
        let proposal = PendingProposal {
            id: "1-56283b".to_owned(),
            agent: "claude".to_owned(),
            intent: String::new(),
            seconds: 0,
            undecided: 1,
            problems: Vec::new(),
            files: Vec::new(),
        };
        let pending = PendingDocument {
            takes_decisions,
            ..PendingDocument::of(vec![proposal])
        };
        let text = page(&pending, shown, Path::new(root), 200);
        assert_eq!(text.lines().last(), Some(expected), "{text}");
    }

    #[test]
    fn the_next_command_works() {
        use ListedProposals::{All, One};
        let accept = "next: countersign decide 1-56283b accept|reject";
        check(Some(true), One, ".", accept);
        check(None, One, ".", accept);
        check(
            Some(false),
            One,
            ".",
            "next: decide at the reviewer's screen; it takes decisions from here if it is started with `countersign serve --remote`",
        );
        // Looking at a proposal always works.
        check(Some(false), All, ".", "next: countersign decide ID");
        check(
            Some(true),
            All,
            "it's mine",
            r"next: countersign decide --root 'it'\''s mine' ID",
        );
    }
}
