//! What the process counts of its own work, in Prometheus text (`/metrics`).

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use hyper::StatusCode;

use super::route::Route;
use crate::snapshot::Manifest;

/// Statuses that are counted apart; the rest count as the last.
const STATUSES: [u16; 14] = [200, 204, 400, 401, 404, 405, 413, 414, 422, 431, 500, 501, 503, 0];

/// Upper bounds of the latency histogram's buckets, in microseconds: from what a lookup takes to
/// what the request deadline allows.
const BUCKETS_US: [u64; 12] =
    [50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];

/// The counters of one route.
#[derive(Debug, Default)]
struct Counters {
    statuses: [AtomicU64; STATUSES.len()],
    buckets: [AtomicU64; BUCKETS_US.len() + 1],
    microseconds: AtomicU64,
}

/// Counters of a process, all relaxed: each is exact, together they are no snapshot.
#[derive(Debug)]
pub(super) struct Telemetry {
    routes: Vec<Counters>,
    in_flight: AtomicI64,
    connections: AtomicI64,
    shed: AtomicU64,
    swaps: AtomicU64,
}

/// Counts one up while it lives.
pub(super) struct Held<'a>(&'a AtomicI64);

impl<'a> Held<'a> {
    fn of(gauge: &'a AtomicI64) -> Self {
        gauge.fetch_add(1, Ordering::Relaxed);
        Self(gauge)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Telemetry {
    pub(super) fn new() -> Self {
        Self {
            routes: (0..Route::COUNT).map(|_| Counters::default()).collect(),
            in_flight: AtomicI64::new(0),
            connections: AtomicI64::new(0),
            shed: AtomicU64::new(0),
            swaps: AtomicU64::new(0),
        }
    }

    /// A request is being answered, until this is dropped.
    pub(super) fn request(&self) -> Held<'_> {
        Held::of(&self.in_flight)
    }

    /// A connection is open, until this is dropped.
    pub(super) fn connection(&self) -> Held<'_> {
        Held::of(&self.connections)
    }

    /// A connection or request was turned away for overload.
    pub(super) fn count_shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
    }

    /// Another snapshot was put in.
    pub(super) fn count_swap(&self) {
        self.swaps.fetch_add(1, Ordering::Relaxed);
    }

    /// A request was answered.
    pub(super) fn count(&self, route: Route<'_>, status: StatusCode, took: Duration) {
        let counters = &self.routes[route.index()];
        let last = STATUSES.len() - 1;
        let status = STATUSES.iter().position(|one| *one == status.as_u16()).unwrap_or(last);
        counters.statuses[status].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.partition_point(|bound| *bound < microseconds);
        counters.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        counters.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Everything counted, and what snapshot is open.
    pub(super) fn render(&self, manifest: Option<&Manifest>) -> String {
        let mut text = String::with_capacity(16 * 1024);
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, manifest);
        text
    }

    fn write(&self, out: &mut String, manifest: Option<&Manifest>) -> std::fmt::Result {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let family = |name: &str, kind: &str, help: &str| {
            format!("# HELP almoner_{name} {help}\n# TYPE almoner_{name} {kind}\n")
        };
        out.push_str(&family("requests_total", "counter", "Requests answered."));
        for (index, counters) in self.routes.iter().enumerate() {
            let label = Route::label(index);
            for (status, counter) in STATUSES.iter().zip(&counters.statuses) {
                let counted = count(counter);
                if counted > 0 {
                    let status = if *status == 0 { "other".into() } else { status.to_string() };
                    writeln!(
                        out,
                        "almoner_requests_total{{endpoint=\"{label}\",status=\"{status}\"}} {counted}"
                    )?;
                }
            }
        }
        let name = "request_duration_seconds";
        out.push_str(&family(name, "histogram", "Time from a request's head to its answer."));
        for (index, counters) in self.routes.iter().enumerate() {
            let label = Route::label(index);
            let buckets: Vec<u64> = counters.buckets.iter().map(count).collect();
            let total: u64 = buckets.iter().sum();
            if total == 0 {
                continue;
            }
            let mut below = 0;
            for (bound, counted) in BUCKETS_US.iter().zip(&buckets) {
                below += counted;
                let le = *bound as f64 / 1e6;
                writeln!(out, "almoner_{name}_bucket{{endpoint=\"{label}\",le=\"{le}\"}} {below}")?;
            }
            writeln!(out, "almoner_{name}_bucket{{endpoint=\"{label}\",le=\"+Inf\"}} {total}")?;
            let seconds = count(&counters.microseconds) as f64 / 1e6;
            writeln!(out, "almoner_{name}_sum{{endpoint=\"{label}\"}} {seconds}")?;
            writeln!(out, "almoner_{name}_count{{endpoint=\"{label}\"}} {total}")?;
        }
        let ready = i64::from(manifest.is_some());
        let organizations = manifest.map_or(0, |manifest| manifest.organizations as i64);
        for (name, kind, help, value) in [
            ("requests_in_flight", "gauge", "Requests being answered.", load(&self.in_flight)),
            ("connections", "gauge", "Connections open.", load(&self.connections)),
            ("shed_total", "counter", "Turned away for overload.", count(&self.shed) as i64),
            ("snapshot_swaps_total", "counter", "Snapshots put in.", count(&self.swaps) as i64),
            ("ready", "gauge", "1 while a snapshot is open.", ready),
            ("organizations", "gauge", "Organizations in the snapshot.", organizations),
        ] {
            out.push_str(&family(name, kind, help));
            writeln!(out, "almoner_{name} {value}")?;
        }
        if let Some(manifest) = manifest {
            out.push_str(&family("snapshot_info", "gauge", "The snapshot that is open."));
            writeln!(
                out,
                "almoner_snapshot_info{{snapshot=\"{}\",format=\"{}\",program=\"{}\"}} 1",
                escape(&manifest.snapshot),
                manifest.format,
                escape(&manifest.program)
            )?;
        }
        Ok(())
    }
}

fn load(gauge: &AtomicI64) -> i64 {
    gauge.load(Ordering::Relaxed)
}

/// A text as a label's value.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
