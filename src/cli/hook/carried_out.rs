//! Comparison of a call that a client carried out with the one that was approved.
//!
//! The arguments are compared, not the file: a formatter may have changed the file since, which is nobody's fault. Other hooks and plugins
//! that are called before the tool may change the arguments after the review, and clients carry out what the last one gave.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::in_layer::named_file;
use crate::agent::hook::HookCall;
use crate::agent::{
    ApprovalMatch, NoteKey, compare_with_approval, keep_approval, served_root, warn,
};
use crate::app::finished_reviews;
use crate::store::Root;

/// Keeps what was approved: these arguments, or those of the call.
pub(super) fn keep(call: &HookCall, input: Option<&Map<String, Value>>) {
    let hash = call.hash_of(input.unwrap_or(&call.args), &named_file(call));
    if let Some(hash) = hash {
        // Without it the call is not compared.
        let _ = keep_approval(&key(call), &hash);
    }
}

/// Warns the person if a call was carried out otherwise than it was approved, and returns a message for the model.
pub(super) fn warn_if_changed(call: &HookCall) -> Option<String> {
    let file = named_file(call);
    let hash = call.hash_of(&call.args, &file)?;
    if compare_with_approval(&key(call), &hash) != ApprovalMatch::Otherwise {
        return None;
    }
    let folder = file.parent().unwrap_or(&call.folder);
    let root = served_root(folder).ok();
    let name = root.as_ref().and_then(|root| file.strip_prefix(root).ok());
    let name = name.unwrap_or(&file).display();
    let warning = format!(
        "{name} is not written as you approved it: another hook or plugin changed the call after the review"
    );
    // It is in the log as well, and the model passes it on.
    let _ = warn(folder, call.agent.name(), warning.clone());
    if let Some(root) = root.and_then(|root| Root::open(&root).ok()) {
        let _ = finished_reviews::keep_warning(&root, call.agent.name(), &warning);
    }
    Some(format!(
        "countersign: `{name}` is not written as the person approved it: another hook or plugin changed the call after the review. \
         Tell the person, and read the file before you go on."
    ))
}

/// Returns the key of the approval: the client's name for the call, or else the file.
fn key(call: &HookCall) -> NoteKey {
    NoteKey {
        session: call.session.clone().unwrap_or_default(),
        tool: call.tool.clone(),
        file: call
            .id
            .as_ref()
            .map_or_else(|| named_file(call), PathBuf::from),
    }
}
