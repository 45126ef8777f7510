//! What was read of annual reports and what was found in them, kept in the data directory, a file each by SHA-256: a
//! rebuild reads only those that are new. It may be deleted at any time; a damaged entry is replaced.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use super::error::BuildError;
use crate::durable;
use crate::impact::Publication;
use crate::record::{Ein, Metric, Story};
use crate::reports::{self, Fault, Limits, Report};

/// What entries begin with; behind it is [`reports::FORM`], little-endian, then the XXH3-64 of the rest.
const MAGIC: [u8; 8] = *b"ALMREP02";
const HEADER_BYTES: usize = MAGIC.len() + 4 + 8;

/// Version of what `stories` and `impact` find in passages; whatever changes it raises it.
const FINDING_FORM: u32 = 6;

/// Bytes that an entry may unpack to: the text of a report with what stands around it, twice.
const ENTRY_BYTES_MAX: usize = 64 << 20;

/// Bytes of entries that are kept in all: the text of some hundred thousand reports.
const BYTES_MAX: u64 = 8 << 30;

/// How a report's entry is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct ReportKey([u8; 32]);

impl ReportKey {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Of what is found in this report, read as a publication.
    pub(super) fn found_as(self, publication: &Publication<'_>) -> Self {
        let Publication { ein, year, url, .. } = publication;
        let stated =
            format!("{}\u{1f}{FINDING_FORM}\u{1f}{ein}\u{1f}{year}\u{1f}{url:?}", self.name());
        Self::of(stated.as_bytes())
    }

    /// Of the list of reports, of which there is one.
    pub(super) fn list() -> Self {
        Self::of(b"the reports of the last build")
    }

    /// In lower-case hexadecimal.
    pub(super) fn name(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0)
    }
}

/// What reading a report gave.
pub(super) type ReadReport = Result<Report, Fault>;

/// What is found in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FoundInReport {
    pub(super) stories: Vec<Story>,
    pub(super) metrics: Vec<Metric>,
}

/// A report of the last build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptReport {
    /// Name of its source.
    pub(super) source: String,
    pub(super) ein: Ein,
    /// That it is of, where one is known.
    pub(super) year: Option<i32>,
    pub(super) report: ReportKey,
    pub(super) found: ReportKey,
}

/// The reports of the last build that are somebody's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct ReportList {
    pub(super) reports: Vec<KeptReport>,
    /// Whether the names of people were left out.
    pub(super) without_people: bool,
}

/// The folder of entries.
#[derive(Debug)]
pub(super) struct ReportCache {
    folder: PathBuf,
}

impl ReportCache {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, key: ReportKey) -> PathBuf {
        self.folder.join(key.name())
    }

    /// What was read of a report; `None` where nothing is kept, or it is damaged or of another form.
    pub(super) fn get(&self, key: ReportKey) -> Option<ReadReport> {
        self.cached(key)
    }

    /// The reports of the last build; none where nothing is kept.
    pub(super) fn list(&self) -> ReportList {
        self.cached(ReportKey::list()).unwrap_or_default()
    }

    pub(super) fn keep_list(&self, list: &ReportList) -> Result<(), BuildError> {
        self.keep(ReportKey::list(), list)
    }

    pub(super) fn cached<T: DeserializeOwned>(&self, key: ReportKey) -> Option<T> {
        decode(unsealed(&self.entry(key)?)?)
    }

    /// Reads a report unless what it says is kept, and keeps it.
    pub(super) fn read(&self, key: ReportKey, bytes: &[u8]) -> Result<(), BuildError> {
        if self.entry(key).is_some_and(|entry| unsealed(&entry).is_some()) {
            return Ok(());
        }
        let read = reports::read(bytes, &Limits::default()).map_err(|error| error.fault());
        self.keep(key, &read)
    }

    /// What was found in a report, or else what `find` finds, which is kept.
    pub(super) fn found(
        &self,
        key: ReportKey,
        find: impl FnOnce() -> Result<FoundInReport, BuildError>,
    ) -> Result<FoundInReport, BuildError> {
        if let Some(found) = self.cached(key) {
            return Ok(found);
        }
        let found = find()?;
        self.keep(key, &found)?;
        Ok(found)
    }

    fn entry(&self, key: ReportKey) -> Option<Vec<u8>> {
        let path = self.path(key);
        let is_bounded = fs::metadata(&path).is_ok_and(|file| file.len() <= ENTRY_BYTES_MAX as u64);
        is_bounded.then(|| fs::read(path).ok()).flatten()
    }

    fn keep(&self, key: ReportKey, value: &impl Serialize) -> Result<(), BuildError> {
        let path = self.path(key);
        let entry = encode(value).map_err(BuildError::io(&path))?;
        fs::create_dir_all(&self.folder).map_err(BuildError::io(&self.folder))?;
        // Two threads may find the same in copies of a report.
        let thread = rayon::current_thread_index().unwrap_or_default();
        let unfinished = path.with_extension(format!("tmp{thread}"));
        durable::write(&path, unfinished, &entry).map_err(BuildError::io(&path))
    }

    /// Removes what no report of a build has, where that is more than what they have, or all is too much; and what was
    /// not written to its end.
    pub(super) fn trim(&self, used: &HashSet<ReportKey>) -> Result<(), BuildError> {
        let unused = match self.unused(used) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            unused => unused.map_err(BuildError::io(&self.folder))?,
        };
        for path in unused {
            fs::remove_file(&path).map_err(BuildError::io(&path))?;
        }
        Ok(())
    }

    fn unused(&self, used: &HashSet<ReportKey>) -> io::Result<Vec<PathBuf>> {
        let names: HashSet<String> = used.iter().map(|key| key.name()).collect();
        let (mut unused, mut unfinished, mut bytes) = (Vec::new(), Vec::new(), 0);
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            bytes += entry.metadata()?.len();
            let path = entry.path();
            if path.extension().is_some() {
                unfinished.push(path);
            } else if !names.contains(&*entry.file_name().to_string_lossy()) {
                unused.push(path);
            }
        }
        let keeps_them = unused.len() <= used.len() && bytes <= BYTES_MAX;
        unfinished.extend(if keeps_them { Vec::new() } else { unused });
        Ok(unfinished)
    }
}

fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let encoded = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let packed = lz4_flex::compress_prepend_size(&encoded);
    let mut entry = Vec::with_capacity(HEADER_BYTES + packed.len());
    entry.extend_from_slice(&MAGIC);
    entry.extend_from_slice(&reports::FORM.to_le_bytes());
    entry.extend_from_slice(&xxh3_64(&packed).to_le_bytes());
    entry.extend_from_slice(&packed);
    Ok(entry)
}

/// The packed value of an entry that is whole and of the present form.
fn unsealed(entry: &[u8]) -> Option<&[u8]> {
    let rest = entry.strip_prefix(&MAGIC)?.strip_prefix(&reports::FORM.to_le_bytes())?;
    let (sum, packed) = rest.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == xxh3_64(packed)).then_some(packed)
}

fn decode<T: DeserializeOwned>(packed: &[u8]) -> Option<T> {
    let (bytes, _) = packed.split_first_chunk::<4>()?;
    if u32::from_le_bytes(*bytes) as usize > ENTRY_BYTES_MAX {
        return None;
    }
    let encoded = lz4_flex::decompress_size_prepended(packed).ok()?;
    postcard::from_bytes(&encoded).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).map_or(0, |entries| entries.count())
    }

    #[test]
    fn findings_are_looked_for_once() {
        let data = tempfile::tempdir().unwrap();
        let cache = ReportCache::new(data.path().join("reports.cache"));
        let mut publication = Publication {
            ein: "170000001".parse().unwrap(),
            state: None,
            year: 2023,
            edition: String::new(),
            url: None,
            published: None,
        };
        let report = ReportKey::of(b"a report");
        let found = FoundInReport { stories: Vec::new(), metrics: Vec::new() };
        let key = report.found_as(&publication);
        assert_eq!(cache.found(key, || Ok(found.clone())).unwrap(), found);
        assert_eq!(cache.found(key, || panic!("it is kept")).unwrap(), found);
        publication.year = 2022;
        assert_ne!(report.found_as(&publication), key);
    }

    /// What decides what is found: a change of any of these raises [`FINDING_FORM`].
    #[test]
    fn tables_that_the_form_of_findings_is_of() {
        const TABLES: u64 = 0xcfc6_1283_80c9_da3d;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut tables: Vec<PathBuf> =
            ["models/stories.tsv", "models/figures.tsv", "data/story_words.tsv"]
                .map(|table| folder.join(table))
                .into();
        tables.extend(fs::read_dir(folder.join("data")).unwrap().filter_map(|entry| {
            let path = entry.unwrap().path();
            path.file_name()?.to_str()?.starts_with("impact_").then_some(path)
        }));
        tables.sort();
        let bytes: Vec<u8> = tables.iter().flat_map(|table| fs::read(table).unwrap()).collect();
        let found = xxh3_64(&bytes);
        assert_eq!(found, TABLES, "raise FINDING_FORM (now {FINDING_FORM}) with {found:#x}");
    }

    #[test]
    fn what_is_kept_is_found_again_unless_it_is_damaged() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("reports.cache");
        let cache = ReportCache::new(folder.clone());
        let read = |bytes: &[u8]| {
            let key = ReportKey::of(bytes);
            cache.read(key, bytes).unwrap();
            key
        };
        let key = read(b"A heading\n\nA paragraph of text.\n");
        let kept = cache.get(key).unwrap().unwrap();
        assert_eq!(kept.passages.len(), 2);
        let failed = read(b"\x00\x01");
        assert!(cache.get(failed).unwrap().is_err());
        let path = cache.path(key);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(cache.get(key).is_none());
        assert_eq!(read(b"A heading\n\nA paragraph of text.\n"), key);
        assert_eq!(cache.get(key).unwrap().unwrap(), kept);
        cache.trim(&HashSet::from([key])).unwrap();
        assert_eq!(files(&folder), 2);
        cache.trim(&HashSet::new()).unwrap();
        assert_eq!(files(&folder), 0);
    }
}
