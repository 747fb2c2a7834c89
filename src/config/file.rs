//! Reading one file of settings, entry by entry.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::field::{Field, FieldMerge, Unfit};
use super::origin::{SettingOrigin, SettingProblem};
use super::sources::{RemapSetting, SettingsFile};
use super::table::{SETTINGS, Setting, TABLES, position};
use crate::text::{LineNo, did_you_mean};

/// A setting as a file holds it.
pub(super) struct FileEntry<'a> {
    /// The setting's place in the table.
    pub(super) position: usize,
    pub(super) at: SettingOrigin,
    value: &'a DeValue<'a>,
}

/// One thing that a file says.
pub(super) enum FileStatement<'a> {
    /// A setting of the table.
    Setting(FileEntry<'a>),
    /// A key binding.
    Remap(RemapSetting),
}

impl FileEntry<'_> {
    pub(super) fn setting(&self) -> &'static Setting {
        &SETTINGS[self.position]
    }

    /// Assigns the value to a field.
    ///
    /// # Errors
    ///
    /// [`RefusedEntry`] if the field cannot have it.
    pub(super) fn take(
        &self,
        field: &mut dyn Field,
        taking: FieldMerge,
    ) -> Result<(), RefusedEntry> {
        let name = self.setting().full_name();
        field.take(self.value, taking).map_err(|unfit| match unfit {
            Unfit::Sort => RefusedEntry {
                loses_guard: self.setting().is_guard(),
                text: format!("`{name}`: expected {}", field.expected()),
            },
            // The tighter value holds.
            Unfit::Loosens => RefusedEntry::harmless(format!(
                "`{name}`: a repository cannot let through more than {}",
                field.shown()
            )),
        })
    }
}

/// Reason why an entry is not taken.
pub(super) struct RefusedEntry {
    text: String,
    loses_guard: bool,
}

impl RefusedEntry {
    /// A refusal that leaves nothing unguarded.
    pub(super) fn harmless(text: String) -> Self {
        Self {
            text,
            loses_guard: false,
        }
    }

    fn guard(text: String) -> Self {
        Self {
            text,
            loses_guard: true,
        }
    }
}

/// A mistake in a file.
pub(super) struct Mistake {
    pub(super) problem: SettingProblem,
    /// True if a guard may be lost by it: it is unknown what the line was meant to be, or it was meant to be a guard.
    pub(super) loses_guard: bool,
}

/// Passes every entry of a file to `take`, and returns the mistakes in the order of their lines.
pub(super) fn each(
    file: &SettingsFile,
    mut take: impl FnMut(FileStatement<'_>) -> Result<(), RefusedEntry>,
) -> Vec<Mistake> {
    let (document, errors) = DeTable::parse_recoverable(&file.text);
    let mut refusals: Vec<(usize, RefusedEntry)> = Vec::new();
    let mut report = |span: Range<usize>, refused| refusals.push((span.start, refused));
    for error in errors {
        let text = error.message().to_owned();
        report(error.span().unwrap_or_default(), RefusedEntry::guard(text));
    }
    for (table, value) in document.get_ref() {
        let Some(entries) = value.get_ref().as_table() else {
            report(table.span(), RefusedEntry::guard(outside(table.get_ref())));
            continue;
        };
        if !TABLES.iter().any(|(known, _)| known == table.get_ref()) {
            report(
                table.span(),
                RefusedEntry::guard(unknown_table(table.get_ref())),
            );
            continue;
        }
        for (name, value) in entries {
            if let ("keys", Some(keys)) = (table.get_ref().as_ref(), value.get_ref().as_table()) {
                for (key, command) in keys {
                    let at = file.at(key.span().start);
                    let remap = remap(name.get_ref(), key.get_ref(), command.get_ref(), at);
                    let taken = remap
                        .map_err(RefusedEntry::harmless)
                        .and_then(|remap| take(FileStatement::Remap(remap)));
                    taken.unwrap_or_else(|refused| report(key.span(), refused));
                }
                continue;
            }
            let full_name = format!("{}.{}", table.get_ref(), name.get_ref());
            let Some(position) = position(&full_name) else {
                let refused = RefusedEntry {
                    loses_guard: may_be_guard(&full_name),
                    text: unknown(&full_name),
                };
                report(name.span(), refused);
                continue;
            };
            let entry = FileEntry {
                position,
                at: file.at(name.span().start),
                value: value.get_ref(),
            };
            if let Err(refused) = take(FileStatement::Setting(entry)) {
                report(name.span(), refused);
            }
        }
    }
    refusals.sort_by_key(|(start, _)| *start);
    let mistakes = refusals.into_iter().map(|(start, refused)| Mistake {
        problem: SettingProblem {
            at: file.at(start),
            text: refused.text,
        },
        loses_guard: refused.loses_guard,
    });
    mistakes.collect()
}

impl SettingsFile {
    /// Returns the line of a position in the text, as the origin of a setting.
    fn at(&self, position: usize) -> SettingOrigin {
        SettingOrigin::File {
            name: self.name.clone(),
            line: line_at(&self.text, position),
        }
    }
}

/// True if an unknown setting was perhaps meant to be a guard.
fn may_be_guard(full_name: &str) -> bool {
    let (table, name) = full_name.split_once('.').unwrap_or(("", full_name));
    let guards = || SETTINGS.iter().filter(|setting| setting.is_guard());
    guards().any(|setting| setting.table == table)
        || did_you_mean(name, guards().map(|setting| setting.name)).is_some()
}

/// Reads a key binding, or returns what is wrong with it.
fn remap(
    place: &str,
    keys: &str,
    command: &DeValue<'_>,
    at: SettingOrigin,
) -> Result<RemapSetting, String> {
    let Some(command) = command.as_str() else {
        let expected = "expected the name of a command in quotes, or \"none\"";
        return Err(format!("`{keys}`: {expected}"));
    };
    Ok(RemapSetting {
        place: place.to_owned(),
        keys: keys.to_owned(),
        command: command.to_owned(),
        at,
    })
}

/// Returns the message for an unknown setting.
pub(super) fn unknown(full_name: &str) -> String {
    let (table, name) = full_name.split_once('.').unwrap_or(("", full_name));
    let of_table = SETTINGS.iter().filter(|setting| setting.table == table);
    let near = did_you_mean(name, of_table.map(|setting| setting.name));
    // A setting in the wrong table is as likely as one that is misspelt.
    let elsewhere = || SETTINGS.iter().find(|setting| setting.name == name);
    let hint = match (near, elsewhere()) {
        (_, Some(setting)) => format!("; did you mean `{}`?", setting.full_name()),
        (Some(near), None) => format!("; did you mean `{table}.{near}`?"),
        (None, None) => String::new(),
    };
    format!("there is no setting `{full_name}`{hint}")
}

fn unknown_table(table: &str) -> String {
    let near = did_you_mean(table, TABLES.map(|(name, _)| name));
    let hint = near.map_or_else(
        || {
            format!(
                "; the tables are: {}",
                TABLES.map(|(name, _)| name).join(", ")
            )
        },
        |near| format!("; did you mean `[{near}]`?"),
    );
    format!("there is no table `[{table}]`{hint}")
}

fn outside(name: &str) -> String {
    let setting = SETTINGS.iter().find(|setting| setting.name == name);
    let hint = setting.map_or_else(String::new, |setting| {
        format!("; did you mean `{}`?", setting.full_name())
    });
    format!("`{name}` is not in any table{hint}")
}

/// The line of a position in a text.
fn line_at(text: &str, at: usize) -> LineNo {
    let before = text.as_bytes().iter().take(at);
    LineNo::from_idx(before.filter(|byte| **byte == b'\n').count())
}
