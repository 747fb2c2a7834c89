//! Reads the requests of one client: each line is handled or refused.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::byte_budget::Metered;
use super::line_reader::{LineReader, Next};
use super::registry::{ClientEvent, Limits, Registry};
use super::wire::{Denial, MalformedLine, Refused, Request, ReviewerMessage, read_request};

/// Reader of one client's requests.
pub(super) struct RequestReader<'a> {
    pub(super) number: u64,
    pub(super) shared: &'a Registry,
    pub(super) answers: &'a Sender<ReviewerMessage>,
    pub(super) notify: &'a dyn Fn(ClientEvent) -> bool,
}

impl RequestReader<'_> {
    /// Reads until the client disconnects, or has to be disconnected.
    pub(super) fn read(&mut self, from: UnixStream) -> io::Result<()> {
        let limits = self.shared.limits;
        from.set_read_timeout(Some(limits.idle))?;
        let mut lines = LineReader::new(Metered::new(from, &self.shared.budget), limits.line);
        let (mut since, mut count) = (Instant::now(), 0);
        loop {
            match lines.wait() {
                Ok(Next::Line(line)) => {
                    lines.source().give_back();
                    if count == 0 {
                        self.shared.has_spoken(self.number);
                    }
                    if since.elapsed() > Limits::WINDOW {
                        (since, count) = (Instant::now(), 0);
                    }
                    count += 1;
                    if count > limits.lines {
                        self.refuse(Denial::TooMany, "this client says too much".to_owned());
                        return Ok(());
                    }
                    if !self.handle(&line) {
                        return Ok(());
                    }
                }
                Ok(Next::Quiet) if self.shared.waiting_of(self.number).is_empty() => return Ok(()),
                Ok(Next::Quiet) => (),
                Ok(Next::TooLong) => {
                    let message = format!("a line is longer than {} bytes", limits.line);
                    self.refuse(Denial::TooLarge, message);
                    return Ok(());
                }
                Ok(Next::End) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
                    let message = "the proposals that wait are too large together";
                    self.refuse(Denial::TooMany, message.to_owned());
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Handles a line. Returns whether the client may go on.
    fn handle(&mut self, line: &[u8]) -> bool {
        match read_request(line) {
            Ok(Request::Submit(submission)) => {
                let (id, bytes) = (submission.id.clone(), submission.input.len());
                self.admit(&id, bytes, |ticket| ClientEvent::Submitted {
                    ticket,
                    submission,
                })
            }
            Ok(Request::Pending(question)) => {
                let id = question.id.clone();
                self.admit(&id, 0, |ticket| ClientEvent::Asked { ticket, question })
            }
            Ok(Request::Decide(decision)) => {
                let id = decision.id.clone();
                self.admit(&id, 0, |ticket| ClientEvent::Decided { ticket, decision })
            }
            Ok(Request::Withdraw { id }) => {
                let own = self.shared.waiting_of(self.number);
                if let Some((ticket, _)) = own.into_iter().find(|(_, other)| *other == id) {
                    return (self.notify)(ClientEvent::Withdrawn { ticket });
                }
                self.say(ReviewerMessage::Refused(Refused {
                    id: Some(id),
                    code: Denial::Malformed,
                    message: "no proposal of this name waits".to_owned(),
                }));
                true
            }
            Ok(Request::Warn(warning)) => (self.notify)(ClientEvent::Warned(warning)),
            Ok(Request::Ping) => {
                self.say(ReviewerMessage::Pong);
                true
            }
            Err(error) => {
                let code = match error {
                    MalformedLine::Version(_) => Denial::Version,
                    MalformedLine::Form(_) => Denial::Malformed,
                };
                self.refuse(code, error.to_string());
                false
            }
        }
    }

    /// Registers a request and reports it, or refuses it. Returns whether the client may go on.
    fn admit(&mut self, id: &str, bytes: usize, event: impl FnOnce(u64) -> ClientEvent) -> bool {
        match self.shared.admit(self.number, (id, bytes), self.answers) {
            Ok(ticket) => (self.notify)(event(ticket)),
            Err(refused) => {
                self.say(ReviewerMessage::Refused(refused));
                true
            }
        }
    }

    fn refuse(&mut self, code: Denial, message: String) {
        self.say(ReviewerMessage::Refused(Refused {
            id: None,
            code,
            message,
        }));
    }

    fn say(&mut self, reply: ReviewerMessage) {
        // A writer that has ended has lost its client.
        let _ = self.answers.send(reply);
    }
}
