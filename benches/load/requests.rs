//! Requests of every endpoint, made beforehand of what the server itself tells of its nonprofits,
//! and mixes of them. Which there are stands in `requests.tsv`.

use std::iter::once;

use almoner::table::Table;
use serde_json::json;

use crate::chance::Rng;
use crate::client;
use crate::server::Server;
use crate::template::fill;

const TABLE: Table = Table::new("benches/load/requests.tsv", include_str!("requests.tsv"));
/// Pages of a hundred nonprofits from which EINs, names and places are taken.
const PAGES: usize = 10;
/// Requests made of each row, from which one is drawn each time.
const VARIANTS: usize = 200;

const CAUSES: &str = "food banks|museums|youth sports|animal shelters|hospice care|adult literacy|\
community theater|homes for families without one|veterans|land trusts|job training|cancer research|\
public radio|churches|mental health|clean rivers";
const PLACES: &str = "in Ohio|in Texas|in Chicago|in New York|in California|near Denver|in Vermont|\
over $100k|in 60601|with more than 10 employees";
const MESSAGES: &str = "only ones over $100k|what about Texas instead|tell me about the second one|\
what's its revenue?|others like the first one|show me more|start over|what is an EIN?|\
articles about hunger|what can you do";

/// A request, and how it must be answered.
#[derive(Debug)]
pub struct Ask {
    /// What it is counted as.
    pub endpoint: &'static str,
    pub bytes: Vec<u8>,
    pub status: u16,
}

/// Mixes by their columns in the table.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Costly searches first, and what is answered without waiting.
    Heavy,
    /// Searches alone.
    Searches,
    /// What pages of results are made of: mostly lookups, some searches.
    Light,
    /// Every endpoint, some requests of them wrong.
    Everything,
}

/// Requests to draw from, some rows more often than others.
#[derive(Debug)]
pub struct Mix {
    rows: Vec<(usize, Vec<Ask>)>,
    weights: usize,
}

impl Mix {
    /// Requests of what a server holds.
    pub fn new(kind: Kind, server: &Server, chance: &mut Rng) -> Self {
        let nonprofits = Nonprofit::list(server);
        let rows = TABLE.rows().filter_map(|row| {
            let [endpoint, status, heavy, searches, light, everything, key, session, target] = row;
            let weight = [heavy, searches, light, everything][kind as usize];
            let weight = weight.parse().expect("a weight");
            let status = status.parse().expect("a status");
            let mut ask = || {
                let nonprofit = chance.of(&nonprofits);
                let mut text = |template| {
                    let mut word = |word: &str, chance: &mut Rng| match word {
                        "key" => server.key().to_owned().into_bytes(),
                        _ => nonprofit.word(word, chance).into_bytes(),
                    };
                    let bytes = fill(template, chance, &mut word);
                    String::from_utf8(bytes).expect("UTF-8")
                };
                let session = format!("00000000-0000-4000-8000-0000000000{}", text(session));
                let session = Some(session.as_str()).filter(|session| !session.ends_with('-'));
                let (target, key) = (text(target), text(key));
                let bytes = match target.strip_prefix("POST ").and_then(|rest| rest.split_once(' '))
                {
                    Some((path, body)) => {
                        [client::submission(path, &key, body.len()), body.into()].concat()
                    }
                    None => client::request(&target, &key, session),
                };
                Ask { endpoint, bytes, status }
            };
            (weight > 0).then(|| (weight, (0..VARIANTS).map(|_| ask()).collect()))
        });
        Self::of_rows(rows.collect())
    }

    /// One request, which must be answered 200.
    pub fn fixed(endpoint: &'static str, bytes: Vec<u8>) -> Self {
        Self::of_rows(vec![(1, once(Ask { endpoint, bytes, status: 200 }).collect())])
    }

    fn of_rows(rows: Vec<(usize, Vec<Ask>)>) -> Self {
        let weights = rows.iter().map(|(weight, _)| weight).sum();
        Self { rows, weights }
    }

    pub fn draw(&self, chance: &mut Rng) -> &Ask {
        let mut left = chance.below(self.weights);
        for (weight, asks) in &self.rows {
            if left < *weight {
                return chance.of(asks);
            }
            left -= weight;
        }
        unreachable!("weights sum up")
    }
}

/// A nonprofit, as far as requests are made of it.
#[derive(Debug)]
struct Nonprofit {
    ein: String,
    name: String,
    state: String,
    place: (f64, f64),
}

impl Nonprofit {
    /// The largest of a server.
    fn list(server: &Server) -> Vec<Self> {
        let pages = (1..=PAGES).map(|page| server.nonprofits(&format!("size=100&page={page}")));
        let nonprofits: Vec<Self> = pages
            .flatten()
            .map(|row| Self {
                ein: row["ein"].as_str().expect("an EIN").to_owned(),
                name: row["name"].as_str().unwrap_or("none").to_owned(),
                state: row["state"].as_str().unwrap_or("OH").to_owned(),
                place: (row["lat"].as_f64().unwrap_or(40.0), row["lng"].as_f64().unwrap_or(-83.0)),
            })
            .collect();
        assert!(!nonprofits.is_empty(), "the snapshot has nonprofits");
        nonprofits
    }

    /// What a word of the table stands for.
    fn word(&self, word: &str, chance: &mut Rng) -> String {
        let one_of = |all: &str, chance: &mut Rng| {
            let all: Vec<&str> = all.split('|').collect();
            encoded(chance.of::<&str>(&all))
        };
        match word {
            "ein" => self.ein.clone(),
            "list" => {
                let query = json!({ "name": self.name, "state": self.state });
                json!({ "queries": vec![query; 20] }).to_string()
            }
            "batch" => json!({ "eins": vec![&self.ein; 20] }).to_string(),
            "state" => self.state.clone(),
            "coordinates" => format!("latitude={}&longitude={}", self.place.0, self.place.1),
            "major" => char::from(b'A' + chance.below(26) as u8).to_string(),
            "cause" => one_of(CAUSES, chance),
            "place" => one_of(PLACES, chance),
            "message" => one_of(MESSAGES, chance),
            "typed" => {
                let start: String = self.name.chars().take(2 + chance.below(12)).collect();
                encoded(if start.trim().len() < 2 { "fi" } else { start.trim() })
            }
            "word" => {
                // A person's name has two characters at least.
                let words = self.name.split_whitespace();
                let words: Vec<&str> = words.filter(|word| word.chars().count() > 1).collect();
                encoded(if words.is_empty() { "friends" } else { chance.of::<&str>(&words) })
            }
            unknown => panic!("{unknown} means nothing"),
        }
    }
}

/// A text as the value of a query's parameter.
pub fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
