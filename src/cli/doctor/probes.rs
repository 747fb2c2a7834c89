//! Probes of the gates with the real clients.

use std::path::Path;

use super::super::hook::in_layer::layer_around;
use super::super::hook::settings_file::{read_settings, settings_file};
use super::findings::{Finding, FindingState};
use crate::agent::hook::{Agent, SettingsScope};
use crate::agent::probe::{Client, Probed, probe};
use crate::agent::program;

/// Has a client that has a gate make one edit, and returns whether it was held back.
pub(super) fn probed(agent: Agent, project: &Path) -> Finding {
    let finding = |state, found: &str| Finding::new(agent.name(), state, format!("probe: {found}"));
    let Some(program) = program::found(agent.name()) else {
        return finding(FindingState::Absent, "not on the PATH, so nothing is shown");
    };
    if layer_around(project).is_some() {
        let found = "inside a layer hooks let everything pass, so nothing is shown";
        return finding(FindingState::Absent, found);
    }
    let Some(settings_file) = settings_file(agent, SettingsScope::User, project) else {
        let found = "there is no home folder, so nothing is shown";
        return finding(FindingState::Absent, found);
    };
    let settings = read_settings(&settings_file).map(Option::unwrap_or_default);
    let probed = settings.and_then(|settings| {
        let client = Client {
            agent,
            program: &program,
            settings_file: &settings_file,
            settings: &settings,
        };
        probe(client, project)
    });
    match probed {
        Ok(Probed::Held) => {
            let found =
                format!("{agent} asked the gate and wrote nothing, and its model got the reason");
            let without = match agent.flags() {
                [] => String::new(),
                flags => format!(", without {}", flags.join(", ")),
            };
            finding(FindingState::Good, &found).hint(format!("shown for this folder{without}"))
        }
        Ok(Probed::Written) => {
            let found =
                format!("{agent} wrote a file without asking the gate; the file is removed again");
            finding(FindingState::Bad, &found).hint(agent.advice())
        }
        Ok(Probed::NotAsked) => {
            let found =
                format!("{agent} wrote nothing, but its model did not get the gate's reason");
            finding(FindingState::Bad, &found)
                .hint("the client refuses edits here by itself, so nothing is shown about the gate")
        }
        Ok(Probed::NotMade(why)) => {
            let found = format!("{agent} did not get as far as an edit: {why}");
            finding(FindingState::Bad, &found)
                .hint("nothing is shown about the gate until the client starts")
        }
        Err(error) => finding(
            FindingState::Bad,
            &format!("{agent} cannot be tried: {error}"),
        ),
    }
}
