//! What the process counts of its own work, in Prometheus text (`/metrics`).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hyper::StatusCode;

use super::api_error::Refusal;
use super::process::{self, Figure};
use super::route::Route;
use crate::record::Timestamp;
use crate::search::plan::Plan;
use crate::snapshot::Manifest;

/// Statuses that are counted apart: all that are answered, those of the protocol of `/mcp` included. Others
/// count as the last.
const STATUSES: [u16; 20] = [
    200, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 422, 429, 431, 500, 503,
    0,
];

/// Upper bounds of the latency histogram's buckets, in microseconds: from what a lookup takes to
/// what the request deadline allows.
const BUCKETS_US: [u64; 12] =
    [50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];

/// The answers of one route and status.
#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BUCKETS_US.len() + 1],
    microseconds: AtomicU64,
}

/// What a server follows, and may be behind with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newest {
    /// The snapshot that the data directory publishes.
    Published,
    /// The snapshot that object storage publishes.
    Stored,
    /// The keys.
    Keys,
}

/// Why the newest of each is not used, where it is not.
type Behind = [Option<&'static str>; 3];

/// The figures of the process beside its counters.
pub(super) struct Gauges<'a> {
    pub(super) manifest: Option<&'a Manifest>,
    /// Sessions kept, and the memory that they take by estimate.
    pub(super) sessions: (usize, usize),
    /// Keys that are valid.
    pub(super) keys: usize,
    /// Lines of the log that were dropped.
    pub(super) dropped_lines: usize,
    /// Texts that the language model wrote, and those that it did not write in time or at all.
    pub(super) language_model: Option<(u64, u64)>,
}

/// Counters of a process, all relaxed: each is exact, together they are no snapshot.
#[derive(Debug)]
pub(super) struct Telemetry {
    /// By route, then by status.
    answers: Vec<[Histogram; STATUSES.len()]>,
    /// Processor time by route, in nanoseconds.
    processor_ns: Vec<AtomicU64>,
    plans: [AtomicU64; Plan::NAMES.len()],
    refused: [AtomicU64; Refusal::ALL.len()],
    in_flight: AtomicI64,
    connections: AtomicI64,
    accept_errors: AtomicU64,
    evicted: AtomicU64,
    slow: AtomicU64,
    swaps: AtomicU64,
    behind: Mutex<Behind>,
    /// When the process began to count, in seconds since 1970.
    started_seconds: i64,
}

/// Counts one up while it lives.
pub(super) struct GaugeGuard<'a>(&'a AtomicI64);

impl<'a> GaugeGuard<'a> {
    fn of(gauge: &'a AtomicI64) -> Self {
        gauge.fetch_add(1, Ordering::Relaxed);
        Self(gauge)
    }
}

impl Drop for GaugeGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Telemetry {
    pub(super) fn new() -> Self {
        Self {
            answers: (0..Route::COUNT).map(|_| Default::default()).collect(),
            processor_ns: (0..Route::COUNT).map(|_| AtomicU64::new(0)).collect(),
            plans: Default::default(),
            refused: Default::default(),
            in_flight: AtomicI64::new(0),
            connections: AtomicI64::new(0),
            accept_errors: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
            slow: AtomicU64::new(0),
            swaps: AtomicU64::new(0),
            behind: Mutex::default(),
            started_seconds: Timestamp::now().seconds(),
        }
    }

    /// A request is being answered, until this is dropped.
    pub(super) fn request(&self) -> GaugeGuard<'_> {
        GaugeGuard::of(&self.in_flight)
    }

    #[cfg(test)]
    pub(super) fn in_flight(&self) -> i64 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// A connection is open, until this is dropped.
    pub(super) fn connection(&self) -> GaugeGuard<'_> {
        GaugeGuard::of(&self.connections)
    }

    /// A connection or request was refused.
    pub(super) fn count_refused(&self, refusal: Refusal) {
        if let Some(position) = Refusal::ALL.iter().position(|one| *one == refusal) {
            self.refused[position].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The system gave no connection that waits.
    pub(super) fn count_accept_error(&self) {
        self.accept_errors.fetch_add(1, Ordering::Relaxed);
    }

    /// A connection gave up its place to another.
    pub(super) fn count_evicted(&self) {
        self.evicted.fetch_add(1, Ordering::Relaxed);
    }

    /// A request took longer than it should.
    pub(super) fn count_slow(&self) {
        self.slow.fetch_add(1, Ordering::Relaxed);
    }

    /// Another snapshot was put in.
    pub(super) fn count_swap(&self) {
        self.swaps.fetch_add(1, Ordering::Relaxed);
    }

    /// The newest is not used, and why; or it is.
    pub(super) fn tell_behind(&self, newest: Newest, why: Option<&'static str>) {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)[newest as usize] = why;
    }

    /// Why the newest is not used.
    pub(super) fn behind(&self, newest: Newest) -> Option<&'static str> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)[newest as usize]
    }

    /// Why a newer snapshot is not put in.
    pub(super) fn snapshot_behind(&self) -> Option<&'static str> {
        self.behind(Newest::Published).or_else(|| self.behind(Newest::Stored))
    }

    /// A question was answered by a plan.
    pub(super) fn count_plan(&self, plan: &Plan) {
        if let Some(position) = Plan::NAMES.iter().position(|name| *name == plan.name()) {
            self.plans[position].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Work for a request took so much processor time.
    pub(super) fn count_processor(&self, route: Route<'_>, time: Duration) {
        let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.processor_ns[route.index()].fetch_add(time_ns, Ordering::Relaxed);
    }

    /// A request was answered.
    pub(super) fn count(&self, route: Route<'_>, status: StatusCode, took: Duration) {
        let last = STATUSES.len() - 1;
        let status = STATUSES.iter().position(|one| *one == status.as_u16()).unwrap_or(last);
        let histogram = &self.answers[route.index()][status];
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.partition_point(|bound| *bound < microseconds);
        histogram.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        histogram.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Everything counted, what snapshot is open, and what the process takes.
    pub(super) fn render(&self, gauges: &Gauges<'_>) -> String {
        let mut text = String::with_capacity(32 * 1024);
        // Writing to a string cannot fail.
        let _ = self.write_answers(&mut text);
        let _ = self.write_figures(&mut text, gauges);
        if let Some(manifest) = gauges.manifest {
            let _ = write_snapshot(&mut text, manifest);
        }
        for (name, kind, help, value) in process::figures() {
            let _ = write_figure(&mut text, name, kind, help, value);
        }
        let help = "When the process began to count, in seconds since 1970.";
        let started = self.started_seconds as f64;
        let _ = write_figure(&mut text, "process_start_time_seconds", "gauge", help, started);
        text
    }

    fn write_answers(&self, out: &mut String) -> std::fmt::Result {
        let mut totals = head("almoner_requests_total", "counter", "Requests answered.");
        let name = "almoner_request_duration_seconds";
        out.push_str(&head(name, "histogram", "Time from a request's head to its answer."));
        for (index, of_route) in self.answers.iter().enumerate() {
            for (status, histogram) in STATUSES.iter().zip(of_route) {
                let buckets: Vec<u64> = histogram.buckets.iter().map(count).collect();
                let total: u64 = buckets.iter().sum();
                if total == 0 {
                    continue;
                }
                let status = if *status == 0 { "other".into() } else { status.to_string() };
                let labels = format!("endpoint=\"{}\",status=\"{status}\"", Route::label(index));
                let mut below = 0;
                for (bound, counted) in BUCKETS_US.iter().zip(&buckets) {
                    below += counted;
                    let le = *bound as f64 / 1e6;
                    writeln!(out, "{name}_bucket{{{labels},le=\"{le}\"}} {below}")?;
                }
                writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {total}")?;
                let seconds = count(&histogram.microseconds) as f64 / 1e6;
                writeln!(out, "{name}_sum{{{labels}}} {seconds}")?;
                writeln!(out, "{name}_count{{{labels}}} {total}")?;
                writeln!(totals, "almoner_requests_total{{{labels}}} {total}")?;
            }
        }
        out.push_str(&totals);
        let name = "almoner_request_cpu_seconds_total";
        out.push_str(&head(name, "counter", "Processor time of the work for requests."));
        for (index, counter) in self.processor_ns.iter().enumerate() {
            let time_ns = count(counter);
            if time_ns > 0 {
                let (endpoint, seconds) = (Route::label(index), time_ns as f64 / 1e9);
                writeln!(out, "{name}{{endpoint=\"{endpoint}\"}} {seconds}")?;
            }
        }
        Ok(())
    }

    fn write_figures(&self, out: &mut String, gauges: &Gauges<'_>) -> std::fmt::Result {
        let name = "almoner_plans_total";
        out.push_str(&head(name, "counter", "Questions answered, by how they were searched."));
        for (plan, counter) in Plan::NAMES.iter().zip(&self.plans) {
            writeln!(out, "{name}{{plan=\"{plan}\"}} {}", count(counter))?;
        }
        let name = "almoner_refused_total";
        out.push_str(&head(name, "counter", "Requests and connections refused, by the cause."));
        for (refusal, counter) in Refusal::ALL.iter().zip(&self.refused) {
            writeln!(out, "{name}{{cause=\"{}\"}} {}", refusal.name(), count(counter))?;
        }
        if let Some((written, failed)) = gauges.language_model {
            let name = "almoner_language_model_texts_total";
            out.push_str(&head(name, "counter", "Texts asked of the language model."));
            for (outcome, texts) in [("written", written), ("failed", failed)] {
                writeln!(out, "{name}{{outcome=\"{outcome}\"}} {texts}")?;
            }
        }
        for (name, kind, help, value) in self.figures(gauges) {
            write_figure(out, &format!("almoner_{name}"), kind, help, value)?;
        }
        Ok(())
    }

    /// What has one sample each.
    fn figures(&self, gauges: &Gauges<'_>) -> [Figure; 14] {
        let ready = u64::from(gauges.manifest.is_some());
        let behind = u64::from(self.snapshot_behind().is_some());
        let keys_behind = u64::from(self.behind(Newest::Keys).is_some());
        let organizations = gauges.manifest.map_or(0, |manifest| manifest.organizations);
        let (sessions, session_bytes) = gauges.sessions;
        let dropped = gauges.dropped_lines as f64;
        [
            ("requests_in_flight", "gauge", "Requests being answered.", load(&self.in_flight)),
            ("connections", "gauge", "Connections open.", load(&self.connections)),
            (
                "accept_errors_total",
                "counter",
                "Times that the system gave no connection, for want of files.",
                count(&self.accept_errors) as f64,
            ),
            (
                "evicted_connections_total",
                "counter",
                "Waiting connections closed for new ones.",
                count(&self.evicted) as f64,
            ),
            ("slow_requests_total", "counter", "Logged as slow.", count(&self.slow) as f64),
            ("snapshot_swaps_total", "counter", "Snapshots put in.", count(&self.swaps) as f64),
            ("ready", "gauge", "1 while a snapshot is open.", ready as f64),
            ("behind", "gauge", "1 while the newest snapshot is not put in.", behind as f64),
            ("organizations", "gauge", "Organizations in the snapshot.", organizations as f64),
            ("sessions", "gauge", "Sessions kept.", sessions as f64),
            ("session_bytes", "gauge", "Memory of the sessions, estimated.", session_bytes as f64),
            ("keys", "gauge", "API keys that are valid.", gauges.keys as f64),
            ("keys_behind", "gauge", "1 while the key file cannot be read.", keys_behind as f64),
            ("log_lines_dropped_total", "counter", "Log lines that nobody took.", dropped),
        ]
    }
}

/// Which snapshot is open, and how old it and its sources are.
fn write_snapshot(out: &mut String, manifest: &Manifest) -> std::fmt::Result {
    let name = "almoner_snapshot_info";
    out.push_str(&head(name, "gauge", "The snapshot that is open."));
    writeln!(
        out,
        "{name}{{snapshot=\"{}\",format=\"{}\",program=\"{}\"}} 1",
        escape(&manifest.snapshot),
        manifest.format,
        escape(&manifest.program)
    )?;
    if let Ok(built) = Timestamp::parse(&manifest.built_at) {
        let age = (Timestamp::now().seconds() - built.seconds()).max(0) as f64;
        let help = "Time since the snapshot was built.";
        write_figure(out, "almoner_snapshot_age_seconds", "gauge", help, age)?;
    }
    let name = "almoner_source_modified_timestamp_seconds";
    out.push_str(&head(name, "gauge", "Date of the newest file of a kind, in seconds since 1970."));
    let mut newest: BTreeMap<&str, u64> = BTreeMap::new();
    for source in &manifest.sources {
        let seconds = newest.entry(source.kind.name()).or_default();
        *seconds = source.modified_seconds.max(*seconds);
    }
    for (kind, seconds) in newest {
        writeln!(out, "{name}{{kind=\"{}\"}} {seconds}", escape(kind))?;
    }
    Ok(())
}

/// What stands above the samples of a name.
fn head(name: &str, kind: &str, help: &str) -> String {
    format!("# HELP {name} {help}\n# TYPE {name} {kind}\n")
}

/// A name with one sample.
fn write_figure(
    out: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    value: f64,
) -> std::fmt::Result {
    out.push_str(&head(name, kind, help));
    writeln!(out, "{name} {value}")
}

fn count(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

fn load(gauge: &AtomicI64) -> f64 {
    gauge.load(Ordering::Relaxed) as f64
}

/// A text as a label's value.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
