//! The texts that settings are read from, and their entries.

use super::origin::SettingOrigin;

/// Everything that settings are read from.
pub struct Sources<'a> {
    /// The user's file.
    pub user: Option<SettingsFile>,
    /// The repository's files: that of the root first, then those of the folders above it.
    pub repository: Vec<SettingsFile>,
    /// The variables of the environment, with `None` for a value that is not Unicode.
    pub environment: &'a [(String, Option<String>)],
    /// The settings in arguments.
    pub arguments: Vec<SettingArgument>,
}

/// A file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Its name, for people.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A setting in an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingArgument {
    /// The setting with its table, like `ui.wrap`.
    pub name: String,
    /// The value, as a file would hold it or without quotes.
    pub value: String,
    /// The argument.
    pub argument: &'static str,
}

/// Key binding as it is written. The words are understood by the key map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemapSetting {
    /// The name of the place.
    pub place: String,
    /// The keys.
    pub keys: String,
    /// The name of the command.
    pub command: String,
    /// Its origin.
    pub at: SettingOrigin,
}
