//! The table of answers: what can be said at the prompt, and what it does.
//!
//! The letters are those of `git add --patch` where that has them (git-add(1), "patch").

use crate::review::Direction;
use crate::ui::command::{
    About, Command, Editing, Landmark, Leaving, Reading, Scope, Verdict, View,
};
use crate::ui::keymap::{Keymap, Place};

/// Something that can be answered.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// What is typed.
    pub word: &'static str,
    /// What it does.
    pub deed: Deed,
    /// What the help says of it.
    pub help: &'static str,
}

/// What an answer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// What a key of the screen does too.
    Command(Command),
    /// Decides on the hunk and on the later ones of its file that are undecided.
    Onward(Verdict),
    /// Prints the hunk once more.
    Print,
    /// Prints the answers.
    Help,
}

const fn row(word: &'static str, deed: Deed, help: &'static str) -> Answer {
    Answer { word, deed, help }
}

const fn command(word: &'static str, command: Command, help: &'static str) -> Answer {
    row(word, Deed::Command(command), help)
}

/// What can be answered to a hunk.
#[rustfmt::skip]
pub const ANSWERS: [Answer; 26] = [
    command("y", Command::Decide(Scope::Here, Verdict::Accept), "accept this hunk"),
    command("n", Command::Decide(Scope::Here, Verdict::Reject), "reject it"),
    row("a", Deed::Onward(Verdict::Accept), "accept it, and the later hunks of the file that are undecided; what is placed loosely or protected only where it is shown"),
    row("d", Deed::Onward(Verdict::Reject), "reject it, and the later hunks of the file that are undecided"),
    command("x", Command::Decide(Scope::Here, Verdict::Clear), "make it undecided again"),
    command("A", Command::Decide(Scope::Rest, Verdict::Accept), "accept the rest of the batch, after a question"),
    command("R", Command::Decide(Scope::Rest, Verdict::Reject), "reject the rest of the batch, after a question"),
    command("e", Command::Edit(Editing::External), "edit the proposed file in $VISUAL or $EDITOR, at this hunk"),
    command("=", Command::Edit(Editing::Restore), "put the agent's text back"),
    command("s", Command::Split, "split the hunk at its first unchanged lines"),
    command("c", Command::Comment(About::Hunk), "comment on the hunk; goes to the agent"),
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
    row("p", Deed::Print, "print the hunk once more"),
    command("!", Command::Read(Reading::Plan), "print the plan: what would be written, what stays open, what the agent is told"),
    command("q", Command::Leave(Leaving::Ask), "finish: says what would be written, and asks"),
    row("?", Deed::Help, "print these answers"),
];

/// What can be answered at the end.
#[rustfmt::skip]
pub const ENDINGS: [Answer; 5] = [
    command("w", Command::Leave(Leaving::Write), "write what is accepted"),
    command("k", Command::Leave(Leaving::Keep), "write nothing now, and keep the review for later"),
    command("d", Command::Leave(Leaving::Discard), "write nothing, and drop the review"),
    command("b", Command::Back, "go back to the hunks"),
    row("?", Deed::Help, "print these answers"),
];

/// What a word is among some answers. Blanks around it do not count.
pub(super) fn of(word: &str, answers: &[Answer]) -> Option<Deed> {
    let known = answers.iter().find(|answer| answer.word == word.trim());
    known.map(|answer| answer.deed)
}

/// The answers as keys: messages name a command by what is answered for it.
pub(super) fn keymap() -> Keymap {
    let keys = ANSWERS.iter().filter_map(|answer| match answer.deed {
        Deed::Command(command) => Some((Place::Stream, answer.word, command)),
        Deed::Onward(_) | Deed::Print | Deed::Help => None,
    });
    let run = Command::Read(Reading::Check);
    Keymap::only(keys.chain([(Place::Reader, "!", run)]))
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
    fn messages_name_what_is_answered() {
        let told = |command| keymap().told(Place::Stream, command);
        assert_eq!(told(Command::Decide(Scope::Here, Verdict::Accept)), "y");
        assert_eq!(told(Command::Undo), "u");
        assert_eq!(told(Command::Leave(Leaving::Ask)), "q");
        assert_eq!(told(Command::Search), ":search");
    }
}
