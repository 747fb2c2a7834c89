//! Sessions of an editor with an agent: their folders, and what the model is still to learn from the reviewer.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::edits::{Permission, Write};
use super::message::RpcMessage;
use super::unreviewed::UnreviewedEdits;
use crate::agent::Cancel;

/// The most prompts that are added to one of the person. A model that repeats a rejected edit could go on for ever.
const MOST_FOLLOW_UPS: usize = 3;

/// Capabilities that the agent is offered in place of the editor's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferedCapabilities {
    /// Writing files, which is reviewed. The agent reads from the disk, because a review starts from what is there.
    Writes,
    /// Nothing that the editor does for it, outside of the layer that the agent works in and that is reviewed instead.
    Nothing,
}

/// The requests of an agent that are reviewed.
const REVIEWED: [&str; 2] = ["fs/write_text_file", "session/request_permission"];
/// The notification that cancels one request, of either side.
const CANCEL_REQUEST: &str = "$/cancel_request";
/// The methods of an editor that an agent in a layer may call: they show something, or ask the person.
const METHODS_IN_LAYER: [&str; 4] = [
    "session/update",
    "session/request_permission",
    "elicitation/create",
    "elicitation/complete",
];
/// The capabilities of an editor that an agent in a layer is offered.
const OFFERED_IN_LAYER: [&str; 1] = ["elicitation"];

/// Sessions of one connection.
#[derive(Debug)]
pub struct Sessions {
    offer: OfferedCapabilities,
    /// Id of the editor's request that opens the connection.
    initializing: Option<String>,
    /// The name that the agent gives itself.
    agent: Option<String>,
    open: HashMap<String, Session>,
    /// Folders of the sessions that the editor has asked for, by the id of the request.
    opening: HashMap<String, PathBuf>,
    /// Prompts without a response, by the id of the request.
    prompts: HashMap<String, SessionPrompt>,
    /// Number of prompts that were added.
    added: usize,
}

#[derive(Debug, Default)]
struct Session {
    folder: Option<PathBuf>,
    /// Messages for the model.
    notes: Vec<String>,
    /// Reviews of the turn. Its end withdraws those that are open.
    reviews: Vec<RequestReview>,
    /// True if the person has stopped the turn.
    is_stopped: bool,
    unreviewed: UnreviewedEdits,
}

#[derive(Debug)]
struct RequestReview {
    /// Id of the agent's request.
    request: String,
    cancel: Cancel,
}

#[derive(Debug)]
struct SessionPrompt {
    session: String,
    /// Id of the editor's request.
    id: Value,
    follow_ups: usize,
}

/// Effect of a message of the editor.
#[derive(Debug, PartialEq)]
pub enum FromEditor {
    /// It passes as it is.
    Pass,
    /// This is sent in its place.
    Changed(RpcMessage),
}

/// Effect of a message of the agent.
#[derive(Debug, PartialEq)]
pub enum FromAgent {
    /// It passes as it is.
    Pass,
    /// The editor gets this in its place.
    Changed(RpcMessage),
    /// The agent gets a further prompt, and the editor waits.
    Prompt(RpcMessage),
    /// A file is to be written.
    Write(Value, Write),
    /// The agent asks for permission to make an edit.
    Permission(Value, Permission),
    /// A request that must be reviewed and cannot be read.
    Malformed(Value),
    /// A request that must be reviewed and has no id, so that nobody could answer it. Holds the method.
    Unanswerable(String),
    /// The end of a review that the agent has withdrawn.
    Withdrawn,
    /// A request for something that was not offered.
    Withheld(Value, String),
    /// A notification of something that was not offered.
    Ignored(String),
    /// It passes as it is, and then this warning of an edit that the agent has made by itself.
    Unreviewed(RpcMessage),
}

impl Sessions {
    /// Makes an empty list.
    pub fn new(offer: OfferedCapabilities) -> Self {
        Self {
            offer,
            initializing: None,
            agent: None,
            open: HashMap::new(),
            opening: HashMap::new(),
            prompts: HashMap::new(),
            added: 0,
        }
    }

    /// Follows a message of the editor.
    pub fn from_editor(&mut self, message: &RpcMessage) -> FromEditor {
        let params = message.params();
        let session = params.get("sessionId").and_then(Value::as_str);
        match (message.method(), message.id(), session) {
            (Some("initialize"), Some(id), _) => {
                self.initializing = Some(id.to_string());
                return FromEditor::Changed(self.offered(message));
            }
            (Some(method), Some(id), session) if method.starts_with("session/") => {
                if let Some(folder) = params.get("cwd").and_then(Value::as_str) {
                    match session {
                        Some(session) => self.session(session).folder = Some(folder.into()),
                        None => {
                            self.opening.insert(id.to_string(), folder.into());
                        }
                    }
                }
                if let ("session/prompt", Some(session)) = (method, session) {
                    return self.prompted(message, id, session);
                }
            }
            (Some("session/cancel"), _, Some(session)) => self.session(session).stop(),
            (Some(CANCEL_REQUEST), _, _) => return self.cancelled_by_editor(message),
            (_, _, _) => (),
        }
        FromEditor::Pass
    }

    /// Withdraws the reviews of a prompt that the editor cancels. The agent knows the last prompt of the turn by another id if one was added.
    fn cancelled_by_editor(&mut self, message: &RpcMessage) -> FromEditor {
        let cancelled = &message.params()["requestId"];
        let mut prompts = self.prompts.iter();
        let Some((key, prompt)) = prompts.find(|(_, prompt)| prompt.id == *cancelled) else {
            return FromEditor::Pass;
        };
        let own = serde_json::from_str(key).unwrap_or_else(|_| cancelled.clone());
        let session = prompt.session.clone();
        self.session(&session).stop();
        if own == *cancelled {
            return FromEditor::Pass;
        }
        let mut message = message.clone();
        message.params_mut()["requestId"] = own;
        FromEditor::Changed(message)
    }

    fn offered(&self, message: &RpcMessage) -> RpcMessage {
        let mut message = message.clone();
        let params = message.params_mut();
        if !params["clientCapabilities"].is_object() {
            params["clientCapabilities"] = json!({});
        }
        let offered = &mut params["clientCapabilities"];
        match self.offer {
            OfferedCapabilities::Writes => {
                offered["fs"] = json!({"readTextFile": false, "writeTextFile": true});
            }
            OfferedCapabilities::Nothing => {
                if let Some(offered) = offered.as_object_mut() {
                    offered.retain(|name, _| OFFERED_IN_LAYER.contains(&name.as_str()));
                }
                offered["fs"] = json!({"readTextFile": false, "writeTextFile": false});
                offered["terminal"] = json!(false);
            }
        }
        message
    }

    /// Adds what the model is still to learn to a prompt of the person.
    fn prompted(&mut self, message: &RpcMessage, id: &Value, name: &str) -> FromEditor {
        self.prompts.insert(
            id.to_string(),
            SessionPrompt {
                session: name.to_owned(),
                id: id.clone(),
                follow_ups: 0,
            },
        );
        let session = self.session(name);
        session.is_stopped = false;
        let notes = std::mem::take(&mut session.notes);
        if notes.is_empty() {
            return FromEditor::Pass;
        }
        let mut message = message.clone();
        let Some(Value::Array(blocks)) = message.params_mut().get_mut("prompt") else {
            self.session(name).notes = notes;
            return FromEditor::Pass;
        };
        blocks.push(json!({"type": "text", "text": notes.join("\n\n")}));
        FromEditor::Changed(message)
    }

    /// Follows a message of the agent.
    pub fn from_agent(&mut self, message: &RpcMessage) -> FromAgent {
        let params = message.params();
        let session = params.get("sessionId").and_then(Value::as_str);
        match (message.method(), message.id(), self.offer) {
            (Some(method), None, OfferedCapabilities::Writes) if REVIEWED.contains(&method) => {
                FromAgent::Unanswerable(method.to_owned())
            }
            (Some(CANCEL_REQUEST), _, OfferedCapabilities::Writes) => {
                self.cancelled_by_agent(&params["requestId"])
            }
            (Some("fs/write_text_file"), Some(id), OfferedCapabilities::Writes) => {
                let Some(write) = Write::read(params) else {
                    return FromAgent::Malformed(id.clone());
                };
                let session = self.session(&write.session);
                session.unreviewed.write(&write.path);
                FromAgent::Write(id.clone(), write)
            }
            (Some("session/update"), None, OfferedCapabilities::Writes) => {
                self.follow_update(session.unwrap_or_default(), &params["update"])
            }
            (Some("session/request_permission"), Some(id), OfferedCapabilities::Writes) => {
                let mut params = params.clone();
                if let Some(session) = session {
                    self.session(session).unreviewed.ask(&mut params);
                }
                Permission::read(&params).map_or(FromAgent::Pass, |permission| {
                    FromAgent::Permission(id.clone(), permission)
                })
            }
            (Some(method), id, OfferedCapabilities::Nothing)
                if !METHODS_IN_LAYER.contains(&method) && !method.starts_with("$/") =>
            {
                let method = method.to_owned();
                id.map_or(FromAgent::Ignored(method.clone()), |id| {
                    FromAgent::Withheld(id.clone(), method)
                })
            }
            (None, Some(id), _) => self.follow_response(message, &id.to_string()),
            (_, _, _) => FromAgent::Pass,
        }
    }

    /// Withdraws the review of a request that the agent cancels.
    fn cancelled_by_agent(&self, request: &Value) -> FromAgent {
        let request = request.to_string();
        let mut reviews = self.open.values().flat_map(|session| &session.reviews);
        match reviews.find(|review| review.request == request) {
            Some(review) => {
                review.cancel.cancel();
                FromAgent::Withdrawn
            }
            None => FromAgent::Pass,
        }
    }

    /// Warns of edits that the agent made without asking.
    fn follow_update(&mut self, session: &str, update: &Value) -> FromAgent {
        let paths = self.session(session).unreviewed.follow(update);
        if paths.is_empty() {
            return FromAgent::Pass;
        }
        let text = format!(
            "\n\n**countersign:** the agent has changed `{}` by itself. If its hook is not installed either, nobody has reviewed this: start \
             the agent with `countersign acp --layer`.\n\n",
            paths.join("`, `")
        );
        let content = json!({"type": "text", "text": text});
        let update = json!({"sessionUpdate": "agent_message_chunk", "content": content});
        let params = json!({"sessionId": session, "update": update});
        FromAgent::Unreviewed(RpcMessage::notification("session/update", &params))
    }

    /// Follows a response of the agent.
    fn follow_response(&mut self, message: &RpcMessage, id: &str) -> FromAgent {
        if self.initializing.as_deref() == Some(id) {
            self.initializing = None;
            let name = message
                .outcome()
                .and_then(|result| result.pointer("/agentInfo/name"));
            self.agent = name.and_then(Value::as_str).map(str::to_owned);
            return FromAgent::Pass;
        }
        if let Some(folder) = self.opening.remove(id) {
            let result = message.outcome();
            let session = result.and_then(|result| result.get("sessionId")?.as_str());
            if let Some(session) = session {
                self.session(session).folder = Some(folder);
            }
            return FromAgent::Pass;
        }
        let Some(prompt) = self.prompts.remove(id) else {
            return FromAgent::Pass;
        };
        let session = self.session(&prompt.session);
        session.withdraw();
        let goes_on = message.outcome().is_some()
            && !session.is_stopped
            && prompt.follow_ups < MOST_FOLLOW_UPS;
        if goes_on && !session.notes.is_empty() {
            let text = std::mem::take(&mut session.notes).join("\n\n");
            return FromAgent::Prompt(self.follow_up(prompt, &text));
        }
        if prompt.follow_ups == 0 {
            return FromAgent::Pass;
        }
        FromAgent::Changed(message.clone().with_id(prompt.id))
    }

    fn follow_up(&mut self, prompt: SessionPrompt, text: &str) -> RpcMessage {
        self.added += 1;
        let id = format!("countersign-{}", self.added);
        let params =
            json!({"sessionId": prompt.session, "prompt": [{"type": "text", "text": text}]});
        let message = RpcMessage::request(&id, "session/prompt", &params);
        let key = Value::String(id).to_string();
        let follow_ups = prompt.follow_ups + 1;
        self.prompts.insert(
            key,
            SessionPrompt {
                follow_ups,
                ..prompt
            },
        );
        message
    }

    /// Returns the name that the agent gives itself.
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Returns the folder of a session.
    pub fn folder(&self, session: &str) -> Option<&Path> {
        self.open.get(session)?.folder.as_deref()
    }

    /// Registers the review of a request, which is withdrawn when the turn ends, or when the request is cancelled.
    pub fn begin_review(&mut self, session: &str, request: &Value) -> Cancel {
        let cancel = Cancel::new();
        self.session(session).reviews.push(RequestReview {
            request: request.to_string(),
            cancel: cancel.clone(),
        });
        cancel
    }

    /// Leaves a message for the model of a session.
    pub fn note(&mut self, session: &str, text: String) {
        self.session(session).notes.push(text);
    }

    /// Withdraws all reviews.
    pub fn end(&mut self) {
        self.open.values_mut().for_each(Session::withdraw);
    }

    fn session(&mut self, name: &str) -> &mut Session {
        self.open.entry(name.to_owned()).or_default()
    }
}

impl Session {
    /// Ends the turn for the person.
    fn stop(&mut self) {
        self.is_stopped = true;
        self.withdraw();
    }

    fn withdraw(&mut self) {
        for review in self.reviews.drain(..) {
            review.cancel.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(value: &Value) -> RpcMessage {
        RpcMessage::parse(value.to_string().as_bytes()).unwrap()
    }

    /// A session in which the editor has sent a prompt with the id 2.
    fn prompted(offer: OfferedCapabilities) -> Sessions {
        let mut sessions = Sessions::new(offer);
        sessions.from_editor(&parsed(
            &json!({"id": 0, "method": "initialize", "params": {}}),
        ));
        let known = json!({"id": 0, "result": {"protocolVersion": 1, "agentInfo": {"name": "me"}}});
        assert_eq!(sessions.from_agent(&parsed(&known)), FromAgent::Pass);
        assert_eq!(sessions.agent(), Some("me"));
        let new =
            json!({"id": 1, "method": "session/new", "params": {"cwd": "/w", "mcpServers": []}});
        assert_eq!(sessions.from_editor(&parsed(&new)), FromEditor::Pass);
        let opened = json!({"id": 1, "result": {"sessionId": "s"}});
        assert_eq!(sessions.from_agent(&parsed(&opened)), FromAgent::Pass);
        assert_eq!(sessions.folder("s"), Some(Path::new("/w")));
        prompt(&mut sessions, 2);
        sessions
    }

    fn prompt(sessions: &mut Sessions, id: u32) -> FromEditor {
        let params = json!({"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]});
        sessions.from_editor(&parsed(
            &json!({"id": id, "method": "session/prompt", "params": params}),
        ))
    }

    fn done(sessions: &mut Sessions, id: &Value) -> FromAgent {
        sessions.from_agent(&parsed(
            &json!({"id": id, "result": {"stopReason": "end_turn"}}),
        ))
    }

    #[test]
    fn the_agent_is_offered_what_is_reviewed() {
        for (offer, writes) in [
            (OfferedCapabilities::Writes, true),
            (OfferedCapabilities::Nothing, false),
        ] {
            for own in [
                json!({}),
                json!({"clientCapabilities": {"fs": {"readTextFile": true}, "terminal": true, "_meta": {"x": 1}}}),
            ] {
                let message = json!({"id": 0, "method": "initialize", "params": own});
                let found = Sessions::new(offer).from_editor(&parsed(&message));
                let FromEditor::Changed(found) = found else {
                    panic!("it passes");
                };
                let offered = &found.params()["clientCapabilities"];
                assert_eq!(
                    offered["fs"],
                    json!({"readTextFile": false, "writeTextFile": writes})
                );
                let terminal = match offer {
                    OfferedCapabilities::Writes => &own["clientCapabilities"]["terminal"],
                    OfferedCapabilities::Nothing => &json!(false),
                };
                assert_eq!(&offered["terminal"], terminal);
                let is_other_offered = offered.get("_meta").is_some();
                assert_eq!(
                    is_other_offered,
                    writes && own.get("clientCapabilities").is_some()
                );
            }
        }
    }

    #[test]
    fn the_model_learns_of_a_verdict_in_the_same_turn() {
        let mut sessions = prompted(OfferedCapabilities::Writes);
        sessions.note("s", "keep it".to_owned());
        let FromAgent::Prompt(added) = done(&mut sessions, &json!(2)) else {
            panic!("there is no further prompt");
        };
        assert_eq!(added.params()["prompt"][0]["text"], "keep it");
        let id = added.id().unwrap().clone();
        let FromAgent::Changed(last) = done(&mut sessions, &id) else {
            panic!("the editor gets an id that it does not know");
        };
        assert_eq!(last.id(), Some(&json!(2)));
        // Without a message the response passes as it is.
        prompt(&mut sessions, 3);
        assert_eq!(done(&mut sessions, &json!(3)), FromAgent::Pass);
    }

    #[test]
    fn a_model_that_repeats_itself_is_not_prompted_for_ever() {
        let mut sessions = prompted(OfferedCapabilities::Writes);
        let mut id = json!(2);
        for _ in 0..MOST_FOLLOW_UPS {
            sessions.note("s", "no".to_owned());
            let FromAgent::Prompt(added) = done(&mut sessions, &id) else {
                panic!("there is no further prompt");
            };
            id = added.id().unwrap().clone();
        }
        sessions.note("s", "no again".to_owned());
        assert!(matches!(done(&mut sessions, &id), FromAgent::Changed(_)));
        // The rest comes with the next prompt of the person.
        let FromEditor::Changed(next) = prompt(&mut sessions, 4) else {
            panic!("the message is lost");
        };
        assert_eq!(next.params()["prompt"][1]["text"], "no again");
    }

    #[test]
    fn a_stopped_turn_withdraws_its_reviews() {
        let mut sessions = prompted(OfferedCapabilities::Writes);
        let review = sessions.begin_review("s", &json!(9));
        let stop = json!({"method": "session/cancel", "params": {"sessionId": "s"}});
        sessions.from_editor(&parsed(&stop));
        assert!(review.is_cancelled());
        sessions.note("s", "stopped".to_owned());
        assert_eq!(done(&mut sessions, &json!(2)), FromAgent::Pass);
        assert!(matches!(prompt(&mut sessions, 3), FromEditor::Changed(_)));
    }

    #[test]
    fn the_end_of_a_turn_withdraws_its_reviews() {
        let mut sessions = prompted(OfferedCapabilities::Writes);
        let review = sessions.begin_review("s", &json!(9));
        let other = sessions.begin_review("t", &json!(9));
        assert_eq!(done(&mut sessions, &json!(2)), FromAgent::Pass);
        assert!(review.is_cancelled() && !other.is_cancelled());
    }

    #[test]
    fn a_cancelled_request_withdraws_its_review() {
        let cancel =
            |id: &Value| parsed(&json!({"method": CANCEL_REQUEST, "params": {"requestId": id}}));
        let mut sessions = prompted(OfferedCapabilities::Writes);
        let review = sessions.begin_review("s", &json!("w1"));
        let other = sessions.begin_review("s", &json!("w2"));
        assert_eq!(
            sessions.from_agent(&cancel(&json!("w1"))),
            FromAgent::Withdrawn
        );
        assert!(review.is_cancelled() && !other.is_cancelled());
        // A request that the editor answers.
        assert_eq!(sessions.from_agent(&cancel(&json!("t1"))), FromAgent::Pass);
        assert_eq!(sessions.from_editor(&cancel(&json!(7))), FromEditor::Pass);
        assert!(!other.is_cancelled());
        assert_eq!(sessions.from_editor(&cancel(&json!(2))), FromEditor::Pass);
        assert!(other.is_cancelled());
        // The turn is stopped, so nothing is added to it.
        sessions.note("s", "stopped".to_owned());
        assert_eq!(done(&mut sessions, &json!(2)), FromAgent::Pass);
    }

    #[test]
    fn a_cancelled_prompt_has_the_id_that_the_agent_knows() {
        let mut sessions = prompted(OfferedCapabilities::Writes);
        sessions.note("s", "no".to_owned());
        assert!(matches!(
            done(&mut sessions, &json!(2)),
            FromAgent::Prompt(_)
        ));
        let message = json!({"method": CANCEL_REQUEST, "params": {"requestId": 2}});
        let FromEditor::Changed(found) = sessions.from_editor(&parsed(&message)) else {
            panic!("the agent gets an id that it has answered");
        };
        assert_eq!(found.params()["requestId"], "countersign-1");
    }

    #[test]
    fn an_edit_that_nobody_could_answer_is_refused() {
        let diff = json!({"type": "diff", "path": "/w/a", "oldText": "a", "newText": "b"});
        let write = json!({"sessionId": "s", "path": "/w/a", "content": "b"});
        let ask = json!({"sessionId": "s", "toolCall": {"content": [diff]}, "options": []});
        for (method, params) in [
            ("fs/write_text_file", &write),
            ("session/request_permission", &ask),
        ] {
            let refused = FromAgent::Unanswerable(method.to_owned());
            let mut sessions = prompted(OfferedCapabilities::Writes);
            let mut take = |value: &Value| sessions.from_agent(&parsed(value));
            assert_eq!(take(&json!({"method": method, "params": params})), refused);
            assert_eq!(
                take(&json!({"id": null, "method": method, "params": params})),
                refused
            );
            assert_ne!(
                take(&json!({"id": 0, "method": method, "params": params})),
                refused
            );
        }
    }

    #[test]
    fn only_edits_are_taken_from_the_agent() {
        let diff = json!({"type": "diff", "path": "/w/a", "oldText": "a", "newText": "b"});
        let ask = |content: &Value| json!({"id": 9, "method": "session/request_permission", "params": {"sessionId": "s", "toolCall": {"content": [content]}, "options": [{"optionId": "y", "kind": "allow_once"}]}});
        let mut sessions = prompted(OfferedCapabilities::Writes);
        let mut take = |value: &Value| sessions.from_agent(&parsed(value));
        let write = json!({"id": 9, "method": "fs/write_text_file", "params": {"sessionId": "s", "path": "/w/a", "content": "b"}});
        assert!(matches!(take(&write), FromAgent::Write(..)));
        let broken = json!({"id": 9, "method": "fs/write_text_file", "params": {"path": 3}});
        assert_eq!(take(&broken), FromAgent::Malformed(json!(9)));
        let FromAgent::Permission(_, permission) = take(&ask(&diff)) else {
            panic!("an edit passes");
        };
        assert_eq!(permission.outcome(true)["outcome"]["optionId"], "y");
        assert_eq!(permission.outcome(false)["outcome"]["outcome"], "cancelled");
        assert_eq!(take(&ask(&json!({"type": "content"}))), FromAgent::Pass);
    }

    #[test]
    fn an_agent_in_a_layer_calls_only_what_it_was_offered() {
        let check = |message: Value, expected: FromAgent| {
            let found = prompted(OfferedCapabilities::Nothing).from_agent(&parsed(&message));
            assert_eq!(found, expected, "{message}");
        };
        let params = json!({"sessionId": "s"});
        for method in [
            "fs/write_text_file",
            "fs/read_text_file",
            "terminal/create",
            "_editor/apply",
        ] {
            check(
                json!({"id": 9, "method": method, "params": params}),
                FromAgent::Withheld(json!(9), method.to_owned()),
            );
            check(
                json!({"method": method, "params": params}),
                FromAgent::Ignored(method.to_owned()),
            );
        }
        check(
            json!({"id": 9, "method": "session/request_permission", "params": params}),
            FromAgent::Pass,
        );
        check(
            json!({"method": "session/update", "params": params}),
            FromAgent::Pass,
        );
        check(json!({"id": 9, "result": {}}), FromAgent::Pass);
    }

    #[test]
    fn the_folders_of_a_session_are_named() {
        let check = |message: Value, expected: &[&str]| {
            assert_eq!(parsed(&message).session_folders(), expected, "{message}");
        };
        let params = json!({"cwd": "/w", "additionalDirectories": ["/x"]});
        check(
            json!({"id": 1, "method": "session/new", "params": params}),
            &["/w", "/x"],
        );
        check(
            json!({"id": 1, "method": "session/load", "params": {"cwd": "/w"}}),
            &["/w"],
        );
        check(
            json!({"id": 1, "method": "session/list", "params": {"cwd": "/w"}}),
            &[],
        );
        check(
            json!({"id": 1, "method": "session/prompt", "params": {}}),
            &[],
        );
    }
}
