//! Probe of a gate with the real client: a scripted model on loopback asks it to create a file while nobody reviews.
//!
//! The client is started in the folder that it is used in, with its own settings, so that everything that decides whether it
//! calls the gate is as in any session: the scope of the settings, the trust of the folder and of the hook, managed settings. A
//! gate holds if no file is written **and** the next request to the model contains the gate's reason.

mod client;
mod model;
mod server;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::agent::hook::NOT_OTHERWISE;
use crate::agent::program::output_within;
use crate::agent::shell::shown;
pub use client::Client;
use client::Start;
use model::ScriptedModel;
use server::ProbeServer;

/// The longest time for a client. Some install their plugins at the first start.
const WITHIN: Duration = Duration::from_mins(2);

/// Result of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    /// The client asked the gate, wrote nothing, and its model got the reason.
    Held,
    /// The client wrote the file. It is removed again.
    Written,
    /// The client wrote nothing, but its model did not get the gate's reason.
    NotAsked,
    /// The client did not get as far as the edit. Holds the last line of its output.
    NotMade(String),
}

/// Runs a client in a folder until it has tried one edit.
///
/// # Errors
///
/// Any I/O error, such as a client that cannot be started.
pub fn probe(client: Client<'_>, folder: &Path) -> io::Result<Probed> {
    let agent = client.agent;
    let folder = folder.canonicalize()?;
    let scratch = tempfile::tempdir()?;
    let file = folder.join(format!("probe-{}-{}.txt", agent.name(), process::id()));
    if exists(&file) {
        return Err(io::Error::other(format!("`{}` exists", file.display())));
    }
    let model = Arc::new(ScriptedModel::new(agent, &file));
    let server = ProbeServer::start(Arc::clone(&model))?;
    let errors = scratch.path().join("errors");
    let mut command = Start {
        client,
        folder: &folder,
        scratch: scratch.path(),
        address: &server.address(),
    }
    .command()?;
    command.stderr(File::create(&errors)?);
    let ended = output_within(command, b"", Instant::now() + WITHIN)?;
    drop(server);
    if exists(&file) {
        fs::remove_file(&file)?;
        return Ok(Probed::Written);
    }
    Ok(match model.result() {
        Some(result) if result.contains(NOT_OTHERWISE) => Probed::Held,
        Some(_) => Probed::NotAsked,
        None => Probed::NotMade(match ended {
            Some((_, said)) => {
                let wrong = fs::read(&errors).unwrap_or_default();
                last_line(&wrong)
                    .or_else(|| last_line(said.as_bytes()))
                    .unwrap_or_else(|| "it printed nothing".to_owned())
            }
            None => format!("it did not end within {} s", WITHIN.as_secs()),
        }),
    })
}

fn exists(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Returns the last line that is not blank, safe to show.
fn last_line(text: &[u8]) -> Option<String> {
    let lines = text.rsplit(|&byte| byte == b'\n').map(shown);
    lines
        .map(|line| line.trim().to_owned())
        .find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::agent::hook::Agent;

    /// Checks the result of a probe with a client that is this shell script. `$FILE` is the file that it is asked to write.
    #[track_caller]
    fn check(script: &str, expected: &Probed) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("client");
        let name = format!("probe-claude-{}.txt", process::id());
        let text = format!("#!/bin/sh\nFILE={name}\n{script}\n");
        // A program that this process has open for writing could not be started.
        let mut write = Command::new("/bin/sh");
        write
            .args(["-c", "cat > \"$0\"; chmod +x \"$0\""])
            .arg(&program);
        output_within(write, text.as_bytes(), Instant::now() + WITHIN).unwrap();
        let client = Client {
            agent: Agent::Claude,
            program: &program,
            settings_file: Path::new("/nowhere"),
            settings: "",
        };
        let found = probe(client, folder.path()).unwrap();
        assert_eq!(&found, expected, "{script}");
        assert!(!folder.path().join(name).exists(), "the file is removed");
    }

    #[test]
    fn only_what_was_shown_is_a_gate_that_holds() {
        check("echo x > $FILE", &Probed::Written);
        check("ln -s nowhere $FILE", &Probed::Written);
        check("true", &Probed::NotMade("it printed nothing".to_owned()));
        check("echo out", &Probed::NotMade("out".to_owned()));
        let both =
            "echo out; echo first >&2; printf '\\033[31mnot\\033[0m allowed\\n\\n' >&2; exit 1";
        check(both, &Probed::NotMade("not allowed".to_owned()));
    }
}
