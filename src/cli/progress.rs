//! Progress on standard error: bars on a terminal, plain lines otherwise.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::table::thousands;
use crate::snapshot::Progress;

/// How often a bar is drawn.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// One stage of work: a bar on a terminal, a line at its end otherwise.
pub(super) struct Bar {
    name: String,
    bar: Option<ProgressBar>,
    began: Instant,
}

impl Bar {
    pub(super) fn new(name: &str, total: Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            let template = if total.is_some() {
                "{msg:<18} {wide_bar} {percent:>3} %  {eta:>4} left"
            } else {
                "{msg:<18} {spinner} {elapsed}"
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(name.to_owned());
            bar.enable_steady_tick(DRAW_EVERY);
            bar
        });
        Self { name: name.to_owned(), bar, began: Instant::now() }
    }

    pub(super) fn set(&self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    pub(super) fn advance(&self, more: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(more);
        }
    }

    pub(super) fn finish(&self) {
        let line = format!("{:<18} {:>5.1} s", self.name, self.began.elapsed().as_secs_f64());
        match &self.bar {
            // Whoever watched needs no line; what a build took is in its summary.
            Some(bar) => bar.finish_and_clear(),
            None => super::complain_plainly(&line),
        }
    }
}

/// The stages of a build, one bar after another.
#[derive(Default)]
pub(super) struct Bars {
    current: Mutex<Option<Bar>>,
}

impl Bars {
    fn with(&self, act: impl FnOnce(&mut Option<Bar>)) {
        // A panic elsewhere must not hide the progress: the bar itself is never left half-made.
        let mut current = self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(&mut current);
    }
}

impl Progress for Bars {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        self.finish();
        self.with(|current| *current = Some(Bar::new(name, total)));
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

/// A count and what it counts: `1,234 rows`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(count), if count == 1 { "" } else { "s" })
}
