//! What is asked: requests of every endpoint, made beforehand of what the server itself tells of
//! its nonprofits, and mixes of them.

use serde_json::Value;

use crate::chance::Rng;
use crate::client;
use crate::server::Server;

/// Pages of a hundred nonprofits from which EINs, names and places are taken.
const PAGES: usize = 10;
/// Requests made of each kind, from which one is drawn each time.
const VARIANTS: usize = 500;
/// Conversations that go on by turns.
const SESSIONS: usize = 100;

/// A request, and how it must be answered.
#[derive(Debug)]
pub struct Ask {
    /// What it is counted as.
    pub endpoint: &'static str,
    pub bytes: Vec<u8>,
    pub status: u16,
}

/// Requests to draw from, some kinds more often than others.
#[derive(Debug)]
pub struct Mix {
    kinds: Vec<(usize, Vec<Ask>)>,
    weights: usize,
}

impl Mix {
    fn new(kinds: Vec<(usize, Vec<Ask>)>) -> Self {
        let weights = kinds.iter().map(|(weight, _)| weight).sum();
        Self { kinds, weights }
    }

    /// One request, which must be answered 200.
    pub fn fixed(endpoint: &'static str, bytes: Vec<u8>) -> Self {
        Self::new(vec![(1, vec![Ask { endpoint, bytes, status: 200 }])])
    }

    pub fn draw(&self, chance: &mut Rng) -> &Ask {
        let mut left = chance.below(self.weights);
        for (weight, asks) in &self.kinds {
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
pub struct Nonprofit {
    pub ein: String,
    pub name: String,
    pub state: String,
    pub place: (f64, f64),
}

/// What a server holds.
#[derive(Debug)]
pub struct Catalogue {
    pub nonprofits: Vec<Nonprofit>,
    key: String,
}

impl Catalogue {
    /// Asks a server for its largest nonprofits.
    pub fn of(server: &Server) -> Self {
        let mut nonprofits = Vec::new();
        for page in 1..=PAGES {
            let path = format!("/beta/nonprofits/search?size=100&page={page}");
            let text = client::body(server.address(), &server.request(&path));
            let found: Value = serde_json::from_str(&text).expect("JSON");
            let rows = found["nonprofits"].as_array().expect("nonprofits");
            nonprofits.extend(rows.iter().map(|row| Nonprofit {
                ein: row["ein"].as_str().expect("an EIN").to_owned(),
                name: row["name"].as_str().unwrap_or("none").to_owned(),
                state: row["state"].as_str().unwrap_or("OH").to_owned(),
                place: (row["lat"].as_f64().unwrap_or(40.0), row["lng"].as_f64().unwrap_or(-83.0)),
            }));
        }
        assert!(!nonprofits.is_empty(), "the snapshot has nonprofits");
        Self { nonprofits, key: server.key().to_owned() }
    }

    /// Costly searches first, and what is answered without waiting.
    pub fn heavy(&self, chance: &mut Rng) -> Mix {
        Mix::new(vec![
            (40, self.searches_of_text(chance)),
            (20, self.searches_by_filter(chance)),
            (20, self.typeahead(chance)),
            (20, self.of_nonprofits("/nonprofits/details", chance)),
        ])
    }

    /// Searches alone.
    pub fn searches(&self, chance: &mut Rng) -> Mix {
        Mix::new(vec![(1, self.searches_of_text(chance)), (1, self.searches_by_filter(chance))])
    }

    /// What pages of results are made of: mostly lookups, some searches.
    pub fn light(&self, chance: &mut Rng) -> Mix {
        Mix::new(vec![
            (4, self.of_nonprofits("/nonprofits/details", chance)),
            (4, self.typeahead(chance)),
            (1, self.searches_of_text(chance)),
            (1, self.searches_by_filter(chance)),
        ])
    }

    /// Every endpoint, some requests of them wrong.
    pub fn everything(&self, chance: &mut Rng) -> Mix {
        Mix::new(vec![
            (200, self.of_nonprofits("/nonprofits/details", chance)),
            (50, self.of_nonprofits("/nonprofits/standing", chance)),
            (50, self.of_nonprofits("/nonprofits/filings", chance)),
            (25, self.of_nonprofits("/impact/stories/{ein}", chance)),
            (25, self.of_nonprofits("/impact/metrics/{ein}", chance)),
            (240, self.typeahead(chance)),
            (100, self.searches_of_text(chance)),
            (100, self.searches_by_filter(chance)),
            (30, self.searches_by_distance(chance)),
            (60, self.feed(chance)),
            (20, self.stories(chance)),
            (20, self.metrics(chance)),
            (40, self.chat(chance)),
            (4, self.fixed("/openapi.json", 200)),
            (8, self.fixed("/", 200)),
            (4, self.fixed("/docs", 200)),
            (4, self.fixed("/version", 200)),
            (4, self.fixed("/ready", 200)),
            (16, self.wrong(chance)),
        ])
    }

    fn ask(&self, endpoint: &'static str, path: &str, status: u16) -> Ask {
        Ask { endpoint, bytes: client::request(path, &self.key, None), status }
    }

    fn fixed(&self, path: &'static str, status: u16) -> Vec<Ask> {
        vec![self.ask(path, path, status)]
    }

    /// Requests of a kind, each made anew.
    fn many(&self, endpoint: &'static str, mut path: impl FnMut() -> String) -> Vec<Ask> {
        (0..VARIANTS).map(|_| self.ask(endpoint, &path(), 200)).collect()
    }

    fn of_nonprofits(&self, endpoint: &'static str, chance: &mut Rng) -> Vec<Ask> {
        let stem = endpoint.trim_end_matches("/{ein}");
        self.many(endpoint, || format!("{stem}/{}", chance.of(&self.nonprofits).ein))
    }

    fn typeahead(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/typeahead/nonprofits", || {
            let nonprofit = chance.of(&self.nonprofits);
            let typed = 2 + chance.below(12);
            let start: String = nonprofit.name.chars().take(typed).collect();
            let typed = if start.trim().len() < 2 { "fi" } else { start.trim() };
            let state = match chance.below(4) {
                0 => format!("&state={}", nonprofit.state),
                _ => String::new(),
            };
            format!("/typeahead/nonprofits?q={}{state}", encoded(typed))
        })
    }

    fn searches_of_text(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/beta/nonprofits/search?q", || {
            let word = word(chance.of(&self.nonprofits), chance);
            let text = match chance.below(4) {
                0 => word,
                1 => format!("{word} {}", chance.of(&CAUSES)),
                2 => format!("{} {}", chance.of(&CAUSES), chance.of(&PLACES)),
                _ => format!("{word} {} {}", chance.of(&CAUSES), chance.of(&PLACES)),
            };
            format!("/beta/nonprofits/search?q={}", encoded(&text))
        })
    }

    fn searches_by_filter(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/beta/nonprofits/search", || {
            let state = &chance.of(&self.nonprofits).state;
            let major = char::from(b'A' + chance.below(26) as u8);
            let (least, size) = (chance.below(1_000_000), chance.of(&[10, 25, 100]));
            let filter = match chance.below(4) {
                0 => format!("state={state}&sort=-revenue"),
                1 => format!("ntee_codes={major}&min_revenue={least}&sort=name"),
                2 => format!("min_assets={least}&sort=-assets&page={}", 1 + chance.below(5)),
                _ => format!("state={state}&ntee_codes={major}&deductible_donations=true"),
            };
            format!("/beta/nonprofits/search?{filter}&size={size}")
        })
    }

    fn searches_by_distance(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/beta/nonprofits/search?sort=distance", || {
            let (latitude, longitude) = chance.of(&self.nonprofits).place;
            let radius = 5 + chance.below(300);
            let place = format!("latitude={latitude}&longitude={longitude}");
            format!("/beta/nonprofits/search?{place}&location_range={radius}&sort=distance")
        })
    }

    fn feed(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/feed/posts", || {
            let nonprofit = chance.of(&self.nonprofits);
            match chance.below(4) {
                0 => format!("/feed/posts?page={}", 1 + chance.below(20)),
                1 => format!("/feed/posts?state={}", nonprofit.state),
                2 => format!("/feed/posts?search={}", encoded(chance.of::<&str>(&CAUSES))),
                _ => format!("/feed/posts?classification=event&eins={}", nonprofit.ein),
            }
        })
    }

    fn stories(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/impact/stories", || match chance.below(2) {
            0 => format!("/impact/stories?q={}", encoded(chance.of::<&str>(&CAUSES))),
            _ => format!("/impact/stories?min_power_score={}", chance.below(10)),
        })
    }

    fn metrics(&self, chance: &mut Rng) -> Vec<Ask> {
        self.many("/impact/metrics", || match chance.below(2) {
            0 => format!("/impact/metrics?metric_type={}", chance.of(&["meals", "homes", "trees"])),
            _ => format!("/impact/metrics?page={}", 1 + chance.below(5)),
        })
    }

    fn chat(&self, chance: &mut Rng) -> Vec<Ask> {
        let mut ask = |at: usize| {
            let session = format!("00000000-0000-4000-8000-{:012}", at % SESSIONS);
            let message = match chance.below(3) {
                0 => format!("{} {}", chance.of(&CAUSES), chance.of(&PLACES)),
                _ => (*chance.of(&MESSAGES)).to_owned(),
            };
            let path = format!("/chat?q={}", encoded(&message));
            let bytes = client::request(&path, &self.key, Some(&session));
            Ask { endpoint: "/chat", bytes, status: 200 }
        };
        (0..VARIANTS).map(&mut ask).collect()
    }

    /// Requests that are refused, each as it must be.
    fn wrong(&self, chance: &mut Rng) -> Vec<Ask> {
        let ein = &chance.of(&self.nonprofits).ein;
        let details = format!("/nonprofits/details/{ein}");
        let mut wrong = vec![
            self.ask("refused: 404", "/nonprofits/details/000000000", 404),
            self.ask("refused: 404", "/nonprofits", 404),
            self.ask("refused: 422", "/nonprofits/details/1", 422),
            self.ask("refused: 422", "/typeahead/nonprofits?q=a", 422),
            self.ask("refused: 422", "/beta/nonprofits/search?size=101&state=XX", 422),
            self.ask("refused: 422", "/feed/posts?page=0&classification=none", 422),
            self.ask("refused: 422", "/chat", 422),
        ];
        let bytes = client::request(&details, "gc-no-such-key", None);
        wrong.push(Ask { endpoint: "refused: 401", bytes, status: 401 });
        wrong
    }
}

/// A word of a nonprofit's name.
fn word(nonprofit: &Nonprofit, chance: &mut Rng) -> String {
    let words: Vec<&str> = nonprofit.name.split_whitespace().collect();
    if words.is_empty() { "friends".to_owned() } else { (*chance.of(&words)).to_owned() }
}

/// A text as the value of a query's parameter.
pub fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

const CAUSES: [&str; 16] = [
    "food banks",
    "museums",
    "youth sports",
    "animal shelters",
    "hospice care",
    "adult literacy",
    "community theater",
    "homes for families without one",
    "veterans",
    "land trusts",
    "job training",
    "cancer research",
    "public radio",
    "churches",
    "mental health",
    "clean rivers",
];
const PLACES: [&str; 10] = [
    "in Ohio",
    "in Texas",
    "in Chicago",
    "in New York",
    "in California",
    "near Denver",
    "in Vermont",
    "over $100k",
    "in 60601",
    "with more than 10 employees",
];
const MESSAGES: [&str; 10] = [
    "only ones over $100k",
    "what about Texas instead",
    "tell me about the second one",
    "what's its revenue?",
    "others like the first one",
    "show me more",
    "start over",
    "what is an EIN?",
    "articles about hunger",
    "what can you do",
];
