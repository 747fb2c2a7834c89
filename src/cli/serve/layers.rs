//! Layers of `countersign run` in the review: what a running command changes is shown as a proposal that changes with it.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::event::SchedulerEvent;
use super::overview::FIRST_LAYER;
use super::request::PendingRequest;
use super::scheduler::Scheduler;
use crate::agent::{Denial, Submission};
use crate::review::FileReview;
use crate::store::{ContentHash, LayerState, Root};

/// The shortest time between two readings of the layers.
const STEP: Duration = Duration::from_millis(500);
/// The share of its time that the thread spends reading, as a divisor.
const SHARE: u32 = 20;
/// The longest time for which a layer that changes all the time is not shown again.
const LONGEST: Duration = Duration::from_secs(5);

/// The reason why an agent need not wait.
const NOTHING: &str = "the layer changes nothing that is to be reviewed";

/// A layer as it was read last.
#[derive(Default)]
struct Watched {
    read: Option<ContentHash>,
    /// As it was when it was shown.
    shown: Option<ContentHash>,
    shown_at: Option<Instant>,
}

/// Watches the layers of a root on a thread of its own: those of running commands, and those that began after this.
pub(super) fn watch(root: Root, events: Sender<SchedulerEvent>) -> io::Result<()> {
    let begun = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    thread::Builder::new()
        .name("countersign-layers".to_owned())
        .spawn(move || {
            let mut watched: BTreeMap<String, Watched> = BTreeMap::new();
            loop {
                let started = Instant::now();
                for id in changed(&root, begun, &mut watched) {
                    if events.send(SchedulerEvent::Layer { id }).is_err() {
                        return;
                    }
                }
                thread::sleep(STEP.max(started.elapsed() * SHARE));
            }
        })
        .map(drop)
}

/// Returns the layers that have changed since they were shown, and have been quiet for a step or are due.
fn changed(root: &Root, begun: u64, watched: &mut BTreeMap<String, Watched>) -> Vec<String> {
    let mut changed = Vec::new();
    let layers = root.layers().unwrap_or_default();
    for (id, one) in &mut *watched {
        let is_there = layers
            .iter()
            .any(|(layer, about)| layer.id == *id && about.state != LayerState::Reviewed);
        if !is_there && one.shown.take().is_some() {
            changed.push(id.clone());
        }
    }
    for (layer, about) in layers {
        let is_of_interest = match about.state {
            LayerState::Running => true,
            LayerState::Ended => about.started >= begun || watched.contains_key(&layer.id),
            LayerState::Reviewed => false,
        };
        // One that is being changed may not be readable for a moment.
        let stamp = is_of_interest.then(|| layer.stamp(&about).ok()).flatten();
        let Some(stamp) = stamp else {
            continue;
        };
        let one = watched.entry(layer.id.clone()).or_default();
        let is_quiet = one.read == Some(stamp);
        let is_due = one.shown_at.is_none_or(|at| at.elapsed() >= LONGEST);
        one.read = Some(stamp);
        if one.shown != Some(stamp) && (is_quiet || is_due) {
            one.shown = Some(stamp);
            one.shown_at = Some(Instant::now());
            changed.push(layer.id);
        }
    }
    changed
}

impl Scheduler {
    /// Shows what a layer changes now, or takes it out of the review where it changes nothing any more.
    pub(super) fn show_layer(&mut self, id: &str) {
        let known = self.layers.get(id).copied();
        let known = known.filter(|ticket| self.requests.contains_key(ticket));
        let ticket = known.unwrap_or_else(|| self.next_layer());
        if known.is_none() {
            let submission = Submission {
                layer: Some(id.to_owned()),
                ..Submission::new("run", "")
            };
            let (root, config) = (&self.context.root, &self.context.config);
            // A layer that was dropped meanwhile is not shown.
            let Ok(request) = PendingRequest::new(ticket, submission, root, config) else {
                return;
            };
            self.requests.insert(ticket, request);
            self.layers.insert(id.to_owned(), ticket);
        }
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        request.decided = None;
        let placed = request.source.place().ok();
        let is_reviewable = |file: &FileReview| file.refusal().is_none();
        if let Some(session) = placed.filter(|session| session.files.iter().any(is_reviewable)) {
            return self.add_to_review(ticket, session, &|_, names| {
                Some(format!("changed in layer {id}: {names}"))
            });
        }
        let waiting = request.waiting;
        self.requests.remove(&ticket);
        self.imprints.remove(&ticket);
        if let Some(waiting) = waiting {
            self.refuse(waiting, Denial::NoEdits, NOTHING.to_owned());
        }
        if known.is_some() {
            self.show_withdrawn(ticket, format!("layer {id} changes nothing any more"));
        }
    }

    /// Lets an agent wait for the review of the layer that it runs in.
    pub(super) fn wait_for_layer(&mut self, id: &str, waiting: u64, agent: &str) {
        self.show_layer(id);
        let shown = self.layers.get(id);
        let request = shown.and_then(|ticket| self.requests.get_mut(ticket));
        let Some(request) = request.filter(|request| request.waiting.is_none()) else {
            return self.refuse(waiting, Denial::NoEdits, NOTHING.to_owned());
        };
        request.waiting = Some(waiting);
        self.patience = None;
        self.context
            .server
            .confirm_queued(waiting, self.requests.len());
        self.say(format!("{agent} waits for the review of layer {id}"));
    }

    /// Forgets that an agent waits for the review of its layer. Returns whether it did.
    pub(super) fn stop_waiting(&mut self, waiting: u64) -> bool {
        let mut requests = self.requests.values_mut();
        let request = requests.find(|request| request.waiting == Some(waiting));
        if let Some(request) = request {
            request.waiting = None;
            return true;
        }
        false
    }

    fn next_layer(&self) -> u64 {
        let latest = self.layers.values().max();
        latest.map_or(FIRST_LAYER, |latest| latest + 1)
    }
}
