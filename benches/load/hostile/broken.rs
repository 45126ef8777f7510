//! Bytes that are broken HTTP, or none: each case has a connection of its own, with requests that
//! are right before and after what is not.

use super::request::World;
use super::values::piece;
use crate::chance::Rng;

/// What identifies a request that stands where a body is: it is none, and must never be answered.
const SMUGGLED: &str = "smuggled";
/// Lengths around limits of the server: of targets, of headers, of its buffer, and of hyper's URIs.
const LENGTHS: [usize; 9] = [0, 1, 8_192, 8_193, 16_384, 65_534, 65_535, 73_729, 200_000];
/// Numbers of headers around what is taken.
const COUNTS: [usize; 5] = [99, 100, 101, 1_000, 5_000];
/// Bytes that mean something in a head.
const MARKS: &[u8] = b"\r\n\0 \t:/%\x7f\x80\xff,;\"";

/// What is sent on one connection.
#[derive(Debug)]
pub struct Case {
    /// What it is counted as.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Case {
    /// A case of any kind.
    pub fn draw(chance: &mut Rng, world: &World, batch: u64) -> Self {
        let valid = |id: &str| valid(world, batch, id);
        let mut bytes = if chance.one_in(3) { valid("before") } else { Vec::new() };
        let (kind, broken) = match chance.below(20) {
            0 => {
                let length = chance.below(2_000);
                ("random bytes", chance.bytes(length))
            }
            1..=7 => ("mutated head", mutated(chance, valid("mutated"))),
            8..=10 => {
                let field = head(&valid("length"), &piece("length", chance));
                ("body length", [field, hidden(chance, valid(SMUGGLED))].concat())
            }
            11 | 12 => {
                let begin = head(&valid("chunked"), b"Transfer-Encoding: chunked");
                ("chunked body", [begin, piece("chunks", chance)].concat())
            }
            13 => ("other protocol", piece("protocol", chance)),
            14 | 15 => {
                let end: &[u8] = if chance.one_in(6) { b"\n" } else { b"\r\n" };
                let whole = valid("line");
                let fields = whole.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
                ("request line", [&piece("line", chance), end, &whole[fields..]].concat())
            }
            16 | 17 => ("field", head(&valid("field"), &piece("field", chance))),
            18 if chance.one_in(8) => ("too long", long(chance, &valid("long"))),
            _ => {
                let whole = valid("cut");
                let end = chance.below(whole.len());
                ("cut off", whole[..end].to_vec())
            }
        };
        bytes.extend(broken);
        for number in 0..chance.below(3) {
            bytes.extend(valid(&format!("after{number}")));
        }
        Self { kind, bytes }
    }
}

/// A request that is right, with a valid key.
fn valid(world: &World, batch: u64, id: &str) -> Vec<u8> {
    let ein = &world.eins[batch as usize % world.eins.len()];
    let (path, method) = match batch % 5 {
        0 => ("/health".to_owned(), "HEAD"),
        1 => (format!("/nonprofits/standing/{ein}"), "GET"),
        _ => (format!("/nonprofits/details/{ein}"), "GET"),
    };
    let line = format!("{method} {path} HTTP/1.1\r\n");
    let key = &world.key;
    let fields = format!("Host: x\r\nX-API-Key: {key}\r\nX-Request-Id: {batch}-{id}\r\n\r\n");
    (line + &fields).into_bytes()
}

/// A head with further fields.
fn head(whole: &[u8], fields: &[u8]) -> Vec<u8> {
    [&whole[..whole.len() - 2], fields, b"\r\n\r\n"].concat()
}

/// A head with bits turned over, and bytes lost, doubled, or put in.
fn mutated(chance: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..1 + chance.below(5) {
        let at = chance.below(bytes.len());
        let other = chance.below(bytes.len());
        match chance.below(8) {
            0 | 1 => bytes[at] ^= 1 << chance.below(8),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, bytes[at]),
            4 => bytes.insert(at, *chance.of(MARKS)),
            5 => bytes[at] = *chance.of(MARKS),
            6 => bytes.swap(at, other),
            _ => {
                let piece = bytes[at..bytes.len().min(at + 20)].to_vec();
                bytes.splice(other..other, piece);
            }
        }
    }
    bytes
}

/// A body that looks like a request, or hides one.
fn hidden(chance: &mut Rng, request: Vec<u8>) -> Vec<u8> {
    const END: &[u8] = b"0\r\n\r\n";
    match chance.below(5) {
        0 => b"abcde".to_vec(),
        1 => END.to_vec(),
        2 => request,
        3 => [END, &request].concat(),
        _ => {
            let size = format!("{:x}\r\n", request.len());
            [size.as_bytes(), &request, b"\r\n", END].concat()
        }
    }
}

/// A request that is as long as may be, or longer.
fn long(chance: &mut Rng, whole: &[u8]) -> Vec<u8> {
    let length = *chance.of(&LENGTHS);
    match chance.below(5) {
        0 => [b"GET /", &*b"a".repeat(length), b" HTTP/1.1\r\n\r\n"].concat(),
        1 => head(whole, &[b"A: ", &*b"a".repeat(length)].concat()),
        2 => head(whole, &[&*b"a".repeat(length.max(1)), b": a"].concat()),
        3 => {
            let count = *chance.of(&COUNTS);
            let fields: Vec<String> = (0..count).map(|number| format!("A{number}: b")).collect();
            head(whole, fields.join("\r\n").as_bytes())
        }
        _ => [&*b"\r\n".repeat(length / 2), whole].concat(),
    }
}
