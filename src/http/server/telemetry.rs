//! What the process counts of its own work, in Prometheus text (`/metrics`).

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hyper::StatusCode;

use super::process::{self, Figure};
use crate::http::interface::api_error::Refusal;
use crate::http::interface::route::Route;
use crate::record::Timestamp;
use crate::search::plan::Plan;
use crate::snapshot::Manifest;

/// Statuses that are counted apart: all that are answered, those of the protocol of `/mcp` included. Others
/// count as the last.
const STATUSES: [u16; 23] = [
    200, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 412, 413, 414, 415, 422, 428, 429, 431,
    500, 501, 503, 0,
];

/// Upper bounds of the latency histogram's buckets, in microseconds: from what a lookup takes to
/// what the request deadline allows.
const BUCKETS_US: [u64; 12] =
    [50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];

/// A number that only rises.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// It happened once more.
    pub(crate) fn count(&self) {
        self.add(1);
    }

    fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The answers of one route and status.
#[derive(Debug, Default)]
struct Histogram {
    buckets: [Counter; BUCKETS_US.len() + 1],
    microseconds: Counter,
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
pub(crate) struct Gauges<'a> {
    pub(crate) manifest: Option<&'a Manifest>,
    /// Sessions kept, and the memory that they take by estimate.
    pub(crate) sessions: (usize, usize),
    /// Keys that are valid.
    pub(crate) keys: usize,
    /// Lines of the log that were dropped.
    pub(crate) dropped_lines: usize,
    /// Texts that the language model wrote, and those that it did not write in time or at all.
    pub(crate) language_model: Option<(u64, u64)>,
}

/// Counters of a process, all relaxed: each is exact, together they are no snapshot.
#[derive(Debug, Default)]
pub(crate) struct Telemetry {
    /// By route, then by status.
    answers: Vec<[Histogram; STATUSES.len()]>,
    /// Processor time by route, in nanoseconds.
    processor_ns: Vec<Counter>,
    plans: [Counter; Plan::NAMES.len()],
    refused: [Counter; Refusal::ALL.len()],
    in_flight: AtomicI64,
    connections: AtomicI64,
    /// The system gave no connection that waits.
    pub(crate) accept_errors: Counter,
    /// A connection gave up its place to another.
    pub(crate) evicted: Counter,
    /// A request took longer than it should.
    pub(crate) slow: Counter,
    /// Another snapshot was put in.
    pub(crate) swaps: Counter,
    behind: Mutex<Behind>,
    /// When the process began to count, in seconds since 1970.
    started_seconds: i64,
}

/// Counts one up while it lives.
pub(crate) struct GaugeGuard<'a>(&'a AtomicI64);

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
    pub(crate) fn new() -> Self {
        Self {
            answers: (0..Route::COUNT).map(|_| Default::default()).collect(),
            processor_ns: (0..Route::COUNT).map(|_| Counter::default()).collect(),
            started_seconds: Timestamp::now().seconds(),
            ..Self::default()
        }
    }

    /// A request is being answered, until this is dropped.
    pub(crate) fn request(&self) -> GaugeGuard<'_> {
        GaugeGuard::of(&self.in_flight)
    }

    #[cfg(test)]
    pub(crate) fn in_flight(&self) -> i64 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// A connection is open, until this is dropped.
    pub(crate) fn connection(&self) -> GaugeGuard<'_> {
        GaugeGuard::of(&self.connections)
    }

    /// A connection or request was refused.
    pub(crate) fn count_refused(&self, refusal: Refusal) {
        self.refused[refusal as usize].count();
    }

    /// The newest is not used, and why; or it is.
    pub(crate) fn tell_behind(&self, newest: Newest, why: Option<&'static str>) {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)[newest as usize] = why;
    }

    /// Why the newest is not used.
    pub(crate) fn behind(&self, newest: Newest) -> Option<&'static str> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)[newest as usize]
    }

    /// Why a newer snapshot is not put in.
    pub(crate) fn snapshot_behind(&self) -> Option<&'static str> {
        self.behind(Newest::Published).or_else(|| self.behind(Newest::Stored))
    }

    /// A question was answered by a plan.
    pub(crate) fn count_plan(&self, plan: &Plan) {
        if let Some(position) = Plan::NAMES.iter().position(|name| *name == plan.name()) {
            self.plans[position].count();
        }
    }

    /// Work for a request took so much processor time.
    pub(crate) fn count_processor(&self, route: Route<'_>, time: Duration) {
        let time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.processor_ns[route.index()].add(time_ns);
    }

    /// A request was answered.
    pub(crate) fn count(&self, route: Route<'_>, status: StatusCode, took: Duration) {
        let last = STATUSES.len() - 1;
        let status = STATUSES.iter().position(|one| *one == status.as_u16()).unwrap_or(last);
        let histogram = &self.answers[route.index()][status];
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.partition_point(|bound| *bound < microseconds);
        histogram.buckets[bucket].count();
        histogram.microseconds.add(microseconds);
    }

    /// Everything counted, what snapshot is open, and what the process takes.
    pub(crate) fn render(&self, gauges: &Gauges<'_>) -> String {
        let mut out = Exposition(String::with_capacity(32 * 1024));
        self.write_answers(&mut out);
        let plans = Plan::NAMES.iter().zip(self.plans.iter().map(Counter::get));
        let help = "Questions answered, by how they were searched.";
        out.by_label("almoner_plans_total", "counter", help, "plan", plans);
        let refused = Refusal::ALL.iter().zip(&self.refused);
        let refused = refused.map(|(refusal, counter)| (refusal.name(), counter.get()));
        let help = "Requests and connections refused, by the cause.";
        out.by_label("almoner_refused_total", "counter", help, "cause", refused);
        if let Some((written, failed)) = gauges.language_model {
            let texts = [("written", written), ("failed", failed)];
            let (name, help) =
                ("almoner_language_model_texts_total", "Texts asked of the language model.");
            out.by_label(name, "counter", help, "outcome", texts);
        }
        for (name, kind, help, value) in self.figures(gauges) {
            out.figure((&format!("almoner_{name}"), kind, help, value));
        }
        if let Some(manifest) = gauges.manifest {
            out.snapshot(manifest);
        }
        process::figures().into_iter().for_each(|figure| out.figure(figure));
        let help = "When the process began to count, in seconds since 1970.";
        out.figure(("process_start_time_seconds", "gauge", help, self.started_seconds as f64));
        out.0
    }

    fn write_answers(&self, out: &mut Exposition) {
        let name = "almoner_request_duration_seconds";
        let (mut totals, total_name) = (Exposition::default(), "almoner_requests_total");
        totals.head(total_name, "counter", "Requests answered.");
        out.head(name, "histogram", "Time from a request's head to its answer.");
        for (index, of_route) in self.answers.iter().enumerate() {
            for (status, histogram) in STATUSES.iter().zip(of_route) {
                let buckets: Vec<u64> = histogram.buckets.iter().map(Counter::get).collect();
                let total: u64 = buckets.iter().sum();
                if total == 0 {
                    continue;
                }
                let status = if *status == 0 { "other".into() } else { status.to_string() };
                let labels = format!("endpoint=\"{}\",status=\"{status}\"", Route::label(index));
                let bounds = BUCKETS_US.map(|bound| (bound as f64 / 1e6).to_string());
                let mut below = 0;
                for (le, counted) in bounds.iter().map(String::as_str).chain(["+Inf"]).zip(&buckets)
                {
                    below += counted;
                    let labels = format!("{labels},le=\"{le}\"");
                    out.sample(&format!("{name}_bucket"), &labels, below);
                }
                let seconds = histogram.microseconds.get() as f64 / 1e6;
                out.sample(&format!("{name}_sum"), &labels, seconds);
                out.sample(&format!("{name}_count"), &labels, total);
                totals.sample(total_name, &labels, total);
            }
        }
        out.0 += &totals.0;
        let spent = self.processor_ns.iter().map(Counter::get).enumerate();
        let spent = spent.filter(|(_, time_ns)| *time_ns > 0);
        let spent = spent.map(|(index, time_ns)| (Route::label(index), time_ns as f64 / 1e9));
        let (name, help) =
            ("almoner_request_cpu_seconds_total", "Processor time of the work for requests.");
        out.by_label(name, "counter", help, "endpoint", spent);
    }

    /// What has one sample each.
    fn figures(&self, gauges: &Gauges<'_>) -> [Figure<'static>; 14] {
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
                self.accept_errors.get() as f64,
            ),
            (
                "evicted_connections_total",
                "counter",
                "Waiting connections closed for new ones.",
                self.evicted.get() as f64,
            ),
            ("slow_requests_total", "counter", "Logged as slow.", self.slow.get() as f64),
            ("snapshot_swaps_total", "counter", "Snapshots put in.", self.swaps.get() as f64),
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

/// The text: of each name what it is, then its samples.
#[derive(Default)]
struct Exposition(String);

impl Exposition {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        self.0 += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl Display) {
        self.0 += &format!("{name}{{{labels}}} {value}\n");
    }

    /// A name with one sample.
    fn figure(&mut self, (name, kind, help, value): Figure<'_>) {
        self.head(name, kind, help);
        self.0 += &format!("{name} {value}\n");
    }

    /// A name with a sample for each value of a label.
    fn by_label(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        label: &str,
        samples: impl IntoIterator<Item = (impl Display, impl Display)>,
    ) {
        self.head(name, kind, help);
        for (value, sample) in samples {
            self.sample(name, &format!("{label}=\"{}\"", escape(&value.to_string())), sample);
        }
    }

    /// Which snapshot is open, and how old it and its sources are.
    fn snapshot(&mut self, manifest: &Manifest) {
        let name = "almoner_snapshot_info";
        self.head(name, "gauge", "The snapshot that is open.");
        let (snapshot, program) = (escape(&manifest.snapshot), escape(&manifest.program));
        let format = manifest.format;
        let labels = format!("snapshot=\"{snapshot}\",format=\"{format}\",program=\"{program}\"");
        self.sample(name, &labels, 1);
        if let Ok(built) = Timestamp::parse(&manifest.built_at) {
            let age = (Timestamp::now().seconds() - built.seconds()).max(0) as f64;
            let help = "Time since the snapshot was built.";
            self.figure(("almoner_snapshot_age_seconds", "gauge", help, age));
        }
        let mut newest: BTreeMap<&str, u64> = BTreeMap::new();
        for source in &manifest.sources {
            let seconds = newest.entry(source.kind.name()).or_default();
            *seconds = source.modified_seconds.max(*seconds);
        }
        let name = "almoner_source_modified_timestamp_seconds";
        let help = "Date of the newest file of a kind, in seconds since 1970.";
        self.by_label(name, "gauge", help, "kind", newest);
    }
}

fn load(gauge: &AtomicI64) -> f64 {
    gauge.load(Ordering::Relaxed) as f64
}

/// A text as a label's value.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
