//! From standard input to an answer on standard output, whatever happens in between.
//!
//! The agents let an edit through if a hook crashes, prints what they do not understand, or takes longer than it was
//! installed with. So all the work is done on a thread of its own: if it panics, fails or is late, the answer is a no, and if
//! not even that can be printed, the exit code is 2, which every agent takes for one.

use std::io::{Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::super::exit::Exit;
use super::review;
use crate::agent::hook::{Agent, Answer};

/// Time for an ordinary no after the reviewer was told that the call is withdrawn.
const FAREWELL: Duration = Duration::from_secs(8);

/// Reads what the agent says, has it reviewed, and answers within `wait`.
pub(super) fn run(agent: Agent, wait: Duration) -> Exit {
    let deadline = Instant::now() + wait.saturating_sub(FAREWELL.min(wait / 2));
    let answer = within(wait, move || {
        let mut input = Vec::new();
        match std::io::stdin().lock().read_to_end(&mut input) {
            Ok(_) => review::decide(agent, &input, deadline),
            Err(error) => Answer::Deny(format!(
                "countersign cannot read what is asked: {error}; nothing is written"
            )),
        }
    });
    say(agent, &answer)
}

/// Does the work within a time. If it does not end, or ends badly, the answer is a no.
fn within(wait: Duration, work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
    let (tell, told) = mpsc::channel();
    let work = move || {
        // Nobody listens any more only when the answer is late and was given already.
        let _ = tell.send(work());
    };
    let started = std::thread::Builder::new()
        .name("review".to_owned())
        .spawn(work);
    let no = |what: &str| {
        Answer::Deny(format!(
            "countersign: {what}, so nothing is written. Tell the person; do not write the file in another way."
        ))
    };
    match started.map(|_| told.recv_timeout(wait)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(RecvTimeoutError::Timeout)) => no("nobody has decided in time"),
        Ok(Err(RecvTimeoutError::Disconnected)) => no("it failed within itself"),
        Err(error) => no(&format!("it cannot start ({error})")),
    }
}

/// Prints an answer. One that cannot be printed is a no by the exit code.
fn say(agent: Agent, answer: &Answer) -> Exit {
    let mut out = std::io::stdout().lock();
    let line = answer.shown(agent) + "\n";
    match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Done,
        Err(_) => Exit::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seconds: u64, work: impl FnOnce() -> Answer + Send + 'static, expected: &str) {
        let answer = within(Duration::from_secs(seconds), work);
        let is_no = matches!(&answer, Answer::Deny(reason) if reason.contains(expected));
        assert!(is_no, "{answer:?}");
    }

    #[test]
    fn work_that_panics_or_never_ends_is_a_no() {
        check(60, || panic!("on purpose"), "it failed within itself");
        let forever = || loop {
            std::thread::park();
        };
        check(0, forever, "nobody has decided in time");
        check(60, || Answer::Deny("why".to_owned()), "why");
    }
}
