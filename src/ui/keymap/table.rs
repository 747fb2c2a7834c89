//! The table itself.

use super::binding::{Binding, Topic};
use super::context::KeyContext;
use crate::review::Direction;
use crate::ui::command::{
    About, ByHand, CaretMotion, Command, DecideAction, Editing, Landmark, Leaving, List, Matching,
    Motion, ReaderPage, Scope, Scroll, Typing, View,
};

const STREAM: &[KeyContext] = &[KeyContext::Stream, KeyContext::Lines];
const REVIEW: &[KeyContext] = &[KeyContext::Stream, KeyContext::Lines, KeyContext::FileList];
const ONLY_STREAM: &[KeyContext] = &[KeyContext::Stream];
const BATCH: &[KeyContext] = &[KeyContext::FileList];
const BOTH: &[KeyContext] = &[KeyContext::Stream, KeyContext::FileList];
const EDITOR: &[KeyContext] = &[KeyContext::Editor];
const TEXT: &[KeyContext] = &[KeyContext::Editor, KeyContext::Prompt];
const PROMPT: &[KeyContext] = &[KeyContext::Prompt];
const QUESTION: &[KeyContext] = &[KeyContext::Question];
const FINISH: &[KeyContext] = &[KeyContext::Finish];
const SCROLLED: &[KeyContext] = &[
    KeyContext::Stream,
    KeyContext::Lines,
    KeyContext::FileList,
    KeyContext::Help,
    KeyContext::Placing,
    KeyContext::Reader,
];
const PLACING: &[KeyContext] = &[KeyContext::Placing];
const READER: &[KeyContext] = &[KeyContext::Reader];
const DIALOGS: &[KeyContext] = &[
    KeyContext::Placing,
    KeyContext::Question,
    KeyContext::Finish,
];
const SIDEWAYS: &[KeyContext] = &[KeyContext::Stream, KeyContext::Lines, KeyContext::Reader];

const fn row(
    topic: Topic,
    places: &'static [KeyContext],
    keys: &'static [&'static str],
    command: Command,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding {
        places,
        keys,
        command,
        help,
        hint,
        begun: "",
        topic,
    }
}

impl Binding {
    /// The same with the word for it beside other keys that begin alike.
    const fn begun(self, word: &'static str) -> Self {
        Self {
            begun: word,
            ..self
        }
    }
}

/// Every key.
#[rustfmt::skip]
pub const KEYS: &[Binding] = &[
    row(Topic::Decide, REVIEW, &["a"], Command::Decide(Scope::Here, DecideAction::Accept), "accept", "accept the hunk or the selected lines; in the list the file, the group or the chosen files"),
    row(Topic::Decide, REVIEW, &["r"], Command::Decide(Scope::Here, DecideAction::Reject), "reject", "reject it"),
    row(Topic::Decide, REVIEW, &["x"], Command::Decide(Scope::Here, DecideAction::Clear), "", "make it undecided again"),
    row(Topic::Decide, STREAM, &["Space"], Command::Decide(Scope::Here, DecideAction::Toggle), "", "go from undecided to accepted to rejected"),
    row(Topic::Decide, ONLY_STREAM, &["v"], Command::SelectLines, "lines", "select lines to decide on or to comment"),
    row(Topic::Decide, ONLY_STREAM, &["A"], Command::Decide(Scope::File, DecideAction::Accept), "", "accept the whole file"),
    row(Topic::Decide, ONLY_STREAM, &["R"], Command::Decide(Scope::File, DecideAction::Reject), "", "reject the whole file"),
    row(Topic::Decide, BOTH, &["g a"], Command::Decide(Scope::Rest, DecideAction::Accept), "", "accept the rest of the batch, after a question").begun("accept rest"),
    row(Topic::Decide, BOTH, &["g r"], Command::Decide(Scope::Rest, DecideAction::Reject), "", "reject the rest of the batch, after a question").begun("reject rest"),
    row(Topic::Decide, BOTH, &["u"], Command::Undo, "undo", "undo the last decision, edit or comment"),
    row(Topic::Decide, BOTH, &["C-r"], Command::Redo, "", "redo it"),

    row(Topic::Edit, ONLY_STREAM, &["i"], Command::Edit(Editing::Begin), "edit", "edit the proposed lines in place"),
    row(Topic::Edit, ONLY_STREAM, &["e"], Command::Edit(Editing::External), "", "edit the proposed lines in $VISUAL or $EDITOR"),
    row(Topic::Edit, ONLY_STREAM, &["g ="], Command::Edit(Editing::Restore), "restore", "put the agent's text back").begun("restore"),
    row(Topic::Edit, ONLY_STREAM, &["m"], Command::Place(ByHand::Begin), "place", "choose the place of a hunk"),
    row(Topic::Edit, STREAM, &["M"], Command::AskModel, "ask the model", "ask the apply model to place a hunk or to change lines; sends it the file"),
    row(Topic::Edit, ONLY_STREAM, &["S"], Command::Split, "", "split the hunk: what is above the cursor, and the rest"),
    row(Topic::Edit, PLACING, &["Tab", "n", "]"], Command::Place(ByHand::Next), "next", "the next similar place"),
    row(Topic::Edit, PLACING, &["S-Tab", "N", "["], Command::Place(ByHand::Previous), "", "the previous similar place"),
    row(Topic::Edit, PLACING, &["Enter"], Command::Place(ByHand::Take), "place", "place the hunk where it is shown"),
    row(Topic::Edit, EDITOR, &["Esc"], Command::Edit(Editing::Keep), "keep", "keep the edit and go back to the review"),
    row(Topic::Edit, EDITOR, &["C-c"], Command::Edit(Editing::Drop), "drop", "drop the edit, after a question"),
    row(Topic::Edit, EDITOR, &["C-u"], Command::Type(Typing::Undo), "undo", "undo, a word at a time"),
    row(Topic::Edit, EDITOR, &["C-r"], Command::Type(Typing::Redo), "redo", "redo"),
    row(Topic::Edit, EDITOR, &["C-s"], Command::Search, "search", "search in the edited lines (regular expression, smart case)"),
    row(Topic::Edit, EDITOR, &["M-n", "F3"], Command::Jump(Landmark::Found, Direction::Forward), "", "next match in it"),
    row(Topic::Edit, EDITOR, &["M-p", "S-F3"], Command::Jump(Landmark::Found, Direction::Backward), "", "previous match in it"),
    row(Topic::Edit, EDITOR, &["Enter"], Command::Type(Typing::Newline), "", "break the line, indented like this one, or a level deeper after an opening bracket"),
    row(Topic::Edit, PROMPT, &["M-Enter", "C-j"], Command::Type(Typing::Newline), "new line", "break the line (in a comment)"),
    row(Topic::Edit, EDITOR, &["Tab"], Command::Type(Typing::Indent), "", "indent by the file's unit, or the selected lines"),
    row(Topic::Edit, EDITOR, &["S-Tab"], Command::Type(Typing::Outdent), "", "take one level of indentation away"),
    row(Topic::Edit, TEXT, &["Backspace", "C-h"], Command::Type(Typing::DeleteBack), "", "delete the character to the left"),
    row(Topic::Edit, TEXT, &["Del", "C-d"], Command::Type(Typing::DeleteForward), "", "delete the character under the cursor"),
    row(Topic::Edit, TEXT, &["C-w", "M-Backspace"], Command::Type(Typing::DeleteWordBack), "", "delete the word before"),
    row(Topic::Edit, TEXT, &["M-d", "C-Del"], Command::Type(Typing::DeleteWordForward), "", "delete the word after"),
    row(Topic::Edit, PROMPT, &["C-u"], Command::Type(Typing::DeleteToStart), "", "delete to the start of the line"),
    row(Topic::Edit, TEXT, &["C-k"], Command::Type(Typing::DeleteToEnd), "", "delete to the end of the line"),
    row(Topic::Edit, TEXT, &["Left", "C-b"], Command::Type(Typing::Go(CaretMotion::Left)), "", "left"),
    row(Topic::Edit, TEXT, &["Right", "C-f"], Command::Type(Typing::Go(CaretMotion::Right)), "", "right"),
    row(Topic::Edit, TEXT, &["Up", "C-p"], Command::Type(Typing::Go(CaretMotion::Up)), "", "up"),
    row(Topic::Edit, TEXT, &["Down", "C-n"], Command::Type(Typing::Go(CaretMotion::Down)), "", "down"),
    row(Topic::Edit, TEXT, &["C-Left", "M-b"], Command::Type(Typing::Go(CaretMotion::WordLeft)), "", "a word left"),
    row(Topic::Edit, TEXT, &["C-Right", "M-f"], Command::Type(Typing::Go(CaretMotion::WordRight)), "", "a word right"),
    row(Topic::Edit, TEXT, &["Home", "C-a"], Command::Type(Typing::Go(CaretMotion::Home)), "", "to the first character, then to the start of the line"),
    row(Topic::Edit, TEXT, &["End", "C-e"], Command::Type(Typing::Go(CaretMotion::End)), "", "to the end of the line"),
    row(Topic::Edit, EDITOR, &["PgUp"], Command::Type(Typing::Go(CaretMotion::PageUp)), "", "a page up"),
    row(Topic::Edit, EDITOR, &["PgDn"], Command::Type(Typing::Go(CaretMotion::PageDown)), "", "a page down"),
    row(Topic::Edit, EDITOR, &["C-Home", "M-<"], Command::Type(Typing::Go(CaretMotion::First)), "", "to the first line"),
    row(Topic::Edit, EDITOR, &["C-End", "M->"], Command::Type(Typing::Go(CaretMotion::Last)), "", "to the last line"),
    row(Topic::Edit, TEXT, &["S-Left"], Command::Type(Typing::Select(CaretMotion::Left)), "", "select to the left"),
    row(Topic::Edit, TEXT, &["S-Right"], Command::Type(Typing::Select(CaretMotion::Right)), "", "select to the right"),
    row(Topic::Edit, TEXT, &["S-Up"], Command::Type(Typing::Select(CaretMotion::Up)), "", "select upwards"),
    row(Topic::Edit, TEXT, &["S-Down"], Command::Type(Typing::Select(CaretMotion::Down)), "", "select downwards"),
    row(Topic::Edit, TEXT, &["C-S-Left"], Command::Type(Typing::Select(CaretMotion::WordLeft)), "", "select a word to the left"),
    row(Topic::Edit, TEXT, &["C-S-Right"], Command::Type(Typing::Select(CaretMotion::WordRight)), "", "select a word to the right"),
    row(Topic::Edit, TEXT, &["S-Home"], Command::Type(Typing::Select(CaretMotion::Home)), "", "select to the start of the line"),
    row(Topic::Edit, TEXT, &["S-End"], Command::Type(Typing::Select(CaretMotion::End)), "", "select to the end of the line"),
    row(Topic::Edit, TEXT, &["M-a"], Command::Type(Typing::SelectAll), "", "select everything"),
    row(Topic::Edit, TEXT, &["C-x"], Command::Type(Typing::Cut), "", "cut"),
    row(Topic::Edit, TEXT, &["M-w", "M-c"], Command::Type(Typing::Copy), "", "copy, to the terminal's clipboard too"),
    row(Topic::Edit, TEXT, &["C-v", "C-y"], Command::Type(Typing::Paste), "", "paste what was cut or copied here"),

    row(Topic::Jump, STREAM, &["Tab"], Command::Jump(Landmark::Undecided, Direction::Forward), "next", "next undecided hunk, across files"),
    row(Topic::Jump, STREAM, &["S-Tab"], Command::Jump(Landmark::Undecided, Direction::Backward), "", "previous undecided hunk"),
    row(Topic::Jump, STREAM, &["]"], Command::Jump(Landmark::Hunk, Direction::Forward), "", "next hunk, or the next cut-off difference of a long line"),
    row(Topic::Jump, STREAM, &["["], Command::Jump(Landmark::Hunk, Direction::Backward), "", "previous hunk, or the previous cut-off difference of a long line"),
    row(Topic::Jump, STREAM, &["}"], Command::Jump(Landmark::File, Direction::Forward), "", "next file"),
    row(Topic::Jump, STREAM, &["{"], Command::Jump(Landmark::File, Direction::Backward), "", "previous file"),
    row(Topic::Jump, STREAM, &[")"], Command::Jump(Landmark::Attention, Direction::Forward), "", "next thing that needs attention"),
    row(Topic::Jump, STREAM, &["("], Command::Jump(Landmark::Attention, Direction::Backward), "", "previous thing that needs attention"),
    row(Topic::Jump, STREAM, &["g j"], Command::Jump(Landmark::Comment, Direction::Forward), "", "next comment").begun("next comment"),
    row(Topic::Jump, STREAM, &["g k"], Command::Jump(Landmark::Comment, Direction::Backward), "", "previous comment").begun("previous comment"),

    row(Topic::Move, SCROLLED, &["j", "Down"], Command::Move(Motion::Down), "", "down"),
    row(Topic::Move, SCROLLED, &["k", "Up"], Command::Move(Motion::Up), "", "up"),
    row(Topic::Move, SCROLLED, &["C-d"], Command::Move(Motion::HalfDown), "", "half a page down"),
    row(Topic::Move, SCROLLED, &["C-u"], Command::Move(Motion::HalfUp), "", "half a page up"),
    row(Topic::Move, SCROLLED, &["C-f", "PgDn"], Command::Move(Motion::PageDown), "", "a page down"),
    row(Topic::Move, SCROLLED, &["C-b", "PgUp"], Command::Move(Motion::PageUp), "", "a page up"),
    row(Topic::Move, SCROLLED, &["g g", "Home"], Command::Move(Motion::Top), "", "to the start").begun("top"),
    row(Topic::Move, SCROLLED, &["G", "End"], Command::Move(Motion::Bottom), "", "to the end; with a number, to that line of the file"),
    row(Topic::Move, STREAM, &["z t"], Command::Scroll(Scroll::CursorToTop), "", "put this line at the top").begun("to top"),
    row(Topic::Move, STREAM, &["z z"], Command::Scroll(Scroll::CursorToMiddle), "", "put this line in the middle").begun("to middle"),
    row(Topic::Move, STREAM, &["z b"], Command::Scroll(Scroll::CursorToBottom), "", "put this line at the bottom").begun("to bottom"),
    row(Topic::Move, SIDEWAYS, &["h", "Left"], Command::Scroll(Scroll::Left), "", "scroll sideways, to the left"),
    row(Topic::Move, SIDEWAYS, &["l", "Right"], Command::Scroll(Scroll::Right), "", "scroll sideways, to the right"),
    row(Topic::Move, SIDEWAYS, &["0"], Command::Scroll(Scroll::LeftEdge), "", "to the start of the lines"),
    row(Topic::Move, SIDEWAYS, &["$"], Command::Scroll(Scroll::RightEdge), "", "to the end of this line"),

    row(Topic::Find, BOTH, &["/"], Command::Search, "search", "search in all files (regular expression, smart case)"),
    row(Topic::Find, STREAM, &["n"], Command::Jump(Landmark::Found, Direction::Forward), "", "next match"),
    row(Topic::Find, STREAM, &["N"], Command::Jump(Landmark::Found, Direction::Backward), "", "previous match"),
    row(Topic::Find, BOTH, &["f"], Command::List(List::Filter), "filter", "show only files whose name has these letters; ! for those that need attention; Esc shows all"),

    row(Topic::Say, STREAM, &["c"], Command::Comment(About::Hunk), "comment", "comment on the hunk or on selected lines, changed or not, for the agent"),
    row(Topic::Say, STREAM, &["Q"], Command::AskAgent, "", "ask the agent about the hunk or the selected lines; the review goes on"),
    row(Topic::Say, ONLY_STREAM, &["T"], Command::ResolveThread, "resolve", "resolve the thread under the cursor, or reopen it; c replies in it"),
    row(Topic::Say, BOTH, &["C"], Command::Comment(About::File), "", "comment on the file"),
    row(Topic::Say, BOTH, &["g c"], Command::Comment(About::Batch), "", "comment on the whole batch").begun("comment on all"),
    row(Topic::Say, STREAM, &["y"], Command::Copy, "", "copy the lines to the terminal's clipboard"),

    row(Topic::View, BOTH, &["t"], Command::List(List::Show), "files", "the list of all files, and back"),
    row(Topic::View, BOTH, &["p"], Command::Read(ReaderPage::Result), "", "the file as it would be written now"),
    row(Topic::View, BOTH, &["!"], Command::Read(ReaderPage::Plan), "plan", "what would be written, what stays open, and the report to the agent"),
    row(Topic::View, ONLY_STREAM, &["g p"], Command::Read(ReaderPage::Compare), "", "the hunk's lines: as they are, as proposed, as edited").begun("compare"),
    row(Topic::View, READER, &["}", "Tab"], Command::Read(ReaderPage::Next), "next", "the next file, or the next of the three texts"),
    row(Topic::View, READER, &["{", "S-Tab"], Command::Read(ReaderPage::Previous), "", "the previous one"),
    row(Topic::View, READER, &["]"], Command::Read(ReaderPage::NextPlace), "go on", "the next change of the file; a hunk without a place at the next of its likely places"),
    row(Topic::View, READER, &["["], Command::Read(ReaderPage::PreviousPlace), "", "the previous change or place"),
    row(Topic::View, READER, &["r"], Command::Read(ReaderPage::Check), "check", "run the check command again"),
    row(Topic::View, READER, &["b"], Command::Read(ReaderPage::Breaking), "", "find the hunk that breaks the check, then go to it"),
    row(Topic::Find, READER, &["/"], Command::Read(ReaderPage::Search), "search", "search in this text"),
    row(Topic::Find, READER, &["n"], Command::Read(ReaderPage::NextFound), "", "next match in it"),
    row(Topic::Find, READER, &["N"], Command::Read(ReaderPage::PreviousFound), "", "previous match in it"),
    row(Topic::View, BATCH, &["Enter"], Command::List(List::Open), "open", "show the file in the stream; close the folder, or open it"),
    row(Topic::View, BATCH, &["z a"], Command::List(List::Fold), "", "close the folder, or open it").begun("folder"),
    row(Topic::View, ONLY_STREAM, &["s"], Command::List(List::Sort), "", "the order of the files: riskiest first, by intent, by kind, by path, as proposed, by state"),
    row(Topic::View, BATCH, &["s"], Command::List(List::Sort), "order", "the next order of the files"),
    row(Topic::View, BATCH, &["Space"], Command::List(List::Choose), "choose", "choose the file, or the files of the group"),
    row(Topic::View, BATCH, &["v"], Command::List(List::Range), "", "choose a range of files"),
    row(Topic::View, BATCH, &["V"], Command::List(List::ChooseAll), "", "choose all files of the list, or none"),
    row(Topic::View, STREAM, &["b"], Command::View(View::List), "", "the file list at the side"),
    row(Topic::View, STREAM, &["|"], Command::View(View::Layout), "", "side by side or unified"),
    row(Topic::View, STREAM, &["w"], Command::View(View::Wrap), "", "wrap changed lines, all lines, or none"),
    row(Topic::View, STREAM, &["W"], Command::View(View::Blanks), "", "show blanks, tabs and line endings"),
    row(Topic::View, STREAM, &["D"], Command::View(View::Words), "", "emphasise the words that differ"),
    row(Topic::View, STREAM, &["z p"], Command::View(View::Pairs), "", "lines that were paired wrongly: show the removed above the added ones, and back").begun("pairs"),
    row(Topic::View, ONLY_STREAM, &["o"], Command::View(View::OneFile), "", "one file at a time, or all in one stream"),
    row(Topic::View, STREAM, &["z a"], Command::View(View::Fold), "", "open the fold here, or close the file").begun("fold"),
    row(Topic::View, ONLY_STREAM, &["Enter"], Command::View(View::Unfold), "", "open the fold here, or the closed file"),
    row(Topic::View, STREAM, &["z R"], Command::View(View::OpenFolds), "", "open all folds of the file").begun("open all"),
    row(Topic::View, STREAM, &["z M"], Command::View(View::CloseFolds), "", "close them").begun("close all"),
    row(Topic::View, STREAM, &["+", "="], Command::View(View::MoreContext), "", "more unchanged lines around hunks; on a fold, ten of its lines"),
    row(Topic::View, STREAM, &["-"], Command::View(View::LessContext), "", "fewer unchanged lines around hunks"),
    row(Topic::View, REVIEW, &["?", "F1"], Command::Help, "help", "all keys"),
    row(Topic::View, READER, &["?", "F1"], Command::Help, "help", "all keys, those that work here first"),
    row(Topic::View, DIALOGS, &["?", "F1"], Command::Help, "", "all keys, those that work here first"),
    row(Topic::View, TEXT, &["F1"], Command::Help, "help", "all keys, those for typing first; what was typed stays"),
    row(Topic::View, REVIEW, &[":", "C-p"], Command::Palette, "", "any command, by its name; or a line, by its number"),
    row(Topic::View, &[KeyContext::Help], &["/"], Command::Search, "filter", "show only keys with these letters"),
    row(Topic::View, REVIEW, &["C-l"], Command::Redraw, "", "redraw the screen"),
    row(Topic::Edit, BOTH, &["g <"], Command::Match(Matching::Looser), "", "lower the match threshold by 0.05 and place everything again (minimum 0.80)").begun("looser match"),
    row(Topic::Edit, BOTH, &["g >"], Command::Match(Matching::Closer), "", "raise the match threshold by 0.05 and place everything again (maximum 1.00)").begun("closer match"),

    row(Topic::Leave, REVIEW, &["q"], Command::Leave(Leaving::Ask), "finish", "finish: write, keep for later, or discard; asks if hunks are undecided or need attention, or accepted lines were never shown"),
    row(Topic::Leave, BOTH, &["Z Z"], Command::Leave(Leaving::Write), "", "write what is accepted and leave; asks if hunks are undecided or need attention, or accepted lines were never shown").begun("write"),
    row(Topic::Leave, BOTH, &["Z Q"], Command::Leave(Leaving::Discard), "", "reject everything and leave").begun("discard"),
    row(Topic::Leave, BOTH, &["C-c C-c"], Command::Leave(Leaving::Abort), "", "abort: nothing is written").begun("abort"),
    row(Topic::Leave, &[KeyContext::Stream, KeyContext::Lines, KeyContext::FileList, KeyContext::Editor, KeyContext::Placing, KeyContext::Reader, KeyContext::Prompt, KeyContext::Question, KeyContext::Finish, KeyContext::Help], &["C-z"], Command::Suspend, "", "suspend"),
    row(Topic::Leave, PROMPT, &["Enter"], Command::Submit, "done", "submit what was typed"),
    row(Topic::Leave, QUESTION, &["y"], Command::Yes, "yes", "yes"),
    row(Topic::Find, ONLY_STREAM, &["Esc"], Command::Back, "", "cancel the apply model; hide matches; show all files"),
    row(Topic::Leave, FINISH, &["w"], Command::Leave(Leaving::Write), "write", "write what is accepted"),
    row(Topic::Leave, FINISH, &["a"], Command::Edit(Editing::AcceptAll), "accept edits", "accept the hunks with an edit that would be dropped"),
    row(Topic::Leave, FINISH, &["k"], Command::Leave(Leaving::Keep), "keep for later", "write nothing now and keep the review"),
    row(Topic::Leave, FINISH, &["d"], Command::Leave(Leaving::Discard), "discard", "write nothing and drop the review"),
    row(Topic::Leave, &[KeyContext::Lines, KeyContext::FileList, KeyContext::Prompt, KeyContext::Question, KeyContext::Finish, KeyContext::Help, KeyContext::Placing, KeyContext::Reader], &["Esc"], Command::Back, "back", "back, without doing anything"),
    row(Topic::Leave, &[KeyContext::Help], &["q", "?", "F1"], Command::Back, "", "close the help"),
    row(Topic::Leave, &[KeyContext::Lines, KeyContext::Prompt, KeyContext::Finish, KeyContext::Help, KeyContext::Placing, KeyContext::Reader], &["C-c"], Command::Back, "", "back"),
    row(Topic::Leave, QUESTION, &["C-c"], Command::Edit(Editing::Keep), "", "no; the edit in question is kept, and the review goes on"),
    row(Topic::Leave, READER, &["w"], Command::Leave(Leaving::Write), "write", "in the plan: write what is accepted and leave; asks as in the review"),
    row(Topic::Leave, READER, &["q", "Enter"], Command::Back, "", "close it"),
    row(Topic::Leave, &[KeyContext::Finish], &["q"], Command::Back, "", "back to the review"),
    row(Topic::Leave, QUESTION, &["n"], Command::Back, "no", "no"),
];

/// The rows of the table that hold in a place, each with its position.
pub(crate) fn rows(place: KeyContext) -> impl Iterator<Item = (usize, &'static Binding)> {
    let rows = KEYS.iter().enumerate();
    rows.filter(move |(_, row)| row.places.contains(&place))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ui::keymap::keystroke::parse_sequence;

    #[test]
    fn every_key_of_the_table_is_a_key() {
        for binding in KEYS {
            for key in binding.keys {
                assert!(
                    parse_sequence(key).is_ok_and(|chords| !chords.is_empty()),
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn no_sequence_is_bound_twice_or_hides_another() {
        for place in KeyContext::ALL {
            let mut seen: BTreeMap<&str, Command> = BTreeMap::new();
            for (_, binding) in rows(place) {
                for key in binding.keys {
                    for (other, command) in &seen {
                        let hides = key.starts_with(&format!("{other} "))
                            || other.starts_with(&format!("{key} "));
                        assert!(
                            !hides && key != other,
                            "{place:?}: `{key}` ({:?}) and `{other}` ({command:?})",
                            binding.command
                        );
                    }
                    seen.insert(key, binding.command);
                }
            }
        }
    }

    #[test]
    fn a_place_that_takes_text_binds_no_character() {
        for place in KeyContext::ALL
            .into_iter()
            .filter(|place| place.takes_text())
        {
            for key in rows(place).flat_map(|(_, binding)| binding.keys) {
                let chords = parse_sequence(key).unwrap();
                assert_eq!(chords[0].typed(), None, "{key}");
            }
        }
    }
}
