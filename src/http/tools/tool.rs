//! What a tool is, how its row of the table is read, and how a call is answered: by an endpoint or by a function of its
//! own, page by page, cut to what a model needs.

use hyper::HeaderMap;
use serde_json::{Value, json};

use super::arguments::{Argument, Arguments, Object, ToolError, again, unknown};
use super::cursor::{CURSOR, List, NEXT, Position};
use super::declared::argument;
use super::guidance::{empty_message, loaded_lists};
use super::rows::{self, Selection};
use crate::http::endpoints::nonprofit::STANDING;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Rows};
use crate::http::interface::input::Input;
use crate::http::interface::route::ENDPOINTS;
use crate::record::Ein;
use crate::snapshot::Snapshot;
use crate::understand::{Asker, Sessions};

/// A tool that a model may call. None changes anything.
#[derive(Debug)]
pub(in crate::http) struct Tool {
    pub(in crate::http) name: &'static str,
    /// The name for people.
    pub(in crate::http) title: &'static str,
    /// When to call it and what it answers, for the model.
    pub(in crate::http) description: &'static str,
    pub(in crate::http) arguments: Vec<Argument>,
    /// The endpoint that answers or whose parameters it takes.
    pub(in crate::http) endpoint: Option<&'static Endpoint>,
    /// Parameters that the tool sets, as a query string.
    pub(in crate::http) sets: &'static str,
    /// What answers in the endpoint's place.
    pub(in crate::http) own: Option<Own>,
    /// Members of a row, or of an answer that is one, that are shown in brief.
    pub(in crate::http) brief: Vec<&'static str>,
}

/// Answers a call.
pub(in crate::http) type Own = fn(&Call<'_>) -> Result<ToolAnswer, ToolError>;

/// A call of a tool.
pub(in crate::http) struct Call<'a> {
    pub(in crate::http) snapshot: &'a Snapshot,
    pub(in crate::http) tool: &'a Tool,
    /// All there are, for what leads on.
    pub(in crate::http) tools: &'a [Tool],
    pub(in crate::http) sent: &'a Arguments<'a>,
    /// From 1.
    pub(in crate::http) page: u64,
    /// Rows of a page.
    pub(in crate::http) limit: u64,
}

/// What was found, before it is cut.
#[derive(Debug, Default)]
pub(in crate::http) struct ToolAnswer {
    /// The members before the rows; of an answer without a list, the answer.
    pub(in crate::http) head: Object,
    pub(in crate::http) rows: Option<Vec<Object>>,
    /// Members that are shown in brief besides those of the tool.
    pub(in crate::http) also: Vec<&'static str>,
    /// Tools that lead on.
    pub(in crate::http) next: Vec<Value>,
    /// Whether rows follow those of this page.
    pub(in crate::http) has_more: bool,
}

/// Rows of a page, unless the call says; and the most.
const LIMIT: u64 = 10;
const LIMIT_MAX: u64 = 100;

/// The parameters that pages go by.
const PAGE: &str = "page";
const SIZE: &str = "size";

impl Tool {
    /// A tool, from its row of the table; `None` where that names no endpoint or parameter.
    pub(in crate::http) fn read(row: [&'static str; 6], own: Option<Own>) -> Option<Self> {
        let [name, title, path, arguments, brief, description] = row;
        let (path, sets) = path.split_once('?').unwrap_or((path, ""));
        let endpoint = ENDPOINTS.iter().find(|one| one.path == path).copied();
        if endpoint.is_none() && own.is_none() {
            return None;
        }
        let mut read: Vec<Argument> =
            arguments.split(' ').map(|one| argument(name, endpoint, one)).collect::<Option<_>>()?;
        if read.iter().any(|one| one.name == "limit") && name != "match_organizations" {
            read.push(argument(name, None, "cursor:string")?);
        }
        read.push(argument(name, None, "fields:list")?);
        read.push(argument(name, None, "detail:string")?);
        let brief = brief.split(' ').filter(|member| *member != "-").collect();
        Some(Self { name, title, description, arguments: read, endpoint, sets, own, brief })
    }

    /// What a call is answered, as data.
    pub(in crate::http) fn call(
        &self,
        tools: &[Self],
        snapshot: &Snapshot,
        sent: &Arguments<'_>,
    ) -> Result<Object, ToolError> {
        let limit = sent.whole("limit", (1, LIMIT_MAX))?.unwrap_or(LIMIT);
        let list = List::of(snapshot, self.name, &sent.query(&[CURSOR]));
        let Position { page, shown } = list.position(sent)?;
        let call = Call { snapshot, tool: self, tools, sent, page, limit };
        let mut found = match self.own {
            Some(own) => own(&call)?,
            None => ask_endpoint(&call)?,
        };
        let selection = self.selection(sent, &found.also)?;
        let Some(all) = found.rows.take() else {
            let mut answer = selection.apply(&found.head);
            add_next(&mut answer, found.next);
            return Ok(answer);
        };
        let mut answer = Selection::Full.apply(&found.head);
        selection.check(&all)?;
        let mut rows: Vec<Object> = all.iter().map(|row| selection.apply(row)).collect();
        let unknown = selection.unknown_in(&rows);
        if !unknown.is_empty() {
            let told = format!("of no row here: {}", unknown.join(", "));
            answer.insert("not_known".to_owned(), json!(told));
        }
        rows.drain(..shown.min(rows.len()));
        let fitting = rows::fitting(&rows).min(rows.len());
        let is_cut = fitting < rows.len();
        let has_pages = self.arguments.iter().any(|one| one.name == CURSOR);
        let position = match is_cut {
            true => has_pages.then_some(Position { page, shown: shown + fitting }),
            false => found.has_more.then_some(Position { page: page.saturating_add(1), shown: 0 }),
        };
        if is_cut && !has_pages {
            let told = format!(
                "only the first {fitting} rows are here: ask for the others in a further call"
            );
            answer.insert("cut".to_owned(), json!(told));
        }
        rows.truncate(fitting);
        if rows.is_empty() && !answer.contains_key("message") {
            answer
                .insert("message".to_owned(), json!(empty_message(snapshot, self.endpoint, sent)));
        }
        let shared = rows::shared(&mut rows);
        if !shared.is_empty() {
            answer.insert("all".to_owned(), Value::Object(shared));
        }
        answer.insert("rows".to_owned(), json!(rows));
        if let Some(position) = position {
            answer.insert(NEXT.to_owned(), json!(list.cursor(position)));
        }
        add_next(&mut answer, found.next);
        Ok(answer)
    }

    fn selection(
        &self,
        sent: &Arguments<'_>,
        also: &[&'static str],
    ) -> Result<Selection, ToolError> {
        let fields: Vec<String> = sent.texts("fields").into_iter().map(str::to_owned).collect();
        match (sent.text("detail"), fields.is_empty()) {
            (_, false) => Ok(Selection::Fields(fields)),
            (Some("full"), _) => Ok(Selection::Full),
            (None | Some("brief"), _) if self.brief.is_empty() => Ok(Selection::Full),
            (None | Some("brief"), _) => {
                let members = self.brief.iter().chain(also).map(|one| (*one).to_owned());
                Ok(Selection::Brief(members.collect()))
            }
            (Some(_), _) => Err(again("detail: expected brief or full")),
        }
    }
}

fn add_next(answer: &mut Object, next: Vec<Value>) {
    if !next.is_empty() {
        answer.insert("next".to_owned(), json!(next));
    }
}

/// Asks the endpoint of a tool.
pub(in crate::http) fn ask_endpoint(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let Some(endpoint) = call.tool.endpoint else { return Ok(ToolAnswer::default()) };
    let ein = endpoint.path.contains("{ein}").then(|| call.sent.ein()).transpose()?;
    let mut query = call.sent.query(&[CURSOR, "ein", "limit", "fields", "detail"]);
    for part in [call.tool.sets.to_owned(), format!("{PAGE}={}&{SIZE}={}", call.page, call.limit)] {
        query = if query.is_empty() { part } else { format!("{query}&{part}") };
    }
    let reply = match (ask(call.snapshot, endpoint, ein.as_ref().map(Ein::as_str), &query), ein) {
        (Err(ApiError::UnknownNonprofit), Some(ein)) => return Err(unknown(ein)),
        (reply, _) => reply?,
    };
    let mut head = object(&reply)?;
    let list = match endpoint.rows {
        Rows::In(list) => list,
        // Of several lists the nonprofits are rows.
        Rows::None if head.get("nonprofits").is_some_and(Value::is_array) => "nonprofits",
        Rows::None | Rows::Whole => {
            if std::ptr::eq(endpoint, &STANDING) {
                head.insert("message".to_owned(), json!(loaded_lists(call.snapshot)));
            }
            return Ok(ToolAnswer { head, ..ToolAnswer::default() });
        }
    };
    let rows = take_rows(&mut head, list);
    let total = head.get("total").or(head.get("relations_total")).and_then(Value::as_u64);
    let seen = call.page.saturating_mul(call.limit);
    let is_full = call.sent.text("detail") == Some("full");
    head.retain(|name, value| {
        !["ein", PAGE, SIZE, "snapshot"].contains(&name.as_str()) && (is_full || !value.is_array())
    });
    let has_more = total.is_some_and(|total| total > seen);
    Ok(ToolAnswer { head, rows: Some(rows), has_more, ..ToolAnswer::default() })
}

/// Takes the rows of a list out of an answer.
pub(in crate::http) fn take_rows(head: &mut Object, list: &str) -> Vec<Object> {
    let rows = match head.remove(list) {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    };
    let objects = rows.into_iter().filter_map(|row| match row {
        Value::Object(row) => Some(row),
        _ => None,
    });
    objects.collect()
}

/// What an endpoint answers, of a value in its path and a query string.
pub(in crate::http) fn ask(
    snapshot: &Snapshot,
    endpoint: &Endpoint,
    path_value: Option<&str>,
    query: &str,
) -> Result<Reply, ApiError> {
    // There is no client whose headers or session could count.
    let (headers, sessions) = (HeaderMap::new(), Sessions::default());
    let input = Input::new(path_value, Some(query), &headers);
    let asker = Asker { key: None, client: &"host".into() };
    (endpoint.answer)(&Context {
        snapshot: Some(snapshot),
        input,
        sessions: &sessions,
        asker,
        path_key: None,
        // The host is one itself.
        language_model: None,
    })
}

pub(in crate::http) fn object(reply: &Reply) -> Result<Object, ToolError> {
    serde_json::from_slice(&reply.body).map_err(|error| ApiError::Unwritable(error).into())
}
