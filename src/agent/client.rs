//! Asking the reviewer: hand a proposal over, wait, and come back with a verdict or an error, never with a guess.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::lines::{Lines, Next};
use super::socket::{SocketError, connect};
use super::verdict::Verdict;
use super::wire::{
    Denial, MOST_BYTES, Malformed, Refused, Reply, Request, Submission, read_reply, write_line,
};

/// How often it is looked whether to go on waiting.
const STEP: Duration = Duration::from_millis(100);
/// A reviewer that has said nothing for so long hangs: it says that it waits every few seconds.
const SILENCE: Duration = Duration::from_secs(30);
/// How long the reviewer has to confirm that a proposal is withdrawn.
const FAREWELL: Duration = Duration::from_secs(5);

/// Ends the waiting, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nothing is cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What ends the waiting when it is set, for a signal.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Withdraws the proposal, soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it is to be withdrawn.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What is heard while waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The proposal is in the queue, at this place from 1.
    Queued(usize),
    /// The reviewer is there, and the person has not decided yet.
    Waiting,
}

/// Why there is no verdict. Nothing of the proposal is written, except where [`ClientError::is_sure`] says that it cannot be
/// known.
#[derive(Debug, Error)]
pub enum ClientError {
    /// No reviewer serves this folder or one above it.
    #[error("no reviewer serves `{}`", .0.display())]
    Nobody(PathBuf),
    /// The socket cannot be used.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// The reviewer does not take the proposal.
    #[error("{message}")]
    Refused {
        /// Why, for programs.
        code: Denial,
        /// Why, in words.
        message: String,
    },
    /// The proposal is longer than is taken.
    #[error("the proposal is longer than {} MiB", MOST_BYTES >> 21)]
    TooLarge,
    /// The reviewer has gone away without a verdict.
    #[error("the reviewer has gone away without a verdict")]
    Gone,
    /// The reviewer is there, but says nothing any more.
    #[error("the reviewer has said nothing for {} seconds", SILENCE.as_secs())]
    Stalled,
    /// The time is up, and the proposal is withdrawn.
    #[error("nobody has decided in time, and the proposal is withdrawn")]
    TimeUp,
    /// It was cancelled, and the proposal is withdrawn.
    #[error("the proposal is withdrawn")]
    Cancelled,
    /// What the reviewer says is not understood.
    #[error("the reviewer is not understood: {0}")]
    Protocol(#[from] Malformed),
    /// The connection failed.
    #[error("the connection to the reviewer failed: {0}")]
    Connection(#[source] io::Error),
}

impl ClientError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Nobody(_) => "run `countersign serve` in a terminal of its own",
            Self::Socket(error) => error.hint(),
            Self::Refused { code, .. } => match code {
                Denial::Version => "run the same version of countersign on both sides",
                Denial::TooMany => "wait until some proposals are decided",
                Denial::TooLarge => "send it in parts",
                Denial::NoEdits => "name the form with `format`, and the file with `path`",
                Denial::Malformed | Denial::Duplicate | Denial::Closing => {
                    "send the proposal again"
                }
            },
            Self::TooLarge => "send it in parts",
            Self::Gone | Self::Connection(_) => {
                "look at the files before sending it again, and start `countersign serve` if it has ended"
            }
            Self::Stalled => {
                "look at the reviewer's terminal (is it suspended?) and at the files, and send it again"
            }
            Self::TimeUp => "send it again when somebody is there",
            Self::Cancelled => "send it again if it is still wanted",
            Self::Protocol(_) => "run the same version of countersign on both sides",
        }
    }

    /// Whether it is certain that nothing was and nothing will be written: not if the reviewer was lost while it could have
    /// been writing.
    pub fn is_sure(&self) -> bool {
        match self {
            Self::Nobody(_)
            | Self::Socket(_)
            | Self::Refused { .. }
            | Self::TooLarge
            | Self::TimeUp
            | Self::Cancelled => true,
            Self::Gone | Self::Stalled | Self::Protocol(_) | Self::Connection(_) => false,
        }
    }
}

/// How long to wait, and who may end it.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// When to give up; never without it.
    pub deadline: Option<Instant>,
    /// Ends the waiting from elsewhere.
    pub cancel: &'a Cancel,
}

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

/// The same, and tells what is heard meanwhile.
///
/// # Errors
///
/// [`ClientError`] if there is no verdict: to be taken as a no.
pub fn ask_telling(
    folder: &Path,
    submission: &Submission,
    asking: Asking<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verdict, ClientError> {
    let (stream, below) = find(folder)?;
    let submission = Submission {
        folder: submission.folder.clone().or(below),
        ..submission.clone()
    };
    if submission.input.len() > MOST_BYTES / 2 {
        return Err(ClientError::TooLarge);
    }
    let call = Call::new(stream, &submission).map_err(ClientError::Connection)?;
    call.ask(asking, progress)
}

/// The root of the reviewer that serves this folder: the folder itself, or the nearest one above it.
///
/// # Errors
///
/// [`ClientError`] if there is none, or it cannot be asked.
pub fn served_root(folder: &Path) -> Result<PathBuf, ClientError> {
    let (_, below) = find(folder)?;
    let real = folder.canonicalize().map_err(ClientError::Connection)?;
    let levels = below.map_or(0, |below| Path::new(&below).components().count());
    let root = real.ancestors().nth(levels).map(Path::to_owned);
    root.ok_or_else(|| ClientError::Nobody(folder.to_owned()))
}

/// Whether a reviewer serves this folder or one above it.
pub fn is_served(folder: &Path) -> bool {
    find(folder).is_ok()
}

/// The reviewer of the nearest folder, and the name of `folder` relative to that one, if it is another.
fn find(folder: &Path) -> Result<(UnixStream, Option<String>), ClientError> {
    let nobody = || ClientError::Nobody(folder.to_owned());
    let real = folder.canonicalize().map_err(|_| nobody())?;
    for root in real.ancestors() {
        if let Some(stream) = connect(root)? {
            let below = real.strip_prefix(root).unwrap_or(Path::new(""));
            let below = Some(below.to_string_lossy().into_owned());
            return Ok((stream, below.filter(|below| !below.is_empty())));
        }
    }
    Err(nobody())
}

/// One proposal under way.
struct Call<'a> {
    submission: &'a Submission,
    stream: UnixStream,
    lines: Lines<UnixStream>,
}

impl<'a> Call<'a> {
    fn new(stream: UnixStream, submission: &'a Submission) -> io::Result<Self> {
        stream.set_read_timeout(Some(STEP))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let lines = Lines::new(stream.try_clone()?, MOST_BYTES);
        Ok(Self {
            submission,
            stream,
            lines,
        })
    }

    fn ask(
        mut self,
        asking: Asking<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Verdict, ClientError> {
        // A reviewer that does not read to the end says why before it hangs up.
        let request = Request::Submit(self.submission.clone());
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
                Some(Reply::Withdrawn { .. }) => return Err(over),
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

    /// What the reviewer says next; `None` if it says nothing just now.
    fn hear(&mut self) -> Result<Option<Reply>, ClientError> {
        match self.lines.wait() {
            Ok(Next::Line(line)) => Ok(Some(read_reply(&line)?)),
            Ok(Next::Quiet) => Ok(None),
            Ok(Next::End) => Err(ClientError::Gone),
            Ok(Next::TooLong) => Err(ClientError::TooLarge),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Err(ClientError::Gone),
            Err(error) => Err(ClientError::Connection(error)),
        }
    }
}

impl Asking<'_> {
    /// Why not to wait any longer, if so.
    fn over(&self) -> Option<ClientError> {
        if self.cancel.is_cancelled() {
            return Some(ClientError::Cancelled);
        }
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        late.then_some(ClientError::TimeUp)
    }
}

/// What a reply settles, if it settles anything.
fn answer(
    reply: Reply,
    progress: &mut dyn FnMut(Progress),
) -> Option<Result<Verdict, ClientError>> {
    match reply {
        Reply::Verdict { verdict, .. } => return Some(Ok(*verdict)),
        Reply::Refused(Refused { code, message, .. }) => {
            return Some(Err(ClientError::Refused { code, message }));
        }
        // It was not this side that withdrew it, and nobody can decide any more.
        Reply::Withdrawn { .. } => return Some(Err(ClientError::Cancelled)),
        Reply::Accepted { position, .. } => progress(Progress::Queued(position)),
        Reply::Waiting { .. } => progress(Progress::Waiting),
        Reply::Pong => (),
    }
    None
}

/// Whether nothing went wrong but the time.
fn is_quiet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::agent::Socket;

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
                let mut lines = Lines::new(stream.try_clone().unwrap(), MOST_BYTES);
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
            "Queued(3), Waiting, the reviewer has gone away without a verdict (sure: false)",
        );
        check(
            &["{\"v\":2,\"type\":\"pong\"}\n"],
            asking,
            "the reviewer is not understood: this is version 2 of the protocol, and this countersign speaks version 1 (sure: false)",
        );
        check(
            &["yes\n"],
            asking,
            "the reviewer is not understood: this is no line of the protocol: expected value at line 1 column 1 (sure: false)",
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
            "nobody has decided in time, and the proposal is withdrawn (sure: true)",
        );
        check(&["", VERDICT], now, "done");
        check(
            &["", ""],
            now,
            "the reviewer has gone away without a verdict (sure: false)",
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
