//! Joins the sources by EIN, orders the organizations, and makes their records.

use std::collections::HashMap;

use rayon::prelude::*;

use super::arena::{Arena, Place};
use super::gather::{Gathered, Keyed};
use crate::irs::MasterRow;
use crate::record::{
    Address, Deductibility, Exemption, Finances, Organization, Revocation, SdgSet,
};
use crate::{naming, places, taxonomy};

/// Master file rows whose place is looked up at a time: enough to keep every core busy, few enough
/// that their texts are small beside the rows.
const PLACE_BATCH: usize = 1 << 16;

/// The organizations of a snapshot in the order of their numbers, not yet made.
#[derive(Debug)]
pub(super) struct Merged {
    arena: Arena,
    /// Sorted; an organization's number is its position.
    order: Vec<OrderKey>,
    publication_78: Vec<Keyed<u32>>,
    code_lists: Vec<Vec<String>>,
    revocations: Vec<Keyed<Revocation>>,
    postcards: Vec<Keyed<Option<Place>>>,
}

/// What organizations are sorted by, in order; unknown is all ones, hence last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OrderKey {
    state: u8,
    /// Number of the county's key, then of the city's, in their order.
    county: u32,
    city: u32,
    zip: u32,
    ein: u32,
    row: Place,
}

/// What merging dropped, by source.
#[derive(Debug)]
pub(super) struct Dropped {
    pub(super) superseded: Vec<u64>,
    pub(super) unmatched: Vec<u64>,
}

/// Joins what was gathered.
pub(super) fn merge(gathered: Gathered) -> Result<(Merged, Dropped), postcard::Error> {
    let sources = gathered.sources.len();
    let mut dropped = Dropped { superseded: vec![0; sources], unmatched: vec![0; sources] };
    let Gathered { arena, code_lists, .. } = gathered;
    let master = last_of_each(gathered.master, &mut dropped.superseded);
    let known: Vec<u32> = master.iter().map(|row| row.ein).collect();
    let (superseded, unmatched) = (&mut dropped.superseded, &mut dropped.unmatched);
    let publication_78 =
        last_of_each(matched(gathered.publication_78, &known, unmatched), superseded);
    let revocations = last_of_each(matched(gathered.revocations, &known, unmatched), superseded);
    let postcards = last_of_each(matched(gathered.postcards, &known, unmatched), superseded);
    let order = order(&arena, &master)?;
    Ok((Merged { arena, order, publication_78, code_lists, revocations, postcards }, dropped))
}

/// Drops rows whose EIN is not known.
fn matched<Value>(
    mut rows: Vec<Keyed<Value>>,
    known: &[u32],
    unmatched: &mut [u64],
) -> Vec<Keyed<Value>> {
    rows.retain(|row| {
        let found = known.binary_search(&row.ein).is_ok();
        unmatched[row.source as usize] += u64::from(!found);
        found
    });
    rows
}

/// Sorts by EIN and keeps, of each, the row of the greatest rank that came last.
fn last_of_each<Value: Send>(
    mut rows: Vec<Keyed<Value>>,
    superseded: &mut [u64],
) -> Vec<Keyed<Value>> {
    // Stable: rows of one EIN and rank stay in the order read.
    rows.par_sort_by_key(|row| (row.ein, row.rank));
    rows.dedup_by(|later, kept| {
        let same = later.ein == kept.ein;
        if same {
            superseded[kept.source as usize] += 1;
            std::mem::swap(later, kept);
        }
        same
    });
    rows
}

/// The rows in the order of their numbers.
fn order(arena: &Arena, master: &[Keyed<Place>]) -> Result<Vec<OrderKey>, postcard::Error> {
    let (mut counties, mut cities) = (Keys::default(), Keys::default());
    let mut order = Vec::with_capacity(master.len());
    for batch in master.chunks(PLACE_BATCH) {
        let found: Vec<(OrderKey, Option<String>, Option<String>)> = batch
            .par_iter()
            .map(|row| {
                let filed: MasterRow = arena.get(row.value)?;
                let address = address(&filed);
                let key = OrderKey {
                    state: address.state.map_or(u8::MAX, |state| state.index()),
                    county: u32::MAX,
                    city: u32::MAX,
                    zip: address.zip.map_or(u32::MAX, |zip| zip.pack()),
                    ein: row.ein,
                    row: row.value,
                };
                // The same keys as those of the columns, which hold runs of them.
                let county = address.county.as_deref().map(places::county_key);
                let city = address.city.as_deref().map(places::city_key);
                Ok((key, county, city))
            })
            .collect::<Result<_, postcard::Error>>()?;
        order.extend(found.into_iter().map(|(key, county, city)| OrderKey {
            county: counties.number(county),
            city: cities.number(city),
            ..key
        }));
    }
    let (counties, cities) = (counties.sorted(), cities.sorted());
    for key in &mut order {
        key.county = counties.get(key.county as usize).copied().unwrap_or(u32::MAX);
        key.city = cities.get(key.city as usize).copied().unwrap_or(u32::MAX);
    }
    order.par_sort_unstable();
    Ok(order)
}

/// Distinct texts, numbered as they come.
#[derive(Debug, Default)]
struct Keys(HashMap<String, u32>);

impl Keys {
    fn number(&mut self, key: Option<String>) -> u32 {
        let Some(key) = key.filter(|key| !key.is_empty()) else { return u32::MAX };
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }

    /// The position of each, by its number, when all are sorted.
    fn sorted(self) -> Vec<u32> {
        let mut keys: Vec<(String, u32)> = self.0.into_iter().collect();
        keys.sort_unstable();
        let mut positions = vec![0; keys.len()];
        for (position, (_, number)) in keys.into_iter().enumerate() {
            positions[number as usize] = position as u32;
        }
        positions
    }
}

impl Merged {
    /// How many organizations there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The organization of a number below [`Merged::len`].
    pub(super) fn organization(&self, number: usize) -> Result<Organization, postcard::Error> {
        let key = &self.order[number];
        let row: MasterRow = self.arena.get(key.row)?;
        let codes = found(&self.publication_78, key.ein)
            .map(|&list| self.code_lists[list as usize].as_slice());
        let revocation = found(&self.revocations, key.ein).cloned();
        let (website, doing_business_as) = match found(&self.postcards, key.ein) {
            Some(&Some(at)) => self.arena.get::<(Option<String>, Vec<String>)>(at)?,
            _ => (None, Vec::new()),
        };
        let address = address(&row);
        let address =
            Address { street: row.street.as_deref().map(naming::display_place), ..address };
        let other_names = other_names(&row, &doing_business_as);
        Ok(Organization {
            ein: row.ein,
            name: naming::display_name(&row.name),
            alt_name: other_names.first().cloned(),
            other_names,
            in_care_of: in_care_of(&row),
            address,
            finances: finances(&row),
            ntee: row.ntee,
            sdgs: row.ntee.map_or(SdgSet::default(), taxonomy::goals),
            website,
            legal_name: row.name.clone(),
            exemption: exemption(row, codes, revocation),
        })
    }
}

/// The value of an EIN.
fn found<Value>(rows: &[Keyed<Value>], ein: u32) -> Option<&Value> {
    rows.binary_search_by_key(&ein, |row| row.ein).ok().map(|at| &rows[at].value)
}

/// Where an organization is, without the street.
fn address(row: &MasterRow) -> Address {
    let place = row.zip.and_then(places::zip);
    let city = row.city.as_deref().map(|filed| places::full_city(filed, row.zip, row.state));
    let city_as_filed = row.city.clone().filter(|filed| {
        city.as_deref().is_some_and(|city| naming::normalise(city) != naming::normalise(filed))
    });
    Address {
        street: None,
        city,
        city_as_filed,
        state: row.state,
        zip: row.zip,
        county: place.and_then(|place| place.county).map(str::to_owned),
        point: place.and_then(|place| place.point),
    }
}

/// The DBA names, then the sort name, without those that say the same as one before or as the
/// legal name.
fn other_names(row: &MasterRow, doing_business_as: &[String]) -> Vec<String> {
    let mut known = vec![naming::normalise(&row.name)];
    let mut names = Vec::new();
    for name in doing_business_as.iter().chain(&row.sort_name) {
        let normal = naming::normalise(name);
        if !normal.is_empty() && !known.contains(&normal) {
            known.push(normal);
            names.push(naming::display_alternate(name, &row.name));
        }
    }
    names
}

fn in_care_of(row: &MasterRow) -> Option<String> {
    let name = row.in_care_of.as_deref()?.trim_start_matches('%').trim();
    (!name.is_empty()).then(|| naming::display_name(name))
}

fn finances(row: &MasterRow) -> Finances {
    Finances {
        tax_period: row.tax_period,
        assets: row.assets,
        income: row.income,
        revenue: row.revenue,
        expenses: None,
        asset_class: row.asset_class,
        income_class: row.income_class,
        filing_requirement: row.filing_requirement,
        private_foundation_filing: row.private_foundation_filing,
        accounting_month: row.accounting_month,
    }
}

fn exemption(
    row: MasterRow,
    codes: Option<&[String]>,
    revocation: Option<Revocation>,
) -> Exemption {
    Exemption {
        subsection: row.subsection,
        classification: row.classification,
        ruling: row.ruling,
        deductibility: if codes.is_some() {
            Some(Deductibility::DEDUCTIBLE)
        } else {
            row.deductibility
        },
        publication_78: codes.unwrap_or_default().to_vec(),
        foundation: row.foundation,
        affiliation: row.affiliation,
        organization: row.organization,
        status: row.status,
        group: row.group,
        activity: row.activity,
        revocation,
    }
}
