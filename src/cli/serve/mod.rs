//! `countersign serve`: a review that stays open, for agents that wait for their answers.
//!
//! The screen has the program's first thread, the `scheduler` one of its own; clients are heard by the server. Proposals go from the
//! server to the scheduler to the screen, decisions from the screen to the scheduler, and answers from the scheduler to the server.

mod answer;
#[cfg(test)]
mod answer_tests;
#[cfg(feature = "mcp")]
mod companion;
mod decision_message;
mod event;
mod expected_write;
mod forecast;
mod layers;
mod maintenance;
mod match_threshold;
mod notifier;
mod notify;
mod overview;
mod preparing;
mod queue;
#[cfg(test)]
mod queue_tests;
mod remote;
mod replies;
mod request;
mod scheduler;
#[cfg(test)]
mod test_harness;
#[cfg(test)]
mod thread_tests;
mod withdrawal;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use super::exit::Exit;
use super::server_args::ServeArgs;
use super::{output, screen, settings};
use crate::agent::{Limits, Socket, SocketServer};
use crate::app::check_tree::CheckTree;
use crate::app::source::only_reviewer;
use crate::app::{check_command, model_questions, recovery, thread_worker};
use crate::config::Config;
use crate::review::ReviewSession;
use crate::store::Root;
use crate::ui::{
    self, Ending, LastKey, MatchThreshold, Resident, Services, SessionChange, UiError, Undecided,
};
use decision_message::DecisionMessage;
use event::SchedulerEvent;
use notifier::Notifier;
use scheduler::{Scheduler, SchedulerContext, Timing};

/// The longest wait for an agent that writes by itself.
const WRITES_WITHIN: Duration = Duration::from_secs(10);

/// Listens, reviews and answers, until the person leaves.
pub(super) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    let config = settings::load(&args.settings, &args.root)?;
    let root = settings::guarded(root, &config);
    recovery::run(&root)?;
    let _only_reviewer = only_reviewer(&root)?;
    let options = screen::options(&config);
    let remote = config.settings.serve.remote;
    if options.linear.is_some() {
        return Err(UiError::NoScreen.into());
    }
    let model = model_questions::model(&config);
    let files = root.path().to_owned();
    let ground = CheckTree::Tree(files.clone());
    let check = check_command::check(&config, &files, ground, Undecided::Taken);
    let (events, inbox) = channel();
    let (screen, changes) = channel();
    let busy = Arc::new(AtomicBool::new(false));
    let notify = events.clone();
    let socket = Socket::listen(root.path())?;
    let server = SocketServer::open(socket, Limits::default(), move |event| {
        notify.send(SchedulerEvent::Client(event)).is_ok()
    })?;
    #[cfg(feature = "mcp")]
    let companion = (args.gemini)
        .then(|| companion::open(root.path()))
        .transpose()?;
    #[cfg(feature = "mcp")]
    let also: &[&str] = match &companion {
        Some(_) => &["Gemini CLI asks here after      /ide enable"],
        None => &[],
    };
    #[cfg(not(feature = "mcp"))]
    let also: &[&str] = &[];
    let idle = idle_lines(&root, &server, also);
    if !args.once {
        layers::watch(root.anew()?, events.clone())?;
    }
    let last_key = LastKey::now();
    // Without a worker there are no threads on the screen.
    let threads = thread_worker::start(root.anew()?, &config.settings).ok();
    let notifier = notifier(args, &config, root.path(), &last_key, &events);
    let scheduler = Scheduler::new(SchedulerContext {
        root,
        config,
        timing: Timing {
            grace: args.grace,
            writes_within: WRITES_WITHIN,
            once: args.once,
        },
        takes_remote_decisions: args.remote || remote,
        notifier,
        server,
        screen: screen.clone(),
        events: events.clone(),
        busy: Arc::clone(&busy),
    });
    let scheduler = thread::Builder::new()
        .name("countersign-scheduler".to_owned())
        .spawn(move || {
            // However the scheduler ends, the screen does not stay open without it.
            let _ends = Ends(screen);
            scheduler.work(&inbox);
        })?;
    let mut set = |call: Option<u64>, percent| {
        if let Some(call) = call {
            // A scheduler that has ended ends the screen.
            let _ = events.send(SchedulerEvent::Match { call, percent });
        }
    };
    let services = Services {
        notice: None,
        changed: &mut |session| {
            // A scheduler that has ended ends the screen.
            let _ = events.send(SchedulerEvent::Decision(DecisionMessage::of(session)));
        },
        placed: channel().1,
        resident: Some(Resident {
            changes,
            busy,
            last_key,
            idle,
        }),
        precision: Some(MatchThreshold {
            percent: None,
            set: &mut set,
        }),
        check,
        model,
        threads,
    };
    let outcome = ui::run(ReviewSession::default(), options, services)?;
    output::name_unsent(&outcome.unsent);
    let ending = outcome.ending;
    let _ = events.send(SchedulerEvent::Ended(Box::new(outcome.session), ending));
    drop(events);
    let ended = scheduler.join();
    Ok(match (ended, ending) {
        (Err(_), _) => Exit::Failed,
        (Ok(()), Ending::Aborted) => Exit::Interrupted,
        (Ok(()), Ending::Write | Ending::Keep | Ending::Discard) => Exit::Done,
    })
}

/// Returns the runner of the notification command, if one is set.
fn notifier(
    args: &ServeArgs,
    config: &Config,
    root: &Path,
    last_key: &LastKey,
    events: &Sender<SchedulerEvent>,
) -> Option<Notifier> {
    let set = &config.settings.serve;
    let command = args.notify.as_ref().or(set.notify.as_ref())?;
    let after = u64::try_from(set.notify_after.0).unwrap_or(u64::MAX);
    Some(Notifier::new(
        command,
        Duration::from_secs(after),
        root,
        last_key.clone(),
        events.clone(),
    ))
}

/// Returns the text that is shown while there is nothing to review.
fn idle_lines(root: &Root, server: &SocketServer, also: &[&str]) -> Vec<String> {
    let doors = [
        format!("Waiting for proposals for {}", root.path().display()),
        format!("at {}", server.path().display()),
        String::new(),
        "A script hands one over with    countersign submit edits.md".to_owned(),
        "An agent does so by its hook    countersign hook AGENT --install".to_owned(),
        "or as an MCP client of          countersign mcp".to_owned(),
    ];
    let also = also.iter().map(ToString::to_string);
    doors.into_iter().chain(also).collect()
}

/// Ends the screen when it is dropped.
struct Ends(Sender<SessionChange>);

impl Drop for Ends {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.0.send(SessionChange::Ended);
    }
}
