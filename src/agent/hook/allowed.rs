//! The input with which an agent writes exactly what was approved.

use serde_json::{Map, Value};

use super::amend::narrowed;
use super::call::Call;
use super::effect::{Plain, Replace, replaced, written};
use super::names::{Agent, Kind};
use super::{envelope, notebook};
use crate::agent::Approved;
use crate::text::Document;

/// What a file is to become by a call.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// The file, as the agent may name it.
    pub path: &'a str,
    /// Its new name, if it gets one.
    pub rename: Option<&'a str>,
    /// What it holds now; `None` if it is not there.
    pub base: Option<&'a Document>,
    /// What it is to hold.
    pub approved: &'a Approved,
    /// Whether this is another text than the agent proposed.
    pub is_amended: bool,
}

/// How an agent comes to write what was approved.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// By its own input.
    AsSent,
    /// By these arguments.
    Amended(Map<String, Value>),
    /// By none: its client would write something else. Somebody else has to write.
    Impossible,
}

/// Finds the input for a call. What it changes in files that are not among the outcomes is not allowed.
pub fn allowed(call: &Call, outcomes: &[Outcome<'_>]) -> Allowed {
    let found = if call.kind == Kind::Patch {
        patch(call, outcomes)
    } else {
        match outcomes {
            [outcome] if outcome.rename.is_none() => one(call, outcome),
            _ => None,
        }
    };
    found.unwrap_or(Allowed::Impossible)
}

fn patch(call: &Call, outcomes: &[Outcome<'_>]) -> Option<Allowed> {
    let name = call.agent.fields().patch;
    let text = envelope::written(call.agent, outcomes)?;
    let same = call.text(name).is_some_and(|own| own.trim_end() == text);
    Some(if same {
        Allowed::AsSent
    } else {
        amended(call, [(name, text.into())])
    })
}

fn one(call: &Call, outcome: &Outcome<'_>) -> Option<Allowed> {
    let Approved::Text(wanted) = outcome.approved else {
        return None;
    };
    let fields = call.agent.fields();
    match call.kind {
        Kind::Patch => None,
        Kind::Notebook => notebook::amended(call, outcome.base?, wanted),
        Kind::Write => {
            let own = call.text("content")?;
            if written(call.agent, outcome.base, own).as_ref() == Some(wanted) {
                return Some(Allowed::AsSent);
            }
            let fits = written(call.agent, outcome.base, wanted).as_ref() == Some(wanted);
            let input = || amended(call, [("content", wanted.as_str().into())]);
            fits.then(input)
                .map(|input| told(call, outcome, own, input))
        }
        Kind::Replace | Kind::ReplaceSeveral => {
            let own = call.replacements()?;
            let proposed = replaced(call.agent, outcome.base, &own);
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
            let input = if call.kind == Kind::Replace {
                amended(
                    call,
                    [
                        (fields.old, edit.old.as_str().into()),
                        (fields.new, edit.new.as_str().into()),
                        (fields.all, false.into()),
                    ],
                )
            } else {
                amended(call, [("edits", call.edit_list(&edit))])
            };
            let sent = proposed.or_else(|| own.first().map(|edit| edit.new.clone()))?;
            Some(told(call, outcome, &sent, input))
        }
    }
}

fn amended<const N: usize>(call: &Call, fields: [(&str, Value); N]) -> Allowed {
    let mut args = call.args.clone();
    // Gemini's older name for how often the text is to be found.
    args.remove("expected_replacements");
    for (name, value) in fields {
        args.insert(name.to_owned(), value);
    }
    Allowed::Amended(args)
}

/// Gemini tells its model that a person changed the text, if it is told so itself.
fn told(call: &Call, outcome: &Outcome<'_>, proposed: &str, allowed: Allowed) -> Allowed {
    match allowed {
        Allowed::Amended(mut args) if call.agent == Agent::Gemini && outcome.is_amended => {
            args.insert("modified_by_user".to_owned(), true.into());
            args.insert("ai_proposed_content".to_owned(), proposed.into());
            Allowed::Amended(args)
        }
        Allowed::AsSent | Allowed::Amended(_) | Allowed::Impossible => allowed,
    }
}

impl Call {
    /// The replacements that it asks for, one after the other.
    pub(super) fn replacements(&self) -> Option<Vec<Replace>> {
        if self.kind == Kind::Replace {
            return Some(vec![self.replacement(&self.args)?]);
        }
        let edits = self.args.get("edits")?.as_array()?.iter();
        edits
            .map(|edit| self.replacement(edit.as_object()?))
            .collect()
    }

    fn replacement(&self, args: &Map<String, Value>) -> Option<Replace> {
        let fields = self.agent.fields();
        let text = |name: &str| args.get(name).and_then(Value::as_str).map(str::to_owned);
        let expected = args.get("expected_replacements").and_then(Value::as_u64);
        Some(Replace {
            old: text(fields.old)?,
            new: text(fields.new)?,
            all: args.get(fields.all).and_then(Value::as_bool) == Some(true)
                || expected.is_some_and(|count| count > 1),
        })
    }

    /// One replacement as a list of such, in the form of this agent.
    fn edit_list(&self, edit: &Replace) -> Value {
        let fields = self.agent.fields();
        let mut one = Map::new();
        if self.agent == Agent::Opencode {
            one.insert(fields.path.to_owned(), self.path().into());
        }
        one.insert(fields.old.to_owned(), edit.old.as_str().into());
        one.insert(fields.new.to_owned(), edit.new.as_str().into());
        one.insert(fields.all.to_owned(), false.into());
        Value::Array(vec![Value::Object(one)])
    }
}
