//! Whole runs of the program, one folder a case: what the files were, what was sent, what the files are after.
//!
//! A folder of `tests/scenarios/` holds
//!
//! * `before/`, the files (none if it is missing), and `outside/`, which is laid out beside the root;
//! * `edit.*`, the input, in any dialect;
//! * `run`, one command line a line, such as `apply --partial => 1` with the exit code that it must give; without it
//!   `apply => 0`. `type a r <Esc> ZZ => 1` opens the review in a terminal and types these keys;
//! * `after/`, the files after it; missing if nothing may change;
//! * `report.txt`, standard output and standard error of all commands; not compared if missing.
//!
//! Four things are asked of every case beside its own: `check` writes nothing; an edit that was applied and is sent again
//! changes nothing, and gives 0 unless `run` says something else (`apply => 0 then 2`: nothing but a changed line, which
//! proves little); nothing but the files in `after/` is left in the tree; and the report as JSON is what `schema` says.
//!
//! `UPDATE_SCENARIOS=1 cargo test --test scenarios` rewrites the `report.txt` files that are there.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[allow(dead_code, reason = "the tests of the terminal use the rest of it")]
#[path = "terminal/pty.rs"]
mod pty;
#[path = "scenarios/schema.rs"]
mod schema;
#[path = "scenarios/tree.rs"]
mod tree;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use countersign::dialect;
use libtest_mimic::{Arguments, Failed, Trial};
use pty::Terminal;
use tempfile::TempDir;
use tree::Tree;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let entries = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    cases.sort();
    let every_dialect = cases.clone();
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|case| {
            let name = case.file_name().unwrap().to_string_lossy().into_owned();
            Trial::test(name, move || Scenario::read(&case)?.run())
        })
        .collect();
    trials.push(Trial::test("every_dialect_has_a_scenario", move || {
        expect_every_dialect(&every_dialect)
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Fails if there is a dialect that no case names or is written in.
fn expect_every_dialect(cases: &[PathBuf]) -> Result<(), Failed> {
    let mut missing: Vec<&str> = dialect::DIALECTS
        .iter()
        .map(|dialect| dialect.name())
        .collect();
    for case in cases {
        let scenario = Scenario::read(case)?;
        let text = String::from_utf8_lossy(&fs::read(&scenario.edit)?).into_owned();
        let parsed = dialect::parse(&text, &dialect::Options::default());
        let written_in = |name: &str| {
            parsed
                .proposal
                .files
                .iter()
                .any(|file| file.dialect == name)
        };
        let named = |name: &str| {
            scenario
                .steps
                .iter()
                .any(|step| step.command.contains(&format!("--format {name}")))
        };
        missing.retain(|name| !written_in(name) && !named(name));
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("no scenario is written in {}", missing.join(", ")).into())
    }
}

/// A case as its folder states it.
struct Scenario {
    folder: PathBuf,
    edit: PathBuf,
    steps: Vec<Step>,
}

/// A command line and the exit codes that it must give: at first, and when everything is written already.
struct Step {
    command: String,
    code: i32,
    again: i32,
}

impl Step {
    fn parse(line: &str) -> Result<Self, Failed> {
        let (command, code) = line
            .split_once("=>")
            .ok_or(format!("no `=>` in `{line}`"))?;
        let (code, again) = code.split_once("then").unwrap_or((code, "0"));
        Ok(Self {
            command: command.trim().to_owned(),
            code: code.trim().parse()?,
            again: again.trim().parse()?,
        })
    }

    /// Whether the same input sent again must find everything done.
    fn writes_all(&self) -> bool {
        self.code == 0 && self.command.starts_with("apply") && !self.command.contains("--dry-run")
    }
}

impl Scenario {
    fn read(folder: &Path) -> Result<Self, Failed> {
        let is_edit = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "edit");
        let mut paths = fs::read_dir(folder)?.map(|entry| entry.unwrap().path());
        let run = folder.join("run");
        let lines = if run.exists() {
            fs::read_to_string(run)?
        } else {
            "apply => 0".to_owned()
        };
        let steps = lines
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(Step::parse);
        Ok(Self {
            folder: folder.to_owned(),
            edit: paths.find(is_edit).ok_or("there is no `edit.*`")?,
            steps: steps.collect::<Result<_, _>>()?,
        })
    }

    fn run(&self) -> Result<(), Failed> {
        self.expect_reports_of_the_schema()?;
        let place = TempDir::new()?;
        let before = Tree::read(&self.folder.join("before"))?;
        let after = self.folder.join("after");
        let after = if after.exists() {
            Tree::read(&after)?
        } else {
            before.clone()
        };
        let outside = Tree::read(&self.folder.join("outside"))?;
        let root = place.path().join("root");
        before.write(&root)?;
        outside.write(&place.path().join("outside"))?;

        self.command(place.path(), "check")?;
        Tree::read(&root)?.expect(&before, "`check` wrote to the tree")?;

        let mut report = String::new();
        for step in &self.steps {
            let output = match step.command.strip_prefix("type ") {
                Some(keys) => self.review(place.path(), keys)?,
                None => self.command(place.path(), &step.command)?,
            };
            if output.code != Some(step.code) {
                let Output { code, text, .. } = output;
                return Err(format!(
                    "`{}` gave {code:?}, not {}\n{text}",
                    step.command, step.code
                )
                .into());
            }
            write!(report, "$ countersign {}\n{}", step.command, output.text)?;
        }
        Tree::read(&root)?
            .expect(&after, "other files than in `after/`")
            .map_err(|e| with(&e, &report))?;

        for step in self.steps.iter().filter(|step| step.writes_all()) {
            let again = self.command(place.path(), &step.command)?;
            Tree::read(&root)?
                .expect(&after, "sent again, it changed files")
                .map_err(|e| with(&e, &again.text))?;
            if again.code != Some(step.again) {
                return Err(format!("sent again, it gave {:?}\n{}", again.code, again.text).into());
            }
        }
        Tree::read(&place.path().join("outside"))?
            .expect(&outside, "files outside of the root changed")?;
        self.compare_report(&report)
    }

    /// Does the same with reports in JSON, in a place of its own, and compares them with the schema.
    fn expect_reports_of_the_schema(&self) -> Result<(), Failed> {
        let place = TempDir::new()?;
        Tree::read(&self.folder.join("before"))?.write(&place.path().join("root"))?;
        Tree::read(&self.folder.join("outside"))?.write(&place.path().join("outside"))?;
        for Step { command, code, .. } in &self.steps {
            // Wrong usage has no report, and what is typed was decided by a person.
            if command.starts_with("type ") || *code == 3 {
                continue;
            }
            let output = self.command(
                place.path(),
                &format!(
                    "{} --report json",
                    command
                        .replace("--report json", "")
                        .replace("--report agent", "")
                ),
            )?;
            schema::expect_valid(include_str!("../assets/report.schema.json"), &output.report)
                .map_err(|error| format!("`{command}` in JSON: {error}\n{}", output.text))?;
        }
        Ok(())
    }

    /// Runs the program in the root, with the edit as its last argument and a home of its own.
    fn command(&self, place: &Path, line: &str) -> Result<Output, Failed> {
        let home = place.join("home");
        let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(line.split_whitespace())
            .arg(&self.edit)
            .current_dir(place.join("root"))
            .env_clear()
            .env("HOME", &home)
            .env("XDG_STATE_HOME", home.join("state"))
            .stdin(Stdio::null())
            .output()?;
        let text = [output.stdout, output.stderr];
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Output {
            code: output.status.code(),
            text: self.without_paths(place, &text.concat()),
            report: text.into_iter().next().unwrap_or_default(),
        })
    }

    /// Opens the review in a terminal and types keys, which stand apart by blanks.
    fn review(&self, place: &Path, keys: &str) -> Result<Output, Failed> {
        let edit = self.edit.display();
        let command = format!("exec $countersign --root root '{edit}' > report");
        let mut terminal = Terminal::run(place, &command);
        terminal.wait_for_review();
        for key in keys.split_whitespace() {
            match key {
                "<Esc>" => {
                    // With what comes right before or after it, it would be taken for another key.
                    terminal.wait_for("Esc ");
                    terminal.keys("\x1b");
                    terminal.wait_gone("Esc ");
                }
                "<Enter>" => terminal.keys("\r"),
                "<Tab>" => terminal.keys("\t"),
                "<Down>" => terminal.keys("\x1b[B"),
                "<End>" => terminal.keys("\x1b[F"),
                "<Space>" => terminal.keys(" "),
                "<Backspace>" => terminal.keys("\x7f"),
                keys => terminal.keys(keys),
            }
        }
        let code = terminal.end()?;
        let report = fs::read_to_string(place.join("report"))?;
        Ok(Output {
            code: i32::try_from(code).ok(),
            text: self.without_paths(place, &report),
            report: String::new(),
        })
    }

    /// What was printed, without what is another path in every run.
    fn without_paths(&self, place: &Path, text: &str) -> String {
        text.replace(&*place.to_string_lossy(), "")
            .replace(&*self.edit.to_string_lossy(), "EDIT")
    }

    fn compare_report(&self, report: &str) -> Result<(), Failed> {
        let path = self.folder.join("report.txt");
        if !path.exists() {
            return Ok(());
        }
        if std::env::var_os("UPDATE_SCENARIOS").is_some() {
            return Ok(fs::write(path, report)?);
        }
        let expected = fs::read_to_string(path)?;
        if expected == report {
            return Ok(());
        }
        Err(format!(
            "another report than `report.txt`\n{}",
            tree::difference(&expected, report)
        )
        .into())
    }
}

/// What a command gave: its exit code, unless a signal ended it, and all that it printed.
struct Output {
    code: Option<i32>,
    /// All that it printed.
    text: String,
    /// Standard output alone.
    report: String,
}

fn with(error: &str, report: &str) -> Failed {
    format!("{error}\n{report}").into()
}
