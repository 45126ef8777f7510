//! Requests that are HTTP, and hostile in what they ask: paths, queries, headers, bodies.
//!
//! How many answers come is certain, so that many go out at once; each carries an identifier that
//! its answer must say again. One that may end the connection is marked so, and goes last. Those
//! that need no drawing but of a few words stand in `requests.tsv`.

use std::sync::LazyLock;

use almoner::http::{BODY_BYTES_MAX, HEADER_BYTES_MAX, TARGET_BYTES_MAX};
use almoner::table::Table;

use super::bodies;
use super::interface::{Endpoint, Parameter};
use super::request::{Expected, Request, World};
use super::values::{Fit, drawn, encoded, message, piece};
use crate::chance::Rng;
use crate::template::fill;

const TABLE: Table = Table::new("benches/load/hostile/requests.tsv", include_str!("requests.tsv"));
/// Kind, method, what is expected, identifier, target, fields.
static ROWS: LazyLock<Vec<[&str; 6]>> = LazyLock::new(|| TABLE.rows().collect());
/// The kind whose hosts are its own: none, several, or what is none.
const HOST: &str = "host";
/// Longest target that is sent: much longer ones are not for the program to refuse, and end the
/// connection.
const SENT_BYTES_MAX: usize = 48 * 1024;
/// Searches and messages filter and rank every nonprofit: of those that must not be refused, one in
/// so many is asked.
const HEAVY_SHARE: usize = 3;
/// Parameters that are not judged alone.
const JOINED: [&str; 4] = ["latitude", "longitude", "sort", "location_range"];
/// Without a query it tells everybody what the service is.
const OPEN: &str = "/reconcile";
const EINS_OF: [&str; 7] = [
    "/nonprofits/details/",
    "/nonprofits/standing/",
    "/nonprofits/filings/",
    "/nonprofits/provenance/",
    "/nonprofits/reliance/",
    "/impact/stories/",
    "/impact/metrics/",
];
/// Those of them that answer 200 for every nonprofit.
const DETAILS_OF: [&str; 3] = ["/nonprofits/details/", "/nonprofits/filings/", "/impact/metrics/"];

impl Request {
    /// One of any kind.
    pub fn draw(chance: &mut Rng, world: &World, id: &str) -> Self {
        let mut request = loop {
            let drawn = match chance.below(45) {
                0..17 => declared(chance, world, id),
                17..24 => listed("path", chance, world, id),
                24..27 => listed("key", chance, world, id),
                27 => listed("request id", chance, world, id),
                28 => listed("session", chance, world, id),
                29..31 => listed("fields", chance, world, id),
                31 => with_body(chance, world, id),
                // Each takes as long as fifty others.
                32 => listed("conversation", chance, world, id),
                33..37 => bodies::draw(chance, world, id),
                37 => listed(HOST, chance, world, id),
                _ => mutated(chance, world, id),
            };
            if drawn.target.len() <= SENT_BYTES_MAX {
                break drawn;
            }
        };
        if chance.one_in(20) && request.method == "GET" {
            request.method = "HEAD".to_owned();
        }
        request
    }

    pub fn bytes(&self) -> Vec<u8> {
        let line = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        let host: &[u8] = if self.kind == HOST { b"" } else { b"Host: x\r\n" };
        [line.as_bytes(), host, &self.fields, b"\r\n", &self.body].concat()
    }
}

/// A row of the table.
fn listed(wanted: &str, chance: &mut Rng, world: &World, id: &str) -> Request {
    let rows: Vec<_> = ROWS.iter().filter(|[kind, ..]| *kind == wanted).collect();
    let [kind, method, expected, echoed, target, further] = **chance.of(&rows);
    let mut word = |word: &str, chance: &mut Rng| meaning(word, chance, world, id);
    let mut filled = |template| fill(template, chance, &mut word);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let mut request = Request::new(kind, text(filled(target)), world, id);
    request.method = text(filled(method));
    request.expected = match expected {
        "found" => Expected::Found,
        "read" => Expected::Read,
        status => Expected::One(status.parse().expect("a status")),
    };
    request.id = (echoed != "-").then(|| text(filled(echoed)));
    request.may_end = kind == HOST || further.starts_with("Connection");
    let own = match kind {
        "key" => "X-Request-Id: {id}\r\n",
        "request id" => "X-API-Key: {key}\r\n",
        _ => "X-API-Key: {key}\r\nX-Request-Id: {id}\r\n",
    };
    request.fields = filled(own);
    if !further.is_empty() {
        request.fields.extend(filled(further));
        request.fields.extend(b"\r\n");
    }
    request
}

/// What a word of the table stands for.
fn meaning(word: &str, chance: &mut Rng, world: &World, id: &str) -> Vec<u8> {
    let (ein, key) = (chance.of(&world.eins), &world.key);
    let digits = |mark: &str| ein.bytes().map(|digit| format!("{mark}{digit:02X}")).collect();
    let text: String = match word {
        "id" => id.to_owned(),
        "padded" => format!("{id:~<64}"),
        "stem" => (*chance.of(&EINS_OF)).to_owned(),
        "STEM" => chance.of(&EINS_OF).to_uppercase(),
        "details" => format!("{}{ein}", chance.of(&DETAILS_OF)),
        "in session" => {
            (*chance.of(&["/beta/nonprofits/search?size=1", "/chat?q=thanks"])).to_owned()
        }
        "secret" => {
            let is_secret = |one: &&Endpoint| one.needs_key && one.path != OPEN;
            let secret: Vec<_> = world.endpoints.iter().filter(is_secret).collect();
            chance.of(&secret).path.replace("{ein}", ein)
        }
        "ein" => ein.clone(),
        "tail" => ein[1..].to_owned(),
        "digits" => digits("%"),
        "digits twice encoded" => digits("%25"),
        "longest" => "x".repeat(TARGET_BYTES_MAX - "/health?".len()),
        "key" => key.clone(),
        "KEY" => key.to_uppercase(),
        "half key" => key[..key.len() / 2].to_owned(),
        "long key" => "k".repeat(HEADER_BYTES_MAX - 64),
        "twisted key" => {
            let (last, rest) = key.as_bytes().split_last().expect("a key");
            return [rest, &[last ^ 1]].concat();
        }
        "uuid" => chance.uuid(),
        "UUID" => chance.uuid().to_uppercase(),
        "plain uuid" => chance.uuid().replace('-', ""),
        "long" => "{".repeat(3_000),
        "filling" => {
            let sent = ["host", "x", "x-api-key", key, "x-request-id", id, "cookie"];
            "c".repeat(HEADER_BYTES_MAX - sent.map(str::len).iter().sum::<usize>())
        }
        "many fields" => {
            let fields: Vec<String> = (0..90).map(|number| format!("X-{number}: x")).collect();
            fields.join("\r\n")
        }
        "idle" => return piece("idle", chance),
        "message" => {
            let message = message(chance);
            encoded(chance, &message)
        }
        unknown => panic!("{unknown} means nothing"),
    };
    text.into_bytes()
}

/// A path and a query as the interface declares them, with values of every kind.
fn declared(chance: &mut Rng, world: &World, id: &str) -> Request {
    let endpoint = chance.of(&world.endpoints);
    let is_heavy = endpoint.path.contains("search") || endpoint.path.contains("chat");
    loop {
        let (target, fit) = asked(chance, world, endpoint);
        if fit != Fit::Refused && is_heavy && !chance.one_in(HEAVY_SHARE) {
            continue;
        }
        let mut request = Request::new("declared", target, world, id);
        request.expected = match fit {
            _ if request.target.len() > TARGET_BYTES_MAX => Expected::One(414),
            Fit::Fits => Expected::Found,
            Fit::Refused => Expected::One(422),
            Fit::Unknown => Expected::Read,
        };
        return request;
    }
}

/// A target of an endpoint, and what the declaration says of it.
fn asked(chance: &mut Rng, world: &World, endpoint: &Endpoint) -> (String, Fit) {
    let (mut path, mut of_path) = (endpoint.path.clone(), Fit::Fits);
    if let Some((stem, rest)) = endpoint.path.split_once("{ein}") {
        let (ein, fit) = ein(chance, world);
        (path, of_path) = (format!("{stem}{ein}{rest}"), fit);
    }
    let all = &endpoint.parameters;
    let required = all.iter().filter(|one| one.is_required);
    let mut query: Vec<String> = required.map(|one| format!("{}=food", one.name)).collect();
    let mut values: Vec<(&Parameter, Fit)> = Vec::new();
    for _ in 0..chance.below(4).min(all.len()) {
        let parameter = chance.of(all);
        for _ in 0..if chance.one_in(8) { 2 } else { 1 } {
            let (value, fit) = drawn(chance, &parameter.values, parameter.is_list);
            query.push(format!("{}={}", parameter.name, encoded(chance, &value)));
            values.push((parameter, fit));
        }
    }
    if chance.one_in(8) {
        let odd = ["x=1", "", "=", "&", "q[]=1", "%3D=%26", "=food", "%"];
        query.push((*chance.of(&odd)).to_owned());
    }
    let mark = if query.is_empty() { "" } else { "?" };
    let fit = if of_path == Fit::Refused { of_path } else { together(&values) };
    (path + mark + &query.join("&"), fit)
}

/// What the declaration says of all values of a query.
fn together(values: &[(&Parameter, Fit)]) -> Fit {
    // Of a scalar the last one counts.
    let counts = |at: &usize| {
        let (parameter, _) = values[*at];
        let is_later = |(other, _): &(&Parameter, Fit)| other.name == parameter.name;
        parameter.is_list || !values[at + 1..].iter().any(is_later)
    };
    let counted: Vec<_> = (0..values.len()).filter(counts).map(|at| values[at]).collect();
    if counted.iter().any(|(_, fit)| *fit == Fit::Refused) {
        return Fit::Refused;
    }
    match counted[..] {
        [] => Fit::Fits,
        [(parameter, fit)] if !JOINED.contains(&parameter.name.as_str()) => fit,
        // Two may not fit each other.
        _ => Fit::Unknown,
    }
}

/// A value of the path.
fn ein(chance: &mut Rng, world: &World) -> (String, Fit) {
    let known = chance.of(&world.eins);
    let odd = ["12345678", "12-3456789", "abcdefghi", "１２３４５６７８９", "00000000\0", "1e8"];
    match chance.below(8) {
        0 => (format!("{:09}", chance.below(1_000_000_000)), Fit::Fits),
        1 => (format!("{known}0"), Fit::Refused),
        2 | 3 => {
            let odd = *chance.of(&odd);
            (encoded(chance, odd.as_bytes()), Fit::Refused)
        }
        _ => (encoded(chance, known.as_bytes()), Fit::Fits),
    }
}

/// One with a body, which nobody asked for.
fn with_body(chance: &mut Rng, world: &World, id: &str) -> Request {
    let target = format!("{}{}", chance.of(&DETAILS_OF), chance.of(&world.eins));
    let mut request = Request::new("body", target, world, id);
    let length = *chance.of(&[1, 2, 100, BODY_BYTES_MAX, BODY_BYTES_MAX + 1, 20_000]);
    request.expected = Expected::One(if length > BODY_BYTES_MAX { 413 } else { 200 });
    request.may_end = true;
    request.body = chance.bytes(length);
    if chance.one_in(2) {
        request.fields.extend(format!("Content-Length: {length}\r\n").into_bytes());
    } else {
        request.fields.extend(b"Transfer-Encoding: chunked\r\n");
        let size = format!("{length:x};name=\"value\"\r\n");
        let end = b"\r\n0\r\nX-Trailer: 1\r\n\r\n";
        request.body = [size.as_bytes(), &request.body, end].concat();
    }
    request
}

/// A target with pieces put in, cut out, or repeated.
fn mutated(chance: &mut Rng, world: &World, id: &str) -> Request {
    const PIECES: [&str; 16] = [
        "&", "=", "?", "/", "//", "..", "%2F", "%00", "%FF", ";", "&&", "%", ",,", "-", "0", "%E2",
    ];
    let endpoint = chance.of(&world.endpoints);
    let (mut target, _) = asked(chance, world, endpoint);
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(target.len() + 1);
        let end = at + chance.below(target.len() + 1 - at);
        target = match chance.below(4) {
            0 => format!("{}{}{}", &target[..at], chance.of(&PIECES), &target[at..]),
            1 => format!("{}{}", &target[..at], &target[end..]),
            2 => format!("{target}&{}", target.rsplit('?').next().unwrap_or_default()),
            _ => {
                let again = target[at..end.min(at + 8)].repeat(1 + chance.below(30));
                format!("{}{again}{}", &target[..at], &target[at..])
            }
        };
    }
    Request::new("mutated", format!("/{}", target.trim_start_matches('/')), world, id)
}

/// The EIN that a target asks for alone, percent-decoded; `None` where it asks for none or several.
pub fn asked_ein(target: &str) -> Option<String> {
    let target = target.split('#').next()?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let value = match EINS_OF.iter().find_map(|stem| path.strip_prefix(stem)) {
        Some(value) if !value.contains('/') => value,
        None if path == "/impact/stories" || path == "/impact/metrics" => {
            query.strip_prefix("eins=").filter(|value| value.len() == 9)?
        }
        _ => return None,
    };
    Some(percent_encoding::percent_decode_str(value).decode_utf8().ok()?.into_owned())
}
