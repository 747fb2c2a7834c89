//! The table of answers: what can be said at the prompt, and what it does.
//!
//! The letters are those of `git add --patch` where that has them (git-add(1), "patch").

use std::ops::RangeInclusive;

use crate::review::Direction;
use crate::ui::command::{
    About, ByHand, Command, DecideAction, Editing, Landmark, Leaving, Matching, ReaderPage, Scope,
    View,
};
use crate::ui::keymap::{KeyContext, Keymap};

/// Something that can be answered.
#[derive(Debug, Clone, Copy)]
pub struct LinearAnswer {
    /// Word to type.
    pub word: &'static str,
    /// Action.
    pub deed: AnswerAction,
    /// Text of the help.
    pub help: &'static str,
}

/// Actions of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerAction {
    /// The command of a key on the screen.
    Command(Command),
    /// Decides on the hunk and on the later ones of its file that are undecided.
    Onward(DecideAction),
    /// Prints the hunk once more.
    Print,
    /// Prints the changed lines of the hunk with numbers, to be decided each by itself.
    Number,
    /// Prints the answers.
    Help,
}

const fn row(word: &'static str, deed: AnswerAction, help: &'static str) -> LinearAnswer {
    LinearAnswer { word, deed, help }
}

const fn command(word: &'static str, command: Command, help: &'static str) -> LinearAnswer {
    row(word, AnswerAction::Command(command), help)
}

/// Answers at a hunk.
#[rustfmt::skip]
pub const ANSWERS: [LinearAnswer; 32] = [
    command("y", Command::Decide(Scope::Here, DecideAction::Accept), "accept this hunk"),
    command("n", Command::Decide(Scope::Here, DecideAction::Reject), "reject it"),
    row("a", AnswerAction::Onward(DecideAction::Accept), "accept it, and the later hunks of the file that are undecided; what needs attention only where it is shown"),
    row("d", AnswerAction::Onward(DecideAction::Reject), "reject it, and the later hunks of the file that are undecided"),
    command("x", Command::Decide(Scope::Here, DecideAction::Clear), "make it undecided again"),
    command("A", Command::Decide(Scope::Rest, DecideAction::Accept), "accept the rest of the batch, after a question"),
    command("R", Command::Decide(Scope::Rest, DecideAction::Reject), "reject the rest of the batch, after a question"),
    command("e", Command::Edit(Editing::External), "edit the proposed file in $VISUAL or $EDITOR, at this hunk"),
    command("=", Command::Edit(Editing::Restore), "put the agent's text back"),
    command("s", Command::Split, "split the hunk at its first unchanged lines"),
    row("l", AnswerAction::Number, "print its changed lines with numbers; `y`, `n` and `x` then take some of them, as in `y 1-3 5`"),
    command("m", Command::Place(ByHand::Begin), "choose the place of a hunk that has none, or no sure one: it is printed at the similar places, and at any line by its number"),
    command("<", Command::Match(Matching::Looser), "lower the match threshold by 0.05 and place everything again (minimum 0.80)"),
    command(">", Command::Match(Matching::Closer), "raise the match threshold by 0.05 and place everything again (maximum 1.00)"),
    command("c", Command::Comment(About::Hunk), "comment on the hunk; goes to the agent"),
    command("Q", Command::AskAgent, "ask the agent about the hunk; the review goes on"),
    command("C", Command::Comment(About::File), "comment on the file"),
    command("gc", Command::Comment(About::Batch), "comment on the whole batch"),
    command("u", Command::Undo, "undo the last decision, edit or comment"),
    command("U", Command::Redo, "redo it"),
    command("j", Command::Jump(Landmark::Undecided, Direction::Forward), "leave it as it is, go to the next undecided hunk"),
    command("J", Command::Jump(Landmark::Hunk, Direction::Forward), "go to the next hunk, decided or not"),
    command("k", Command::Jump(Landmark::Undecided, Direction::Backward), "go to the previous undecided hunk"),
    command("K", Command::Jump(Landmark::Hunk, Direction::Backward), "go to the previous hunk"),
    command(")", Command::Jump(Landmark::Attention, Direction::Forward), "go to the next thing that needs attention"),
    command("+", Command::View(View::MoreContext), "more unchanged lines around hunks"),
    command("-", Command::View(View::LessContext), "fewer of them"),
    row("p", AnswerAction::Print, "print the hunk once more"),
    command("!", Command::Read(ReaderPage::Plan), "print the plan: what would be written, what stays open, and the report to the agent"),
    command("b", Command::Read(ReaderPage::Breaking), "find the hunk that breaks the check, once it has failed; then go to it"),
    command("q", Command::Leave(Leaving::Ask), "finish: says what would be written, and asks"),
    row("?", AnswerAction::Help, "print these answers"),
];

/// Answers at the end.
#[rustfmt::skip]
pub const ENDINGS: [LinearAnswer; 6] = [
    command("w", Command::Leave(Leaving::Write), "write what is accepted"),
    command("a", Command::Edit(Editing::AcceptAll), "accept the hunks with an edit that would be dropped"),
    command("k", Command::Leave(Leaving::Keep), "write nothing now, and keep the review for later"),
    command("d", Command::Leave(Leaving::Discard), "write nothing, and drop the review"),
    command("b", Command::Back, "go back to the hunks"),
    row("?", AnswerAction::Help, "print these answers"),
];

/// Looks up a word, ignoring blanks around it.
pub(crate) fn of(word: &str, answers: &[LinearAnswer]) -> Option<AnswerAction> {
    let known = answers.iter().find(|answer| answer.word == word.trim());
    known.map(|answer| answer.deed)
}

/// A verdict about some lines of a hunk, and the ranges of their numbers.
pub(crate) type OfLines = (DecideAction, Vec<RangeInclusive<usize>>);

/// Parses an answer for some lines of a hunk: a verdict and ranges of line numbers.
///
/// # Errors
///
/// The part that is no number or range.
pub(crate) fn of_lines(word: &str) -> Option<Result<OfLines, &str>> {
    let (verdict, lines) = word.trim().split_once(' ')?;
    let verdict = match verdict {
        "y" => DecideAction::Accept,
        "n" => DecideAction::Reject,
        "x" => DecideAction::Clear,
        _ => return None,
    };
    let parts = lines.split([' ', ',']).filter(|part| !part.is_empty());
    let ranges = parts.map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
            _ => Err(part),
        }
    });
    let ranges: Result<Vec<_>, _> = ranges.collect();
    Some(ranges.map(|ranges| (verdict, ranges)))
}

/// The answers as keys: messages name a command by what is answered for it.
pub(crate) fn keymap() -> Keymap {
    let keys = ANSWERS.iter().filter_map(|answer| match answer.deed {
        AnswerAction::Command(command) => Some((KeyContext::Stream, answer.word, command)),
        AnswerAction::Onward(_)
        | AnswerAction::Print
        | AnswerAction::Number
        | AnswerAction::Help => None,
    });
    let of_check = [("!", ReaderPage::Check), ("b", ReaderPage::Breaking)];
    let of_check = of_check.map(|(key, reading)| (KeyContext::Reader, key, Command::Read(reading)));
    Keymap::only(keys.chain(of_check))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_two_things() {
        for answers in [ANSWERS.as_slice(), &ENDINGS] {
            for (at, answer) in answers.iter().enumerate() {
                assert_eq!(
                    of(&format!(" {} ", answer.word), answers),
                    Some(answer.deed)
                );
                assert!(answers[..at].iter().all(|other| other.word != answer.word));
            }
            assert_eq!(of("", answers), None);
            assert_eq!(of("Y", answers), None);
            assert_eq!(of("yn", answers), None);
        }
    }

    #[test]
    fn lines_are_named_by_numbers_and_ranges() {
        let check = |word, expected| assert_eq!(of_lines(word), expected, "{word}");
        check("y", None);
        check("yn", None);
        check("a 1", None);
        check("y 3", Some(Ok((DecideAction::Accept, vec![3..=3]))));
        check(
            " n 1-3, 5 ",
            Some(Ok((DecideAction::Reject, vec![1..=3, 5..=5]))),
        );
        check("x 2,4", Some(Ok((DecideAction::Clear, vec![2..=2, 4..=4]))));
        check("y 3-1", Some(Err("3-1")));
        check("y all", Some(Err("all")));
        check("n -1", Some(Err("-1")));
    }

    #[test]
    fn messages_name_what_is_answered() {
        let told = |command| keymap().key_for(KeyContext::Stream, command);
        assert_eq!(
            told(Command::Decide(Scope::Here, DecideAction::Accept)),
            "y"
        );
        assert_eq!(told(Command::Undo), "u");
        assert_eq!(told(Command::Leave(Leaving::Ask)), "q");
        assert_eq!(told(Command::Search), ":search");
    }
}
