//! Cities and counties with their ZIP codes and centroids, looked up by key.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{full_name, key, zip_table};
use crate::record::{Point, State, Zip5};

/// A city of a state: a name that is the primary or an accepted one of a ZIP code.
#[derive(Debug, Clone, PartialEq)]
pub struct City {
    /// The key of its name, as [`super::city_key`] makes it.
    pub key: String,
    pub state: State,
    /// In title case, written out where the table has it so.
    pub name: &'static str,
    /// Rising. More of them is a fair sign of more people.
    pub zips: Vec<Zip5>,
    /// ZIP codes of which it is the primary city.
    pub primary_zips: usize,
    /// Mean of its ZIP codes' centroids.
    pub point: Option<Point>,
}

/// A county, parish, borough or municipio of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct County {
    /// The key of its name, as [`super::county_key`] makes it.
    pub key: String,
    pub state: State,
    /// In title case, without “County” and the like.
    pub name: &'static str,
    /// Rising.
    pub zips: Vec<Zip5>,
    /// Mean of its ZIP codes' centroids.
    pub point: Option<Point>,
}

/// Every city, by key; those of one key by falling number of primary ZIP codes.
pub fn cities() -> &'static [City] {
    &CITIES
}

/// Every county, by key; those of one key by falling number of ZIP codes.
pub fn counties() -> &'static [County] {
    &COUNTIES
}

/// The cities of a key, those of most primary ZIP codes first.
pub fn find_cities(key: &str) -> &'static [City] {
    let from = CITIES.partition_point(|city| city.key.as_str() < key);
    let count = CITIES[from..].partition_point(|city| city.key == key);
    &CITIES[from..from + count]
}

/// The city of a key in a state.
pub fn city(key: &str, state: State) -> Option<&'static City> {
    find_cities(key).iter().find(|city| city.state == state)
}

/// Whether a state has a city of a key.
pub fn has_city(key: &str, state: State) -> bool {
    city(key, state).is_some()
}

/// The county of a key in a state.
pub fn county(key: &str, state: State) -> Option<&'static County> {
    find_counties(key).iter().find(|county| county.state == state)
}

/// The counties of a key, those of most ZIP codes first.
pub fn find_counties(key: &str) -> &'static [County] {
    let from = COUNTIES.partition_point(|county| county.key.as_str() < key);
    let count = COUNTIES[from..].partition_point(|county| county.key == key);
    &COUNTIES[from..from + count]
}

/// What gathers on one (key, state).
#[derive(Default)]
struct KeyEntries {
    name: &'static str,
    zips: Vec<Zip5>,
    primary_zips: usize,
    points: Vec<Point>,
}

impl KeyEntries {
    fn add(&mut self, name: &'static str, zip: Zip5, point: Option<Point>) {
        // The longest spelling is the one that is not shortened.
        if name.len() > self.name.len() {
            self.name = name;
        }
        if self.zips.last() != Some(&zip) {
            self.zips.push(zip);
            self.points.extend(point);
        }
    }

    fn centroid(&self) -> Option<Point> {
        let count = self.points.len() as f64;
        let mean = |sum: f64| sum / count;
        Point::new(
            mean(self.points.iter().map(|point| point.latitude()).sum()),
            mean(self.points.iter().map(|point| point.longitude()).sum()),
        )
        .ok()
    }
}

static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
    // Most names stand at many ZIP codes, and a key takes longer to make than a name to look up.
    let mut groups_of_names: HashMap<(&'static str, State), usize> = HashMap::with_capacity(40_000);
    let mut groups: HashMap<(String, State), usize> = HashMap::with_capacity(40_000);
    let mut gathered: Vec<KeyEntries> = Vec::with_capacity(40_000);
    for row in zip_table::rows() {
        let names: Vec<&'static str> = row.names().collect();
        for (position, &name) in names.iter().enumerate() {
            if is_short_here(name, &names, row.place.state) {
                continue;
            }
            let group = *groups_of_names.entry((name, row.place.state)).or_insert_with(|| {
                *groups.entry((key::city_key(name), row.place.state)).or_insert_with(|| {
                    gathered.push(KeyEntries::default());
                    gathered.len() - 1
                })
            });
            gathered[group].add(name, row.zip, row.place.point);
            gathered[group].primary_zips += usize::from(position == 0);
        }
    }
    let city = |((key, state), group): ((String, State), usize)| {
        let city = &mut gathered[group];
        City {
            key,
            state,
            name: city.name,
            point: city.centroid(),
            primary_zips: city.primary_zips,
            zips: std::mem::take(&mut city.zips),
        }
    };
    let mut cities: Vec<City> = groups.into_iter().map(city).collect();
    cities.sort_by(|a, b| {
        let size = |city: &City| std::cmp::Reverse((city.primary_zips, city.zips.len()));
        a.key.cmp(&b.key).then_with(|| size(a).cmp(&size(b))).then(a.state.cmp(&b.state))
    });
    cities
});

/// Whether a name is short for another of the same ZIP code, and no city of its own.
fn is_short_here(name: &str, names: &[&str], state: State) -> bool {
    let small = name.to_lowercase();
    let words: Vec<&str> = small.split(' ').collect();
    let mut others = names.iter().filter(|other| **other != name);
    full_name::nickname(&words, Some(state)).is_some()
        || others.any(|other| full_name::write_out(&words, other).is_some())
}

static COUNTIES: LazyLock<Vec<County>> = LazyLock::new(|| {
    let mut gathered: HashMap<(&'static str, State), KeyEntries> = HashMap::with_capacity(4_000);
    for row in zip_table::rows() {
        if let Some(name) = row.place.county {
            let entry = gathered.entry((name, row.place.state)).or_default();
            entry.add(name, row.zip, row.place.point);
        }
    }
    let mut counties: Vec<County> = gathered
        .into_iter()
        .map(|((name, state), county)| County {
            key: key::county_key(name),
            state,
            name,
            point: county.centroid(),
            zips: county.zips,
        })
        .collect();
    counties.sort_by(|a, b| {
        let size = |county: &County| std::cmp::Reverse(county.zips.len());
        let by_key = a.key.cmp(&b.key).then_with(|| size(a).cmp(&size(b)));
        by_key.then(a.state.cmp(&b.state)).then(a.name.cmp(b.name))
    });
    counties
});
