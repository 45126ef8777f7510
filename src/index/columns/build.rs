//! Writes the columns: one row an organization, in the order of their numbers.

use std::collections::HashMap;
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::FILE;
use super::layout::{ColumnValues, FlagValue, MaybeUnknown, RowValues};
use crate::mapped::{TableWriter, WriteError};
use crate::query::Flag;
use crate::record::{Exemption, Foundation, OrgSize, Organization, Usd};
use crate::taxonomy::Cause;
use crate::{naming, places};

/// Why the columns cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The rows did not come sorted by state, county, city, ZIP code and EIN.
    #[error("organization {0} comes before the one ahead of it in the order of places and EINs")]
    Unsorted(u32),
    /// Two rows have one EIN.
    #[error("EIN {0:09} was added twice")]
    Twice(u32),
    /// There is too much text for 32-bit positions.
    #[error("the names are longer than 4 GiB together")]
    TooLong,
}

/// The values of one organization; made on any thread.
#[derive(Debug)]
pub struct ColumnRow {
    name: String,
    county: Option<String>,
    city: Option<String>,
    city_as_filed: Option<String>,
    /// All but the numbers of these.
    values: RowValues,
}

impl ColumnRow {
    /// The values of an organization.
    pub fn of(organization: &Organization) -> Self {
        let Organization { address, exemption, finances, .. } = organization;
        let known = |key: String| (!key.is_empty()).then_some(key);
        let dollars = |amount: Option<Usd>| amount.map_or(i64::UNKNOWN, Usd::dollars);
        let city = address.city.as_deref().map(places::city_key).and_then(known);
        let filed = address.city_as_filed.as_deref().map(places::city_key).and_then(known);
        let flags = Flag::ALL.map(|flag| flag_value(organization, flag).of(flag));
        let point = address.point.map_or(<[u8; 8]>::UNKNOWN, |point| {
            let [latitude, longitude] = [point.latitude() as f32, point.longitude() as f32];
            (u64::from(longitude.to_bits()) << 32 | u64::from(latitude.to_bits())).to_le_bytes()
        });
        let size = organization
            .size()
            .and_then(|size| OrgSize::ALL.iter().position(|&known| known == size));
        let overlay = organization.overlay.as_deref();
        Self {
            name: naming::normalise(&organization.name),
            county: address.county.as_deref().map(places::county_key).and_then(known),
            city_as_filed: filed.or_else(|| city.clone()),
            city,
            values: RowValues {
                ein: organization.ein.pack(),
                state: address.state.map_or(u8::UNKNOWN, |state| state.index()),
                county: u32::UNKNOWN,
                city: u32::UNKNOWN,
                city_as_filed: u32::UNKNOWN,
                zip: address.zip.map_or(u32::UNKNOWN, |zip| zip.pack()),
                point,
                subsection: exemption.subsection.map_or(u8::UNKNOWN, |code| code.number()),
                flags: flags.into_iter().fold(0, |all, bits| all | bits),
                ntee: organization.ntee.map_or(<[u8; 3]>::UNKNOWN, |code| code.bytes()),
                issue_area: Cause::of(organization)
                    .map_or(u8::UNKNOWN, |cause| cause.code.bytes()[0]),
                sdgs: organization.sdgs.mask(),
                revenue: dollars(finances.revenue),
                revenue_ceiling: dollars(finances.revenue_ceiling()),
                expenses: dollars(finances.expenses),
                assets: dollars(finances.assets),
                employees: finances.employees.unwrap_or(u32::UNKNOWN),
                score: overlay.and_then(|overlay| overlay.score).unwrap_or(f32::UNKNOWN),
                rating: overlay.and_then(|overlay| overlay.rating).unwrap_or(f32::UNKNOWN),
                size: size.map_or(u8::UNKNOWN, |at| at as u8),
                name: u32::UNKNOWN,
                ruling: exemption.ruling.map_or(u16::UNKNOWN, |month| month.ordinal()),
            },
        }
    }
}

/// Whether something is so of an organization.
fn flag_value(organization: &Organization, flag: Flag) -> FlagValue {
    let of = flag.definition().asked_of.map(|of| flag_value(organization, of));
    if of == Some(FlagValue::Known(false)) {
        return FlagValue::NotAsked;
    }
    let Exemption { foundation, listings, .. } = &organization.exemption;
    let is_so = match flag {
        Flag::Foundation => organization.is_private_foundation(),
        Flag::Operating => foundation.and_then(Foundation::is_operating),
        Flag::Church => organization.is_church(),
        Flag::Form1023Ez => listings.approvals.is_listed(),
        Flag::HasReturn => listings.returns.is_listed(),
        Flag::Deductible => organization.exemption.is_deductible(),
        Flag::Inactive => organization.exemption.is_inactive(),
        Flag::Vetted => organization.is_vetted(),
        Flag::Video => organization.has_video(),
    };
    is_so.map_or(FlagValue::Unknown, FlagValue::Known)
}

/// Distinct texts, numbered as they come.
#[derive(Debug, Default)]
struct Keys {
    numbers: HashMap<String, u32>,
}

impl Keys {
    /// The number of a text, for now; unknown is all ones.
    fn number(&mut self, key: Option<String>) -> u32 {
        let Some(key) = key else { return u32::UNKNOWN };
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    /// The texts, sorted, and the final number of each by its first.
    fn sorted(self) -> (Vec<String>, Vec<u32>) {
        let mut keys: Vec<(String, u32)> = self.numbers.into_iter().collect();
        keys.sort_unstable();
        let mut finals = vec![0; keys.len()];
        for (at, (_, first)) in keys.iter().enumerate() {
            finals[*first as usize] = at as u32;
        }
        (keys.into_iter().map(|(key, _)| key).collect(), finals)
    }
}

/// Collects rows: about a hundred bytes and the name each.
#[derive(Debug, Default)]
pub struct Builder {
    columns: ColumnValues,
    counties: Keys,
    cities: Keys,
    names: String,
    name_ends: Vec<u32>,
}

impl Builder {
    /// Columns of no organization.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next organization.
    ///
    /// # Errors
    /// When the names are too long together.
    pub fn push(&mut self, row: ColumnRow) -> Result<(), BuildError> {
        let ColumnRow { name, county, city, city_as_filed, mut values } = row;
        self.names.push_str(&name);
        let end = u32::try_from(self.names.len()).map_err(|_| BuildError::TooLong)?;
        self.name_ends.push(end);
        values.county = self.counties.number(county);
        values.city = self.cities.number(city);
        values.city_as_filed = self.cities.number(city_as_filed);
        self.columns.push(values);
        Ok(())
    }

    /// Writes the table into a folder, not flushed to disk.
    ///
    /// # Errors
    /// When the rows did not come in order, an EIN came twice, or the file cannot be written.
    pub fn finish(self, folder: &Path) -> Result<(), BuildError> {
        let Self { mut columns, counties, cities, names, name_ends } = self;
        let ((counties, county_numbers), (cities, city_numbers)) =
            (counties.sorted(), cities.sorted());
        for (column, finals) in [
            (&mut columns.county, &county_numbers),
            (&mut columns.city, &city_numbers),
            (&mut columns.city_as_filed, &city_numbers),
        ] {
            for number in column.iter_mut().filter(|number| **number != u32::UNKNOWN) {
                *number = finals[*number as usize];
            }
        }
        let place = |at: usize| (columns.state[at], columns.county[at], columns.city[at]);
        if let Some(at) = (1..columns.ein.len()).find(|&at| place(at - 1) > place(at)) {
            return Err(BuildError::Unsorted(at as u32));
        }
        let mut by_ein: Vec<(u32, u32)> = columns.ein.iter().copied().zip(0..).collect();
        by_ein.par_sort_unstable();
        if let Some(pair) = by_ein.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(BuildError::Twice(pair[0].0));
        }
        columns.name = ranks(&names, &name_ends);
        let mut out = TableWriter::create(&folder.join(FILE))?;
        columns.write(&mut out)?;
        out.pairs("by_ein", &by_ein)?;
        out.texts("counties", counties)?;
        out.texts("cities", cities)?;
        Ok(out.finish().map(drop)?)
    }
}

/// The position of each name among the distinct ones, sorted.
fn ranks(names: &str, ends: &[u32]) -> Vec<u32> {
    let name = |at: u32| {
        let start = if at == 0 { 0 } else { ends[at as usize - 1] as usize };
        &names.as_bytes()[start..ends[at as usize] as usize]
    };
    // The first eight bytes decide most comparisons.
    let head = |at: u32| {
        let mut bytes = [0; 8];
        let name = name(at);
        let length = name.len().min(8);
        bytes[..length].copy_from_slice(&name[..length]);
        u64::from_be_bytes(bytes)
    };
    let mut order: Vec<(u64, u32)> = (0..ends.len() as u32).map(|at| (head(at), at)).collect();
    order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| name(a.1).cmp(name(b.1))));
    let mut ranks = vec![0; ends.len()];
    let mut rank = 0;
    for (at, &(_, org)) in order.iter().enumerate() {
        if at > 0 && name(order[at - 1].1) != name(org) {
            rank += 1;
        }
        ranks[org as usize] = rank;
    }
    ranks
}
