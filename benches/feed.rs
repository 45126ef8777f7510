//! The feed in process: how long one page takes, by what is asked for.
//!
//! `cargo bench --bench feed` generates 100,000 fictional organizations with 1,000,000 posts and builds
//! them; `ALMONER_BENCH_DATA_DIR` names a data directory to use instead. It prints how long reading
//! and writing the posts took, and the percentiles of pages under each filter and under several at
//! once, which is what docs/benchmarks.md quotes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use almoner::query::{Area, Filters};
use almoner::record::{Classification, OrgId, Organization, Post, RowId};
use almoner::search::feed::{self, Query};
use almoner::search::listing::Paging;
use almoner::snapshot::{self, Snapshot};
use fastrand::Rng;

/// Pages of each kind of question whose percentiles are printed.
const PAGES: usize = 1_000;

/// Rows of a page: what the endpoint gives unless it is asked for another number, and the most.
const SIZES: [usize; 2] = [10, 100];

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = data_dir(folder.path());
    let snapshot = snapshot::open(&data_dir).expect("a snapshot");
    println!("{} organizations, {} posts", snapshot.manifest.organizations, snapshot.posts.count());
    for size in SIZES {
        println!("pages of {size}:");
        for (name, make) in KINDS {
            let mut random = Rng::with_seed(1);
            let queries: Vec<Query> = (0..PAGES)
                .map(|_| {
                    let mut query = latest(size);
                    make(&mut Drawn { snapshot: &snapshot, random: &mut random }, &mut query);
                    query
                })
                .collect();
            print_percentiles(name, &snapshot, &queries);
        }
    }
}

fn latest(size: usize) -> Query {
    Query {
        classification: None,
        words: None,
        followed: None,
        filters: Filters::default(),
        paging: Paging { page: 1, size },
    }
}

/// Kinds of questions: a name, and what it asks for.
type Kind = (&'static str, fn(&mut Drawn<'_>, &mut Query));

const KINDS: [Kind; 10] = [
    ("latest", |_, _| {}),
    ("any page", |drawn, query| query.paging.page = 1 + drawn.below(1_000) as u64),
    ("classification", |drawn, query| drawn.classification(query)),
    ("state", |drawn, query| drawn.area(query, |area| (area.city, area.zip) = (None, None))),
    ("city and state", |drawn, query| drawn.area(query, |area| area.zip = None)),
    ("ZIP code", |drawn, query| drawn.area(query, |_| {})),
    ("NTEE major group", |drawn, query| drawn.ntee(query)),
    ("a frequent word", |drawn, query| drawn.words(query, 1)),
    ("two words", |drawn, query| drawn.words(query, 2)),
    ("everything at once", |drawn, query| {
        drawn.classification(query);
        drawn.area(query, |area| (area.city, area.zip) = (None, None));
        drawn.ntee(query);
        drawn.words(query, 1);
    }),
];

/// What is drawn by chance from the snapshot.
struct Drawn<'a> {
    snapshot: &'a Snapshot,
    random: &'a mut Rng,
}

impl Drawn<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.usize(..bound.max(1))
    }

    /// A nonprofit that has posts.
    fn poster(&mut self) -> Organization {
        let post = self.below(self.snapshot.posts.count() as usize) as u32;
        let owner: OrgId = self.snapshot.posts.owner(RowId::new(post)).expect("a whole snapshot");
        self.snapshot.records.organization(owner).expect("a whole snapshot")
    }

    fn classification(&mut self, query: &mut Query) {
        let all = Classification::ALL;
        query.classification = Some(all[self.below(all.len())]);
    }

    fn area(&mut self, query: &mut Query, widen: fn(&mut Area)) {
        let address = self.poster().address;
        let mut area = Area {
            state: address.state,
            county: None,
            city: address.city,
            zip: address.zip,
            near: None,
        };
        widen(&mut area);
        query.filters.areas = if area.is_whole() { Vec::new() } else { vec![area] };
    }

    fn ntee(&mut self, query: &mut Query) {
        let major = char::from(b'A' + self.below(26) as u8);
        query.filters.ntee_prefixes = vec![major.to_string()];
    }

    /// Words of a post's own title and content.
    fn words(&mut self, query: &mut Query, count: usize) {
        let number = self.below(self.snapshot.posts.count() as usize) as u32;
        let post: Post = self.snapshot.records.get(RowId::new(number)).expect("a whole snapshot");
        let text = format!("{} {}", post.post_title, post.post_content.unwrap_or_default());
        let words: Vec<&str> = text.split_whitespace().collect();
        let drawn: Vec<&str> = (0..count).map(|_| words[self.below(words.len())]).collect();
        query.words = Some(drawn.join(" "));
    }
}

fn print_percentiles(name: &str, snapshot: &Snapshot, queries: &[Query]) {
    let ask = |query: &Query| feed::search(snapshot, query).expect("a whole snapshot").total;
    // Once without a clock: pages are read and blocks are verified on first touch.
    let found: u64 = queries.iter().map(&ask).sum();
    let mut times: Vec<f64> = queries
        .iter()
        .map(|query| {
            let begun = Instant::now();
            std::hint::black_box(ask(query));
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "  {name}: p50 {:.2} ms, p99 {:.2} ms, worst {:.2} ms; {:.0} posts found",
        at(0.5),
        at(0.99),
        at(1.0),
        found as f64 / queries.len() as f64
    );
}

fn data_dir(folder: &Path) -> PathBuf {
    if let Some(named) = std::env::var_os("ALMONER_BENCH_DATA_DIR") {
        return named.into();
    }
    let (files, data_dir) = (folder.join("files"), folder.join("data"));
    let almoner = |arguments: &[&str]| {
        let status = Command::new(env!("CARGO_BIN_EXE_almoner")).args(arguments).status();
        assert!(status.expect("almoner runs").success(), "almoner {arguments:?} failed");
    };
    let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let (files, to) = (text(&files), text(&data_dir));
    almoner(&["generate", &files, "--organizations", "100000", "--posts", "1000000"]);
    almoner(&["build", "--no-semantic", "--data-dir", &to, &files]);
    data_dir
}
