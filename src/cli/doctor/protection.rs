//! Protection of a folder: hooks, which cover the tools that agents edit with, or layers of `countersign run`, which cover
//! everything that a command writes.

use super::super::hook::in_layer::layer_around;
use super::findings::{Finding, FindingState};
use crate::agent::hook::Agent;
use crate::agent::layer::{fault, processes_in};
use crate::store::{Root, usual_state_folder};

const AREA: &str = "protection";

/// Returns what protects a folder now.
pub(super) fn protection(
    root: &Root,
    gated: &[Agent],
    untried: &[Agent],
) -> anyhow::Result<Finding> {
    if layer_around(root.path()).is_some() {
        let found = "this folder is inside a layer: everything that is written here is held back until a review";
        return Ok(Finding::new(AREA, FindingState::Good, found));
    }
    let layers = root.layers()?;
    let mut running = layers
        .iter()
        .filter(|(layer, _)| !processes_in(&layer.id).is_empty());
    if let Some((layer, about)) = running.next() {
        let command = about.command.join(" ");
        let found = format!(
            "layer {} holds back everything that `{command}` writes; other programs write directly",
            layer.id
        );
        return Ok(Finding::new(AREA, FindingState::Good, found));
    }
    if let ([], [first, ..]) = (gated, untried) {
        let found = format!(
            "hooks are installed for {}, and nothing shows that they are called",
            names(untried)
        );
        return Ok(
            Finding::new(AREA, FindingState::Absent, found).hint(format!(
                "`countersign run -- {}` holds back what no hook sees",
                first.name()
            )),
        );
    }
    let Some(first) = gated.first() else {
        return Ok(Finding::new(
            AREA,
            FindingState::Absent,
            "none: no gate works, and no command runs in a layer",
        )
        .hint("`countersign run -- AGENT` holds back everything that an agent writes"));
    };
    let found = format!(
        "hooks: the edits of {} are reviewed, but not what shell commands write",
        names(gated)
    );
    Ok(Finding::new(AREA, FindingState::Good, found).hint(format!(
        "`countersign run -- {}` holds back both",
        first.name()
    )))
}

fn names(agents: &[Agent]) -> String {
    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    names.join(", ")
}

/// Tries whether `countersign run` works here. `None` inside a layer.
pub(super) fn layers() -> anyhow::Result<Option<Finding>> {
    const AREA: &str = "layers";
    let Some(state) = usual_state_folder() else {
        let found = "no folder is known for them";
        return Ok(Some(
            Finding::new(AREA, FindingState::Absent, found).hint("set `HOME` or `XDG_STATE_HOME`"),
        ));
    };
    // The file system of the state decides, so the trial takes place there.
    let Some(folder) = state.ancestors().find(|folder| folder.is_dir()) else {
        return Ok(None);
    };
    if layer_around(folder).is_some() {
        return Ok(None);
    }
    let Ok(scratch) = tempfile::Builder::new()
        .prefix("countersign-")
        .tempdir_in(folder)
    else {
        let found = format!("`{}` cannot be written", folder.display());
        return Ok(Some(Finding::new(AREA, FindingState::Absent, found)));
    };
    Ok(Some(match fault(scratch.path())? {
        None => Finding::new(AREA, FindingState::Good, "`countersign run` works"),
        Some(why) => Finding::new(
            AREA,
            FindingState::Absent,
            format!("`countersign run` does not work: {why}"),
        )
        .hint("`countersign run --copy` works on a copy of the tree"),
    }))
}
