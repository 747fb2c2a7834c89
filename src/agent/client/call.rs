//! One proposal under way: handed over, waited for, and withdrawn when the waiting is over.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::error::{ClientError, SILENCE};
use super::wait::{Asking, ProposalProgress};
use crate::agent::line_reader::{LineReader, Next};
use crate::agent::verdict::Verdict;
use crate::agent::wire::{
    MOST_BYTES, Refused, Request, ReviewerMessage, Submission, read_reply, write_line,
};

/// Interval between checks of the deadline and of the cancellation.
const STEP: Duration = Duration::from_millis(100);
/// The longest wait for the confirmation of a withdrawal.
const FAREWELL: Duration = Duration::from_secs(5);

/// One proposal under way.
pub(super) struct SubmittedCall<'a> {
    submission: &'a Submission,
    stream: UnixStream,
    lines: LineReader<UnixStream>,
}

impl<'a> SubmittedCall<'a> {
    pub(super) fn new(stream: UnixStream, submission: &'a Submission) -> io::Result<Self> {
        stream.set_read_timeout(Some(STEP))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let lines = LineReader::new(stream.try_clone()?, MOST_BYTES);
        Ok(Self {
            submission,
            stream,
            lines,
        })
    }

    pub(super) fn ask(
        mut self,
        asking: Asking<'_>,
        progress: &mut dyn FnMut(ProposalProgress),
    ) -> Result<Verdict, ClientError> {
        // A reviewer that does not read to the end says why before it hangs up.
        let request = Request::Submit(Box::new(self.submission.clone()));
        let said = write_line(&mut self.stream, &request);
        if let Err(error) = &said
            && is_quiet(error)
        {
            return Err(ClientError::Stalled);
        }
        let mut heard = Instant::now();
        loop {
            if let Some(over) = asking.over() {
                return self.withdraw(over);
            }
            match self.hear() {
                Ok(None) if heard.elapsed() > SILENCE => return Err(ClientError::Stalled),
                Ok(None) => (),
                Ok(Some(reply)) => {
                    heard = Instant::now();
                    if let Some(answer) = answer(reply, progress) {
                        return answer;
                    }
                }
                Err(ClientError::Gone) => {
                    return Err(said
                        .err()
                        .map_or(ClientError::Gone, ClientError::Connection));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the proposal back, unless the verdict was on its way.
    fn withdraw(&mut self, over: ClientError) -> Result<Verdict, ClientError> {
        let id = self.submission.id.clone();
        write_line(&mut self.stream, &Request::Withdraw { id }).map_err(ClientError::Connection)?;
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            match self.hear()? {
                Some(ReviewerMessage::Withdrawn { .. }) => return Err(over),
                Some(reply) => {
                    if let Some(answer) = answer(reply, &mut |_| ()) {
                        return answer;
                    }
                }
                None => (),
            }
        }
        Err(ClientError::Stalled)
    }

    /// Returns the next reply; `None` if none has arrived yet.
    fn hear(&mut self) -> Result<Option<ReviewerMessage>, ClientError> {
        match self.lines.wait() {
            Ok(Next::Line(line)) => Ok(Some(read_reply(&line)?)),
            Ok(Next::Quiet) => Ok(None),
            Ok(Next::End) => Err(ClientError::Gone),
            Ok(Next::TooLong) => Err(ClientError::AnswerTooLong),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Err(ClientError::Gone),
            Err(error) => Err(ClientError::Connection(error)),
        }
    }
}

/// Returns the outcome that a reply decides, if it decides any.
fn answer(
    reply: ReviewerMessage,
    progress: &mut dyn FnMut(ProposalProgress),
) -> Option<Result<Verdict, ClientError>> {
    match reply {
        ReviewerMessage::Verdict { verdict, .. } => return Some(Ok(*verdict)),
        ReviewerMessage::Refused(Refused { code, message, .. }) => {
            return Some(Err(ClientError::Refused { code, message }));
        }
        // It was not this side that withdrew it, and nobody can decide any more.
        ReviewerMessage::Withdrawn { .. } => return Some(Err(ClientError::Cancelled)),
        ReviewerMessage::Accepted { position, .. } => progress(ProposalProgress::Queued(position)),
        ReviewerMessage::Waiting { .. } => progress(ProposalProgress::Waiting),
        ReviewerMessage::Pending { .. } | ReviewerMessage::Pong => (),
    }
    None
}

/// Returns whether an error is only a timeout.
fn is_quiet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
