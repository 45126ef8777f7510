//! A host's dialogue with the program over the Model Context Protocol: over standard input and output, and
//! over HTTP, with the same words.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::fixture::{Fixture, command, run, text};

/// What a host asks from its start on, and what of each answer is looked at.
fn dialogue() -> Vec<(Value, &'static str, Value)> {
    let initialize = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": { "listChanged": true } },
        "clientInfo": { "name": "host", "version": "1.0.0" },
    });
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let one = json!({ "ein": "970000001" });
    vec![
        (request("initialize", initialize), "/result/protocolVersion", json!("2025-11-25")),
        (request("tools/list", json!({})), "/result/tools/2/name", json!("get_nonprofit")),
        (
            request("tools/call", call("find_by_name", json!({ "q": "maple river food" }))),
            "/result/structuredContent/rows/0/ein",
            json!("970000001"),
        ),
        (
            request("tools/call", call("get_nonprofit", one.clone())),
            "/result/structuredContent/rows/0/name",
            json!("Maple River Food Shelf Inc"),
        ),
        (
            request("tools/call", call("check_standing", one)),
            "/result/structuredContent/exemption",
            json!("501(c)(3)"),
        ),
        (
            request("tools/call", call("search_nonprofits", json!({ "state": "VT", "limit": 1 }))),
            "/result/structuredContent/total",
            json!(2),
        ),
        (
            request("tools/call", call("compare", json!({ "eins": ["970000002", "970000004"] }))),
            "/result/structuredContent/rows/1/ein",
            json!("970000004"),
        ),
        (
            request("tools/call", call("changes", json!({}))),
            "/result/structuredContent/total",
            json!(0),
        ),
        (
            request("tools/call", call("check_standing", json!({ "ein": "970000009" }))),
            "/result/isError",
            json!(true),
        ),
        (
            request("resources/read", json!({ "uri": "nonprofit://970000002" })),
            "/result/contents/0/mimeType",
            json!("application/json"),
        ),
        (request("prompts/get", json!({ "name": "x" })), "/error/code", json!(-32602)),
    ]
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })
}

/// The program with a host.
struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Host {
    fn start(fixture: &Fixture) -> Self {
        let mut child = command(&["mcp", "--data-dir", text(&fixture.data_dir())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take(), output, child }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Ends the input; the exit code, and what is on standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "something was said unasked");
        let mut told = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (self.child.wait().unwrap().code(), told)
    }
}

#[test]
fn a_dialogue_over_standard_input_and_output() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let mut host = Host::start(&fixture);
    for (message, pointer, expected) in dialogue() {
        host.send(&message.to_string());
        let answer = host.receive();
        assert_eq!(answer["id"], message["id"]);
        assert_eq!(answer.pointer(pointer), Some(&expected), "{message}: {answer}");
        if message["method"] == "initialize" {
            host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
    }
    // What is no message is answered, and ends nothing.
    let long = "x".repeat(300_000);
    for (line, code, id) in [
        ("hello", -32700, Value::Null),
        (&long, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600, Value::Null),
        (
            &format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"x":"{long}"}}}}"#
            ),
            -32600,
            json!(7),
        ),
        (
            &format!(
                r#"{{"method":"tools/call","params":{{"x":"{long}"}},"jsonrpc":"2.0","id":"a"}}"#
            ),
            -32600,
            json!("a"),
        ),
    ] {
        host.send(line);
        let answer = host.receive();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{answer}");
    }
    host.send(&request("ping", json!({})).to_string());
    assert_eq!(host.receive()["result"], json!({}));
    let (code, told) = host.end();
    assert_eq!(code, Some(0), "{told}");
    assert!(!told.contains("panicked"), "{told}");
}

#[test]
fn a_hundred_calls_at_once_and_some_cancelled() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let mut host = Host::start(&fixture);
    host.send(&dialogue()[0].0.to_string());
    host.receive();
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let call = json!({ "name": "get_nonprofit", "arguments": { "eins": "970000001" } });
    for id in 0..100 {
        host.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call })
                .to_string(),
        );
    }
    host.send(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1000}}"#,
    );
    let ids: std::collections::BTreeSet<i64> =
        (0..100).map(|_| host.receive()["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, (0..100).collect());
    assert_eq!(host.end().0, Some(0));
}

#[test]
fn a_host_sees_what_is_published_meanwhile() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let mut host = Host::start(&fixture);
    host.send(&dialogue()[0].0.to_string());
    host.receive();
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let arguments = json!({ "name": "get_nonprofit", "arguments": { "ein": "970000005" } });
    let asked = request("tools/call", arguments).to_string();
    host.send(&asked);
    let before = host.receive();
    assert!(before["result"]["structuredContent"]["rows"][0]["message"].is_string(), "{before}");
    let row = crate::fixture::MASTER_ROWS[0].replace("970000001", "970000005");
    fixture.write_master("eo_more.csv", &[&row]);
    fixture.build().succeeds();
    host.send(&asked);
    assert_eq!(
        host.receive()["result"]["structuredContent"]["rows"][0]["name"],
        "Maple River Food Shelf Inc"
    );
    assert_eq!(host.end().0, Some(0));
}

#[test]
fn what_is_no_host_is_told_so() {
    let fixture = Fixture::new();
    let none = run(&["mcp", "--data-dir", text(&fixture.data_dir())]);
    none.fails(1, &["almoner build"]);
    fixture.build().succeeds();
    assert_eq!(Host::start(&fixture).end(), (Some(0), String::new()));
}

#[test]
fn the_same_dialogue_over_http() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let data_dir = fixture.data_dir();
    let key = run(&["keys", "create", "--data-dir", text(&data_dir), "--name", "host"]);
    let key = key.succeeds().trim().to_owned();
    let mut server = command(&["serve", "--data-dir", text(&data_dir), "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap()).lines();
    let line = log.find_map(|line| line.ok().filter(|line| line.contains("listening on"))).unwrap();
    let address = line.rsplit("http://").next().unwrap().to_owned();
    let drained = std::thread::spawn(move || log.count());
    let post = |body: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: \
             {}\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .unwrap();
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (head.split(' ').nth(1).unwrap_or_default().to_owned(), body.to_owned())
    };
    for (message, pointer, expected) in dialogue() {
        let (status, body) = post(&message.to_string());
        assert_eq!(status, "200", "{message}: {body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer.pointer(pointer), Some(&expected), "{message}: {answer}");
    }
    assert_eq!(post(&"x".repeat(300_000)).0, "413");
    assert_eq!(post("hello").0, "400");
    server.kill().unwrap();
    server.wait().unwrap();
    drained.join().unwrap();
}
