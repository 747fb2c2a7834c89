//! Messages about a review to the model.

use similar::TextDiff;

use crate::agent::hook::HookCall;
use crate::agent::{FileDecision, Verdict};

/// Returns the message for an edit that was amended or commented on; `None` for one that is accepted as sent.
pub(in crate::cli) fn amended(verdict: &Verdict) -> Option<String> {
    let is_as_sent = verdict.files.iter().all(|file| {
        matches!(
            file.decision,
            FileDecision::Accepted | FileDecision::AlreadyApplied
        )
    });
    if verdict.comments.is_empty() && !verdict.asks() && is_as_sent {
        return None;
    }
    Some(format!(
        "countersign: a person reviewed this edit before it was written, and what is written is what they approved, not \
        all that was proposed. Do not revert it, and do not send again what they left out.\n{}",
        verdict.message
    ))
}

/// Returns the message for an edit of which nothing is approved.
pub(in crate::cli) fn rejected(verdict: &Verdict) -> String {
    format!(
        "countersign: nothing of this edit is written.\n{}",
        verdict.message
    )
}

/// Returns the message for an edit that countersign wrote itself.
pub(in crate::cli) fn written(verdict: &Verdict) -> String {
    format!(
        "countersign: this edit is approved and written already, by countersign itself, because the tool would have written \
        something else than was approved. It is no error: do not make the edit again; read the file before you edit it \
        further, and do not revert it.\n{}",
        verdict.message
    )
}

/// Returns whether a call was carried out with the text of a person, as Gemini CLI marks it.
pub(super) fn is_amended(call: &HookCall) -> bool {
    call.args
        .get("modified_by_user")
        .and_then(serde_json::Value::as_bool)
        == Some(true)
}

/// Returns the message for an edit that was carried out with the text of a person, computed from the call alone.
pub(super) fn afterwards(call: &HookCall) -> String {
    let text = |name: &str| call.args.get(name).and_then(serde_json::Value::as_str);
    let said = "countersign: a person reviewed this edit and changed it before it was written. What is in the file now is what \
        they want: do not revert it.";
    let both = text("ai_proposed_content").zip(text("content"));
    match both {
        Some((proposed, written)) => {
            let diff = TextDiff::from_lines(proposed, written);
            let diff = diff.unified_diff().context_radius(1).to_string();
            format!("{said} From what was proposed to what was written:\n{diff}")
        }
        None => said.to_owned(),
    }
}
