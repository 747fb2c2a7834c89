//! Process of the agent.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Time for the agent to exit after its connection is closed, and again after it was asked to.
const FAREWELL: Duration = Duration::from_secs(5);
/// Interval between checks whether it has exited.
const STEP: Duration = Duration::from_millis(20);

/// Agent that was started.
#[derive(Debug)]
pub struct Process(Mutex<Child>);

/// Standard input of an agent.
pub type AgentInput = Box<dyn Write + Send>;
/// Standard output of an agent.
pub type AgentOutput = Box<dyn Read + Send>;

impl Process {
    /// Starts an agent.
    ///
    /// # Errors
    ///
    /// If there is no such program, or it cannot be run.
    pub fn start(words: &[OsString]) -> io::Result<(Self, AgentInput, AgentOutput)> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok((Self(Mutex::new(child)), Box::new(input), Box::new(output)))
            }
            (_, _) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits for the exit of an agent whose connection is closed. After some seconds it is asked to exit, which `countersign run` passes
    /// on to the command in its layer, and then killed. Returns its exit code; `None` if a signal ended it.
    ///
    /// # Errors
    ///
    /// Any I/O error.
    pub fn end(&self) -> io::Result<Option<u8>> {
        let asked = Instant::now() + FAREWELL;
        let killed = asked + FAREWELL;
        let mut is_asked = false;
        loop {
            let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(status) = child.try_wait()? {
                return Ok(status.code().and_then(|code| u8::try_from(code).ok()));
            }
            if Instant::now() > killed {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            if Instant::now() > asked && !is_asked {
                let _ = kill_process(Pid::from_child(&child), Signal::TERM);
                is_asked = true;
            }
            drop(child);
            thread::sleep(STEP);
        }
    }
}
