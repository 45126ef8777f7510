//! Arranges stories, metrics and posts in the order in which they are listed, and articles, knowledge
//! and funds by identifier, and writes them.
//!
//! Stories go by power score, metrics by year, posts by date, the greatest or latest first, what has
//! none last, and what is equal by identifier. Of one identifier of a nonprofit the last one read counts.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::embedding::Texts;
use super::error::BuildError;
use super::gather::{self, ItemRef};
use super::report::{self, Progress};
use crate::curated;
use crate::embed::recipe;
use crate::index::{fulltext, items};
use crate::naming;
use crate::record::{
    Article, Classification, Ein, Fund, Knowledge, Metric, OrgId, Post, Story, Timestamp,
};
use crate::snapshot::directory::{ARTICLES, FUNDS, INDEX, KNOWLEDGE, METRICS, POSTS, STORIES};
use crate::store::{self, Stored};

/// Items that are decoded and packed at a time: enough for every core, few enough that a batch of the
/// longest lines there may be fits into memory.
const BATCH: usize = 8 * PACKED;

/// Items that are packed together; the last block of each run is not full.
const PACKED: usize = 128;

/// Bytes of items of returns that are kept in memory.
const EXTRACTED_BYTES_MAX: usize = 256 << 20;

/// What metrics and funds were found while organizations were made.
#[derive(Debug, Default)]
pub(super) struct ExtractedItems {
    arena: Arena,
    metrics: Vec<(OrgId, ArenaOffset)>,
    funds: Vec<ArenaOffset>,
}

impl ExtractedItems {
    /// None yet; `folder` is where those go that memory is not to hold.
    pub(super) fn new(folder: &Path) -> Result<Self, ArenaError> {
        Ok(Self { arena: Arena::spilling(folder, EXTRACTED_BYTES_MAX)?, ..Self::default() })
    }

    pub(super) fn add_metric(&mut self, org: OrgId, metric: &Metric) -> Result<(), BuildError> {
        self.metrics.push((org, self.arena.add(metric)?));
        Ok(())
    }

    pub(super) fn add_fund(&mut self, fund: &Fund) -> Result<(), BuildError> {
        self.funds.push(self.arena.add(fund)?);
        Ok(())
    }

    fn metrics(&self) -> Result<Vec<Entry<'_, Key<Metric>>>, ArenaError> {
        let entry = |&(owner, place): &_| entry::<Metric>(&self.arena, place, Some(owner), None);
        self.metrics.par_iter().map(entry).collect()
    }

    fn funds(&self) -> Result<Vec<Entry<'_, Key<Fund>>>, ArenaError> {
        let entry = |&place: &_| entry::<Fund>(&self.arena, place, None, None);
        self.funds.par_iter().map(entry).collect()
    }
}

/// What items are written to and from.
pub(super) struct Writing<'a> {
    pub(super) store: &'a mut store::Writer,
    pub(super) folder: &'a Path,
    pub(super) arena: &'a Arena,
    /// Numbers of organizations, sorted by EIN.
    pub(super) numbers: &'a [(Ein, OrgId)],
    pub(super) progress: &'a dyn Progress,
    /// What is to be embedded, and below which folder of the snapshot its vectors go.
    pub(super) texts: Vec<(&'static str, Texts)>,
    /// Sources of the items that a later one of the same identifier and nonprofit replaced.
    pub(super) superseded: Vec<u32>,
    /// Items that the operator takes back, by owner and identifier.
    pub(super) withdrawn: HashSet<(OrgId, String)>,
}

impl<'a> Writing<'a> {
    fn owner(&self, ein: Ein) -> Option<OrgId> {
        let at = self.numbers.binary_search_by_key(&ein, |&(ein, _)| ein).ok()?;
        Some(self.numbers[at].1)
    }

    /// Writes the items of every kind, and counts them.
    pub(super) fn write_items(
        &mut self,
        read: &gather::Items,
        extracted: &ExtractedItems,
        counts: &mut report::Items,
    ) -> Result<(), BuildError> {
        self.progress.stage("writing items", None);
        // Of one identifier the last counts: what the operator gives is read after what the program brings.
        let mut own = Arena::default();
        let mut places = Vec::new();
        for entry in curated::own_knowledge() {
            places.push(own.add(entry)?);
        }
        let own = places.into_iter().map(|place| entry::<Knowledge>(&own, place, None, None));
        let own = own.collect::<Result<_, _>>()?;
        let withdrawn = read.withdrawals.iter();
        self.withdrawn =
            withdrawn.filter_map(|one| Some((self.owner(one.ein)?, one.id.clone()))).collect();
        counts.stories = self.write_kind::<Story>(Vec::new(), &read.stories)?;
        counts.metrics = self.write_kind::<Metric>(extracted.metrics()?, &read.metrics)?;
        counts.posts = self.write_kind::<Post>(Vec::new(), &read.posts)?;
        counts.articles = self.write_kind::<Article>(Vec::new(), &read.articles)?;
        counts.knowledge = self.write_kind::<Knowledge>(own, &read.knowledge)?;
        counts.funds = self.write_kind::<Fund>(extracted.funds()?, &read.funds)?;
        Ok(())
    }

    /// Writes the items of a kind, those of `first` and then those that were read; says how many there are.
    fn write_kind<'e, Kind: ListedKind>(
        &mut self,
        first: Vec<Entry<'e, Key<Kind>>>,
        read: &[ItemRef],
    ) -> Result<u64, BuildError>
    where
        'a: 'e,
    {
        let mut entries = first;
        entries.extend(self.entries::<Kind>(read)?);
        let mut entries = arranged(entries, &mut self.superseded);
        if !self.withdrawn.is_empty() {
            entries.retain(|entry| {
                let (_, (id, owner)) = &entry.key;
                let named = owner.zip(Kind::name(id));
                named.is_none_or(|(owner, id)| !self.withdrawn.contains(&(owner, id.to_owned())))
            });
        }
        let folder = self.folder.join(Kind::FOLDER);
        let mut index = items::Builder::default();
        let is_searched = Kind::SEARCH != Search::Not;
        let mut words = is_searched.then(|| fulltext::Builder::create(&folder)).transpose()?;
        let mut texts = Texts::default();
        self.write(&entries, |&(_, (_, owner)), item: &Kind| {
            if let Some(owner) = owner {
                item.index(owner, &mut index);
            }
            if let Some(words) = &mut words {
                let ItemText { names, mission, embedded } = item.text();
                words.add(&fulltext::Text { names: &names, mission: Some(&mission) })?;
                if Kind::SEARCH == Search::ByMeaning {
                    texts.push(embedded.as_ref().unwrap_or(&mission));
                }
            }
            Ok(())
        })?;
        words.map(fulltext::Builder::finish).transpose()?;
        if Kind::IS_OWNED {
            index.finish(&folder.join(INDEX))?;
        }
        if Kind::SEARCH == Search::ByMeaning {
            self.texts.push((Kind::FOLDER, texts));
        }
        Ok(entries.len() as u64)
    }

    fn entries<Kind: ListedKind>(
        &self,
        read: &[ItemRef],
    ) -> Result<Vec<Entry<'a, Key<Kind>>>, ArenaError> {
        let arena = self.arena;
        let entry = |item: &ItemRef| {
            // Items of an EIN that nobody has were refused.
            let owner = item.ein.and_then(|ein| self.owner(ein));
            entry::<Kind>(arena, item.place, owner, Some(item.source))
        };
        read.par_iter().map(entry).collect()
    }

    /// Stores the items in order, calling `each` for every one.
    pub(super) fn write<Record, Key: Sync>(
        &mut self,
        entries: &[Entry<'_, Key>],
        mut each: impl FnMut(&Key, &Record) -> Result<(), BuildError>,
    ) -> Result<(), BuildError>
    where
        Record: Stored + Serialize + DeserializeOwned + Send + Sync,
    {
        for (at, batch) in entries.chunks(BATCH).enumerate() {
            let records: Vec<Record> = batch
                .par_iter()
                .map(|entry| entry.arena.get(entry.place))
                .collect::<Result<_, _>>()?;
            let first = |run: usize| (at * BATCH + run * PACKED) as u32;
            let packed: Vec<_> = records
                .par_chunks(PACKED)
                .enumerate()
                .map(|(run, records)| store::pack(first(run), records))
                .collect::<Result<_, _>>()?;
            for blocks in &packed {
                self.store.append(blocks)?;
            }
            for (entry, record) in batch.iter().zip(&records) {
                each(&entry.key, record)?;
            }
            self.progress.advance(batch.len() as u64);
        }
        Ok(())
    }
}

/// How the items of a kind are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    Not,
    ByWords,
    ByMeaning,
}

/// What is searched of an item, and what is embedded of it where that is more than its mission.
#[derive(Debug, Default)]
struct ItemText<'a> {
    names: Vec<&'a str>,
    mission: String,
    embedded: Option<String>,
}

/// A kind of item: in which folder it lies, in which order it is listed, and what its indexes hold.
trait ListedKind: Stored + Serialize + DeserializeOwned + Send + Sync {
    const FOLDER: &'static str;
    /// Whether each is a nonprofit's, by which it is listed.
    const IS_OWNED: bool = true;
    const SEARCH: Search = Search::ByMeaning;
    /// What it is listed by before its identifier.
    type Order: Ord + Send + Sync;
    type Id: Ord + Send + Sync;

    fn key(&self) -> (Self::Order, Self::Id);
    /// The identifier by which one that is owned can be taken back.
    fn name(_id: &Self::Id) -> Option<&str> {
        None
    }
    /// Adds its row to the index of those that are owned.
    fn index(&self, _owner: OrgId, _index: &mut items::Builder) {}
    fn text(&self) -> ItemText<'_> {
        ItemText::default()
    }
}

impl ListedKind for Story {
    const FOLDER: &'static str = STORIES;
    type Order = Reverse<i64>;
    type Id = String;

    fn key(&self) -> (Self::Order, String) {
        // Scores are 0 to 10 with few decimals; a score that is not known is below all.
        let score = self.power_score.map_or(i64::MIN, |score| (score * 1e9) as i64);
        (Reverse(score), self.story_id.clone())
    }

    fn name(id: &String) -> Option<&str> {
        Some(id)
    }

    fn index(&self, owner: OrgId, index: &mut items::Builder) {
        let (identifier, score) = (self.story_id.as_str(), self.power_score);
        index.push(&items::ItemRow { owner, identifier, kind: None, score });
    }

    fn text(&self) -> ItemText<'_> {
        let states = [&self.before_state, &self.transformation_moment, &self.after_state];
        let states: Vec<String> = states.into_iter().flatten().cloned().collect();
        let (hook, quote) = (self.emotional_hook.as_deref(), self.full_quote.as_deref());
        let mission = recipe::story(&self.story_title, hook, &states, quote);
        ItemText { names: vec![&self.story_title], mission, embedded: None }
    }
}

impl ListedKind for Metric {
    const FOLDER: &'static str = METRICS;
    const SEARCH: Search = Search::Not;
    type Order = (Reverse<Option<i32>>, Reverse<Option<Timestamp>>);
    type Id = String;

    fn key(&self) -> (Self::Order, String) {
        ((Reverse(self.report_year), Reverse(self.date_added)), self.metric_id.clone())
    }

    fn name(id: &String) -> Option<&str> {
        Some(id)
    }

    fn index(&self, owner: OrgId, index: &mut items::Builder) {
        let kind = self.metric_type.as_deref().map(naming::normalise);
        let (identifier, kind) = (self.metric_id.as_str(), kind.as_deref());
        index.push(&items::ItemRow { owner, identifier, kind, score: None });
    }
}

impl ListedKind for Post {
    const FOLDER: &'static str = POSTS;
    const SEARCH: Search = Search::ByWords;
    type Order = Reverse<Option<Timestamp>>;
    type Id = String;

    fn key(&self) -> (Self::Order, String) {
        (Reverse(self.post_published_date), self.post_id.clone())
    }

    fn name(id: &String) -> Option<&str> {
        Some(id)
    }

    fn index(&self, owner: OrgId, index: &mut items::Builder) {
        let kind = self.post_classification.map(Classification::name);
        index.push(&items::ItemRow { owner, identifier: &self.post_id, kind, score: None });
    }

    /// All in one field: posts are not ranked, and one list a word is read.
    fn text(&self) -> ItemText<'_> {
        let more = [&self.post_description, &self.post_content].into_iter().flatten();
        let parts: Vec<&str> =
            std::iter::once(&self.post_title).chain(more).map(String::as_str).collect();
        ItemText { mission: parts.join(" "), ..ItemText::default() }
    }
}

impl ListedKind for Article {
    const FOLDER: &'static str = ARTICLES;
    const IS_OWNED: bool = false;
    type Order = ();
    type Id = i64;

    fn key(&self) -> ((), i64) {
        ((), self.id)
    }

    fn text(&self) -> ItemText<'_> {
        titled(vec![&self.title], [&self.excerpt, &self.text].into_iter().flatten())
    }
}

impl ListedKind for Knowledge {
    const FOLDER: &'static str = KNOWLEDGE;
    const IS_OWNED: bool = false;
    type Order = ();
    type Id = String;

    fn key(&self) -> ((), String) {
        ((), self.article_id.clone())
    }

    fn text(&self) -> ItemText<'_> {
        let titles = std::iter::once(&self.title).chain(&self.questions);
        titled(titles.map(String::as_str).collect(), [&self.content])
    }
}

impl ListedKind for Fund {
    const FOLDER: &'static str = FUNDS;
    const IS_OWNED: bool = false;
    type Order = ();
    type Id = i64;

    fn key(&self) -> ((), i64) {
        ((), self.id)
    }

    fn text(&self) -> ItemText<'_> {
        titled(vec![&self.title], [&self.purpose, &self.content].into_iter().flatten())
    }
}

/// The text of what has titles, and a body of which the most telling part comes first.
fn titled<'a>(titles: Vec<&'a str>, body: impl IntoIterator<Item = &'a String>) -> ItemText<'a> {
    let body: Vec<&str> = body.into_iter().map(String::as_str).collect();
    let mission = body.join(" ");
    let title = titles.join(" ");
    let embedded = Some(recipe::titled(&title, body));
    ItemText { names: titles, mission, embedded }
}

/// An item to be sorted and stored.
pub(super) struct Entry<'a, Key> {
    pub(super) key: Key,
    /// `None` for an item extracted from a return.
    pub(super) source: Option<u32>,
    pub(super) arena: &'a Arena,
    pub(super) place: ArenaOffset,
}

/// What items are sorted by: what they are listed by, then identifier and owner to break ties.
type Key<Kind> = (<Kind as ListedKind>::Order, (<Kind as ListedKind>::Id, Option<OrgId>));

fn entry<Kind: ListedKind>(
    arena: &Arena,
    place: ArenaOffset,
    owner: Option<OrgId>,
    source: Option<u32>,
) -> Result<Entry<'_, Key<Kind>>, ArenaError> {
    let (order, id) = arena.get::<Kind>(place)?.key();
    Ok(Entry { key: (order, (id, owner)), source, arena, place })
}

/// Sorts entries by their keys, and keeps the last of those whose keys end alike; notes the sources of
/// those that were dropped.
fn arranged<'a, When: Ord + Send, Id: Ord + Send>(
    mut entries: Vec<Entry<'a, (When, Id)>>,
    dropped: &mut Vec<u32>,
) -> Vec<Entry<'a, (When, Id)>> {
    // Stable: those of one identifier stay in the order read.
    entries.par_sort_by(|one, other| one.key.1.cmp(&other.key.1));
    entries.dedup_by(|later, kept| {
        let same = later.key.1 == kept.key.1;
        if same {
            std::mem::swap(later, kept);
            dropped.extend(later.source);
        }
        same
    });
    entries.par_sort_by(|one, other| one.key.cmp(&other.key));
    entries
}
