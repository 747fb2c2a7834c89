//! JSON that this program writes and reads again: what its schemas allow, the messages of the socket, and what is kept between
//! reviews.

use countersign::agent::{
    PendingDocument, PendingQuestion, RemoteDecision, Request, ReviewerMessage, SeenFile,
    Submission, Verdict, WriteMode, read_reply, read_request, write_line,
};
use countersign::review::{
    ApprovalExtent, ApprovedChange, ApprovedFile, Author, Decision, Decisions, EditDecision,
    FileDecisions, HunkDecisions, LeftOutPlace, LineCommentDecision, LineDecisions, Passage,
    PassageDecision, PastVerdict, PlaceDecision, RejectedChange, RejectionRecord, ShownLines, Side,
    Thread, ThreadKind, ThreadList, ThreadMessage, ThreadPresence, ThreadState,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

static VERDICT: &str = include_str!("../../assets/verdict.schema.json");
static PENDING: &str = include_str!("../../assets/pending.schema.json");
static THREADS: &str = include_str!("../../assets/threads.schema.json");

/// Texts with what JSON has to escape, and others.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => ".{0,8}",
        1 => select(&["", "null", "\"\\\n\r\t\u{0}", "\u{2028}\u{feff}", "{\"a\":1}", "漢字 🎉"][..])
            .prop_map(str::to_owned),
    ]
}

/// Returns the values that a schema allows. Its words are those that the schemas of this program use.
fn values_of(schema: &Value, all: &Value) -> BoxedStrategy<Value> {
    if let Some(name) = schema["$ref"].as_str() {
        let inner = all.pointer(name.trim_start_matches('#')).expect(name);
        return values_of(inner, all);
    }
    if let Some(value) = schema.get("const") {
        return Just(value.clone()).boxed();
    }
    if let Some(values) = schema["enum"].as_array() {
        return select(values.clone()).boxed();
    }
    if let Some(schemas) = schema["anyOf"].as_array() {
        let any: Vec<_> = schemas
            .iter()
            .map(|schema| values_of(schema, all))
            .collect();
        return proptest::strategy::Union::new(any).boxed();
    }
    let types = schema["type"].as_array().cloned();
    let types = types.unwrap_or_else(|| vec![schema["type"].clone()]);
    let any = types
        .iter()
        .map(|name| values_of_type(name.as_str().unwrap(), schema, all));
    proptest::strategy::Union::new(any.collect::<Vec<_>>()).boxed()
}

fn values_of_type(name: &str, schema: &Value, all: &Value) -> BoxedStrategy<Value> {
    match name {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            (least..1_000_000).prop_map(Value::from).boxed()
        }
        "string" => text().prop_map(Value::from).boxed(),
        "array" => vec(values_of(&schema["items"], all), 0..3)
            .prop_map(Value::from)
            .boxed(),
        "object" => fields_of(schema, all),
        other => panic!("the schemas have no {other}"),
    }
}

fn fields_of(schema: &Value, all: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut fields = Just(Map::new()).boxed();
    for (name, schema) in schema["properties"]
        .as_object()
        .expect("an object without fields")
    {
        let name = name.clone();
        let value = values_of(schema, all);
        let value = if required.contains(&name.clone().into()) {
            value.prop_map(Some).boxed()
        } else {
            option::weighted(0.6, value).boxed()
        };
        fields = (fields, value)
            .prop_map(move |(mut fields, value)| {
                fields.extend(value.map(|value| (name.clone(), value)));
                fields
            })
            .boxed();
    }
    fields.prop_map(Value::from).boxed()
}

fn documents(schema: &str) -> BoxedStrategy<Value> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    values_of(&schema, &schema)
}

/// A value without what may as well be left out: a null, a list without elements, `false`.
fn plain(value: Value) -> Value {
    let is_said = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(values) => !values.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
    };
    match value {
        Value::Array(values) => values.into_iter().map(plain).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, plain(value)));
            Value::Object(fields.filter(|(_, value)| is_said(value)).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// Reads a value and writes it again; both must be the same.
fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &Value) -> T {
    let read: T =
        serde_json::from_value(value.clone()).unwrap_or_else(|it| panic!("{it}: {value:#}"));
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(plain(written.clone()), plain(value.clone()));
    let again: T = serde_json::from_slice(&serde_json::to_vec_pretty(&read).unwrap()).unwrap();
    assert_eq!(again, read);
    read
}

fn decision() -> impl Strategy<Value = Decision> {
    select(&[Decision::Undecided, Decision::Accepted, Decision::Rejected][..])
}

fn line() -> impl Strategy<Value = LineDecisions> {
    (
        -9_isize..9,
        option::of(text()),
        option::of(text()),
        decision(),
        decision(),
    )
        .prop_map(|(at, removes, adds, removed, added)| LineDecisions {
            at,
            removes,
            adds,
            removed,
            added,
        })
}

fn place() -> impl Strategy<Value = PlaceDecision> {
    (
        1_usize..99,
        vec(text(), 0..3),
        option::of(text()),
        option::of(text()),
        option::of(vec(text(), 0..3)),
    )
        .prop_map(|(line, lines, above, below, becomes)| PlaceDecision {
            line,
            lines,
            above,
            below,
            becomes,
        })
}

fn line_comment() -> impl Strategy<Value = LineCommentDecision> {
    (
        0_usize..9,
        0_usize..9,
        select(&[Side::Old, Side::New, Side::Both][..]),
        text(),
    )
        .prop_map(|(first, last, side, text)| LineCommentDecision {
            first,
            last,
            side,
            text,
        })
}

fn hunk() -> impl Strategy<Value = HunkDecisions> {
    let said = (
        option::of(decision()),
        any::<bool>(),
        option::of(vec(line(), 0..3)),
        option::of(text()),
        option::of((vec(text(), 0..3), vec(text(), 0..3))),
    );
    let where_it_is = (
        1_usize..9,
        option::of(1_usize..99),
        option::of(text()),
        option::of(place()),
    );
    let one = (
        said,
        where_it_is,
        vec(line_comment(), 0..2),
        option::of(0_usize..9),
    );
    let one = one.prop_map(
        |(
            (decision, edited, lines, comment, edit),
            (hunk, line, content, place),
            comments,
            begins,
        )| {
            HunkDecisions {
                hunk,
                line,
                content,
                decision,
                edited,
                edit: edit.map(|(from, to)| EditDecision { from, to }),
                lines,
                comment,
                comments,
                place,
                begins,
                parts: Vec::new(),
            }
        },
    );
    one.prop_recursive(2, 6, 2, |inner| {
        (inner.clone(), vec(inner, 0..3)).prop_map(|(hunk, parts)| HunkDecisions { parts, ..hunk })
    })
}

fn decisions() -> impl Strategy<Value = Decisions> {
    let passage = (place(), text()).prop_map(|(place, text)| PassageDecision { place, text });
    let file = (
        text(),
        option::of(text()),
        option::of(text()),
        vec(passage, 0..2),
        vec(hunk(), 0..3),
        option::of(approved_file()),
    );
    let file = file.prop_map(
        |(path, before, comment, passages, hunks, approved)| FileDecisions {
            path,
            before,
            comment,
            passages,
            hunks,
            approved,
        },
    );
    (option::of(text()), vec(file, 0..3)).prop_map(|(comment, files)| Decisions {
        schema: 1,
        comment,
        files,
    })
}

fn thread() -> impl Strategy<Value = Thread> {
    let author = prop_oneof![Just(Author::Person), text().prop_map(Author::Agent)];
    let message = (author, text(), any::<u64>(), any::<bool>()).prop_map(
        |(author, text, time, proposes_resolution)| ThreadMessage {
            author,
            text,
            time,
            proposes_resolution,
        },
    );
    let lines = || vec(text(), 0..3);
    let passage =
        (1_usize..99, lines(), lines(), lines()).prop_map(|(line, lines, before, after)| Passage {
            line,
            gap: (line % 2 == 0).then(|| LeftOutPlace {
                above: after.clone(),
                below: before.clone(),
            }),
            lines,
            before,
            after,
        });
    let kind = select(&[ThreadKind::Comment, ThreadKind::Question][..]);
    let state = select(
        &[
            ThreadState::Open,
            ThreadState::Answered,
            ThreadState::Resolved,
        ][..],
    );
    let names = (text(), text(), option::of(text()), option::of(text()));
    (
        names,
        passage,
        kind,
        state,
        vec(message, 1..3),
        any::<u64>(),
        any::<(u64, u64)>(),
    )
        .prop_map(
            |(
                (id, path, agent, proposal),
                passage,
                kind,
                state,
                messages,
                revision,
                (person_revision, told_revision),
            )| Thread {
                id,
                path,
                passage,
                kind,
                state,
                agent,
                proposal,
                messages,
                revision,
                person_revision,
                presence: ThreadPresence::Present,
                told_revision,
            },
        )
}

fn rejections() -> impl Strategy<Value = RejectionRecord> {
    let lines = || vec(text(), 0..3);
    let verdict = select(&[PastVerdict::Rejected, PastVerdict::Edited][..]);
    let positions =
        || vec(0..9_usize, 0..3).prop_map(|all| all.into_iter().map(|at| at..at + 1).collect());
    let shown =
        (positions(), positions()).prop_map(|(removed, added)| ShownLines { removed, added });
    let change = (
        text(),
        lines(),
        lines(),
        lines(),
        lines(),
        verdict,
        option::of(text()),
        shown,
        option::of(0..9_usize),
    );
    let change = change.prop_map(
        |(path, removed, added, before, after, verdict, reason, shown, hunk)| RejectedChange {
            path,
            removed,
            added,
            before,
            after,
            verdict,
            reason,
            shown,
            hunk,
        },
    );
    let changes = vec(change, 0..3).boxed();
    let approved = vec(approved_file(), 0..3);
    (any::<u64>(), changes.clone(), changes, approved).prop_map(
        |(time, rejected, accepted, approved)| RejectionRecord {
            time,
            rejected,
            accepted,
            approved,
        },
    )
}

fn approved_file() -> impl Strategy<Value = ApprovedFile> {
    let change =
        (text(), any::<bool>()).prop_map(|(content, shown)| ApprovedChange { content, shown });
    let extent = prop_oneof![
        Just(ApprovalExtent::Whole),
        Just(ApprovalExtent::Added),
        Just(ApprovalExtent::Pending),
    ];
    let file = (text(), vec(change, 0..3), extent, vec(text(), 0..3));
    file.prop_map(|(path, changes, extent, closed)| ApprovedFile {
        path,
        changes,
        extent,
        closed,
    })
}

fn submission() -> impl Strategy<Value = Submission> {
    let names = (
        text(),
        text(),
        text(),
        option::of(text()),
        option::of(text()),
        option::of(text()),
    );
    let seen = (text(), text()).prop_map(|(path, text)| SeenFile { path, text });
    let mode = select(&[WriteMode::Write, WriteMode::AgentWrites][..]);
    (names, vec(seen, 0..2), mode, any::<bool>(), any::<bool>()).prop_map(
        |((id, agent, input, session, folder, path), seen, mode, answers, partial)| Submission {
            id,
            session,
            folder,
            path,
            seen,
            mode,
            answers,
            partial,
            ..Submission::new(agent, input)
        },
    )
}

fn line_of<T: Serialize>(message: &T) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(&mut line, message).unwrap();
    // One line is one message.
    assert_eq!(
        line.iter().position(|byte| *byte == b'\n'),
        Some(line.len() - 1)
    );
    line
}

proptest! {
    #[test]
    fn what_a_schema_allows_is_read_and_written_again(
        verdict in documents(VERDICT), pending in documents(PENDING), threads in documents(THREADS), id in text(),
    ) {
        check::<ThreadList>(&threads);
        let replies = [
            ReviewerMessage::Verdict { id: id.clone(), verdict: Box::new(check::<Verdict>(&verdict)) },
            ReviewerMessage::Pending { id, pending: Box::new(check::<PendingDocument>(&pending)) },
        ];
        for reply in replies {
            prop_assert_eq!(read_reply(&line_of(&reply)).unwrap(), reply);
        }
    }

    #[test]
    fn a_request_is_read_as_it_was_sent(submission in submission(), decision in decision(), names in vec(text(), 0..3), id in text()) {
        let requests = [
            Request::Submit(Box::new(submission)),
            Request::Withdraw { id: id.clone() },
            Request::Pending(PendingQuestion { id: id.clone(), proposal: names.first().cloned() }),
            Request::Decide(RemoteDecision { id: id.clone(), proposal: id, decision, comment: names.last().cloned(), hunks: names }),
            Request::Ping,
        ];
        for request in requests {
            prop_assert_eq!(read_request(&line_of(&request)).unwrap(), request);
        }
    }

    #[test]
    fn what_is_kept_between_reviews_is_read_as_it_was_written(
        decisions in decisions(), thread in thread(), rejections in rejections(),
    ) {
        prop_assert_eq!(Decisions::from_json(&decisions.to_json()).unwrap(), decisions);
        check::<Thread>(&serde_json::to_value(&thread).unwrap());
        check::<RejectionRecord>(&serde_json::to_value(&rejections).unwrap());
    }
}
