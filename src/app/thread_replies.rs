//! Names the replies in the prose of an agent that no thread has taken.

use crate::review::{Author, Thread, ThreadMessage, replies_in};

/// Returns a warning for each reply in a text that is in no thread, with the reason.
pub(super) fn refused_replies(agent: &str, text: &str, threads: &[Thread]) -> Vec<String> {
    let replies = replies_in(text).into_iter();
    let refused = replies.filter_map(|(id, text)| {
        let why = refusal(agent, &id, &text, threads)?;
        Some(format!("the reply to {id} is not kept: {why}"))
    });
    refused.collect()
}

/// Returns the reason why a reply is not in its thread; `None` if it is.
fn refusal(agent: &str, id: &str, text: &str, threads: &[Thread]) -> Option<String> {
    let Some(thread) = threads.iter().find(|thread| thread.id == id) else {
        return Some(format!("there is no thread `{id}`"));
    };
    let mut messages = thread.messages.iter();
    if messages.any(|known| known.author != Author::Person && known.text == text) {
        return None;
    }
    let tried = Author::agent(agent).and_then(|author| {
        thread.clone().add(ThreadMessage {
            author,
            text: text.to_owned(),
            time: 0,
            proposes_resolution: false,
        })
    });
    Some(match tried {
        Err(why) => why.to_string(),
        Ok(_) => "the thread could not be changed then".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Passage, ThreadKind};

    #[test]
    fn a_reply_that_no_thread_has_is_named_with_the_reason() {
        let opened = |id: &str| {
            let passage = Passage::default();
            let thread = Thread::opened("a", passage, ThreadKind::Question, "why", 0).unwrap();
            Thread {
                id: id.to_owned(),
                ..thread
            }
        };
        let mut answered = opened("t1");
        let message = ThreadMessage {
            author: Author::agent("claude").unwrap(),
            text: "so".to_owned(),
            time: 0,
            proposes_resolution: false,
        };
        answered.add(message).unwrap();
        let mut resolved = opened("t2");
        resolved.resolve();
        let threads = [answered, resolved];
        let check = |agent: &str, text: &str, expected: &str| {
            let found = refused_replies(agent, text, &threads).join("|");
            assert_eq!(found, expected, "{text}");
        };
        check("claude", "no reply", "");
        check("claude", "Thread t1: so", "");
        check(
            "claude",
            "Thread t2: so\nThread t9: so",
            "the reply to t2 is not kept: thread t2 is resolved; the person can reopen it with `countersign threads reopen t2`|\
            the reply to t9 is not kept: there is no thread `t9`",
        );
        check(
            "person",
            "Thread t1: I accept",
            "the reply to t1 is not kept: an agent cannot write as `person`, which is the person",
        );
    }
}
