//! `countersign acp`: a proxy between an editor and an agent that speak the Agent Client Protocol.
//!
//! Each review runs on a thread of its own, so the connection never waits for the person.

mod approvals;
mod lock;
mod reviews;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::Context;
use serde_json::Value;

use super::agent_args::AcpArgs;
use super::exit::Exit;
use super::output;
use super::run::layer_folder;
use crate::agent::acp::{
    AgentInput, FromAgent, FromEditor, OfferedCapabilities, Process, RpcMessage, Sessions,
};
use crate::agent::{LineReader, Next};
use crate::store::Root;
use lock::lock;
use reviews::{PromptTurn, Reviews};

/// The longest message, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// State that all threads share.
struct Proxy {
    sessions: Mutex<Sessions>,
    /// Standard input of the agent; `None` after the editor has closed the connection.
    agent: Mutex<Option<AgentInput>>,
    editor: Mutex<io::Stdout>,
    reviews: Reviews,
    /// The folder that the layer covers, if the agent works in one.
    covered: Option<PathBuf>,
}

/// Runs the agent until it exits.
pub(super) fn run(args: &AcpArgs) -> anyhow::Result<Exit> {
    let folder = args.root.as_deref().unwrap_or(Path::new("."));
    let folder = Root::open(folder)?.path().to_owned();
    let covered = (args
        .layer
        .then(|| Root::open(&layer_folder(args.root.as_deref()))))
    .transpose()?;
    let covered = covered.map(|root| root.path().to_owned());
    let (words, offer) = command(args, covered.as_deref())?;
    let (process, input, output) = Process::start(&words).with_context(|| {
        format!(
            "cannot start the agent `{}`",
            args.agent[0].to_string_lossy()
        )
    })?;
    let proxy = Arc::new(Proxy {
        sessions: Mutex::new(Sessions::new(offer)),
        agent: Mutex::new(Some(input)),
        editor: Mutex::new(io::stdout()),
        reviews: Reviews::new(&args.agent[0], folder),
        covered,
    });
    let process = Arc::new(process);
    thread::spawn({
        let (proxy, process) = (Arc::clone(&proxy), Arc::clone(&process));
        move || {
            proxy.follow_editor();
            // The other thread notices the end of its output.
            let _ = process.end();
        }
    });
    let done = proxy.follow_agent(output);
    lock(&proxy.sessions).end();
    *lock(&proxy.agent) = None;
    let code = process.end()?;
    done?;
    Ok(code.map_or(Exit::Failed, Exit::Command))
}

/// Returns the command line to start, and what the agent is offered.
fn command(
    args: &AcpArgs,
    covered: Option<&Path>,
) -> anyhow::Result<(Vec<OsString>, OfferedCapabilities)> {
    let Some(covered) = covered else {
        return Ok((args.agent.clone(), OfferedCapabilities::Writes));
    };
    let mut words = vec![std::env::current_exe()?.into_os_string()];
    words.extend(["run", "--no-review", "--root"].map(OsString::from));
    words.extend([covered.into(), OsString::from("--")]);
    words.extend(args.agent.iter().cloned());
    Ok((words, OfferedCapabilities::Nothing))
}

impl Proxy {
    /// Passes the editor's messages on until it closes the connection.
    fn follow_editor(&self) {
        let mut lines = LineReader::new(io::stdin(), MOST_BYTES);
        loop {
            match lines.wait() {
                Ok(Next::Line(line)) => self.take_from_editor(line),
                Ok(Next::TooLong) => {
                    output::say("a message of the editor is longer than 64 MiB; the session ends");
                    break;
                }
                Ok(Next::Quiet) => (),
                Ok(Next::End) | Err(_) => break,
            }
        }
        lock(&self.sessions).end();
        *lock(&self.agent) = None;
    }

    fn take_from_editor(&self, mut line: Vec<u8>) {
        if let Some(refusal) = RpcMessage::refusal(&line) {
            return self.to_editor(&refusal.line());
        }
        let Some(message) = RpcMessage::parse(&line) else {
            return Self::skip("the editor", &line);
        };
        if let Some(refusal) = self.refusal_outside(&message) {
            return self.to_editor(&refusal.line());
        }
        let effect = lock(&self.sessions).from_editor(&message);
        match effect {
            FromEditor::Pass => {
                line.push(b'\n');
                self.to_agent(&line);
            }
            FromEditor::Changed(message) => self.to_agent(&message.line()),
        }
    }

    /// Returns the answer to a request to open a session in a folder that the layer does not cover: what the agent writes there is not
    /// held back.
    fn refusal_outside(&self, message: &RpcMessage) -> Option<RpcMessage> {
        let covered = self.covered.as_deref()?;
        let folders = message.session_folders();
        let outside = folders
            .into_iter()
            .find(|folder| !is_inside(folder, covered))?;
        let why = format!(
            "countersign: the folder `{outside}` of this session is not in `{}`, which the layer covers, so nothing that the agent writes \
             there would be held back. Start the agent with `countersign acp --layer --root {outside} -- AGENT`",
            covered.display()
        );
        output::say(&why);
        let id = message.id().unwrap_or(&Value::Null);
        Some(RpcMessage::error(id, &why))
    }

    /// Passes the agent's messages on until it closes the connection.
    fn follow_agent(self: &Arc<Self>, output: impl io::Read) -> anyhow::Result<()> {
        let mut lines = LineReader::new(output, MOST_BYTES);
        loop {
            match lines.wait()? {
                Next::Line(line) => self.take_from_agent(line),
                Next::TooLong => {
                    *lock(&self.agent) = None;
                    anyhow::bail!("a message of the agent is longer than 64 MiB");
                }
                Next::Quiet => (),
                Next::End => return Ok(()),
            }
        }
    }

    fn take_from_agent(self: &Arc<Self>, mut line: Vec<u8>) {
        if let Some(refusal) = RpcMessage::refusal(&line) {
            return self.to_agent(&refusal.line());
        }
        let Some(message) = RpcMessage::parse(&line) else {
            return Self::skip("the agent", &line);
        };
        let effect = lock(&self.sessions).from_agent(&message);
        match effect {
            FromAgent::Pass => {
                line.push(b'\n');
                self.to_editor(&line);
            }
            FromAgent::Unreviewed(warning) => {
                line.push(b'\n');
                self.to_editor(&line);
                self.to_editor(&warning.line());
            }
            FromAgent::Changed(message) => self.to_editor(&message.line()),
            FromAgent::Prompt(message) => self.to_agent(&message.line()),
            FromAgent::Malformed(id) => {
                let why = "countersign: this request to write a file cannot be read, so nothing is written";
                self.to_agent(&RpcMessage::error(&id, why).line());
            }
            FromAgent::Unanswerable(method) => {
                let why = format!(
                    "countersign: `{method}` needs an id, by which it is answered; nothing is written"
                );
                output::say(&format!(
                    "the agent sent `{method}` without an id; it is refused"
                ));
                self.to_agent(&RpcMessage::error(&Value::Null, &why).line());
            }
            FromAgent::Withdrawn => (),
            FromAgent::Withheld(id, method) => {
                let why = format!(
                    "countersign: `{method}` is not offered: the agent works in a layer, and what the editor does is outside of it. Use \
                     the files and programs that you see"
                );
                self.to_agent(&RpcMessage::error(&id, &why).line());
            }
            FromAgent::Ignored(method) => output::say(&format!(
                "the agent sent `{method}`, which is not offered in a layer; it is dropped"
            )),
            FromAgent::Write(id, write) => {
                let session = write.session.clone();
                self.review(session, &id.clone(), move |reviews, turn| {
                    let done = reviews.write(&write, turn);
                    let answer = match &done {
                        Ok(_) => RpcMessage::result(&id, &Value::Object(serde_json::Map::new())),
                        Err(why) => RpcMessage::error(&id, why),
                    };
                    (answer, done.unwrap_or_else(Some))
                });
            }
            FromAgent::Permission(id, permission) => {
                let session = permission.session.clone();
                self.review(session, &id.clone(), move |reviews, turn| {
                    let done = reviews.permission(&permission, turn);
                    let answer = RpcMessage::result(&id, &permission.outcome(done.is_ok()));
                    (answer, done.unwrap_or_else(Some))
                });
            }
        }
    }

    /// Reviews a request on a thread of its own. The review gives the answer, and a message for the model. It is registered before the
    /// next message is read, which may end the turn.
    fn review(
        self: &Arc<Self>,
        session: String,
        request: &Value,
        review: impl FnOnce(&Reviews, &PromptTurn) -> (RpcMessage, Option<String>) + Send + 'static,
    ) {
        let proxy = Arc::clone(self);
        let turn = {
            let mut sessions = lock(&self.sessions);
            PromptTurn {
                agent: sessions.agent().map(str::to_owned),
                folder: sessions.folder(&session).map(Path::to_owned),
                cancel: sessions.begin_review(&session, request),
            }
        };
        thread::spawn(move || {
            let (answer, note) = review(&proxy.reviews, &turn);
            if let Some(note) = note {
                lock(&proxy.sessions).note(&session, note);
            }
            proxy.to_agent(&answer.line());
        });
    }

    fn to_agent(&self, line: &[u8]) {
        if let Some(agent) = lock(&self.agent).as_mut() {
            // An agent that has exited is noticed by the end of its output.
            let _ = agent.write_all(line).and_then(|()| agent.flush());
        }
    }

    fn to_editor(&self, line: &[u8]) {
        let mut editor = lock(&self.editor);
        // An editor that has exited is noticed by the end of its input.
        let _ = editor.write_all(line).and_then(|()| editor.flush());
    }

    /// Drops a line that is not of the protocol.
    fn skip(whose: &str, line: &[u8]) {
        if !line.trim_ascii().is_empty() {
            output::say(&format!(
                "{whose} sent a line that is not a message of the protocol; it is dropped"
            ));
        }
    }
}

/// Returns true if a folder is there, and is another one or in it.
fn is_inside(folder: &str, covering: &Path) -> bool {
    let folder = Path::new(folder).canonicalize();
    folder.is_ok_and(|folder| folder.starts_with(covering))
}
