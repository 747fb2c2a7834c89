//! The names of commands: what settings and the palette call them.

use std::borrow::Cow;

use super::{Command, Typing};
use crate::review::Direction;

impl Command {
    /// Returns the command's name, in small letters with hyphens.
    pub fn name(self) -> Cow<'static, str> {
        let name = match self {
            Self::Move(motion) => motion.name(),
            Self::Scroll(scroll) => scroll.name(),
            Self::Jump(to, Direction::Forward) => return format!("next-{}", to.name()).into(),
            Self::Jump(to, Direction::Backward) => return format!("previous-{}", to.name()).into(),
            Self::Decide(scope, verdict) => {
                return format!("{}{}", verdict.name(), scope.name()).into();
            }
            Self::SelectLines => "select-lines",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Edit(editing) => editing.name(),
            Self::Place(step) => step.name(),
            Self::AskModel => "ask-model",
            Self::Split => "split",
            Self::Match(matching) => matching.name(),
            Self::Read(reading) => reading.name(),
            Self::Type(Typing::Go(motion)) => return format!("go-{}", motion.name()).into(),
            Self::Type(Typing::Select(motion)) => {
                return format!("select-{}", motion.name()).into();
            }
            Self::Type(typing) => of_typing(typing),
            Self::AskAgent => "ask-agent",
            Self::ResolveThread => "resolve-thread",
            Self::Comment(about) => about.name(),
            Self::View(view) => view.name(),
            Self::List(list) => list.name(),
            Self::Search => "search",
            Self::Copy => "copy",
            Self::Help => "help",
            Self::Palette => "palette",
            Self::Suspend => "suspend",
            Self::Redraw => "redraw",
            Self::Leave(leaving) => leaving.name(),
            Self::Back => "back",
            Self::Submit => "submit",
            Self::Yes => "yes",
        };
        name.into()
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
        Typing::Go(motion) | Typing::Select(motion) => motion.name(),
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
