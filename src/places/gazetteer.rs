//! Cities and counties with their ZIP codes and centroids, looked up by key.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::{full_name, key, zip_table};
use crate::record::{Point, State, Zip5};

/// A city of a state, which is a name that is the primary or an accepted one of a ZIP code; or a county, parish,
/// borough or municipio of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Locality {
    /// The key of its name, as [`super::city_key`] or [`super::county_key`] makes it.
    pub key: String,
    pub state: State,
    /// In title case; of a city written out where the table has it so, of a county without “County” and the like.
    pub name: &'static str,
    /// Rising. More of them is a fair sign of more people.
    pub zips: Vec<Zip5>,
    /// ZIP codes of which it is the primary city; none of a county.
    pub primary_zips: usize,
    /// Mean of its ZIP codes' centroids.
    pub point: Option<Point>,
}

/// Every city, by key; those of one key by falling number of primary ZIP codes.
pub fn cities() -> &'static [Locality] {
    &CITIES
}

/// Every county, by key; those of one key by falling number of ZIP codes.
pub fn counties() -> &'static [Locality] {
    &COUNTIES
}

fn of_key(all: &'static [Locality], key: &str) -> &'static [Locality] {
    let from = all.partition_point(|one| one.key.as_str() < key);
    let count = all[from..].partition_point(|one| one.key == key);
    &all[from..from + count]
}

/// The cities of a key, those of most primary ZIP codes first.
pub fn find_cities(key: &str) -> &'static [Locality] {
    of_key(&CITIES, key)
}

/// Whether a city of any state is called so.
pub fn is_city(name: &str) -> bool {
    !find_cities(&key::city_key(name)).is_empty()
}

/// The counties of a key, those of most ZIP codes first.
pub fn find_counties(key: &str) -> &'static [Locality] {
    of_key(&COUNTIES, key)
}

/// The city of a key in a state.
pub fn city(key: &str, state: State) -> Option<&'static Locality> {
    find_cities(key).iter().find(|city| city.state == state)
}

/// The county of a key in a state.
pub fn county(key: &str, state: State) -> Option<&'static Locality> {
    find_counties(key).iter().find(|county| county.state == state)
}

/// The county of a city's ZIP codes, if all that have a county agree: post office boxes have ZIP codes without one.
pub fn county_of_city(key: &str, state: State) -> Option<&'static str> {
    let zips = city(key, state)?.zips.iter();
    let mut counties = zips.filter_map(|zip| zip_table::row(*zip)?.place.county);
    let first = counties.next()?;
    counties.all(|other| other == first).then_some(first)
}

/// Whether a state has a city of a key.
pub fn has_city(key: &str, state: State) -> bool {
    city(key, state).is_some()
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

    fn locality(self, key: String, state: State) -> Locality {
        let point = self.centroid();
        let Self { name, zips, primary_zips, .. } = self;
        Locality { key, state, name, zips, primary_zips, point }
    }
}

/// In the order in which they are looked up.
fn sorted(mut all: Vec<Locality>) -> Vec<Locality> {
    let size = |one: &Locality| Reverse((one.primary_zips, one.zips.len()));
    all.sort_by(|a, b| {
        let by_size = a.key.cmp(&b.key).then_with(|| size(a).cmp(&size(b)));
        by_size.then(a.state.cmp(&b.state)).then(a.name.cmp(b.name))
    });
    all
}

static CITIES: LazyLock<Vec<Locality>> = LazyLock::new(|| {
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
        std::mem::take(&mut gathered[group]).locality(key, state)
    };
    sorted(groups.into_iter().map(city).collect())
});

/// Whether a name is short for another of the same ZIP code, and no city of its own.
fn is_short_here(name: &str, names: &[&str], state: State) -> bool {
    let small = name.to_lowercase();
    let words: Vec<&str> = small.split(' ').collect();
    let mut others = names.iter().filter(|other| **other != name);
    full_name::nickname(&words, Some(state)).is_some()
        || others.any(|other| full_name::write_out(&words, other).is_some())
}

static COUNTIES: LazyLock<Vec<Locality>> = LazyLock::new(|| {
    let mut gathered: HashMap<(&'static str, State), KeyEntries> = HashMap::with_capacity(4_000);
    for row in zip_table::rows() {
        if let Some(name) = row.place.county {
            let entry = gathered.entry((name, row.place.state)).or_default();
            entry.add(name, row.zip, row.place.point);
        }
    }
    let counties = gathered.into_iter();
    let counties = counties.map(|((name, state), one)| one.locality(key::county_key(name), state));
    sorted(counties.collect())
});
