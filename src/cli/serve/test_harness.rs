//! Reviewer without a screen: scheduler and server, with a person who decides by a rule.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::decision_message::DecisionMessage;
use super::event::SchedulerEvent;
use super::scheduler::{Scheduler, SchedulerContext, Timing};
use crate::agent::{Cancel, ClientError, Limits, Socket, SocketServer, Submission, Verdict, ask};
use crate::cli::settings;
use crate::cli::shared_args::SettingArgs;
use crate::review::{Decision, ReviewSession, Target};
use crate::store::Root;
use crate::ui::{Ending, SessionChange};

/// Far more than anything takes.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// Reaction of the person to a session that has changed.
pub(super) type PersonReaction = Box<dyn FnMut(&mut ReviewSession) + Send>;

/// A reviewer without a screen.
pub(super) struct Harness {
    pub(super) place: tempfile::TempDir,
    pub(super) events: Sender<SchedulerEvent>,
    pub(super) busy: Arc<AtomicBool>,
    /// The proposals that have joined: number and agent.
    pub(super) joined: Arc<Mutex<Vec<(u64, String)>>>,
    pub(super) session: Arc<Mutex<ReviewSession>>,
    pub(super) scheduler: JoinHandle<()>,
    pub(super) person: JoinHandle<()>,
}

impl Harness {
    pub(super) fn open(files: &[(&str, &str)], grace: Duration, rule: PersonReaction) -> Self {
        Self::open_in(Self::tree_of(files), grace, rule)
    }

    /// The same with settings, and without time to think again.
    pub(super) fn open_set(
        files: &[(&str, &str)],
        set: &[(&str, &str)],
        rule: PersonReaction,
    ) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let set = set.iter().map(owned).collect();
        Self::start(Self::tree_of(files), Duration::ZERO, rule, set)
    }

    fn tree_of(files: &[(&str, &str)]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        let tree = place.path().join("tree");
        for (name, text) in files {
            let path = tree.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        place
    }

    pub(super) fn open_in(place: tempfile::TempDir, grace: Duration, rule: PersonReaction) -> Self {
        Self::start(place, grace, rule, Vec::new())
    }

    fn start(
        place: tempfile::TempDir,
        grace: Duration,
        rule: PersonReaction,
        set: Vec<(String, String)>,
    ) -> Self {
        let tree = place.path().join("tree");
        let root = Root::open(&tree).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        let (events, inbox) = channel();
        let (screen, changes) = channel();
        let notify = events.clone();
        let socket = Socket::listen(root.path()).unwrap();
        let server = SocketServer::open(socket, Limits::default(), move |event| {
            notify.send(SchedulerEvent::Client(event)).is_ok()
        });
        let arguments = SettingArgs {
            config: Some(PathBuf::new()),
            set,
        };
        let busy = Arc::new(AtomicBool::new(false));
        let scheduler = Scheduler::new(SchedulerContext {
            root,
            config: settings::load(&arguments, &tree).unwrap(),
            timing: Timing {
                grace,
                writes_within: Duration::from_millis(500),
                once: false,
            },
            takes_remote_decisions: true,
            notifier: None,
            server: server.unwrap(),
            screen,
            events: events.clone(),
            busy: Arc::clone(&busy),
        });
        let scheduler = thread::spawn(move || scheduler.work(&inbox));
        let joined = Arc::new(Mutex::new(Vec::new()));
        let session = Arc::new(Mutex::new(ReviewSession::default()));
        let (seen, shared, told) = (joined.clone(), session.clone(), events.clone());
        let person = thread::spawn(move || sit(&changes, &seen, &shared, &told, rule));
        Self {
            place,
            events,
            busy,
            joined,
            session,
            scheduler,
            person,
        }
    }

    pub(super) fn tree(&self) -> PathBuf {
        self.place.path().join("tree")
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.tree().join(name)).unwrap()
    }

    pub(super) fn ask(&self, submission: &Submission) -> Result<Verdict, ClientError> {
        let deadline = Some(Instant::now() + PATIENCE);
        ask(&self.tree(), submission, deadline, &Cancel::new())
    }

    /// Lets the person do something.
    pub(super) fn decide(&self, what: impl FnOnce(&mut ReviewSession)) {
        let mut session = self.session.lock().unwrap();
        what(&mut session);
        self.events
            .send(SchedulerEvent::Decision(DecisionMessage::of(&session)))
            .unwrap();
    }

    /// Waits until the session is so.
    #[track_caller]
    pub(super) fn wait_for(&self, is_so: impl Fn(&ReviewSession) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_so(&self.session.lock().unwrap()) {
            assert!(Instant::now() < until, "it did not come to that");
            thread::sleep(Duration::from_millis(2));
        }
    }

    pub(super) fn close(self, ending: Ending) -> tempfile::TempDir {
        let session = Box::new(self.session.lock().unwrap().clone());
        self.events
            .send(SchedulerEvent::Ended(session, ending))
            .unwrap();
        self.scheduler.join().unwrap();
        self.person.join().unwrap();
        self.place
    }
}

/// Follows what joins and leaves, and does by the rule.
fn sit(
    changes: &Receiver<SessionChange>,
    joined: &Mutex<Vec<(u64, String)>>,
    shared: &Mutex<ReviewSession>,
    told: &Sender<SchedulerEvent>,
    mut rule: PersonReaction,
) {
    for change in changes {
        let mut session = shared.lock().unwrap();
        match change {
            SessionChange::Joined {
                call, files, kept, ..
            } => {
                let who = (call.call.number, call.call.agent.clone());
                let mut joined = joined.lock().unwrap();
                if !joined.contains(&who) {
                    joined.push(who);
                }
                session.join(call, files, kept.as_ref());
            }
            SessionChange::Left {
                call,
                standing,
                last,
                ..
            } => {
                if let Some(last) = last {
                    (last.0)(&session);
                }
                session.retire(call, standing);
            }
            SessionChange::Queue(queue) => {
                session.show_forecasts(&queue.forecasts);
            }
            SessionChange::Asked(reader) => (reader.0)(&session),
            SessionChange::Decided(decider) => {
                (decider.0)(Some(&mut session));
            }
            SessionChange::Said(_) | SessionChange::Warned(_) | SessionChange::Ended => (),
        }
        rule(&mut session);
        // The scheduler may have ended.
        let _ = told.send(SchedulerEvent::Decision(DecisionMessage::of(&session)));
    }
}

pub(super) fn accept_all() -> PersonReaction {
    Box::new(|session| {
        session.decide(&Target::Rest, Decision::Accepted);
    })
}

pub(super) fn nothing() -> PersonReaction {
    Box::new(|_| ())
}

pub(super) fn edit(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

pub(super) fn submission(agent: &str, input: String) -> Submission {
    Submission::new(agent, input)
}
