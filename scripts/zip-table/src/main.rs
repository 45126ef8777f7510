//! Prints `data/zips.tsv` from the table of the crate `zipcodes`, sorted by ZIP code.
//!
//! Columns, separated by tabs: ZIP code, state, primary city, county, latitude, longitude in
//! degrees, other accepted cities separated by `|`. State, city and county are empty where they are
//! those of the line above; `-` stands for what is not known.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

/// Names that the source writes with a capital and prose does not, save at the start.
const SMALL: [&str; 10] = ["And", "By", "De", "Del", "Du", "In", "Of", "On", "Or", "The"];

/// What the source writes as a word and is read letter by letter.
const CAPITALS: [&str; 6] = ["Afb", "Apo", "Dpo", "Fpo", "Jber", "Nas"];

/// What follows a county's name in the source and is left out.
const COUNTY_KINDS: [&str; 8] = [
    " County",
    " Parish",
    " City and Borough",
    " Borough",
    " Census Area",
    " Municipality",
    " Municipio",
    " Municipal",
];

/// What precedes it there and is left out.
const COUNTY_KIND_OF: [&str; 2] = ["Municipality of ", "City and Borough of "];

fn main() -> Result<(), Box<dyn Error>> {
    let mut rows = zipcodes::list_all();
    rows.sort_by(|a, b| a.zip_code.cmp(&b.zip_code));
    rows.dedup_by(|a, b| a.zip_code == b.zip_code);
    let spellings = Spellings::of(rows.iter().map(|row| (row.state.as_str(), county(&row.county))));
    let mut out = BufWriter::new(stdout().lock());
    let mut above = [String::new(), String::new(), String::new()];
    for row in rows {
        let county = match county(&row.county).as_str() {
            "" => "-".to_owned(),
            name => spellings.most(&row.state, name),
        };
        let line = [row.state, city(&row.city), county];
        let shown = |at: usize| if line[at] == above[at] { "" } else { line[at].as_str() };
        let (latitude, longitude) = point(&row.lat, &row.long);
        let others: Vec<String> = row.acceptable_cities.iter().map(|name| city(name)).collect();
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{latitude}\t{longitude}\t{}",
            row.zip_code,
            shown(0),
            shown(1),
            shown(2),
            others.join("|"),
        )?;
        above = line;
    }
    out.flush()?;
    Ok(())
}

/// How often a county's name is spelled in each way: `DuPage` and `Dupage` are one.
struct Spellings(HashMap<(String, String), HashMap<String, usize>>);

impl Spellings {
    fn of<'a>(counties: impl Iterator<Item = (&'a str, String)>) -> Self {
        let mut counts: HashMap<_, HashMap<String, usize>> = HashMap::new();
        for (state, name) in counties {
            *counts.entry(Self::key(state, &name)).or_default().entry(name).or_default() += 1;
        }
        Self(counts)
    }

    fn key(state: &str, name: &str) -> (String, String) {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        (state.to_owned(), letters.flat_map(char::to_lowercase).collect())
    }

    /// The commonest spelling in a state, the first of those in the order of letters.
    fn most(&self, state: &str, name: &str) -> String {
        let counts = &self.0[&Self::key(state, name)];
        let best = counts.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        best.map_or_else(|| name.to_owned(), |(name, _)| name.clone())
    }
}

/// A city's name with the capitals of prose; `Fort` and `Mount` in full, `Mc` joined and its name a capital.
fn city(name: &str) -> String {
    let mut full = String::with_capacity(name.len() + 2);
    for (at, word) in name.split_whitespace().enumerate() {
        if at > 0 && !full.ends_with("Mc") {
            full.push(' ');
        }
        match word {
            "Ft" if at == 0 => full.push_str("Fort"),
            "Mt" if at == 0 => full.push_str("Mount"),
            _ if at > 0 && SMALL.contains(&word) => full.push_str(&word.to_ascii_lowercase()),
            _ if CAPITALS.contains(&word) => full.push_str(&word.to_ascii_uppercase()),
            _ => match word.strip_prefix("Mc").and_then(|name| name.chars().next()) {
                Some(letter) => {
                    full.push_str("Mc");
                    full.push(letter.to_ascii_uppercase());
                    full.push_str(&word[3..]);
                }
                None => full.push_str(word),
            },
        }
    }
    full
}

/// A county's name without its kind; an independent city keeps the word, for a county may share
/// its name.
fn county(name: &str) -> String {
    let name = COUNTY_KIND_OF.iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name);
    match name.strip_suffix(" city") {
        Some(city) => format!("{city} City"),
        None => {
            let plain = COUNTY_KINDS.iter().find_map(|kind| name.strip_suffix(kind));
            plain.unwrap_or(name).to_owned()
        }
    }
}

/// The coordinates, or `-` for both where the source has none or 0.
fn point(latitude: &str, longitude: &str) -> (String, String) {
    match (latitude.parse::<f64>(), longitude.parse::<f64>()) {
        (Ok(latitude), Ok(longitude)) if latitude != 0.0 && longitude != 0.0 => {
            (latitude.to_string(), longitude.to_string())
        }
        _ => ("-".to_owned(), "-".to_owned()),
    }
}
