//! The tools, in the order in which they are listed. Most ask one endpoint; those that do more stand below.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use super::arguments::{Argument, Arguments, Object, ToolError, ein, unknown};
use super::cursor::{self, CURSOR, List, NEXT};
use super::tool::{Tool, Work, ask, object, schema_of, schema_of_endpoint};
use crate::http::endpoints::changes::CHANGES;
use crate::http::endpoints::grants::GRANTS_OF;
use crate::http::endpoints::r#match::MATCH;
use crate::http::endpoints::nonprofit::{DETAILS, STANDING};
use crate::http::endpoints::people::PEOPLE_OF;
use crate::http::endpoints::typeahead::TYPEAHEAD;
use crate::http::endpoints::{beta, funders};
use crate::http::interface::api_error::ApiError;
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::snapshot::Snapshot;
use crate::views::{Details, StandingShown};

/// The search is named in its cursors, too.
const SEARCH: &str = "search_nonprofits";

pub(super) static TOOLS: [Tool; 11] = [
    Tool {
        name: "find_by_name",
        title: "Find by name",
        description: "Finds the EIN of a nonprofit from the beginning of its name or of a later word of it, or \
            from an EIN, the likeliest first; one typing error is forgiven. Tell namesakes apart by city, \
            state and alt_name: do not take one for another. A few words of the name find more than all of them.",
        work: Work::Ask(&TYPEAHEAD, &[("state", None), ("scope", Some("all"))]),
    },
    Tool {
        name: SEARCH,
        title: "Search nonprofits",
        description: "Finds U.S. nonprofits by what they are about and by filters: place, NTEE code, subsection, \
            money, size, ruling year, goals. q may be a sentence; intentDetails.llm_response.message says what was \
            understood. Filters exclude, the rest of q only ranks. For one nonprofit by its name, find_by_name is \
            better.",
        work: Work::Own { arguments: search_arguments, output: search_output, call: search },
    },
    Tool {
        name: "get_nonprofit",
        title: "Nonprofit",
        description: "The full profile of one nonprofit by its EIN: names, address, what it is for, NTEE code, \
            money of the latest return, deductibility, revocation. null is not known, never zero or no.",
        work: Work::Ask(&DETAILS, &[]),
    },
    Tool {
        name: "check_standing",
        title: "Tax-exempt standing",
        description: "Whether one nonprofit is exempt, whether gifts to it are deductible, and whether its \
            exemption was revoked, each with the IRS list that says so and the day as of which that list speaks. \
            A list that was not loaded is marked as not loaded: the answer is then unknown, which is not a no.",
        work: Work::Ask(&STANDING, &[]),
    },
    Tool {
        name: "compare",
        title: "Compare nonprofits",
        description: "Two to five nonprofits side by side, in the order asked for: for each the profile of \
            get_nonprofit and the standing of check_standing. Years and lists may differ between them: say so \
            when comparing figures.",
        work: Work::Own {
            arguments: compare_arguments,
            output: || schema_of(SchemaGenerator::subschema_for::<Comparison<'_>>),
            call: compare,
        },
    },
    Tool {
        name: "changes",
        title: "What changed",
        description: "Lists what changed of nonprofits since an earlier snapshot of the data or since a day, the \
            latest first: appeared, vanished, renamed, moved, revoked, reinstated, deductibility_changed, \
            foundation_changed, new_return; each with the values before and after. A day counts the snapshots \
            that were built on it or later.",
        work: Work::Ask(&CHANGES, &[]),
    },
    Tool {
        name: "match_organizations",
        title: "Match organizations",
        description: "The EINs of a list of organizations by name and, where known, street, city, state and ZIP \
            code. score is a calibrated probability: take what is decided yes, show a person what is maybe with \
            its reasons, and leave no without an EIN. Give every part of the address that there is.",
        work: Work::Own {
            arguments: match_arguments,
            output: || schema_of(MATCH.body),
            call: match_organizations,
        },
    },
    Tool {
        name: "who_funds",
        title: "Who funds a nonprofit",
        description: "Grants that one nonprofit received, as the returns of those who made them list them, the \
            latest tax year first. A recipient that was matched by name has a probability in match_score: say so. \
            message says where no return was loaded: then nothing is known, which is not zero.",
        work: Work::Ask(&GRANTS_OF, &[("direction", Some("received"))]),
    },
    Tool {
        name: "grants_made",
        title: "Grants that a nonprofit made",
        description: "Grants that one nonprofit or foundation made, as its returns list them, the latest tax year \
            first, with the totals that the returns themselves state. message says where no return was loaded: \
            then nothing is known, which is not zero.",
        work: Work::Ask(&GRANTS_OF, &[("direction", Some("made"))]),
    },
    Tool {
        name: "find_funders",
        title: "Find funders",
        description: "Who made grants of a kind, who gave most first: words of recipient and purpose in q, the \
            recipients' state and NTEE code, the funder's state. For each the number of such grants, what they add \
            up to, and whether and how it takes applications, as filed.",
        work: Work::Ask(&funders::SEARCH, &[]),
    },
    Tool {
        name: "people",
        title: "People of a nonprofit",
        description: "Officers, directors, trustees, key employees and the highest paid of one nonprofit by year, \
            with title, hours and compensation, as its returns list them. message says where none was loaded. \
            Equal names at two nonprofits may be two people.",
        work: Work::Ask(&PEOPLE_OF, &[]),
    },
];

/// Pages go by cursor, sessions belong to a client, and models of other services mean nothing here.
const WITHOUT: [&str; 3] = ["page", "x-session-id", "model"];

fn search_arguments() -> Vec<Argument> {
    let declared = Argument::of_parameters(beta::SEARCH.parameters, &WITHOUT);
    declared.chain([cursor::argument()]).collect()
}

fn search_output() -> Object {
    let mut schema = schema_of_endpoint(&beta::SEARCH);
    let total = json!({
        "type": "integer",
        "minimum": 0,
        "description": "Number of nonprofits that satisfy the filters; of them, q lists those that it finds.",
    });
    cursor::declare_member(&mut schema, "total", total);
    cursor::declare(&mut schema);
    schema
}

/// `/beta/nonprofits/search`, with the number of matches and a cursor.
fn search(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let query = sent.query(&[CURSOR])?;
    let list = List::of(snapshot, SEARCH, &query);
    let page = list.page(sent)?;
    let reply = ask(snapshot, &beta::SEARCH, None, &format!("{query}&page={page}"))?;
    let mut answer = object(&reply)?;
    let total = reply.plan.map_or(0, |plan| plan.listed.unwrap_or(plan.matches + plan.nearby));
    let size = sent.size(&search_arguments());
    // Words may find fewer than satisfy the filters: behind a page that is not full there is none.
    let rows = answer.get("nonprofits").and_then(Value::as_array).map_or(0, Vec::len);
    let next = list.next(page, size, total).filter(|_| rows as u64 == size);
    answer.insert("total".to_owned(), json!(total));
    answer.insert(NEXT.to_owned(), next.map_or(Value::Null, Value::String));
    Ok(answer)
}

/// Nonprofits that one call compares: more do not fit side by side, and their answer would fill
/// what a model can read at once.
const COMPARED_MAX: usize = 5;
const COMPARED_MIN: usize = 2;

const EINS: &str = "eins";

/// Nonprofits side by side.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Comparison")]
struct Comparison<'a> {
    /// The nonprofits, in the order in which they were asked for.
    nonprofits: Vec<Compared<'a>>,
}

/// One of the nonprofits compared.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Compared")]
struct Compared<'a> {
    /// The full profile.
    details: Details<'a>,
    /// What it is in the eyes of the tax code, by the IRS's lists.
    standing: StandingShown<'a>,
}

fn compare_arguments() -> Vec<Argument> {
    let schema = json!({
        "type": "array",
        "items": { "type": "string", "pattern": r"^\d{9}$" },
        "minItems": COMPARED_MIN,
        "maxItems": COMPARED_MAX,
        "uniqueItems": true,
        "description": "EINs of the nonprofits, two to five, each of exactly nine digits.",
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    vec![Argument { name: EINS.to_owned(), schema, is_required: true }]
}

/// Some nonprofits side by side, each with its details and its standing.
fn compare(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let mut eins: Vec<Ein> = Vec::new();
    for text in sent.texts(EINS)? {
        let ein = ein(text)?;
        if !eins.contains(&ein) {
            eins.push(ein);
        }
    }
    if !(COMPARED_MIN..=COMPARED_MAX).contains(&eins.len()) {
        return Err(ToolError::Refused(format!(
            "Expected {COMPARED_MIN} to {COMPARED_MAX} different EINs in {EINS}; found {}. Call the tool with \
             that many.",
            eins.len()
        )));
    }
    let mut found: Vec<Organization> = Vec::new();
    let mut missing: Vec<Ein> = Vec::new();
    for ein in eins {
        match details(snapshot, ein)? {
            Some(organization) => found.push(organization),
            None => missing.push(ein),
        }
    }
    if !missing.is_empty() {
        return Err(unknown(&missing));
    }
    let nonprofits = found.iter().map(|organization| Compared {
        details: Details::of(organization),
        standing: StandingShown::of(organization, &snapshot.manifest),
    });
    let comparison = Comparison { nonprofits: nonprofits.collect() };
    match serde_json::to_value(&comparison).map_err(ApiError::Unwritable)? {
        Value::Object(answer) => Ok(answer),
        _ => Ok(Object::new()),
    }
}

/// The members of the request, whole in themselves.
fn match_arguments() -> Vec<Argument> {
    let request = schema_of(MATCH.request);
    let definitions = request.get("$defs").cloned().unwrap_or_default();
    let properties = request.get("properties").and_then(Value::as_object).cloned();
    let argument = |(name, schema): (String, Value)| {
        let mut schema = schema.as_object().cloned().unwrap_or_default();
        let row = schema.get("items").and_then(|items| items["$ref"].as_str());
        if let Some(row) = row.and_then(|path| path.rsplit('/').next()) {
            let mut row = definitions[row].clone();
            // Of an organization its name or its EIN must be known, nothing else.
            row["required"] = json!([]);
            schema.insert("items".to_owned(), row);
        }
        // An argument that is null counts as absent.
        let kind = schema.get("type").and_then(Value::as_array);
        if let Some(kind) =
            kind.and_then(|kinds| kinds.iter().find(|kind| **kind != "null")).cloned()
        {
            schema.insert("type".to_owned(), kind);
        }
        Argument { is_required: schema.contains_key("items"), name, schema }
    };
    properties.unwrap_or_default().into_iter().map(argument).collect()
}

fn match_organizations(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    object(&(MATCH.answer)(Some(snapshot), sent.json().as_bytes())?)
}
