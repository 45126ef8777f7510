//! Opens the current snapshot: maps its files and reads their headers, whatever their size.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::checksums::{self, Checksums};
use super::coverage::Coverage;
use super::directory::{
    ADDRESSES, ARTICLES, Current, Directory, FUNDS, GRANTS, INDEX, KNOWLEDGE, METRICS, PEOPLE,
    POSTS, STORIES,
};
use super::locate::{CurrentFolder, locate};
use super::manifest::{self, Manifest, ManifestFile};
use super::of_all::OfAll;
use super::open_error::{OpenError, damaged, io_error, part_error};
use super::pending_vectors::{PendingVectors, awaited};
use crate::embed::{self, Lazy, Model};
use crate::index::causes::Causes;
use crate::index::changes::Changes;
use crate::index::columns::Columns;
use crate::index::departed::DepartedList;
use crate::index::fulltext::Fulltext;
use crate::index::grants::Grants;
use crate::index::groups::Groups;
use crate::index::items::Items;
use crate::index::names::Names;
use crate::index::postings::Postings;
use crate::index::ratios::Ratios;
use crate::index::relations::Relations;
use crate::index::typeahead::Typeahead;
use crate::index::vectors::Vectors;
use crate::mapped::{Damage, Files, MapError, MappedFile};
use crate::matching::Register;
use crate::query::{Figure, Filters, Flag, Flags, Sort, SortKey};
use crate::record::{
    Article, Ein, Fund, Grant, Knowledge, ListedName, Metric, OrgId, Organization, Post, Story,
};
use crate::store::Records;

/// An opened snapshot: what every request reads from.
#[derive(Debug)]
pub struct Snapshot {
    /// What it is made of.
    pub manifest: Manifest,
    /// How much of what it covers.
    pub coverage: Coverage,
    /// Filterable values.
    pub columns: Columns,
    /// What organizations are probably for.
    pub causes: Causes,
    /// What changed since earlier snapshots.
    pub changes: Changes,
    /// Those that only the revocation list has; numbered behind the organizations.
    pub departed: DepartedList,
    /// Beginnings of names.
    pub typeahead: Typeahead,
    /// Whole questions to the organizations that they may name.
    pub names: Names,
    /// Organizations by the keys of their addresses.
    pub addresses: Postings<Organization>,
    /// Words of names and missions.
    pub fulltext: Fulltext,
    /// What organizations are about; `None` when built without a model.
    pub vectors: Option<Vectors>,
    /// Values of stories, in their order.
    pub stories: Items<Story>,
    /// Stories by what they tell.
    pub story_texts: TextIndex<Story>,
    /// Values of metrics, in their order.
    pub metrics: Items<Metric>,
    /// Values of posts, in their order.
    pub posts: Items<Post>,
    /// Words of posts, by their numbers.
    pub post_words: Fulltext<Post>,
    /// Articles by what they tell; numbered by identifier, and so are the next.
    pub article_texts: TextIndex<Article>,
    /// Entries of the knowledge base.
    pub knowledge_texts: TextIndex<Knowledge>,
    pub fund_texts: TextIndex<Fund>,
    /// Values of grants, in their order.
    pub grants: Grants,
    /// Words of their recipients and purposes.
    pub grant_words: Fulltext<Grant>,
    /// Names that returns list, by organization.
    pub people: Items<ListedName>,
    /// Words of these names.
    pub people_words: Fulltext<ListedName>,
    /// Related organizations, by who lists them and, as identifiers, by their EINs.
    pub relations: Relations,
    /// Members of group exemptions.
    pub groups: Groups,
    /// Ratios of latest returns.
    pub ratios: Ratios,
    /// Full records.
    pub records: Records,
    /// Answers on all nonprofits.
    pub of_all: OfAll,
    /// Sought once: finding it looks at every organization.
    greatest: OnceLock<Option<OrgId>>,
    model: Arc<Lazy>,
    directory: Directory,
    /// The manifest's file, locked as shared: the snapshot is not removed while it is open.
    _lock: File,
}

/// A list of texts, to be ranked by words and by meaning; both by their numbers in the list.
#[derive(Debug)]
pub struct TextIndex<T> {
    pub words: Fulltext<T>,
    /// `None` when built without a model.
    pub vectors: Option<Vectors<T>>,
}

impl<T> TextIndex<T> {
    fn open(
        below: &str,
        path: &Path,
        manifest: &Manifest,
        map: &mut Files<'_>,
    ) -> Result<Self, OpenError> {
        let words = words(below, path, map)?;
        let open = |_| Vectors::open(&mut within(below, map));
        let vectors = manifest.model.as_ref().map(open).transpose();
        Ok(Self { words, vectors: vectors.map_err(part_error(path, "vectors"))? })
    }

    /// How many texts there are.
    pub fn count(&self) -> u32 {
        self.words.count()
    }
}

/// Why the model that a snapshot was built with cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("the snapshot was built without embeddings; build it without --no-semantic")]
    None,
    #[error(
        "the snapshot was built with model {expected}, found {found}; name the same with \
             --model, or build again"
    )]
    Other { expected: String, found: String },
    #[error("cannot load the model")]
    Load(#[from] Arc<embed::Error>),
}

impl Snapshot {
    /// The number of an EIN, of those among the departed too: who has a record has one.
    pub fn org_of(&self, ein: Ein) -> Result<Option<OrgId>, Damage> {
        if let Some(org) = self.columns.org_of(ein)? {
            return Ok(Some(org));
        }
        let behind = self.columns.organizations();
        Ok(self.departed.position(ein)?.map(|at| OrgId::new(behind + at)))
    }

    /// The organization with the greatest revenue of those not known to be inactive.
    pub fn greatest(&self) -> Result<Option<OrgId>, Damage> {
        if let Some(greatest) = self.greatest.get() {
            return Ok(*greatest);
        }
        let active =
            Filters { flags: Flags::from([(Flag::Inactive, false)]), ..Filters::default() };
        let matching = self.columns.select(&active)?.matching;
        let revenue = Sort::descending(SortKey::Figure(Figure::Revenue));
        let greatest = self.columns.sorted(&matching, &[revenue], None, 0, 1)?.first().copied();
        Ok(*self.greatest.get_or_init(|| greatest))
    }

    /// How far the vectors are that a build still makes for it; `None` where it has them, or is to have none.
    pub fn awaited(&self) -> Option<PendingVectors> {
        self.manifest.awaits.as_ref()?;
        Some(awaited(&self.directory, &self.manifest.snapshot))
    }

    /// The model that the snapshot's vectors were made with; loaded when first asked for.
    ///
    /// # Errors
    /// When there is none, or the one at hand is another.
    pub fn model(&self) -> Result<&Model, ModelError> {
        let expected = self.manifest.model.as_ref().ok_or(ModelError::None)?;
        let model = self.model.get()?;
        let found = model.identifier();
        if found != *expected {
            return Err(ModelError::Other { expected: expected.clone(), found });
        }
        Ok(model)
    }
}

impl<'a> From<&'a Snapshot> for Register<'a> {
    fn from(snapshot: &'a Snapshot) -> Self {
        let Snapshot { names, addresses, columns, records, .. } = snapshot;
        Self { names, addresses, columns, records }
    }
}

/// Opens the current snapshot of a data directory, to be asked with the embedded model.
pub fn open(data_dir: &Path) -> Result<Snapshot, OpenError> {
    open_with(data_dir, &Arc::default())
}

/// Opens the current snapshot of a data directory. The model is not looked at yet.
///
/// # Errors
/// When there is none, it is of another format, or a file is missing, truncated or, as far as
/// opening looks, damaged.
pub fn open_with(data_dir: &Path, model: &Arc<Lazy>) -> Result<Snapshot, OpenError> {
    let directory = Directory::new(data_dir);
    let located = locate(&directory)?;
    open_located(directory, located, model)
}

/// Opens what is to be published from a folder of the data directory, to know whether that can be.
pub(crate) fn try_open(
    directory: &Directory,
    folder: &Path,
    current: &Current,
) -> Result<(), OpenError> {
    let path = folder.join(manifest::FILE);
    let lock = File::open(&path).map_err(io_error(&path))?;
    let located = CurrentFolder { current: current.clone(), folder: folder.to_owned(), lock };
    open_located(directory.clone(), located, &Arc::default()).map(drop)
}

fn open_located(
    directory: Directory,
    located: CurrentFolder,
    model: &Arc<Lazy>,
) -> Result<Snapshot, OpenError> {
    let path = located.folder.clone();
    let manifest = manifest_of(&located)?;
    let sums = checksums(&path, &manifest)?;
    check_sizes(&path, &manifest)?;
    let map: &mut Files<'_> = &mut |name: &str| map_listed(&path, &sums, name);
    let part = |name| part_error(&path, name);
    let stories = items(STORIES, &path, map)?;
    let metrics = items(METRICS, &path, map)?;
    let posts = items(POSTS, &path, map)?;
    let post_words = words(POSTS, &path, map)?;
    let TextIndex { words: fulltext, vectors } = TextIndex::open("", &path, &manifest, map)?;
    Ok(Snapshot {
        grants: Grants::open(map).map_err(part(GRANTS))?,
        grant_words: words(GRANTS, &path, map)?,
        people: items(PEOPLE, &path, map)?,
        people_words: words(PEOPLE, &path, map)?,
        relations: Relations::open(map).map_err(part("relations"))?,
        groups: Groups::open(map).map_err(part("groups"))?,
        ratios: Ratios::open(map).map_err(part("ratios"))?,
        vectors,
        stories,
        story_texts: TextIndex::open(STORIES, &path, &manifest, map)?,
        metrics,
        posts,
        post_words,
        article_texts: TextIndex::open(ARTICLES, &path, &manifest, map)?,
        knowledge_texts: TextIndex::open(KNOWLEDGE, &path, &manifest, map)?,
        fund_texts: TextIndex::open(FUNDS, &path, &manifest, map)?,
        fulltext,
        of_all: OfAll::default(),
        greatest: OnceLock::new(),
        model: Arc::clone(model),
        causes: Causes::open(map).map_err(part("causes"))?,
        changes: Changes::open(map).map_err(part("changes"))?,
        departed: DepartedList::open(map).map_err(part("departed"))?,
        columns: Columns::open(map).map_err(part("columns"))?,
        typeahead: Typeahead::open(map).map_err(part("typeahead index"))?,
        names: Names::open(map).map_err(part("index of names"))?,
        addresses: Postings::open(map, ADDRESSES).map_err(part("addresses"))?,
        records: Records::open(map)
            .map_err(|source| OpenError::Store { path: path.clone(), source })?,
        coverage: Coverage::open(map)
            .map_err(|source| OpenError::Coverage { path: path.clone(), source })?,
        manifest,
        directory,
        _lock: located.lock,
    })
}

/// Opens the values of the items in a folder.
fn items<T>(what: &'static str, path: &Path, map: &mut Files<'_>) -> Result<Items<T>, OpenError> {
    Items::open(map, &format!("{what}/{INDEX}")).map_err(part_error(path, what))
}

/// Opens the words of what lies in a folder.
fn words<T>(below: &str, path: &Path, map: &mut Files<'_>) -> Result<Fulltext<T>, OpenError> {
    Fulltext::open(&mut within(below, map)).map_err(part_error(path, "full-text index"))
}

/// The manifest of the snapshot that `CURRENT` names.
fn manifest_of(located: &CurrentFolder) -> Result<Manifest, OpenError> {
    let is_damaged = |what: &str| damaged(&located.folder.join(manifest::FILE), what);
    let bytes = located.manifest_bytes()?;
    if HEXLOWER.encode(&Sha256::digest(&bytes)) != located.current.manifest_sha256 {
        return Err(is_damaged("is not the one that CURRENT names"));
    }
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| is_damaged(&format!("cannot be read: {error}")))?;
    let Manifest { snapshot, format, .. } = &manifest;
    if (*format, snapshot) != (located.current.format, &located.current.snapshot) {
        return Err(is_damaged(&format!(
            "is of snapshot {snapshot} in format {format}, not the one that CURRENT names"
        )));
    }
    Ok(manifest)
}

/// That every file is as long as it was built; one that is cut short would be found out when its end is
/// read.
fn check_sizes(path: &Path, manifest: &Manifest) -> Result<(), OpenError> {
    manifest.files.iter().try_for_each(|file| check_size(path, file))
}

fn check_size(folder: &Path, file: &ManifestFile) -> Result<(), OpenError> {
    let path = folder.join(&file.name);
    let found = fs::metadata(&path).map_err(io_error(&path))?.len();
    if found == file.bytes {
        return Ok(());
    }
    Err(damaged(&path, &format!("has {found} bytes, expected {}", file.bytes)))
}

/// Maps a file of the snapshot in a folder.
fn map_listed(folder: &Path, sums: &Checksums, name: &str) -> Result<MappedFile, MapError> {
    let sums = sums.get(name).cloned().ok_or_else(|| MapError::Io {
        file: name.into(),
        source: io::Error::other("the snapshot's checksums do not list it"),
    })?;
    MappedFile::open(&folder.join(name), name, sums)
}

/// Maps what lies below a folder of the snapshot, `""` being itself.
fn within<'map>(
    folder: &'map str,
    map: &'map mut Files<'_>,
) -> impl FnMut(&str) -> Result<MappedFile, MapError> + 'map {
    move |name| match folder {
        "" => map(name),
        folder => map(&format!("{folder}/{name}")),
    }
}

/// The block sums of every file, themselves checked against the manifest.
fn checksums(folder: &Path, manifest: &Manifest) -> Result<Checksums, OpenError> {
    let path = folder.join(checksums::FILE);
    let listed = manifest
        .file(checksums::FILE)
        .ok_or_else(|| damaged(&folder.join(manifest::FILE), "does not list the checksums"))?;
    check_size(folder, listed)?;
    let bytes = fs::read(&path).map_err(io_error(&path))?;
    if HEXLOWER.encode(&Sha256::digest(&bytes)) != listed.sha256 {
        return Err(damaged(&path, "is not the one that the manifest names"));
    }
    checksums::decode(&bytes).ok_or_else(|| damaged(&path, "is not of the form expected"))
}
