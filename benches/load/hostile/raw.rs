//! Bytes that are broken HTTP, or none: each case has a connection of its own, with requests that
//! are right before and after what is not.

use super::request::World;
use crate::chance::Rng;

/// What identifies a request that stands where a body is: it is none, and must never be answered.
pub const SMUGGLED: &str = "smuggled";

/// Lengths around limits of the server: of targets, of headers, of its buffer, and of hyper's URIs.
const LENGTHS: [usize; 9] = [0, 1, 8_192, 8_193, 16_384, 65_534, 65_535, 73_729, 200_000];
/// Numbers of headers around what is taken.
const COUNTS: [usize; 5] = [99, 100, 101, 1_000, 5_000];

/// What names the length of a body, wrongly, twice, or in a way that others read differently.
const LENGTH_FIELDS: [&[u8]; 48] = [
    b"Content-Length: -1",
    b"Content-Length: +5",
    b"Content-Length: 0x5",
    b"Content-Length: 05",
    b"Content-Length: 5 ",
    b"Content-Length:\t5",
    b"Content-Length : 5",
    b"Content-Length: 5, 5",
    b"Content-Length: 5, 6",
    b"Content-Length: 5\r\nContent-Length: 5",
    b"Content-Length: 5\r\nContent-Length: 6",
    b"Content-Length: 0\r\nContent-Length: 5",
    b"Content-Length: 1e1",
    b"Content-Length: 5.0",
    b"Content-Length:",
    b"Content-Length: five",
    b"Content-Length: 18446744073709551615",
    b"Content-Length: 18446744073709551616",
    b"Content-Length: 99999999999999999999999999",
    b"Content-Length: \xd9\xa5",
    b"Content-Length: 5\x00",
    b"Content-Length: 5\x0b",
    b"Content-Length: 1\r\n 5",
    b"\x00Content-Length: 5",
    b"Content_Length: 5",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5",
    b"Content-Length: 5\r\nTransfer-Encoding: chunked",
    b"Content-Length: nonsense\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\r\nContent-Length: nonsense",
    b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding : chunked",
    b"Transfer-Encoding:\tchunked",
    b"Transfer-Encoding: \x0bchunked",
    b"Transfer-Encoding: chunked\x0c",
    b"X: x\nTransfer-Encoding: chunked",
    b"X: x\rTransfer-Encoding: chunked",
    b"Transfer-Encoding\n: chunked",
    b"Transfer-Encoding:\n chunked",
    b"Transfer-Encoding: identity, chunked",
    b"Transfer-Encoding: chunked, identity",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: \"chunked\"",
    b"Transfer-Encoding: CHUNKED",
    b"Transfer-Encoding: chunked;q=1",
    b"Transfer-Encoding: ,chunked,",
    b"Transfer-Encoding:",
    b"Transfer_Encoding: chunked",
];

/// Chunked bodies, each broken in one part, or odd and right.
const CHUNKS: [&[u8]; 30] = [
    b"0\r\n\r\n",
    b"5\r\nabcde\r\n0\r\n\r\n",
    b"5\r\nabcde\r\n0\r\nX: y\r\n\r\n",
    b"0005;a=b;c=\"d\"\r\nabcde\r\n000\r\n\r\n",
    b"5 \t\r\nabcde\r\n0\r\n\r\n",
    b"5\nabcde\n0\n\n",
    b"5\r\nabcde0\r\n\r\n",
    b"5\r\nabcdef\r\n0\r\n\r\n",
    b"6\r\nabcde\r\n0\r\n\r\n",
    b"5\r\nabcde\r0\r\n\r\n",
    b"5\rabcde\r\n0\r\n\r\n",
    b"-5\r\nabcde\r\n0\r\n\r\n",
    b"+5\r\nabcde\r\n0\r\n\r\n",
    b"0x5\r\nabcde\r\n0\r\n\r\n",
    b"zz\r\n\r\n",
    b"\r\n\r\n",
    b"5;\r\nabcde\r\n0\r\n\r\n",
    b"5;\n\r\nabcde\r\n0\r\n\r\n",
    b"5;a\nb\r\nabcde\r\n0\r\n\r\n",
    b"5;\x00\r\nabcde\r\n0\r\n\r\n",
    b"ffffffffffffffff\r\na",
    b"ffffffffffffffff1\r\na",
    b"10000000000000005\r\nabcde\r\n0\r\n\r\n",
    b"7fffffffffffffff\r\nabcde\r\n0\r\n\r\n",
    b"0\r\nContent-Length: 5\r\n\r\n",
    b"0\r\nno trailer\r\n\r\n",
    b"0\r\n : \r\n\r\n",
    b"0\r\n\r",
    b"5\r\nab",
    b"5",
];

/// Beginnings of other protocols.
const OTHERS: [&[u8]; 9] = [
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    b"SSH-2.0-OpenSSH_9.9\r\n",
    b"EHLO x\r\nMAIL FROM:<a@b>\r\n",
    b"*1\r\n$4\r\nPING\r\n",
    b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n",
    b"\r\n\r\n\r\n\r\n",
    b"\0\0\0\0\0\0\0\0",
    b"GET\r\n\r\n",
];

/// Request lines: versions and forms of the target.
const LINES: [&[u8]; 40] = [
    b"GET /health",
    b"GET /health HTTP/0.9",
    b"GET /health HTTP/1.0",
    b"GET /health HTTP/1.2",
    b"GET /health HTTP/2.0",
    b"GET /health HTTP/9.9",
    b"GET /health HTTP/1.1 ",
    b"GET /health HTTP/1.1x",
    b"GET /health HTTP/1.10",
    b"GET /health http/1.1",
    b"GET /health HTTP/1",
    b"GET /health HTTP/ 1.1",
    b"GET  /health HTTP/1.1",
    b"GET /health  HTTP/1.1",
    b"GET\t/health\tHTTP/1.1",
    b" GET /health HTTP/1.1",
    b"GET /health\x0bHTTP/1.1",
    b"GET /he alth HTTP/1.1",
    b"GET /health\rHTTP/1.1",
    b"G\x00T /health HTTP/1.1",
    b"GET /hea\x00lth HTTP/1.1",
    b"GET /hea\x7flth HTTP/1.1",
    b"GET /hea\xffl\xfeth HTTP/1.1",
    b"GET /h\xc3\xa9alth HTTP/1.1",
    b"GET /<\"`{|}^\\> HTTP/1.1",
    b"GET health HTTP/1.1",
    b"GET ?q HTTP/1.1",
    b"GET #f HTTP/1.1",
    b"GET http://x/health HTTP/1.1",
    b"GET http://user:pw@x:99999/health HTTP/1.1",
    b"GET http://[::1/health HTTP/1.1",
    b"GET HTTPS://x?y#z HTTP/1.1",
    b"GET x:80 HTTP/1.1",
    b"CONNECT x:80 HTTP/1.1",
    b"CONNECT /health HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"GET * HTTP/1.1",
    b"GET /health HTTP/1.0\r\nConnection: keep-alive",
    b"HEAD /health HTTP/1.1",
    b"GET /health HTTP/1.1\r\nConnection: close",
];

/// Fields that are no fields, or folded, or more than may be.
const FIELDS: [&[u8]; 22] = [
    b"A: b\r\n folded",
    b"A: b\r\n\tfolded: c",
    b" A: b",
    b"A : b",
    b"A\t: b",
    b": b",
    b"A",
    b"A b: c",
    b"A\x00: b",
    b"A: b\x00c",
    b"A: b\rc",
    b"A: b\nC: d",
    b"A\xc3\xa9: b",
    b"A: \xff\xfe\x80",
    b"A: \x7f",
    b"A: \x1b[31m",
    b"A:b\r\r\n",
    b"\r\r\nA: b",
    b"(A): b",
    b"A: b\x0b",
    b"Connection: \x00",
    b"Expect: 100-continue\r\nContent-Length: 3",
];

/// What is sent on one connection.
#[derive(Debug)]
pub struct Case {
    /// What it is counted as.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

/// A case of any kind.
pub fn case(chance: &mut Rng, world: &World, batch: u64) -> Case {
    let valid = |id: &str| valid(world, batch, id);
    let mut bytes = if chance.one_in(3) { valid("before") } else { Vec::new() };
    let (kind, broken) = match chance.below(20) {
        0 => {
            let length = chance.below(2_000);
            ("random bytes", chance.bytes(length))
        }
        1..=7 => ("mutated head", mutated(chance, valid("mutated"))),
        8..=10 => ("body length", with_length(chance, world, batch)),
        11 | 12 => {
            let (begin, end) = (valid("chunked"), chance.of(&CHUNKS));
            ("chunked body", [head(&begin, b"Transfer-Encoding: chunked"), end.to_vec()].concat())
        }
        13 => ("other protocol", chance.of(&OTHERS).to_vec()),
        14 | 15 => ("request line", lined(chance, world, batch)),
        16 | 17 => {
            let field = *chance.of(&FIELDS);
            ("field", head(&valid("field"), field))
        }
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
    Case { kind, bytes }
}

/// A request that is right, with a valid key.
fn valid(world: &World, batch: u64, id: &str) -> Vec<u8> {
    let ein = &world.eins[batch as usize % world.eins.len()];
    let (path, method) = match batch % 5 {
        0 => ("/health".to_owned(), "HEAD"),
        1 => (format!("/nonprofits/standing/{ein}"), "GET"),
        _ => (format!("/nonprofits/details/{ein}"), "GET"),
    };
    format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\nX-Request-Id: {batch}-{id}\r\n\r\n",
        world.key
    )
    .into_bytes()
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
            4 => bytes.insert(at, *chance.of(b"\r\n\0 \t:/%\x7f\x80\xff,;\"")),
            5 => bytes[at] = *chance.of(b"\r\n\0 \t:/%\x7f\x80\xff,;\""),
            6 => bytes.swap(at, other),
            _ => {
                let piece = bytes[at..bytes.len().min(at + 20)].to_vec();
                bytes.splice(other..other, piece);
            }
        }
    }
    bytes
}

/// A request whose length of a body is odd, with a body that looks like a request.
fn with_length(chance: &mut Rng, world: &World, batch: u64) -> Vec<u8> {
    let field = *chance.of(&LENGTH_FIELDS);
    let begin = head(&valid(world, batch, "length"), field);
    let hidden = valid(world, batch, SMUGGLED);
    let body = match chance.below(5) {
        0 => b"abcde".to_vec(),
        1 => b"0\r\n\r\n".to_vec(),
        2 => hidden,
        3 => [b"0\r\n\r\n".to_vec(), hidden].concat(),
        _ => {
            let size = format!("{:x}\r\n", hidden.len()).into_bytes();
            [size, hidden, b"\r\n0\r\n\r\n".to_vec()].concat()
        }
    };
    [begin, body].concat()
}

/// A request whose first line is odd.
fn lined(chance: &mut Rng, world: &World, batch: u64) -> Vec<u8> {
    let line = chance.of(&LINES);
    let end: &[u8] = if chance.one_in(6) { b"\n" } else { b"\r\n" };
    let fields =
        format!("Host: x\r\nX-API-Key: {}\r\nX-Request-Id: {batch}-line\r\n\r\n", world.key);
    [line, end, fields.as_bytes()].concat()
}

/// A request that is as long as may be, or longer.
fn long(chance: &mut Rng, whole: &[u8]) -> Vec<u8> {
    let length = *chance.of(&LENGTHS);
    match chance.below(5) {
        0 => [b"GET /".to_vec(), b"a".repeat(length), b" HTTP/1.1\r\n\r\n".to_vec()].concat(),
        1 => head(whole, &[b"A: ".to_vec(), b"a".repeat(length)].concat()),
        2 => head(whole, &[b"a".repeat(length.max(1)), b": a".to_vec()].concat()),
        3 => {
            let count = *chance.of(&COUNTS);
            let fields: Vec<String> = (0..count).map(|number| format!("A{number}: b")).collect();
            head(whole, fields.join("\r\n").as_bytes())
        }
        _ => [b"\r\n".repeat(length / 2), whole.to_vec()].concat(),
    }
}
