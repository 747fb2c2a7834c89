//! Calls inside a layer of `countersign run`: the layer holds back what they write until a review, so they are not reviewed a second
//! time. They are reported to the layer, so that the review shows which call made a change.

use std::path::{Path, PathBuf};

use super::location::{resolve, without_link};
use crate::agent::hook::{GateAnswer, HookCall};
use crate::agent::layer::covering;
use crate::agent::{NoteKey, leave_note};
use crate::store::{GuestFolder, ReportedCall};

/// A call of which it is certain that everything stays in a layer.
pub(super) struct HeldBack<'a> {
    call: &'a HookCall,
    inside: GuestFolder,
    files: Vec<PathBuf>,
}

/// Returns the folder of the layer that holds back what is written at a path without links; `None` outside of a layer.
pub(in crate::cli) fn layer_around(path: &Path) -> Option<GuestFolder> {
    if covering(path).is_some() {
        GuestFolder::of_overlay()
    } else {
        GuestFolder::of_copy(path)
    }
}

impl<'a> HeldBack<'a> {
    /// Returns the call if a layer holds back its folder and every file that it names. What cannot be found out is not held back: of
    /// a tool that is not known nobody knows which files it writes, and whether it runs in the layer.
    pub(super) fn of(call: &'a HookCall) -> Option<Self> {
        if !call.is_of_known_tool() {
            return None;
        }
        let folder = call.folder.canonicalize().ok()?;
        let inside = layer_around(&folder)?;
        let mut files = Vec::new();
        for name in call.named_files() {
            let (_, file) = resolve(&call.folder, name).ok()?;
            // A link of that name may lead out of the layer, also to a file that is not there yet.
            let file = without_link(file)?;
            layer_around(&file)?;
            files.push(file);
        }
        if files.is_empty() && call.shell_command().is_none() {
            return None;
        }
        Some(Self {
            call,
            inside,
            files,
        })
    }

    /// Reports the call, and returns the answer: it goes on without a question to the person, and the model gets the verdict of a
    /// review that was finished meanwhile.
    pub(super) fn answer(self) -> GateAnswer {
        let command = self.call.shell_command();
        let is_shell = command.is_some() && self.files.is_empty();
        let report = ReportedCall::now(
            self.call.agent.name(),
            &self.call.tool,
            command.as_deref(),
            self.files,
        );
        // The review only shows less if the call cannot be reported.
        let _ = self.inside.report(&report);
        let note = self.inside.take_verdict();
        if self.call.agent.takes_notes_afterwards()
            && let Some(note) = &note
            && leave_note(&note_key(self.call), note).is_err()
        {
            // It is delivered with a later call.
            let _ = self.inside.leave_verdict(note);
        }
        match (is_shell, note) {
            // The client may ask the person about it, as it would without the hook.
            (true, None) => GateAnswer::Pass,
            (true, Some(note)) => GateAnswer::PassWith(note),
            (false, note) => GateAnswer::Allow { input: None, note },
        }
    }
}

/// Returns what identifies a call inside a layer before and after it is carried out.
pub(super) fn note_key(call: &HookCall) -> NoteKey {
    NoteKey {
        session: call.session.clone().unwrap_or_default(),
        tool: call.tool.clone(),
        file: named_file(call),
    }
}

/// Returns the file that a call names, without links; its folder if it names none.
pub(super) fn named_file(call: &HookCall) -> PathBuf {
    call.path().map_or_else(
        || call.folder.clone(),
        |name| resolve(&call.folder, name).map_or_else(|_| call.folder.clone(), |(_, file)| file),
    )
}
