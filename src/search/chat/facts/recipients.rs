//! The recipients in a question about the grants of one nonprofit: one of them by its EIN or name, or those of a place by the
//! city, the ZIP code and the state that returns give for each.

use std::collections::BTreeMap;

use super::{Profile, Result};
use crate::index::grants::Sum;
use crate::naming::normalise;
use crate::places::countries_in_texts;
use crate::query::Area;
use crate::reader::{Intent, Role, Span};
use crate::record::{Ein, State};
use crate::search::chat::Turn;
use crate::search::chat::phrase::phrase;
use crate::search::grants::{GrantPage, ListedGrant};
use crate::search::listing::ListPage;
use crate::understand::{NamedPlace, decode, is_bare_joint, says};

/// Which recipients of grants are asked about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recipients {
    /// Only this one.
    pub(crate) one: Option<Recipient>,
    /// Any of these; anywhere if empty.
    pub(crate) places: Vec<NamedPlace>,
    /// Words for a place that the gazetteer does not have, or a country.
    pub(crate) unknown: Option<String>,
}

/// One recipient of grants; without an EIN where no list that is loaded has it.
#[derive(Debug, Clone)]
pub(crate) struct Recipient {
    pub(crate) ein: Option<Ein>,
    pub(crate) name: String,
}

impl Turn<'_> {
    /// Where the message says that recipients are.
    pub(in crate::search::chat) fn recipient_places(&self) -> Result<Recipients> {
        let mut about = self.message.clone();
        about.intent.label = Intent::Find;
        about.spans.retain(|span| {
            matches!(span.role, Role::Place | Role::Near) && !self.is_place_of_grantor(span)
        });
        let Some(first) = about.spans.first().map(|span| span.bytes.clone()) else {
            let beside_names = self.blanked(|role| role == Role::Name);
            let country = country_in(&beside_names).map(str::to_owned);
            return Ok(Recipients { unknown: country, ..Recipients::default() });
        };
        let places = decode(self.text, &about, None, self.snapshot)?.heard.frame.places;
        let unknown = places.is_empty().then(|| self.text[first].trim().to_owned());
        Ok(Recipients { places, unknown, ..Recipients::default() })
    }

    /// Whether a place follows the name of who gives: `what did the Fenway Fund in Boston give`.
    fn is_place_of_grantor(&self, place: &Span) -> bool {
        let goes_on = says(&self.text[place.bytes.end..], "gives");
        let is_beside = |name: &Span| {
            name.role == Role::Name
                && name.bytes.end <= place.bytes.start
                && is_bare_joint(&self.text[name.bytes.end..place.bytes.start])
        };
        goes_on && self.message.spans.iter().any(is_beside)
    }
}

impl Recipients {
    /// The one state that has all of them.
    pub(super) fn state(&self) -> Option<State> {
        let first = self.places.first()?.state?;
        self.places.iter().all(|place| place.state == Some(first)).then_some(first)
    }

    /// Whether it is one of them, or more or less than a state, so that rows have to be looked through.
    pub(super) fn is_narrow(&self) -> bool {
        let mut areas = self.areas();
        let are_of_state = self.state().is_some() && areas.all(is_state);
        self.one.is_some() || !(self.places.is_empty() || are_of_state)
    }

    /// Whether what returns give for a recipient can tell whether it is there.
    fn is_told(&self) -> bool {
        let is_told = |area: &Area| {
            let Area { state, county, city, zip, near } = area;
            let is_named = state.is_some() || city.is_some() || zip.is_some();
            county.is_none() && near.is_none() && is_named
        };
        self.areas().all(is_told)
    }

    fn areas(&self) -> impl Iterator<Item = &Area> {
        self.places.iter().flat_map(|place| &place.areas)
    }

    fn has(&self, row: &ListedGrant) -> bool {
        let grant = &row.grant;
        if let Some(one) = &self.one {
            let is_called = |filed: &String| normalise(filed) == normalise(&one.name);
            return (one.ein.is_some() && row.recipient_ein == one.ein)
                || row.recipient_name.as_ref().is_some_and(is_called);
        }
        let city = grant.city.as_deref().map(normalise);
        let holds = |area: &Area| {
            area.state.is_none_or(|state| grant.state == Some(state))
                && area.zip.is_none_or(|zip| grant.zip == Some(zip))
                && area.city.as_deref().is_none_or(|own| city.as_deref() == Some(&*normalise(own)))
        };
        self.areas().any(holds)
    }

    /// Of all the grants, those to these recipients, with what they add up to in each year, the latest first.
    pub(super) fn keep(&self, rows: Vec<ListedGrant>) -> (GrantPage, Vec<(u16, Sum)>) {
        let rows: Vec<ListedGrant> =
            rows.into_iter().filter(|row| !self.is_told() || self.has(row)).collect();
        let mut years: BTreeMap<u16, Sum> = BTreeMap::new();
        let mut amount = None;
        for row in &rows {
            let sum = years.entry(row.grant.tax_year).or_default();
            sum.grants += 1;
            if let Some(usd) = row.grant.amount().map(|usd| usd.dollars()) {
                sum.amount = Some(sum.amount.unwrap_or(0).saturating_add(usd));
                amount = Some(amount.unwrap_or(0_i64).saturating_add(usd));
            }
        }
        let page = ListPage { total: rows.len() as u64, rows };
        (GrantPage { page, amount }, years.into_iter().rev().collect())
    }
}

impl Profile<'_> {
    /// What is asked of the place, behind the word for grants.
    pub(super) fn such_recipients(&self) -> Option<String> {
        let recipients = &self.grants.recipients;
        if let Some(one) = &recipients.one {
            return Some(phrase!("grants.such.to", name = one.name).part(self.language));
        }
        let names: Vec<String> = match (recipients.is_told(), recipients.state()) {
            (true, _) => recipients.places.iter().map(|place| place.name.clone()).collect(),
            (false, state) => state.iter().map(|state| state.name().to_owned()).collect(),
        };
        let place = names.join("; ");
        (!names.is_empty()).then(|| phrase!("grants.such.in", place).part(self.language))
    }

    /// That the place that was asked for is not the one that the answer is about.
    pub(super) fn place_not_kept(&self) -> Option<String> {
        let recipients = &self.grants.recipients;
        if let Some(place) = &recipients.unknown {
            return Some(self.say(phrase!("grants.place.unknown", place)));
        }
        let place = recipients.places.first().filter(|_| !recipients.is_told())?;
        Some(self.say(phrase!("grants.place.untold", place = place.name)))
    }

    /// That there are too many grants to look through for those of the place.
    pub(super) fn place_not_read(&self) -> Option<String> {
        let Recipients { one, places, .. } = &self.grants.recipients;
        let place = places.first().map(|place| &place.name);
        let place = place.or(one.as_ref().map(|one| &one.name))?;
        Some(self.say(phrase!("grants.place.unknown", place)))
    }
}

/// The first country abroad that a text names.
fn country_in(text: &str) -> Option<&'static str> {
    let form = format!(" {} ", normalise(text));
    countries_in_texts().find(|name| form.contains(&format!(" {} ", normalise(name))))
}

fn is_state(area: &Area) -> bool {
    *area == Area { state: area.state, ..Area::default() } && area.state.is_some()
}
