//! Checks README.md and the book in `docs/` against the program: tables, options, commands, links.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod appearance;
mod block;

use std::fmt::Write as _;
use std::path::Path;

use block::{expect_block, read};
use clap::CommandFactory;
use countersign::cli::{Arguments, Exit};
use countersign::dialect::DIALECTS;
use countersign::ui::keymap::{Binding, KEYS, KeyContext, Topic};
use countersign::ui::linear::ANSWERS;
use countersign::ui::theme::THEMES;

/// Returns the first cells, without backticks, of the table in `page` whose header begins with `| first |`.
fn first_cells(page: &str, first: &str) -> Vec<String> {
    let text = read(page);
    let mut lines = text
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
fn keys_match_the_key_table() {
    let shown = |key: &Binding| {
        key.places
            .iter()
            .any(|place| matches!(place, KeyContext::Stream | KeyContext::FileList))
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
    expect_block("docs/src/keys.md", "keys", &table);
}

#[test]
fn linear_answers_match_the_table() {
    let mut table = "| answer | |\n|---|---|".to_owned();
    for answer in ANSWERS {
        write!(table, "\n| `{}` | {} |", answer.word, answer.help).unwrap();
    }
    expect_block("docs/src/linear.md", "answers", &table);
}

#[test]
fn settings_match_the_program() {
    expect_block(
        "docs/src/configuration.md",
        "settings",
        &countersign::config::reference(),
    );
}

/// Returns the words in backticks between two phrases of a page.
fn words_between(page: &str, from: &str, to: &str) -> Vec<String> {
    let text = read(page);
    let (_, rest) = text.split_once(from).unwrap();
    let (part, _) = rest.split_once(to).unwrap();
    let words = part.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

#[test]
fn modes_and_themes_match_the_program() {
    let mut listed = words_between("docs/src/keys.md", "The modes are ", "; ");
    let mut known = KeyContext::ALL.map(KeyContext::name);
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
    let listed = words_between(
        "docs/src/configuration.md",
        "`theme` names one of ",
        ", or a file of yours",
    );
    assert_eq!(listed, THEMES.map(|(name, _)| name));
}

#[test]
fn exit_codes_match_the_program() {
    let all = [
        Exit::Done,
        Exit::Partial,
        Exit::Refused,
        Exit::Usage,
        Exit::Failed,
        Exit::Interrupted,
    ];
    assert_eq!(
        first_cells("docs/src/apply.md", "code"),
        all.map(|exit| exit.code().to_string())
    );
}

#[test]
fn dialects_match_the_program() {
    let mut known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
    let mut listed = first_cells("docs/src/dialects.md", "dialect");
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn options_and_commands_match_the_program() {
    let mut program = <Arguments as CommandFactory>::command();
    program.build();
    let apply = program.find_subcommand("apply").unwrap();
    let options = apply.get_arguments().filter_map(|option| option.get_long());
    let mut known: Vec<String> = options
        .filter(|name| *name != "help")
        .map(|name| format!("--{name}"))
        .collect();
    let listed = first_cells("docs/src/apply.md", "option");
    let mut listed: Vec<&str> = listed
        .iter()
        .map(|cell| cell.split(' ').next().unwrap())
        .collect();
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);

    let shown = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let commands = shown.map(clap::Command::get_name);
    let mut known: Vec<&str> = commands.filter(|name| *name != "help").collect();
    let listed = first_cells("docs/src/reviewing.md", "command");
    let mut listed: Vec<&str> = listed
        .iter()
        .map(|cell| cell.split(' ').nth(1).unwrap())
        .collect();
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn sample_report_matches_a_scenario() {
    let report = include_str!("../scenarios/030_not_found/report.txt");
    expect_block(
        "docs/src/apply.md",
        "report",
        &format!(
            "```text\n{}```",
            report.replace("$ countersign apply\n", "$ countersign apply reply.md\n")
        ),
    );
}

/// Counts the tests in a folder of `tests/`, its modules included.
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
fn numbers_of_tests_match_the_sources() {
    let text = read("docs/src/reliability.md");
    let mut listed = 0;
    for (before, after) in text.split("`: ").zip(text.split("`: ").skip(1)) {
        let words: Vec<&str> = after.split_whitespace().take(2).collect();
        let folder = before.rsplit('`').next().unwrap();
        if let [count, "tests" | "tests,"] = words[..] {
            assert_eq!(count, tests_in(folder).to_string(), "{folder}");
            listed += 1;
        }
    }
    assert_eq!(listed, 2);
}

/// Returns the pages that the table of contents names, in its order.
fn pages() -> Vec<String> {
    let summary = read("docs/src/SUMMARY.md");
    let targets = summary.split("](").skip(1);
    let names = targets.map(|rest| rest.split(')').next().unwrap());
    names.map(|name| format!("docs/src/{name}")).collect()
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> = names
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
        .filter(|name| name != "SUMMARY.md")
        .map(|name| format!("docs/src/{name}"))
        .collect();
    let mut listed = pages();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, found);
}

/// Returns the links of a Markdown text that point into the project.
fn local_links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for rest in text.split("](").skip(1) {
        let target = rest.split([')', ' ']).next().unwrap();
        if !target.contains("://") {
            links.push(target.to_owned());
        }
    }
    for attribute in ["src=\"", "srcset=\""] {
        let values = text.split(attribute).skip(1);
        links.extend(values.map(|rest| rest.split('"').next().unwrap().to_owned()));
    }
    links.retain(|link| link.contains(".svg") || link.contains(".md") || link.starts_with('#'));
    links
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut broken = Vec::new();
    let mut all = pages();
    all.push("README.md".to_owned());
    for page in &all {
        let text = read(page);
        let folder = Path::new(page).parent().unwrap();
        for link in local_links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                Path::new(page).to_owned()
            } else {
                folder.join(file)
            };
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&target);
            let found = path.exists()
                && (anchor.is_empty()
                    || anchors(&std::fs::read_to_string(path).unwrap())
                        .contains(&anchor.to_owned()));
            if !found {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(
        lines <= 150,
        "README.md has {lines} lines; the details belong in docs/"
    );
}
