//! Requests that are hostile in their headers: keys, identifiers, sessions, and what other servers
//! listen to.

use super::request::{Expected, Request, World};
use crate::chance::Rng;

/// Most bytes of names and values of headers that are answered.
const HEADER_BYTES_MAX: usize = 16 * 1024;
/// Longest body that is read, though none is asked for.
const BODY_BYTES_MAX: usize = 4 * 1024;

/// Fields that change nothing of an answer.
const IDLE: [&str; 22] = [
    "If-None-Match: *",
    "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
    "Range: bytes=0-0",
    "Accept-Encoding: gzip;q=0, identity;q=0, *;q=0",
    "Accept: application/xml;q=1.5",
    "Host: other.invalid",
    "Host:",
    "Origin: null",
    "Access-Control-Request-Method: DELETE",
    "X-HTTP-Method-Override: DELETE",
    "X-Original-URL: /nonprofits/details/000000000",
    "X-Forwarded-For: 127.0.0.1, \" onload=\"",
    "X-Forwarded-Prefix: /../..",
    "Upgrade: h2c",
    "Content-Type: application/json; charset=\"\"\"",
    "Content-Length: 0",
    "TE: trailers, deflate;q=0.5",
    "Trailer: X-API-Key, Content-Length",
    "Keep-Alive: timeout=999999999999999999999",
    "Expect: 100-continue",
    "Content_Length: 5",
    "Cookie: a=b; a=\u{e9}; =; ;;;",
];

/// A request of a known nonprofit, or of a session, under odd headers.
pub fn request(chance: &mut Rng, world: &World, id: &str) -> Request {
    match chance.below(6) {
        0 | 1 => keyed(chance, world, id),
        2 => identified(chance, world, id),
        3 => in_session(chance, world, id),
        4 => with_fields(chance, world, id),
        _ => with_body(chance, world, id),
    }
}

/// One with the fields given alone.
fn details(kind: &'static str, chance: &mut Rng, world: &World, id: &str) -> Request {
    let stem = *chance.of(&["/nonprofits/details/", "/nonprofits/filings/", "/impact/metrics/"]);
    let target = format!("{stem}{}", chance.of(&world.eins));
    let mut request = Request::new(kind, target, world, id);
    request.expected = Expected::One(200);
    request
}

/// One with a key that is none, or a valid one that is written in another way.
fn keyed(chance: &mut Rng, world: &World, id: &str) -> Request {
    let secret: Vec<_> = world.endpoints.iter().filter(|endpoint| endpoint.needs_key).collect();
    let target = chance.of(&secret).path.replace("{ein}", chance.of(&world.eins).as_str());
    let mut request = Request::new("key", target, world, id);
    let key = &world.key;
    let (half, last) = (key.len() / 2, key.len() - 1);
    let mut twisted = key.clone().into_bytes();
    twisted[last] ^= 1;
    let text = |text: String| (text.into_bytes(), 401);
    let (fields, status) = match chance.below(18) {
        0 => text(String::new()),
        1 => text("X-API-Key:\r\n".to_owned()),
        2 => text(format!("X-API-Key: {}\r\n", chance.uuid())),
        3 => text(format!("X-API-Key: {key}\r\nX-API-Key: {key}\r\n")),
        4 => text(format!("X-API-Key: wrong\r\nX-API-Key: {key}\r\n")),
        5 => text(format!("X-API-Key: {key}\r\nX-API-Key:\r\n")),
        6 => text(format!("X-API-Key: Bearer {key}\r\n")),
        7 => text(format!("X-API-Key: \"{key}\"\r\n")),
        8 => text(format!("X-API-Key: {}\r\n", key.to_uppercase())),
        9 => text(format!("X-API-Key: {}\r\n", &key[..half])),
        10 => text(format!("X-API-Key: {key}{key}\r\n")),
        11 => text(format!("Authorization: Bearer {key}\r\nCookie: X-API-Key={key}\r\n")),
        12 => text(format!("X_API_Key: {key}\r\n")),
        13 => ([b"X-API-Key: ", &*twisted, b"\r\n"].concat(), 401),
        14 => ([b"X-API-Key: ", key.as_bytes(), b"\xff\xfe\x80\r\n"].concat(), 401),
        15 => text(format!("X-API-Key: {}\r\n", "k".repeat(HEADER_BYTES_MAX - 64))),
        16 => (format!("x-api-KEY:{key} \t \r\n").into_bytes(), 200),
        _ => text(format!("X-API-Key: {key},{key}\r\n")),
    };
    request.fields = [&*fields, format!("X-Request-Id: {id}\r\n").as_bytes()].concat();
    request.expected = if status == 200 { Expected::Read } else { Expected::One(status) };
    request
}

/// One with an identifier that is taken over, or that must not be.
fn identified(chance: &mut Rng, world: &World, id: &str) -> Request {
    let mut request = details("request id", chance, world, id);
    let padded = format!("{id:~<64}");
    let (value, echoed): (Vec<u8>, Option<String>) = match chance.below(6) {
        0 => (padded.clone().into_bytes(), Some(padded)),
        1 => (format!("{padded}~").into_bytes(), None),
        2 => (format!("{id}\t{id}").into_bytes(), None),
        3 => ([id.as_bytes(), b"\xc3\xa9\xff"].concat(), None),
        4 => (Vec::new(), None),
        _ => (format!("{id}\r\nX-Request-Id: other").into_bytes(), Some(id.to_owned())),
    };
    let key = format!("X-API-Key: {}\r\nX-Request-Id: ", world.key);
    request.fields = [key.as_bytes(), &*value, b"\r\n"].concat();
    request.id = echoed;
    request
}

/// One of a session whose name is spelled in some way, or is none.
fn in_session(chance: &mut Rng, world: &World, id: &str) -> Request {
    let path = *chance.of(&["/beta/nonprofits/search?size=1", "/chat?q=thanks"]);
    let mut request = Request::new("session", path.to_owned(), world, id);
    let uuid = chance.uuid();
    let (session, status) = match chance.below(12) {
        0 => (uuid.to_uppercase().into_bytes(), 200),
        1 => (uuid.replace('-', "").into_bytes(), 200),
        2 => (format!("{{{uuid}}}").into_bytes(), 200),
        3 => (format!("urn:uuid:{uuid}").into_bytes(), 200),
        4 => (format!("{uuid}\r\nx-session-id: x").into_bytes(), 200),
        5 => (b"x".to_vec(), 422),
        6 => (uuid.as_bytes()[1..].to_vec(), 422),
        7 => (format!("{uuid}0").into_bytes(), 422),
        8 => ("0".repeat(36).into_bytes(), 422),
        9 => (uuid.replace('4', "g").into_bytes(), 422),
        10 => ("{".repeat(3_000).into_bytes(), 422),
        _ => ([uuid.as_bytes(), b"\xe9\xff"].concat(), 422),
    };
    request.fields.extend([b"x-session-id: ", &*session, b"\r\n"].concat());
    request.expected = Expected::One(status);
    request
}

/// One with further fields, or as many as may be, or more.
fn with_fields(chance: &mut Rng, world: &World, id: &str) -> Request {
    let mut request = details("fields", chance, world, id);
    let sent: usize =
        ["host", "x", "x-api-key", &world.key, "x-request-id", id].map(str::len).iter().sum();
    let cookie = |bytes: usize| format!("Cookie: {}\r\n", "c".repeat(bytes - "cookie".len()));
    match chance.below(10) {
        0 => {
            let exactly = cookie(HEADER_BYTES_MAX - sent);
            request.fields.extend(exactly.into_bytes());
        }
        1 => {
            let beyond = cookie(HEADER_BYTES_MAX - sent + 1);
            request.fields.extend(beyond.into_bytes());
            request.expected = Expected::One(431);
        }
        2 => {
            let many: String = (0..90).map(|number| format!("X-{number}: {number}\r\n")).collect();
            request.fields.extend(many.into_bytes());
        }
        3 => {
            request.fields.extend(b"Connection: close\r\n");
            request.may_end = true;
        }
        _ => {
            for _ in 0..1 + chance.below(3) {
                request.fields.extend(format!("{}\r\n", chance.of(&IDLE)).into_bytes());
            }
        }
    }
    request
}

/// One with a body, which nobody asked for.
fn with_body(chance: &mut Rng, world: &World, id: &str) -> Request {
    let mut request = details("body", chance, world, id);
    let length = *chance.of(&[1, 2, 100, BODY_BYTES_MAX, BODY_BYTES_MAX + 1, 20_000]);
    let body = chance.bytes(length);
    if length > BODY_BYTES_MAX {
        request.expected = Expected::One(413);
    }
    request.may_end = true;
    if chance.one_in(2) {
        request.fields.extend(format!("Content-Length: {length}\r\n").into_bytes());
        request.body = body;
    } else {
        request.fields.extend(b"Transfer-Encoding: chunked\r\n");
        let size = format!("{length:x};name=\"value\"\r\n");
        request.body = [size.as_bytes(), &*body, b"\r\n0\r\nX-Trailer: 1\r\n\r\n"].concat();
    }
    request
}
