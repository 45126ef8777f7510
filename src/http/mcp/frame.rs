//! Frames that are no JSON-RPC, told in its own words before the protocol looks at them.

use serde_json::{Value, json};

use crate::http::tools::quoted_excerpt;

/// What is wrong with a frame: the error code of JSON-RPC 2.0, and what was expected and found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrameError {
    code: i32,
    message: String,
    /// That of the request; null where it cannot be found.
    id: Value,
}

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

impl FrameError {
    fn invalid(message: impl Into<String>) -> Self {
        Self { code: INVALID_REQUEST, message: message.into(), id: Value::Null }
    }

    /// Of a request that is no request of the protocol.
    pub(super) fn unfit(id: Value) -> Self {
        Self {
            id,
            ..Self::invalid("Invalid Request: its method or params are none of the protocol")
        }
    }

    /// Of a frame that is longer than is read, of which `ends` are the beginning and the end.
    pub(super) fn too_long(ends: &[u8], most: usize) -> Self {
        let told = format!(
            "Invalid Request: expected a message of at most {most} bytes; this one is longer. Send fewer rows at once"
        );
        Self { id: id_in(&String::from_utf8_lossy(ends)), ..Self::invalid(told) }
    }

    /// The message that answers the frame.
    pub(super) fn body(&self) -> String {
        let error = json!({ "code": self.code, "message": self.message });
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error }).to_string()
    }
}

/// The id of a request of which only the ends are known: it stands before the first inner object, or last of all.
fn id_in(ends: &str) -> Value {
    const ID: &str = "\"id\":";
    let compact: String = ends.split_whitespace().collect();
    let head = compact.find('{').and_then(|at| compact[at + 1..].split('{').next());
    let behind = |text: &str| {
        let from = text.rfind(ID)? + ID.len();
        let value = text[from..].split([',', '}']).next()?;
        serde_json::from_str::<Value>(value).ok().filter(|id| id.is_string() || id.is_i64())
    };
    let last = compact
        .strip_suffix('}')
        .filter(|text| text.rfind(ID).is_some_and(|at| !text[at..].contains(['}', ','])));
    head.and_then(behind).or_else(|| behind(last?)).unwrap_or_default()
}

/// Checks that a frame is one message of JSON-RPC 2.0.
pub(super) fn check(frame: &[u8]) -> Result<(), FrameError> {
    let message: Value = serde_json::from_slice(frame).map_err(|error| FrameError {
        code: PARSE_ERROR,
        message: format!("Parse error: expected one JSON object; {error}"),
        id: Value::Null,
    })?;
    let Value::Object(message) = message else {
        let found = if message.is_array() { "a list" } else { "another value" };
        return Err(FrameError::invalid(format!(
            "Invalid Request: expected one JSON object; found {found}. Batches are no part of the protocol: \
             send each message by itself"
        )));
    };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(FrameError::invalid("Invalid Request: expected \"jsonrpc\": \"2.0\""));
    }
    let is_answer = message.contains_key("result") || message.contains_key("error");
    match message.get("method") {
        Some(Value::String(_)) => {}
        None if is_answer => {}
        None => return Err(FrameError::invalid("Invalid Request: expected a method, found none")),
        Some(other) => {
            let found = quoted_excerpt(&other.to_string());
            let text =
                format!("Invalid Request: expected a method that is a string; found {found}");
            return Err(FrameError::invalid(text));
        }
    }
    match message.get("id") {
        None | Some(Value::String(_)) => {}
        Some(Value::Number(id)) if id.is_i64() || id.is_u64() => {}
        Some(other) => {
            let found = quoted_excerpt(&other.to_string());
            return Err(FrameError::invalid(format!(
                "Invalid Request: expected an id that is a string or an integer; found {found}"
            )));
        }
    }
    match message.get("params") {
        None | Some(Value::Object(_)) => Ok(()),
        Some(_) => Err(FrameError::invalid("Invalid Request: expected params that are an object")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        for (frame, code) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None),
            ("", Some(PARSE_ERROR)),
            ("hello", Some(PARSE_ERROR)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping""#, Some(PARSE_ERROR)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{}"#, Some(PARSE_ERROR)),
            ("\u{0}", Some(PARSE_ERROR)),
            (&"[".repeat(10_000), Some(PARSE_ERROR)),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Some(INVALID_REQUEST)),
            ("1", Some(INVALID_REQUEST)),
            ("{}", Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, Some(INVALID_REQUEST)),
        ] {
            let found = check(frame.as_bytes()).err().map(|error| error.code);
            assert_eq!(found, code, "{frame}");
        }
    }

    #[test]
    fn ids_of_long_requests() {
        for (ends, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"yyy"#, json!(7)),
            (
                r#"{"method":"tools/call","params":{"x":"y"}, "jsonrpc": "2.0", "id": "a" }"#,
                json!("a"),
            ),
            (r#"{"method":"tools/call","params":{"queries":[{"id":"5"}]}}"#, Value::Null),
            (r#"{"method":"tools/call","params":{"queries":[{"id":5,"name":"x"}"#, Value::Null),
            ("xxx", Value::Null),
        ] {
            assert_eq!(id_in(ends), id, "{ends}");
        }
    }
}
