//! Branches of the logs of Claude Code, in which each message names the one before (`parentUuid`).
//!
//! Who goes back in a session and asks again begins another branch: the session is the way from the last message back to the first, and
//! what other branches have was taken back. The log has also messages beside that way: the results of calls that were made together,
//! and the work of other agents (`isSidechain`), which has a beginning of its own. A compacted session begins anew with a note of the
//! message before (`logicalParentUuid`), or with a summary.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::json_call;
use super::json_event::JsonEvent;
use crate::text::LineIdx;

/// A message in its place in the session.
struct TreeMessage<'v> {
    parent: Option<&'v str>,
    session: Option<&'v str>,
    /// The response of the model that it is a part of.
    response: Option<&'v str>,
    is_sidechain: bool,
    /// True if messages above a beginning may belong to the session as well.
    is_summary: bool,
}

impl<'v> TreeMessage<'v> {
    fn of(value: &'v Value) -> Option<(&'v str, Self)> {
        let word = |name: &str| value.get(name).and_then(Value::as_str);
        let flag = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
        value.get("parentUuid")?;
        let message = Self {
            parent: word("parentUuid").or_else(|| word("logicalParentUuid")),
            session: word("sessionId"),
            response: value.get("message").and_then(|it| it.get("id")?.as_str()),
            is_sidechain: flag("isSidechain"),
            is_summary: flag("isCompactSummary") || word("subtype") == Some("compact_boundary"),
        };
        Some((word("uuid")?, message))
    }
}

/// Finds the events of all values. Of those of a branch that was left, only results stay as they are.
pub(in crate::dialect) fn events(
    values: &[(Range<LineIdx>, Value)],
) -> impl Iterator<Item = (Range<LineIdx>, JsonEvent<'_>)> {
    let left = left_branches(values);
    values
        .iter()
        .zip(left)
        .flat_map(|((lines, value), is_left)| {
            let events = json_call::find(value).events.into_iter();
            let events = events.filter_map(move |event| {
                if is_left {
                    event.of_left_branch()
                } else {
                    Some(event)
                }
            });
            events.map(|event| (lines.clone(), event))
        })
}

/// Finds the values that are messages of a branch that was left.
fn left_branches(values: &[(Range<LineIdx>, Value)]) -> Vec<bool> {
    let named: Vec<Option<(&str, TreeMessage)>> = values
        .iter()
        .map(|(_, value)| TreeMessage::of(value))
        .collect();
    let messages: FxHashMap<&str, &TreeMessage> = (named.iter().flatten())
        .map(|(id, message)| (*id, message))
        .collect();
    let mut ways: FxHashMap<Option<&str>, SessionWay> = FxHashMap::default();
    for (id, message) in named.iter().flatten().rev() {
        if !message.is_sidechain {
            ways.entry(message.session)
                .or_insert_with(|| SessionWay::to(id, &messages));
        }
    }
    let mut known: FxHashMap<&str, BesideWay> = FxHashMap::default();
    named
        .iter()
        .map(|named| {
            named.as_ref().is_some_and(|(id, message)| {
                let way = ways.get(&message.session).filter(|_| !message.is_sidechain);
                way.is_some_and(|way| way.is_left(id, &messages, &mut known))
            })
        })
        .collect()
}

/// The way from the last message of a session back to its first one.
struct SessionWay<'v> {
    messages: FxHashSet<&'v str>,
    /// True if the first one has none before it, and is no summary of others.
    is_whole: bool,
}

impl<'v> SessionWay<'v> {
    fn to(last: &'v str, messages: &FxHashMap<&'v str, &TreeMessage<'v>>) -> Self {
        let mut way = Self {
            messages: FxHashSet::default(),
            is_whole: false,
        };
        let mut next = Some(last);
        while let Some(id) = next
            && let Some(message) = messages.get(id)
            && way.messages.insert(id)
        {
            next = message.parent;
            way.is_whole = next.is_none() && !message.is_summary;
        }
        way
    }

    /// Returns `true` for a message that leads back to this way without being on it, or to another beginning.
    fn is_left(
        &self,
        id: &'v str,
        messages: &FxHashMap<&'v str, &TreeMessage<'v>>,
        known: &mut FxHashMap<&'v str, BesideWay>,
    ) -> bool {
        let (mut path, mut seen) = (Vec::new(), FxHashSet::default());
        let mut next = Some(id);
        let mut is_branch = self.is_whole;
        while let Some(id) = next {
            if let Some(known) = known.get(id) {
                is_branch = known.is_branch;
                break;
            }
            if self.messages.contains(id) {
                is_branch = true;
                break;
            }
            // A message that is not in the log, or a summary, may belong to the session.
            let is_end = |message: &TreeMessage| message.is_summary && message.parent.is_none();
            let message = messages.get(id).filter(|_| seen.insert(id));
            let Some(message) = message.filter(|message| !is_end(message)) else {
                is_branch = false;
                break;
            };
            path.push((id, *message));
            next = message.parent;
        }
        for (id, message) in path.into_iter().rev() {
            let parent = message.parent.filter(|parent| {
                let is_left = known.get(parent).map(|parent| parent.is_left);
                is_left.map_or(self.messages.contains(parent), |is_left| !is_left)
            });
            let response = parent.and_then(|parent| messages.get(parent)?.response);
            // The parts of one response are no branch.
            let is_part = response.is_some() && response == message.response;
            let is_left = is_branch && !is_part;
            known.insert(id, BesideWay { is_branch, is_left });
        }
        known.get(id).is_some_and(|known| known.is_left)
    }
}

/// A message that is not on the way.
struct BesideWay {
    /// True if it leads back to the way, or to another beginning.
    is_branch: bool,
    is_left: bool,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the names of the messages that were left. A message is `NAME<PARENT`, with `-` for none, and more after a blank: the
    /// response that it is a part of, or a flag.
    fn left(messages: &str) -> String {
        let values = messages.split(", ").map(|message| {
            let mut words = message.split(' ');
            let (name, parent) = words.next().unwrap().split_once('<').unwrap();
            let parent = Some(parent).filter(|parent| *parent != "-");
            let mut value = json!({"uuid": name, "parentUuid": parent, "sessionId": "s"});
            match words.next() {
                Some("sidechain") => value["isSidechain"] = json!(true),
                Some("summary") => value["isCompactSummary"] = json!(true),
                Some("other") => value["sessionId"] = json!("t"),
                Some(before) if before.starts_with('<') => {
                    value["logicalParentUuid"] = json!(before[1..]);
                }
                Some(response) => value["message"] = json!({"id": response}),
                None => (),
            }
            (0..1, value)
        });
        let values: Vec<(Range<LineIdx>, Value)> = values.collect();
        let left = left_branches(&values);
        let names = values.iter().zip(left).filter(|(_, left)| *left);
        let names: Vec<&str> = names
            .map(|((_, value), _)| value["uuid"].as_str().unwrap())
            .collect();
        names.join(" ")
    }

    #[test]
    fn a_branch_that_was_left_is_no_part_of_the_session() {
        let check = |messages: &str, expected: &str| {
            assert_eq!(left(messages), expected, "{messages}");
        };
        check("a<-, b<a, c<b", "");
        check("a<-, b<a, c<b, d<c, e<a", "b c d");
        // Twice, and back to the first prompt.
        check("a<-, b<a, c<a, d<a", "b c");
        check("a<-, b<a, c<-, d<c", "a b");
        // Calls that were made together, each with its result.
        check("a<-, b<a m, c<b m, d<b, e<c, f<e", "d");
        check("a<-, b<a m, c<b m, e<c, d<b, f<d", "e");
        check("a<-, b<a m, c<a m, d<b, e<a", "b c d");
        // Other agents, sessions and summaries have beginnings of their own.
        check("a<-, x<- sidechain, y<x sidechain, b<a", "");
        check("a<- other, b<a other, c<-", "");
        check("a<-, b<a, c<- summary, d<c", "");
        check("a<-, b<a, x<a, c<- <b, d<c", "x");
        // What is not in the log shows nothing.
        check("a<-, b<a, c<x, d<c", "");
        check("a<x, b<a, c<-", "");
        check("a<b, b<a", "");
    }
}
