//! Actions in markup that are no edits of a text and are not read: what Bolt, v0 and Dyad do beside the files that they write.
//!
//! `<boltAction type="shell">`, `stackblitz/bolt.new app/lib/runtime/message-parser.ts`; `<dyad-execute-sql>`, `dyad-sh/dyad
//! src/ipc/utils/dyad_tag_parser.ts`.

use super::opening_tag::OpeningTag;
use crate::dialect::input::Input;
use crate::dialect::shell::changing_command::{CommandPlace, may_change_files};
use crate::dialect::tool::{schema, tool_match};
use crate::text::LineIdx;

/// Prefixes of the elements of a client whose files are read.
const FAMILIES: [&str; 2] = ["dyad-", "lov-"];
/// Verbs in the names of actions, beside those of tools that change files.
const VERBS: [&str; 3] = ["add", "execute", "install"];
/// Types of a `boltAction` that run a command.
const COMMANDS: [&str; 3] = ["build", "shell", "start"];

/// Describes the action that opens at a line and may change more than what was read.
pub(super) fn unread(input: &Input, at: LineIdx) -> Option<String> {
    let text = input.tail(at).trim_start_matches([' ', '\t']);
    let tag = OpeningTag::open(text)?;
    if tag.name == "boltAction" {
        let kind = tag.attribute("type").filter(|kind| *kind != "file")?;
        let is_command = COMMANDS.contains(&kind) && input.has_closing_tag(tag.name, text);
        let body = (is_command.then_some(&text[tag.length..]))
            .and_then(|body| body.split_once("</boltAction>"));
        return (!is_command || body.is_some_and(|(body, _)| changes_files(body)))
            .then(|| format!("an action `{kind}` of `<boltAction>`, which may change files"));
    }
    if schema::element(tag.name).is_some() {
        return None;
    }
    let family = FAMILIES
        .iter()
        .find_map(|prefix| tag.name.strip_prefix(prefix));
    let is_action = if let Some(name) = family {
        has_verb(name)
    } else {
        // `<DeleteFile file="a" />`
        let mut words = tool_match::words(tag.name).into_iter();
        tag.is_empty && has_verb(tag.name) && words.any(|word| word == "file")
    };
    is_action.then(|| format!("an action `<{}>`, which is not read", tag.name))
}

/// Returns `true` if a command of a script may change files.
fn changes_files(script: &str) -> bool {
    let mut lines = script.lines();
    lines.any(|line| may_change_files(line, CommandPlace::Shell))
}

fn has_verb(name: &str) -> bool {
    let words = tool_match::words(name);
    words.iter().any(|word| VERBS.contains(&word.as_str())) || tool_match::has_changing_verb(&words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::ReadReason;

    #[test]
    fn actions_that_may_change_more_are_named() {
        let check = |text: &str, expected: bool| {
            let input = Input::new(text, None, ReadReason::InTurn);
            assert_eq!(unread(&input, 0).is_some(), expected, "{text}");
        };
        check("<boltAction type=\"shell\">rm src/a.py</boltAction>", true);
        check(
            "<boltAction type=\"shell\">\nnpm install\nrm a\n</boltAction>",
            true,
        );
        check("<boltAction type=\"shell\">npm test</boltAction>", false);
        check("<boltAction type=\"start\">npm run dev</boltAction>", false);
        check(
            "<boltAction type=\"supabase\" operation=\"migration\">x</boltAction>",
            true,
        );
        check("<DeleteFile file=\"a\" />", true);
        check("<MoveFile from=\"a\" to=\"b\" />", true);
        check(
            "<dyad-execute-sql description=\"x\">drop table x</dyad-execute-sql>",
            true,
        );
        check(
            "<dyad-add-dependency packages=\"x\"></dyad-add-dependency>",
            true,
        );
        check("<dyad-chat-summary>x</dyad-chat-summary>", false);
        check("<lov-code>", false);
        check("<button>", false);
    }
}
