//! `POST /nonprofits/batch`: the details of many nonprofits.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::http::interface::api_error::ApiError;
use crate::http::interface::body::{self, BodyErrors, Object};
use crate::http::interface::endpoint::{Reply, Submission, json as reply};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::snapshot::Snapshot;
use crate::views::{Details, StandingShown};

/// EINs of one request.
const EINS_MAX: usize = 500;
/// Fields of one request: more than there are.
const FIELDS_MAX: usize = 100;
/// Characters of an EIN as people type it, and of a field, at most.
const EIN_CHARACTERS_MAX: usize = 32;
const FIELD_CHARACTERS_MAX: usize = 64;

/// What is asked.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "BatchRequest")]
struct BatchRequest {
    /// Nine digits each, with or without a dash; at most 500.
    #[schemars(length(max = EINS_MAX), inner(regex(pattern = r"^\d{2}-?\d{7}$")))]
    eins: Vec<String>,
    /// Members of the details that are wanted, and of the standing `exemption`, `deductible`, `assets`, `county` and
    /// `gross_receipts`; all of the details where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = FIELDS_MAX), with = "Option<Vec<Field>>")]
    fields: Option<Vec<String>>,
}

/// Members of `/nonprofits/standing` that may be wanted beside those of the details.
const STANDING_FIELDS: [&str; 5] =
    ["exemption", "deductible", "assets", "county", "gross_receipts"];

/// The name of a member of the details or of the standing.
struct Field;

impl JsonSchema for Field {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Field".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": *FIELDS })
    }
}

/// Details of which perhaps only some members were wanted.
struct Selection;

impl JsonSchema for Selection {
    fn schema_name() -> Cow<'static, str> {
        "NonprofitSelection".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Details::json_schema(generator);
        schema.remove("required");
        let standing = StandingShown::json_schema(generator);
        if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            let of = |name: &str| {
                Some((name.to_owned(), standing.get("properties")?.get(name)?.clone()))
            };
            members.extend(STANDING_FIELDS.into_iter().filter_map(of));
        }
        let description = "Details and standing of a nonprofit, of which only the members named in `fields` are there.";
        schema.insert("description".to_owned(), description.into());
        schema
    }
}

/// The schema of the answer: a request that selects no fields gets every member.
fn answer_schema(generator: &mut SchemaGenerator) -> Schema {
    let some = generator.subschema_for::<Selection>();
    let all = generator.subschema_for::<Details<'_>>();
    json_schema!({ "type": "array", "items": { "anyOf": [all, some, { "type": "null" }] } })
}

pub(crate) static BATCH: Submission = Submission {
    path: "/nonprofits/batch",
    tag: "Insights",
    summary: "Details of many nonprofits, in the order of their EINs; null for one that is not known",
    request: SchemaGenerator::subschema_for::<BatchRequest>,
    body: answer_schema,
    answer,
};

/// The members of details, and those of the standing.
static FIELDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let organization = Ein::from_typed("000000000").map(|ein| Organization::named(ein, ""));
    let shown = organization.and_then(|one| serde_json::to_value(Details::of(&one)).ok());
    let details: Option<Vec<String>> =
        shown.and_then(|value| Some(value.as_object()?.keys().cloned().collect()));
    let standing = STANDING_FIELDS.into_iter().map(str::to_owned);
    details.unwrap_or_default().into_iter().chain(standing).collect()
});

fn answer(snapshot: Option<&Snapshot>, bytes: &[u8]) -> Result<Reply, ApiError> {
    let (eins, fields) = body::read(bytes, asked)?;
    let snapshot = snapshot.ok_or(ApiError::NotReady)?;
    let mut all = Vec::with_capacity(eins.len());
    for ein in eins {
        let found = details(snapshot, ein)?;
        let shown = found.as_ref().map(|one| members(one, snapshot, &fields));
        all.push(
            shown.transpose().map_err(ApiError::Unwritable)?.map_or(Value::Null, Value::Object),
        );
    }
    reply(&all)
}

fn asked(object: &Object<'_>, errors: &mut BodyErrors) -> (Vec<Ein>, Vec<String>) {
    if !object.has("eins") {
        object.missing("eins", errors);
    }
    let typed = object.texts("eins", (EINS_MAX, EIN_CHARACTERS_MAX), errors);
    let mut eins = Vec::with_capacity(typed.len());
    for (at, text) in typed.iter().enumerate() {
        match Ein::from_typed(text) {
            Some(ein) => eins.push(ein),
            None => object.unfit(("eins", at), "expected nine digits".to_owned(), errors),
        }
    }
    let fields = object.texts("fields", (FIELDS_MAX, FIELD_CHARACTERS_MAX), errors);
    for (at, field) in fields.iter().enumerate().filter(|(_, field)| !FIELDS.contains(*field)) {
        let known: Vec<&str> = FIELDS.iter().map(String::as_str).collect();
        let why = format!("{field:?} is none of {}", known.join(", "));
        object.unfit(("fields", at), why, errors);
    }
    (eins, fields)
}

/// The members that are wanted, in the order of details and standing.
fn members(
    organization: &Organization,
    snapshot: &Snapshot,
    fields: &[String],
) -> Result<Map<String, Value>, serde_json::Error> {
    let mut members = object(Details::of(organization))?;
    if fields.is_empty() {
        return Ok(members);
    }
    if fields.iter().any(|field| STANDING_FIELDS.contains(&field.as_str())) {
        let standing = object(StandingShown::of(organization, &snapshot.manifest))?;
        members.extend(
            standing.into_iter().filter(|(name, _)| STANDING_FIELDS.contains(&name.as_str())),
        );
    }
    Ok(members.into_iter().filter(|(name, _)| fields.contains(name)).collect())
}

fn object(shown: impl Serialize) -> Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_value(serde_json::to_value(shown)?)
}
