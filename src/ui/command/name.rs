//! The names of commands: what settings and the palette call them.

use std::borrow::Cow;

use super::{
    About, ByHand, CaretMotion, Command, Editing, Landmark, Leaving, List, Matching, Motion,
    Reading, Scope, Scroll, Typing, Verdict, View,
};
use crate::review::Direction;

impl Command {
    /// The command's name, in small letters with hyphens.
    pub fn name(self) -> Cow<'static, str> {
        let name = match self {
            Self::Move(motion) => of_motion(motion),
            Self::Scroll(scroll) => of_scroll(scroll),
            Self::Jump(to, direction) => return of_jump(to, direction).into(),
            Self::Decide(scope, verdict) => return of_decision(scope, verdict).into(),
            Self::SelectLines => "select-lines",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Edit(editing) => of_edit(editing),
            Self::Place(ByHand::Begin) => "place",
            Self::Place(ByHand::Next) => "next-place",
            Self::Place(ByHand::Previous) => "previous-place",
            Self::Place(ByHand::Take) => "place-here",
            Self::AskModel => "ask-model",
            Self::Split => "split",
            Self::Match(Matching::Looser) => "match-looser",
            Self::Match(Matching::Closer) => "match-closer",
            Self::Read(reading) => of_reading(reading),
            Self::Type(Typing::Go(travel)) => return format!("go-{}", of_travel(travel)).into(),
            Self::Type(Typing::Select(travel)) => {
                return format!("select-{}", of_travel(travel)).into();
            }
            Self::Type(typing) => of_typing(typing),
            Self::AskAgent => "ask-agent",
            Self::ResolveThread => "resolve-thread",
            Self::Comment(About::Hunk) => "comment",
            Self::Comment(About::File) => "comment-file",
            Self::Comment(About::Batch) => "comment-batch",
            Self::View(view) => of_view(view),
            Self::List(List::Show) => "files",
            Self::List(List::Open) => "open-file",
            Self::List(List::Sort) => "sort-files",
            Self::List(List::Choose) => "choose-file",
            Self::List(List::Range) => "choose-files",
            Self::List(List::ChooseAll) => "choose-all-files",
            Self::List(List::Filter) => "filter-files",
            Self::Search => "search",
            Self::Copy => "copy",
            Self::Help => "help",
            Self::Palette => "palette",
            Self::Suspend => "suspend",
            Self::Redraw => "redraw",
            Self::Leave(Leaving::Ask) => "finish",
            Self::Leave(Leaving::Write) => "write",
            Self::Leave(Leaving::Keep) => "keep-review",
            Self::Leave(Leaving::Discard) => "discard",
            Self::Leave(Leaving::Abort) => "abort",
            Self::Back => "back",
            Self::Submit => "submit",
            Self::Yes => "yes",
        };
        name.into()
    }
}

fn of_reading(reading: Reading) -> &'static str {
    match reading {
        Reading::Result => "result",
        Reading::Plan => "plan",
        Reading::Compare => "compare",
        Reading::Next => "next-text",
        Reading::Previous => "previous-text",
        Reading::Search => "search-text",
        Reading::NextFound => "next-found",
        Reading::PreviousFound => "previous-found",
        Reading::Check => "check",
        Reading::Breaking => "find-breaking",
    }
}

fn of_motion(motion: Motion) -> &'static str {
    match motion {
        Motion::Down => "down",
        Motion::Up => "up",
        Motion::HalfDown => "half-page-down",
        Motion::HalfUp => "half-page-up",
        Motion::PageDown => "page-down",
        Motion::PageUp => "page-up",
        Motion::Top => "top",
        Motion::Bottom => "bottom",
    }
}

fn of_scroll(scroll: Scroll) -> &'static str {
    match scroll {
        Scroll::CursorToTop => "align-top",
        Scroll::CursorToMiddle => "align-middle",
        Scroll::CursorToBottom => "align-bottom",
        Scroll::Left => "scroll-left",
        Scroll::Right => "scroll-right",
        Scroll::LeftEdge => "scroll-to-start",
        Scroll::RightEdge => "scroll-to-end",
    }
}

fn of_jump(to: Landmark, direction: Direction) -> String {
    let direction = match direction {
        Direction::Forward => "next",
        Direction::Backward => "previous",
    };
    let to = match to {
        Landmark::Hunk => "hunk",
        Landmark::File => "file",
        Landmark::Undecided => "undecided",
        Landmark::Attention => "attention",
        Landmark::Comment => "comment",
        Landmark::Found => "match",
    };
    format!("{direction}-{to}")
}

fn of_decision(scope: Scope, verdict: Verdict) -> String {
    let verdict = match verdict {
        Verdict::Accept => "accept",
        Verdict::Reject => "reject",
        Verdict::Clear => "clear",
        Verdict::Toggle => "toggle",
    };
    let scope = match scope {
        Scope::Here => "",
        Scope::File => "-file",
        Scope::Rest => "-rest",
    };
    format!("{verdict}{scope}")
}

fn of_edit(editing: Editing) -> &'static str {
    match editing {
        Editing::Begin => "edit",
        Editing::External => "edit-outside",
        Editing::Keep => "keep-edit",
        Editing::Drop => "drop-edit",
        Editing::Restore => "restore",
    }
}

fn of_typing(typing: Typing) -> &'static str {
    match typing {
        Typing::Undo => "undo-typing",
        Typing::Redo => "redo-typing",
        Typing::Newline => "break-line",
        Typing::Indent => "indent",
        Typing::Outdent => "outdent",
        Typing::DeleteBack => "delete-back",
        Typing::DeleteForward => "delete-forward",
        Typing::DeleteWordBack => "delete-word-back",
        Typing::DeleteWordForward => "delete-word-forward",
        Typing::DeleteToEnd => "delete-to-end",
        Typing::DeleteToStart => "delete-to-start",
        Typing::SelectAll => "select-all",
        Typing::Cut => "cut",
        Typing::Copy => "copy-text",
        Typing::Paste => "paste",
        Typing::Go(travel) | Typing::Select(travel) => of_travel(travel),
    }
}

fn of_travel(travel: CaretMotion) -> &'static str {
    match travel {
        CaretMotion::Left => "left",
        CaretMotion::Right => "right",
        CaretMotion::Up => "up",
        CaretMotion::Down => "down",
        CaretMotion::WordLeft => "word-left",
        CaretMotion::WordRight => "word-right",
        CaretMotion::Home => "line-start",
        CaretMotion::End => "line-end",
        CaretMotion::PageUp => "page-up",
        CaretMotion::PageDown => "page-down",
        CaretMotion::First => "text-start",
        CaretMotion::Last => "text-end",
    }
}

fn of_view(view: View) -> &'static str {
    match view {
        View::Layout => "toggle-layout",
        View::Wrap => "toggle-wrap",
        View::Blanks => "toggle-blanks",
        View::Words => "toggle-words",
        View::OneFile => "toggle-one-file",
        View::List => "toggle-list",
        View::Fold => "toggle-fold",
        View::Unfold => "open-fold",
        View::OpenFolds => "open-folds",
        View::CloseFolds => "close-folds",
        View::MoreContext => "more-context",
        View::LessContext => "less-context",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::ui::keymap::KEYS;

    #[test]
    fn every_command_has_a_name_of_its_own() {
        let mut named = HashMap::new();
        for binding in KEYS {
            let name = binding.command.name();
            assert!(
                name.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
                "{name}"
            );
            let other = named.insert(name.clone(), binding.command);
            assert!(other.is_none_or(|other| other == binding.command), "{name}");
        }
    }
}
