//! Kilo Code CLI 7.7, a fork of opencode.

use super::opencode::{OPENCODE, start};
use super::profile::{CONFIG, GateFile, Profile, SettingsScope};

pub(in crate::agent::hook) const KILO: Profile = Profile {
    name: "kilo",
    title: "Kilo CLI",
    shells: &["bash", "background_process"],
    place: GateFile {
        project: ".kilo/plugins/countersign.js",
        folder: CONFIG,
        user: "kilo/plugins/countersign.js",
        usual: SettingsScope::Project,
    },
    variables: &["KILO_PURE"],
    project_variables: &["KILO_DISABLE_PROJECT_CONFIG"],
    start: |launch, command| start("KILO", "code", launch, command),
    ..OPENCODE
};
