//! Requests with a body that is read: of what the endpoints take JSON, and of the Model Context
//! Protocol, whole and right, cut off, of other types, too long, and with another content type.

use almoner::http::{MCP_MESSAGE_BYTES_MAX, SUBMISSION_BYTES_MAX};
use serde_json::{Value, json};

use super::request::{Expected, Request, World};
use super::values::{message, piece};
use crate::chance::Rng;

/// Where the protocol answers; what it refuses it tells in its own words.
pub const MCP: &str = "/mcp";
const TARGETS: [&str; 3] = ["/match", "/nonprofits/batch", MCP];
/// What the protocol wants of a head.
const ACCEPT: &str = "Accept: application/json, text/event-stream\r\n";
const JSON: &str = "Content-Type: application/json\r\n";
/// Other content types: endpoints look at the body alone, the protocol at both.
const OTHER_TYPES: [&str; 5] = [
    "",
    "Content-Type: text/plain\r\n",
    "Content-Type: application/x-www-form-urlencoded\r\n",
    "Content-Type: multipart/form-data; boundary=x\r\n",
    "Content-Type: \r\n",
];
/// JSON that is no object, and what is no JSON.
const OTHERS: [&[u8]; 16] = [
    b"",
    b" ",
    b"null",
    b"1",
    b"\"queries\"",
    b"[]",
    b"[{}]",
    b"{}",
    b"{}{}",
    b"{\"a\":1,}",
    b"{'a':1}",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{\0}\0",
    b"{\"a\":\"\\ud800\"}",
    b"{\"a\":1e999}",
    b"queries=a&eins=b",
];
/// How deep lists are nested: deeper than any stack.
const DEPTH: usize = 50_000;
/// Frames of JSON that are no JSON-RPC 2.0, or no request of it.
const FRAMES: [&str; 10] = [
    r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    r#"{"id":1,"method":"ping"}"#,
    r#"{"jsonrpc":2,"id":1,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#,
    r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
];

/// One of any kind.
pub fn draw(chance: &mut Rng, world: &World, id: &str) -> Request {
    let target = *chance.of(&TARGETS);
    let is_mcp = target == MCP;
    let refused = if is_mcp { 400 } else { 422 };
    let whole = right(chance, world, target).to_string().into_bytes();
    let (kind, expected, body) = match chance.below(10) {
        0..3 => ("whole body", 200, whole),
        3 => {
            let end = chance.below(whole.len());
            ("body cut off", refused, whole[..end].to_vec())
        }
        4 => {
            let body = match chance.below(OTHERS.len() + 1) {
                0 => [&b"[".repeat(DEPTH)[..], b"]"].concat(),
                at => OTHERS[at - 1].to_vec(),
            };
            ("no object of JSON", refused, body)
        }
        5 if is_mcp => ("no JSON-RPC", 400, chance.of(&FRAMES).as_bytes().to_vec()),
        5 | 6 if !is_mcp => ("unfit members", 422, unfit(chance, world, target)),
        7 => return too_long(target, world, id),
        8 => return other_type(chance, target, world, id, whole),
        _ => return mutated(chance, target, world, id, whole),
    };
    let mut request = sent(kind, target, world, id, JSON, body);
    request.expected = Expected::One(expected);
    request
}

/// A body that is right.
fn right(chance: &mut Rng, world: &World, target: &str) -> Value {
    let text = |chance: &mut Rng| String::from_utf8_lossy(&message(chance)).into_owned();
    match target {
        "/match" => {
            let query = |chance: &mut Rng| {
                // One that is too long is nobody's.
                let name = match chance.below(8) {
                    0 => "🌻".repeat(257),
                    _ => text(chance),
                };
                json!({
                    "id": "é", "name": name, "city": text(chance), "state": "OH", "street": null,
                    "zip": "00000-0000", "other_names": [text(chance)], "ein": chance.of(&world.eins),
                })
            };
            let queries: Vec<Value> = (0..chance.below(4)).map(|_| query(chance)).collect();
            json!({ "queries": queries, "limit": 1 + chance.below(8), "unknown": text(chance) })
        }
        "/nonprofits/batch" => {
            let eins: Vec<&String> = (0..chance.below(9)).map(|_| chance.of(&world.eins)).collect();
            json!({ "eins": eins, "fields": ["ein", "name"] })
        }
        _ => {
            let method = *chance.of(&["ping", "tools/list", "none", ""]);
            json!({ "jsonrpc": "2.0", "id": chance.below(9), "method": method })
        }
    }
}

/// An object with one member that is of another type, unknown, or out of bounds.
fn unfit(chance: &mut Rng, world: &World, target: &str) -> Vec<u8> {
    let mut body = right(chance, world, target);
    let many = |item: Value| Value::Array(vec![item; 501]);
    let (member, values) = if target == "/match" {
        let number = json!([{ "name": 1 }]);
        let values =
            [json!({}), json!([1]), json!([{}]), number, many(json!({ "name": "a" })), Value::Null];
        ("queries", values)
    } else {
        (
            "eins",
            [
                json!({}),
                json!([1]),
                json!(["123456"]),
                json!(["1e8"]),
                many(json!("1")),
                Value::Null,
            ],
        )
    };
    body[member] = chance.of(&values).clone();
    body.to_string().into_bytes()
}

/// One whose length is said to be too much; little of it is sent, since none of it is to be read.
fn too_long(target: &'static str, world: &World, id: &str) -> Request {
    let most = if target == MCP { MCP_MESSAGE_BYTES_MAX } else { SUBMISSION_BYTES_MAX };
    let head = format!("{JSON}Content-Length: {}\r\n", most + 1);
    let mut request = Request::post("body too long", target, world, id, &head, b"{".to_vec());
    request.expected = Expected::One(413);
    request.may_end = true;
    request
}

fn other_type(
    chance: &mut Rng,
    target: &'static str,
    world: &World,
    id: &str,
    whole: Vec<u8>,
) -> Request {
    let media = *chance.of(&OTHER_TYPES);
    let mut request = sent("other content type", target, world, id, media, whole);
    request.expected = Expected::One(if target == MCP { 415 } else { 200 });
    request
}

/// With bytes lost, doubled, or put in: fit or not.
fn mutated(
    chance: &mut Rng,
    target: &'static str,
    world: &World,
    id: &str,
    mut body: Vec<u8>,
) -> Request {
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(body.len());
        match chance.below(4) {
            0 => body[at] ^= 1 << chance.below(8),
            1 => body.insert(at, *chance.of(b"\"\\{}[]:,\0\xff0")),
            2 if body.len() > 1 => drop(body.remove(at)),
            _ => drop(body.splice(at..at, piece("injection", chance))),
        }
    }
    let mut request = sent("mutated body", target, world, id, JSON, body);
    request.expected = if target == MCP { Expected::Frame } else { Expected::Read };
    request
}

/// A POST that says the length of its body.
fn sent(
    kind: &'static str,
    target: &'static str,
    world: &World,
    id: &str,
    media: &str,
    body: Vec<u8>,
) -> Request {
    let accept = if target == MCP { ACCEPT } else { "" };
    let head = format!("{media}{accept}Content-Length: {}\r\n", body.len());
    Request::post(kind, target, world, id, &head, body)
}
