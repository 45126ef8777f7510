//! Writes the columns: one row an organization, in the order of their numbers.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;

use super::FILE;
use super::layout::{self, SECTIONS, Section, flag};
use crate::record::{OrgSize, Organization};
use crate::{naming, places};

/// Why the columns cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file cannot be written.
    #[error("cannot write {path}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The rows did not come sorted by state, county, city, ZIP code and EIN.
    #[error("organization {0} comes before the one ahead of it in the order of places and EINs")]
    Unsorted(u32),
    /// Two rows have one EIN.
    #[error("EIN {0:09} was added twice")]
    Twice(u32),
    /// There is too much text for 32-bit positions.
    #[error("the names, cities or counties are longer than 4 GiB together")]
    TooLong,
}

/// The values of one organization; made on any thread.
#[derive(Debug)]
pub struct ColumnRow {
    name: String,
    county: Option<String>,
    city: Option<String>,
    city_as_filed: Option<String>,
    /// Bytes of each section by OrgId that is filled row by row, in the order of the file.
    values: Values,
}

#[derive(Debug)]
struct Values {
    ein: u32,
    state: u8,
    zip: u32,
    point: [f32; 2],
    subsection: u8,
    flags: u16,
    ntee: [u8; 3],
    sdgs: u32,
    revenue: i64,
    revenue_ceiling: i64,
    expenses: i64,
    assets: i64,
    employees: u32,
    score: f32,
    rating: f32,
    size: u8,
    ruling: u16,
}

impl ColumnRow {
    /// The values of an organization.
    pub fn of(organization: &Organization) -> Self {
        let Organization { address, exemption, finances, .. } = organization;
        let known = |key: String| (!key.is_empty()).then_some(key);
        let dollars = |amount: Option<crate::record::Usd>| amount.map_or(i64::MIN, |a| a.dollars());
        let city = address.city.as_deref().map(places::city_key).and_then(known);
        let filed = address.city_as_filed.as_deref().map(places::city_key).and_then(known);
        let flag = |answer: Option<bool>, bit: u16| match answer {
            Some(true) => bit | flag::known(bit),
            Some(false) => flag::known(bit),
            None => 0,
        };
        let size = organization
            .size()
            .and_then(|size| OrgSize::ALL.iter().position(|&known| known == size));
        let overlay = organization.overlay.as_deref();
        Self {
            name: naming::normalise(&organization.name),
            county: address.county.as_deref().map(places::county_key).and_then(known),
            city_as_filed: filed.or_else(|| city.clone()),
            city,
            values: Values {
                ein: organization.ein.pack(),
                state: address.state.map_or(u8::MAX, |state| state.index()),
                zip: address.zip.map_or(u32::MAX, |zip| zip.pack()),
                point: address.point.map_or([f32::NAN; 2], |point| {
                    [point.latitude() as f32, point.longitude() as f32]
                }),
                subsection: exemption.subsection.map_or(u8::MAX, |code| code.number()),
                flags: flag(organization.is_private_foundation(), flag::FOUNDATION)
                    | flag(exemption.is_deductible(), flag::DEDUCTIBLE)
                    | flag(exemption.is_inactive(), flag::INACTIVE)
                    | flag(organization.is_vetted(), flag::VETTED)
                    | flag(organization.has_video(), flag::VIDEO),
                ntee: organization.ntee.map_or([0; 3], |code| code.bytes()),
                sdgs: organization.sdgs.mask(),
                revenue: dollars(finances.revenue),
                revenue_ceiling: dollars(finances.revenue_ceiling()),
                expenses: dollars(finances.expenses),
                assets: dollars(finances.assets),
                employees: finances.employees.unwrap_or(u32::MAX),
                score: overlay.and_then(|overlay| overlay.score).unwrap_or(f32::NAN),
                rating: overlay.and_then(|overlay| overlay.rating).unwrap_or(f32::NAN),
                size: size.map_or(u8::MAX, |at| at as u8),
                ruling: exemption.ruling.map_or(u16::MAX, |month| month.ordinal()),
            },
        }
    }
}

/// Distinct texts, sorted.
struct SortedKeys {
    /// Where each ends: u32.
    ends: Vec<u8>,
    text: Vec<u8>,
    /// The position of each, by the number it had.
    finals: Vec<u32>,
}

/// Distinct texts, numbered as they come.
#[derive(Debug, Default)]
struct Keys {
    numbers: HashMap<String, u32>,
}

impl Keys {
    /// The number of a text, for now; unknown is all ones.
    fn number(&mut self, key: Option<String>) -> u32 {
        let Some(key) = key else { return u32::MAX };
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    /// Sorts the texts: where each ends, the texts, and the final number of each by its first.
    fn sorted(self) -> Result<SortedKeys, BuildError> {
        let mut keys: Vec<(String, u32)> = self.numbers.into_iter().collect();
        keys.sort_unstable();
        let (mut ends, mut text) = (Vec::with_capacity(keys.len() * 4), Vec::new());
        let mut finals = vec![0; keys.len()];
        for (at, (key, first)) in keys.into_iter().enumerate() {
            text.extend_from_slice(key.as_bytes());
            let end = u32::try_from(text.len()).map_err(|_| BuildError::TooLong)?;
            ends.extend_from_slice(&end.to_le_bytes());
            finals[first as usize] = at as u32;
        }
        Ok(SortedKeys { ends, text, finals })
    }
}

/// Collects rows: about a hundred bytes and the name each.
#[derive(Debug, Default)]
pub struct Builder {
    sections: Sections,
    eins: Vec<u32>,
    county: Vec<u32>,
    city: Vec<u32>,
    city_as_filed: Vec<u32>,
    counties: Keys,
    cities: Keys,
    names: String,
    name_ends: Vec<u32>,
}

/// Bytes by section.
#[derive(Debug, Default)]
struct Sections([Vec<u8>; SECTIONS.len()]);

impl Sections {
    fn push(&mut self, section: Section, bytes: &[u8]) {
        self.0[section as usize].extend_from_slice(bytes);
    }

    fn fill(&mut self, section: Section, numbers: &[u32]) {
        self.0[section as usize] = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    }

    /// Drops a section in which every value is the unknown one.
    fn drop_unknown(&mut self, section: Section, unknown: &[u8]) {
        let bytes = &mut self.0[section as usize];
        if bytes.chunks(unknown.len()).all(|value| value == unknown) {
            *bytes = Vec::new();
        }
    }
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
        let ColumnRow { name, county, city, city_as_filed, values } = row;
        self.names.push_str(&name);
        let end = u32::try_from(self.names.len()).map_err(|_| BuildError::TooLong)?;
        self.name_ends.push(end);
        self.eins.push(values.ein);
        self.county.push(self.counties.number(county));
        self.city.push(self.cities.number(city));
        self.city_as_filed.push(self.cities.number(city_as_filed));
        let out = &mut self.sections;
        out.push(Section::State, &[values.state]);
        out.push(Section::Zip, &values.zip.to_le_bytes());
        for degrees in values.point {
            out.push(Section::Point, &degrees.to_le_bytes());
        }
        out.push(Section::Subsection, &[values.subsection]);
        out.push(Section::Flags, &values.flags.to_le_bytes());
        out.push(Section::Ntee, &values.ntee);
        out.push(Section::Sdgs, &values.sdgs.to_le_bytes());
        out.push(Section::Revenue, &values.revenue.to_le_bytes());
        out.push(Section::RevenueCeiling, &values.revenue_ceiling.to_le_bytes());
        out.push(Section::Expenses, &values.expenses.to_le_bytes());
        out.push(Section::Assets, &values.assets.to_le_bytes());
        out.push(Section::Employees, &values.employees.to_le_bytes());
        out.push(Section::Score, &values.score.to_le_bytes());
        out.push(Section::Rating, &values.rating.to_le_bytes());
        out.push(Section::Size, &[values.size]);
        out.push(Section::Ruling, &values.ruling.to_le_bytes());
        Ok(())
    }

    /// Writes [`FILE`] into a folder, not flushed to disk.
    ///
    /// # Errors
    /// When the rows did not come in order, an EIN came twice, or the file cannot be written.
    pub fn finish(mut self, folder: &Path) -> Result<(), BuildError> {
        self.place_keys()?;
        let mut index: Vec<(u32, u32)> = self.eins.iter().copied().zip(0..).collect();
        index.par_sort_unstable();
        if let Some(pair) = index.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(BuildError::Twice(pair[0].0));
        }
        let pairs: Vec<u32> = index.into_iter().flat_map(|(ein, org)| [ein, org]).collect();
        self.sections.fill(Section::EinIndex, &pairs);
        self.sections.fill(Section::Ein, &self.eins);
        let ranks = ranks(&self.names, &self.name_ends);
        self.sections.fill(Section::Name, &ranks);
        for section in
            [Section::Revenue, Section::RevenueCeiling, Section::Expenses, Section::Assets]
        {
            self.sections.drop_unknown(section, &i64::MIN.to_le_bytes());
        }
        self.sections.drop_unknown(Section::Employees, &u32::MAX.to_le_bytes());
        for section in [Section::Score, Section::Rating] {
            self.sections.drop_unknown(section, &f32::NAN.to_le_bytes());
        }
        let path = folder.join(FILE);
        let organizations = self.eins.len() as u32;
        let write = || -> io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&path)?);
            layout::write(&mut out, organizations, &self.sections.0)?;
            out.flush()
        };
        write().map_err(|source| BuildError::Io { path: path.clone(), source })
    }

    /// Numbers counties and cities in the order of their keys, and checks the order of the rows.
    fn place_keys(&mut self) -> Result<(), BuildError> {
        let SortedKeys { ends, text, finals: counties } =
            std::mem::take(&mut self.counties).sorted()?;
        self.sections.0[Section::CountyEnds as usize] = ends;
        self.sections.0[Section::CountyText as usize] = text;
        let SortedKeys { ends, text, finals: cities } =
            std::mem::take(&mut self.cities).sorted()?;
        self.sections.0[Section::CityEnds as usize] = ends;
        self.sections.0[Section::CityText as usize] = text;
        for (numbers, finals) in [
            (&mut self.county, &counties),
            (&mut self.city, &cities),
            (&mut self.city_as_filed, &cities),
        ] {
            for number in numbers.iter_mut().filter(|number| **number != u32::MAX) {
                *number = finals[*number as usize];
            }
        }
        let states = &self.sections.0[Section::State as usize];
        let place = |at: usize| (states[at], self.county[at], self.city[at]);
        if let Some(at) = (1..self.eins.len()).find(|&at| place(at - 1) > place(at)) {
            return Err(BuildError::Unsorted(at as u32));
        }
        self.sections.fill(Section::County, &self.county);
        self.sections.fill(Section::City, &self.city);
        self.sections.fill(Section::CityAsFiled, &self.city_as_filed);
        Ok(())
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
