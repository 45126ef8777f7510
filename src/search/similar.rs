//! Nonprofits like one: of its kind and of its size and near it, neither of its name nor of its group.
//!
//! Candidates are taken from scopes, the narrowest first: those with its code in its state, with codes of its
//! division, of its major group, and the same over the whole country; of each the nearest, those of its size
//! before the others; and those that a search for what its name says it does finds in its state and anywhere. All of
//! them are then put in order by kind, size, place, meaning and words together.

use std::collections::BTreeSet;

use super::SearchError;
use super::details::details;
use super::gaps::Gaps;
use super::listing::{ListPage, Paging};
use super::nonprofits::{self, NonprofitHit, NonprofitPage, Query, RelevanceQuery};
use super::plan::Plan;
use crate::index::columns::Bitmap;
use crate::index::names::without_legal_form;
use crate::naming::normalise;
use crate::query::{Area, Filters, Flag, Flags, Sort, SortKey};
use crate::record::{Ntee, OrgId, Organization};
use crate::snapshot::Snapshot;
use crate::understand::{Lookup, has_stem, is_generic, is_kind_word, says, tells};

/// The nearest of a scope that are of the same size class, and of any.
const OF_SIZE_MAX: usize = 60;
const OF_ANY_SIZE_MAX: usize = 30;

/// From this number of candidates on, wider scopes are left out.
const CANDIDATES_ENOUGH: usize = 90;

/// A code that is predicted with less than this probability tells no kind.
const PREDICTED_MIN: f32 = 0.3;

/// What kind, size, place and meaning count, each of 0 to 1.
const KIND_WEIGHT: f64 = 3.0;
const SIZE_WEIGHT: f64 = 2.0;
const PLACE_WEIGHT: f64 = 2.0;
const MEANING_WEIGHT: f64 = 1.5;
/// What the words count that two names share, weighed by how rare they are: of `Riding for Hope`, more than its code.
const WORDS_WEIGHT: f64 = 4.0;

/// Those that a search for the words of its name finds.
const OF_WORDS_MAX: usize = 40;

/// The miles at which a nonprofit is half as near as one next door, and how near any other of the state is.
const HALF_MILES: f64 = 40.0;
const IN_STATE: f64 = 0.4;

/// The powers of ten between two sizes that have nothing in common any more, and how alike sizes of which one is
/// not known are.
const SIZES_APART: f64 = 2.0;
const SIZE_UNKNOWN: f64 = 0.25;

/// Nonprofits that a search lists as like one.
const SIMILAR_MAX: usize = 100;

/// The page of nonprofits asked for, as [`nonprofits::search`] has it; where a query names nothing but a nonprofit that
/// others should be like, those that are like it in kind, size, place, meaning and words.
pub fn search(snapshot: &Lookup<'_>, query: &Query) -> Result<NonprofitPage, SearchError> {
    let is_alone = query.relevance.words().is_none();
    let subject = query.relevance.nonprofit.filter(|_| is_alone);
    let subject = subject.map(|ein| details(snapshot, ein)).transpose()?.flatten();
    let Some(subject) = subject else { return nonprofits::search(snapshot, query) };
    let selection = snapshot.select(&query.filters)?;
    let all = similar_among(snapshot, &subject, Some(&selection.matching), SIMILAR_MAX)?;
    if !query.sort.is_empty() && !all.is_empty() {
        let eins = all.iter().map(|one| one.ein).collect();
        let filters = Filters { eins, ..query.filters.clone() };
        let relevance = RelevanceQuery::default();
        return nonprofits::search(snapshot, &Query { filters, relevance, ..query.clone() });
    }
    let total = all.len() as u64;
    let paging = Paging { page: query.page, size: query.size };
    let hit = |organization| NonprofitHit { organization, cosine: None };
    Ok(NonprofitPage {
        total,
        unknown: selection.unknown,
        skipped: paging.skipped(),
        rows: ListPage::cut(all, paging).rows.into_iter().map(hit).collect(),
        plan: Plan {
            listed: Some(total),
            gaps: Gaps::of(&query.filters, &snapshot.coverage),
            ..Plan::columns(selection.matching.count())
        },
        ..NonprofitPage::default()
    })
}

/// Up to `limit` nonprofits like one, the most alike first.
pub(super) fn similar(
    snapshot: &Snapshot,
    organization: &Organization,
    limit: usize,
) -> Result<Vec<Organization>, SearchError> {
    similar_among(snapshot, organization, None, limit)
}

/// The same among those of a set.
fn similar_among(
    snapshot: &Snapshot,
    organization: &Organization,
    among: Option<&Bitmap>,
    limit: usize,
) -> Result<Vec<Organization>, SearchError> {
    let own = snapshot.columns.org_of(organization.ein)?;
    let subject = Subject::of(snapshot, organization, own)?;
    let candidates = subject.candidates(snapshot, among)?;
    let orgs: Vec<OrgId> = candidates.into_iter().collect();
    let meaning = match (&snapshot.vectors, own) {
        (Some(vectors), Some(own)) => vectors.cosines(&vectors.vector(own)?, &orgs)?,
        _ => vec![0.0; orgs.len()],
    };
    let mut found = Vec::with_capacity(orgs.len());
    for ((org, other), cosine) in orgs.iter().zip(snapshot.records.get_all(&orgs)?).zip(meaning) {
        if !subject.is_of_it(&other) {
            let code = code(snapshot, &other, Some(*org))?;
            let meaning = subject.meaning_weight() * f64::from(cosine);
            let words = WORDS_WEIGHT * subject.shared_words(&other);
            let likeness = subject.likeness(&other, code) + meaning + words;
            found.push((likeness, *org, other));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    Ok(found.into_iter().take(limit).map(|(_, _, organization)| organization).collect())
}

/// The nonprofit that others are compared with.
struct Subject<'a> {
    organization: &'a Organization,
    /// Filed, or else likely.
    code: Option<Ntee>,
    /// Its name in normal form without its legal form.
    name: String,
    /// In powers of ten of dollars.
    size: Option<f64>,
    is_foundation: bool,
    /// The words of its name that tell what it does, each with what it weighs: all together 1.
    words: Vec<(String, f64)>,
}

impl<'a> Subject<'a> {
    fn of(
        snapshot: &Snapshot,
        organization: &'a Organization,
        own: Option<OrgId>,
    ) -> Result<Self, SearchError> {
        Ok(Self {
            organization,
            code: code(snapshot, organization, own)?,
            name: without_legal_form(&organization.name),
            words: telling_words(snapshot, organization)?,
            size: size(organization),
            is_foundation: is_foundation(organization),
        })
    }

    /// Those that may be like it, it not among them.
    fn candidates(
        &self,
        snapshot: &Snapshot,
        among: Option<&Bitmap>,
    ) -> Result<BTreeSet<OrgId>, SearchError> {
        let mut found = BTreeSet::new();
        for (area, prefix) in self.scopes() {
            if found.len() >= CANDIDATES_ENOUGH {
                break;
            }
            let filters = Filters {
                areas: area.into_iter().collect(),
                ntee_prefixes: prefix.into_iter().collect(),
                ..self.filters()
            };
            let mut of_size = filters.clone();
            of_size.choices.sizes = self.organization.size().into_iter().collect();
            found.extend(self.nearest(snapshot, &of_size, among, OF_SIZE_MAX)?);
            found.extend(self.nearest(snapshot, &filters, among, OF_ANY_SIZE_MAX)?);
        }
        if self.code.is_none() || found.len() < OF_ANY_SIZE_MAX {
            // Where no code tells, or there are few of a kind, meaning does: in its state, and anywhere.
            for area in self.state().map(Some).into_iter().chain([None]) {
                let filters = Filters { areas: area.into_iter().collect(), ..self.filters() };
                let nearest = self.nearest_in_meaning(snapshot, filters)?.into_iter();
                found.extend(nearest.filter(|org| among.is_none_or(|set| set.contains(*org))));
            }
        }
        let words: Vec<&str> = self.words.iter().map(|(word, _)| &**word).collect();
        if !words.is_empty() {
            let text = words.join(" ");
            for area in self.state().map(Some).into_iter().chain([None]) {
                let filters = Filters { areas: area.into_iter().collect(), ..self.filters() };
                let query = Query::of(filters, RelevanceQuery::text(text.clone()), OF_WORDS_MAX);
                let best = nonprofits::search(&Lookup::of(snapshot), &query)?.best.into_iter();
                let best = best.take(OF_WORDS_MAX);
                found.extend(best.filter(|org| among.is_none_or(|set| set.contains(*org))));
            }
        }
        Ok(found)
    }

    /// Areas and prefixes of codes, the narrowest first; who has neither a code nor a place has no scope.
    fn scopes(&self) -> Vec<(Option<Area>, Option<String>)> {
        let state = self.state();
        let prefixes: Vec<Option<String>> = match self.code {
            Some(code) => {
                let lengths = (1..=code.as_str().len()).rev();
                let prefixes = lengths.map(|length| Some(code.as_str()[..length].to_owned()));
                // Foundations of a place are of a kind, whatever they are for.
                prefixes.chain(self.is_foundation.then_some(None)).collect()
            }
            None => vec![None],
        };
        let of_state = state.iter().flat_map(|state| {
            prefixes.iter().map(move |prefix| (Some(state.clone()), prefix.clone()))
        });
        let everywhere = prefixes.iter().flatten().map(|prefix| (None, Some(prefix.clone())));
        of_state.chain(everywhere).collect()
    }

    /// Its state, as far as it is known.
    fn state(&self) -> Option<Area> {
        let state = self.organization.address.state;
        state.map(|state| Area { state: Some(state), ..Area::default() })
    }

    fn nearest_in_meaning(
        &self,
        snapshot: &Snapshot,
        filters: Filters,
    ) -> Result<Vec<OrgId>, SearchError> {
        let nonprofit = Some(self.organization.ein);
        let like = RelevanceQuery { nonprofit, ..RelevanceQuery::default() };
        let query = Query::of(filters, like, OF_ANY_SIZE_MAX);
        let mut best = nonprofits::search(&Lookup::of(snapshot), &query)?.best;
        best.truncate(OF_ANY_SIZE_MAX);
        Ok(best)
    }

    /// What meaning counts: where no code is known, it tells the kind too.
    fn meaning_weight(&self) -> f64 {
        if self.code.is_some() { MEANING_WEIGHT } else { MEANING_WEIGHT + KIND_WEIGHT }
    }

    /// What every candidate satisfies.
    fn filters(&self) -> Filters {
        let flags = match self.is_foundation {
            true => Flags::from([(Flag::Foundation, true)]),
            false => Flags::default(),
        };
        let subsections = self.organization.exemption.subsection.into_iter().collect();
        Filters { not_eins: vec![self.organization.ein], flags, subsections, ..Filters::default() }
    }

    fn nearest(
        &self,
        snapshot: &Snapshot,
        filters: &Filters,
        among: Option<&Bitmap>,
        limit: usize,
    ) -> Result<Vec<OrgId>, SearchError> {
        let mut matching = snapshot.columns.select(filters)?.matching;
        if let Some(among) = among {
            matching.intersect(among);
        }
        let point = self.organization.address.point;
        let sorts: &[Sort] = match point {
            Some(_) => &[Sort::ascending(SortKey::Distance)],
            None => &[],
        };
        Ok(snapshot.columns.sorted(&matching, sorts, point, 0, limit)?)
    }

    /// Whether another is of it and not like it, a chapter or a body of its name; or is no more.
    fn is_of_it(&self, other: &Organization) -> bool {
        let group = self.organization.exemption.group;
        let name = without_legal_form(&other.name);
        (group.is_some() && other.exemption.group == group)
            || name == self.name
            || has_words(&name, &self.name)
            || other.exemption.is_inactive() == Some(true)
    }

    /// The share of its telling words that a name of another has.
    fn shared_words(&self, other: &Organization) -> f64 {
        let names = [&other.name].into_iter().chain(&other.alt_name).chain(&other.other_names);
        let names: Vec<String> = names.map(|name| normalise(name)).collect();
        let is_shared = |word: &str| names.iter().any(|name| has_stem(name, word));
        self.words.iter().filter(|(word, _)| is_shared(word)).map(|(_, weight)| weight).sum()
    }

    /// How alike another is in kind, size and place.
    fn likeness(&self, other: &Organization, code: Option<Ntee>) -> f64 {
        let mut kind = self.code.zip(code).map_or(0.0, |(one, other)| same_kind(one, other));
        if self.is_foundation != is_foundation(other) {
            kind /= 2.0;
        }
        let size = match self.size.zip(size(other)) {
            Some((one, other)) => (1.0 - (one - other).abs() / SIZES_APART).max(0.0),
            None => SIZE_UNKNOWN,
        };
        let (here, there) = (&self.organization.address, &other.address);
        let near = here
            .point
            .zip(there.point)
            .map_or(0.0, |(here, there)| HALF_MILES / (HALF_MILES + here.distance_miles(there)));
        let in_state = here.state.is_some() && here.state == there.state;
        let place = if in_state { near.max(IN_STATE) } else { near };
        KIND_WEIGHT * kind + SIZE_WEIGHT * size + PLACE_WEIGHT * place
    }
}

/// The share of a code that two have in common: all of it, the division, the major group, nothing.
fn same_kind(one: Ntee, other: Ntee) -> f64 {
    let same = |(one, other): &(u8, u8)| one == other;
    match one.bytes().into_iter().zip(other.bytes()).take_while(same).count() {
        0 => 0.0,
        1 => 0.5,
        2 => 0.75,
        _ => 1.0,
    }
}

/// Its code as filed, that of its group, or the likeliest one.
fn code(
    snapshot: &Snapshot,
    organization: &Organization,
    org: Option<OrgId>,
) -> Result<Option<Ntee>, SearchError> {
    let filed = organization.ntee.or(organization.group_ntee).filter(|code| !code.is_unknown());
    let (None, Some(org)) = (filed, org) else { return Ok(filed) };
    let likeliest = snapshot.causes.predicted(org)?.first().copied();
    Ok(likeliest.filter(|(_, probability)| *probability >= PREDICTED_MIN).map(|(code, _)| code))
}

/// The words of its name that say what it does, without places, kinds of bodies and names of persons, each with the square of
/// what it tells.
fn telling_words(
    snapshot: &Snapshot,
    organization: &Organization,
) -> Result<Vec<(String, f64)>, SearchError> {
    let name = without_legal_form(&organization.name);
    let address = &organization.address;
    let state = address.state.map(|state| state.name().to_owned());
    let place = address.city.iter().chain(&address.county).cloned().chain(state);
    let place = normalise(&place.collect::<Vec<_>>().join(" "));
    let is_telling = |word: &&str| {
        tells(word)
            && !is_generic(word)
            && is_kind_word(word)
            && !says(word, "word of many names")
            && !place.split(' ').any(|own| own == *word)
    };
    let count = f64::from(snapshot.columns.organizations());
    let mut words = Vec::new();
    for word in name.split(' ').filter(is_telling) {
        let frequency = snapshot.fulltext.frequency(word)? as f64;
        words.push((word.to_owned(), ((1.0 + count) / (1.0 + frequency)).ln().powi(2)));
    }
    let all: f64 = words.iter().map(|(_, weight)| weight).sum();
    words.iter_mut().for_each(|(_, weight)| *weight /= all.max(f64::MIN_POSITIVE));
    Ok(words)
}

fn is_foundation(organization: &Organization) -> bool {
    organization.is_private_foundation() == Some(true)
}

/// Revenue in powers of ten of dollars, or the most that it is; of a foundation its assets. `None` where neither is
/// known.
fn size(organization: &Organization) -> Option<f64> {
    let finances = &organization.finances;
    let assets = finances.assets.filter(|_| is_foundation(organization));
    let amounts = [assets, finances.revenue, finances.revenue_ceiling()];
    let dollars = amounts.into_iter().flatten().map(|amount| amount.dollars());
    dollars.filter(|dollars| *dollars > 0).map(|dollars| (dollars as f64).log10()).next()
}

/// Whether a name has the words of another in a row, which are more than one.
fn has_words(name: &str, words: &str) -> bool {
    words.contains(' ') && format!(" {name} ").contains(&format!(" {words} "))
}
