//! Input with which an agent writes exactly the approved text.

use serde_json::{Map, Value};

use super::call::HookCall;
use super::client_effect::{Plain, inserted, replaced, written};
use super::clients::{ClientTrait, ToolKind};
use super::input::REASONS;
use super::outcome::{Allowed, FileOutcome};
use super::unique_replacement::{Replace, narrowed};
use super::{envelope, notebook};
use crate::agent::Approved;
use crate::text::Document;

/// Finds the input for a call. Changes to files that are not among the outcomes are left out.
pub fn allowed(call: &HookCall, outcomes: &[FileOutcome<'_>]) -> Allowed {
    let found = if call.kind == ToolKind::Patch {
        patch(call, outcomes)
    } else {
        match outcomes {
            [outcome] if outcome.rename.is_none() => one(call, outcome),
            _ => None,
        }
    };
    let found = match found {
        Some(Allowed::AsSent)
            if call.is_rewritten
                || call.agent.has(ClientTrait::TakesLastArguments)
                || call.args.keys().any(|name| !call.is_reviewed(name)) =>
        {
            Allowed::Amended(call.args.clone())
        }
        found => found.unwrap_or(Allowed::Impossible),
    };
    let found = match found {
        Allowed::Amended(mut args) => {
            args.retain(|name, _| call.is_reviewed(name));
            Allowed::Amended(args)
        }
        Allowed::AsSent | Allowed::Impossible => found,
    };
    match found {
        Allowed::Amended(_) if !call.agent.takes_amended_input() => Allowed::Impossible,
        Allowed::AsSent | Allowed::Amended(_) | Allowed::Impossible => found,
    }
}

fn patch(call: &HookCall, outcomes: &[FileOutcome<'_>]) -> Option<Allowed> {
    if call.agent.has(ClientTrait::AppliesPatchesLoosely) {
        return None;
    }
    let text = envelope::written(call.agent, outcomes)?;
    if call.patch().is_some_and(|own| own.trim_end() == text) {
        return Some(Allowed::AsSent);
    }
    match &call.embedded {
        Some(embedded) => Some(Allowed::Amended(embedded.with_patch(&call.args, &text)?)),
        None => Some(amended(call, [(call.agent.fields().patch, text.into())])),
    }
}

fn one(call: &HookCall, outcome: &FileOutcome<'_>) -> Option<Allowed> {
    let Approved::Text(wanted) = outcome.approved else {
        return None;
    };
    let fields = call.agent.fields();
    match call.kind {
        ToolKind::Patch => None,
        ToolKind::Notebook if call.agent.has(ClientTrait::FormatsNotebooks) => None,
        ToolKind::Notebook => notebook::amended(call, outcome.base?, wanted),
        ToolKind::Write => {
            let own = call.text(fields.content)?;
            if written(call.agent, outcome.base, own).as_ref() == Some(wanted) {
                return Some(Allowed::AsSent);
            }
            let fits = written(call.agent, outcome.base, wanted).as_ref() == Some(wanted);
            let input = || amended(call, [(fields.content, wanted.as_str().into())]);
            fits.then(input)
                .map(|input| mark_amended(call, outcome, own, input))
        }
        ToolKind::Diff => diff(call, outcome, wanted),
        ToolKind::Replace | ToolKind::ReplaceSeveral | ToolKind::Insert => {
            let (own, proposed) = if call.kind == ToolKind::Insert {
                (Vec::new(), call.insertion(outcome.base?))
            } else {
                let own = call.replacements()?;
                let proposed = replaced(call.agent, outcome.base, &own);
                (own, proposed)
            };
            if proposed.as_ref() == Some(wanted) {
                return Some(Allowed::AsSent);
            }
            let base = Plain::of(outcome.base)?;
            let edit = narrowed(&base.text, &base.same(wanted)?, &own);
            if replaced(call.agent, outcome.base, std::slice::from_ref(&edit)).as_ref()
                != Some(wanted)
            {
                return None;
            }
            let input = if call.kind == ToolKind::ReplaceSeveral {
                amended(call, [("edits", call.edit_list(&edit))])
            } else {
                let texts = [
                    (fields.old, edit.old.as_str().into()),
                    (fields.new, edit.new.as_str().into()),
                ];
                let all = fields.all.map(|all| (all, false.into()));
                let line = fields.line.map(|line| (line, Value::Null));
                amended(call, texts.into_iter().chain(all).chain(line))
            };
            let sent = proposed.or_else(|| own.first().map(|edit| edit.new.clone()))?;
            Some(mark_amended(call, outcome, &sent, input))
        }
    }
}

/// Gemini takes what its companion gives back for the new contents, but an empty text for its own, and where it was to
/// replace text the file's last line goes on ending as it did.
fn diff(call: &HookCall, outcome: &FileOutcome<'_>, wanted: &str) -> Option<Allowed> {
    let own = call.text("newContent")?;
    let comes_to = |text: &str| written(call.agent, outcome.base, text).as_deref() == Some(wanted);
    if comes_to(own) {
        return Some(Allowed::AsSent);
    }
    let plain = wanted.replace("\r\n", "\n");
    let ends = |text: &str| text.ends_with('\n');
    let stays = outcome
        .base
        .is_none_or(|base| ends(base.text()) == ends(own));
    let fits = !plain.is_empty() && comes_to(&plain) && (ends(wanted) == ends(own) || !stays);
    fits.then(|| amended(call, [("newContent", plain.into())]))
}

fn amended<'a>(call: &HookCall, fields: impl IntoIterator<Item = (&'a str, Value)>) -> Allowed {
    let mut args = call.args.clone();
    // Gemini's older name for how often the text is to be found.
    args.remove("expected_replacements");
    for (name, value) in fields {
        args.insert(name.to_owned(), value);
    }
    Allowed::Amended(args)
}

/// Marks an amended input for a client that reports the change to its model then.
fn mark_amended(
    call: &HookCall,
    outcome: &FileOutcome<'_>,
    proposed: &str,
    allowed: Allowed,
) -> Allowed {
    match allowed {
        Allowed::Amended(mut args)
            if outcome.is_amended && call.agent.has(ClientTrait::ReportsAmendedInput) =>
        {
            args.insert("modified_by_user".to_owned(), true.into());
            args.insert("ai_proposed_content".to_owned(), proposed.into());
            Allowed::Amended(args)
        }
        Allowed::AsSent | Allowed::Amended(_) | Allowed::Impossible => allowed,
    }
}

/// Fields of Gemini CLI and its relatives about what a person changed in a call.
const MARKS: [&str; 2] = ["ai_proposed_content", "modified_by_user"];

impl HookCall {
    /// Returns true if a field is one that the person has reviewed, or one in words. The client may know others and do what nobody has
    /// seen, such as append.
    fn is_reviewed(&self, name: &str) -> bool {
        let fields = self.agent.fields();
        let texts = [fields.path, fields.old, fields.new, fields.content];
        let others = ["edits", "expected_replacements"];
        let known = texts.into_iter().chain(others).chain(REASONS).chain(MARKS);
        let mut known = known.chain(fields.all).chain(fields.line);
        match self.kind {
            ToolKind::Write | ToolKind::Replace | ToolKind::ReplaceSeveral | ToolKind::Insert => {
                known.any(|known| known == name)
            }
            ToolKind::Patch | ToolKind::Notebook | ToolKind::Diff => true,
        }
    }

    /// The replacements that it asks for, one after the other.
    pub(super) fn replacements(&self) -> Option<Vec<Replace>> {
        if self.kind == ToolKind::Replace {
            return Some(vec![self.replacement(&self.args)?]);
        }
        let edits = self.args.get("edits")?.as_array()?.iter();
        edits
            .map(|edit| self.replacement(edit.as_object()?))
            .collect()
    }

    /// Returns the text of a file after the lines of this call are inserted.
    fn insertion(&self, base: &Document) -> Option<String> {
        let fields = self.agent.fields();
        let line = self.args.get(fields.line?)?.as_u64()?;
        inserted(base, usize::try_from(line).ok()?, self.text(fields.new)?)
    }

    fn replacement(&self, args: &Map<String, Value>) -> Option<Replace> {
        let fields = self.agent.fields();
        let text = |name: &str| args.get(name).and_then(Value::as_str).map(str::to_owned);
        let expected = args.get("expected_replacements").and_then(Value::as_u64);
        Some(Replace {
            old: text(fields.old)?,
            new: text(fields.new)?,
            all: fields.all.and_then(|all| args.get(all)?.as_bool()) == Some(true)
                || expected.is_some_and(|count| count > 1),
        })
    }

    /// One replacement as a list of such, in the form of this agent.
    fn edit_list(&self, edit: &Replace) -> Value {
        let fields = self.agent.fields();
        let own = self
            .args
            .get("edits")
            .and_then(|edits| edits.get(0)?.as_object());
        // It may name the file as well.
        let mut one = own.cloned().unwrap_or_default();
        one.insert(fields.old.to_owned(), edit.old.as_str().into());
        one.insert(fields.new.to_owned(), edit.new.as_str().into());
        one.extend(fields.all.map(|all| (all.to_owned(), false.into())));
        Value::Array(vec![Value::Object(one)])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::names::Agent;
    use super::*;
    use crate::agent::hook::{HookRequest, read};

    /// Checks the text that the companion returns to Gemini CLI for an approved text.
    #[track_caller]
    fn check_diff(base: Option<&str>, proposed: &str, wanted: &str, expected: &str) {
        let asked = json!({
            "tool_name": "openDiff", "cwd": "/w",
            "tool_input": {"filePath": "/w/a", "newContent": proposed},
        });
        let Ok(HookRequest::Write(call)) = read(Agent::Gemini, asked.to_string().as_bytes()) else {
            panic!("it is not understood");
        };
        let base = base.map(Document::from_text);
        let outcome = FileOutcome {
            path: "a",
            rename: None,
            base: base.as_ref(),
            approved: &Approved::Text(wanted.to_owned()),
            is_amended: true,
        };
        let found = match allowed(&call, &[outcome]) {
            Allowed::AsSent => "as sent".to_owned(),
            Allowed::Amended(args) => args["newContent"].as_str().unwrap().to_owned(),
            Allowed::Impossible => "impossible".to_owned(),
        };
        assert_eq!(found, expected);
    }

    /// Checks the arguments with which a client carries out a call that was approved as it is.
    #[track_caller]
    fn check_fields(agent: Agent, tool: &str, args: &Value, expected: Option<&Value>) {
        let asked = json!({"tool_name": tool, "cwd": "/w", "tool_input": args}).to_string();
        let Ok(HookRequest::Write(call)) = read(agent, asked.as_bytes()) else {
            panic!("it is not understood");
        };
        let base = Document::from_text("a\n");
        let outcome = FileOutcome {
            path: "f",
            rename: None,
            base: Some(&base),
            approved: &Approved::Text("b\n".to_owned()),
            is_amended: false,
        };
        let found = allowed(&call, &[outcome]);
        let expected = expected.map_or(Allowed::AsSent, |args| {
            Allowed::Amended(args.as_object().unwrap().clone())
        });
        assert_eq!(found, expected, "{args}");
    }

    #[test]
    fn fields_that_nobody_has_reviewed_are_left_out() {
        let write = json!({"file_path": "/w/f", "content": "b\n"});
        let with = |call: &Value, name: &str, value: Value| {
            let mut call = call.clone();
            call[name] = value;
            call
        };
        let append = with(&write, "append", true.into());
        check_fields(Agent::Claude, "Write", &write, None);
        check_fields(Agent::Claude, "Write", &append, Some(&write));
        let mode = with(&write, "mode", "append".into());
        check_fields(Agent::Gemini, "write_file", &mode, Some(&write));
        let edit = json!({"file_path": "/w/f", "old_string": "a", "new_string": "b"});
        let other = with(&edit, "path", "/w/g".into());
        check_fields(Agent::Claude, "Edit", &other, Some(&edit));
        let said = with(&edit, "instruction", "say b".into());
        check_fields(Agent::Gemini, "replace", &said, None);
        let all = with(&edit, "replace_all", false.into());
        check_fields(Agent::Claude, "Edit", &all, None);
    }

    #[test]
    fn the_companion_gives_back_only_what_gemini_will_write() {
        check_diff(Some("a\n"), "b\n", "b\n", "as sent");
        check_diff(Some("a\n"), "b\n", "c\n", "c\n");
        check_diff(None, "b\n", "c\n", "c\n");
        // Gemini writes the line endings that the file has.
        check_diff(Some("a\r\n"), "b\n", "b\r\n", "as sent");
        check_diff(Some("a\r\n"), "b\n", "c\r\n", "c\n");
        check_diff(Some("a\r\n"), "b\n", "c\n", "impossible");
        check_diff(Some("a\r\nb\n"), "b\n", "c\n", "impossible");
        // An empty text is its own one to it.
        check_diff(Some("a\n"), "", "", "as sent");
        check_diff(Some("a\n"), "b\n", "", "impossible");
        // Which of its tools asks is not known, and one of them keeps the end of the file.
        check_diff(Some("a\n"), "b\n", "b", "impossible");
        check_diff(Some("a\n"), "b", "c", "c");
        check_diff(Some("a\n"), "b", "b\n", "b\n");
    }
}
