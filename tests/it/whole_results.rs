//! Whole results over HTTP: the rows of the command's export, and a client that does not take them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::fixture::{Fixture, command, run, text};

/// More rows than all buffers between a server and a client hold as lines of JSON.
const MANY: usize = 8_000;

/// A row of a master file; `number` tells it from others.
fn row(number: usize) -> String {
    let revenue = 1_000_000 - (number % 1_000);
    let state =
        if number.is_multiple_of(3) { "BURLINGTON,VT,05401-1234" } else { "ALBANY,NY,12207-0000" };
    format!(
        "96{number:07},NUMBER {number} CLUB,,1 MAIN ST,{state},0000,03,3,1000,199905,1,15,000000000,1,01,202412,5,5,\
         01,0,12,900000,800000,{revenue},K31,"
    )
}

fn with_many() -> Fixture {
    let fixture = Fixture::new();
    let rows: Vec<String> = (0..MANY).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    fixture.write_master("eo_many.csv", &rows);
    fixture.build().succeeds();
    fixture
}

/// A server, and the key that it takes.
struct Running {
    process: Child,
    address: String,
    key: String,
}

impl Running {
    fn start(fixture: &Fixture) -> Self {
        let data_dir = fixture.data_dir();
        let created = run(&["keys", "create", "--data-dir", text(&data_dir), "--name", "it"]);
        let key = created.succeeds().trim().to_owned();
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&data_dir)];
        let mut process = command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert_ne!(errors.read_line(&mut line).unwrap(), 0);
            if let Some((_, address)) = line.split_once("listening on http://") {
                break address.trim().to_owned();
            }
        };
        // What it writes from here on has to go somewhere.
        std::thread::spawn(move || errors.lines().for_each(drop));
        Self { process, address, key }
    }

    /// A request that is sent, and the head of its answer.
    fn ask(&self, target: &str, more: &str) -> (String, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let key = &self.key;
        let head = format!(
            "GET {target} HTTP/1.1\r\nHost: it\r\nConnection: close\r\nX-API-Key: {key}\r\n{more}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let (mut reader, mut head) = (BufReader::new(stream), String::new());
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).unwrap(), 0, "closed after {head:?}");
        }
        (head, reader)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A body in chunks, put together; `None` where it broke off.
fn dechunked(reader: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let length = usize::from_str_radix(line.trim(), 16).ok()?;
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk).ok()?;
        if length == 0 {
            return Some(body);
        }
        body.extend_from_slice(&chunk[..length]);
    }
}

#[test]
fn rows_are_those_of_the_command() {
    let fixture = with_many();
    let data_dir = fixture.data_dir();
    for (query, flags) in [
        ("", &[][..]),
        ("?state=vt", &["--state", "VT"]),
        ("?city=Albany&min_revenue=999500", &["--city", "Albany", "--min-revenue", "999500"]),
        ("?ntee_codes=B,T&foundation=true", &["--ntee", "B,T", "--foundation", "true"]),
        ("?fields=state,ein&state=NY", &["--fields", "state,ein", "--state", "NY"]),
        ("?state=WA", &["--state", "WA"]),
    ] {
        for format in ["csv", "ndjson"] {
            let whole = fixture.get(&format!("/export.{format}{query}"));
            let arguments =
                [&["export", "--data-dir", text(&data_dir), "--format", format], flags, &["-"]];
            let exported = run(&arguments.concat());
            assert_eq!(whole.succeeds(), exported.succeeds(), "{format} {query}");
        }
    }
}

#[test]
fn what_a_client_does_not_take_is_not_made_and_can_be_continued() {
    let fixture = with_many();
    let running = Running::start(&fixture);
    let (head, stalled) = running.ask("/export.ndjson", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let (second, _) = running.ask("/export.csv", "");
    assert!(second.starts_with("HTTP/1.1 429"), "{second}");
    assert!(second.to_ascii_lowercase().contains("\r\nretry-after: "), "{second}");
    // Searches are answered meanwhile.
    assert!(running.ask("/nonprofits/search?state=VT", "").0.starts_with("HTTP/1.1 200"));
    drop(stalled);
    // The work ends with its client, so that the key may ask again.
    let (head, mut reader) = loop {
        let (head, reader) = running.ask("/export.ndjson", "");
        if head.starts_with("HTTP/1.1 200") {
            break (head, reader);
        }
        assert!(head.starts_with("HTTP/1.1 429"), "{head}");
    };
    let whole = String::from_utf8(dechunked(&mut reader).unwrap()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), MANY + 4);
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines[5_000]).unwrap();
    let target = format!("/export.ndjson?after={}", last["ein"].as_str().unwrap());
    let (head, mut reader) = loop {
        let (head, reader) = running.ask(&target, &format!("If-Match: {tag}\r\n"));
        if !head.starts_with("HTTP/1.1 429") {
            break (head, reader);
        }
    };
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let rest = String::from_utf8(dechunked(&mut reader).unwrap()).unwrap();
    assert_eq!(rest.lines().collect::<Vec<_>>(), lines[5_001..]);
    fixture.write_master("eo_more.csv", &[&row(MANY)]);
    fixture.build().succeeds();
    let refused = loop {
        let (head, mut reader) = running.ask(&target, &format!("If-Match: {tag}\r\n"));
        if head.starts_with("HTTP/1.1 412") {
            break head;
        }
        // Until the server follows the new snapshot, and while its key has an export.
        assert!(head.starts_with("HTTP/1.1 200") || head.starts_with("HTTP/1.1 429"), "{head}");
        dechunked(&mut reader);
    };
    assert!(refused.contains("application/json"), "{refused}");
}
