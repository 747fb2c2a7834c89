//! `countersign threads`: lists the threads of a folder, and lets a person reply to one, resolve it or reopen it.

use std::io::{self, IsTerminal};

use super::exit::Exit;
use super::output;
use super::server_args::{ThreadsAction, ThreadsArgs};
use super::shared_args::ReportForm;
use crate::app::thread_error::ThreadError;
use crate::app::threads::{self, RootThreads, reviewed_root};
use crate::review::{Author, ThreadList};
use crate::store::Root;

/// Lists threads, or acts on one.
pub(super) fn run(args: &ThreadsArgs) -> anyhow::Result<Exit> {
    let root = reviewed_root(&args.root)?;
    let list = match (args.action, &args.thread) {
        (Some(action), Some(thread)) => act(&root, args, action, thread)?,
        _ => listed(threads::located(&root)?, args.all),
    };
    for why in &list.damaged {
        output::say(&format!("a thread is left out: {why}"));
    }
    let text = match args.report {
        ReportForm::Json => serde_json::to_string_pretty(&list)? + "\n",
        ReportForm::Agent => list.for_model() + "\n",
        ReportForm::Text => page(&list),
    };
    output::write(&text)?;
    Ok(Exit::Done)
}

fn listed(mut known: RootThreads, all: bool) -> ThreadList {
    known.threads.retain(|thread| all || thread.is_unresolved());
    ThreadList::new("listed", &known.threads, known.damaged)
}

/// Acts on a thread.
fn act(
    root: &Root,
    args: &ThreadsArgs,
    action: ThreadsAction,
    id: &str,
) -> Result<ThreadList, ThreadError> {
    let by_agent = args
        .agent
        .as_deref()
        .filter(|_| action == ThreadsAction::Reply);
    if by_agent.is_none() && !io::stdin().is_terminal() {
        return Err(ThreadError::NoPerson);
    }
    let (status, changed) = match action {
        ThreadsAction::Reply => {
            let text = args.text.as_deref().unwrap_or_default();
            let author = by_agent.map_or(Ok(Author::Person), Author::agent)?;
            ("answered", threads::reply(root, id, author, text, false))
        }
        ThreadsAction::Resolve => ("resolved", threads::resolve(root, id)),
        ThreadsAction::Reopen => ("reopened", threads::reopen(root, id)),
    };
    Ok(ThreadList::new(status, &[changed?], Vec::new()))
}

/// Returns the list for people.
fn page(list: &ThreadList) -> String {
    if list.threads.is_empty() {
        return "no threads\n".to_owned();
    }
    let mut lines = Vec::new();
    for thread in &list.threads {
        lines.extend(thread.conversation());
    }
    lines.join("\n") + "\n"
}
