//! The command of a run, from outside: started in the same terminal, waited for, and ended with the program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::entry::{LAYER_VARIABLE, LayerSetup, OWN_PROCESS};
use super::error::EnterError;
use super::standard_streams::{self, InputCopy};

/// A command that is running.
#[derive(Debug)]
pub(crate) struct RunningCommand {
    child: Child,
    signals: Handle,
    /// The settings of the terminal, which a command that is killed does not put back.
    terminal: Option<Termios>,
    input: Option<InputCopy>,
}

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandEnd {
    /// Its exit code, or 128 and the signal that ended it, as shells have it.
    pub(crate) code: u8,
}

impl RunningCommand {
    /// Starts a command inside a layer.
    pub(crate) fn start(entry: &LayerSetup, command: &[OsString]) -> io::Result<Self> {
        let mut enter = Command::new(std::env::current_exe()?);
        enter.arg("enter-layer").arg("--id").arg(&entry.id);
        let named: [(&str, &Path); 4] = [
            ("--root", &entry.root),
            ("--layer", &entry.layer),
            ("--state", &entry.state),
            ("--folder", &entry.folder),
        ];
        for (option, path) in named {
            enter.arg(option).arg(path);
        }
        for folder in &entry.also {
            enter.arg("--also").arg(folder);
        }
        for folder in &entry.through {
            enter.arg("--through").arg(folder);
        }
        if let Some(confine) = &entry.confine {
            enter.arg("--confine");
            for folder in &confine.write {
                enter.arg("--write").arg(folder);
            }
        }
        enter.arg("--").args(command);
        Self::spawn(enter, &entry.layer)
    }

    /// Starts a command in a copy of the root.
    pub(crate) fn start_in_copy(
        (id, layer): (&str, &Path),
        root: &Path,
        folder: &Path,
        command: &[OsString],
    ) -> io::Result<Self> {
        let program = command
            .first()
            .map_or(OsStr::new("sh"), OsString::as_os_str);
        let mut copied =
            if cfg!(target_os = "macos") {
                // Writing to the real root by its path is denied.
                let mut confined = Command::new("/usr/bin/sandbox-exec");
                let mut name = OsString::from("ROOT=");
                name.push(root);
                // As a parameter no character of the path can be taken for a part of the profile.
                confined.arg("-D").arg(name).arg("-p").arg(
                    r#"(version 1)(allow default)(deny file-write* (subpath (param "ROOT")))"#,
                );
                confined.arg(program);
                confined
            } else {
                Command::new(program)
            };
        copied
            .args(command.iter().skip(1))
            .current_dir(folder)
            .env(LAYER_VARIABLE, id)
            .envs(OWN_PROCESS)
            .env("PWD", folder);
        Self::spawn(copied, layer)
    }

    fn spawn(mut command: Command, layer: &Path) -> io::Result<Self> {
        let input = standard_streams::pass(&mut command, layer)?;
        // Keys that interrupt reach the command by itself; the program waits for what it does about them.
        let ignored = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGQUIT] {
            signal_hook::flag::register(signal, Arc::clone(&ignored))?;
        }
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let terminal = tcgetattr(io::stdin()).ok();
        let child = command.spawn()?;
        let process = Pid::from_child(&child);
        thread::spawn(move || {
            for signal in &mut signals {
                let signal = if signal == SIGHUP {
                    Signal::HUP
                } else {
                    Signal::TERM
                };
                // It may have ended already.
                let _ = kill_process(process, signal);
            }
        });
        Ok(Self {
            child,
            signals: handle,
            terminal,
            input,
        })
    }

    /// Waits until the command has ended.
    pub(crate) fn wait(mut self) -> io::Result<CommandEnd> {
        let status = self.child.wait();
        self.signals.close();
        if let Some(input) = self.input.take() {
            // Nothing else may want to read what the command has left.
            let _ = input.finish();
        }
        if let Some(terminal) = &self.terminal {
            // A terminal that is gone needs no settings.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, terminal);
        }
        Ok(CommandEnd {
            code: code(status?),
        })
    }
}

fn code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Replaces this program by a command. Returns the error if it cannot be started.
pub(crate) fn become_command(words: &[OsString]) -> EnterError {
    let (command, arguments) = words.split_first().unzip();
    let command = command.cloned().unwrap_or_default();
    let source = Command::new(&command)
        .args(arguments.unwrap_or_default())
        .exec();
    EnterError::Command {
        command: command.to_string_lossy().into_owned(),
        source,
    }
}
