//! A running server, and a client that may misbehave.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use countersign::agent::{
    ClientEvent, Denial, Limits, LineReader, Next, Refused, Request, ReviewerMessage, Socket,
    SocketServer, Submission, read_reply, write_line,
};
use tempfile::TempDir;

/// Far more than anything takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running server, and the events that it reports.
pub(crate) struct Open {
    pub(crate) place: TempDir,
    pub(crate) server: SocketServer,
    pub(crate) events: Receiver<ClientEvent>,
}

/// Limits that are reached soon.
pub(crate) fn tight() -> Limits {
    Limits {
        connections: 8,
        waiting: 3,
        bytes: 4096,
        line: 2048,
        lines: 20,
        idle: Duration::from_millis(300),
        pulse: Duration::from_millis(50),
        unread: Duration::from_millis(300),
    }
}

impl Open {
    pub(crate) fn new(limits: Limits) -> Self {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let (event, events) = channel();
        let socket = Socket::listen(&root).unwrap();
        let server =
            SocketServer::open(socket, limits, move |knocked| event.send(knocked).is_ok()).unwrap();
        Self {
            place,
            server,
            events,
        }
    }

    pub(crate) fn event(&self) -> ClientEvent {
        self.events.recv_timeout(PATIENCE).unwrap()
    }

    /// The ticket of the proposal that comes next.
    #[track_caller]
    pub(crate) fn submitted(&self) -> u64 {
        let event = self.event();
        let ClientEvent::Submitted { ticket, .. } = event else {
            panic!("{event:?}");
        };
        ticket
    }

    #[track_caller]
    pub(crate) fn withdrawn(&self, expected: u64) {
        let event = self.event();
        let ClientEvent::Withdrawn { ticket } = event else {
            panic!("{event:?}");
        };
        assert_eq!(ticket, expected);
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.place.path().to_owned()
    }

    pub(crate) fn call(&self) -> Caller {
        let stream = UnixStream::connect(self.server.path()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let lines = LineReader::new(stream.try_clone().unwrap(), usize::MAX >> 1);
        Caller { stream, lines }
    }

    /// Fails unless a good client is still served.
    #[track_caller]
    pub(crate) fn expect_alive(&self) {
        let mut caller = self.call();
        caller.say(&Request::Ping);
        assert_eq!(caller.hear(), Some(ReviewerMessage::Pong));
    }
}

pub(crate) struct Caller {
    pub(crate) stream: UnixStream,
    pub(crate) lines: LineReader<UnixStream>,
}

impl Caller {
    pub(crate) fn say(&mut self, request: &Request) {
        write_line(&mut self.stream, request).unwrap();
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        // The other end may have hung up.
        let _ = self.stream.write_all(bytes);
    }

    pub(crate) fn submit(&mut self, id: &str, input: &str) {
        let submission = Submission {
            id: id.to_owned(),
            ..Submission::new("test", input)
        };
        self.say(&Request::Submit(Box::new(submission)));
    }

    /// What is said next; `None` if the other end has hung up.
    pub(crate) fn hear(&mut self) -> Option<ReviewerMessage> {
        match self.lines.wait().unwrap_or(Next::End) {
            Next::Line(line) => Some(read_reply(&line).unwrap()),
            Next::End => None,
            other @ (Next::Quiet | Next::TooLong) => panic!("{other:?}"),
        }
    }

    /// The refusal that comes next, and whether the server is shut after it.
    #[track_caller]
    pub(crate) fn refused(&mut self) -> (Denial, String) {
        loop {
            match self.hear() {
                Some(ReviewerMessage::Refused(Refused { code, message, .. })) => {
                    return (code, message);
                }
                Some(ReviewerMessage::Waiting { .. }) => (),
                other => panic!("{other:?}"),
            }
        }
    }

    #[track_caller]
    pub(crate) fn expect_hung_up(&mut self) {
        loop {
            match self.hear() {
                None => return,
                Some(ReviewerMessage::Waiting { .. } | ReviewerMessage::Pong) => (),
                other => panic!("{other:?}"),
            }
        }
    }
}
