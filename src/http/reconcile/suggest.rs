//! What suggests entities, properties and types as somebody types.

use schemars::JsonSchema;
use serde::Serialize;

use super::entity::{EntityType, MEMBERS, Property, TypeView};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Rows, json};
use crate::http::interface::parameter::{defaulted, optional, parameters};
use crate::http::interface::parameter_type::{Integer, Text};
use crate::index::typeahead::Scope;
use crate::matching::Field;
use crate::record::Ein;
use crate::search::typeahead::{LIMIT_MAX, suggest};

/// Suggestions of one answer.
const PAGE: usize = 10;
/// Characters of what is typed.
const PREFIX_CHARACTERS_MAX: usize = 100;
/// Characters from which on names are suggested.
const PREFIX_CHARACTERS_MIN: usize = 2;

parameters! {
    /// What suggestions take.
    Params {
        prefix: Option<String> = optional(
            "prefix",
            Text::at_most(PREFIX_CHARACTERS_MAX),
            "What was typed: the beginning of a name or of an identifier.",
        ),
        cursor: i64 = defaulted("cursor", Integer::between(0, 1_000), 0, "Suggestions to skip."),
    }
}

/// Suggestions.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "{T}Suggestions")]
struct Suggestions<T> {
    /// The best first, at most ten.
    result: Vec<T>,
}

/// A nonprofit suggested.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationEntity")]
struct Entity {
    /// Employer Identification Number: nine digits, leading zeros kept.
    id: Ein,
    /// Legal name in title case.
    name: String,
    /// City and state, as far as they are known, and another name.
    description: String,
}

/// An endpoint that suggests, as cheap as typeahead.
const fn suggesting<T: JsonSchema>(
    path: &'static str,
    summary: &'static str,
    answer: fn(&Context<'_>) -> Result<Reply, ApiError>,
) -> Endpoint {
    Endpoint {
        tag: "Reconciliation",
        summary,
        rows: Rows::In("result"),
        ..Endpoint::json::<Suggestions<T>>(path, Params::DECLARED, answer)
    }
}

/// Nonprofits, whatever their standing.
pub(in crate::http) static SUGGEST_ENTITY: Endpoint = suggesting::<Entity>(
    "/reconcile/suggest/entity",
    "Nonprofits by the beginning of a name, or by EIN",
    entities,
);

/// What queries and data extension know.
pub(in crate::http) static SUGGEST_PROPERTY: Endpoint = suggesting::<Property>(
    "/reconcile/suggest/property",
    "Properties by the beginning of a name",
    properties,
);

pub(in crate::http) static SUGGEST_TYPE: Endpoint =
    suggesting::<TypeView>("/reconcile/suggest/type", "Types by the beginning of a name", types);

fn entities(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let (prefix, skipped) = (asked.prefix(), asked.skipped());
    let limit = (skipped + PAGE).min(LIMIT_MAX);
    let is_long_enough = prefix.chars().count() >= PREFIX_CHARACTERS_MIN;
    let found = if is_long_enough && skipped < limit {
        suggest(snapshot, prefix, Scope::All, limit)?
    } else {
        Vec::new()
    };
    let shown = found.into_iter().skip(skipped).map(|one| {
        let state = one.state.map(|state| state.code().to_owned());
        let place: Vec<String> = one.city.into_iter().chain(state).collect();
        let parts = [place.join(", ")].into_iter().chain(one.alt_name);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        Entity { id: one.ein, name: one.name, description: parts.join(" · ") }
    });
    json(&Suggestions { result: shown.collect() })
}

fn properties(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let members = MEMBERS.iter().map(|member| member.property.clone());
    let known = Field::ALL.into_iter().filter(|field| *field != Field::Name).map(compared);
    let all: Vec<Property> = known.chain(members).collect();
    let is_new = |at: usize| all[..at].iter().all(|one| one.id != all[at].id);
    let distinct = (0..all.len()).filter(|at| is_new(*at)).map(|at| all[at].clone());
    let fits = |one: &Property| asked.begins([one.id.as_str(), one.name.as_str()]);
    let page = distinct.filter(fits).skip(asked.skipped()).take(PAGE);
    json(&Suggestions { result: page.collect() })
}

/// A property that queries compare.
fn compared(field: Field) -> Property {
    let (name, description) = match field {
        Field::Name | Field::OtherName => ("Other name", "Another name of the organization"),
        Field::Street => ("Street", "Street or post office box"),
        Field::SecondStreet => ("Second line of the street", "Unit, floor or box"),
        Field::City => ("City", "City as it is written"),
        Field::State => ("State", "Code or name of the state"),
        Field::Zip => ("ZIP code", "Five or nine digits"),
        Field::Ein => ("EIN", "Employer Identification Number: evidence beside a name"),
    };
    let [id, name, description] = [field.name(), name, description].map(str::to_owned);
    Property { id, name, description }
}

fn types(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let fits = |one: &EntityType| asked.begins([one.name(), one.named_type().name]);
    let page = EntityType::ALL.into_iter().filter(fits).skip(asked.skipped()).take(PAGE);
    json(&Suggestions { result: page.map(EntityType::view).collect() })
}

impl Params {
    fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or_default().trim()
    }

    fn skipped(&self) -> usize {
        usize::try_from(self.cursor).unwrap_or(0)
    }

    /// Whether any of the texts begins with what was typed.
    fn begins<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let prefix = self.prefix().to_lowercase();
        texts.into_iter().any(|text| text.to_lowercase().starts_with(&prefix))
    }
}
