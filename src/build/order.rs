//! Orders the organizations of a snapshot by where they are: the order of their numbers.

use std::collections::HashMap;

use rayon::prelude::*;

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::gather::ByEin;
use super::group::{GroupCodes, coded_member};
use super::row::address;
use crate::irs::MasterRow;
use crate::places;
use crate::record::{GroupNumber, Listing, Ntee};

/// Master file rows whose place is looked up at a time: enough to keep every core busy, few enough
/// that their texts are small beside the rows.
const PLACE_BATCH: usize = 1 << 16;

/// What organizations are sorted by, in order; unknown is all ones, hence last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OrderKey {
    state: u8,
    /// Number of the county's key, then of the city's, in their order.
    county: u32,
    city: u32,
    zip: u32,
    pub(super) ein: u32,
    pub(super) row: ArenaOffset,
    /// What the master file has of it.
    pub(super) listing: Listing,
}

/// The rows in the order of their numbers, and the code that most members of each group ruling have;
/// `listing` is what the master file has of one.
pub(super) fn order(
    arena: &Arena,
    master: &[ByEin<ArenaOffset>],
    listing: impl Fn(&ByEin<ArenaOffset>) -> Listing + Sync,
) -> Result<(Vec<OrderKey>, HashMap<GroupNumber, Ntee>), ArenaError> {
    let (mut counties, mut cities) = (Keys::default(), Keys::default());
    let mut groups = GroupCodes::default();
    let mut order = Vec::with_capacity(master.len());
    for batch in master.chunks(PLACE_BATCH) {
        let found: Vec<_> = batch
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
                    listing: listing(row),
                };
                // The same keys as those of the columns, which hold runs of them.
                let county = address.county.as_deref().map(places::county_key);
                let city = address.city.as_deref().map(places::city_key);
                Ok((key, county, city, coded_member(&filed)))
            })
            .collect::<Result<_, ArenaError>>()?;
        for (key, county, city, coded) in found {
            if let Some(coded) = coded {
                groups.add(coded);
            }
            let (county, city) = (counties.number(county), cities.number(city));
            order.push(OrderKey { county, city, ..key });
        }
    }
    let (counties, cities) = (counties.sorted(), cities.sorted());
    for key in &mut order {
        key.county = counties.get(key.county as usize).copied().unwrap_or(u32::MAX);
        key.city = cities.get(key.city as usize).copied().unwrap_or(u32::MAX);
    }
    order.par_sort_unstable();
    Ok((order, groups.majorities()))
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
