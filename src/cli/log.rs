//! The log on standard error. Whatever is written passes [`CleanLines`]: no text that a client sent can
//! look like another line or reach the terminal as a command, and no key is in it.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::printable::printable;
use crate::http::keys::PREFIX;

/// Log lines that may wait to be written: some megabytes, seconds of traffic.
const LINES_MAX: usize = 16 * 1024;

/// Characters behind the beginning of a key from which on it is taken out. A whole one has 43; one that was
/// cut short still tells most of it.
const KEY_CHARACTERS_MIN: usize = 20;

/// What stands in the place of a key.
const KEY: &str = "alm_…";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

/// A log that runs. What is still waiting is written when it is dropped.
pub(super) struct Log {
    /// How many lines were dropped so far.
    pub(super) dropped_lines: ErrorCounter,
    _worker: WorkerGuard,
}

/// Starts a log that is written by a thread of its own: whoever reads it slowly, or not at all, delays no
/// request; lines beyond [`LINES_MAX`] waiting are dropped and counted.
pub(super) fn start(format: LogFormat, level: LevelFilter) -> Log {
    let (writer, worker) = NonBlockingBuilder::default()
        .buffered_lines_limit(LINES_MAX)
        .lossy(true)
        .finish(BufWriter::new(io::stderr()));
    let dropped_lines = writer.error_counter();
    let log = tracing_subscriber::fmt().with_writer(CleanLines(writer)).with_max_level(level);
    let (log, targets) = (log.with_target(false), targets(level));
    // A second start in one process keeps the first log: only tests do that.
    let _ = match format {
        LogFormat::Text => log.with_ansi(false).finish().with(targets).try_init(),
        LogFormat::Json => log.json().flatten_event(true).finish().with(targets).try_init(),
    };
    Log { dropped_lines, _worker: worker }
}

/// Starts a log of errors alone, for a command whose output is something else.
pub(super) fn start_errors() {
    let log = tracing_subscriber::fmt().with_writer(CleanLines(io::stderr)).with_ansi(false);
    // A second start in one process keeps the first log: only tests do that.
    let _ = log.with_target(false).with_max_level(LevelFilter::ERROR).try_init();
}

/// Who may log. rmcp quotes the messages of clients, of which the line of the request tells what is needed.
fn targets(level: LevelFilter) -> Targets {
    Targets::new().with_default(level).with_target("rmcp", LevelFilter::OFF)
}

/// Writes each event on one line, without keys and without what a terminal acts on, whoever made it and in
/// whichever field. An event comes in one call.
#[derive(Debug, Clone)]
struct CleanLines<W>(W);

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for CleanLines<M> {
    type Writer = CleanLines<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        CleanLines(self.0.make_writer())
    }
}

impl<W: Write> Write for CleanLines<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let mut clean = printable(&without_keys(line)).into_owned();
        clean.push('\n');
        self.0.write_all(clean.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text with [`KEY`] in the place of each key.
fn without_keys(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let (mut rest, mut copied) = (text, 0);
    while let Some(found) = rest.find(PREFIX) {
        let (start, secret) = (text.len() - rest.len() + found, &rest[found + PREFIX.len()..]);
        let of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = secret.bytes().take_while(of_key).count();
        rest = &secret[length..];
        if length >= KEY_CHARACTERS_MIN {
            clean.push_str(&text[copied..start]);
            clean.push_str(KEY);
            copied = text.len() - rest.len();
        }
    }
    if copied == 0 { text.into() } else { (clean + &text[copied..]).into() }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    const SECRET: &str = "alm_0123456789-ABCDEFGHIJ_KLMNOPQRSTUVWXYZabcdef";

    #[test]
    fn keys_are_taken_out_wherever_they_stand() {
        let cut = &SECRET[..PREFIX.len() + KEY_CHARACTERS_MIN];
        for (text, expected) in [
            (SECRET.to_owned(), "alm_…".to_owned()),
            (
                format!("path=\"/reconcile//{SECRET}\" status"),
                "path=\"/reconcile//alm_…\" status".into(),
            ),
            (format!("/a%2F{SECRET}%2F{cut}?x"), "/a%2Falm_…%2Falm_…?x".into()),
            (format!("alm_{SECRET}"), "alm_…".into()),
            (format!("{SECRET}…{SECRET}x"), "alm_……alm_…".into()),
            (cut[..cut.len() - 1].to_owned(), cut[..cut.len() - 1].to_owned()),
            ("alm_ alm_ palm_tree".into(), "alm_ alm_ palm_tree".into()),
        ] {
            assert_eq!(without_keys(&text), expected);
        }
    }

    /// What a log writes of some events.
    fn written(format: LogFormat, events: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(Vec::<u8>::new()));
        let log = tracing_subscriber::fmt().with_writer(CleanLines(Shared(lines.clone())));
        let log = log.with_max_level(LevelFilter::TRACE).with_target(false);
        let targets = targets(LevelFilter::TRACE);
        match format {
            LogFormat::Text => {
                let log = log.with_ansi(false).finish().with(targets);
                tracing::subscriber::with_default(log, events);
            }
            LogFormat::Json => {
                let log = log.json().flatten_event(true).finish().with(targets);
                tracing::subscriber::with_default(log, events);
            }
        }
        String::from_utf8(lines.lock().unwrap().clone()).unwrap()
    }

    #[derive(Clone)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl<'a> MakeWriter<'a> for Shared {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_is_one_line_whatever_is_in_it() {
        let hostile = format!("x\n2026 ERROR forged\r\u{1b}]0;PWNED\u{7}\u{9b}2J\u{202e} {SECRET}");
        for format in [LogFormat::Text, LogFormat::Json] {
            let text = written(format, || {
                tracing::warn!("reported by a crate: {hostile}");
                tracing::info!(field = hostile, debug = ?hostile, display = %hostile, "request");
                tracing::error!(target: "third::party", error = %hostile);
            });
            assert_eq!(text.lines().count(), 3, "{text}");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert!(!text.contains('\u{202e}') && !text.contains("ABCDEF"), "{text}");
            if format == LogFormat::Json {
                for line in text.lines() {
                    serde_json::from_str::<serde_json::Value>(line).unwrap();
                }
            }
        }
    }

    #[test]
    fn who_quotes_clients_is_silent() {
        let text = written(LogFormat::Text, || {
            tracing::error!(target: "rmcp::service", "PRIVATE");
            tracing::warn!(target: "rmcp", "PRIVATE");
            tracing::warn!(target: "almoner::http", "told");
        });
        assert!(text.ends_with("told\n") && !text.contains("PRIVATE"), "{text}");
    }
}
