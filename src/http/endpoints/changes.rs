//! `GET /changes` and `/changes.atom`: what changed of nonprofits since an earlier snapshot or a day. Beside the
//! specification.

use std::fmt::Write as _;

use serde_json::{Value, json as value};
use xxhash_rust::xxh3::xxh3_64;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{EINS, PAGE, SIZE, STATE};
use crate::http::interface::endpoint::{
    Body, Context, Cost, Endpoint, Page, Reply, Rows, atom, paging,
};
use crate::http::interface::markup::escaped;
use crate::http::interface::parameter::{Optional, Parameter, many, optional, parameters};
use crate::http::interface::parameter_type::{Choice, Day, ParameterType};
use crate::http::interface::validation_error::{Reason, ValidationErrors};
use crate::record::{ChangeKind, Ein, State};
use crate::search::changes::{DatedChange, Query, Since, search};
use crate::search::listing::{ListPage, Paging};

/// A day, or the name of a snapshot.
struct SinceText;

impl ParameterType for SinceText {
    type Value = Since;

    fn read(&self, raw: &str) -> Result<Since, Reason> {
        let expected = "expected a day that exists, as YYYY-MM-DD, or the name of a snapshot";
        raw.parse().map_err(|_| Reason::ValueError(expected.into()))
    }

    fn schema(&self) -> Value {
        let name = value!({ "type": "string", "pattern": r"^\d{8}T\d{6}Z-[0-9a-f]{8}$" });
        value!({ "type": "string", "anyOf": [Day.schema(), name] })
    }
}

const SINCE: Parameter<SinceText, Optional> = optional(
    "since",
    SinceText,
    "Only what changed after a snapshot that is remembered, by its name, or what was first seen on a day or later, \
     `YYYY-MM-DD`; without it, all that is remembered.",
);

parameters! {
    /// What changes are asked for by.
    Params {
        since: Option<Since> = SINCE,
        eins: Vec<Ein> = EINS,
        state: Option<State> = STATE,
        kind: Vec<ChangeKind> = many(
            "kind",
            Choice::of(&ChangeKind::ALL, ChangeKind::name),
            "Only changes of these kinds.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

pub(crate) static CHANGES: Endpoint = Endpoint {
    summary: "What changed of nonprofits since an earlier snapshot",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Hundreds of thousands of short rows may be looked at.
    ..Endpoint::json::<Page<DatedChange>>("/changes", Params::DECLARED, answer)
};

/// The same as an Atom feed.
pub(crate) static ATOM: Endpoint = Endpoint {
    summary: "What changed of nonprofits, as an Atom feed",
    body: Body::Atom,
    cost: Cost::Heavy,
    ..Endpoint::json::<()>("/changes.atom", Params::DECLARED, answer_atom)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let (found, paging) = found(context)?;
    Page::of(found, paging).reply()
}

fn found(context: &Context<'_>) -> Result<(ListPage<DatedChange>, Paging), ApiError> {
    let query = Params::read(&context.input)?.query();
    let found = search(context.snapshot()?, &query)?;
    let found = found.ok_or_else(|| {
        let mut errors = Vec::new();
        let why = "since should be a day, or a snapshot that is remembered: those before the one that \
                   is served, as far back as there is room";
        SINCE.unfit(&context.input, why.to_owned(), &mut errors);
        ApiError::Invalid(ValidationErrors(errors))
    })?;
    Ok((found, query.paging))
}

impl Params {
    pub(crate) fn query(self) -> Query {
        let Self { since, eins, state, kind: kinds, page, size } = self;
        let since = since.unwrap_or(Since::First);
        Query { since, eins, state, kinds, paging: paging(page, size) }
    }
}

fn answer_atom(context: &Context<'_>) -> Result<Reply, ApiError> {
    let (found, _) = found(context)?;
    let updated = &context.snapshot()?.manifest.built_at;
    let mut feed = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>urn:almoner:changes</id>\n<title>Changes of nonprofits</title>\n\
         <author><name>Almoner</name></author>\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(feed, "<updated>{}</updated>", escaped(updated));
    for row in &found.rows {
        let change = &row.change;
        let kind = change.kind.name();
        let values = format!("{:?} {:?}", change.before, change.after);
        let number = xxh3_64(values.as_bytes());
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let said = format!("{}: {} → {}", kind, value(&change.before), value(&change.after));
        let _ = writeln!(
            feed,
            "<entry><id>urn:almoner:changes:{}:{}:{kind}:{number:016x}</id><title>{}</title>\
             <updated>{}</updated><category term=\"{kind}\"/><summary>{}</summary></entry>",
            escaped(&row.snapshot),
            change.ein,
            escaped(&format!("{} (EIN {}): {}", change.name, change.ein, kind.replace('_', " "))),
            escaped(&row.seen),
            escaped(&said),
        );
    }
    feed.push_str("</feed>\n");
    Ok(atom(feed))
}
