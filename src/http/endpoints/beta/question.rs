//! A question about money, people or relations that a query asks, and the endpoint that answers it.

use form_urlencoded::Serializer;
use serde_json::{Value, json};

use crate::reader::Topic;
use crate::record::Ein;
use crate::search::{SearchError, funders};
use crate::snapshot::Snapshot;
use crate::understand::Question;

/// The question, and the path that answers it where the organization is known: `{"intent":
/// "funders", "path": "/funders/search?q=food+bank&recipient_state=OH"}`.
pub(crate) fn answered_by(snapshot: &Snapshot, asked: &Question) -> Result<Value, SearchError> {
    let ein = asked.whom.as_ref().and_then(|whom| whom.ein);
    let path = match (asked.topic, ein) {
        (Topic::Funders, _) => Some(funders_path(snapshot, asked)?),
        (_, Some(ein)) => nonprofit_path(asked, ein),
        (_, None) => None,
    };
    Ok(json!({ "intent": asked.topic.name(), "path": path }))
}

fn funders_path(snapshot: &Snapshot, asked: &Question) -> Result<String, SearchError> {
    let way = funders::query_of(snapshot, asked)?;
    let ntee = (!way.recipient_ntee.is_empty()).then(|| way.recipient_ntee.join(","));
    let parameters = [
        ("q", way.words),
        ("state", way.grantor_state.map(|state| state.code().to_owned())),
        ("accepts_applications", asked.accepts_applications.map(|accepts| accepts.to_string())),
        ("recipient_state", way.recipient_state.map(|state| state.code().to_owned())),
        ("recipient_ntee", ntee),
        ("min_amount", way.min_amount.map(|amount| amount.to_string())),
        ("year", way.year.map(|year| year.to_string())),
    ];
    Ok(path("/funders/search".to_owned(), parameters))
}

fn nonprofit_path(asked: &Question, ein: Ein) -> Option<String> {
    let year = asked.year.map(|year| year.to_string());
    let state = asked.recipient_state.map(|state| state.code().to_owned());
    let direction = |direction: &str| ("direction", Some(direction.to_owned()));
    let least = asked.min_amount.map(|amount| amount.to_string());
    let of = |kind: &str| format!("/nonprofits/{kind}/{ein}");
    Some(match asked.topic {
        Topic::GrantsTo => {
            path(of("grants"), [direction("received"), ("year", year), ("min_amount", least)])
        }
        Topic::GrantsBy => {
            let words = asked.words.clone();
            path(of("grants"), [direction("made"), ("year", year), ("state", state), ("q", words)])
        }
        Topic::Board | Topic::Pay => path(of("people"), [("year", year)]),
        Topic::Family => of("family"),
        Topic::Peers => of("peers"),
        Topic::Funders | Topic::Other => return None,
    })
}

/// A path with the parameters that have a value.
fn path<'a>(
    path: String,
    parameters: impl IntoIterator<Item = (&'a str, Option<String>)>,
) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in parameters {
        if let Some(value) = value {
            query.append_pair(name, &value);
        }
    }
    match query.finish() {
        query if query.is_empty() => path,
        query => format!("{path}?{query}"),
    }
}
