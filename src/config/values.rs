//! The values of all settings, read from every source in the order of precedence.

use std::path::PathBuf;

use super::field::{self, take_text};
use super::file::{self, FileEntry, FileStatement, RefusedEntry};
use super::origin::{SettingOrigin, SettingProblem};
use super::settings::Settings;
use super::sources::{RemapSetting, SettingArgument, Sources};
use super::table::{self, RepositoryRights, SETTINGS, Setting, position};

/// All settings, and where each came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The values.
    pub settings: Settings,
    /// Keys that are bound one by one, as they are written in the file.
    pub remaps: Vec<RemapSetting>,
    /// The user's file, or where it would be. The user's themes are in the folder `themes` beside it.
    pub file: Option<PathBuf>,
    /// The origin of each, in the order of the table.
    pub(super) origins: Vec<SettingOrigin>,
}

/// Result of reading the settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The settings, without what is wrong.
    pub config: Config,
    /// Mistakes that stop the run: those of the person, and those of the repository that may leave something unguarded.
    pub problems: Vec<SettingProblem>,
    /// Entries of the repository's files that are left out.
    pub refused: Vec<SettingProblem>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            remaps: Vec::new(),
            file: None,
            origins: vec![SettingOrigin::Default; SETTINGS.len()],
        }
    }
}

/// Reads settings from everywhere. Mistakes are left out and returned.
pub fn read(sources: &Sources<'_>) -> Read {
    let mut config = Config::default();
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    if let Some(file) = &sources.user {
        let mistakes = file::each(file, |found| match found {
            FileStatement::Setting(entry) => config.take(&entry),
            FileStatement::Remap(remap) => {
                config.remaps.push(remap);
                Ok(())
            }
        });
        problems.extend(mistakes.into_iter().map(|mistake| mistake.problem));
    }
    config.remaps.sort_by_key(|remap| remap.at.line());
    for file in &sources.repository {
        let mistakes = file::each(file, |found| match found {
            FileStatement::Setting(entry) => config.take_suggestion(&entry),
            FileStatement::Remap(_) => Err(RefusedEntry::harmless(table::NO_KEYS.to_owned())),
        });
        for mistake in mistakes {
            if mistake.loses_guard {
                problems.push(mistake.problem);
            } else {
                refused.push(mistake.problem);
            }
        }
    }
    for (name, value) in sources.environment {
        if let Err(problem) = config.take_variable(name, value.as_deref()) {
            problems.push(problem);
        }
    }
    for assigned in &sources.arguments {
        if let Err(problem) = config.assign(assigned) {
            problems.push(problem);
        }
    }
    Read {
        config,
        problems,
        refused,
    }
}

impl Config {
    /// Returns the origin of a setting, by its full name.
    pub fn origin(&self, name: &str) -> Option<&SettingOrigin> {
        let at = position(name)?;
        self.origins.get(at)
    }

    /// Takes a variable of the environment, if it is one of a setting.
    fn take_variable(&mut self, name: &str, value: Option<&str>) -> Result<(), SettingProblem> {
        let known = SETTINGS
            .iter()
            .position(|setting| setting.variable() == name);
        let Some(position) = known else {
            return Ok(());
        };
        let at = SettingOrigin::Environment(name.to_owned());
        let field = (SETTINGS[position].field)(&mut self.settings);
        if value.is_none_or(|value| take_text(field, value).is_err()) {
            let text = format!("expected {}", field.expected());
            return Err(SettingProblem { at, text });
        }
        self.origins[position] = at;
        Ok(())
    }

    /// Takes what the person wrote.
    fn take(&mut self, entry: &FileEntry<'_>) -> Result<(), RefusedEntry> {
        let field = (entry.setting().field)(&mut self.settings);
        entry.take(field, field::FieldMerge::Freely)?;
        self.origins[entry.position] = entry.at.clone();
        Ok(())
    }

    /// Takes what a repository may say.
    fn take_suggestion(&mut self, entry: &FileEntry<'_>) -> Result<(), RefusedEntry> {
        let taking = match entry.setting().repository {
            RepositoryRights::Never(why) => {
                let text = format!("`{}`: {why}", entry.setting().full_name());
                return Err(RefusedEntry::harmless(text));
            }
            RepositoryRights::Suggests
                if self.origins[entry.position] != SettingOrigin::Default =>
            {
                return Ok(());
            }
            RepositoryRights::Suggests => field::FieldMerge::Freely,
            RepositoryRights::Tightens => field::FieldMerge::Tightening,
        };
        entry.take((entry.setting().field)(&mut self.settings), taking)?;
        self.origins[entry.position] = entry.at.clone();
        Ok(())
    }

    /// Takes an argument.
    fn assign(&mut self, assigned: &SettingArgument) -> Result<(), SettingProblem> {
        let at = SettingOrigin::Argument(assigned.argument);
        let Some(position) = position(&assigned.name) else {
            let text = file::unknown(&assigned.name);
            return Err(SettingProblem { at, text });
        };
        let field = (SETTINGS[position].field)(&mut self.settings);
        if take_text(field, &assigned.value).is_err() {
            let text = format!("`{}`: expected {}", assigned.name, field.expected());
            return Err(SettingProblem { at, text });
        }
        self.origins[position] = at;
        Ok(())
    }
}

/// Returns the variables of the environment that set something, in the order of the settings.
pub fn variables() -> impl Iterator<Item = String> {
    SETTINGS.iter().map(Setting::variable)
}
