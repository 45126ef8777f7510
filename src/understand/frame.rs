//! The meaning of a query: filters, an order, a cause, an organization.

use std::ops::Range as Span;

use super::naming::NameMatch;
use crate::places;
use crate::query::{Area, Choices, Flags, Ranges, Sort};
use crate::record::{Ein, Sdg, SdgSet, State, Subsection, Zip5};

/// The separator of alternative kinds in a cause.
pub(super) const ALTERNATIVE: &str = " or ";

/// The conditions of one query, or of a conversation so far; `None` or empty is no condition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// The cause in the query's own words, lower case, with ` or ` between added kinds.
    pub cause: Option<String>,
    /// The cause as it is compared with nonprofits: in English, with misspellings corrected.
    pub text: Option<String>,
    /// Prefixes of NTEE codes for the cause: evidence when ranking, not a filter.
    pub cause_ntee: Vec<String>,
    /// Whether those codes cover the whole cause: it is one term of the table.
    pub cause_is_term: bool,
    /// Any of these.
    pub places: Vec<NamedPlace>,
    /// None of these.
    pub not_places: Vec<NamedPlace>,
    pub ranges: Ranges,
    /// Any of these.
    pub sdgs: SdgSet,
    /// Any of these prefixes of NTEE codes.
    pub ntee: Vec<String>,
    /// None of these.
    pub not_ntee: Vec<String>,
    /// Words of which a name has none.
    pub not_names: Vec<String>,
    /// None of these.
    pub not_eins: Vec<Ein>,
    pub choices: Choices,
    /// Any of these.
    pub subsections: Vec<Subsection>,
    pub flags: Flags,
    /// Only these.
    pub eins: Vec<Ein>,
    /// Only these, the rows of a list that was shown.
    pub among: Vec<Ein>,
    /// The nonprofit named, if any.
    pub organization: Option<Organization>,
    pub sort: Vec<Sort>,
}

/// A nonprofit that a query names.
#[derive(Debug, Clone, PartialEq)]
pub struct Organization {
    /// Its name if it is certainly in the data, else as it was written.
    pub name: String,
    /// The other name by which the query calls it, if that is not `name`.
    pub other_name: Option<String>,
    /// Its EIN; `None` if there are several candidates, or none in the data.
    pub ein: Option<Ein>,
    /// As it was written.
    pub asked: String,
    /// How many candidates the data has: 1 with an EIN, 0 if no organization has the name.
    pub namesakes: usize,
    pub wanted: NameUse,
}

impl Organization {
    /// One that is known, asked for by a name.
    pub fn known(name: String, ein: Ein, wanted: NameUse) -> Self {
        let asked = name.clone();
        Self { name, other_name: None, ein: Some(ein), asked, namesakes: 1, wanted }
    }

    /// A name that `namesakes` organizations have, of which none was chosen.
    pub fn unresolved(asked: String, namesakes: usize) -> Self {
        let name = asked.clone();
        Self { name, other_name: None, ein: None, asked, namesakes, wanted: NameUse::Itself }
    }

    /// Its name and by which other one it was found.
    pub fn described(&self) -> String {
        match &self.other_name {
            Some(other) => format!("{}, also called {other}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether no organization in the data has the name.
    pub fn is_unheard_of(&self) -> bool {
        self.ein.is_none() && self.namesakes == 0
    }
}

/// What is wanted of the named nonprofit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameUse {
    /// The nonprofit itself.
    Itself,
    /// Nonprofits similar to it.
    Similar,
}

/// A place, as it was named and as a filter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NamedPlace {
    /// The filter.
    pub areas: Vec<Area>,
    /// Its name: `Boise, ID`, `within 10 miles of Boise, ID`, `New England`.
    pub name: String,
    /// The city, or the city at its centre.
    pub city: Option<String>,
    /// The state that contains all of it.
    pub state: Option<State>,
    /// The ZIP code, or the ZIP code at its centre.
    pub zip: Option<Zip5>,
}

/// A part of a query that became a filter, an order or a name.
#[derive(Debug, Clone, PartialEq)]
pub struct UnderstoodSpan {
    /// Bytes of the query.
    pub span: Span<usize>,
    /// What it means: `state OH`, `revenue at least $1,000,000`.
    pub meaning: String,
    /// The probability of this meaning, 0 to 1.
    pub confidence: f32,
}

/// The reading of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understanding {
    pub frame: Frame,
    /// In the order of the query.
    pub parts: Vec<UnderstoodSpan>,
    /// Words that ask for something unsupported, in the order of the query.
    pub unread: Vec<String>,
    /// Counties that it names and nobody knows, with the state that is named beside.
    pub unknown_counties: Vec<Area>,
    /// The number of results wanted: `the five largest`.
    pub count: Option<usize>,
    /// The log odds that it names one nonprofit, from the trained reader; 0 if that was not used.
    pub name_odds: f64,
    /// The bytes that the reader takes for a name alone, if any.
    pub name: Option<Span<usize>>,
    /// The same query as a description, where it was read as a name.
    pub described: Option<Box<Frame>>,
    /// Another reading, if it is nearly as likely.
    pub alternative: Option<AlternativeReading>,
}

/// Another reading of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum AlternativeReading {
    /// The nonprofit with this name.
    Name(NameMatch),
    /// Nonprofits of a kind, in a query that states the kind.
    Kind(String),
}

impl NamedPlace {
    /// An area from parameters; `None` for the whole country.
    pub fn of(area: Area) -> Option<Self> {
        let circle = area.near.filter(|near| near.1 > 0.0).map(|(point, miles)| {
            format!("the {miles} miles around {}, {}", point.latitude(), point.longitude())
        });
        let name = [
            circle,
            area.zip.map(|zip| zip.to_string()),
            area.city.clone(),
            area.county.as_deref().map(counties_named),
            area.state.map(|state| state.name().to_owned()),
        ];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let (city, state, zip) = (area.city.clone(), area.state, area.zip);
        let areas = || area.clone().of_each_county();
        (!area.is_whole()).then(|| Self { name, city, state, zip, areas: areas() })
    }
}

/// Counties of a list as they are called: `Pike County`, `Pike and Floyd counties`.
fn counties_named(list: &str) -> String {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    match &names.collect::<Vec<_>>()[..] {
        [first @ .., last] if !first.is_empty() => {
            let kinds = if has_kind(last) { "" } else { " counties" };
            format!("{} and {last}{kinds}", first.join(", "))
        }
        _ if has_kind(list) => list.to_owned(),
        _ => format!("{list} County"),
    }
}

/// Whether the kind was typed with the name of a county: `Pike County`, `Orleans Parish`.
fn has_kind(county: &str) -> bool {
    places::county_key(county) != places::city_key(county)
}

impl Frame {
    /// Whether it has no conditions.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The alternative kinds, in the query's own words.
    pub fn alternatives(&self) -> Vec<&str> {
        self.cause.iter().flat_map(|cause| cause.split(ALTERNATIVE)).collect()
    }

    /// This without what only ranks: the cause.
    #[must_use]
    pub fn without_cause(&self) -> Self {
        Self {
            cause: None,
            text: None,
            cause_ntee: Vec::new(),
            cause_is_term: false,
            ..self.clone()
        }
    }

    /// The one city, if all places name it.
    pub fn city(&self) -> Option<&str> {
        self.only(|place| place.city.as_deref())
    }

    /// The one state, if all places lie in it.
    pub fn state(&self) -> Option<State> {
        self.only(|place| place.state.or_else(|| place.state_of_center()))
    }

    /// The one ZIP code, if all places name it.
    pub fn zip(&self) -> Option<Zip5> {
        self.only(|place| place.zip)
    }

    fn only<'a, T: PartialEq>(&'a self, of: impl Fn(&'a NamedPlace) -> Option<T>) -> Option<T> {
        let first = of(self.places.first()?)?;
        self.places[1..].iter().all(|place| of(place).as_ref() == Some(&first)).then_some(first)
    }

    /// Goals, rising.
    pub fn goals(&self) -> Vec<u8> {
        self.sdgs.iter().map(Sdg::number).collect()
    }
}
