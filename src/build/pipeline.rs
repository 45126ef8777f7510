//! Builds a snapshot and publishes it; whatever goes wrong, the one before stays.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::clock::BuildClock;
use super::earlier::{changes_since, earlier};
use super::embedding::{Embedder, Set, Texts};
use super::error::BuildError;
use super::gather::{self, LeftOut, SourceRecords, gather};
use super::merge::{DropCounts, MergedOrganizations};
use super::report::{self, Progress, Report, SourceReport};
use super::report_cache::ReportCache;
use super::staging::{Staging, claim, seal};
use super::write::{self, WriteSummary};
use super::{falls, memory, merge, summary};
use crate::classify::CodeClassifier;
use crate::embed::{Key, Lazy, Model};
use crate::record::{Ein, Timestamp};
use crate::snapshot::changes::Earlier;
use crate::snapshot::directory::{Current, Directory};
use crate::snapshot::manifest::{FORMAT, Manifest};
use crate::snapshot::{directory, publish, reject_list};
use crate::sources::{self, Discovery, Summary};

/// What is to be built.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to; made if it does not exist.
    pub data_dir: PathBuf,
    /// Files, and folders that are searched to any depth.
    pub inputs: Vec<PathBuf>,
    /// The model that embeds texts for semantic search; without one there is none.
    pub model: Option<Arc<Lazy>>,
    /// Publish once, with vectors, instead of a snapshot that words search before it.
    pub wait_for_vectors: bool,
    /// Of 100 rows, lines or returns of any source, how many may be rejects. Without it the IRS's
    /// lists have a limit of their own, and the others none.
    pub reject_limit_percent: Option<f64>,
    /// The largest drop, in percent, that organizations, returns, metrics or the rows of a kind of
    /// source may show against the published snapshot; [`super::FALL_MAX_PERCENT`] by default.
    pub fall_max_percent: Option<f64>,
    /// The parts of returns to leave out.
    pub without: Vec<LeftOut>,
    /// Whose posts an RSS or Atom feed holds that no table lists.
    pub feed_ein: Option<Ein>,
}

/// Builds a snapshot from the inputs and publishes it.
///
/// # Errors
/// When an input cannot be used, too many of its lines are rejected, much of what is published would be
/// lost, the clock is wrong, another build is running, or the disk refuses. The snapshot before stays
/// published and nothing half-written is left.
pub fn build(options: &Options, progress: &dyn Progress) -> Result<Report, BuildError> {
    build_at(options, progress, Timestamp::now)
}

/// The same, by another clock than the system's.
pub(super) fn build_at(
    options: &Options,
    progress: &dyn Progress,
    now: fn() -> Timestamp,
) -> Result<Report, BuildError> {
    let clock = BuildClock::new(progress, now);
    let outcome = run(options, &clock);
    progress.finish();
    let stages = clock.stages();
    drop(clock);
    outcome.map(|report| Report { stages, ..report })
}

fn run(options: &Options, clock: &BuildClock<'_>) -> Result<Report, BuildError> {
    let progress: &dyn Progress = clock;
    check_percentage("a reject limit", options.reject_limit_percent)?;
    check_percentage("a greatest fall", options.fall_max_percent)?;
    progress.stage("finding sources", None);
    let discovery = sources::discover(&options.inputs, options.feed_ein)?;
    let directory = Directory::new(&options.data_dir);
    let _lock = claim(&directory)?;
    let now = clock.now();
    let identifier = identifier(now);
    let staging = Staging::create(directory.staging(&identifier))?;

    // Before the long work: a model that cannot be used is known at once.
    let model = options.model.as_ref().map(|model| model.get()).transpose()?;
    let (merged, mut gathered, mut dropped) =
        read(options, &discovery, &staging, &directory, clock)?;
    let rejects = std::mem::take(&mut gathered.rejects.counts);
    let warnings = warnings(&gathered);
    let summaries = gathered.sources;
    let organizations = merged.len() as u64;
    let open_cache = |model| {
        progress.stage("reading vector cache", None);
        Embedder::open(model, &directory, &discovery.vectors)
    };
    let meaning = model.map(open_cache).transpose()?;
    let chosen = summary::choose_all(&merged, progress)?;
    // What it replaces tells what changed; closed before it is removed.
    let before = earlier(&directory, clock);
    let compared = falls::compared(&directory, before.as_ref(), merged.eins());
    let doubts = [doubts(&summaries, before.as_ref()), gathered.doubts].concat();
    let skipped = [discovery.skipped, gathered.left_out].concat();
    let written =
        write::write(merged, &gathered.items, &chosen, before.as_ref(), &staging.path, progress)?;
    drop((chosen, before, gathered.items));
    memory::give_back();
    for source in &written.superseded {
        dropped.superseded[*source as usize] += 1;
    }
    let mut manifest = Manifest {
        format: FORMAT,
        snapshot: identifier,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        built_at: now.to_string(),
        sources: summaries.clone(),
        model: None,
        awaits: model.map(Model::identifier).filter(|_| !options.wait_for_vectors),
        without_people: options.without.contains(&LeftOut::People),
        organizations,
        counts: counts(&written, &summaries, &dropped),
        files: Vec::new(),
    };
    falls::check(compared.as_ref(), &manifest, options.fall_max_percent)?;
    let publication = Publication { directory: &directory, written: &written, clock };
    let vectors = publication.publish_all(options, meaning, &staging, &mut manifest)?;
    Ok(Report {
        snapshot: manifest.snapshot,
        organizations,
        suggested: written.suggested.organizations,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        items: written.items,
        coverage: written.coverage,
        sources: source_reports(summaries, dropped),
        rejects: most_frequent_first(rejects),
        warnings,
        doubts,
        skipped,
        vectors,
        stages: Vec::new(),
    })
}

/// Refuses a limit that is no percentage.
fn check_percentage(what: &'static str, limit: Option<f64>) -> Result<(), BuildError> {
    match limit.filter(|limit| !(0.0..=100.0).contains(limit)) {
        Some(found) => Err(BuildError::Percentage { what, found }),
        None => Ok(()),
    }
}

/// How many texts were written, and how many vectors of others are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MissingTexts {
    pub missing: u64,
    pub known: u64,
}

/// Writes the texts that a build would embed and that neither its cache nor its inputs have vectors of, each once, a JSON
/// string a line, for machines that share the work. Publishes nothing.
///
/// # Errors
/// As [`build`]; and when there is no model, or the texts cannot be written.
pub fn missing_texts(
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<MissingTexts, BuildError> {
    let gathered = texts(options, progress);
    progress.finish();
    let (embedder, lists) = gathered?;
    let mut seen = HashSet::new();
    let mut found = MissingTexts::default();
    for texts in &lists {
        for text in (0..texts.len()).map(|number| texts.get(number)) {
            let key = Key::of(text);
            if !seen.insert(key) {
                continue;
            }
            if embedder.has(key) {
                found.known += 1;
                continue;
            }
            found.missing += 1;
            let line = serde_json::to_writer(&mut *out, text).map_err(io::Error::from);
            let line = line.and_then(|()| out.write_all(b"\n"));
            line.map_err(BuildError::io("the file of texts"))?;
        }
    }
    Ok(found)
}

/// What a build would embed, and the model to do it with.
fn texts<'a>(
    options: &'a Options,
    progress: &dyn Progress,
) -> Result<(Embedder<'a>, Vec<Texts>), BuildError> {
    let clock = BuildClock::new(progress, Timestamp::now);
    progress.stage("finding sources", None);
    let discovery = sources::discover(&options.inputs, options.feed_ein)?;
    let model = options.model.as_ref().ok_or(BuildError::NoModel)?.get()?;
    let directory = Directory::new(&options.data_dir);
    let _lock = claim(&directory)?;
    let staging = Staging::create(directory.staging(&identifier(clock.now())))?;
    let (merged, gathered, _) = read(options, &discovery, &staging, &directory, &clock)?;
    let embedder = Embedder::open(model, &directory, &discovery.vectors)?;
    let chosen = summary::choose_all(&merged, progress)?;
    let written = write::write(merged, &gathered.items, &chosen, None, &staging.path, progress)?;
    Ok((embedder, written.texts.into_iter().map(|(_, texts)| texts).collect()))
}

/// Reads the sources and merges their records by organization.
fn read(
    options: &Options,
    discovery: &Discovery,
    staging: &Staging,
    directory: &Directory,
    clock: &BuildClock<'_>,
) -> Result<(MergedOrganizations, SourceRecords, DropCounts), BuildError> {
    clock.stage("reading", Some(discovery.text_bytes));
    let rejects = staging.path.join(directory::REJECTS);
    let (limit, without) = (options.reject_limit_percent, &options.without[..]);
    let kept = directory.rejects();
    let cache = ReportCache::new(directory.report_cache());
    let gathered = gather(&discovery.sources, &rejects, &kept, limit, without, &cache, clock);
    keep_rejects(&rejects, directory)?;
    let gathered = gathered?;
    if gathered.master.is_empty() && gathered.filings.is_empty() {
        return Err(BuildError::NoOrganizations);
    }

    clock.stage("merging", None);
    let (merged, gathered, dropped) = merge::merge(gathered, &cache, without)?;
    keep_rejects(&rejects, directory)?;
    if let Some(limit) = options.reject_limit_percent {
        // Merging rejected what belongs to nobody.
        for summary in &gathered.sources {
            gather::check_limit(summary, limit, Vec::new(), &kept)?;
        }
    }
    Ok((merged, gathered, dropped))
}

/// What the manifest counts, but for vectors.
fn counts(
    written: &WriteSummary,
    sources: &[Summary],
    dropped: &DropCounts,
) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::from([
        ("suggested".to_owned(), written.suggested.organizations),
        ("names".to_owned(), written.suggested.names),
        ("word_starts".to_owned(), written.suggested.word_starts),
        ("rejects".to_owned(), sources.iter().map(|source| source.rejects).sum()),
        ("superseded".to_owned(), dropped.superseded.iter().sum()),
        ("unmatched".to_owned(), dropped.unmatched.iter().sum()),
    ]);
    counts.extend(written.items.named().map(|(name, count)| (name.to_owned(), count)));
    counts
}

/// What each source gave.
fn source_reports(sources: Vec<Summary>, dropped: DropCounts) -> Vec<SourceReport> {
    let dropped = dropped.superseded.into_iter().zip(dropped.unmatched);
    let report =
        |(summary, (superseded, unmatched))| SourceReport { summary, superseded, unmatched };
    sources.into_iter().zip(dropped).map(report).collect()
}

/// What was written, to be completed with causes and perhaps vectors and made the current snapshot.
struct Publication<'a> {
    directory: &'a Directory,
    written: &'a WriteSummary,
    clock: &'a BuildClock<'a>,
}

impl Publication<'_> {
    /// Publishes once, or before the vectors are made and then with them.
    fn publish_all(
        &self,
        options: &Options,
        meaning: Option<Embedder<'_>>,
        staging: &Staging,
        manifest: &mut Manifest,
    ) -> Result<Option<report::Vectors>, BuildError> {
        let Some(meaning) = meaning else {
            return self.by_words(staging, manifest).map(|()| None);
        };
        if options.wait_for_vectors {
            return self.with_vectors(meaning, staging, manifest).map(Some);
        }
        self.by_words(staging, manifest)?;
        self.clock.searchable(self.directory, &manifest.snapshot);
        let staging = stage_successor(self.directory, manifest, self.clock)?;
        self.with_vectors(meaning, &staging, manifest).map(Some)
    }

    /// Publishes a snapshot that words search.
    fn by_words(&self, staging: &Staging, manifest: &mut Manifest) -> Result<(), BuildError> {
        self.clock.stage("predicting causes", None);
        let mut causes = self.written.causes()?;
        causes.predict_by_words();
        causes.write(&staging.path)?;
        self.publish(staging, manifest)
    }

    /// Publishes one that has vectors too.
    fn with_vectors(
        &self,
        meaning: Embedder<'_>,
        staging: &Staging,
        manifest: &mut Manifest,
    ) -> Result<report::Vectors, BuildError> {
        // Predicting held a table of every text.
        memory::give_back();
        let model = meaning.model().identifier();
        let made = self.embed(meaning, &staging.path)?;
        manifest.model = Some(model);
        manifest.counts.insert("texts".to_owned(), made.distinct);
        manifest.counts.insert("vectors".to_owned(), made.nodes);
        self.publish(staging, manifest)?;
        Ok(made)
    }

    /// Makes the vectors of what was written, and predicts causes with them, into a staging folder.
    fn embed(&self, meaning: Embedder<'_>, folder: &Path) -> Result<report::Vectors, BuildError> {
        let mut causes = self.written.causes()?;
        let texts = self.written.texts.iter();
        let sets: Vec<Set<'_>> =
            texts.map(|(below, texts)| Set { texts, folder: folder.join(below) }).collect();
        let reads = CodeClassifier::reads(meaning.model());
        let mut seen = |start, vectors: &[f32]| {
            causes.predict(start, reads.then_some(vectors));
        };
        let made = meaning.write(&sets, &mut seen, self.clock)?;
        causes.write(folder)?;
        Ok(made)
    }

    /// Seals what was staged and makes it the current snapshot.
    fn publish(&self, staging: &Staging, manifest: &mut Manifest) -> Result<(), BuildError> {
        let directory = self.directory;
        let manifest_sha256 = seal(&staging.path, manifest, self.clock)?;
        self.clock.stage("publishing", None);
        let snapshot = manifest.snapshot.clone();
        let current = Current { format: FORMAT, snapshot, manifest_sha256 };
        publish::publish(directory, &current).map_err(BuildError::io(directory.path()))?;
        // The snapshot is published; one that cannot be removed now is by a later build.
        let _ = publish::remove_unused(directory.path());
        Ok(())
    }
}

/// Prefixes of the files that differ in the snapshot with vectors; all others are linked from the one before.
const REBUILT: [&str; 4] = ["manifest.json", "checksums", "causes", "changes"];

/// Stages the snapshot that follows the published one: its files are those of that one, linked, but for what
/// vectors change. To its list of changes the published one is an earlier snapshot, against which nothing
/// changed.
fn stage_successor(
    directory: &Directory,
    manifest: &mut Manifest,
    clock: &BuildClock<'_>,
) -> Result<Staging, BuildError> {
    let now = clock.now();
    let published = directory.snapshot(&manifest.snapshot);
    let identifier = identifier(now);
    let staging = Staging::create(directory.staging(&identifier))?;
    let (names, folders) = directory::entries(&published).map_err(BuildError::io(&published))?;
    for folder in folders.iter().filter_map(|folder| folder.strip_prefix(&published).ok()) {
        let folder = staging.path.join(folder);
        fs::create_dir_all(&folder).map_err(BuildError::io(&folder))?;
    }
    for name in names {
        if REBUILT.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        let (from, to) = (published.join(&name), staging.path.join(&name));
        // Where files cannot be linked, they are copied.
        let linked = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
        linked.map_err(BuildError::io(&to))?;
    }
    let before = earlier(directory, clock);
    changes_since(before.as_ref(), Vec::new(), clock).write(&staging.path)?;
    manifest.snapshot = identifier;
    manifest.built_at = now.to_string();
    manifest.awaits = None;
    manifest.files = Vec::new();
    Ok(staging)
}

/// `YYYYMMDDTHHMMSSZ-` and eight hexadecimal digits by chance: sorts by time, and no two builds
/// of one second share it.
fn identifier(now: Timestamp) -> String {
    // Without a source of chance the process must do.
    let chance = getrandom::u32().unwrap_or_else(|_| std::process::id());
    format!("{}-{chance:08x}", now.basic())
}

/// Keeps the list of rejects, if it was begun.
fn keep_rejects(list: &Path, directory: &Directory) -> Result<(), BuildError> {
    if !list.exists() {
        return Ok(());
    }
    reject_list::keep(list, directory).map_err(BuildError::io(directory.rejects()))
}

fn most_frequent_first(rejects: BTreeMap<(String, String), u64>) -> Vec<((String, String), u64)> {
    let mut rejects: Vec<_> = rejects.into_iter().collect();
    rejects.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    rejects
}

/// What looks like a mistake in the sources, also beside those of the snapshot before.
fn doubts(summaries: &[Summary], before: Option<&Earlier>) -> Vec<String> {
    let mut doubts = sources::doubts(summaries);
    let older = |before: &Earlier| sources::older(summaries, &before.manifest.sources);
    doubts.extend(before.into_iter().flat_map(older));
    doubts
}

fn warnings(gathered: &SourceRecords) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for source in &gathered.sources {
        for (column, count) in &source.warnings {
            *all.entry(format!("{}: {column}", source.kind.name())).or_default() += count;
        }
    }
    all
}
