//! Settings on paper: all values with their origins, a sample file, and the reference of the README.

use std::fmt::Write as _;

use super::field::{quoted, quoted_key};
use super::settings::Settings;
use super::table::{RepositoryRights, SETTINGS, Setting, TABLES};
use super::values::Config;

impl Config {
    /// Every value and where it came from, as a file of settings.
    pub fn print(&self) -> String {
        let mut settings = self.settings.clone();
        let mut text = String::new();
        for (table, _) in TABLES {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}[{table}]");
            let rows = SETTINGS.iter().zip(&self.origins);
            let rows: Vec<_> = rows
                .filter(|(setting, _)| setting.table == table)
                .map(|(setting, origin)| (entry(setting, &mut settings), origin))
                .collect();
            let width = rows.iter().map(|(entry, _)| entry.chars().count()).max();
            for (entry, origin) in &rows {
                let _ = writeln!(text, "{entry:0$}  # {origin}", width.unwrap_or(0));
            }
        }
        let mut place = "";
        for remap in &self.remaps {
            if place != remap.place {
                place = &remap.place;
                let _ = writeln!(text, "\n[keys.{place}]");
            }
            let (keys, command) = (quoted_key(&remap.keys), quoted(&remap.command));
            let _ = writeln!(text, "{keys} = {command}  # {}", remap.at);
        }
        text
    }
}

/// A file with every setting as it is by default, commented out.
pub fn sample() -> String {
    let mut settings = Settings::default();
    let mut text = String::from(
        "# Settings of countersign. Each line that is commented out shows what holds without it.\n",
    );
    for (table, about) in TABLES {
        let _ = writeln!(text, "\n# {about}.\n[{table}]");
        for setting in SETTINGS.iter().filter(|setting| setting.table == table) {
            let expected = (setting.field)(&mut settings).expected();
            let entry = entry(setting, &mut settings);
            let _ = writeln!(text, "\n# {}: {expected}\n# {entry}", setting.help);
        }
    }
    text
}

/// The tables of all settings for the README.
pub fn reference() -> String {
    let mut settings = Settings::default();
    let mut text = String::from("| setting | default | | in a repository |\n|---|---|---|---|");
    for (table, about) in TABLES {
        let _ = write!(text, "\n| **`[{table}]`** | | **{about}** | |");
        for setting in SETTINGS.iter().filter(|setting| setting.table == table) {
            let repository = match setting.repository {
                RepositoryRights::Never(_) => "no",
                RepositoryRights::Suggests => "if you say nothing",
                RepositoryRights::Tightens => "tightens",
            };
            let field = (setting.field)(&mut settings);
            let (default, expected) = (field.shown(), field.expected());
            let _ = write!(
                text,
                "\n| `{}` | `{default}` | {}: {expected} | {repository} |",
                setting.name, setting.help
            );
        }
    }
    text
}

fn entry(setting: &Setting, settings: &mut Settings) -> String {
    format!("{} = {}", setting.name, (setting.field)(settings).shown())
}
