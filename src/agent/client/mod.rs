//! Asking the reviewer: hand a proposal over, wait, and come back with a verdict or an error, never with a guess.

mod call;
mod discovery;
mod error;
mod remote;
mod wait;

use std::path::Path;
use std::time::Instant;

use super::verdict::Verdict;
use super::wire::{MOST_BYTES, Submission};
use call::SubmittedCall;
use discovery::find;
pub use discovery::{is_served, served_root};
pub use error::ClientError;
pub use remote::{decide, pending, warn};
pub use wait::{Asking, Cancel, ProposalProgress};

/// Hands a proposal to the reviewer that serves `folder`, or the nearest folder above it, and waits for the verdict.
///
/// At the deadline, or when cancelled, the proposal is withdrawn, which takes up to five seconds more; if the verdict was on
/// its way by then, it is the answer.
///
/// # Errors
///
/// [`ClientError`] if there is no verdict: to be taken as a no.
pub fn ask(
    folder: &Path,
    submission: &Submission,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> Result<Verdict, ClientError> {
    let asking = Asking { deadline, cancel };
    ask_telling(folder, submission, asking, &mut |_| ())
}

/// Like [`ask`], and reports progress.
///
/// # Errors
///
/// [`ClientError`] if there is no verdict: to be taken as a no.
pub fn ask_telling(
    folder: &Path,
    submission: &Submission,
    asking: Asking<'_>,
    progress: &mut dyn FnMut(ProposalProgress),
) -> Result<Verdict, ClientError> {
    let (stream, below) = find(folder)?;
    let submission = Submission {
        folder: submission.folder.clone().or(below),
        ..submission.clone()
    };
    if submission.input.len() > MOST_BYTES / 2 {
        return Err(ClientError::TooLarge);
    }
    let call = SubmittedCall::new(stream, &submission).map_err(ClientError::Connection)?;
    call.ask(asking, progress)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::thread;

    use super::*;
    use crate::agent::{LineReader, Next, Socket};

    /// Asks a reviewer that answers with these lines, each in the place of a `submit` or a `withdraw`, and then hangs up.
    #[track_caller]
    fn check(answers: &[&str], asking: Asking<'_>, expected: &str) {
        let place = tempfile::tempdir().unwrap();
        let below = place.path().join("src");
        std::fs::create_dir(&below).unwrap();
        let socket = Socket::listen(&place.path().canonicalize().unwrap()).unwrap();
        let (found, heard) = thread::scope(|scope| {
            let reviewer = scope.spawn(|| {
                let mut stream = socket.accept().unwrap();
                let mut lines = LineReader::new(stream.try_clone().unwrap(), MOST_BYTES);
                let mut heard = Vec::new();
                for answer in answers {
                    let Next::Line(line) = lines.wait().unwrap() else {
                        break;
                    };
                    heard.push(String::from_utf8(line).unwrap());
                    io::Write::write_all(&mut stream, answer.as_bytes()).unwrap();
                }
                heard
            });
            let submission = Submission::new("claude", "edits");
            let mut told = Vec::new();
            let found = ask_telling(&below, &submission, asking, &mut |progress| {
                told.push(format!("{progress:?}"));
            });
            told.push(match found {
                Ok(verdict) => verdict.message,
                Err(error) => format!("{error} (sure: {})", error.is_sure()),
            });
            (told.join(", "), reviewer.join().unwrap())
        });
        assert_eq!(found, expected);
        assert!(heard[0].contains(r#""folder":"src""#), "{heard:?}");
    }

    const VERDICT: &str = concat!(
        r#"{"v":1,"type":"accepted","id":"1","position":3}"#,
        "\n",
        r#"{"v":1,"type":"waiting","id":"1"}"#,
        "\n",
        r#"{"v":1,"type":"verdict","id":"1","verdict":{"schema":"countersign-verdict/1","#,
        r#""status":"applied","written":true,"files":[],"comments":[],"message":"done"}}"#,
        "\n"
    );

    #[test]
    fn a_verdict_or_an_error_comes_back() {
        let cancel = Cancel::new();
        let asking = Asking {
            deadline: None,
            cancel: &cancel,
        };
        check(&[VERDICT], asking, "Queued(3), Waiting, done");
        check(
            &["{\"v\":1,\"type\":\"refused\",\"code\":\"too-many\",\"message\":\"full\"}\n"],
            asking,
            "full (sure: true)",
        );
        check(
            &[&VERDICT[..VERDICT.len() - 1]],
            asking,
            "Queued(3), Waiting, the reviewer has ended without a verdict (sure: false)",
        );
        check(
            &["{\"v\":2,\"type\":\"pong\"}\n"],
            asking,
            "the reviewer's reply cannot be read: this is version 2 of the protocol, and this countersign speaks version 1 (sure: false)",
        );
        check(
            &["yes\n"],
            asking,
            "the reviewer's reply cannot be read: it is not a message of the protocol: expected value at line 1 column 1 (sure: false)",
        );
        // What was approved may be written by then.
        check(
            &[&"x".repeat(MOST_BYTES + 1)],
            asking,
            "the reviewer's answer is longer than 32 MiB (sure: false)",
        );
    }

    #[test]
    fn at_the_deadline_it_is_withdrawn_unless_the_verdict_is_on_its_way() {
        let cancel = Cancel::new();
        let now = Asking {
            deadline: Some(Instant::now()),
            cancel: &cancel,
        };
        let withdrawn = "{\"v\":1,\"type\":\"withdrawn\",\"id\":\"1\"}\n";
        check(
            &["", withdrawn],
            now,
            "there was no decision in time, and the proposal is withdrawn (sure: true)",
        );
        check(&["", VERDICT], now, "done");
        check(
            &["", ""],
            now,
            "the reviewer has ended without a verdict (sure: false)",
        );
        cancel.cancel();
        let later = Asking {
            deadline: None,
            cancel: &cancel,
        };
        check(
            &["", withdrawn],
            later,
            "the proposal is withdrawn (sure: true)",
        );
    }

    #[test]
    fn nobody_is_told_from_somebody() {
        let place = tempfile::tempdir().unwrap();
        let found = ask(
            place.path(),
            &Submission::new("claude", "edits"),
            None,
            &Cancel::new(),
        );
        assert!(matches!(found, Err(ClientError::Nobody(_))));
        assert!(!is_served(place.path()));
    }
}
