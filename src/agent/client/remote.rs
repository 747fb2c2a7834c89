//! Questions and decisions from another terminal, to the reviewer of a folder.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use super::discovery::find;
use super::error::{ClientError, SILENCE};
use crate::agent::line_reader::{LineReader, Next};
use crate::agent::pending_proposals::{PendingDocument, PendingQuestion, RemoteDecision};
use crate::agent::wire::{
    AgentWarning, MOST_BYTES, Refused, Request, ReviewerMessage, new_id, read_reply, write_line,
};
use crate::review::Decision;

/// Interval between checks for silence.
const STEP: Duration = Duration::from_millis(100);

/// Returns the proposals that wait in the reviewer that serves `folder`, or the nearest folder above it: one with the lines of its
/// hunks, or all in outline.
///
/// # Errors
///
/// [`ClientError`] if there is no answer.
pub fn pending(folder: &Path, proposal: Option<&str>) -> Result<PendingDocument, ClientError> {
    let question = PendingQuestion {
        id: new_id(),
        proposal: proposal.map(str::to_owned),
    };
    answer(folder, &Request::Pending(question))
}

/// Decides hunks of a pending proposal of the reviewer that serves `folder`, or the nearest folder above it; all that are
/// undecided where none is named. Returns when the agent has its answer, or at once if something is left to decide.
///
/// # Errors
///
/// [`ClientError`] if there is no answer.
pub fn decide(
    folder: &Path,
    proposal: &str,
    decision: Decision,
    hunks: Vec<String>,
    comment: Option<String>,
) -> Result<PendingDocument, ClientError> {
    let decision = RemoteDecision {
        id: new_id(),
        proposal: proposal.to_owned(),
        decision,
        hunks,
        comment,
    };
    answer(folder, &Request::Decide(decision))
}

/// Warns the person at the reviewer that serves `folder`, or the nearest folder above it, of something that an agent did.
///
/// # Errors
///
/// [`ClientError`] if nobody reviews, or the warning cannot be sent.
pub fn warn(folder: &Path, agent: &str, message: String) -> Result<(), ClientError> {
    let (mut stream, _) = find(folder)?;
    with_timeouts(&stream).map_err(ClientError::Connection)?;
    let warning = AgentWarning {
        agent: agent.to_owned(),
        message,
    };
    write_line(&mut stream, &Request::Warn(warning)).map_err(ClientError::Connection)
}

/// Sends a request and waits for the answer.
fn answer(folder: &Path, request: &Request) -> Result<PendingDocument, ClientError> {
    let (mut stream, _) = find(folder)?;
    let reader = with_timeouts(&stream).map_err(ClientError::Connection)?;
    let mut lines = LineReader::new(reader, MOST_BYTES);
    write_line(&mut stream, request).map_err(ClientError::Connection)?;
    let mut heard = Instant::now();
    loop {
        match lines.wait() {
            Ok(Next::Line(line)) => match read_reply(&line)? {
                ReviewerMessage::Pending { pending, .. } => return Ok(*pending),
                ReviewerMessage::Refused(Refused { code, message, .. }) => {
                    return Err(ClientError::Refused { code, message });
                }
                ReviewerMessage::Withdrawn { .. } => return Err(ClientError::Cancelled),
                ReviewerMessage::Accepted { .. }
                | ReviewerMessage::Waiting { .. }
                | ReviewerMessage::Verdict { .. }
                | ReviewerMessage::Pong => heard = Instant::now(),
            },
            Ok(Next::Quiet) if heard.elapsed() > SILENCE => return Err(ClientError::Stalled),
            Ok(Next::Quiet) => (),
            Ok(Next::End) => return Err(ClientError::Gone),
            Ok(Next::TooLong) => return Err(ClientError::AnswerTooLong),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {
                return Err(ClientError::Gone);
            }
            Err(error) => return Err(ClientError::Connection(error)),
        }
    }
}

/// Sets the timeouts of a connection, and returns a second handle of it.
fn with_timeouts(stream: &UnixStream) -> io::Result<UnixStream> {
    stream.set_read_timeout(Some(STEP))?;
    stream.set_write_timeout(Some(SILENCE))?;
    stream.try_clone()
}
