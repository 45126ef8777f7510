//! Builds with a model: vectors, their cache, and the model that a snapshot asks for.

use std::sync::{Arc, LazyLock, Mutex};

use super::*;
use crate::embed::{Lazy, recipe};
use crate::index::vectors::Query;
use crate::record::OrgId;

/// The embedded model, loaded once for all tests.
static MODEL: LazyLock<Arc<Lazy>> = LazyLock::new(Arc::default);

fn build_with_model(bench: &Bench) -> Report {
    let options = Options { model: Some(Arc::clone(&MODEL)), ..bench.options() };
    build(&options, &NoProgress).unwrap()
}

fn opened(bench: &Bench) -> Snapshot {
    open_with(&bench.data(), &MODEL).unwrap()
}

/// Texts of the knowledge base that comes with the program: every snapshot has them.
fn own() -> u64 {
    crate::curated::own_knowledge().len() as u64
}

/// Of every organization, the nearest to what is embedded of it, with the cosine.
fn nearest_to_each(snapshot: &Snapshot) -> Vec<(String, f32)> {
    let model = snapshot.model().unwrap();
    (0..snapshot.columns.organizations())
        .map(|number| {
            let organization = snapshot.records.organization(OrgId::new(number)).unwrap();
            let query = model.embed_one(&recipe::organization(&organization, None)).unwrap();
            let ask = Query::new(&query, 1);
            let nearest = snapshot.vectors.as_ref().unwrap().nearest(&ask).unwrap();
            assert_eq!(nearest.hits[0].row, OrgId::new(number), "{}", organization.name);
            (organization.name, nearest.hits[0].cosine)
        })
        .collect()
}

#[test]
fn every_organization_is_the_nearest_to_its_own_text() {
    let bench = Bench::filled();
    let report = build_with_model(&bench).vectors.unwrap();
    assert_eq!((report.distinct, report.embedded, report.nodes), (3 + own(), 3 + own(), 3 + own()));
    assert_eq!(report.notice, None);
    let snapshot = opened(&bench);
    assert_eq!(snapshot.manifest.model, Some(MODEL.get().unwrap().identifier()));
    for (name, cosine) in nearest_to_each(&snapshot) {
        assert!(cosine > 0.9995, "{name}: {cosine}");
    }
}

/// Units of every stage that were announced, and those that were done.
#[derive(Default)]
struct Counted(Mutex<Vec<(&'static str, Option<u64>, u64)>>);

impl Progress for Counted {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        self.0.lock().unwrap().push((name, total, 0));
    }

    fn advance(&self, units: u64) {
        self.0.lock().unwrap().last_mut().unwrap().2 += units;
    }

    fn finish(&self) {}
}

#[test]
fn embedding_tells_the_bytes_that_are_new() {
    let bench = Bench::filled();
    let options = Options { model: Some(Arc::clone(&MODEL)), ..bench.options() };
    let embedding = || {
        let counted = Counted::default();
        build(&options, &counted).unwrap();
        let stages = counted.0.into_inner().unwrap();
        stages.into_iter().find(|(name, ..)| *name == "embedding").unwrap()
    };
    let (_, total, done) = embedding();
    assert_eq!(total, Some(done));
    // A text of the program's own knowledge is a paragraph, the others are names.
    assert!(done > 100 * own(), "{done} bytes of {} texts", own());
    assert_eq!(embedding(), ("embedding", Some(0), 0), "everything is in the cache");
}

#[test]
fn a_second_build_embeds_what_is_new() {
    let bench = Bench::filled();
    build_with_model(&bench);
    let before = nearest_to_each(&opened(&bench));
    assert_eq!(build_with_model(&bench).vectors.unwrap().embedded, 0);
    assert_eq!(nearest_to_each(&opened(&bench)), before);
    bench.master(
        "eo2.csv",
        &[
            row("010000007", "DELTA HOUSE", "ALBANY", "NY", "202312", "1"),
            row("010000008", "DELTA HOUSE", "BURLINGTON", "VT", "202312", "2"),
        ],
    );
    let report = build_with_model(&bench).vectors.unwrap();
    // Two of one name: one text, one vector, found as both.
    assert_eq!((report.distinct, report.embedded, report.nodes), (4 + own(), 1, 4 + own()));
    let snapshot = opened(&bench);
    let query = snapshot.model().unwrap().embed_one("Delta House").unwrap();
    let ask = Query::new(&query, 2);
    let hits = snapshot.vectors.as_ref().unwrap().nearest(&ask).unwrap().hits;
    let names: Vec<String> =
        hits.iter().map(|hit| snapshot.records.organization(hit.row).unwrap().name).collect();
    assert_eq!(names, ["Delta House", "Delta House"]);
}

#[test]
fn a_damaged_cache_is_embedded_again_and_said() {
    let bench = Bench::filled();
    build_with_model(&bench);
    let before = nearest_to_each(&opened(&bench));
    let path = Directory::new(&bench.data()).vector_cache();
    let mut bytes = fs::read(&path).unwrap();
    // In the last of its chunks: that of the knowledge base.
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&path, bytes).unwrap();
    let report = build_with_model(&bench).vectors.unwrap();
    assert_eq!(report.embedded, own());
    assert!(report.notice.unwrap().contains("damaged"));
    assert_eq!(nearest_to_each(&opened(&bench)), before);

    fs::remove_file(&path).unwrap();
    let report = build_with_model(&bench).vectors.unwrap();
    assert_eq!((report.embedded, report.notice), (3 + own(), None));
}

#[test]
fn another_model_than_the_snapshots_is_refused() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let snapshot = opened(&bench);
    assert!(snapshot.vectors.is_none());
    assert!(matches!(snapshot.model(), Err(ModelError::None)));

    build_with_model(&bench);
    let nowhere = Arc::new(Lazy::new(Some(bench.data().join("no model"))));
    let snapshot = open_with(&bench.data(), &nowhere).unwrap();
    assert!(matches!(snapshot.model(), Err(ModelError::Load(_))));
    let options = Options { model: Some(nowhere), ..bench.options() };
    let before = current(&bench.data()).unwrap();
    assert!(matches!(build(&options, &NoProgress), Err(BuildError::Model(_))));
    assert_eq!(current(&bench.data()).unwrap(), before);
}

#[test]
fn damaged_vectors_are_refused_where_they_are_touched() {
    let bench = Bench::filled();
    build_with_model(&bench);
    let folder = bench.snapshot_folder();
    for name in names(&folder.join("vectors")) {
        let path = folder.join("vectors").join(&name);
        let whole = fs::read(&path).unwrap();
        if whole.is_empty() {
            continue;
        }
        let mut bytes = whole.clone();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let report = verify(&bench.data()).unwrap();
        assert!(!report.damaged.is_empty(), "{name}: verify finds nothing");
        // Either opening refuses the file, or asking does; an answer may come from other files.
        if let Ok(snapshot) = open_with(&bench.data(), &MODEL) {
            let query = MODEL.get().unwrap().embed_one("Alpha Fund").unwrap();
            let ask = Query::new(&query, 3);
            let asked = snapshot.vectors.as_ref().unwrap().nearest(&ask);
            assert!(asked.is_err() || name.contains("bits") || name.contains("links"), "{name}");
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
}

/// Looks at what is served once words can be searched.
struct Looking<'a>(&'a Bench, Mutex<Option<(String, PendingVectors)>>);

impl Progress for Looking<'_> {
    fn stage(&self, _: &'static str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}

    fn searchable(&self, snapshot: &str) {
        let opened = opened(self.0);
        assert_eq!(opened.manifest.snapshot, snapshot);
        assert!(opened.vectors.is_none() && opened.manifest.model.is_none());
        assert_eq!(by_ein(&opened, "010000001").legal_name, "ALPHA FUND");
        *self.1.lock().unwrap() = Some((snapshot.to_owned(), opened.awaited().unwrap()));
    }

    fn finish(&self) {}
}

/// Words can be searched before the first text is embedded; the snapshot with vectors follows, and to its
/// list of changes the one without is an earlier one that differs in nothing.
#[test]
fn words_are_searched_before_meaning_is() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let first = opened(&bench).manifest.snapshot.clone();
    bench.master("eo2.csv", &[row("010000007", "DELTA HOUSE", "ALBANY", "NY", "202312", "1")]);
    let options = Options { model: Some(Arc::clone(&MODEL)), ..bench.options() };
    let looking = Looking(&bench, Mutex::default());
    build(&options, &looking).unwrap();
    let (by_words, awaited) = looking.1.into_inner().unwrap().unwrap();
    assert_eq!(awaited.share, Some(0.0));
    let whole = opened(&bench);
    assert_ne!(whole.manifest.snapshot, by_words);
    assert!(whole.vectors.is_some() && whole.awaited().is_none());
    assert_eq!(by_ein(&whole, "010000007").legal_name, "DELTA HOUSE");
    let names: Vec<&str> = whole.changes.since().iter().map(|one| one.snapshot.as_str()).collect();
    assert_eq!(names, [by_words.as_str(), first.as_str()]);
    let changes = |snapshots| {
        let query = crate::index::changes::Query { snapshots, ..Default::default() };
        whole.changes.find(&query, 0, 10).unwrap()
    };
    assert_eq!(changes(1).0, 0);
    assert_eq!(changes(2).1[0].1.kind, crate::record::ChangeKind::Appeared);
    assert!(!bench.entries().iter().any(|name| name.starts_with("vectors.progress")));
    // Built again from the same, all is taken from the cache; to wait publishes once.
    let silent = Looking(&bench, Mutex::default());
    let waiting = Options { wait_for_vectors: true, ..options };
    assert_eq!(build(&waiting, &silent).unwrap().vectors.unwrap().embedded, 0);
    assert_eq!(silent.1.into_inner().unwrap(), None);
    assert!(opened(&bench).vectors.is_some());
}
