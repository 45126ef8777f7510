//! Progress on standard error: bars on a terminal, plain lines otherwise.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::flags::Verbosity;
use super::table::size;
use crate::build::Progress;
use crate::record::thousands;

/// How often a bar is drawn.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// How often a stage tells how far it is where there is no terminal.
const TELL_EVERY: Duration = Duration::from_secs(20);

/// A bar on a terminal, in one of two templates: where it is known how much there is to do, and where it is not.
fn shown_bar(
    verbosity: Verbosity,
    name: &str,
    total: Option<u64>,
    known: &str,
    unknown: &str,
) -> Option<ProgressBar> {
    if verbosity != Verbosity::Normal || !io::stderr().is_terminal() {
        return None;
    }
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(if total.is_some() { known } else { unknown }) {
        bar.set_style(style);
    }
    bar.set_message(name.to_owned());
    Some(bar)
}

/// One stage of work: a bar on a terminal, a line at its end otherwise.
pub(super) struct Bar {
    verbosity: Verbosity,
    name: String,
    bar: Option<ProgressBar>,
    began: Instant,
    /// Without a terminal: units in all, units done, and when a line was last written.
    total: Option<u64>,
    told: Mutex<(u64, Instant)>,
}

impl Bar {
    pub(super) fn new(name: &str, total: Option<u64>) -> Self {
        Self::of(Verbosity::Normal, name, total)
    }

    pub(super) fn of(verbosity: Verbosity, name: &str, total: Option<u64>) -> Self {
        let bar = shown_bar(
            verbosity,
            name,
            total,
            "{msg:<20} {wide_bar} {percent:>3} %  {eta:>4} left",
            "{msg:<20} {spinner} {elapsed}",
        );
        if let Some(bar) = &bar {
            bar.enable_steady_tick(DRAW_EVERY);
        }
        let began = Instant::now();
        let told = Mutex::new((0, began));
        Self { verbosity, name: name.to_owned(), bar, began, total, told }
    }

    pub(super) fn set(&self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    pub(super) fn advance(&self, more: u64) {
        match &self.bar {
            Some(bar) => bar.inc(more),
            None => self.tell(more),
        }
    }

    /// A line now and then for who reads a log instead of a terminal.
    fn tell(&self, more: u64) {
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        told.0 += more;
        let Some(total) = self.total else { return };
        if told.1.elapsed() < TELL_EVERY || told.0 == 0 {
            return;
        }
        told.1 = Instant::now();
        let rate = told.0 as f64 / self.began.elapsed().as_secs_f64();
        let left = Duration::from_secs((total.saturating_sub(told.0) as f64 / rate) as u64);
        let percent = told.0 * 100 / total.max(1);
        let (name, left) = (&self.name, indicatif::HumanDuration(left));
        self.verbosity.say(&format!("{name:<18} {percent:>3} %, {left} left"));
    }

    pub(super) fn finish(&self) {
        let line = format!("{:<18} {:>5.1} s", self.name, self.began.elapsed().as_secs_f64());
        match &self.bar {
            // Whoever watched needs no line; what a build took is in its summary.
            Some(bar) => bar.finish_and_clear(),
            None => self.verbosity.say(&line),
        }
    }

    /// Takes the bar away, and says nothing.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The stages of a build, one bar after another.
#[derive(Default)]
pub(super) struct Bars {
    verbosity: Verbosity,
    current: Mutex<Option<Bar>>,
}

impl Bars {
    pub(super) fn of(verbosity: Verbosity) -> Self {
        Self { verbosity, ..Self::default() }
    }

    fn with(&self, act: impl FnOnce(&mut Option<Bar>)) {
        // A panic elsewhere must not hide the progress: the bar itself is never left half-made.
        let mut current = self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(&mut current);
    }
}

impl Progress for Bars {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        self.finish();
        self.with(|current| *current = Some(Bar::of(self.verbosity, name, total)));
    }

    fn searchable(&self, snapshot: &str) {
        self.finish();
        self.verbosity.say(&format!(
            "searchable: snapshot {snapshot} by words; with meaning once its texts are embedded \
             (what is embedded is kept, should this be stopped)"
        ));
    }

    fn note(&self, sentence: &str) {
        self.finish();
        self.verbosity.say(sentence);
    }

    fn advance(&self, more: u64) {
        self.with(|current| {
            if let Some(bar) = current {
                bar.advance(more);
            }
        });
    }

    fn finish(&self) {
        self.with(|current| {
            if let Some(bar) = current.take() {
                bar.finish();
            }
        });
    }
}

/// A file on its way: a bar of bytes on a terminal, a line now and then otherwise.
pub(super) struct Transfer {
    verbosity: Verbosity,
    name: String,
    bar: Option<ProgressBar>,
    bytes: Option<u64>,
    told: Instant,
}

impl Transfer {
    pub(super) fn new(
        verbosity: Verbosity,
        name: &str,
        bytes: Option<u64>,
        resumed_at: u64,
    ) -> Self {
        let bar = shown_bar(
            verbosity,
            name,
            bytes,
            "{msg:<32} {wide_bar} {bytes}/{total_bytes}  {bytes_per_sec}  {eta:>4} left",
            "{msg:<32} {spinner} {bytes}  {bytes_per_sec}",
        );
        let bar = bar.map(|bar| bar.with_position(resumed_at));
        Self { verbosity, name: name.to_owned(), bar, bytes, told: Instant::now() }
    }

    /// Sets the number of bytes received.
    pub(super) fn set(&mut self, bytes: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(bytes),
            None if self.told.elapsed() >= TELL_EVERY => {
                self.told = Instant::now();
                let of = self.bytes.map(|all| format!(" of {}", size(all))).unwrap_or_default();
                self.verbosity.say(&format!("{}: {}{of}", self.name, size(bytes)));
            }
            None => {}
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A count and what it counts: `1,234 rows`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(count), if count == 1 { "" } else { "s" })
}
