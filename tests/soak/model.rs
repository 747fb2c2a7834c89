//! What a review is to come to: what can be decided, what was, and the tree that this makes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::form::{Ended, Form};
use crate::plan::{Ask, Case, File, Verdict};
use crate::tree::{Entry, Tree, with_parents};

/// Something to decide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) file: usize,
    /// Its number in reports.
    pub(crate) number: usize,
    pub(crate) what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A change of lines.
    Change(usize),
    /// The file goes, or an empty one comes.
    Whole,
    Rename,
    Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mark {
    #[default]
    Undecided,
    Accepted,
    Rejected,
}

/// What was made of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct State {
    pub(crate) mark: Mark,
    /// Its new lines, if they were edited.
    pub(crate) edited: Option<Vec<String>>,
    pub(crate) comment: Option<String>,
}

/// What is kept of a review: of each unit that is not as it was, by file and number.
pub(crate) type Imprint = BTreeMap<(String, usize), State>;

/// A review.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    case: &'a Case,
    /// In the order of the screen.
    pub(crate) units: Vec<Unit>,
    pub(crate) states: Vec<State>,
    undo: Vec<Vec<State>>,
    redo: Vec<Vec<State>>,
    /// Everything that it was since this was last emptied.
    pub(crate) been: Vec<Vec<State>>,
    typed: usize,
}

impl<'a> Model<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        let mut units = Vec::new();
        let asked = case.files.iter().filter(|file| file.is_asked());
        for (at, file) in asked.enumerate() {
            let unit = |number, what| Unit {
                file: at,
                number,
                what,
            };
            let changes = |first: usize| {
                let changes = 0..file.changes.len();
                changes.map(move |i| unit(first + i, What::Change(i)))
            };
            match &file.ask {
                Ask::Modify => units.extend(changes(1)),
                Ask::Create { executable } => {
                    // What is done to the file as a whole comes before its lines.
                    let is_empty = file.changes.iter().all(|change| change.new.is_empty());
                    units.extend(is_empty.then(|| unit(1, What::Whole)));
                    let mode = 1 + usize::from(is_empty);
                    units.extend(executable.then(|| unit(mode, What::Mode)));
                    if !is_empty {
                        units.extend(changes(mode + usize::from(*executable)));
                    }
                }
                Ask::Delete => units.push(unit(1, What::Whole)),
                Ask::Rename(_) => {
                    units.push(unit(1, What::Rename));
                    units.extend(changes(2));
                }
                Ask::Mode => {
                    units.push(unit(1, What::Mode));
                    units.extend(changes(2));
                }
            }
        }
        let states = vec![State::default(); units.len()];
        Self {
            case,
            units,
            been: vec![states.clone()],
            states,
            undo: Vec::new(),
            redo: Vec::new(),
            typed: 0,
        }
    }

    /// The files that the edit names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &'a File> {
        self.case.files.iter().filter(|file| file.is_asked())
    }

    fn file(&self, unit: Unit) -> &'a File {
        self.files().nth(unit.file).unwrap()
    }

    /// Everything of which a test holds is decided.
    pub(crate) fn decide(&mut self, verdict: Verdict, mut of: impl FnMut(Unit, &State) -> bool) {
        let mut states = self.states.clone();
        let chosen = self.units.iter().zip(&mut states);
        for (_, state) in chosen.filter(|(unit, state)| of(**unit, state)) {
            state.mark = match (verdict, state.mark) {
                (Verdict::Accept, _) | (Verdict::Toggle, Mark::Undecided) => Mark::Accepted,
                (Verdict::Reject, _) | (Verdict::Toggle, Mark::Accepted) => Mark::Rejected,
                (Verdict::Clear, _) | (Verdict::Toggle, Mark::Rejected) => Mark::Undecided,
            };
        }
        self.step(states);
    }

    /// A file is decided: what a toggle makes of it depends on all of it.
    pub(crate) fn decide_file(&mut self, file: usize, verdict: Verdict) {
        let of_file = |unit: Unit| unit.file == file;
        let marks = self.units.iter().zip(&self.states);
        let mut marks = marks
            .filter(|(unit, _)| of_file(**unit))
            .map(|(_, state)| state.mark);
        let first = marks.next().unwrap_or_default();
        let verdict = match (verdict, marks.all(|mark| mark == first), first) {
            (Verdict::Toggle, true, Mark::Accepted) => Verdict::Reject,
            (Verdict::Toggle, true, Mark::Rejected) => Verdict::Clear,
            (Verdict::Toggle, _, _) => Verdict::Accept,
            (verdict, _, _) => verdict,
        };
        self.decide(verdict, |unit, _| of_file(unit));
    }

    pub(crate) fn undecided(&self) -> usize {
        self.states
            .iter()
            .filter(|state| state.mark == Mark::Undecided)
            .count()
    }

    /// The new lines of a unit as they are now; none if it cannot be edited.
    fn new_lines(&self, unit: usize) -> &[String] {
        let What::Change(change) = self.units[unit].what else {
            return &[];
        };
        let proposed = &self.file(self.units[unit]).changes[change].new;
        self.states[unit].edited.as_ref().unwrap_or(proposed)
    }

    /// Adds to the first new line, and perhaps a line below. What to type, if it can be edited.
    pub(crate) fn edit(&mut self, unit: usize, below: bool) -> Option<String> {
        let mut lines = self.new_lines(unit).to_vec();
        let first = lines.first_mut()?;
        self.typed += 1;
        let mut typed = format!(" typed{}", self.typed);
        first.push_str(&typed);
        if below {
            let indent = first.len() - first.trim_start_matches([' ', '\t']).len();
            let line = format!("below{}", self.typed);
            typed.push('\r');
            typed.push_str(&line);
            let line = first[..indent].to_owned() + &line;
            lines.insert(1, line);
        }
        let mut states = self.states.clone();
        states[unit].edited = Some(lines);
        self.step(states);
        Some(typed)
    }

    /// Whether there was an edit to drop.
    pub(crate) fn restore(&mut self, unit: usize) {
        if self.states[unit].edited.is_some() {
            let mut states = self.states.clone();
            states[unit].edited = None;
            states[unit].mark = Mark::Undecided;
            self.step(states);
        }
    }

    /// What to type, if nothing is said yet.
    pub(crate) fn comment(&mut self, unit: usize) -> Option<String> {
        if self.states[unit].comment.is_some() {
            return None;
        }
        self.typed += 1;
        let said = format!("said {}", self.typed);
        let mut states = self.states.clone();
        states[unit].comment = Some(said.clone());
        self.step(states);
        Some(said)
    }

    fn step(&mut self, states: Vec<State>) {
        if states != self.states {
            self.redo.clear();
            self.undo.push(std::mem::replace(&mut self.states, states));
            self.been.push(self.states.clone());
        }
    }

    pub(crate) fn undo(&mut self) {
        if let Some(states) = self.undo.pop() {
            self.redo.push(std::mem::replace(&mut self.states, states));
            self.been.push(self.states.clone());
        }
    }

    pub(crate) fn redo(&mut self) {
        if let Some(states) = self.redo.pop() {
            self.undo.push(std::mem::replace(&mut self.states, states));
            self.been.push(self.states.clone());
        }
    }

    /// The review is another process's from now on, which has these states and no steps behind it.
    pub(crate) fn taken_up(&mut self, states: Vec<State>) {
        self.undo.clear();
        self.redo.clear();
        self.been = vec![states.clone()];
        self.states = states;
    }

    /// What is to be kept of such a review.
    pub(crate) fn imprint(&self, states: &[State]) -> Imprint {
        let units = self.units.iter().zip(states);
        let told = units.filter(|(_, state)| **state != State::default());
        told.map(|(unit, state)| {
            (
                (self.file(*unit).called().to_owned(), unit.number),
                state.clone(),
            )
        })
        .collect()
    }

    /// How the bar at the top counts it.
    pub(crate) fn tally(&self) -> String {
        let files = self.files().count();
        let mut tally = format!("{files} {} ", if files == 1 { "file" } else { "files" });
        let marked = |mark| {
            self.states
                .iter()
                .filter(|state| state.mark == mark)
                .count()
        };
        let edited = self
            .states
            .iter()
            .filter(|state| state.edited.is_some())
            .count();
        for (count, sign) in [
            (marked(Mark::Accepted), '✓'),
            (marked(Mark::Rejected), '✗'),
            (edited, '✎'),
            (marked(Mark::Undecided), '·'),
        ] {
            if count > 0 {
                write!(tally, " {count} {sign} ").unwrap();
            }
        }
        tally
    }

    /// The exit code of writing it.
    pub(crate) fn code(&self) -> u32 {
        let accepted = self
            .states
            .iter()
            .filter(|state| state.mark == Mark::Accepted);
        match accepted.count() {
            0 => 2,
            all if all == self.states.len() => 0,
            _ => 1,
        }
    }

    /// Fails unless a tree is what writing makes of another.
    pub(crate) fn check(&self, before: &Tree, found: &Tree) -> Result<(), String> {
        let mut expected = before.clone();
        expected.retain(|name, entry| *entry != Entry::Folder || name == b"empty/");
        let mut mixed = Vec::new();
        for (at, file) in self.files().enumerate() {
            let Some(after) = self.after(at, file, before) else {
                expected.remove(file.name.as_bytes());
                continue;
            };
            expected.remove(file.name.as_bytes());
            let is_there = found.get(after.name.as_bytes());
            if let Some(Entry::File { bytes, .. }) = is_there
                && after.form.is(&after.lines, bytes)
            {
                let (bytes, mode) = (bytes.clone(), after.mode);
                expected.insert(after.name.into_bytes(), Entry::File { bytes, mode });
            } else {
                let (bytes, mode) = (after.form.bytes(&after.lines, "\n"), after.mode);
                mixed.push(after.name.clone());
                expected.insert(after.name.into_bytes(), Entry::File { bytes, mode });
            }
        }
        differ(&with_parents(expected), found)
            .map_err(|differ| format!("{differ}\n(another ending may do in {mixed:?})"))
    }

    /// A file as it is to be; `None` if it is not to be there.
    fn after(&self, at: usize, file: &File, before: &Tree) -> Option<After> {
        let units = self
            .units
            .iter()
            .zip(&self.states)
            .filter(|(unit, _)| unit.file == at);
        let accepted = units.filter(|(_, state)| state.mark == Mark::Accepted);
        let accepted: Vec<(What, &State)> =
            accepted.map(|(unit, state)| (unit.what, state)).collect();
        let has = |what: What| accepted.iter().any(|(other, _)| *other == what);
        let creates = matches!(file.ask, Ask::Create { .. });
        if (file.ask == Ask::Delete && has(What::Whole))
            || (creates && !has(What::Change(0)) && !has(What::Whole))
        {
            return None;
        }
        let mode = match before.get(file.name.as_bytes()) {
            Some(Entry::File { mode, .. }) => *mode,
            Some(Entry::Link(_) | Entry::Folder) | None => 0o644,
        };
        let name = match &file.ask {
            Ask::Rename(to) if has(What::Rename) => to.clone(),
            Ask::Modify | Ask::Create { .. } | Ask::Delete | Ask::Rename(_) | Ask::Mode => {
                file.name.clone()
            }
        };
        let mut lines: Vec<Ended> = Vec::new();
        let mut done = 0;
        let mut keep = |lines: &mut Vec<Ended>, until: usize| {
            let kept = (done..until).map(|i| (file.lines[i].clone(), Some(file.form.ending(i))));
            lines.extend(kept);
            done = until;
        };
        for (i, change) in file.changes.iter().enumerate() {
            let Some((_, state)) = accepted.iter().find(|(what, _)| *what == What::Change(i))
            else {
                continue;
            };
            keep(&mut lines, change.at);
            let mut skipped = Vec::new();
            keep(&mut skipped, change.at + change.old);
            let new = state.edited.as_ref().unwrap_or(&change.new);
            lines.extend(
                new.iter()
                    .map(|line| (line.clone(), file.form.new_ending())),
            );
        }
        keep(&mut lines, file.lines.len());
        Some(After {
            name,
            form: file.form,
            lines,
            mode: if has(What::Mode) { mode ^ 0o111 } else { mode },
        })
    }
}

struct After {
    name: String,
    form: Form,
    lines: Vec<Ended>,
    mode: u32,
}

/// The tree of a case, with things in it that no edit names.
pub(crate) fn before(case: &Case) -> Tree {
    let file = |bytes: &[u8], mode| Entry::File {
        bytes: bytes.to_vec(),
        mode,
    };
    let mut tree = Tree::from([
        (b"empty/".to_vec(), Entry::Folder),
        (b"not \xff utf-8".to_vec(), file(b"a\n", 0o600)),
        (b"picture.bin".to_vec(), file(&[0, 159, 146, 150], 0o644)),
        (b"locked.txt".to_vec(), file(b"read only\n", 0o444)),
        (
            b"nowhere".to_vec(),
            Entry::Link(PathBuf::from("is/not/there")),
        ),
        (b"upstairs".to_vec(), Entry::Link(PathBuf::from(".."))),
    ]);
    for plan in &case.files {
        if matches!(plan.ask, Ask::Create { .. }) {
            continue;
        }
        let lines = plan.lines.iter().enumerate();
        let lines: Vec<Ended> = lines
            .map(|(i, line)| (line.clone(), Some(plan.form.ending(i))))
            .collect();
        let mode = if plan.executable { 0o755 } else { 0o644 };
        tree.insert(
            plan.name.clone().into_bytes(),
            file(&plan.form.bytes(&lines, "\n"), mode),
        );
        if let Some(link) = &plan.link {
            let to = PathBuf::from("..").join(&plan.name);
            tree.insert(link.clone().into_bytes(), Entry::Link(to));
        }
    }
    with_parents(tree)
}

/// Fails unless two trees are one, and says where they are not.
pub(crate) fn differ(expected: &Tree, found: &Tree) -> Result<(), String> {
    let names = expected.keys().chain(found.keys());
    let different = names.filter(|name| expected.get(*name) != found.get(*name));
    let mut told: Vec<String> = different
        .map(|name| {
            let [expected, found] = [expected, found].map(|tree| tree.get(name).map(told));
            let name = String::from_utf8_lossy(name);
            format!("{name:?}\n  expected {expected:?}\n  found    {found:?}")
        })
        .collect();
    told.dedup();
    if told.is_empty() {
        Ok(())
    } else {
        Err(told.join("\n"))
    }
}

fn told(entry: &Entry) -> String {
    match entry {
        Entry::File { bytes, mode } => format!("{mode:o} {}", bytes.escape_ascii()),
        Entry::Link(to) => format!("link to {}", to.display()),
        Entry::Folder => "folder".to_owned(),
    }
}
