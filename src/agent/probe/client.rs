//! Command lines and environments that start the clients with the scripted model instead of their own.
//!
//! The client reads its own settings, so that the gate is called as in any session. Only the model is replaced, by the
//! way that overrides all other settings of the client, and sessions are not saved where the client has an option for it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::agent::hook::{Agent, Launch};
use crate::agent::launcher::overlay_signs;

/// A client that has a gate.
#[derive(Debug, Clone, Copy)]
pub struct Client<'a> {
    /// The agent.
    pub agent: Agent,
    /// Its program.
    pub program: &'a Path,
    /// The settings file of the user.
    pub settings_file: &'a Path,
    /// The text of that file.
    pub settings: &'a str,
}

/// Start of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) client: Client<'a>,
    /// The folder that it works in.
    pub(super) folder: &'a Path,
    /// A folder for what only this run needs.
    pub(super) scratch: &'a Path,
    /// Address of the scripted model.
    pub(super) address: &'a str,
}

impl Start<'_> {
    /// Returns the command that has a client answer one prompt.
    ///
    /// # Errors
    ///
    /// Any I/O error of the files that the client is given.
    pub(super) fn command(self) -> io::Result<Command> {
        let mut command = Command::new(self.client.program);
        command.current_dir(self.folder);
        self.isolate(&mut command)?;
        let launch = Launch {
            address: self.address,
            key: "countersign-probe",
            prompt: "countersign doctor --probe: make the edit",
            scratch: self.scratch,
            settings: (self.client.settings_file, self.client.settings),
        };
        (self.client.agent.profile().start)(launch, &mut command)?;
        Ok(command)
    }

    /// Keeps the gate from finding or opening a reviewer, and the client from reaching any other machine.
    fn isolate(self, command: &mut Command) -> io::Result<()> {
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"COUNTERSIGN_") {
                command.env_remove(name);
            }
        }
        for sign in overlay_signs() {
            command.env_remove(sign);
        }
        let config = self.scratch.join("config.toml");
        fs::write(&config, "")?;
        command
            .env("COUNTERSIGN_CONFIG", config)
            .env("XDG_RUNTIME_DIR", self.scratch)
            .env("XDG_STATE_HOME", self.scratch.join("state"));
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, self.address);
            command.env(name.to_lowercase(), self.address);
        }
        for name in ["NO_PROXY", "no_proxy"] {
            command.env(name, "127.0.0.1");
        }
        Ok(())
    }
}
