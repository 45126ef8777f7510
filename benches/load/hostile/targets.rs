//! Requests that are HTTP, and hostile in what they ask: paths, queries, and headers.
//!
//! How many answers come is certain, so that many go out at once; each carries an identifier that
//! its answer must say again. One that may end the connection is marked so, and goes last.

use super::headers;
use super::interface::{Endpoint, Parameter};
use super::request::{Expected, Request, World};
use super::values::{Fit, drawn, encoded, message};
use crate::chance::Rng;

/// Longest target that is answered.
const TARGET_BYTES_MAX: usize = 8 * 1024;
/// Longest target that is sent: much longer ones are not for the program to refuse, and end the
/// connection.
const SENT_BYTES_MAX: usize = 48 * 1024;
/// Searches and messages filter and rank every nonprofit: of those that must not be refused, one in
/// so many is asked.
const HEAVY_SHARE: usize = 3;
/// Sessions that the messages of a run share.
const SESSIONS: usize = 20;
/// Parameters that are not judged alone.
const JOINED: [&str; 4] = ["latitude", "longitude", "sort", "location_range"];
const EINS_OF: [&str; 7] = [
    "/nonprofits/details/",
    "/nonprofits/standing/",
    "/nonprofits/filings/",
    "/nonprofits/provenance/",
    "/nonprofits/reliance/",
    "/impact/stories/",
    "/impact/metrics/",
];

/// A request of any kind.
pub fn request(chance: &mut Rng, world: &World, id: &str) -> Request {
    let mut request = loop {
        let drawn = match chance.below(40) {
            0..17 => declared(chance, world, id),
            17..24 => path(chance, world, id),
            24..32 => headers::request(chance, world, id),
            // Each takes as long as fifty others.
            32 => conversation(chance, world, id),
            _ => mutated(chance, world, id),
        };
        if drawn.target.len() <= SENT_BYTES_MAX {
            break drawn;
        }
    };
    if chance.one_in(20) && request.method == "GET" {
        request.method = "HEAD";
    }
    request
}

/// A path and a query as the interface declares them, with values of every kind.
fn declared(chance: &mut Rng, world: &World, id: &str) -> Request {
    let endpoint = chance.of(&world.endpoints);
    loop {
        let (target, fit) = asked(chance, world, endpoint);
        let is_heavy = endpoint.path.contains("search") || endpoint.path.contains("chat");
        if fit != Fit::Refused && is_heavy && !chance.one_in(HEAVY_SHARE) {
            continue;
        }
        let expected = match fit {
            Fit::Fits => Expected::Found,
            Fit::Refused => Expected::One(422),
            Fit::Unknown => Expected::Read,
        };
        let mut request = Request::new("declared", target, world, id);
        request.expected = expected;
        if request.target.len() > TARGET_BYTES_MAX {
            request.expected = Expected::One(414);
        }
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
            let (value, fit) = drawn(chance, &parameter.kind, parameter.is_list);
            query.push(format!("{}={}", parameter.name, encoded(chance, &value)));
            values.push((parameter, fit));
        }
    }
    if chance.one_in(8) {
        query.push(
            (*chance.of(&["x=1", "", "=", "&", "q[]=1", "%3D=%26", "=food", "%"])).to_owned(),
        );
    }
    let mark = if query.is_empty() { "" } else { "?" };
    let fit = if of_path == Fit::Refused { of_path } else { together(&values) };
    (path + mark + &query.join("&"), fit)
}

/// What the declaration says of all values of a query.
fn together(values: &[(&Parameter, Fit)]) -> Fit {
    // Of a scalar the last one counts.
    let counts = |at: usize| {
        let (parameter, _) = values[at];
        let is_later = |(other, _): &(&Parameter, Fit)| other.name == parameter.name;
        parameter.is_list || !values[at + 1..].iter().any(is_later)
    };
    let counted = (0..values.len()).filter(|at| counts(*at)).map(|at| values[at]);
    let counted: Vec<_> = counted.collect();
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
    match chance.below(8) {
        0 => (format!("{:09}", chance.below(1_000_000_000)), Fit::Fits),
        1 => (encoded(chance, b"12345678"), Fit::Refused),
        2 => (format!("{known}0"), Fit::Refused),
        3 => {
            let odd = ["12-3456789", "abcdefghi", "１２３４５６７８９", "00000000\u{0}", "1e8"];
            let odd = *chance.of(&odd);
            (encoded(chance, odd.as_bytes()), Fit::Refused)
        }
        _ => (encoded(chance, known.as_bytes()), Fit::Fits),
    }
}

/// A path that is spelled in another way, or that there is not, or another method.
fn path(chance: &mut Rng, world: &World, id: &str) -> Request {
    let ein = chance.of(&world.eins);
    let digits: String = ein.bytes().map(|digit| format!("%{digit:02X}")).collect();
    let stem = *chance.of(&EINS_OF);
    let bare = stem.trim_start_matches('/');
    let (not_found, refused) = (Expected::One(404), Expected::One(422));
    let (target, expected) = match chance.below(24) {
        0 => (format!("{stem}{digits}"), Expected::Found),
        1 => (format!("{}{ein}", stem.to_uppercase()), not_found),
        2 => (format!("{stem}{ein}/"), not_found),
        3 => (format!("//{bare}{ein}"), not_found),
        4 => (format!("/./{bare}{ein}"), not_found),
        5 => (format!("/x/../{bare}{ein}"), not_found),
        6 => (format!("/x/%2e%2e/{bare}{ein}"), not_found),
        7 => (format!("{stem}%2F{ein}"), refused),
        8 => (format!("{stem}{ein}%00"), refused),
        9 => (format!("{stem}{ein}%0A"), refused),
        10 => (format!("{stem}{ein}+"), refused),
        11 => (format!("{stem}{}", digits.replace('%', "%25")), refused),
        12 => (format!("{stem}%C0%B1{}", &ein[1..]), refused),
        13 => (format!("{stem}{ein};v=1"), refused),
        14 => (format!("{stem}%"), refused),
        15 => (stem.to_owned(), not_found),
        16 => ("/assets/%2e%2e/%2e%2e/etc/passwd".to_owned(), not_found),
        17 => ("/assets/../../keys.json".to_owned(), not_found),
        18 => (
            format!("{}?eins={ein}", chance.of(&["/impact/stories", "/impact/metrics"])),
            Expected::One(200),
        ),
        19 => (format!("/health?{}", "x".repeat(TARGET_BYTES_MAX - 8)), Expected::One(200)),
        20 => (format!("/health?{}", "x".repeat(TARGET_BYTES_MAX - 7)), Expected::One(414)),
        21 => (format!("{stem}{}%ED%A0%80", &ein[..6]), refused),
        22 => (format!("{stem}{ein}?ein=000000000&{}", "%".repeat(40)), Expected::Found),
        _ => (format!("{stem}{ein}"), Expected::One(405)),
    };
    let mut request = Request::new("path", target, world, id);
    request.expected = expected;
    if expected == Expected::One(405) {
        let others = ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "get", "!"];
        request.method = *chance.of(&others);
    }
    request
}

/// A message of one of a few sessions.
fn conversation(chance: &mut Rng, world: &World, id: &str) -> Request {
    let message = message(chance);
    let path = *chance.of(&["/chat", "/chat/search", "/beta/nonprofits/search"]);
    let target = format!("{path}?q={}", encoded(chance, message.as_bytes()));
    let mut request = Request::new("conversation", target, world, id);
    let session = format!("00000000-0000-4000-8000-{:012}", chance.below(SESSIONS));
    request.fields.extend(format!("x-session-id: {session}\r\n").into_bytes());
    request.expected = Expected::One(200);
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
