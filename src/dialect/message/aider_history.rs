//! Chat histories of Aider, `.aider.chat.history.md`: prompts behind `####`, messages of the program behind `>`, and the
//! replies of the model.
//!
//! The edits of a reply count if the program reports `Applied edit to FILE` below it, and if no `/undo` removed them.
//! `Aider-AI/aider aider/io.py` (`append_chat_history`), `aider/coders/base_coder.py` (`apply_updates`).

use std::sync::Arc;

use crate::dialect::input::{Input, Turns};
use crate::dialect::markdown::fence::Fence;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::{self, ParseError};
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, Hunk, PathClaim, Reading};
use crate::text::LineIdx;

/// The heading of a session.
const START: &str = "# aider chat started at ";
/// Message of the program about an edit that it made.
const APPLIED: &str = "Applied edit to ";
/// Message of the program about a commit that `/undo` removed.
const REMOVED: &str = "Removed: ";

/// A stretch of a history.
#[derive(Debug)]
enum HistoryPart<'a> {
    Prompt(&'a str),
    /// Lines of a reply, from the first one on.
    Reply(LineIdx, Vec<&'a str>),
    Message(&'a str),
}

/// A reply with edits.
struct HistoryReply {
    turn: usize,
    parsed: Parsed,
    /// The files that the program changed by it.
    applied: Vec<String>,
    /// True if the program wrote anything below it.
    is_answered: bool,
    is_undone: bool,
}

/// Reads an input that is such a history; `None` for any other.
pub(in crate::dialect) fn read(input: &Input) -> Option<Parsed> {
    let first = input.skip_blank(0);
    input.line(first).filter(|line| line.starts_with(START))?;
    let mut replies: Vec<HistoryReply> = Vec::new();
    let (mut turn, mut is_undo, mut last_active) = (0, false, 0);
    for part in parts(input) {
        match part {
            HistoryPart::Prompt(text) => {
                turn += 1;
                is_undo = text.trim() == "/undo";
            }
            HistoryPart::Reply(first, lines) => {
                last_active = turn;
                let part = input.part(first, lines, input.path());
                let mut parsed = input.read_inner(part.clone());
                if !parsed.is_empty() {
                    announce(&part, first, &mut parsed);
                    replies.push(HistoryReply {
                        turn,
                        parsed,
                        applied: Vec::new(),
                        is_answered: false,
                        is_undone: false,
                    });
                }
            }
            HistoryPart::Message(text) => {
                if let Some(reply) = replies.last_mut() {
                    reply.is_answered = true;
                    let applied = text.strip_prefix(APPLIED);
                    reply
                        .applied
                        .extend(applied.map(|name| name.trim().to_owned()));
                }
                if is_undo && text.starts_with(REMOVED) {
                    let done =
                        |reply: &&mut HistoryReply| !reply.is_undone && !reply.applied.is_empty();
                    if let Some(reply) = replies.iter_mut().rev().find(done) {
                        reply.is_undone = true;
                    }
                    is_undo = false;
                }
            }
        }
    }
    let is_asked = |reply: &&HistoryReply| input.turns() == Turns::All || reply.turn == last_active;
    Some(joined(input, replies.iter().filter(is_asked)))
}

/// Joins the edits that were made, or whose outcome is not known.
fn joined<'r>(input: &Input, replies: impl Iterator<Item = &'r HistoryReply>) -> Parsed {
    let mut all = Parsed::default();
    let first = input.skip_blank(0);
    all.readings.push(Reading {
        dialect: "aider",
        line: input.number(first),
        evidence: parse_error::quoted(input.line(first).unwrap_or_default()),
        sections: 1,
    });
    let mut left_out = 0;
    for reply in replies {
        let is_made = |file: &FileChange| !reply.is_undone && is_applied(reply, &file.path);
        let files = &reply.parsed.proposal.files;
        let made: Vec<FileChange> = files.iter().filter(|file| is_made(file)).cloned().collect();
        left_out += files.len() - made.len();
        if !made.is_empty() {
            all.proposal
                .intent
                .clone_from(&reply.parsed.proposal.intent);
        }
        all.proposal.files.extend(made);
        if !reply.is_answered {
            all.problems.extend(reply.parsed.problems.clone());
        }
    }
    if all.is_empty() {
        let found = match left_out {
            0 => "a chat history of Aider without an edit in the turns that are read".to_owned(),
            count => format!("a chat history of Aider in which no edit ({count}) was applied"),
        };
        let error = ParseError::new(0, found, "a reply whose edit was applied");
        all.problems
            .push(error.into_problem(input, 0..input.len(), "aider", None));
    }
    all
}

fn is_applied(reply: &HistoryReply, path: &PathClaim) -> bool {
    !reply.is_answered
        || path
            .readings()
            .any(|name| reply.applied.iter().any(|known| known == name))
}

/// Cuts a history into its parts. Code fences may hold any line.
fn parts<'a>(input: &Input<'a>) -> Vec<HistoryPart<'a>> {
    let mut parts = Vec::new();
    let mut fence: Option<Fence> = None;
    for (at, line) in input.lines(0..input.len()).iter().copied().enumerate() {
        let found = Fence::of(line);
        let inside = fence.is_some();
        match (&fence, found) {
            (Some(open), Some(found)) if found.closes(open) => fence = None,
            (None, Some(found)) => fence = Some(found),
            _ => (),
        }
        if !inside && line.starts_with(START) {
            fence = None;
            parts.push(HistoryPart::Prompt(""));
        } else if let Some(prompt) = line.strip_prefix("#### ").filter(|_| !inside) {
            parts.push(HistoryPart::Prompt(prompt));
        } else if let Some(message) = line.strip_prefix('>').filter(|_| !inside) {
            parts.push(HistoryPart::Message(message.trim()));
        } else if let Some(HistoryPart::Reply(_, lines)) = parts.last_mut() {
            lines.push(line);
        } else if !line.trim().is_empty() {
            parts.push(HistoryPart::Reply(at, vec![line]));
        }
    }
    parts
}

/// Gives each hunk the last line of prose above it.
fn announce(part: &Input, first: LineIdx, parsed: &mut Parsed) {
    let mut last: Option<Arc<str>> = None;
    let mut from = 0;
    let hunks = parsed
        .proposal
        .files
        .iter_mut()
        .flat_map(|file: &mut FileChange| &mut file.hunks);
    for hunk in hunks {
        let span = |hunk: &Hunk| {
            let line = |number: usize| number.saturating_sub(first + 1);
            line(hunk.span.first.get())..line(hunk.span.last.get()) + 1
        };
        let lines = span(hunk);
        let is_prose = |line: &&&str| {
            !line.trim().is_empty() && Fence::of(line).is_none() && file_name::alone(line).is_none()
        };
        let above = part.lines(from.min(lines.start)..lines.start);
        let prose = above.iter().rfind(|line| is_prose(line));
        last = prose.map(|line| line.trim().into()).or(last);
        hunk.announcement.clone_from(&last);
        from = lines.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::ReadReason;

    const HISTORY: &str = "
# aider chat started at 2026-01-02 03:04:05

> Aider v0.86.1  
> Added a.py to the chat.  

#### make it two  

I change the value:

a.py
```python
<<<<<<< SEARCH
one
=======
two
>>>>>>> REPLACE
```

> Tokens: 2.5k sent, 150 received.  
> Applied edit to a.py  
> Commit 1234567 feat: two  

#### and b.py  

Then b:

b.py
```python
<<<<<<< SEARCH
#### one
=======
#### two
>>>>>>> REPLACE
```

> The LLM did not conform to the edit format.  
> <<<<<<< SEARCH  

Once more:

b.py
```python
<<<<<<< SEARCH
3
=======
4
>>>>>>> REPLACE
```

> Applied edit to b.py  
";

    #[track_caller]
    fn check(text: &str, turns: Turns, expected: &str) {
        let input = Input::new(text, None, ReadReason::InTurn)
            .with_turns(turns)
            .with_reader(crate::dialect::parse::read);
        let parsed = read(&input).unwrap();
        let files = parsed.proposal.files.iter().flat_map(|file| {
            let hunks = file.hunks.iter();
            hunks.map(|hunk| {
                format!(
                    "{} {}: {}",
                    file.path.first(),
                    hunk.body.postimage.join(";"),
                    hunk.announcement.as_deref().unwrap_or("-")
                )
            })
        });
        let problems = parsed.problems.iter().map(ToString::to_string);
        let shown: Vec<String> = files.chain(problems).collect();
        assert_eq!(shown.join(" | "), expected);
    }

    #[test]
    fn edits_that_were_applied_are_read_by_turn() {
        check(
            HISTORY,
            Turns::All,
            "a.py two: I change the value: | b.py 4: Once more:",
        );
        check(HISTORY, Turns::Last, "b.py 4: Once more:");
        let undone = format!("{HISTORY}\n#### /undo  \n\n> Removed: 1234567 feat: b  \n");
        check(&undone, Turns::All, "a.py two: I change the value:");
        let open = HISTORY.replace("> Applied edit to b.py  \n", "");
        check(&open, Turns::Last, "b.py 4: Once more:");
        let none = HISTORY.replace("Applied edit to", "Skipping edits to");
        check(
            &none,
            Turns::All,
            "line 1 of the input: found a chat history of Aider in which no edit (3) was applied, expected a reply whose edit was applied",
        );
    }

    #[test]
    fn other_texts_are_no_history() {
        let input = Input::new(
            "Hello\n# aider chat started at x\n",
            None,
            ReadReason::InTurn,
        );
        assert_eq!(read(&input), None);
    }
}
