//! Requests a second over HTTP: Almoner against a bare hyper server that returns the same bytes,
//! each in a process of its own, asked by the same client over the same number of connections.
//!
//! `cargo bench --bench http` builds 20,000 fictional organizations; `ALMONER_BENCH_DATA_DIR` names
//! a data directory to use instead. Before criterion's own figures it prints the ratio of paired
//! rounds, Almoner and bare in turn, which is what docs/benchmarks.md quotes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, service::service_fn};
use hyper_util::rt::TokioIo;

/// Connections that the client keeps open, each used by one thread.
const CONNECTIONS: u64 = 4;
/// Requests of one paired round.
const ROUND_REQUESTS: u64 = 20_000;
/// Paired rounds; the median is printed.
const ROUNDS: usize = 7;
/// How a server says where it listens.
const LISTENING: &str = "listening on http://";
/// How often, and how many times, its log is looked at for that.
const START_POLL: Duration = Duration::from_millis(20);
const START_POLLS: usize = 1_000;
/// Set for the process that is the bare server: the file with the answer's bytes.
const BARE: &str = "ALMONER_BENCH_BARE";

fn main() {
    if let Some(answer) = std::env::var_os(BARE) {
        serve_bare(Path::new(&answer));
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = data_dir(folder.path());
    let key = almoner(&["keys", "create", "--name", "bench", "--data-dir", text(&data_dir)]);
    let almoner = Server::almoner(&data_dir);
    let mut criterion = Criterion::default().configure_from_args();
    for (name, path) in [("details", details_path(&almoner, &key)), ("typeahead", typeahead_path())]
    {
        let request = request(&path, &key);
        let answer = almoner.ask(&request);
        let file = folder.path().join(name);
        std::fs::write(&file, &answer).expect("the answer is written");
        let bare = Server::bare(&file);
        print_ratio(name, &almoner, &bare, &request);

        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        for (label, server) in [("almoner", &almoner), ("bare hyper", &bare)] {
            group.bench_function(label, |bencher| {
                bencher.iter_custom(|requests| server.load(&request, requests));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}

fn print_ratio(name: &str, almoner: &Server, bare: &Server, request: &[u8]) {
    let mut ratios = Vec::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let per_second = |server: &Server| {
            ROUND_REQUESTS as f64 / server.load(request, ROUND_REQUESTS).as_secs_f64()
        };
        ours.push(per_second(almoner));
        theirs.push(per_second(bare));
        ratios.push(ours[ours.len() - 1] / theirs[theirs.len() - 1]);
    }
    println!(
        "{name}: almoner {:.0} requests/s, bare hyper {:.0}, ratio {:.2} (medians of {ROUNDS} pairs)",
        median(&mut ours),
        median(&mut theirs),
        median(&mut ratios)
    );
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn data_dir(folder: &Path) -> PathBuf {
    if let Some(named) = std::env::var_os("ALMONER_BENCH_DATA_DIR") {
        return named.into();
    }
    let (files, data_dir) = (folder.join("files"), folder.join("data"));
    almoner(&["generate", text(&files), "--organizations", "20000"]);
    almoner(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(&files)]);
    data_dir
}

/// Runs the program and returns its standard output.
fn almoner(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_almoner"))
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .expect("almoner runs");
    assert!(output.status.success(), "almoner {arguments:?} failed");
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn typeahead_path() -> String {
    "/typeahead/nonprofits?q=first+ba".to_owned()
}

/// The details of the first suggestion.
fn details_path(server: &Server, key: &str) -> String {
    let answer = server.ask(&request(&typeahead_path(), key));
    let answer = String::from_utf8_lossy(&answer);
    let at = answer.find("\"ein\":\"").expect("a suggestion") + 7;
    format!("/nonprofits/details/{}", &answer[at..at + 9])
}

fn request(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\n\r\n").into_bytes()
}

/// A server in a process of its own, ended when dropped.
struct Server {
    process: Child,
    address: SocketAddr,
    /// Removed with the server.
    _log: tempfile::NamedTempFile,
}

impl Server {
    fn almoner(data_dir: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_almoner"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        Self::start(command.arg(data_dir))
    }

    fn bare(answer: &Path) -> Self {
        let itself = std::env::current_exe().expect("the path of this program");
        Self::start(Command::new(itself).env(BARE, answer))
    }

    /// Starts a server with its log in a file, a line a request as by default: a reader in this
    /// process would take time from the client.
    fn start(command: &mut Command) -> Self {
        let log = tempfile::NamedTempFile::new().expect("a temporary file");
        let standard_error = log.reopen().expect("the log");
        let process = command.stderr(standard_error).spawn().expect("the server starts");
        let address = (0..START_POLLS)
            .find_map(|_| {
                std::thread::sleep(START_POLL);
                let log = std::fs::read_to_string(log.path()).expect("the log");
                let (_, address) = log.lines().find_map(|line| line.split_once(LISTENING))?;
                address.trim().parse().ok()
            })
            .expect("the server says where it listens");
        Self { process, address, _log: log }
    }

    /// One answer, head and body.
    fn ask(&self, request: &[u8]) -> Vec<u8> {
        let mut client = Client::connect(self.address);
        client.ask(request);
        client.answer
    }

    /// How long `requests` requests take, spread over the connections.
    fn load(&self, request: &[u8], requests: u64) -> Duration {
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for connection in 0..CONNECTIONS {
                let share = requests / CONNECTIONS + u64::from(connection < requests % CONNECTIONS);
                scope.spawn(move || {
                    let mut client = Client::connect(self.address);
                    (0..share).for_each(|_| client.ask(request));
                });
            }
        });
        begun.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that is kept open.
struct Client {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Client {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a socket option");
        Self { stream, answer: Vec::new() }
    }

    fn ask(&mut self, request: &[u8]) {
        self.stream.write_all(request).expect("the request is sent");
        self.answer.clear();
        let mut chunk = [0; 16 * 1024];
        loop {
            let read = self.stream.read(&mut chunk).expect("an answer");
            assert!(read > 0, "the server closed the connection");
            self.answer.extend_from_slice(&chunk[..read]);
            if whole_length(&self.answer).is_some_and(|length| self.answer.len() >= length) {
                assert!(self.answer.starts_with(b"HTTP/1.1 200"), "an answer of status 200");
                return;
            }
        }
    }
}

/// Length of head and body once the head is there.
fn whole_length(answer: &[u8]) -> Option<usize> {
    const FIELD: &[u8] = b"content-length: ";
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let at =
        answer[..head].windows(FIELD.len()).position(|part| part.eq_ignore_ascii_case(FIELD))?;
    let digits = answer[at + FIELD.len()..head].iter().take_while(|byte| byte.is_ascii_digit());
    Some(head + digits.fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0')))
}

/// The bare server: hyper, and the bytes of an answer given as a file.
fn serve_bare(answer: &Path) {
    let answer = std::fs::read(answer).expect("the answer");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let body = Bytes::copy_from_slice(&answer[end + 4..]);
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let headers: Vec<(HeaderName, HeaderValue)> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| {
            !matches!(name.to_ascii_lowercase().as_str(), "date" | "content-length")
        })
        .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
        .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("tokio");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        eprintln!("listening on http://{}", listener.local_addr().expect("an address"));
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("a socket option");
            let (headers, body) = (headers.clone(), body.clone());
            tokio::spawn(async move {
                let service = service_fn(move |_| {
                    let mut response = Response::new(Full::new(body.clone()));
                    response.headers_mut().extend(headers.iter().cloned());
                    async move { Ok::<_, Infallible>(response) }
                });
                let builder = hyper::server::conn::http1::Builder::new();
                // A client that goes away is not a fault of the bench.
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
}
