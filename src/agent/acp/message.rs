//! One message of the protocol.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use crate::text::UniqueJson;

/// Code of an error that is none of the protocol.
const FAILED: i64 = -32000;

/// A request, a notification or a response.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcMessage(Map<String, Value>);

impl RpcMessage {
    /// Parses a line; `None` if it is no JSON object.
    pub fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok().map(Self)
    }

    /// Returns the answer to a request in which an object has a name twice: programs take another one of the two values. `None` for
    /// any other line, unless the message itself has a name twice: then it may be a request for one program and none for another.
    pub fn refusal(line: &[u8]) -> Option<Self> {
        /// The id of a request that has one once.
        #[derive(Deserialize)]
        struct Id {
            id: Value,
        }
        /// Names of a message, each once.
        #[derive(Deserialize)]
        struct Envelope {
            #[serde(rename = "id")]
            _id: Option<IgnoredAny>,
            #[serde(rename = "method")]
            _method: Option<IgnoredAny>,
            #[serde(rename = "params")]
            _params: Option<IgnoredAny>,
        }
        let error = UniqueJson::parse(line).err()?;
        let request = Self::parse(line)?;
        let is_request = request.method().is_some() && request.id().is_some();
        if !is_request && serde_json::from_slice::<Envelope>(line).is_ok() {
            return None;
        }
        let id = serde_json::from_slice(line).map_or(Value::Null, |Id { id }| id);
        let why = format!("countersign: this request is refused: {error}");
        Some(Self::error(&id, &why))
    }

    /// Makes a request.
    pub fn request(id: &str, method: &str, params: &Value) -> Self {
        Self::of(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    /// Makes a notification.
    pub(super) fn notification(method: &str, params: &Value) -> Self {
        Self::of(json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Makes a successful response.
    pub fn result(id: &Value, result: &Value) -> Self {
        Self::of(json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    /// Makes a response that reports an error.
    pub fn error(id: &Value, message: &str) -> Self {
        let error = json!({"code": FAILED, "message": message, "data": {"details": message}});
        Self::of(json!({"jsonrpc": "2.0", "id": id, "error": error}))
    }

    fn of(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self(fields),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Self(Map::new()),
        }
    }

    /// Returns the method; `None` for a response.
    pub fn method(&self) -> Option<&str> {
        self.0.get("method")?.as_str()
    }

    /// Returns the id of a request or response; `None` for a notification, and for an id of `null`, which no answer can be found by.
    pub fn id(&self) -> Option<&Value> {
        self.0.get("id").filter(|id| !id.is_null())
    }

    /// Returns the parameters of a request or notification.
    pub fn params(&self) -> &Value {
        self.0.get("params").unwrap_or(&Value::Null)
    }

    /// Returns the folders in which a request opens a session.
    pub fn session_folders(&self) -> Vec<&str> {
        let opens = self
            .method()
            .is_some_and(|method| method.starts_with("session/") && method != "session/list");
        if !opens {
            return Vec::new();
        }
        let params = self.params();
        let more = params
            .get("additionalDirectories")
            .and_then(Value::as_array);
        let more = more.into_iter().flatten();
        let named = params.get("cwd").into_iter().chain(more);
        named.filter_map(Value::as_str).collect()
    }

    /// Returns the parameters, to change them.
    pub(super) fn params_mut(&mut self) -> &mut Value {
        self.0.entry("params").or_insert_with(|| json!({}))
    }

    /// Returns the result of a response; `None` for an error.
    pub(super) fn outcome(&self) -> Option<&Value> {
        self.0.get("result")
    }

    /// Replaces the id.
    pub(super) fn with_id(mut self, id: Value) -> Self {
        self.0.insert("id".to_owned(), id);
        self
    }

    /// Formats the message as a line.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(&self.0).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_with_a_name_twice_is_answered_with_an_error() {
        let check = |line: &str, expected: Option<&str>| {
            let refusal = RpcMessage::refusal(line.as_bytes());
            let id = refusal.map(|refusal| refusal.0["id"].to_string());
            assert_eq!(id.as_deref(), expected, "{line}");
        };
        check(
            r#"{"id":7,"method":"m","params":{"path":"a","path":"b"}}"#,
            Some("7"),
        );
        check(r#"{"id":7,"id":8,"method":"m"}"#, Some("null"));
        check(r#"{"id":7,"method":"m","params":{}}"#, None);
        // A request for programs that take the first value.
        let either = r#"{"id":7,"method":"m","method":"n","id":null}"#;
        check(either, Some("null"));
        check(r#"{"method":"m","id":7,"method":0}"#, Some("7"));
        // Nobody waits for an answer to these.
        check(r#"{"method":"m","params":{"a":1,"a":2}}"#, None);
        check(r#"{"id":7,"result":{"a":1,"a":2}}"#, None);
        check("{", None);
    }
}
