//! A source of two nonprofits, and a client of the service in process.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

use http_body_util::BodyExt;
use hyper::{HeaderMap, Method, Request, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

use crate::http::app::{App, Options};
use crate::http::keys::{self, Keys};
use crate::http::source::Source;
use crate::index::typeahead::Scope;
use crate::index::vectors;
use crate::mapped::Damage;
use crate::record::{
    Address, Article, Ein, Filing, Listing, Metric, Month, Organization, Point, Sdg, Usd,
};
use crate::search::SearchError;
use crate::search::gaps::Gaps;
use crate::search::interpret::{Interpretation, Question, interpret};
use crate::search::listing::{Listed, Paging};
use crate::search::nonprofits::{Found, Query, Row};
use crate::search::plan::Plan;
use crate::search::related::Related;
use crate::search::typeahead::Suggestion;
use crate::search::{articles, changes, chat, feed, metrics, stories};
use crate::snapshot::{Awaited, Coverage, Manifest};
use crate::sources;
use crate::understand::Names;
use crate::understand::{Called, Frame, Naming};

pub(super) const FULL: &str = "530196605";
pub(super) const BARE: &str = "000003154";
/// Asking for it panics.
pub(super) const PANICS: &str = "111111111";
/// Asking for it finds damage.
pub(super) const DAMAGED: &str = "222222222";

/// Lets a test hold a search back: it says that it began, then waits.
pub(super) struct Gate {
    pub(super) began: Sender<()>,
    pub(super) release: Mutex<Receiver<()>>,
}

/// What was asked of a list.
#[derive(Debug, PartialEq)]
pub(super) enum AskedOfList {
    Stories(stories::Query),
    Metrics(metrics::Query),
    Posts(Box<feed::Query>),
    Articles(articles::Query),
    Changes(changes::Query),
}

/// Two nonprofits, and what was asked of them.
pub(super) struct Fixture {
    manifest: Manifest,
    coverage: Coverage,
    organizations: Vec<Organization>,
    pub(super) asked: Mutex<Vec<Query>>,
    pub(super) asked_of_lists: Mutex<Vec<AskedOfList>>,
    pub(super) gate: Option<Gate>,
}

fn full() -> Organization {
    let mut full = Organization::named(FULL.parse().unwrap(), "American National Red Cross");
    full.alt_name = Some("Red Cross".into());
    full.address = Address {
        street: Some("430 17th St NW".into()),
        city: Some("Washington".into()),
        city_as_filed: None,
        state: "DC".parse().ok(),
        zip: "20006".parse().ok(),
        county: Some("District of Columbia".into()),
        point: Point::new(38.9, -77.04).ok(),
    };
    full.exemption.subsection = "03".parse().ok();
    full.exemption.ruling = Month::new(1938, 12);
    full.exemption.listings.master_file = Listing::Row { source: 0 };
    full.exemption.listings.revocations = Listing::Absent;
    full.exemption.foundation = "15".parse().ok();
    full.finances.tax_period = Month::new(2024, 6);
    full.finances.revenue = Some(Usd::new(3_217_077_611));
    full.ntee = "M20".parse().ok();
    full.sdgs = [11].into_iter().map(|goal| Sdg::new(goal).unwrap()).collect();
    full.website = Some("https://www.redcross.org".into());
    full
}

impl Fixture {
    pub(super) fn new() -> Self {
        let source = sources::Summary {
            kind: sources::Kind::MasterFile,
            name: "eo_dc.csv".into(),
            bytes: 2,
            sha256: "ab".repeat(32),
            modified_seconds: 0,
            latest_row: None,
            rows: 2,
            rejects: 0,
            warnings: std::collections::BTreeMap::new(),
        };
        let organizations = vec![full(), Organization::named(BARE.parse().unwrap(), "Bare")];
        Self {
            coverage: Coverage::of(&organizations),
            manifest: Manifest {
                format: 1,
                snapshot: "2026-01-01".into(),
                program: "almoner 0.1.0".into(),
                built_at: "2026-01-01T00:00:00Z".into(),
                sources: vec![source],
                model: None,
                awaits: None,
                organizations: 2,
                counts: Default::default(),
                files: Vec::new(),
            },
            organizations,
            asked: Mutex::default(),
            asked_of_lists: Mutex::default(),
            gate: None,
        }
    }
}

impl Names for Fixture {
    fn named(&self, text: &str) -> Result<Naming, Damage> {
        let named = self.organizations.iter().find(|known| known.name.eq_ignore_ascii_case(text));
        Ok(named.map_or_else(Naming::default, |known| {
            let (ein, name) = (known.ein, known.name.clone());
            let only = Called::by_its_name(ein, name);
            Naming { candidates: vec![only], nobody: 0.01 }
        }))
    }

    fn count(&self, _frame: &Frame) -> Result<u64, Damage> {
        Ok(1)
    }

    fn is_word(&self, _word: &str) -> Result<bool, Damage> {
        Ok(true)
    }

    fn frequency(&self, _word: &str) -> Result<u64, Damage> {
        Ok(0)
    }
}

impl Source for Fixture {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    fn awaited(&self) -> Option<Awaited> {
        None
    }

    fn details(&self, ein: Ein) -> Result<Option<Organization>, SearchError> {
        match ein.as_str() {
            PANICS => panic!("a defect"),
            DAMAGED => {
                let found = FULL.parse().unwrap();
                Err(SearchError::OtherEin { asked: ein, found })
            }
            _ => Ok(self.organizations.iter().find(|one| one.ein == ein).cloned()),
        }
    }

    fn filings(&self, _ein: Ein, _paging: Paging) -> Result<Listed<Filing>, SearchError> {
        Ok(Listed { total: 7, rows: vec![serde_json::from_str(FILING).unwrap()] })
    }

    fn related(&self, ein: Ein) -> Result<Option<Related>, SearchError> {
        let others = self.organizations.iter().filter(|one| one.ein != ein).cloned();
        Ok(self.details(ein)?.map(|_| Related {
            nonprofits: others.collect(),
            articles: vec![serde_json::from_str(ARTICLE).unwrap()],
        }))
    }

    fn changes(&self, query: &changes::Query) -> Result<Option<Listed<changes::Row>>, SearchError> {
        self.asked_of_lists.lock().unwrap().push(AskedOfList::Changes(query.clone()));
        let row = changes::Row {
            change: serde_json::from_str(CHANGE).unwrap(),
            snapshot: "20260102T030405Z-06070809".into(),
            seen: "2026-01-02T03:04:05Z".into(),
        };
        let is_known = query.since != changes::Since::Snapshot("20240102T030405Z-06070809".into());
        Ok(is_known.then(|| Listed { total: 7, rows: vec![row] }))
    }

    fn articles(&self, query: &articles::Query) -> Result<Listed<Article>, SearchError> {
        self.asked_of_lists.lock().unwrap().push(AskedOfList::Articles(query.clone()));
        Ok(Listed { total: 7, rows: vec![serde_json::from_str(ARTICLE).unwrap()] })
    }

    fn suggest(
        &self,
        typed: &str,
        _scope: Scope,
        limit: usize,
    ) -> Result<Vec<Suggestion>, SearchError> {
        let typed = typed.to_lowercase();
        let matching = self
            .organizations
            .iter()
            .filter(|one| one.name.to_lowercase().starts_with(&typed) || one.ein.as_str() == typed);
        let suggestion = |one: &Organization| Suggestion {
            ein: one.ein,
            name: one.name.clone(),
            city: one.address.city.clone(),
            state: one.address.state,
            alt_name: one.alt_name.clone(),
            matched_name: None,
            score: 1.0,
        };
        Ok(matching.take(limit).map(suggestion).collect())
    }

    fn interpret(&self, question: &Question<'_>) -> Result<Interpretation, SearchError> {
        interpret(self, question)
    }

    fn nonprofits(&self, query: &Query) -> Result<Found, SearchError> {
        self.asked.lock().unwrap().push(query.clone());
        if let Some(gate) = &self.gate {
            gate.began.send(()).unwrap();
            gate.release.lock().unwrap().recv().unwrap();
        }
        let text = query.like.words();
        let cosine = text.map(|_| 0.5);
        let row = |organization: &Organization| Row { organization: organization.clone(), cosine };
        let rows = self.organizations.iter().map(row).collect();
        let meaning = text.is_some().then_some(vectors::Plan::Graph);
        let gaps = Gaps::of(&query.filters, &self.coverage);
        let plan = Plan { meaning, words: text.is_some(), gaps, ..Plan::columns(2) };
        Ok(Found {
            total: 2,
            unknown: 1,
            sorted: None,
            rows,
            best: Vec::new(),
            plan,
            facets: Vec::new(),
        })
    }

    fn stories(&self, query: &stories::Query) -> Result<Listed<stories::Row>, SearchError> {
        self.asked_of_lists.lock().unwrap().push(AskedOfList::Stories(query.clone()));
        let story = serde_json::from_str(STORY).unwrap();
        let rows = vec![stories::Row { story, organization_name: "Bare".into() }];
        Ok(Listed { total: 7, rows })
    }

    fn metrics(&self, query: &metrics::Query) -> Result<Listed<Metric>, SearchError> {
        self.asked_of_lists.lock().unwrap().push(AskedOfList::Metrics(query.clone()));
        Ok(Listed { total: 7, rows: vec![serde_json::from_str(METRIC).unwrap()] })
    }

    fn chat(&self, question: &chat::Question<'_>) -> Result<chat::Answer, SearchError> {
        Ok(chatted(question))
    }

    fn posts(&self, query: &feed::Query) -> Result<Listed<feed::Row>, SearchError> {
        self.asked_of_lists.lock().unwrap().push(AskedOfList::Posts(Box::new(query.clone())));
        let row = feed::Row {
            post: serde_json::from_str(POST).unwrap(),
            organization_name: "Bare".into(),
            organization_city: None,
            organization_state: "OH".parse().ok(),
        };
        Ok(Listed { total: 7, rows: vec![row] })
    }
}

/// What the fixture's chat answers: what was said in the session so far.
fn chatted(question: &chat::Question<'_>) -> chat::Answer {
    let mut next = question.earlier.cloned().unwrap_or_default();
    let before = next.frame.cause.take().unwrap_or_default();
    let said = format!("{before}{};", question.message);
    next.frame.cause = Some(said.clone());
    let fund = r#"{"id":9,"title":"Fund","address":"{\"city\":\"Akron\"}","ein":"000003154"}"#;
    chat::Answer {
        intent: chat::Intent::FindNonprofits,
        message: said,
        explained: "2 nonprofits match.".into(),
        frame: question.explicit.clone(),
        about: Some("food".into()),
        named: None,
        article_id: Some(7),
        nonprofits: vec![Row { organization: full(), cosine: None }],
        articles: vec![serde_json::from_str(ARTICLE).unwrap()],
        article: serde_json::from_str(ARTICLE).ok(),
        suggestions: vec![chat::Suggestion {
            label: "In Ohio".into(),
            message: "food in Ohio".into(),
            url: None,
            content_id: None,
        }],
        sources: vec![serde_json::from_str(KNOWLEDGE).unwrap()],
        funds: vec![serde_json::from_str(fund).unwrap()],
        plan: None,
        next,
    }
}

/// Its day, 2023-06-30, as four bytes.
const FILING: &str = r#"{"ein":"000003154","form":"990-EZ","tax_year":2022,
    "period_end":132580894,"filed":null,"amended":false,"name":"Bare","revenue":1200,
    "object_id":"202312345678901234","officers":[{"name":"A","hours":1.5}],
    "programs":[{"description":"Roofs.","expenses":900}],"source":0,"elements":[
    {"stated":"Revenue","at":{"node":1,"positions":[]},"is_unreadable":false}]}"#;
/// Of moments: seconds since 1970.
const ARTICLE: &str = r#"{"id":7,"title":"A","date_added":86400,"text":"All of it."}"#;
const KNOWLEDGE: &str = r#"{"article_id":"k","title":"K","content":"It is. Source: K.",
    "questions":[]}"#;
const CHANGE: &str = r#"{"ein":"000003154","kind":"renamed","name":"Meat & <Milk>","state":null,
    "before":"Meat","after":"Meat & <Milk>"}"#;
const STORY: &str = r#"{"story_id":"s1","ein":"000003154","story_title":"A roof",
    "obstacles_overcome":["rain"],"power_score":7.5,"date_extracted":0,
    "metrics":[{"metric_text":"1 roof","metric_value":1.0}]}"#;
const METRIC: &str = r#"{"metric_id":"m1","ein":"000003154","metric_text":"served 9 meals",
    "metric_value":9.0,"date_added":86400}"#;
const POST: &str = r#"{"post_id":"p1","organization_ein":"000003154","post_title":"News",
    "post_classification":"job_posting","post_published_date":86400,"post_categories":[],
    "post_tags":["a"]}"#;

/// The service over a [`Fixture`], with one valid key.
pub(super) struct Service {
    pub(super) app: Arc<App>,
    pub(super) fixture: Arc<Fixture>,
    pub(super) key: String,
    pub(super) directory: TempDir,
}

/// What was answered.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Service {
    pub(super) fn new() -> Self {
        Self::with(Options::default(), Fixture::new())
    }

    pub(super) fn with(options: Options, fixture: Fixture) -> Self {
        let service = Self::unready(options, fixture);
        service.app.put(service.fixture.clone());
        service
    }

    /// Without a snapshot.
    pub(super) fn unready(options: Options, fixture: Fixture) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let key = keys::create(directory.path(), "test").unwrap().secret;
        let app = App::new(Keys::open(directory.path()).unwrap(), options);
        Self { app: Arc::new(app), fixture: Arc::new(fixture), key, directory }
    }

    /// A second key.
    pub(super) fn another_key(&self) -> String {
        let key = keys::create(self.directory.path(), "another").unwrap().secret;
        self.app.keys().refresh().unwrap();
        key
    }

    pub(super) fn ask(&self, method: Method, target: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let (parts, body) = self.app.answer(parts).into_parts();
        // The body is whole: collecting it never waits.
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(body.collect()).unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// A GET with the key.
    pub(super) fn get(&self, target: &str) -> Reply {
        self.ask(Method::GET, target, &[("x-api-key", &self.key)])
    }

    /// A GET with the key that is answered with 200.
    pub(super) fn json(&self, target: &str) -> Value {
        let reply = self.get(target);
        assert_eq!(reply.status, StatusCode::OK, "{target} {reply:?}");
        assert_eq!(reply.header("content-type"), "application/json");
        reply.json()
    }

    /// A GET with the key that is refused: each error as `loc type`.
    pub(super) fn refused(&self, target: &str) -> Vec<String> {
        let reply = self.get(target);
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{target} {reply:?}");
        let told = |item: &Value| {
            let steps = item["loc"].as_array().unwrap().iter();
            let steps: Vec<_> = steps.map(|step| step.to_string().replace('"', "")).collect();
            format!("{} {}", steps.join("."), item["type"].as_str().unwrap())
        };
        reply.json()["detail"].as_array().unwrap().iter().map(told).collect()
    }
}
