//! `countersign runs`: the layers of a root.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::super::exit::Exit;
use super::super::output;
use super::super::run_args::RunsArgs;
use super::super::shared_args::ReportForm;
use super::changes::LayerChanges;
use super::find::folder;
use crate::agent::layer::processes_in;
use crate::app::source::ReviewSource;
use crate::store::{Layer, LayerRecord, LayerState, Root};
use crate::text::{duration, plural};

/// A layer, for scripts.
#[derive(Serialize)]
struct LayerRow {
    id: String,
    command: Vec<String>,
    /// In seconds since 1970.
    started: u64,
    state: LayerState,
    /// `None` if the layer cannot be read.
    files: Option<usize>,
}

/// Lists the layers of a root.
pub(in crate::cli) fn list(args: &RunsArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&folder(args.root.as_deref()))?;
    let mut rows = Vec::new();
    for (layer, about) in root.layers()? {
        let state = state(&layer, &about);
        // One that cannot be read does not hide the others.
        let files = match changed_files(root.anew()?, &layer, &about) {
            Ok((files, _)) => Some(files.len()),
            Err(error) => {
                output::say(&format!("layer `{}` cannot be read: {error:#}", layer.id));
                None
            }
        };
        rows.push(LayerRow {
            id: layer.id,
            command: about.command,
            started: about.started,
            state,
            files,
        });
    }
    if matches!(args.report, ReportForm::Json) {
        output::write(&(serde_json::to_string_pretty(&rows)? + "\n"))?;
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        output::say("no layer; `countersign run -- COMMAND` makes one");
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    for row in rows {
        let state = match row.state {
            LayerState::Running => "running",
            LayerState::Ended => "ended",
            LayerState::Reviewed => "reviewed",
        };
        let age = duration(now.as_secs().saturating_sub(row.started));
        let files = row.files.map(|files| plural(files, "file"));
        let files = files.unwrap_or_else(|| "unreadable".to_owned());
        let command = row.command.join(" ");
        output::write(&format!(
            "{}  {age:>8}  {state:<8}  {files:>10}  {command}\n",
            row.id
        ))?;
    }
    Ok(Exit::Done)
}

/// The names of the files that a review of a layer would show, and sentences about those that cannot be reviewed.
pub(super) fn changed_files(
    root: Root,
    layer: &Layer,
    about: &LayerRecord,
) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let mut source = LayerChanges::open(root, layer.clone(), about.clone())?;
    let session = source.place()?;
    let files = session.files.into_iter().map(|file| file.path).collect();
    Ok((files, source.left))
}

/// Returns true while the command of a layer runs, or a process that it has left.
pub(super) fn is_running(layer: &Layer, about: &LayerRecord) -> bool {
    about.state == LayerState::Running && layer.lock().is_err()
        || !processes_in(&layer.id).is_empty()
}

/// The progress of a run, which counts as running while any of its processes lives.
fn state(layer: &Layer, about: &LayerRecord) -> LayerState {
    if is_running(layer, about) {
        return LayerState::Running;
    }
    match about.state {
        // The program was killed before it could note the end.
        LayerState::Running => LayerState::Ended,
        state @ (LayerState::Ended | LayerState::Reviewed) => state,
    }
}
