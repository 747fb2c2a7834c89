//! The configuration: every value that can be set, where each came from, and what is wrong with what was written.
//!
//! A value comes from the first of: an argument, a variable of the environment, the user's file, the repository's file, the
//! [`Settings`] as they are by default. The file of a repository may be anybody's, so it neither binds keys, nor names
//! commands or addresses, nor lets through more than the person does: it can only make guards tighter, and suggest looks.
//!
//! This module sees nothing but text: whoever reads the files and the environment hands them in as [`Sources`]. A value has the type
//! of the module that it is for.

mod choice;
mod field;
mod file;
mod origin;
mod print;
mod settings;
mod sources;
mod table;
mod values;

pub use choice::OnRejectedBefore;
pub(crate) use field::quoted_key;
pub use field::{Count, Expression, FileNames, MatchPrecision, Patterns, ThemeName};
pub use origin::{SettingOrigin, SettingProblem};
pub use print::{reference, sample};
pub use settings::{
    Apply, CheckSettings, EditorSettings, Guard, Keys, ModelSettings, OverlaySettings,
    PlacingSettings, PolicySettings, Review, Settings, Ui,
};
pub use sources::{RemapSetting, SettingArgument, SettingsFile, Sources};
pub use values::{Config, Read, read, variables};

#[cfg(test)]
mod tests {
    use super::table::{SETTINGS, position};
    use super::*;

    /// Reads a user's file, a repository's, variables and arguments, and shows what became of a setting, and all complaints.
    #[track_caller]
    fn check(user: &str, repository: &str, said: &[(&str, &str)], name: &str, expected: &[&str]) {
        let file = |name: &str, text: &str| SettingsFile {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let read = read(&Sources {
            user: Some(file("user", user)),
            repository: vec![file("repo", repository)],
            environment: &(said.iter())
                .filter(|(name, _)| !name.contains('.'))
                .map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())))
                .collect::<Vec<_>>(),
            arguments: (said.iter())
                .filter(|(name, _)| name.contains('.'))
                .map(|(name, value)| SettingArgument {
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
        shown.extend(complaints.map(SettingProblem::to_string));
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
            "user:2: there is no setting `ui.warp`; did you mean `ui.wrap`?",
            "user:4: `ui.list`: expected \"auto\", \"shown\" or \"hidden\"",
            "user:6: there is no table `[uI]`; did you mean `[ui]`?",
            "user:7: there is no table `[wood]`; the tables are: ui, keys, editor, check, overlay, serve, model, guard, place, apply, review, policy",
        ];
        check(file, "", &[], "ui.wrap", &complaints);
        let file = "wrap = 1\nsoft = 2\n[ui]\nprecision = 0.9\n";
        let complaints = [
            "false from default",
            "user:1: `wrap` is not in any table; did you mean `ui.wrap`?",
            "user:2: `soft` is not in any table",
            "user:4: there is no setting `ui.precision`; did you mean `place.precision`?",
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
            "--set: there is no setting `ui.warp`; did you mean `ui.wrap`?",
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
        let user = "[apply]\nconfidence = 'hinted'\n";
        let file = "[apply]\nconfidence = 'fuzzy'\n";
        check(
            user,
            file,
            &[],
            "apply.confidence",
            &["\"fuzzy\" from repo:2"],
        );
    }

    /// Reads a repository's files, the one of the root first, and variables, and returns what stops the run.
    #[track_caller]
    fn check_stops(files: &[&str], environment: &[(&str, Option<&str>)], expected: &[&str]) {
        let file = |(n, text): (usize, &&str)| SettingsFile {
            name: format!("repo{n}"),
            text: (*text).to_owned(),
        };
        let owned =
            |(name, value): &(&str, Option<&str>)| ((*name).to_owned(), value.map(str::to_owned));
        let read = read(&Sources {
            user: None,
            repository: files.iter().enumerate().map(file).collect(),
            environment: &environment.iter().map(owned).collect::<Vec<_>>(),
            arguments: Vec::new(),
        });
        let problems: Vec<String> = read
            .problems
            .iter()
            .map(SettingProblem::to_string)
            .collect();
        assert_eq!(problems, expected);
    }

    #[test]
    fn a_mistake_that_may_lose_a_guard_stops_the_run() {
        check_stops(
            &["[guard]\nprotected = ['a']\n[ui]\nwrap = true\n"],
            &[],
            &[],
        );
        // What a repository may not say, or only looks, loses no guard.
        check_stops(
            &["[check]\ncommand = 'x'\n[ui]\nwarp = true\nwrap = 3\n"],
            &[],
            &[],
        );
        check_stops(&["[place]\nprecision = 0.8\n"], &[], &[]);
        let patterns =
            "patterns that can match a path, in quotes between `[` and `]`, none with `!` in front";
        let wrong = format!("repo0:2: `guard.protected`: expected {patterns}");
        check_stops(&["[guard]\nprotected = ['a', '!b']\n"], &[], &[&wrong]);
        let unknown =
            "repo0:2: there is no setting `guard.protectd`; did you mean `guard.protected`?";
        check_stops(&["[guard]\nprotectd = ['a']\n"], &[], &[unknown]);
        let table = "repo0:1: there is no table `[gaurd]`; did you mean `[guard]`?";
        check_stops(&["[gaurd]\nprotected = ['a']\n"], &[], &[table]);
        let outside = "repo0:1: `protected` is not in any table; did you mean `guard.protected`?";
        check_stops(&["protected = ['a']\n"], &[], &[outside]);
        let moved = "repo1:2: there is no setting `ui.protected`; did you mean `guard.protected`?";
        check_stops(&["", "[ui]\nprotected = ['a']\n"], &[], &[moved]);
        let broken = "repo0:2: string values must be quoted, expected literal string";
        check_stops(&["[ui]\nlayout = split\n"], &[], &[broken]);
    }

    #[test]
    fn a_variable_that_is_not_unicode_stops_the_run() {
        let name = "COUNTERSIGN_GUARD_PROTECTED";
        check_stops(&[], &[(name, Some("['a']"))], &[]);
        check_stops(&[], &[("PATH", None)], &[]);
        let patterns =
            "patterns that can match a path, in quotes between `[` and `]`, none with `!` in front";
        let expected = format!("${name}: expected {patterns}");
        check_stops(&[], &[(name, None)], &[&expected]);
        check_stops(&[], &[(name, Some("['!a']"))], &[&expected]);
    }

    #[test]
    fn the_file_of_the_root_is_nearer_than_those_above() {
        let read = |name: &str| {
            let file = |text: &str| SettingsFile {
                name: String::new(),
                text: text.to_owned(),
            };
            let inner = "[ui]\ncontext = 1\n[guard]\nprotected = ['a']\nmax_file_mib = 9\n";
            let outer = "[ui]\ncontext = 2\n[guard]\nprotected = ['b']\nmax_file_mib = 5\n";
            let mut read = read(&Sources {
                user: None,
                repository: vec![file(inner), file(outer)],
                environment: &[],
                arguments: Vec::new(),
            });
            let position = position(name).unwrap();
            (SETTINGS[position].field)(&mut read.config.settings).shown()
        };
        assert_eq!(read("ui.context"), "1");
        assert_eq!(read("guard.protected"), r#"["a", "b"]"#);
        assert_eq!(read("guard.max_file_mib"), "5");
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
                user: Some(SettingsFile {
                    name: "sample".to_owned(),
                    text: text.clone(),
                }),
                repository: Vec::new(),
                environment: &[],
                arguments: Vec::new(),
            });
            assert_eq!(read.problems, [], "{text}");
            assert_eq!(read.config.settings, Settings::default());
        }
    }
}
