//! Arranges stories, metrics and posts in the order in which they are listed, and articles, knowledge
//! and funds by identifier, and writes them.
//!
//! Stories go by power score, metrics by year, posts by date, the greatest or latest first, what has
//! none last, and what is equal by identifier. Of one identifier of a nonprofit the last one read counts.

use std::cmp::Reverse;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::embedding::Texts;
use super::error::BuildError;
use super::gather::{self, ItemRef};
use super::report::Progress;
use crate::curated;
use crate::embed::recipe;
use crate::index::{fulltext, items};
use crate::naming;
use crate::record::{Article, Classification, Ein, Fund, Knowledge, Metric, OrgId, Post, Story};
use crate::snapshot::directory::{ARTICLES, FUNDS, INDEX, KNOWLEDGE, METRICS, POSTS, STORIES};
use crate::store::{self, Stored};

/// Items that are decoded and packed at a time: enough for every core, few enough that a batch of the
/// longest lines there may be fits into memory.
const BATCH: usize = 8 * PACKED;

/// Items that are packed together; the last block of each run is not full.
const PACKED: usize = 128;

/// Bytes of metrics of returns that are kept in memory.
const EXTRACTED_BYTES_MAX: usize = 256 << 20;

/// What metrics were found in returns while organizations were made.
#[derive(Debug, Default)]
pub(super) struct ExtractedMetrics {
    arena: Arena,
    metrics: Vec<(OrgId, ArenaOffset)>,
}

impl ExtractedMetrics {
    /// None yet; `folder` is where those go that memory is not to hold.
    pub(super) fn new(folder: &Path) -> Result<Self, ArenaError> {
        Ok(Self { arena: Arena::spilling(folder, EXTRACTED_BYTES_MAX)?, metrics: Vec::new() })
    }

    pub(super) fn add(&mut self, org: OrgId, metric: &Metric) -> Result<(), BuildError> {
        self.metrics.push((org, self.arena.add(metric)?));
        Ok(())
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
}

/// How many were written, and of which sources were those that a later one of the same identifier and
/// nonprofit replaced.
#[derive(Debug, Clone, Default)]
pub(super) struct ItemCounts {
    pub(super) items: u64,
    pub(super) superseded: Vec<u32>,
}

impl<'a> Writing<'a> {
    /// Writes the stories; also gives what is to be embedded of each.
    pub(super) fn stories(&mut self, read: &[ItemRef]) -> Result<(ItemCounts, Texts), BuildError> {
        let mut texts = Texts::default();
        let entries = self.entries(read, |story: &Story, owner| {
            // Scores are 0 to 10 with few decimals; a score that is not known is below all.
            let score = story.power_score.map_or(i64::MIN, |score| (score * 1e9) as i64);
            (Reverse(score), (story.story_id.clone(), owner))
        })?;
        let (entries, superseded) = arranged(entries);
        let mut index = items::Builder::default();
        let folder = self.folder.join(STORIES);
        let mut words = fulltext::Builder::create(&folder)?;
        let items = self.write(&entries, |&(_, (_, owner)), story: &Story| {
            index.push(&items::ItemRow {
                owner,
                identifier: &story.story_id,
                kind: None,
                score: story.power_score,
            });
            let text = about(story);
            words.add(&fulltext::Text { names: &[&story.story_title], mission: Some(&text) })?;
            texts.push(&text);
            Ok(())
        })?;
        words.finish()?;
        index.finish(&folder.join(INDEX))?;
        Ok((ItemCounts { items, superseded }, texts))
    }

    /// Writes the metrics of curated records and of returns.
    pub(super) fn metrics(
        &mut self,
        read: &[ItemRef],
        extracted: &ExtractedMetrics,
    ) -> Result<ItemCounts, BuildError> {
        let key = |metric: &Metric, owner: OrgId| {
            let when = (Reverse(metric.report_year), Reverse(metric.date_added));
            (when, (metric.metric_id.clone(), owner))
        };
        let mut entries = self.entries(read, key)?;
        let stated: Vec<Entry<'_, _>> = extracted
            .metrics
            .par_iter()
            .map(|&(owner, place)| {
                Entry::of(&extracted.arena, place, None, |metric| key(metric, owner))
            })
            .collect::<Result<_, _>>()?;
        // Those of curated records come later, hence count.
        entries.splice(0..0, stated);
        let (entries, superseded) = arranged(entries);
        let mut index = items::Builder::default();
        let items = self.write(&entries, |&(_, (_, owner)), metric: &Metric| {
            index.push(&items::ItemRow {
                owner,
                identifier: &metric.metric_id,
                kind: metric.metric_type.as_deref().map(naming::normalise).as_deref(),
                score: None,
            });
            Ok(())
        })?;
        index.finish(&self.folder.join(METRICS).join(INDEX))?;
        Ok(ItemCounts { items, superseded })
    }

    /// Writes the posts.
    pub(super) fn posts(&mut self, read: &[ItemRef]) -> Result<ItemCounts, BuildError> {
        let entries = self.entries(read, |post: &Post, owner| {
            (Reverse(post.post_published_date), (post.post_id.clone(), owner))
        })?;
        let (entries, superseded) = arranged(entries);
        let mut index = items::Builder::default();
        let folder = self.folder.join(POSTS);
        let mut words = fulltext::Builder::create(&folder)?;
        let items = self.write(&entries, |&(_, (_, owner)), post: &Post| {
            index.push(&items::ItemRow {
                owner,
                identifier: &post.post_id,
                kind: post.post_classification.map(Classification::name),
                score: None,
            });
            // All in one field: posts are not ranked, and one list a word is read.
            let parts = [
                Some(&post.post_title),
                post.post_description.as_ref(),
                post.post_content.as_ref(),
            ];
            let text: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
            words.add(&fulltext::Text { names: &[], mission: Some(&text.join(" ")) })?;
            Ok(())
        })?;
        words.finish()?;
        index.finish(&folder.join(INDEX))?;
        Ok(ItemCounts { items, superseded })
    }

    /// Writes what has no owner: articles, the knowledge base with what the program brings of it, and
    /// funds, by identifier; also gives what is to be embedded of each.
    pub(super) fn library(
        &mut self,
        read: &gather::Items,
    ) -> Result<[(ItemCounts, Texts); 3], BuildError> {
        let mut own = Arena::default();
        let mut places = Vec::new();
        for entry in curated::own_knowledge() {
            places.push(own.add(entry)?);
        }
        let own = (&own, &places[..]);
        Ok([
            self.listed(ARTICLES, &read.articles, None, |article: &Article| article.id)?,
            self.listed(KNOWLEDGE, &read.knowledge, Some(own), |entry: &Knowledge| {
                entry.article_id.clone()
            })?,
            self.listed(FUNDS, &read.funds, None, |fund: &Fund| fund.id)?,
        ])
    }

    fn listed<Record, Id>(
        &mut self,
        below: &str,
        read: &[(ArenaOffset, u32)],
        own: Option<(&Arena, &[ArenaOffset])>,
        id: impl Fn(&Record) -> Id + Sync,
    ) -> Result<(ItemCounts, Texts), BuildError>
    where
        Record: Stored + Titled + Serialize + DeserializeOwned + Send + Sync,
        Id: Ord + Send + Sync,
    {
        let key = |record: &Record| ((), id(record));
        let of = |arena, place, source| Entry::of(arena, place, source, key);
        // Of one identifier the last counts: the operator's own.
        let own = own
            .into_iter()
            .flat_map(|(arena, places)| places.iter().map(move |&place| (arena, place, None)));
        let arena: &Arena = self.arena;
        let read = read.iter().map(|&(place, source)| (arena, place, Some(source)));
        let entries: Vec<_> = own
            .chain(read)
            .map(|(arena, place, source)| of(arena, place, source))
            .collect::<Result<_, _>>()?;
        let (entries, superseded) = arranged(entries);
        let mut texts = Texts::default();
        let mut words = fulltext::Builder::create(&self.folder.join(below))?;
        let items = self.write(&entries, |_, record: &Record| {
            let body = record.body();
            let questions = record.questions();
            let titles: Vec<&str> = std::iter::once(record.title())
                .chain(questions.iter().map(String::as_str))
                .collect();
            words.add(&fulltext::Text { names: &titles, mission: Some(&body.join(" ")) })?;
            texts.push(&recipe::titled(&titles.join(" "), body));
            Ok(())
        })?;
        words.finish()?;
        Ok((ItemCounts { items, superseded }, texts))
    }

    fn entries<Record: DeserializeOwned, Key: Send>(
        &self,
        read: &[ItemRef],
        key: impl Fn(&Record, OrgId) -> Key + Sync,
    ) -> Result<Vec<Entry<'a, Key>>, BuildError> {
        let (arena, numbers) = (self.arena, self.numbers);
        let entry = |item: &ItemRef| {
            let at = numbers.binary_search_by_key(&item.ein, |&(ein, _)| ein);
            let at = at.expect("items of an EIN that nobody has were refused");
            let (owner, source) = (numbers[at].1, Some(item.source));
            Ok(Entry::of(arena, item.place, source, |record| key(record, owner))?)
        };
        read.par_iter().map(entry).collect()
    }

    /// Stores the items in order, calling `each` for every one; returns how many there are.
    pub(super) fn write<Record, Key: Sync>(
        &mut self,
        entries: &[Entry<'_, Key>],
        mut each: impl FnMut(&Key, &Record) -> Result<(), BuildError>,
    ) -> Result<u64, BuildError>
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
        Ok(entries.len() as u64)
    }
}

/// What has a title and tells something.
trait Titled {
    fn title(&self) -> &str;
    /// What it tells, the most telling first.
    fn body(&self) -> Vec<&str>;

    /// Other ways to ask for it.
    fn questions(&self) -> &[String] {
        &[]
    }
}

impl Titled for Article {
    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> Vec<&str> {
        [&self.excerpt, &self.text].into_iter().flatten().map(String::as_str).collect()
    }
}

impl Titled for Knowledge {
    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> Vec<&str> {
        vec![&self.content]
    }

    fn questions(&self) -> &[String] {
        &self.questions
    }
}

impl Titled for Fund {
    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> Vec<&str> {
        [&self.purpose, &self.content].into_iter().flatten().map(String::as_str).collect()
    }
}

/// An item to be sorted and stored.
pub(super) struct Entry<'a, Key> {
    /// Sort key: what the item is listed by, then its identifier and owner to break ties.
    pub(super) key: Key,
    /// `None` for an item extracted from a return.
    pub(super) source: Option<u32>,
    pub(super) arena: &'a Arena,
    pub(super) place: ArenaOffset,
}

impl<'a, Key> Entry<'a, Key> {
    fn of<Record: DeserializeOwned>(
        arena: &'a Arena,
        place: ArenaOffset,
        source: Option<u32>,
        key: impl Fn(&Record) -> Key,
    ) -> Result<Self, ArenaError> {
        Ok(Self { key: key(&arena.get(place)?), source, arena, place })
    }
}

/// Sorts entries by their keys, and keeps the last of those whose keys end alike; gives the sources of
/// those that were dropped.
fn arranged<When: Ord + Send, Id: Ord + Send>(
    mut entries: Vec<Entry<'_, (When, Id)>>,
) -> (Vec<Entry<'_, (When, Id)>>, Vec<u32>) {
    let mut dropped = Vec::new();
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
    (entries, dropped)
}

/// What is embedded of a story.
fn about(story: &Story) -> String {
    let states = [&story.before_state, &story.transformation_moment, &story.after_state];
    let states: Vec<String> = states.into_iter().flatten().cloned().collect();
    let (hook, quote) = (story.emotional_hook.as_deref(), story.full_quote.as_deref());
    recipe::story(&story.story_title, hook, &states, quote)
}
