//! Runs the notification command: on a thread of its own, one at a time and within a limit, so that nobody waits for it.
//!
//! What waits is passed in environment variables and on standard input, never as a part of the command line.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::event::{Overview, SchedulerEvent};
use crate::agent::{ShellCommand, ShellEnd};
use crate::ui::LastKey;

/// The time limit of the command.
const LIMIT: Duration = Duration::from_secs(30);

/// Runner of the notification command.
pub(super) struct Notifier {
    shell: ShellCommand,
    root: PathBuf,
    /// The time without a key after which the person is away.
    pub(super) after: Duration,
    pub(super) last_key: LastKey,
    pub(super) events: Sender<SchedulerEvent>,
    /// The proposals that the person was notified of.
    pub(super) announced: BTreeSet<u64>,
    /// True while the screen is asked for the pending proposals.
    pub(super) is_asking: bool,
    pub(super) run: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Notifier {
    pub(super) fn new(
        command: &str,
        after: Duration,
        root: &Path,
        last_key: LastKey,
        events: Sender<SchedulerEvent>,
    ) -> Self {
        Self {
            shell: ShellCommand {
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
    pub(super) fn start(&mut self, overview: Overview) -> io::Result<()> {
        let (shell, root) = (self.shell.clone(), self.root.clone());
        let (stop, events) = (Arc::clone(&self.stop), self.events.clone());
        let thread = thread::Builder::new().name("countersign-notify".to_owned());
        let spawned = thread.spawn(move || {
            let failed = run(&shell, &root, &overview, &stop).err();
            // Nobody is interested any more when the review has ended.
            let _ = events.send(SchedulerEvent::Notified(failed));
        });
        self.run = Some(spawned?);
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
fn run(
    shell: &ShellCommand,
    root: &Path,
    overview: &Overview,
    stop: &AtomicBool,
) -> Result<(), String> {
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
        ShellEnd::Exit(Some(0)) | ShellEnd::Stopped => Ok(()),
        ShellEnd::Exit(Some(code)) => Err(format!("it ended with exit code {code}{last}")),
        ShellEnd::Exit(None) => Err(format!("it was ended by a signal{last}")),
        ShellEnd::TimedOut => Err(format!("it took more than {} s{last}", LIMIT.as_secs())),
    }
}
