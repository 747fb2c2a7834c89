//! Runs a gate: reads the call from standard input and always ends with an answer or a denial.
//!
//! The clients let an edit through if a hook crashes, prints what they cannot parse, or takes longer than it was
//! installed with. So all the work is done on a thread of its own. Where it panics or takes too long, on a signal, where the
//! client has ended, and where the answer cannot be printed, the gate prints the reason on standard error and ends with code 2,
//! which every client takes for a denial if standard error is not empty.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::fs::{FileType, fstat, stat};
use rustix::io::Errno;
use rustix::stdio::stdout;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::super::exit::Exit;
use super::client_watch::ClientWatch;
use super::review;
use crate::agent::Cancel;
use crate::agent::hook::{Agent, GateAnswer};

/// Time to withdraw the proposal before the time of the hook is up.
const FAREWELL: Duration = Duration::from_secs(8);
/// Time to withdraw the proposal when the hook is interrupted; the end of the connection withdraws it as well.
const QUICK_FAREWELL: Duration = Duration::from_secs(1);
/// Interval between checks for signals and for the end of the client.
const STEP: Duration = Duration::from_millis(200);

/// Reads the call, has it reviewed, and answers within `wait`.
pub(super) fn run(agent: Agent, wait: Duration) -> Exit {
    let signalled = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        if let Err(error) = signal_hook::flag::register(signal, Arc::clone(&signalled)) {
            return fail(agent, &format!("signals cannot be handled ({error})"));
        }
    }
    let watch = ClientWatch::start();
    let stop = || stop_reason(&signalled, &watch);
    let deadline = Instant::now() + wait.saturating_sub(FAREWELL.min(wait / 2));
    let is_known = Arc::new(AtomicBool::new(false));
    let knows = Arc::clone(&is_known);
    let answer = within(wait, stop, move |cancel| {
        let mut input = Vec::new();
        match std::io::stdin().lock().read_to_end(&mut input) {
            Ok(_) => review::decide(agent, &input, deadline, cancel, &knows),
            Err(error) => GateAnswer::Deny(format!(
                "countersign cannot read the call: {error}; nothing is written"
            )),
        }
    });
    match answer {
        Ok(answer) => print(agent, &answer),
        Err(why) if is_known.load(Ordering::Acquire) => fail_known_tool(agent, &why),
        Err(why) => fail(agent, &why),
    }
}

/// Denies a call of a tool of the client itself.
fn fail_known_tool(agent: Agent, why: &str) -> Exit {
    if !agent.ends_turn_when_denied() {
        return fail(agent, why);
    }
    let answer = GateAnswer::Deny(failed(why)).for_known_tool(agent);
    print(agent, &answer)
}

/// Does the work within a time, or until `stop` gives a reason to end it; then the proposal is withdrawn.
fn within(
    wait: Duration,
    stop: impl Fn() -> Option<&'static str>,
    work: impl FnOnce(&Cancel) -> GateAnswer + Send + 'static,
) -> Result<GateAnswer, String> {
    let (sender, answers) = mpsc::channel();
    let cancel = Cancel::new();
    let cancelled = cancel.clone();
    std::thread::Builder::new()
        .name("review".to_owned())
        .spawn(move || {
            // Nobody receives an answer that comes too late.
            let _ = sender.send(work(&cancelled));
        })
        .map_err(|error| format!("it cannot start ({error})"))?;
    let mut end = Instant::now() + wait;
    let mut stopped = None;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match (answers.recv_timeout(left.min(STEP)), stopped) {
            (Ok(answer), why) => {
                return match why.or_else(&stop) {
                    Some(why) => Err(why.to_owned()),
                    None => Ok(answer),
                };
            }
            (Err(RecvTimeoutError::Disconnected), why) => {
                return Err(why.unwrap_or("it failed internally").to_owned());
            }
            (Err(RecvTimeoutError::Timeout), why) if Instant::now() >= end => {
                return Err(why.unwrap_or("there was no decision in time").to_owned());
            }
            (Err(RecvTimeoutError::Timeout), Some(_)) => (),
            (Err(RecvTimeoutError::Timeout), None) => {
                stopped = stop();
                if stopped.is_some() {
                    cancel.cancel();
                    end = end.min(Instant::now() + QUICK_FAREWELL);
                }
            }
        }
    }
}

/// Prints an answer. One that cannot be printed is a denial by the exit code, with its reason on standard error.
fn print(agent: Agent, answer: &GateAnswer) -> Exit {
    let line = answer.shown(agent) + "\n";
    match (write_all(line.as_bytes()), answer) {
        // Without an answer the client does the same.
        (Ok(()), _)
        | (Err(_), GateAnswer::Pass | GateAnswer::PassWith(_) | GateAnswer::Note(_)) => Exit::Done,
        (Err(_), GateAnswer::Deny(reason)) => {
            complain(reason);
            Exit::Refused
        }
        (Err(error), GateAnswer::Allow { .. }) => {
            fail(agent, &format!("the answer cannot be printed ({error})"))
        }
    }
}

/// Writes to standard output. [`std::io::Stdout`] takes a closed one for success.
fn write_all(mut bytes: &[u8]) -> Result<(), Errno> {
    if is_null() {
        return Err(Errno::PIPE);
    }
    while !bytes.is_empty() {
        match rustix::io::write(stdout(), bytes) {
            Ok(0) => return Err(Errno::IO),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => (),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns whether standard output is the null device, which the runtime also puts in the place of a closed one.
fn is_null() -> bool {
    let (Ok(out), Ok(null)) = (fstat(stdout()), stat("/dev/null")) else {
        return true;
    };
    FileType::from_raw_mode(out.st_mode) == FileType::CharacterDevice && out.st_rdev == null.st_rdev
}

/// Denies by the exit code.
fn fail(agent: Agent, why: &str) -> Exit {
    let reason = failed(why);
    complain(&reason);
    if agent.reads_reason_from_output() {
        let line = GateAnswer::Deny(reason).shown(agent) + "\n";
        // Without it the exit code denies as well.
        let _ = write_all(line.as_bytes());
    }
    Exit::Refused
}

/// Formats the reason of a denial without a review.
fn failed(why: &str) -> String {
    format!(
        "countersign: {why}, so nothing is written. Tell the person; do not write the file in another way."
    )
}

fn complain(text: &str) {
    // Where standard error is closed as well, the exit code is all that is left.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Returns why the review of a call ends early.
fn stop_reason(signalled: &AtomicBool, watch: &ClientWatch) -> Option<&'static str> {
    if signalled.load(Ordering::Acquire) {
        return Some("it was interrupted");
    }
    watch.has_ended().then_some("the agent has ended")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        milliseconds: u64,
        stop: Option<&'static str>,
        work: impl FnOnce(&Cancel) -> GateAnswer + Send + 'static,
        expected: &str,
    ) {
        let answer = within(Duration::from_millis(milliseconds), || stop, work);
        let found = match answer {
            Ok(GateAnswer::Deny(reason)) => reason,
            Ok(other) => format!("{other:?}"),
            Err(why) => format!("failed: {why}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn work_that_panics_or_never_ends_is_a_denial() {
        let wait_for_cancel = |cancel: &Cancel| {
            while !cancel.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            GateAnswer::Pass
        };
        check(
            60_000,
            None,
            |_| panic!("on purpose"),
            "failed: it failed internally",
        );
        check(
            10,
            None,
            |_| loop {
                std::thread::park();
            },
            "failed: there was no decision in time",
        );
        check(60_000, None, |_| GateAnswer::Deny("why".to_owned()), "why");
        check(
            60_000,
            Some("the agent has ended"),
            wait_for_cancel,
            "failed: the agent has ended",
        );
    }
}
