//! Process of the agent.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time for the agent to exit after its connection is closed.
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

    /// Waits for the exit of an agent whose connection is closed, and kills it after some seconds. Returns its exit code; `None` if it
    /// was killed.
    ///
    /// # Errors
    ///
    /// Any I/O error.
    pub fn end(&self) -> io::Result<Option<u8>> {
        let until = Instant::now() + FAREWELL;
        loop {
            let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(status) = child.try_wait()? {
                return Ok(status.code().and_then(|code| u8::try_from(code).ok()));
            }
            if Instant::now() > until {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            drop(child);
            thread::sleep(STEP);
        }
    }
}
