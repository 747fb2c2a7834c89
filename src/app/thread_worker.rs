//! Worker thread that keeps the threads of a review: carries out what the person asks for, and brings what agents answer.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::thread_error::ThreadError;
use super::threads;
use crate::config::Settings;
use crate::review::{Author, Thread, ThreadKind};
use crate::store::Root;
use crate::ui::{ThreadNews, ThreadRequest, ThreadService};

/// Interval between two looks for answers.
const STEP: Duration = Duration::from_millis(500);

/// Starts the worker for a root, with the settings of the person. It ends with the review.
///
/// # Errors
///
/// The system's error if there can be no thread.
pub(crate) fn start(root: Root, settings: &Settings) -> io::Result<ThreadService> {
    let (requests, inbox) = channel();
    let (outbox, news) = channel();
    thread::Builder::new()
        .name("countersign-threads".to_owned())
        .spawn(move || work(&root, &inbox, &outbox))?;
    Ok(ThreadService {
        requests,
        news,
        asks: settings.review.ask_about_threads,
    })
}

fn carry_out(root: &Root, request: ThreadRequest) -> Result<(), ThreadError> {
    match request {
        ThreadRequest::Ask {
            path,
            passage,
            text,
            agent,
            proposal,
        } => {
            let mut thread =
                Thread::opened(&path, passage, ThreadKind::Question, &text, threads::now())?;
            (thread.agent, thread.proposal) = (agent, proposal);
            threads::add(root, thread).map(drop)
        }
        ThreadRequest::Reply { id, text } => {
            threads::reply(root, &id, Author::Person, &text, false).map(drop)
        }
        ThreadRequest::Resolve { id } => threads::resolve(root, &id).map(drop),
        ThreadRequest::Reopen { id } => threads::reopen(root, &id).map(drop),
    }
}

/// Carries out requests and reports changes of the threads until nobody asks or listens any more. Requests that were sent before that
/// are carried out first.
fn work(root: &Root, inbox: &Receiver<ThreadRequest>, outbox: &Sender<ThreadNews>) {
    let mut seen = None;
    let mut last_problem = None;
    loop {
        let answer = match inbox.recv_timeout(STEP) {
            Ok(request) => Some(carry_out(root, request).map_err(|why| reason(&why))),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let changed = root.threads_changed();
        if answer.is_none() && (changed.is_none() || seen == changed) {
            continue;
        }
        // A change that comes at the same time as the last one is seen only by reading once more.
        seen = changed.filter(|at| at.elapsed().is_ok_and(|age| age > STEP));
        let (threads, problem) = match threads::followed(root) {
            Ok(known) => {
                let damaged = known.damaged.into_iter().next();
                let damaged = damaged.map(|why| format!("a thread is left out: {why}"));
                (Some(known.threads), damaged)
            }
            Err(why) => (None, Some(format!("the threads cannot be read: {why}"))),
        };
        let is_repeated = problem == last_problem;
        last_problem.clone_from(&problem);
        let news = ThreadNews {
            threads,
            answer,
            problem: problem.filter(|_| !is_repeated),
        };
        if news != ThreadNews::default() && outbox.send(news).is_err() {
            // What was sent before is stored, even if nobody waits for the outcome.
            for request in inbox.try_iter() {
                let _ = carry_out(root, request);
            }
            return;
        }
    }
}

/// Returns the reason why a request is not carried out, with what to do.
fn reason(why: &ThreadError) -> String {
    format!("{why}; {}", why.hint())
}
