//! Settings files of the agents in which gates are installed.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::agent::hook::{Agent, SettingsScope};
use crate::store::read_regular_text;

/// The largest settings file that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a settings file; `None` if there is none. Anything but a regular file of a sensible size is an error: a pipe would block.
pub(in crate::cli) fn read_settings(path: &Path) -> io::Result<Option<String>> {
    match read_regular_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Returns the settings file of an agent for a gate.
pub(in crate::cli) fn settings_file(
    agent: Agent,
    scope: SettingsScope,
    project: &Path,
) -> Option<PathBuf> {
    let place = agent.place();
    if scope == SettingsScope::Project {
        return Some(project.join(place.project));
    }
    let (variable, below_home) = place.folder;
    let usual = || Some(folder_variable("HOME")?.join(below_home));
    Some(folder_variable(variable).or_else(usual)?.join(place.user))
}

/// Returns the absolute path that an environment variable names.
fn folder_variable(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os(name)?);
    path.is_absolute().then_some(path)
}
