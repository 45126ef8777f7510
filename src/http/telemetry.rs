//! What the process counts of its own work, in Prometheus text (`/metrics`).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hyper::StatusCode;

use super::process;
use super::route::Route;
use crate::record::Timestamp;
use crate::search::plan::Plan;
use crate::snapshot::Manifest;

/// Statuses that are counted apart; the rest count as the last.
const STATUSES: [u16; 14] = [200, 204, 400, 401, 404, 405, 408, 413, 414, 422, 431, 500, 503, 0];

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

/// What is told of the process beside what it counts.
pub(super) struct Gauges<'a> {
    pub(super) manifest: Option<&'a Manifest>,
    /// Sessions kept, and the memory that they take by estimate.
    pub(super) sessions: (usize, usize),
    /// Keys that are valid.
    pub(super) keys: usize,
}

/// Counters of a process, all relaxed: each is exact, together they are no snapshot.
#[derive(Debug)]
pub(super) struct Telemetry {
    /// By route, then by status.
    answers: Vec<[Histogram; STATUSES.len()]>,
    plans: [AtomicU64; Plan::NAMES.len()],
    in_flight: AtomicI64,
    connections: AtomicI64,
    shed: AtomicU64,
    evicted: AtomicU64,
    slow: AtomicU64,
    swaps: AtomicU64,
    /// Why a newer snapshot is not put in.
    behind: Mutex<Option<&'static str>>,
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
            plans: Default::default(),
            in_flight: AtomicI64::new(0),
            connections: AtomicI64::new(0),
            shed: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
            slow: AtomicU64::new(0),
            swaps: AtomicU64::new(0),
            behind: Mutex::new(None),
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

    /// A connection or request was turned away for overload.
    pub(super) fn count_shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
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

    /// A newer snapshot is not put in, and why, or none is known of.
    pub(super) fn tell_behind(&self, why: Option<&'static str>) {
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Why a newer snapshot is not put in.
    pub(super) fn behind(&self) -> Option<&'static str> {
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A question was answered by a plan.
    pub(super) fn count_plan(&self, plan: &Plan) {
        if let Some(position) = Plan::NAMES.iter().position(|name| *name == plan.name()) {
            self.plans[position].fetch_add(1, Ordering::Relaxed);
        }
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
        Ok(())
    }

    fn write_figures(&self, out: &mut String, gauges: &Gauges<'_>) -> std::fmt::Result {
        let name = "almoner_plans_total";
        out.push_str(&head(name, "counter", "Questions answered, by how they were searched."));
        for (plan, counter) in Plan::NAMES.iter().zip(&self.plans) {
            writeln!(out, "{name}{{plan=\"{plan}\"}} {}", count(counter))?;
        }
        let ready = u64::from(gauges.manifest.is_some());
        let behind = u64::from(self.behind().is_some());
        let organizations = gauges.manifest.map_or(0, |manifest| manifest.organizations);
        let (sessions, session_bytes) = gauges.sessions;
        for (name, kind, help, value) in [
            ("requests_in_flight", "gauge", "Requests being answered.", load(&self.in_flight)),
            ("connections", "gauge", "Connections open.", load(&self.connections)),
            ("shed_total", "counter", "Turned away for overload.", count(&self.shed) as f64),
            (
                "ousted_total",
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
        ] {
            write_figure(out, &format!("almoner_{name}"), kind, help, value)?;
        }
        Ok(())
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
        let seconds = newest.entry(source.kind.title()).or_default();
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
