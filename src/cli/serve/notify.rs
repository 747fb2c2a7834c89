//! Notifies a person who is away: runs a command when a proposal waits and no key was pressed for a while.
//!
//! The command runs on a thread of its own, one at a time and within a limit, so that nobody waits for it. What waits is passed
//! in environment variables and on standard input, never as a part of the command line.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::overview::{Detail, proposal_id, proposals};
use super::request::PendingRequest;
use super::scheduler::{Event, Scheduler};
use crate::agent::{Ended, Pending, Shell};
use crate::review::ReviewSession;
use crate::text::{plural, sanitize};
use crate::ui::{Change, LastKey, SessionReader};

/// The time limit of the command.
const LIMIT: Duration = Duration::from_secs(30);
/// The most agents that the message names.
const MOST_NAMED: usize = 3;

/// Runner of the notification command.
pub(super) struct Notifier {
    shell: Shell,
    root: PathBuf,
    /// The time without a key after which the person is away.
    after: Duration,
    last_key: LastKey,
    events: Sender<Event>,
    /// The proposals that the person was notified of.
    announced: BTreeSet<u64>,
    /// True while the screen is asked for the pending proposals.
    is_asking: bool,
    run: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

/// The pending proposals, for a notification.
pub(super) struct Overview {
    pending: Pending,
    /// The ids of those that the person was not notified of before.
    new: Vec<String>,
    /// The number of all.
    count: usize,
    /// All in one sentence.
    message: String,
}

impl Notifier {
    pub(super) fn new(
        command: &str,
        after: Duration,
        root: &Path,
        last_key: LastKey,
        events: Sender<Event>,
    ) -> Self {
        Self {
            shell: Shell {
                command: command.to_owned(),
                limit: LIMIT,
            },
            root: root.to_owned(),
            after,
            last_key,
            events,
            announced: BTreeSet::new(),
            is_asking: false,
            run: None,
            stop: Arc::default(),
        }
    }

    /// Runs the command on a thread of its own.
    fn start(&mut self, overview: Overview) -> io::Result<()> {
        let (shell, root) = (self.shell.clone(), self.root.clone());
        let (stop, events) = (Arc::clone(&self.stop), self.events.clone());
        let run = move || {
            let failed = run(&shell, &root, &overview, &stop).err();
            // Nobody is interested any more when the review has ended.
            let _ = events.send(Event::Notified(failed));
        };
        let thread = thread::Builder::new().name("countersign-notify".to_owned());
        self.run = Some(thread.spawn(run)?);
        Ok(())
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(run) = self.run.take() {
            // A run that has panicked has ended too.
            let _ = run.join();
        }
    }
}

/// Runs the command once, and returns the reason if it fails.
fn run(shell: &Shell, root: &Path, overview: &Overview, stop: &AtomicBool) -> Result<(), String> {
    let folder = env::current_dir().unwrap_or_else(|_| root.to_owned());
    let (count, new) = (overview.count.to_string(), overview.new.join(" "));
    let variables = [
        ("COUNTERSIGN_ROOT", root.as_os_str()),
        ("COUNTERSIGN_MESSAGE", OsStr::new(&overview.message)),
        ("COUNTERSIGN_PROPOSALS", OsStr::new(&new)),
        ("COUNTERSIGN_WAITING", OsStr::new(&count)),
    ];
    let input = serde_json::to_vec(&overview.pending).map_err(|error| error.to_string())?;
    let (ended, output) = shell
        .run(&folder, &variables, input, stop, &mut |_| ())
        .map_err(|error| error.to_string())?;
    let last = output.last().map(|line| format!(": {line}"));
    let last = last.unwrap_or_default();
    match ended {
        Ended::Exit(Some(0)) | Ended::Stopped => Ok(()),
        Ended::Exit(Some(code)) => Err(format!("it ended with exit code {code}{last}")),
        Ended::Exit(None) => Err(format!("it was ended by a signal{last}")),
        Ended::TimedOut => Err(format!("it took more than {} s{last}", LIMIT.as_secs())),
    }
}

impl Scheduler {
    /// Returns the time at which the person is to be notified, if something waits that they were not notified of.
    pub(super) fn notification_due(&self) -> Option<Instant> {
        let notifier = self.context.notifier.as_ref()?;
        let is_idle = notifier.run.is_none() && !notifier.is_asking;
        let is_new = |call: &u64| !notifier.announced.contains(call);
        let mut waiting = self.waiting_for_person().map(|(call, _)| call);
        (is_idle && waiting.any(is_new)).then(|| notifier.last_key.at() + notifier.after)
    }

    /// Has the screen list what waits, if it is time to notify the person.
    pub(super) fn notify_if_due(&mut self) {
        if self
            .notification_due()
            .is_none_or(|due| due > Instant::now())
        {
            return;
        }
        let calls: BTreeSet<u64> = self.waiting_for_person().map(|(call, _)| *call).collect();
        let requests: Vec<&PendingRequest> = self
            .waiting_for_person()
            .map(|(_, request)| request)
            .collect();
        let (count, message) = (requests.len(), message(&requests));
        let waiting = self.waiting();
        let Some(notifier) = &mut self.context.notifier else {
            return;
        };
        let new: BTreeSet<u64> = calls.difference(&notifier.announced).copied().collect();
        notifier.announced = calls;
        notifier.is_asking = true;
        let events = notifier.events.clone();
        let read = move |session: &ReviewSession| {
            let all = proposals(session, &waiting, |_| Detail::Outline);
            let is_new = |call: &u64| new.contains(call);
            let new = session.calls.iter().map(|own| own.call.number);
            let new = new.filter(is_new).map(|call| proposal_id(session, call));
            // A scheduler that has ended notifies nobody.
            let _ = events.send(Event::Overview(Overview {
                new: new.collect(),
                pending: Pending::of(all),
                count,
                message,
            }));
        };
        self.show(Change::Asked(SessionReader(Box::new(read))));
    }

    /// Notifies the person.
    pub(super) fn notify(&mut self, overview: Overview) {
        let Some(notifier) = &mut self.context.notifier else {
            return;
        };
        notifier.is_asking = false;
        if let Err(error) = notifier.start(overview) {
            self.say(format!("the notification command cannot run: {error}"));
        }
    }

    /// Makes room for the next notification.
    pub(super) fn end_notification(&mut self, failed: Option<String>) {
        if let Some(notifier) = &mut self.context.notifier {
            notifier.run = None;
        }
        if let Some(why) = failed {
            self.say(format!("the notification command failed: {why}"));
        }
    }

    /// The proposals that wait for the person: not for another proposal, and not for the delay of a decision.
    fn waiting_for_person(&self) -> impl Iterator<Item = (&u64, &PendingRequest)> {
        self.requests.iter().filter(|(_, request)| {
            let is_free = request.held.is_empty() || request.held.len() < request.files.len();
            let has_agent = !request.is_of_layer || request.waiting.is_some();
            is_free && has_agent && request.decided.is_none()
        })
    }
}

/// Describes what waits. It begins with a number, so that no agent decides how a command reads it.
fn message(requests: &[&PendingRequest]) -> String {
    let named = requests.iter().take(MOST_NAMED).map(|request| {
        let files: Vec<String> = request
            .files
            .iter()
            .take(2)
            .map(ToString::to_string)
            .collect();
        let more = match request.files.len().saturating_sub(files.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} ({}{more})", request.call.agent, files.join(", "))
    });
    let mut named: Vec<String> = named.collect();
    if let more @ 1.. = requests.len().saturating_sub(MOST_NAMED) {
        named.push(format!("{more} more"));
    }
    let waits = if requests.len() == 1 { "waits" } else { "wait" };
    let text = format!(
        "{} {waits}: {}",
        plural(requests.len(), "proposal"),
        named.join(", ")
    );
    sanitize(&text).into_owned()
}
