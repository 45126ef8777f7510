//! What was understood: filters, an order, a cause, an organization.

use std::ops::Range as Span;

use super::naming::NameMatch;
use crate::query::{Area, Flags, Ranges, Sort};
use crate::record::{Ein, OrgSize, Sdg, SdgSet, State, Subsection, Zip5};

/// What stands in a cause between kinds of which either is looked for.
pub(super) const ALTERNATIVE: &str = " or ";

/// What one query, or a conversation so far, asks for; what is `None` or empty asks nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// What nonprofits should do, in the query's own words, small letters; ` or ` stands between kinds that were added.
    pub cause: Option<String>,
    /// The same as it is compared with nonprofits: in English, misspellings mended.
    pub text: Option<String>,
    /// Prefixes of NTEE codes that nonprofits of that cause carry: evidence when ranking, no
    /// filter.
    pub cause_ntee: Vec<String>,
    /// Whether those codes say all of the cause: it is one term that the table has.
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
    /// Any of these.
    pub sizes: Vec<OrgSize>,
    /// Any of these.
    pub subsections: Vec<Subsection>,
    pub flags: Flags,
    /// Only these.
    pub eins: Vec<Ein>,
    /// A nonprofit that is named.
    pub organization: Option<Organization>,
    pub sort: Vec<Sort>,
}

/// A nonprofit that a query names.
#[derive(Debug, Clone, PartialEq)]
pub struct Organization {
    /// Its name where it is surely in the data, else as it was written.
    pub name: String,
    /// Another name of it, where that in the query is not `name`.
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
    /// Its name and by which other one it was found.
    pub fn described(&self) -> String {
        match &self.other_name {
            Some(other) => format!("{}, also called {other}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether nobody in the data is called so.
    pub fn is_unheard_of(&self) -> bool {
        self.ein.is_none() && self.namesakes == 0
    }
}

/// What is wanted of a nonprofit that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameUse {
    /// It.
    Itself,
    /// Others like it.
    Similar,
}

/// A place, as it was named and as a filter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NamedPlace {
    /// Where nonprofits must be.
    pub areas: Vec<Area>,
    /// What it is called: `Boise, ID`, `within 10 miles of Boise, ID`, `New England`.
    pub name: String,
    /// The city that it is or is around.
    pub city: Option<String>,
    /// The state that all of it lies in.
    pub state: Option<State>,
    /// The ZIP code that it is or is around.
    pub zip: Option<Zip5>,
}

/// Something in a query that became a filter, an order or a name.
#[derive(Debug, Clone, PartialEq)]
pub struct UnderstoodSpan {
    /// Bytes of the query.
    pub span: Span<usize>,
    /// What it means: `state OH`, `revenue at least $1,000,000`.
    pub meaning: String,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
}

/// A query, understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understanding {
    pub frame: Frame,
    /// In the order of the query.
    pub parts: Vec<UnderstoodSpan>,
    /// Words that ask for something that could not be done, in the order of the query.
    pub unread: Vec<String>,
    /// Whether it is written as names are, with capitals throughout.
    pub is_titled: bool,
    /// How many are wanted: `the five largest`.
    pub count: Option<usize>,
    /// The logarithm of the odds that it names one nonprofit, as the trained reader gives them; 0 where it
    /// was not asked.
    pub name_odds: f64,
    /// The bytes that the reader takes for a name alone, if it does.
    pub name: Option<Span<usize>>,
    /// The same query as a description, where it was read as a name.
    pub described: Option<Box<Frame>>,
    /// What else it may mean, where that is nearly as likely.
    pub otherwise: Option<Otherwise>,
}

/// Another reading of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Otherwise {
    /// The nonprofit of this name.
    Name(NameMatch),
    /// Nonprofits of a kind, in a query that says so.
    Kind(String),
}

impl NamedPlace {
    /// An area that was asked for by parameters; `None` when it is the whole country.
    pub fn of(area: Area) -> Option<Self> {
        let circle = area.near.filter(|near| near.1 > 0.0).map(|(point, miles)| {
            format!("the {miles} miles around {}, {}", point.latitude(), point.longitude())
        });
        let name = [
            circle,
            area.zip.map(|zip| zip.to_string()),
            area.city.clone(),
            area.county.as_ref().map(|county| format!("{county} County")),
            area.state.map(|state| state.name().to_owned()),
        ];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let (city, state, zip) = (area.city.clone(), area.state, area.zip);
        (!area.is_whole()).then(|| Self { name, city, state, zip, areas: vec![area] })
    }
}

impl Frame {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The kinds of which either is looked for, in the query's own words.
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
