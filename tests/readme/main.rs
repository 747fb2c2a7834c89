//! README.md says what is true: its tables are those of the program.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod block;

use std::fmt::Write as _;
use std::path::Path;

use block::expect_block;
use clap::CommandFactory;
use countersign::cli::{Arguments, Exit};
use countersign::dialect::DIALECTS;
use countersign::ui::keymap::{Binding, KEYS, Place, Topic};
use countersign::ui::linear::ANSWERS;
use countersign::ui::theme::THEMES;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The rows of the table under a heading that begins with `| first |`, by their first cell without its backticks.
fn first_cells(first: &str) -> Vec<String> {
    let readme = readme();
    let mut lines = readme
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {first} |")));
    let rows = lines
        .by_ref()
        .skip(2)
        .take_while(|line| line.starts_with("| "));
    rows.map(|row| row.split('|').nth(1).unwrap().trim().replace('`', ""))
        .collect()
}

#[test]
fn its_keys_are_those_of_the_key_table() {
    let shown = |key: &Binding| {
        key.places
            .iter()
            .any(|place| matches!(place, Place::Stream | Place::Batch))
    };
    let mut table = "| keys | | command |\n|---|---|---|".to_owned();
    for topic in Topic::ALL {
        write!(table, "\n| **{}** | | |", topic.title()).unwrap();
        for key in KEYS.iter().filter(|key| key.topic == topic && shown(key)) {
            let keys: Vec<String> = key
                .keys
                .iter()
                .map(|keys| format!("`{}`", keys.replace('|', "\\|")))
                .collect();
            let name = key.command.name();
            write!(table, "\n| {} | {} | `{name}` |", keys.join(" "), key.help).unwrap();
        }
    }
    expect_block("keys", &table);
}

#[test]
fn its_answers_are_those_of_the_table() {
    let mut table = "| answer | |\n|---|---|".to_owned();
    for answer in ANSWERS {
        write!(table, "\n| `{}` | {} |", answer.word, answer.help).unwrap();
    }
    expect_block("answers", &table);
}

#[test]
fn its_settings_are_those_that_there_are() {
    expect_block("settings", &countersign::config::reference());
}

/// The words in backticks between two places of the text.
fn words_between(from: &str, to: &str) -> Vec<String> {
    let readme = readme();
    let (_, rest) = readme.split_once(from).unwrap();
    let (part, _) = rest.split_once(to).unwrap();
    let words = part.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

#[test]
fn its_modes_and_themes_are_those_that_there_are() {
    let mut told = words_between("The modes are ", "; ");
    let mut known = Place::ALL.map(Place::name);
    told.sort_unstable();
    known.sort_unstable();
    assert_eq!(told, known);
    let told = words_between("`theme` names one of ", ", or a file of yours");
    assert_eq!(told, THEMES.map(|(name, _)| name));
}

#[test]
fn its_exit_codes_are_those_of_the_program() {
    let all = [
        Exit::Done,
        Exit::Partial,
        Exit::Refused,
        Exit::Usage,
        Exit::Failed,
        Exit::Interrupted,
    ];
    assert_eq!(first_cells("code"), all.map(|exit| exit.code().to_string()));
}

#[test]
fn its_dialects_are_those_that_are_read() {
    let mut known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
    let mut told = first_cells("dialect");
    known.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, known);
}

#[test]
fn its_options_and_commands_are_those_of_the_program() {
    let mut program = <Arguments as CommandFactory>::command();
    program.build();
    let apply = program.find_subcommand("apply").unwrap();
    let options = apply.get_arguments().filter_map(|option| option.get_long());
    let mut known: Vec<String> = options
        .filter(|name| *name != "help")
        .map(|name| format!("--{name}"))
        .collect();
    let told = first_cells("option");
    let mut told: Vec<&str> = told
        .iter()
        .map(|cell| cell.split(' ').next().unwrap())
        .collect();
    known.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, known);

    let commands = program.get_subcommands().map(clap::Command::get_name);
    let mut known: Vec<&str> = commands.filter(|name| *name != "help").collect();
    let told = first_cells("command");
    let mut told: Vec<&str> = told
        .iter()
        .map(|cell| cell.split(' ').nth(1).unwrap())
        .collect();
    known.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, known);
}

#[test]
fn its_report_is_a_real_one() {
    let report = include_str!("../scenarios/030_not_found/report.txt");
    expect_block(
        "report",
        &format!(
            "```text\n{}```",
            report.replace("$ countersign apply\n", "$ countersign apply reply.md\n")
        ),
    );
}

/// The tests in a folder of `tests/`, its modules included.
fn tests_in(folder: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let sources = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sources = sources.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let texts = sources.map(|path| std::fs::read_to_string(path).unwrap());
    texts
        .map(|text| text.lines().filter(|line| line.trim() == "#[test]").count())
        .sum()
}

#[test]
fn its_numbers_of_tests_are_those_that_there_are() {
    let readme = readme();
    let mut told = 0;
    for (before, after) in readme.split("`: ").zip(readme.split("`: ").skip(1)) {
        let words: Vec<&str> = after.split_whitespace().take(2).collect();
        let folder = before.rsplit('`').next().unwrap();
        if let [count, "tests" | "tests,"] = words[..] {
            assert_eq!(count, tests_in(folder).to_string(), "{folder}");
            told += 1;
        }
    }
    assert_eq!(told, 2);
}
