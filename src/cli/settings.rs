//! Settings on their way in: from the user's file, the root's, the environment and the arguments.

use std::env;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use thiserror::Error;

use super::output;
use super::shared_args::SettingArgs;
use crate::agent::layer::LAYER_VARIABLE;
use crate::config::{
    self, Config, Read, SettingArgument, SettingOrigin, SettingProblem, SettingsFile, Sources,
};
use crate::store::{GuardError, GuardFile, Root, read_regular, read_regular_text};
use crate::text::{Document, did_you_mean};
use crate::ui::keymap::{Keymap, Remap, RemapError};
use crate::ui::theme::{Palette, THEMES};

/// The file in a root that may suggest settings.
const IN_ROOT: &str = ".countersign.toml";
/// The largest file of settings, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// The variable that names the user's file; if it is empty there is none.
const VARIABLE: &str = "COUNTERSIGN_CONFIG";

/// The beginning of the names of all variables that this program reads.
const PREFIX: &str = "COUNTERSIGN_";
/// Variables beside those of the settings: the user's file, what a check command or a notification gets, and what tests set.
const OTHER_VARIABLES: [&str; 7] = [
    VARIABLE,
    "COUNTERSIGN_ROOT",
    "COUNTERSIGN_MESSAGE",
    "COUNTERSIGN_PROPOSALS",
    "COUNTERSIGN_WAITING",
    "COUNTERSIGN_PANIC",
    LAYER_VARIABLE,
];

/// Why the settings do not hold.
#[derive(Debug, Error)]
pub(super) enum SettingsError {
    /// The user's file cannot be read.
    #[error("the settings in `{}` cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of the repository cannot be read. It may hold guards, so nothing is done.
    #[error("{source}")]
    Guard {
        /// The file and the cause.
        source: GuardError,
    },
    /// The system names no home folder.
    #[error("there is no folder for the settings")]
    NoHome,
    /// The user's file cannot be made.
    #[error("cannot make `{}`: {source}", path.display())]
    NotMade {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Something that was set is wrong. A guard that was misspelt would be no guard, so nothing is done.
    #[error("{}", lines(.0))]
    Wrong(Vec<SettingProblem>),
}

impl SettingsError {
    /// Returns advice for the person.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "`--config` and `COUNTERSIGN_CONFIG` name another file",
            Self::Guard { .. } => "correct it, make it readable, or remove it",
            Self::NoHome => "set `HOME` or `XDG_CONFIG_HOME`, or name a file with `--config`",
            Self::NotMade { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
                "edit this file; `countersign config --default` prints every setting"
            }
            Self::NotMade { .. } => "`--config` names another file",
            Self::Wrong(_) => "`countersign config --default` prints a file with every setting",
        }
    }
}

fn lines(problems: &[SettingProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(SettingProblem::to_string).collect();
    lines.join("\n")
}

/// The file that the user's settings are in, or would be.
///
/// # Errors
///
/// [`SettingsError::NoHome`] if there is no place for it.
pub(super) fn path(args: &SettingArgs) -> Result<PathBuf, SettingsError> {
    if let Some(named) = named(args) {
        return Ok(named);
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| SettingsError::NoHome)?;
    Ok(strategy
        .config_dir()
        .join("countersign")
        .join("config.toml"))
}

/// Makes a settings file with every setting commented out, and the folders above it.
///
/// # Errors
///
/// [`SettingsError::NotMade`] if it cannot be made, or exists: then it stays as it is.
pub(super) fn create(path: &Path) -> Result<(), SettingsError> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let made =
        made.and_then(|()| std::fs::File::create_new(path)?.write_all(config::sample().as_bytes()));
    made.map_err(|source| SettingsError::NotMade {
        path: path.to_owned(),
        source,
    })
}

fn named(args: &SettingArgs) -> Option<PathBuf> {
    args.config
        .clone()
        .or_else(|| env::var_os(VARIABLE).map(PathBuf::from))
}

/// Reads the settings that hold in a root. What its own file may not set is said, and left out.
///
/// # Errors
///
/// [`SettingsError`] if something that the person set cannot be read or is wrong.
pub(super) fn load(args: &SettingArgs, root: &Path) -> Result<Config, SettingsError> {
    let assigned = args.set.iter().map(|(name, value)| SettingArgument {
        name: name.clone(),
        value: value.clone(),
        argument: "--set",
    });
    let environment: Vec<(String, Option<String>)> = env::vars_os()
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.into_string().ok(),
            )
        })
        .collect();
    let Read {
        mut config,
        mut problems,
        refused,
    } = config::read(&Sources {
        user: of_user(args)?,
        repository: of_repository(root)?,
        environment: &environment,
        arguments: assigned.collect(),
    });
    problems.extend(unknown_variables(&config));
    let file = path(args).ok();
    config.file = file.filter(|file| !file.as_os_str().is_empty());
    let (_, wrong) = keymap(&config);
    let wrong = wrong.into_iter().map(|(at, error)| SettingProblem {
        at: config.remaps[at].at.clone(),
        text: error.to_string(),
    });
    problems.extend(wrong);
    if let Err(wrong) = palette(&config) {
        problems.extend(wrong);
    }
    if !problems.is_empty() {
        return Err(SettingsError::Wrong(problems));
    }
    for problem in refused {
        output::say(&format!("not taken over: {problem}"));
    }
    Ok(config)
}

/// The variables of the environment that look like settings of this program and are none, or that hold no text: a guard in
/// them would guard nothing.
fn unknown_variables(config: &Config) -> Vec<SettingProblem> {
    let variables = env::vars_os().filter_map(|(name, value)| {
        let name = name.to_string_lossy().into_owned();
        let is_own = name.to_uppercase().starts_with(PREFIX);
        is_own.then_some((name, value))
    });
    let key = config.settings.model.api_key_env.as_deref();
    let problems = variables.filter_map(|(name, value)| {
        let known = config::variables().chain(OTHER_VARIABLES.map(str::to_owned));
        let known: Vec<String> = known.collect();
        let text = if known.contains(&name) {
            // The value of a setting is checked with its setting.
            let is_unchecked = OTHER_VARIABLES.contains(&name.as_str());
            (is_unchecked && value.to_str().is_none()).then(|| "its value is not UTF-8".to_owned())
        } else if key == Some(name.as_str()) {
            None
        } else {
            let similar = did_you_mean(&name, known.iter().map(String::as_str));
            let similar = similar.map(|known| format!("; did you mean `{known}`?"));
            Some(format!("no such setting{}", similar.unwrap_or_default()))
        };
        let at = SettingOrigin::Environment(name);
        text.map(|text| SettingProblem { at, text })
    });
    problems.collect()
}

/// The user's file. That there is none at the usual place is no error.
fn of_user(args: &SettingArgs) -> Result<Option<SettingsFile>, SettingsError> {
    let named = named(args);
    if named
        .as_ref()
        .is_some_and(|path| path.as_os_str().is_empty())
    {
        return Ok(None);
    }
    let Ok(path) = path(args) else {
        return Ok(None);
    };
    let bytes = match read_regular(&path, MOST_BYTES) {
        Err(error) if named.is_none() && is_missing(&error) => return Ok(None),
        read => read.and_then(|bytes| Document::decode(bytes).map_err(io::Error::other)),
    };
    let document = bytes.map_err(|source| SettingsError::Unreadable {
        path: path.clone(),
        source,
    })?;
    Ok(Some(SettingsFile {
        name: path.display().to_string(),
        text: document.into_text(),
    }))
}

/// Reads the files in the root and above it, up to the top of the repository. The nearest comes first.
fn of_repository(root: &Path) -> Result<Vec<SettingsFile>, SettingsError> {
    let unusable = |source: GuardError| SettingsError::Guard { source };
    // A root that cannot be opened is reported by whoever needs it.
    let Ok(root) = Root::open(root) else {
        return Ok(Vec::new());
    };
    let files = root.guard_files(IN_ROOT).map_err(unusable)?;
    let mut texts = Vec::with_capacity(files.len());
    for GuardFile { name, bytes } in files {
        match Document::decode(bytes) {
            Ok(document) => texts.push(SettingsFile {
                name,
                text: document.into_text(),
            }),
            Err(error) => {
                let source = io::Error::other(error);
                return Err(unusable(GuardError { name, source }));
            }
        }
    }
    Ok(texts)
}

/// The keys by these settings, and what cannot be bound so, by its position.
pub(super) fn keymap(config: &Config) -> (Keymap, Vec<(usize, RemapError)>) {
    let remaps = config.remaps.iter().map(|remap| Remap {
        place: &remap.place,
        keys: &remap.keys,
        command: &remap.command,
    });
    Keymap::new(config.settings.keys.preset, &remaps.collect::<Vec<_>>())
}

/// A root with the guards that are set. The file that they are read from is one of the user's settings, wherever it is.
pub(super) fn guarded(root: Root, config: &Config) -> Root {
    let guard = &config.settings.guard;
    let root = match &config.file {
        Some(file) => root.with_settings_at(file),
        None => root,
    };
    root.guarding(&guard.protected.0, &guard.ignore_files.0)
        .reading_at_most(
            u64::try_from(guard.max_file_mib.0)
                .unwrap_or(u64::MAX)
                .saturating_mul(1 << 20),
        )
}

/// The theme that is asked for, built in or from `themes` beside the user's file; `None` if the background decides.
pub(super) fn palette(config: &Config) -> Result<Option<Palette>, Vec<SettingProblem>> {
    let name = config.settings.ui.theme.0.as_str();
    if name == "auto" {
        return Ok(None);
    }
    if let Some((_, text)) = THEMES.iter().find(|(known, _)| *known == name) {
        return read_palette(text, name);
    }
    let origin = config.origin("ui.theme").cloned();
    let at = origin.unwrap_or(SettingOrigin::Default);
    let unknown = |text: String| Err(vec![SettingProblem { at, text }]);
    let known = THEMES.map(|(name, _)| name).join(", ");
    let folder = config.file.as_ref().and_then(|file| file.parent());
    let Some(folder) = folder else {
        return unknown(format!("there is no theme `{name}`; built in are: {known}"));
    };
    let file = folder.join("themes").join(name).with_extension("toml");
    match read_regular_text(&file, MOST_BYTES) {
        Ok(text) => read_palette(&text, &file.display().to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => unknown(format!(
            "there is no theme `{name}`, as there is no `{}`; built in are: {known}",
            file.display()
        )),
        Err(error) => unknown(format!("`{}` cannot be read: {error}", file.display())),
    }
}

/// True if an error means that there is no such file, nor could be.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Reads the text of a theme; its problems name `file`.
fn read_palette(text: &str, file: &str) -> Result<Option<Palette>, Vec<SettingProblem>> {
    Palette::read(text).map(Some).map_err(|errors| {
        let problems = errors.into_iter().map(|error| SettingProblem {
            at: SettingOrigin::File {
                name: file.to_owned(),
                line: error.line,
            },
            text: error.to_string(),
        });
        problems.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::screen::options;
    use crate::locate::{Confidence, Tolerance};
    use crate::ui::ScreenOptions;

    #[test]
    fn what_holds_by_default_is_what_the_engine_and_the_screen_hold_good() {
        let config = Config::default();
        let settings = &config.settings;
        assert_eq!(
            Tolerance::default(),
            Tolerance {
                precision: settings.place.precision.0
            }
        );
        assert_eq!(settings.apply.confidence, Confidence::Safe);
        assert_eq!(options(&config), ScreenOptions::from_env());
    }
}
