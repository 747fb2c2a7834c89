//! Scripted reviewer for the trial of a gate.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::thread;

use sha2::{Digest, Sha256};

use super::scratch::{FILE, WITHIN};
use crate::agent::{
    Approved, FileDecision, FileVerdict, Request, ReviewerMessage, Socket, SocketError,
    VERDICT_SCHEMA, Verdict, read_request, write_line,
};
use crate::review::Status;
use crate::text::hex;

/// The line that it makes of the second one.
pub(super) const CHANGED: &str = "two and a half";

/// The text that it makes of the file.
pub const AMENDED: &str = "one\ntwo and a half\nthree\n";

/// Message of its verdict to the model.
pub(super) const MESSAGE: &str = "tried by `countersign doctor`";

/// Behavior of the scripted reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reviewer {
    /// Somebody who changes the edit.
    Amends,
    /// Somebody who goes away without a verdict.
    Leaves,
    /// Nobody.
    Nobody,
}

/// Does something while a reviewer of our own serves a folder.
pub(super) fn with_reviewer<T>(
    reviewer: Reviewer,
    folder: &Path,
    what: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let failed = |error: SocketError| io::Error::other(error.to_string());
    let socket = Socket::listen(folder).map_err(failed)?;
    let stopper = socket.stopper();
    thread::scope(|scope| {
        scope.spawn(|| serve(&socket, reviewer));
        let done = what();
        stopper.stop();
        done
    })
}

/// Answers every proposal in the same way until the socket is stopped.
fn serve(socket: &Socket, reviewer: Reviewer) {
    while let Ok(stream) = socket.accept() {
        // One that says nothing is not waited for longer than its gate.
        let _ = stream.set_read_timeout(Some(WITHIN));
        let mut line = Vec::new();
        let read = BufReader::new(&stream).read_until(b'\n', &mut line);
        let Ok(Request::Submit(submission)) = read_request(&line) else {
            continue;
        };
        if reviewer == Reviewer::Amends && read.is_ok() {
            let id = submission.id;
            let verdict = Box::new(verdict());
            // A gate that does not listen any more is found out by what it says.
            let _ = write_line(&mut &stream, &ReviewerMessage::Verdict { id, verdict });
        }
    }
}

fn verdict() -> Verdict {
    Verdict {
        schema: VERDICT_SCHEMA.to_owned(),
        status: Status::Applied,
        written: false,
        id: None,
        files: vec![FileVerdict {
            path: FILE.0.to_owned(),
            rename: None,
            decision: FileDecision::Amended,
            sha256_before: None,
            sha256_after: None,
            base_sha256: Some(hex(&Sha256::digest(FILE.1.as_bytes()))),
            result: Some(Approved::Text(AMENDED.to_owned())),
            hunks: Vec::new(),
        }],
        comments: Vec::new(),
        threads: Vec::new(),
        message: MESSAGE.to_owned(),
    }
}
