//! What a language model does for the chat, and that nothing it does changes more than words: servers on this machine that
//! answer well, badly, endlessly or never, and a real model where its file lies beside the repository.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use almoner::http::{AnswerBody, App, Keys, Options};
use almoner::language_model::{LanguageModel, ModelSource, Settings};
use almoner::search::chat::{Answer, Question, answer};
use almoner::understand::Frame;
use hyper::Request;
use hyper::body::Bytes;
use serde_json::{Value, json};

use crate::country::COUNTRY;
use crate::fixture::{run, text};

/// Of these the reader is sure.
const SURE: [&str; 3] = ["food banks in Ohio", "private foundations over $1M in Texas", "thanks!"];
/// Messages of which the reader is unsure of some at least, whatever it has learned.
const UNSURE: [&str; 12] = [
    "what's the damage there",
    "the damage there",
    "what are we talking about there",
    "what kind of machine is that there",
    "what's the picture there",
    "what's the lowdown there",
    "what's the drill there",
    "how goes it there",
    "what's the tally there",
    "so what's the damage",
    "what gives there",
    "what's it got going",
];
/// Time for a message where the server never answers.
const SHORT_MS: u64 = 50;
/// Time where it answers at once.
const AMPLE_MS: u64 = 8_000;

/// How a server behaves.
#[derive(Clone, Copy)]
enum Behaviour {
    /// As a good model does: names acts, and adds words to the composed answer.
    Helps,
    /// Writes this, whatever it is asked for.
    Writes(&'static str),
    /// Sends this for a whole answer.
    Sends(&'static str),
    /// Sends a body of ten megabytes.
    Floods,
    Closes,
    Hangs,
}

/// A server on this machine, until the test ends.
struct Server {
    port: u16,
    asked: Arc<AtomicUsize>,
}

impl Server {
    fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        thread::spawn(move || {
            // Held, so that a server that hangs does not close.
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                held.extend(serve(stream, behaviour));
            }
        });
        Self { port, asked }
    }

    fn model(&self, limit_ms: u64) -> LanguageModel {
        let source: ModelSource = format!("http://127.0.0.1:{}/v1", self.port).parse().unwrap();
        let limit = Duration::from_millis(limit_ms);
        let settings =
            Settings { limit, name: Some("tiny".to_owned()), key: Some("secret".to_owned()) };
        LanguageModel::open(&source, settings).unwrap()
    }
}

/// Answers one request; returns the connection of one that is not answered.
fn serve(mut stream: TcpStream, behaviour: Behaviour) -> Option<TcpStream> {
    let body = read_body(&mut stream)?;
    let content = match behaviour {
        Behaviour::Helps => help(&body),
        Behaviour::Writes(content) => content.to_owned(),
        Behaviour::Sends(answer) => {
            let _ = stream.write_all(answer.as_bytes());
            return None;
        }
        Behaviour::Floods => "a".repeat(10_000_000),
        Behaviour::Closes => return None,
        Behaviour::Hangs => return Some(stream),
    };
    let body = json!({"choices": [{"message": {"role": "assistant", "content": content}}]});
    let body = body.to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    // A client that has enough hangs up.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    None
}

/// The body of a request for a completion.
fn read_body(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(body)
        {
            let head = head.to_lowercase();
            assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
            assert!(head.contains("authorization: bearer secret"), "{head}");
            return Some(body);
        }
    }
}

fn help(body: &Value) -> String {
    assert_eq!(body["model"], "tiny");
    if body["response_format"]["type"] == "json_schema" {
        return r#"{"acts":["assets"]}"#.to_owned();
    }
    let prompt = body["messages"][0]["content"].as_str().unwrap();
    let composed = prompt.split("The composed answer: ").nth(1).unwrap();
    format!("Sure, {}", composed.lines().next().unwrap())
}

fn ask(message: &str, language_model: Option<&LanguageModel>) -> Answer {
    let explicit = Frame::default();
    let question = Question { message, explicit: &explicit, earlier: None, language_model };
    answer(&COUNTRY.snapshot, &question).unwrap()
}

/// A question about one nonprofit, by its EIN.
fn of_one() -> String {
    format!("what is the revenue of {}", COUNTRY.organizations[0].ein)
}

#[test]
fn servers_that_do_not_help_change_nothing() {
    for (behaviour, limit_ms) in [
        (Behaviour::Writes("Ignore what was asked; call 900-555-0100."), AMPLE_MS),
        (Behaviour::Writes(r#"{"acts":["self_harm"]}"#), AMPLE_MS),
        (Behaviour::Writes(r#"{"acts":["pay","pay","pay","pay","pay","pay"]}"#), AMPLE_MS),
        (Behaviour::Writes(""), AMPLE_MS),
        (Behaviour::Sends("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"), AMPLE_MS),
        (
            Behaviour::Sends("HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{\"choices\":[]}"),
            AMPLE_MS,
        ),
        (Behaviour::Sends("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"), AMPLE_MS),
        (Behaviour::Sends("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\r\n"), AMPLE_MS),
        (Behaviour::Sends("SSH-2.0-x\r\n"), AMPLE_MS),
        (Behaviour::Floods, AMPLE_MS),
        (Behaviour::Closes, AMPLE_MS),
        (Behaviour::Hangs, SHORT_MS),
    ] {
        let server = Server::start(behaviour);
        let model = server.model(limit_ms);
        for message in SURE.iter().copied().chain([UNSURE[0], &*of_one()]) {
            assert_eq!(ask(message, Some(&model)), ask(message, None), "{message}");
        }
        assert!(server.asked.load(Ordering::SeqCst) > 0);
    }
}

#[test]
fn a_server_that_is_gone_changes_nothing() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Server { port: gone, asked: Arc::default() };
    let model = server.model(AMPLE_MS);
    assert!(model.warm().is_err());
    assert_eq!(ask(SURE[0], Some(&model)), ask(SURE[0], None));
}

#[test]
fn a_model_that_helps_changes_words_alone() {
    let server = Server::start(Behaviour::Helps);
    let model = server.model(AMPLE_MS);
    let name = format!("tiny@127.0.0.1:{}", server.port);
    for message in SURE.iter().copied().chain([&*of_one()]) {
        let (alone, helped) = (ask(message, None), ask(message, Some(&model)));
        assert_eq!(helped.message, format!("Sure, {}", alone.message), "{message}");
        assert_eq!(helped.language_model.as_ref(), Some(&name));
        let same = Answer { message: alone.message.clone(), language_model: None, ..helped };
        assert_eq!(same, alone, "{message}");
    }
}

#[test]
fn what_the_reader_is_not_sure_of_is_read_by_the_model() {
    let earlier = ask(&of_one(), None).next;
    let server = Server::start(Behaviour::Helps);
    let model = server.model(AMPLE_MS);
    let explicit = Frame::default();
    let asked = |message, language_model| {
        let earlier = Some(&earlier);
        let question = Question { message, explicit: &explicit, earlier, language_model };
        answer(&COUNTRY.snapshot, &question).unwrap()
    };
    let plainly = asked("what assets do they have", None);
    let is_read = |message: &'static str| {
        let (unclear, helped) = (asked(message, None), asked(message, Some(&model)));
        unclear.message != plainly.message
            // An answer that begins with a no keeps its words.
            && helped.message.ends_with(&plainly.message)
            && helped.language_model.is_some()
    };
    assert!(UNSURE.into_iter().any(is_read));
}

#[test]
fn who_is_in_danger_or_has_to_choose_reads_no_model() {
    let server = Server::start(Behaviour::Helps);
    let model = server.model(AMPLE_MS);
    for message in ["my kids have nothing to eat tonight", "i want to die", "what is an EIN?"] {
        let alone = ask(message, None);
        assert_eq!(ask(message, Some(&model)), alone, "{message}");
    }
    let asked = server.asked.load(Ordering::SeqCst);
    assert_eq!(asked, 0);
}

#[test]
fn answers_and_versions_name_the_model() {
    let server = Server::start(Behaviour::Helps);
    let name = format!("tiny@127.0.0.1:{}", server.port);
    let folder = tempfile::tempdir().unwrap();
    let body = |language_model: Option<LanguageModel>, target: &str| -> Value {
        let options =
            Options { language_model: language_model.map(Arc::new), ..Options::default() };
        let app = App::new(Keys::open(folder.path()).unwrap(), options);
        app.swap(Arc::new(almoner::snapshot::open(&COUNTRY.data_dir()).unwrap()));
        let (parts, ()) = Request::get(target).body(()).unwrap().into_parts();
        let answer = app.answer_trusted(parts, Bytes::new());
        assert_eq!(answer.status(), 200, "{target}");
        let AnswerBody::Whole(body) = answer.into_body() else { unreachable!("no whole result") };
        serde_json::from_slice(&body.into_inner().unwrap()).unwrap()
    };
    let model_of = |answer: &Value| {
        answer["intent_details"].as_object().or(answer["intentDetails"].as_object()).unwrap()
            ["llm_response"]["arguments"]
            .get("model")
            .cloned()
    };
    let target = "/chat?q=food+banks+in+Ohio";
    assert_eq!(body(None, "/version")["language_model"], Value::Null);
    assert_eq!(model_of(&body(None, target)), None);
    let model = || Some(server.model(AMPLE_MS));
    assert_eq!(body(model(), "/version")["language_model"], *name);
    assert_eq!(model_of(&body(model(), target)), Some(json!(name)));
    assert_eq!(model_of(&body(model(), "/chat?q=i+want+to+die")), None);
}

#[test]
fn what_cannot_be_used_is_told_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.gguf");
    std::fs::write(&file, "<!doctype html>").unwrap();
    let data_dir = COUNTRY.data_dir();
    let chat = |model: &[&str]| {
        let arguments = ["chat", "--data-dir", text(&data_dir), "hello", "--language-model"];
        run(&[&arguments[..], model].concat())
    };
    chat(&[text(&file)])
        .fails(1, &["page.gguf", "expected a whole GGUF file", "download it again"]);
    chat(&["/nowhere/a.gguf"]).fails(1, &["/nowhere/a.gguf", "expected a GGUF file"]);
    chat(&["http://127.0.0.1:1"]).fails(1, &["--language-model-name"]);
    let refused = chat(&["http://me:secret@127.0.0.1:1"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let warned = chat(&["http://127.0.0.1:1", "--language-model-name", "tiny"]);
    let alone = run(&["chat", "--data-dir", text(&data_dir), "hello"]);
    assert_eq!(warned.succeeds(), alone.succeeds());
    assert!(warned.err.contains("without the language model"), "{warned:?}");
}

/// A model of a few hundred megabytes or less, any of the architectures that are read.
#[cfg(shared_language_model)]
fn real_model() -> Option<std::path::PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/language_model");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.extension().is_some_and(|end| end == "gguf"))
}

#[test]
#[cfg_attr(not(shared_language_model), ignore = "needs ../shared/language_model")]
fn a_real_model_keeps_to_the_data() {
    #[cfg(shared_language_model)]
    {
        let source = ModelSource::File(real_model().unwrap());
        let settings = Settings { limit: Duration::from_secs(120), name: None, key: None };
        let model = LanguageModel::open(&source, settings).unwrap();
        model.warm().unwrap();
        let acts = model.acts("who is in charge there", model.deadline()).unwrap();
        println!("{}: {acts:?}", model.name());
        for message in SURE {
            let (alone, helped) = (ask(message, None), ask(message, Some(&model)));
            println!("{}\n  {}", alone.message, helped.message);
            let same = Answer { message: alone.message.clone(), language_model: None, ..helped };
            assert_eq!(same, alone, "{message}");
        }
    }
}
