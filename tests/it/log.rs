//! What a server writes to its log, and what its probes say, while clients and the data directory are hostile.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::{Value, json};

use crate::fixture::{Fixture, command, run, text};

/// A server that runs, and what it wrote until it listened.
struct Running {
    process: Child,
    errors: BufReader<ChildStderr>,
    begun: String,
    address: String,
    key: String,
}

impl Running {
    fn start(fixture: &Fixture, more: &[&str]) -> Self {
        Self::start_by(fixture, more, |serve| serve)
    }

    /// Starts one by what is made of the command.
    fn start_by(
        fixture: &Fixture,
        more: &[&str],
        changed: impl FnOnce(Command) -> Command,
    ) -> Self {
        let data_dir = fixture.data_dir();
        let created = run(&["keys", "create", "--data-dir", text(&data_dir), "--name", "log"]);
        let key = created.succeeds().trim().to_owned();
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&data_dir)];
        arguments.extend(more);
        let mut process = changed(command(&arguments)).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        let mut begun = String::new();
        let address = loop {
            let start = begun.len();
            assert_ne!(errors.read_line(&mut begun).unwrap(), 0, "{begun}");
            if let Some((_, address)) = begun[start..].split_once("listening on http://") {
                break address.trim().to_owned();
            }
        };
        Self { process, errors, begun, address, key }
    }

    /// The answer to a request without its head's end.
    fn ask(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let head = format!("{head}\r\nHost: it\r\nConnection: close\r\nContent-Length: {length}");
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// What `/ready` says, once it fits.
    fn ready(&self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let answer = self.ask("GET /ready HTTP/1.1", "");
            let ready: Value =
                serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
            if fits(&ready) {
                return ready;
            }
            std::thread::yield_now();
        }
    }

    /// Ends it; all that it wrote.
    fn end(mut self) -> String {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let mut log = std::mem::take(&mut self.begun);
        self.errors.read_to_string(&mut log).unwrap();
        assert!(self.process.wait().unwrap().success(), "{log}");
        log
    }
}

/// A message to `/mcp` that would look like lines of the log and move a terminal's title.
fn hostile() -> String {
    let forged = "x\n2026-01-01T00:00:00Z ERROR request failed cause=\"FORGED\"\n\u{1b}]0;PWN\u{7}";
    let name = "PRIVATE-QUERY near my home";
    json!({ "jsonrpc": "2.0", "id": forged, "method": "tools/call", "params": { "name": name } })
        .to_string()
}

#[test]
fn nothing_that_clients_send_gets_into_the_log_as_it_is() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    for format in ["text", "json"] {
        let server = Running::start(&fixture, &["--log-format", format, "--log-level", "trace"]);
        let key = server.key.clone();
        for accept in ["application/json, text/event-stream", "text/plain"] {
            let head = format!("POST /mcp HTTP/1.1\r\nX-API-Key: {key}\r\nAccept: {accept}");
            let head = format!("{head}\r\nContent-Type: application/json");
            server.ask(&head, &hostile());
            server.ask(&head, &hostile().replace("tools/call", "PRIVATE-QUERY"));
        }
        for path in [
            format!("/reconcile//{key}"),
            format!("//reconcile/{key}"),
            format!("/Reconcile/{key}"),
            format!("/reconcile/suggest/{key}"),
            format!("/reconcile%2F{key}"),
            format!("/mcp/{key}"),
        ] {
            server.ask(&format!("GET {path} HTTP/1.1\r\nX-Request-ID: {key}"), "");
        }
        let log = server.end();
        assert!(!log.contains(|c: char| c.is_control() && c != '\n'), "{log:?}");
        assert!(!log.contains("PRIVATE") && !log.contains("FORGED"), "{log}");
        assert!(!log.contains(&key[4..]) && log.contains("alm_…"), "{log}");
        for line in log.lines().filter(|line| !line.starts_with("listening on ")) {
            let is_event = match format {
                "json" => serde_json::from_str::<Value>(line).is_ok_and(|line| line.is_object()),
                _ => line.starts_with("20"),
            };
            assert!(is_event, "{line}");
        }
        for told in ["serving", "client", "127.0.0.1", "organizations", "with a key"] {
            assert!(log.contains(told), "{told}: {log}");
        }
    }
}

#[test]
fn addresses_are_logged_as_asked_and_only_without_a_key() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    for (how, has_client, has_address) in
        [("plain", true, true), ("hashed", true, false), ("off", false, false)]
    {
        let server = Running::start(&fixture, &["--log-addresses", how]);
        server.ask("GET /health HTTP/1.1", "");
        let head = format!("GET /coverage HTTP/1.1\r\nX-API-Key: {}", server.key);
        server.ask(&head, "");
        let log = server.end();
        let line = |path: &str| {
            let quoted = format!("path=\"{path}\"");
            let line = log.lines().find(|line| line.contains(&quoted));
            line.unwrap_or_else(|| panic!("{path}: {log}")).to_owned()
        };
        let open = line("/health");
        let found = (open.contains(" client="), open.contains("127.0.0.1"));
        assert_eq!(found, (has_client, has_address), "{open}");
        assert!(!line("/coverage").contains(" client="), "{log}");
    }
}

/// A key that is not valid is none, and worth a line once a minute: somebody guesses, or was not told of a new one.
#[test]
fn keys_that_are_not_valid_are_told_apart_from_none() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let server = Running::start(&fixture, &[]);
    for _ in 0..3 {
        server.ask("GET /coverage HTTP/1.1\r\nX-API-Key: alm_wrong", "");
    }
    server.ask("GET /ntee HTTP/1.1", "");
    let log = server.end();
    assert_eq!(log.matches("path=\"/coverage\" status=401").count(), 3, "{log}");
    assert_eq!(log.matches("key=\"unknown\"").count(), 3, "{log}");
    assert_eq!(log.matches(" key=\"-\"").count(), 1, "{log}");
    let warning = "requests with an API key that is not valid times=1 client=\"127.0.0.1\"";
    assert_eq!(log.matches(warning).count(), 1, "{log}");
}

/// Where few files may be open, connections that ask nothing give way, and the log says whose.
#[test]
fn few_files_and_the_connections_that_give_way_are_logged() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let server = Running::start_by(&fixture, &[], |serve| {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -n 180; exec \"$0\" \"$@\""]);
        limited.arg(serve.get_program()).args(serve.get_args());
        for (name, _) in serve.get_envs() {
            limited.env_remove(name);
        }
        limited
    });
    let silent: Vec<TcpStream> =
        (0..40).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    server.ask("GET /health HTTP/1.1", "");
    drop(silent);
    let log = server.end();
    assert!(
        log.contains("few files may be open; raise ulimit -n connections=20 wanted=768"),
        "{log}"
    );
    let evicted = "waiting connections were closed for new ones times=1 connections=20";
    let line = log.lines().find(|line| line.contains(evicted));
    assert!(line.is_some_and(|line| line.contains("client=\"127.0.0.1\"")), "{log}");
}

#[test]
fn a_refused_snapshot_and_signals_of_log_rotators_are_survived_and_told() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let server = Running::start(&fixture, &[]);
    assert_eq!(server.ready(|_| true)["behind"], json!(null));
    let current = fixture.data_dir().join("CURRENT");
    let whole = fs::read(&current).unwrap();
    let id = server.process.id().to_string();
    for signal in ["-USR1", "-USR2"] {
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }
    // At once, as a build does: half a file would be told, too.
    let replace = |bytes: &[u8]| {
        let staged = fixture.path("staged");
        fs::write(&staged, bytes).unwrap();
        fs::rename(&staged, &current).unwrap();
    };
    replace(b"garbage");
    let ready = server.ready(|ready| !ready["behind"].is_null());
    assert_eq!(ready["behind"], "the newest snapshot is damaged");
    assert!(server.ask("GET /metrics HTTP/1.1", "").contains("\nalmoner_behind 1\n"));
    fs::remove_file(&current).unwrap();
    let none = "the data directory publishes no snapshot";
    server.ready(|ready| ready["behind"] == none);
    replace(&whole);
    server.ready(|ready| ready["behind"].is_null());
    assert!(server.ask("GET /metrics HTTP/1.1", "").contains("\nalmoner_behind 0\n"));
    let log = server.end();
    assert_eq!(log.matches("CURRENT cannot be read").count(), 2, "{log}");
}
