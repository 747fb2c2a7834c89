//! The folder that a command sees in the place of countersign's state: agents' hooks report their calls in it, and find the
//! verdict of a review there.
//!
//! The command can write in it as well, so nothing that is read from it decides anything.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::stat::Stat;
use super::{Layer, LayerRecord};
use crate::store::state::state_folder::usual_folder;

/// The most bytes of reported calls, or of a verdict, that are read.
const MOST_BYTES: u64 = 8 << 20;
/// The most characters of a shell command that are kept.
const MOST_COMMAND: usize = 200;
/// The time by which the clock that stamps files may lag behind.
const LAG: Duration = Duration::from_millis(20);

/// A call of an agent's tool, as its hook reported it when the call began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportedCall {
    /// The time since 1970.
    began: Duration,
    /// The agent.
    agent: String,
    /// The tool.
    tool: String,
    /// The beginning of the shell command, for a tool that runs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// The files that it names, without links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<PathBuf>,
}

impl ReportedCall {
    /// A call that begins now.
    pub(crate) fn now(agent: &str, tool: &str, command: Option<&str>, files: Vec<PathBuf>) -> Self {
        let command = command.map(|command| {
            let mut shown: String = command.chars().take(MOST_COMMAND).collect();
            if shown.len() < command.len() {
                shown.push('…');
            }
            shown
        });
        Self {
            began: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
            agent: agent.to_owned(),
            tool: tool.to_owned(),
            command,
            files,
        }
    }

    /// Returns the call in words.
    pub(crate) fn words(&self) -> String {
        let plain = |text: &str| text.replace(char::is_control, " ");
        let (agent, tool) = (plain(&self.agent), plain(&self.tool));
        match &self.command {
            Some(command) => format!("{agent}, {tool} `{}`", plain(command)),
            None => format!("{agent}, {tool}"),
        }
    }
}

/// The folder in which hooks inside a layer report and listen.
#[derive(Debug, Clone)]
pub(crate) struct GuestFolder(PathBuf);

impl GuestFolder {
    /// The folder that a command in an overlay sees in the place of the state of all roots.
    pub(crate) fn of_overlay() -> Option<Self> {
        usual_folder().map(Self)
    }

    /// The folder for the layer that a path lies in, if that layer is a copy.
    pub(crate) fn of_copy(path: &Path) -> Option<Self> {
        Layer::of_copy(path).map(|layer| layer.inside())
    }

    /// Appends a call.
    pub(crate) fn report(&self, call: &ReportedCall) -> io::Result<()> {
        let mut line = serde_json::to_vec(call)?;
        line.push(b'\n');
        let mut options = File::options();
        options.append(true).create(true).mode(0o600);
        // One write, so that calls at the same time do not mix.
        options.open(self.calls())?.write_all(&line)
    }

    /// Returns the reported calls in the order of their times. What is no call is left out.
    fn reported(&self) -> Vec<ReportedCall> {
        let text = read(&self.calls()).unwrap_or_default();
        let mut calls: Vec<ReportedCall> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        calls.sort_by_key(|call| call.began);
        calls
    }

    /// Leaves the verdict of a review for the next hook. It follows one that is not taken yet.
    pub(crate) fn leave_verdict(&self, text: &str) -> io::Result<()> {
        let mut options = File::options();
        options.append(true).create(true).mode(0o600);
        let mut file = options.open(self.verdict())?;
        file.write_all(format!("{}\n", text.trim_end()).as_bytes())
    }

    /// Takes the verdict that was left, if there is one.
    pub(crate) fn take_verdict(&self) -> Option<String> {
        let taken = self
            .verdict()
            .with_extension(std::process::id().to_string());
        // Of several hooks at the same time one gets it.
        fs::rename(self.verdict(), &taken).ok()?;
        let text = read(&taken);
        let removed = fs::remove_file(&taken);
        let text = text.filter(|_| removed.is_ok())?;
        Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
    }

    fn calls(&self) -> PathBuf {
        self.0.join("calls.jsonl")
    }

    fn verdict(&self) -> PathBuf {
        self.0.join("verdict.txt")
    }
}

/// The calls that were reported in a layer.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    calls: Vec<ReportedCall>,
}

impl Calls {
    /// Returns the call that probably made a file what it is: the last that began before the file was changed, and that names the
    /// file or runs a shell command.
    pub(crate) fn maker(&self, file: &Path, changed: Duration) -> Option<&ReportedCall> {
        let calls = self.calls.iter().rev();
        let mut before = calls.filter(|call| call.began <= changed + LAG);
        before.find(|call| call.command.is_some() || call.files.iter().any(|own| own == file))
    }
}

impl Layer {
    /// Finds the layer that a path without links lies in, if that layer is a copy.
    pub(crate) fn of_copy(path: &Path) -> Option<Self> {
        let base = usual_folder()?.canonicalize().ok()?;
        let mut parts = path.strip_prefix(&base).ok()?.iter();
        let (root, layers, id, copy) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        (layers == "layers" && copy == "copy").then_some(())?;
        Some(Self {
            folder: base.join(root).join(layers).join(id),
            id: id.to_str()?.to_owned(),
        })
    }

    /// The folder that the command sees in the place of countersign's state.
    pub(crate) fn inside(&self) -> GuestFolder {
        GuestFolder(self.folder().join("inside"))
    }

    /// Reads the reported calls.
    pub(crate) fn calls(&self) -> Calls {
        Calls {
            calls: self.inside().reported(),
        }
    }

    /// Returns when a file of the layer was changed, as a time since 1970; `None` if the layer has no such file.
    pub(crate) fn changed_in_layer(&self, about: &LayerRecord, path: &Path) -> Option<Duration> {
        let (seconds, nanoseconds) = Stat::of(&self.content(about).join(path)).ok()?.changed;
        let seconds = u64::try_from(seconds).ok()?;
        Some(Duration::new(seconds, u32::try_from(nanoseconds).ok()?))
    }
}

/// Reads a regular file. A pipe that the command has put in its place would be waited for without end.
fn read(path: &Path) -> Option<String> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    if !is_file {
        return None;
    }
    let mut bytes = Vec::new();
    match File::open(path).map(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)) {
        Ok(Ok(_)) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(Err(error)) | Err(error) if error.kind() == ErrorKind::NotFound => None,
        Ok(Err(_)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(began: u64, command: Option<&str>, file: &str) -> ReportedCall {
        ReportedCall {
            began: Duration::from_secs(began),
            agent: "claude".to_owned(),
            tool: if command.is_some() { "Bash" } else { "Edit" }.to_owned(),
            command: command.map(str::to_owned),
            files: vec![PathBuf::from(file)],
        }
    }

    #[test]
    fn a_change_is_traced_to_the_last_call_that_can_have_made_it() {
        let calls = Calls {
            calls: vec![
                call(10, None, "/r/a"),
                call(20, Some("make"), ""),
                call(30, None, "/r/b"),
            ],
        };
        let check = |file: &str, milliseconds: u64, expected: Option<&str>| {
            let found = calls.maker(Path::new(file), Duration::from_millis(milliseconds));
            assert_eq!(found.map(ReportedCall::words).as_deref(), expected);
        };
        check("/r/a", 9_900, None);
        check("/r/a", 9_990, Some("claude, Edit"));
        check("/r/a", 15_000, Some("claude, Edit"));
        check("/r/b", 15_000, None);
        check("/r/a", 25_000, Some("claude, Bash `make`"));
        check("/r/a", 35_000, Some("claude, Bash `make`"));
        check("/r/b", 35_000, Some("claude, Edit"));
    }

    #[test]
    fn a_verdict_is_taken_once() {
        let place = tempfile::tempdir().unwrap();
        let inside = GuestFolder(place.path().to_owned());
        assert_eq!(inside.take_verdict(), None);
        inside.leave_verdict("one").unwrap();
        inside.leave_verdict("two\n").unwrap();
        assert_eq!(inside.take_verdict().as_deref(), Some("one\ntwo"));
        assert_eq!(inside.take_verdict(), None);
        inside.report(&call(2, Some("b\nc"), "")).unwrap();
        inside.report(&call(1, None, "/a")).unwrap();
        let words: Vec<String> = inside.reported().iter().map(ReportedCall::words).collect();
        assert_eq!(words, ["claude, Edit", "claude, Bash `b c`"]);
    }
}
