//! Damage and death: flipped bytes, cut and swapped files, other formats, killed builds.
//!
//! The quick form runs with the other tests; `ALMONER_FULL=1` flips every byte of the heads and a
//! thousand of the rest of every file, swaps every two files, and prints its figures
//! (`ALMONER_FULL=1 cargo test --test it faults -- --nocapture`).

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use almoner::embed::Lazy;
use almoner::index::typeahead::Scope;
use almoner::query::{Area, Figure, Filters, Flag, Range, Sort, SortKey};
use almoner::record::{Classification, Ein, Organization, State};
use almoner::search::listing::Paging;
use almoner::search::nonprofits::{NonprofitHit, Order, Query, RelevanceQuery, search};
use almoner::search::typeahead::{Suggestion, suggest};
use almoner::search::{SearchError, details::details, feed, metrics, stories};
use almoner::snapshot::{FORMAT, OpenError, Snapshot, current, open, open_with, verify};
use almoner::understand::Lookup;
use xxhash_rust::xxh3::xxh3_64;

use crate::fixture::{command, run, text};
use fastrand::Rng;

/// How thoroughly files are damaged.
#[derive(Clone, Copy)]
struct Effort {
    /// Bytes at the begin of each file that are all flipped.
    head: usize,
    /// Bytes at its end that are all flipped.
    tail: usize,
    /// Further bytes, by chance.
    random: usize,
    /// Files that each is swapped with.
    swaps: usize,
}

impl Effort {
    fn asked() -> Self {
        if std::env::var_os("ALMONER_FULL").is_some() {
            Self { head: 512, tail: 64, random: 1_000, swaps: usize::MAX }
        } else {
            Self { head: 12, tail: 4, random: 12, swaps: 1 }
        }
    }
}

/// A data directory of fictional organizations, with a key.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// Without embeddings.
    fn new(organizations: usize, seed: &str) -> Self {
        Self::built(organizations, seed, &["--no-semantic"])
    }

    fn with_vectors(organizations: usize, seed: &str) -> Self {
        Self::built(organizations, seed, &[])
    }

    fn built(organizations: usize, seed: &str, options: &[&str]) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.generate("inputs", organizations, seed);
        bench.build("inputs", options);
        let data = bench.data();
        run(&["keys", "create", "--data-dir", text(&data), "--name", "test"]).succeeds();
        bench
    }

    /// A copy of its data directory.
    fn copied(&self) -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap() };
        copy_folder(&self.data(), &copy.data());
        copy
    }

    fn generate(&self, name: &str, organizations: usize, seed: &str) {
        let (folder, count) = (self.path(name), organizations.to_string());
        run(&["generate", text(&folder), "--organizations", &count, "--seed", seed]).succeeds();
    }

    fn build(&self, inputs: &str, options: &[&str]) {
        let (data, inputs) = (self.data(), self.path(inputs));
        let build = ["build", "--data-dir", text(&data), text(&inputs)];
        run(&[&build[..], options].concat()).succeeds();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// The files that hold something: as `verify` names them, and where they are.
    fn files(&self) -> BTreeMap<String, PathBuf> {
        let snapshot = self.data().join("snapshots").join(current(&self.data()).unwrap().snapshot);
        let mut names: Vec<String> = open(&self.data())
            .unwrap()
            .manifest
            .files
            .iter()
            .map(|file| file.name.clone())
            .collect();
        names.push("manifest.json".to_owned());
        let mut files: BTreeMap<String, PathBuf> =
            names.into_iter().map(|name| (name.clone(), snapshot.join(&name))).collect();
        files.insert("CURRENT".to_owned(), self.data().join("CURRENT"));
        files.retain(|_, path| fs::metadata(path).unwrap().len() > 0);
        files
    }

    /// Everything in the data directory, but for the file that `rejects.ndjson` leads to.
    fn entries(&self) -> Vec<String> {
        let list = fs::read_link(self.data().join("rejects.ndjson")).unwrap();
        let mut names: Vec<String> = fs::read_dir(self.data())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| Path::new(name) != list)
            .collect();
        names.sort();
        names
    }
}

/// Copies files, folders and where links lead to.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, to) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &to);
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// What is asked before the damage and after.
struct Questions {
    eins: Vec<Ein>,
    typed: Vec<String>,
    queries: Vec<Query>,
    lists: Vec<List>,
}

/// What is asked of a list of items.
enum List {
    Stories(stories::Query),
    Metrics(metrics::Query),
    Posts(Box<feed::Query>),
}

impl List {
    /// Questions that touch every part of the items' indexes.
    fn all(eins: &[Ein], state: Option<State>, with_vectors: bool) -> Vec<Self> {
        let paging = Paging { page: 2, size: 5 };
        let stories = |eins: &[Ein], about: Option<&str>| {
            let (eins, about) = (eins.to_vec(), about.map(str::to_owned));
            Self::Stories(stories::Query { eins, min_power_score: Some(3.0), about, paging })
        };
        let metrics = |eins: &[Ein], metric_type: Option<&str>| {
            let metric_ids = vec!["none".to_owned(); usize::from(!eins.is_empty())];
            let (eins, metric_type) = (eins.to_vec(), metric_type.map(str::to_owned));
            Self::Metrics(metrics::Query { eins, metric_ids, metric_type, paging })
        };
        let posts = |words: Option<&str>, followed: Option<&[Ein]>, filters: Filters| {
            let (words, followed) = (words.map(str::to_owned), followed.map(<[Ein]>::to_vec));
            let classification = words.is_none().then_some(Classification::Article);
            let query = feed::Query { classification, words, followed, filters, paging };
            Self::Posts(Box::new(query))
        };
        let mut lists = vec![
            stories(&[], None),
            stories(eins, None),
            metrics(&[], Some("meals")),
            metrics(eins, None),
            posts(None, None, Filters::default()),
            posts(Some("for the"), None, placed(Area { state, ..Area::default() })),
            posts(Some("we"), Some(eins), Filters::default()),
        ];
        if with_vectors {
            lists.push(stories(&[], Some("a family finds a home")));
        }
        lists
    }

    fn ask(&self, snapshot: &Snapshot) -> Result<Answer, SearchError> {
        let told = match self {
            Self::Stories(query) => format!("{:?}", stories::search(&Lookup::of(snapshot), query)?),
            Self::Metrics(query) => format!("{:?}", metrics::search(&Lookup::of(snapshot), query)?),
            Self::Posts(query) => format!("{:?}", feed::search(&Lookup::of(snapshot), query)?),
        };
        Ok(Answer::List(told))
    }
}

/// An answer, or that there is none.
#[derive(Debug, PartialEq)]
enum Answer {
    Details(Option<Box<Organization>>),
    Suggestions(Vec<Suggestion>),
    Page(u64, Vec<NonprofitHit>),
    List(String),
}

impl Questions {
    /// Questions that together touch every file and every column.
    fn of(snapshot: &Snapshot) -> Self {
        let count = snapshot.columns.organizations();
        let organizations: Vec<Organization> = (0..count)
            .step_by((count as usize / 12).max(1))
            .map(|number| {
                snapshot.records.organization(almoner::record::OrgId::new(number)).unwrap()
            })
            .collect();
        let mut eins: Vec<Ein> = organizations.iter().map(|found| found.ein).collect();
        eins.push("999999998".parse().unwrap());
        let mut typed: Vec<String> = organizations
            .iter()
            .map(|found| found.name.chars().take(2 + found.name.len() % 7).collect())
            .collect();
        typed.extend(["th", "foundat", "fuond", "zzzz"].map(str::to_owned));
        let some = &organizations[organizations.len() / 2];
        let mut queries = vec![query(Filters::default(), &[])];
        let figures = Figure::ALL.map(SortKey::Figure);
        for key in figures.into_iter().chain([SortKey::Name]) {
            queries.push(query(Filters::default(), &[key]));
        }
        let any = Range { min: Some(0.0), max: None };
        let ranges = [Figure::Revenue, Figure::Assets].map(|figure| (figure, any));
        let ranges = ranges.into_iter().collect();
        let true_of = |flags: [Flag; 2]| flags.map(|flag| (flag, Some(true))).into_iter().collect();
        for filters in [
            placed(Area { state: some.address.state, ..Area::default() }),
            placed(Area { city: some.address.city.clone(), ..Area::default() }),
            placed(Area { county: some.address.county.clone(), ..Area::default() }),
            placed(Area { zip: some.address.zip, ..Area::default() }),
            Filters { eins: eins.clone(), not_eins: eins[..1].to_vec(), ..Filters::default() },
            Filters { flags: true_of([Flag::Foundation, Flag::Deductible]), ..Filters::default() },
            Filters { ntee_prefixes: vec!["B".to_owned()], ..Filters::default() },
            Filters { subsections: vec!["03".parse().unwrap()], ..Filters::default() },
            Filters { ranges, ..Filters::default() },
        ] {
            queries.push(query(filters, &[]));
        }
        if let Some(point) = some.address.point {
            let near = placed(Area { near: Some((point, 100.0)), ..Area::default() });
            let asked = query(near, &[SortKey::Distance]);
            queries.push(Query { origin: Some(point), ..asked });
        }
        if snapshot.vectors.is_some() {
            let relevance = RelevanceQuery::text(format!("{} for children", some.name));
            let asked = Query { relevance, ..query(Filters::default(), &[]) };
            let distance_max = Some(0.6);
            queries.push(Query { page: 9, ..asked.clone() });
            queries.push(Query {
                relevance: RelevanceQuery::text(&*some.name),
                distance_max,
                ..asked
            });
        }
        let lists = List::all(&eins, some.address.state, snapshot.vectors.is_some());
        Self { eins, typed, queries, lists }
    }

    fn len(&self) -> usize {
        self.eins.len() + self.typed.len() + self.queries.len() + self.lists.len()
    }

    fn ask(&self, snapshot: &Snapshot, number: usize) -> Result<Answer, SearchError> {
        let (eins, typed) = (self.eins.len(), self.typed.len());
        if let Some(ein) = self.eins.get(number) {
            return details(snapshot, *ein).map(|found| Answer::Details(found.map(Box::new)));
        }
        if let Some(typed) = self.typed.get(number - eins) {
            return suggest(snapshot, typed, Scope::ActiveCharities, 25).map(Answer::Suggestions);
        }
        let number = number - eins - typed;
        let Some(query) = self.queries.get(number) else {
            return self.lists[number - self.queries.len()].ask(snapshot);
        };
        let found = search(&Lookup::of(snapshot), query)?;
        Ok(Answer::Page(found.total, found.rows))
    }
}

fn query(filters: Filters, keys: &[SortKey]) -> Query {
    let sort = keys.iter().map(|&key| Order::By(Sort { key, descending: true })).collect();
    Query { filters, sort, page: 1, size: 10, ..Query::default() }
}

fn placed(area: Area) -> Filters {
    Filters { areas: vec![area], ..Filters::default() }
}

/// What became of the questions, over all damage.
#[derive(Debug, Default)]
struct Tally {
    damages: u64,
    refused_to_open: u64,
    as_before: u64,
    errors: u64,
    panics: u64,
    wrong: Vec<String>,
    unnoticed: Vec<String>,
}

impl Tally {
    fn join(mut self, other: Self) -> Self {
        self.damages += other.damages;
        self.refused_to_open += other.refused_to_open;
        self.as_before += other.as_before;
        self.errors += other.errors;
        self.panics += other.panics;
        self.wrong.extend(other.wrong);
        self.unnoticed.extend(other.unnoticed);
        self
    }

    fn print(&self, what: &str) {
        eprintln!(
            "{what}: {}; refused on opening {}; answers as before {}, errors {}, panics {}, \
             other answers {}, not named by verify {}",
            self.damages,
            self.refused_to_open,
            self.as_before,
            self.errors,
            self.panics,
            self.wrong.len(),
            self.unnoticed.len()
        );
        assert_eq!(self.panics, 0);
        assert!(self.wrong.is_empty(), "{:?}", &self.wrong[..self.wrong.len().min(20)]);
        assert!(self.unnoticed.is_empty(), "{:?}", &self.unnoticed[..self.unnoticed.len().min(20)]);
    }
}

/// Asks everything of what is damaged now.
struct Trial<'a> {
    bench: &'a Bench,
    questions: &'a Questions,
    before: &'a [Answer],
    /// Loaded once for all.
    model: Arc<Lazy>,
    tally: Tally,
}

impl<'a> Trial<'a> {
    fn new(bench: &'a Bench, questions: &'a Questions, before: &'a [Answer]) -> Self {
        Self { bench, questions, before, model: Arc::default(), tally: Tally::default() }
    }

    /// `names` are the damaged files, all of which `verify` must name.
    fn damaged(&mut self, names: &[&str], what: &str) {
        self.tally.damages += 1;
        let data = self.bench.data();
        match catch_unwind(|| verify(&data)) {
            Ok(Ok(report)) => {
                let named = |name: &&str| report.damaged.iter().any(|found| found.file == **name);
                if !names.iter().all(named) {
                    self.tally.unnoticed.push(format!("{what}: {:?}", report.damaged));
                }
            }
            Ok(Err(error)) => self.tally.unnoticed.push(format!("{what}: {error}")),
            Err(_) => self.tally.panics += 1,
        }
        let asked = catch_unwind(AssertUnwindSafe(|| self.ask(what)));
        if asked.is_err() {
            self.tally.panics += 1;
        }
    }

    fn ask(&mut self, what: &str) {
        let Ok(snapshot) = open_with(&self.bench.data(), &self.model) else {
            self.tally.refused_to_open += 1;
            return;
        };
        for number in 0..self.questions.len() {
            match self.questions.ask(&snapshot, number) {
                Err(_) => self.tally.errors += 1,
                Ok(answer) if answer == self.before[number] => self.tally.as_before += 1,
                Ok(_) => self.tally.wrong.push(format!("{what}: question {number}")),
            }
        }
    }
}

fn asked_before(questions: &Questions, snapshot: &Snapshot) -> Vec<Answer> {
    (0..questions.len()).map(|number| questions.ask(snapshot, number).unwrap()).collect()
}

#[test]
fn every_flipped_byte_is_named_and_none_is_answered_from() {
    let bench = Bench::with_vectors(150, "11");
    let snapshot = open(&bench.data()).unwrap();
    let questions = Questions::of(&snapshot);
    let before = asked_before(&questions, &snapshot);
    drop(snapshot);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tally = std::thread::scope(|scope| {
        let (bench, questions, before) = (&bench, &questions, &before[..]);
        let flipping: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || flipped(bench, questions, before, first, threads)))
            .collect();
        let tallies = flipping.into_iter().map(|flipping| flipping.join().unwrap());
        tallies.fold(Tally::default(), Tally::join)
    });
    tally.print("flips");
    // Most files of so few organizations are one block, which opening verifies already.
    assert!(tally.as_before > 0 && tally.refused_to_open + tally.errors > 0, "nothing was asked");
}

/// Flips bytes of one in so many files, in a copy.
fn flipped(
    bench: &Bench,
    questions: &Questions,
    before: &[Answer],
    first: usize,
    step: usize,
) -> Tally {
    let (effort, bench) = (Effort::asked(), bench.copied());
    let mut trial = Trial::new(&bench, questions, before);
    for (number, (name, path)) in bench.files().iter().enumerate().skip(first).step_by(step) {
        let mut random = Rng::with_seed(number as u64);
        let whole = fs::read(path).unwrap();
        let length = whole.len();
        let mut positions: Vec<usize> = (0..effort.head.min(length)).collect();
        positions.extend(length.saturating_sub(effort.tail)..length);
        positions.extend((0..effort.random).map(|_| random.usize(..length)));
        for at in positions {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << random.u8(..8);
            fs::write(path, &bytes).unwrap();
            trial.damaged(&[name], &format!("{name} at {at}"));
        }
        fs::write(path, &whole).unwrap();
    }
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
    trial.tally
}

#[test]
fn cut_and_swapped_files_are_named_and_refused() {
    let bench = Bench::with_vectors(150, "12");
    let files = bench.files();
    let snapshot = open(&bench.data()).unwrap();
    let questions = Questions::of(&snapshot);
    let before = asked_before(&questions, &snapshot);
    drop(snapshot);
    let mut trial = Trial::new(&bench, &questions, &before);
    for (name, path) in &files {
        let whole = fs::read(path).unwrap();
        let length = whole.len();
        for cut in [0, 1, length / 3, length / 2, length.saturating_sub(64), length - 1] {
            fs::write(path, &whole[..cut]).unwrap();
            trial.damaged(&[name], &format!("{name} cut to {cut}"));
        }
        fs::write(path, &whole).unwrap();
    }
    let cuts = trial.tally.damages;
    assert_eq!(trial.tally.refused_to_open, cuts, "a cut file is refused on opening");
    trial.tally.print("cuts");
    let mut trial = Trial::new(&bench, &questions, &before);
    for (name, path) in &files {
        let others = files.range(name.clone()..).skip(1);
        for (other, other_path) in others.take(Effort::asked().swaps) {
            let (one, two) = (fs::read(path).unwrap(), fs::read(other_path).unwrap());
            if one == two {
                // Files of what is kept empty are equal.
                continue;
            }
            fs::write(path, &two).unwrap();
            fs::write(other_path, &one).unwrap();
            // Behind a CURRENT or a manifest that is not one, no file can be told to be wrong.
            let names = match (name.as_str(), other.as_str()) {
                ("CURRENT", _) => vec!["CURRENT"],
                (_, "manifest.json") => vec!["manifest.json"],
                ("manifest.json", _) => vec!["manifest.json"],
                (name, other) => vec![name, other],
            };
            trial.damaged(&names, &format!("{name} and {other} swapped"));
            fs::write(path, &one).unwrap();
            fs::write(other_path, &two).unwrap();
        }
    }
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
    trial.tally.print("swaps");
}

#[test]
fn the_key_file_is_verified_too() {
    let bench = Bench::new(20, "13");
    let (data, path) = (bench.data(), bench.data().join("keys.json"));
    let whole = fs::read(&path).unwrap();
    let step = if std::env::var_os("ALMONER_FULL").is_some() { 1 } else { 23 };
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, bytes).unwrap();
        let ran = run(&["verify", "--data-dir", text(&data)]);
        ran.fails(1, &["damaged"]);
        assert!(ran.out.contains("damaged: keys.json"), "byte {at}: {ran:?}");
    }
}

#[test]
fn older_and_newer_formats_are_refused_by_name() {
    let bench = Bench::new(20, "14");
    let data = bench.data();
    let line = fs::read_to_string(data.join("CURRENT")).unwrap();
    let rest = line.split_once(' ').unwrap().1.rsplit_once(' ').unwrap().0.to_owned();
    for (format, says) in [(FORMAT - 1, "build again"), (FORMAT + 1, "newer almoner")] {
        let line = format!("{format} {rest}");
        let sealed = format!("{line} {:016x}\n", xxh3_64(line.as_bytes()));
        fs::write(data.join("CURRENT"), sealed).unwrap();
        let error = open(&data).unwrap_err();
        assert!(matches!(error, OpenError::Older { .. } | OpenError::Newer { .. }), "{error}");
        for command in ["serve", "verify", "inspect"] {
            let ran = run(&[command, "--data-dir", text(&data)]);
            ran.fails(1, &[says, &format!("format {format}")]);
        }
    }
}

/// Builds are killed as soon as they say that a stage ended, each at another one.
#[test]
fn killed_builds_leave_the_old_snapshot_or_the_new() {
    const STAGES: usize = 8;
    let bench = Bench::new(60, "15");
    bench.generate("more", 400, "16");
    let old = current(&bench.data()).unwrap();
    let (data, more) = (bench.data(), bench.path("more"));
    for stage in 0..STAGES {
        let mut builder =
            command(&["build", "--no-semantic", "--data-dir", text(&data), text(&more)])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
        let mut lines = BufReader::new(builder.stderr.take().unwrap()).lines();
        for _ in 0..=stage {
            lines.next().unwrap().unwrap();
        }
        builder.kill().unwrap();
        builder.wait().unwrap();
        let now = open(&data).unwrap();
        if current(&data).unwrap() == old {
            assert_eq!(now.manifest.organizations, 60, "stage {stage}");
        } else {
            assert_eq!(now.manifest.organizations, 400, "stage {stage}");
        }
        let report = verify(&data).unwrap();
        assert!(report.damaged.is_empty(), "stage {stage}: {:?}", report.damaged);
    }
    bench.build("more", &["--no-semantic"]);
    let expected = [
        "CURRENT",
        "build.lock",
        "keys.json",
        "keys.lock",
        "rejects.ndjson",
        "reports.cache",
        "snapshots",
    ];
    assert_eq!(bench.entries(), expected);
    assert_eq!(fs::read_dir(data.join("snapshots")).unwrap().count(), 1);
    assert_eq!(snapshot_names(&data), [current(&data).unwrap().snapshot]);
}

fn snapshot_names(data: &Path) -> Vec<String> {
    fs::read_dir(data.join("snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}
