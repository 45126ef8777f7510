//! The server on a socket: what only shows there.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::fixture::{FIXTURE, Service};
use crate::http::server::limits::{BODY_BYTES_MAX, SUBMISSION_BYTES_MAX, TARGET_BYTES_MAX};
use crate::http::server::{HEAD_BYTES_MAX, Limits, Server};
use crate::http::{Listen, probe};

/// A client that hears nothing for so long fails its test: longer than any limit that ends it.
const HANG: Duration = Duration::from_secs(120);

/// A server that runs.
struct Running {
    service: Service,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<bool>,
    runtime: Runtime,
}

impl Running {
    fn start(limit: impl FnOnce(&mut Limits)) -> Self {
        let service = Service::new();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let place = "127.0.0.1:0".parse().unwrap();
        let listen = Server::bind(&place, service.app.clone());
        let mut server = runtime.block_on(listen).unwrap();
        limit(server.limits_mut());
        let Listen::Tcp(address) = *server.listen() else { unreachable!("asked for a port") };
        let (stop, stopped) = oneshot::channel();
        let ended = runtime.spawn(server.run(async { drop(stopped.await) }));
        Self { service, address, stop: Some(stop), ended, runtime }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        Client { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// A request's head with the key, up to its end.
    fn request(&self, line: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\n\r\n", self.service.key)
    }

    /// A value of `/metrics`.
    fn counted(&self, name: &str) -> u64 {
        let text = self.connect().ask(&self.request("GET /metrics")).body;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.unwrap_or_else(|| panic!("no {name} in {text}"))
    }

    /// Waits until a request is worked on.
    fn wait_for_work(&self) {
        while self.service.app.telemetry().in_flight() == 0 {
            std::thread::yield_now();
        }
    }

    fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Waits for the end; whether everything under way was answered.
    fn join(self) -> bool {
        self.runtime.block_on(self.ended).unwrap()
    }
}

struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Client {
    fn send(&mut self, bytes: &str) {
        self.stream.write_all(bytes.as_bytes()).unwrap();
    }

    /// Reads one answer; one to HEAD has no body.
    fn read(&mut self, has_body: bool) -> Reply {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.reader.read_line(&mut head).unwrap(), 0, "closed after {head:?}");
        }
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.map_or(0, |text| text.parse().unwrap());
        let mut body = vec![0; if has_body { length } else { 0 }];
        self.reader.read_exact(&mut body).unwrap();
        let status = head[9..12].parse().unwrap();
        Reply { status, head, body: String::from_utf8(body).unwrap() }
    }

    fn ask(&mut self, request: &str) -> Reply {
        self.send(request);
        self.read(!request.starts_with("HEAD"))
    }

    /// Whatever comes until the server closes.
    fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        // A reset is an end as well.
        if let Err(error) = self.reader.read_to_end(&mut rest) {
            assert_ne!(error.kind(), ErrorKind::WouldBlock, "the connection stays open");
        }
        String::from_utf8_lossy(&rest).into_owned()
    }
}

#[test]
fn one_connection_carries_many_requests() {
    let mut running = Running::start(|_| ());
    let mut client = running.connect();
    for _ in 0..3 {
        let get = client.ask(&running.request("GET /nonprofits/details/530196605"));
        assert_eq!(get.status, 200);
        assert!(get.body.contains("American National Red Cross"));
        let head = client.ask(&running.request("HEAD /nonprofits/details/530196605"));
        assert_eq!(head.status, 200);
        assert!(head.head.contains(&format!("content-length: {}\r\n", get.body.len())));
        assert_eq!(client.ask(&running.request("GET /beta/nonprofits/search")).status, 200);
        assert_eq!(client.ask(&running.request("GET /typeahead/nonprofits?q=a")).status, 422);
        assert_eq!(client.ask("GET /chat HTTP/1.1\r\nHost: x\r\n\r\n").status, 401);
    }
    let two = running.request("GET /health") + &running.request("GET /nope");
    client.send(&two);
    assert_eq!((client.read(true).status, client.read(true).status), (200, 404));
    running.stop();
    assert!(running.join());
}

#[test]
fn limits_of_a_request() {
    let running = Running::start(|_| ());
    let target = "x".repeat(TARGET_BYTES_MAX + 1);
    let reply = running.connect().ask(&running.request(&format!("GET /{target}")));
    assert_eq!(reply.status, 414);
    let cookie = |bytes| {
        let line = format!("Cookie: {}", "x".repeat(bytes));
        format!("GET /health HTTP/1.1\r\nHost: x\r\n{line}\r\n\r\n")
    };
    let reply = running.connect().ask(&cookie(20_000));
    assert_eq!(reply.status, 431);
    let reply = running.connect().ask(&cookie(HEAD_BYTES_MAX));
    assert_eq!(reply.status, 431);
    let with_body = |bytes: usize, sent: usize| {
        let head = running.request("GET /health");
        let head = head.trim_end();
        format!("{head}\r\nContent-Length: {bytes}\r\n\r\n{}", "x".repeat(sent))
    };
    let mut client = running.connect();
    assert_eq!(client.ask(&with_body(2, 2)).status, 200);
    assert_eq!(client.ask(&with_body(BODY_BYTES_MAX + 1, 0)).status, 413);
    assert_eq!(client.rest(), "");
    let mut client = running.connect();
    client.send("nonsense\r\n\r\n");
    assert!(client.rest().starts_with("HTTP/1.1 400"));
}

#[test]
fn a_request_names_one_host() {
    let running = Running::start(|_| ());
    for path in ["/health", "/", "/nope", "/nonprofits/details/530196605"] {
        for hosts in ["", "Host: x\r\nHost: x\r\n", "Host: a b\r\n"] {
            let mut client = running.connect();
            let key = &running.service.key;
            let head = format!("GET {path} HTTP/1.1\r\n{hosts}X-API-Key: {key}\r\n\r\n");
            let reply = client.ask(&head);
            assert_eq!(reply.status, 400, "{head}");
            assert!(reply.body.contains("one Host header"), "{}", reply.body);
            assert_eq!(client.rest(), "", "closed after it");
        }
    }
    assert_eq!(running.connect().ask("GET /health HTTP/1.0\r\n\r\n").status, 200);
}

#[test]
fn slow_and_silent_clients_are_cut_off() {
    let limit = |limits: &mut Limits| limits.head_timeout = Duration::from_secs(1);
    let running = Running::start(limit);
    let (mut slow, mut silent, mut idle) =
        (running.connect(), running.connect(), running.connect());
    slow.send("GET /health HTTP/1.1\r\nHost:");
    assert_eq!(idle.ask(&running.request("GET /health")).status, 200);
    for client in [&mut slow, &mut silent, &mut idle] {
        client.rest();
    }
    assert_eq!(running.connect().ask(&running.request("GET /health")).status, 200);
}

#[test]
fn beyond_the_connections_the_one_that_waits_longest_makes_room() {
    let running = Running::start(|limits| {
        limits.connections = 2;
        // So that only the slots end a connection.
        limits.head_timeout = 2 * HANG;
    });
    let (mut idle, mut silent) = (running.connect(), running.connect());
    assert_eq!(idle.ask(&running.request("GET /ready")).status, 200);
    assert_eq!(running.connect().ask(&running.request("GET /ready")).status, 200);
    assert_eq!(silent.rest(), "");
    assert_eq!(idle.ask(&running.request("GET /ready")).status, 200);
    // Who has asked keeps the place as long as silent ones are left.
    let mut silent: Vec<Client> = (0..50).map(|_| running.connect()).collect();
    assert_eq!(idle.ask(&running.request("GET /ready")).status, 200);
    for client in &mut silent[..49] {
        assert_eq!(client.rest(), "");
    }
}

#[test]
fn no_request_under_way_makes_room() {
    let running = Running::start(|limits| limits.connections = 1);
    let mut first = running.connect();
    let held = running.service.app.hold();
    first.send(&running.request("GET /beta/nonprofits/search"));
    running.wait_for_work();
    assert_eq!(running.connect().rest(), "");
    drop(held);
    assert_eq!(first.read(true).status, 200);
    assert_eq!(running.connect().ask(&running.request("GET /ready")).status, 200);
    assert_eq!(first.rest(), "");
    assert_eq!(running.counted("almoner_refused_total{cause=\"slots\"}"), 1);
}

#[test]
fn what_takes_too_long_is_counted_as_that() {
    let running = Running::start(|limits| limits.deadline = Duration::from_millis(100));
    let held = running.service.app.hold();
    let mut client = running.connect();
    assert_eq!(client.ask(&running.request("GET /beta/nonprofits/search")).status, 503);
    drop(held);
    assert_eq!(running.counted("almoner_refused_total{cause=\"deadline\"}"), 1);
}

#[test]
fn a_key_file_that_does_not_answer_is_told() {
    let running = Running::start(|limits| limits.keys_patience = Duration::ZERO);
    let held = running.service.app.keys().hold();
    while running.counted("almoner_keys_behind") == 0 {
        std::thread::yield_now();
    }
    let ready = running.connect().ask(&running.request("GET /ready"));
    assert!(
        ready.body.contains(r#""keys_behind":"the key file does not answer""#),
        "{}",
        ready.body
    );
    drop(held);
}

#[test]
fn a_key_file_that_is_refused_is_told_until_it_is_whole_again() {
    let running = Running::start(|_| ());
    let path = running.service.directory.path().join(crate::http::server::keys::NAME);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, "{").unwrap();
    while running.counted("almoner_keys_behind") == 0 {
        std::thread::yield_now();
    }
    let ready = running.connect().ask(&running.request("GET /ready"));
    assert!(ready.body.contains(r#""keys_behind":"the key file is damaged""#), "{}", ready.body);
    std::fs::write(&path, whole).unwrap();
    while running.counted("almoner_keys_behind") == 1 {
        std::thread::yield_now();
    }
}

#[test]
fn bodies_that_are_asked_for_are_read() {
    let running = Running::start(|_| {});
    let post = |path: &str, length: usize, body: &str| {
        let line = format!("POST {path}");
        let head = running.request(&line);
        let head = head.trim_end_matches("\r\n");
        format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    let mut client = running.connect();
    let queries = vec![serde_json::json!({ "name": "American National Red Cross" }); 500];
    let body = serde_json::json!({ "queries": queries }).to_string();
    let reply = client.ask(&post("/match", body.len(), &body));
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.body.matches("530196605").count() >= 500);
    assert_eq!(client.ask(&post("/match", 2, "[]")).status, 422);
    assert_eq!(client.ask(&post("/match", SUBMISSION_BYTES_MAX + 1, "")).status, 413);
}

#[test]
fn a_body_that_does_not_come_in_time_ends_the_request() {
    let limit = |limits: &mut Limits| limits.deadline = Duration::from_millis(100);
    let running = Running::start(limit);
    let mut client = running.connect();
    let key = &running.service.key;
    client.send(&format!(
        "GET /health HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Length: 9\r\n\r\nhalf"
    ));
    let reply = client.read(true);
    assert_eq!(reply.status, 408, "{}", reply.body);
    assert_eq!(client.rest(), "");
    assert_eq!(running.counted("almoner_refused_total{cause=\"body\"}"), 1);
}

#[test]
fn a_body_that_does_not_come_makes_room() {
    let running = Running::start(|limits| limits.connections = 1);
    let mut first = running.connect();
    first.send("GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
    assert_eq!(running.connect().ask(&running.request("GET /ready")).status, 200);
    assert_eq!(first.rest(), "");
}

#[test]
fn the_request_under_way_is_answered_before_the_end() {
    let mut running = Running::start(|_| ());
    let (mut client, mut idle) = (running.connect(), running.connect());
    assert_eq!(idle.ask(&running.request("GET /health")).status, 200);
    let app = running.service.app.clone();
    let held = app.hold();
    client.send(&running.request("GET /beta/nonprofits/search"));
    running.wait_for_work();
    running.stop();
    // The idle connection is closed at once, so the server is stopping by now.
    assert_eq!(idle.rest(), "");
    drop(held);
    let reply = client.read(true);
    assert_eq!(reply.status, 200);
    assert!(reply.head.contains("connection: close"));
    assert!(TcpStream::connect(running.address).is_err());
    assert!(running.join());
}

#[test]
fn a_swap_leaves_requests_under_way_alone() {
    let running = Running::start(|_| ());
    let request = running.request("GET /beta/nonprofits/search?q=food");
    let mut client = running.connect();
    let asking = std::thread::spawn(move || {
        for _ in 0..50 {
            assert_eq!(client.ask(&request).status, 200);
        }
    });
    let (before, after) = (&FIXTURE.before, &FIXTURE.snapshot);
    for snapshot in [before, after].into_iter().cycle() {
        running.service.app.swap(snapshot.clone());
        if asking.is_finished() {
            break;
        }
        std::thread::yield_now();
    }
    asking.join().unwrap();
}

#[test]
fn a_silent_client_does_not_hold_the_end_up() {
    let mut running = Running::start(|limits| limits.drain = Duration::ZERO);
    let _silent = running.connect();
    running.stop();
    let _ = running.join();
}

#[test]
fn a_socket_in_the_file_system_answers_and_is_gone_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("almoner.sock");
    let listen = Listen::Unix(path.clone());
    let service = Service::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let server = runtime.block_on(Server::bind(&listen, service.app.clone())).unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let ended = runtime.spawn(server.run(async { drop(stopped.await) }));
    assert!(probe(&listen, "/health", None).is_ok());
    let (path_asked, key) = ("/typeahead/nonprofits?q=ab", service.key.as_str());
    assert!(probe(&listen, path_asked, None).is_err(), "needs a key");
    assert!(probe(&listen, path_asked, Some(key)).is_ok());
    let second = runtime.block_on(Server::bind(&listen, service.app.clone()));
    assert!(second.is_err(), "a server lives there");
    stop.send(()).unwrap();
    assert!(runtime.block_on(ended).unwrap());
    assert!(!path.exists());
}
