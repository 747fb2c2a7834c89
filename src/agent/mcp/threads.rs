//! Tools about threads: what the person asked or commented, the replies of the agent, and what came since.

use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::time::{Instant, interval, sleep_until};

use super::McpServer;
use super::parameters::{ListThreads, Reply, ThreadFilter, WaitForFeedback, arguments_of};
use super::thread_store::MessagePurpose;
use crate::agent::tool_call::failed;
use crate::proposal::RepoPath;
use crate::review::{Thread, ThreadKind, ThreadList, ThreadReport, ThreadState, agent_name};

/// Interval between two looks for a change.
const STEP: Duration = Duration::from_millis(500);

impl McpServer {
    /// `list_threads`.
    pub(super) fn list_threads(&self, arguments: Value) -> CallToolResult {
        result(
            arguments_of(arguments).and_then(|ListThreads { state, path }| {
                let (mut threads, damaged) = self.threads.all()?;
                let path = path.map(|path| match RepoPath::parse(&path) {
                    Ok(name) => name.to_string(),
                    Err(_) => path,
                });
                threads.retain(|thread| {
                    is_wanted(thread, state.unwrap_or(ThreadFilter::Unresolved))
                        && path.as_ref().is_none_or(|path| thread.path == *path)
                });
                self.delivered.note(&threads);
                Ok(ThreadList::new("listed", &threads, damaged))
            }),
        )
    }

    /// `reply` and `propose_resolution`.
    pub(super) fn answer_thread(
        &self,
        arguments: Value,
        answer: MessagePurpose,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        result(arguments_of(arguments).and_then(|Reply { thread, text }| {
            let thread = (self.threads).reply(&agent_of(context), &thread, &text, answer)?;
            self.delivered.note([&thread]);
            Ok(ThreadList::new("answered", &[thread], Vec::new()))
        }))
    }

    /// `wait_for_feedback`: waits until the person writes to this agent in a thread, resolves or reopens one, or writes in one that it names, or the client would give up.
    pub(super) async fn wait_for_feedback(
        &self,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let wanted = match arguments_of::<WaitForFeedback>(arguments) {
            Ok(WaitForFeedback { threads }) => {
                threads.map(|ids| ids.iter().map(|id| name_of(id)).collect::<Vec<_>>())
            }
            Err(why) => return failed(&why),
        };
        if let Err(why) = self.refuse_unknown(wanted.as_deref().unwrap_or_default()) {
            return failed(&why);
        }
        let agent = agent_of(context);
        let patience = Instant::now() + self.patience;
        let mut steps = interval(STEP);
        let mut seen = None;
        loop {
            tokio::select! {
                () = context.ct.cancelled() => return failed("cancelled"),
                () = self.input_ended() => return failed("the connection is closed"),
                () = sleep_until(patience) => {
                    return result(Ok(ThreadList::new("waiting", &[], Vec::new())));
                }
                _ = steps.tick() => {
                    let changed = self.threads.changed();
                    if changed.is_none() || seen == changed {
                        continue;
                    }
                    // A change that comes at the same time as the last one is seen only by reading once more.
                    seen = changed.filter(|at| at.elapsed().is_ok_and(|age| age > STEP));
                    match self.news(|thread| is_awaited(thread, wanted.as_deref(), &agent)) {
                        Ok(news) if news.is_empty() => (),
                        news => return result(news.map(|news| ThreadList::new("feedback", &news, Vec::new()))),
                    }
                }
            }
        }
    }

    /// Refuses to wait for threads that do not exist: nothing would ever come.
    fn refuse_unknown(&self, wanted: &[String]) -> Result<(), String> {
        if wanted.is_empty() {
            return Ok(());
        }
        let (known, _) = self.threads.all()?;
        let is_unknown = |id: &&String| !known.iter().any(|thread| thread.id == **id);
        let unknown: Vec<&str> = (wanted.iter().filter(is_unknown))
            .map(String::as_str)
            .collect();
        match unknown.as_slice() {
            [] => Ok(()),
            [id] => Err(format!(
                "there is no thread `{id}`; `list_threads` lists them"
            )),
            several => Err(format!(
                "there are no threads {}; `list_threads` lists them",
                several.join(", ")
            )),
        }
    }

    /// Returns the questions about a proposal under review that the client was not given yet.
    pub(super) fn questions(&self, proposal: &str) -> Vec<ThreadReport> {
        let news = self.news(|thread| {
            thread.kind == ThreadKind::Question
                && thread.state == ThreadState::Open
                && thread.proposal.as_deref() == Some(proposal)
        });
        // Threads that cannot be read keep nobody from the verdict.
        let news = news.unwrap_or_default();
        news.iter().map(ThreadReport::from).collect()
    }

    /// Returns what the person has changed since the client was given it, and notes that it is given now.
    fn news(&self, is_wanted: impl Fn(&Thread) -> bool) -> Result<Vec<Thread>, String> {
        let (mut threads, _) = self.threads.all()?;
        threads.retain(|thread| is_wanted(thread) && self.delivered.is_news(thread));
        self.delivered.note(&threads);
        Ok(threads)
    }
}

/// Returns true if an agent waits for what the person writes in a thread: in those that it names, else in those for it.
fn is_awaited(thread: &Thread, named: Option<&[String]>, agent: &str) -> bool {
    match named {
        Some(ids) => ids.contains(&thread.id),
        None => thread.is_for(agent),
    }
}

/// Returns the name of a thread that is written as `t3`, `T3` or `3`.
fn name_of(id: &str) -> String {
    let number = id.trim().trim_start_matches(['t', 'T']);
    match number.parse::<u64>() {
        Ok(number) => format!("t{number}"),
        Err(_) => id.to_owned(),
    }
}

/// Returns the name of the client, as its proposals carry it.
fn agent_of(context: &RequestContext<RoleServer>) -> String {
    let client = context.peer.peer_info();
    let name = client.map(|info| info.client_info.name.clone());
    agent_name(name.as_deref().unwrap_or("agent"))
}

fn is_wanted(thread: &Thread, filter: ThreadFilter) -> bool {
    match filter {
        ThreadFilter::Unresolved => thread.is_unresolved(),
        ThreadFilter::Open => thread.state == ThreadState::Open,
        ThreadFilter::Answered => thread.state == ThreadState::Answered,
        ThreadFilter::Resolved => thread.state == ThreadState::Resolved,
        ThreadFilter::All => true,
    }
}

/// A list of threads, as text for the model and as data.
fn result(list: Result<ThreadList, String>) -> CallToolResult {
    let list = match list {
        Ok(list) => list,
        Err(why) => return failed(&why),
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(list.for_model())]);
    result.structured_content = serde_json::to_value(&list).ok();
    result
}
