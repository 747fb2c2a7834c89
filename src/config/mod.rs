//! The configuration: every value that can be set, where each came from, and what is wrong with what was written.
//!
//! A value comes from the first of: an argument, a variable of the environment, the user's file, the repository's file, the
//! [`Settings`] as they are by default. The file of a repository may be anybody's, so it neither binds keys, nor names
//! commands or addresses, nor lets through more than the person does: it can only make guards tighter, and suggest looks.
//!
//! This module sees nothing but text: whoever reads the files and the environment hands them in as [`Sources`].

mod choice;
mod field;
mod file;
mod origin;
mod print;
mod settings;
mod table;

pub use choice::{
    AmbiguousWidth, Background, Confidence, Files, Layout, List, ModelStyle, Preset, Signs,
};
pub use field::{Count, FileNames, Patterns, Precision, ThemeName};
pub use origin::{Origin, Problem};
pub use print::{reference, sample};
pub use settings::{Apply, Check, Editor, Guard, Keys, Model, Overlay, Place, Settings, Ui};

use std::path::PathBuf;

use field::take_text;
use file::{Entry, Found};
use table::{Repository, SETTINGS, Setting};

/// Everything that settings are read from.
pub struct Sources<'a> {
    /// The user's file.
    pub user: Option<File>,
    /// The repository's file.
    pub repository: Option<File>,
    /// A variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// What was said in arguments.
    pub arguments: Vec<Assigned>,
}

/// A file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, for people.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A setting in an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The setting with its table, like `ui.wrap`.
    pub name: String,
    /// The value, as a file would hold it or without quotes.
    pub value: String,
    /// The argument.
    pub argument: &'static str,
}

/// What a key is to do somewhere. What the words mean is known where keys are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    /// The name of the place.
    pub place: String,
    /// The keys.
    pub keys: String,
    /// The name of the command.
    pub command: String,
    /// Where it stands.
    pub at: Origin,
}

/// All settings, and where each came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The values.
    pub settings: Settings,
    /// Keys that are bound one by one, as they stand in the file.
    pub remaps: Vec<Remap>,
    /// The folder of the user's themes.
    pub themes: Option<PathBuf>,
    /// Where each came from, in the order of the table.
    origins: Vec<Origin>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The settings, without what is wrong.
    pub config: Config,
    /// What is wrong with what the person set.
    pub problems: Vec<Problem>,
    /// What is wrong with the repository's file, or not its business.
    pub refused: Vec<Problem>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            remaps: Vec::new(),
            themes: None,
            origins: vec![Origin::Default; SETTINGS.len()],
        }
    }
}

/// Reads settings from everywhere. What is wrong is left out, and told.
pub fn read(sources: &Sources<'_>) -> Read {
    let mut config = Config::default();
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    if let Some(file) = &sources.user {
        file::each(file, &mut problems, |found| match found {
            Found::Setting(entry) => config.take(&entry),
            Found::Remap(remap) => {
                config.remaps.push(remap);
                Ok(())
            }
        });
    }
    config.remaps.sort_by_key(|remap| remap.at.line());
    if let Some(file) = &sources.repository {
        file::each(file, &mut refused, |found| match found {
            Found::Setting(entry) => config.take_suggestion(&entry),
            Found::Remap(_) => Err(table::NO_KEYS.to_owned()),
        });
    }
    for (setting, origin) in SETTINGS.iter().zip(&mut config.origins) {
        let name = setting.variable();
        let Some(text) = (sources.variable)(&name) else {
            continue;
        };
        let field = (setting.field)(&mut config.settings);
        let at = Origin::Environment(name);
        match take_text(field, &text) {
            Ok(()) => *origin = at,
            Err(_) => problems.push(Problem {
                at,
                text: format!("expected {}", field.expected()),
            }),
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
    /// Where a setting came from, by its full name.
    pub fn origin(&self, name: &str) -> Option<&Origin> {
        let at = position(name)?;
        self.origins.get(at)
    }

    /// Takes what the person wrote.
    fn take(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let field = (entry.setting().field)(&mut self.settings);
        entry.take(field, field::Taking::Freely)?;
        self.origins[entry.position] = entry.at.clone();
        Ok(())
    }

    /// Takes what a repository may say.
    fn take_suggestion(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let taking = match entry.setting().repository {
            Repository::Never(why) => {
                return Err(format!("`{}`: {why}", entry.setting().full_name()));
            }
            Repository::Suggests if self.origins[entry.position] != Origin::Default => {
                return Ok(());
            }
            Repository::Suggests => field::Taking::Freely,
            Repository::Tightens => field::Taking::Tightening,
        };
        entry.take((entry.setting().field)(&mut self.settings), taking)?;
        self.origins[entry.position] = entry.at.clone();
        Ok(())
    }

    /// Takes an argument.
    fn assign(&mut self, assigned: &Assigned) -> Result<(), Problem> {
        let at = Origin::Argument(assigned.argument);
        let Some(position) = position(&assigned.name) else {
            let text = file::unknown(&assigned.name);
            return Err(Problem { at, text });
        };
        let field = (SETTINGS[position].field)(&mut self.settings);
        if take_text(field, &assigned.value).is_err() {
            let text = format!("`{}`: expected {}", assigned.name, field.expected());
            return Err(Problem { at, text });
        }
        self.origins[position] = at;
        Ok(())
    }
}

/// Returns the variables of the environment that set something, in the order of the settings.
pub fn variables() -> impl Iterator<Item = String> {
    SETTINGS.iter().map(Setting::variable)
}

/// The position of a setting in the table, by its full name.
fn position(name: &str) -> Option<usize> {
    let (table, name) = name.split_once('.')?;
    let is_it = |setting: &Setting| setting.table == table && setting.name == name;
    SETTINGS.iter().position(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a user's file, a repository's, variables and arguments, and shows what became of a setting, and all complaints.
    #[track_caller]
    fn check(user: &str, repository: &str, said: &[(&str, &str)], name: &str, expected: &[&str]) {
        let file = |name: &str, text: &str| File {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let read = read(&Sources {
            user: Some(file("user", user)),
            repository: Some(file("repo", repository)),
            variable: &|name| {
                let known = said.iter().find(|(known, _)| *known == name);
                known.map(|(_, value)| (*value).to_owned())
            },
            arguments: (said.iter())
                .filter(|(name, _)| name.contains('.'))
                .map(|(name, value)| Assigned {
                    name: (*name).to_owned(),
                    value: (*value).to_owned(),
                    argument: "--set",
                })
                .collect(),
        });
        let position = position(name).unwrap();
        let mut settings = read.config.settings.clone();
        let value = (SETTINGS[position].field)(&mut settings).shown();
        let origin = &read.config.origins[position];
        let complaints = read.problems.iter().chain(&read.refused);
        let mut shown = vec![format!("{value} from {origin}")];
        shown.extend(complaints.map(Problem::to_string));
        assert_eq!(shown, expected);
    }

    #[test]
    fn the_nearest_to_the_person_counts() {
        let file = "\n[ui]\nwrap = true\n";
        let variable = ("COUNTERSIGN_UI_WRAP", "false");
        check("", "", &[], "ui.wrap", &["false from default"]);
        check("", file, &[], "ui.wrap", &["true from repo:3"]);
        check(
            file,
            "ui.wrap = false",
            &[],
            "ui.wrap",
            &["true from user:3"],
        );
        check(
            file,
            "",
            &[variable],
            "ui.wrap",
            &["false from $COUNTERSIGN_UI_WRAP"],
        );
        let all = [variable, ("ui.wrap", "true")];
        check(file, "", &all, "ui.wrap", &["true from --set"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_the_rest_works() {
        let file = "[ui]\nwarp = true\nwrap = true\nlist = 3\n\n[uI]\n[wood]\n";
        let complaints = [
            "true from user:3",
            "user:2: there is no setting `ui.warp`; is `ui.wrap` meant?",
            "user:4: `ui.list`: expected \"auto\", \"shown\" or \"hidden\"",
            "user:6: there is no table `[uI]`; is `[ui]` meant?",
            "user:7: there is no table `[wood]`; the tables are: ui, keys, editor, check, overlay, model, guard, place, apply",
        ];
        check(file, "", &[], "ui.wrap", &complaints);
        let file = "wrap = 1\nsoft = 2\n[ui]\nprecision = 0.9\n";
        let complaints = [
            "false from default",
            "user:1: `wrap` stands in no table; is `ui.wrap` meant?",
            "user:2: `soft` stands in no table",
            "user:4: there is no setting `ui.precision`; is `place.precision` meant?",
        ];
        check(file, "", &[], "ui.wrap", &complaints);
        let said = [
            ("COUNTERSIGN_UI_WRAP", "on"),
            ("ui.warp", "true"),
            ("ui.mouse", "2"),
        ];
        let complaints = [
            "false from default",
            "$COUNTERSIGN_UI_WRAP: expected `true` or `false`",
            "--set: there is no setting `ui.warp`; is `ui.wrap` meant?",
            "--set: `ui.mouse`: expected `true` or `false`",
        ];
        check("", "", &said, "ui.wrap", &complaints);
    }

    #[test]
    fn a_file_that_is_broken_in_one_place_holds_good_in_others() {
        let file = "[ui]\nlayout = split\nwrap = true\n";
        let complaints = [
            "true from user:3",
            "user:2: string values must be quoted, expected literal string",
        ];
        check(file, "", &[], "ui.wrap", &complaints);
    }

    #[test]
    fn a_repository_names_no_commands_and_loosens_nothing() {
        let file = "[check]\ncommand = 'rm -rf /'\n[model]\nendpoint = 'http://x'\n[apply]\nconfidence = 'fuzzy'\n[ui]\nwrap = true\n";
        let complaints = [
            "true from repo:8",
            "repo:2: `check.command`: a repository cannot name commands to run",
            "repo:4: `model.endpoint`: a repository cannot say where text is sent",
            "repo:6: `apply.confidence`: a repository cannot let through more than \"safe\"",
        ];
        check("", file, &[], "ui.wrap", &complaints);
        let user = "[guard]\nprotected = ['a']\n";
        let file = "[guard]\nprotected = ['b']\n";
        check(
            user,
            file,
            &[],
            "guard.protected",
            &["[\"a\", \"b\"] from repo:2"],
        );
        let user = "[apply]\nconfidence = 'fuzzy'\n";
        let file = "[apply]\nconfidence = 'hinted'\n";
        check(
            user,
            file,
            &[],
            "apply.confidence",
            &["\"hinted\" from repo:2"],
        );
    }

    #[test]
    fn the_sample_and_what_is_printed_are_files_of_settings() {
        let uncommented: String = (sample().lines())
            .map(|line| {
                line.strip_prefix("# ")
                    .filter(|line| line.contains(" = "))
                    .unwrap_or(line)
            })
            .fold(String::new(), |text, line| text + line + "\n");
        for text in [sample(), uncommented, Config::default().print()] {
            let read = read(&Sources {
                user: Some(File {
                    name: "sample".to_owned(),
                    text: text.clone(),
                }),
                repository: None,
                variable: &|_| None,
                arguments: Vec::new(),
            });
            assert_eq!(read.problems, [], "{text}");
            assert_eq!(read.config.settings, Settings::default());
        }
    }
}
