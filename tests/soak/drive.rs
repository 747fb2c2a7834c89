//! Doing what a case says with the real program.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use countersign::review::{Decision, Decisions};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::model::{self, Imprint, Mark, Model, State};
use crate::plan::{Case, Ending, Step, Verdict, Way};
use crate::pty::Terminal;
use crate::tree::{self, Tree};
use crate::written;

/// What was done so far.
#[derive(Debug, Default)]
pub(crate) struct Done {
    applied: usize,
    reviewed: usize,
    hunks: usize,
    steps: usize,
    kills: usize,
    undone: usize,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} edits applied and {} reviewed, of {} hunks, with {} steps and {} kills; {} taken back",
            self.applied, self.reviewed, self.hunks, self.steps, self.kills, self.undone
        )
    }
}

type Checked = Result<(), String>;

/// Lays a case out and carries it out.
pub(crate) fn run(case: &Case, done: &mut Done) -> Checked {
    let edit = written::edit(case);
    if edit.is_empty() {
        return Ok(());
    }
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        TempDir::new_in(memory)
    } else {
        TempDir::new()
    };
    let run = Run {
        place: place.unwrap(),
        before: model::before(case),
    };
    tree::write(&run.root(), &run.before);
    fs::write(run.place.path().join("edit.md"), edit).unwrap();
    let mut model = Model::new(case);
    let code = match &case.way {
        Way::Apply => {
            model.decide(Verdict::Accept, |_, _| true);
            done.applied += 1;
            run.command(&["apply", "--root", "tree", "edit.md"], model.code())?;
            model.code()
        }
        Way::Review(steps, ending) => {
            done.reviewed += 1;
            done.steps += steps.len();
            run.review(steps, *ending, &mut model, done)?
        }
    };
    done.hunks += model.units.len();
    run.settle(&model, code, done)
}

/// A folder with a tree, an edit of it and a home.
struct Run {
    place: TempDir,
    before: Tree,
}

impl Run {
    fn root(&self) -> std::path::PathBuf {
        self.place.path().join("tree")
    }

    /// Checks what was written, sends it again, and takes it back, and takes that back.
    fn settle(&self, model: &Model, code: u32, done: &mut Done) -> Checked {
        let after = tree::read(&self.root());
        if code > 1 {
            return model::differ(&self.before, &after).map_err(told("nothing is written"));
        }
        model
            .check(&self.before, &after)
            .map_err(told("what is written"))?;
        // Without what a person changed, the edit has not been made as it was sent.
        let edited = model.states.iter().any(|state| state.edited.is_some());
        if code == 0 && !edited {
            self.command(&["apply", "--root", "tree", "edit.md"], 0)?;
            model::differ(&after, &tree::read(&self.root())).map_err(told("sent again"))?;
        }
        if after == self.before {
            return Ok(());
        }
        done.undone += 1;
        self.command(&["undo", "--root", "tree"], 0)?;
        model::differ(&self.before, &tree::read(&self.root())).map_err(told("taken back"))?;
        // Another `undo` would go one more step back; an undo is taken back by its name.
        let id = self.latest_batch()?;
        self.command(&["undo", "--root", "tree", &id], 0)?;
        model::differ(&after, &tree::read(&self.root())).map_err(told("done again"))
    }

    fn program(&self, arguments: &[&str]) -> (u32, String) {
        let home = self.place.path().join("home");
        let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(arguments)
            .current_dir(self.place.path())
            .env_clear()
            .env("XDG_STATE_HOME", home.join("state"))
            .env("HOME", home)
            .env("PATH", "/usr/bin:/bin")
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        let code = output.status.code().and_then(|code| code.try_into().ok());
        (
            code.unwrap_or(u32::MAX),
            String::from_utf8_lossy(&said).into_owned(),
        )
    }

    fn command(&self, arguments: &[&str], code: u32) -> Checked {
        match self.program(arguments) {
            (found, _) if found == code => Ok(()),
            (found, said) => Err(format!(
                "{arguments:?} ends with {found}, not {code}:\n{said}"
            )),
        }
    }

    /// Returns the name of the batch that was written last.
    fn latest_batch(&self) -> Result<String, String> {
        let (_, log) = self.program(&["log", "--root", "tree", "--report", "json"]);
        let id = log.split("\"id\": \"").nth(1);
        let id = id.and_then(|rest| rest.split('"').next());
        id.map(str::to_owned).ok_or(log)
    }

    /// Goes through a review; gives its exit code.
    fn review(
        &self,
        steps: &[Step],
        ending: Ending,
        model: &mut Model,
        done: &mut Done,
    ) -> Result<u32, String> {
        let mut terminal = self.open(model);
        for step in steps {
            if let Step::Kill { kept } = step {
                done.kills += 1;
                if *kept {
                    self.sync(&terminal, model)?;
                }
                terminal.signal(Signal::KILL);
                _ = terminal.end();
                self.take_up(model)?;
                terminal = self.open(model);
            } else if matches!(step, Step::Later) {
                self.sync(&terminal, model)?;
                // Where all is decided `q` writes, if nothing needs attention.
                if model.undecided() > 0 {
                    terminal.keys("q");
                    terminal.wait_for("Finish the review");
                    terminal.keys("k");
                    ends(&mut terminal, 2)?;
                } else {
                    terminal.keys("\x03\x03");
                    ends(&mut terminal, 130)?;
                }
                self.take_up(model)?;
                terminal = self.open(model);
            } else {
                self.step(step, &terminal, model)?;
            }
        }
        self.sync(&terminal, model)?;
        let code = match ending {
            Ending::Write | Ending::WriteAfterPlan => model.code(),
            Ending::Discard => 2,
            Ending::Abort => 130,
        };
        match ending {
            Ending::WriteAfterPlan if model.undecided() > 0 => {
                terminal.keys("q");
                terminal.wait_for("Finish the review");
                terminal.keys("w");
            }
            Ending::Write | Ending::WriteAfterPlan => {
                // `w` answers what is asked if something is undecided or was never shown.
                terminal.keys("ZZw");
            }
            Ending::Discard => terminal.keys("ZQ"),
            Ending::Abort => terminal.keys("\x03\x03"),
        }
        ends(&mut terminal, code)?;
        terminal.expect_restored();
        let kept = self.kept();
        if ending == Ending::Abort {
            kept_is(model, &model.states, kept.as_ref())?;
        } else if (code < 2 || ending == Ending::Discard) && kept.is_some() {
            return Err(format!("a review that has ended is kept: {kept:?}"));
        }
        Ok(code)
    }

    /// Opens the review, or opens it again, and waits until it shows what is decided.
    fn open(&self, model: &Model) -> Terminal {
        // The model knows the hunks in the order of the edits.
        let command = "exec $countersign --root tree --set ui.order=proposal edit.md";
        let terminal = Terminal::run(self.place.path(), command);
        terminal.wait_for_review();
        terminal.wait_for(&model.tally());
        terminal
    }

    fn step(&self, step: &Step, terminal: &Terminal, model: &mut Model) -> Checked {
        let units = model.units.len();
        let to_unit = |unit: usize| format!("gg{}]", unit % units + 1);
        match *step {
            Step::Decide(unit, verdict) => {
                terminal.keys(&(to_unit(unit) + key(verdict)));
                let mut at = 0..;
                model.decide(verdict, |_, _| at.next() == Some(unit % units));
            }
            Step::DecideFile(file, verdict) => {
                let file = file % model.files().count();
                let keys = match verdict {
                    Verdict::Accept => "A",
                    Verdict::Reject => "R",
                    Verdict::Clear | Verdict::Toggle => key(verdict),
                };
                terminal.keys(&format!("gg{}{keys}", "}".repeat(file)));
                model.decide_file(file, verdict);
            }
            Step::DecideRest(verdict) => {
                if model.undecided() > 0 {
                    terminal.keys(&format!("g{}y", key(verdict)));
                }
                model.decide(verdict, |_, state| state.mark == Mark::Undecided);
            }
            Step::Edit(unit, below) => {
                if let Some(typed) = model.edit(unit % units, below) {
                    terminal.keys(&(to_unit(unit) + "i"));
                    terminal.wait_for("Esc keep");
                    terminal.keys(&format!("\x1b[F{typed}"));
                    terminal.keys("\x1b");
                    terminal.wait_gone("Esc keep");
                    // What is kept while it is typed is no state of the model.
                    self.sync(terminal, model)?;
                }
            }
            Step::Restore(unit) => {
                model.restore(unit % units);
                terminal.keys(&(to_unit(unit) + "g="));
            }
            Step::Comment(unit) => {
                if let Some(said) = model.comment(unit % units) {
                    terminal.keys(&format!("{}c{said}\r", to_unit(unit)));
                }
            }
            Step::Undo(times) => {
                terminal.keys(&"u".repeat(times));
                (0..times).for_each(|_| model.undo());
            }
            Step::Redo(times) => {
                terminal.keys(&"\x12".repeat(times));
                (0..times).for_each(|_| model.redo());
            }
            Step::Keys(keys) => terminal.keys(keys),
            Step::Resize(cols, rows) => {
                terminal.resize(cols, rows);
                terminal.resize(160, 50);
            }
            Step::Kill { .. } | Step::Later => (),
        }
        Ok(())
    }

    /// Waits until the screen shows, and the disk has, what is decided.
    fn sync(&self, terminal: &Terminal, model: &mut Model) -> Checked {
        terminal.wait_for(&model.tally());
        let deadline = Instant::now() + Duration::from_secs(8);
        while let Err(differs) = kept_is(model, &model.states, self.kept().as_ref()) {
            if Instant::now() > deadline {
                return Err(format!("{differs}\n{terminal}"));
            }
            thread::park_timeout(Duration::from_millis(2));
        }
        model.been = vec![model.states.clone()];
        Ok(())
    }

    /// Lets the model go on where the review that has gone was last kept, which must be something that it was.
    fn take_up(&self, model: &mut Model) -> Checked {
        let kept = self.kept();
        let been = model.been.iter().rev();
        let mut fits = been.filter(|states| kept_is(model, states, kept.as_ref()).is_ok());
        let Some(states) = fits.next().cloned() else {
            let last = model.imprint(&model.states);
            return Err(format!(
                "kept is nothing that was decided: {kept:?}, last {last:?}"
            ));
        };
        model.taken_up(states);
        Ok(())
    }

    /// What is kept of the review, if anything is.
    fn kept(&self) -> Option<Imprint> {
        let roots = fs::read_dir(self.place.path().join("home/state/countersign")).ok()?;
        let folders = roots.map(|root| root.unwrap().path().join("reviews"));
        let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
        let mut files = files.map(|file| file.unwrap().path());
        let kept = files.find(|path| path.extension().is_some_and(|end| end == "json"))?;
        // It may go in between.
        let decisions = Decisions::from_json(&fs::read(kept).ok()?).unwrap();
        let files = decisions.files.into_iter();
        let hunks = files.flat_map(|file| {
            let path = file.path;
            (file.hunks.into_iter()).map(move |hunk| (path.clone(), hunk))
        });
        Some(
            hunks
                .map(|(path, hunk)| {
                    let lines = hunk.lines.unwrap_or_default().into_iter();
                    let adds = lines.filter_map(|line| line.adds).collect();
                    let state = State {
                        mark: match hunk.decision.unwrap_or_default() {
                            Decision::Undecided => Mark::Undecided,
                            Decision::Accepted => Mark::Accepted,
                            Decision::Rejected => Mark::Rejected,
                        },
                        edited: hunk.edited.then_some(adds),
                        comment: hunk.comment,
                    };
                    ((path, hunk.hunk), state)
                })
                .collect(),
        )
    }
}

/// Fails unless what is kept is what was made of the units.
fn kept_is(model: &Model, states: &[State], kept: Option<&Imprint>) -> Checked {
    let expected = model.imprint(states);
    match kept {
        None if expected.is_empty() => Ok(()),
        Some(kept) if *kept == expected => Ok(()),
        kept => Err(format!("kept is {kept:?}, not {expected:?}")),
    }
}

fn ends(terminal: &mut Terminal, code: u32) -> Checked {
    match terminal.end() {
        Ok(found) if found == code => Ok(()),
        found => Err(format!(
            "the review ends with {found:?}, not {code}\n{terminal}"
        )),
    }
}

fn key(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "a",
        Verdict::Reject => "r",
        Verdict::Clear => "x",
        Verdict::Toggle => " ",
    }
}

fn told(what: &'static str) -> impl Fn(String) -> String {
    move |differs| format!("{what}: {differs}")
}
