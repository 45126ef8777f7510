//! Tools over endpoints that answer a list by pages: a cursor leads from one to the next.

use serde_json::Value;

use super::cursor::{self, CURSOR, List, NEXT};
use super::schema;
use super::tool::{Argument, Arguments, Object, ToolError, ask, object, unknown};
use crate::http::api_error::ApiError;
use crate::http::endpoint::Endpoint;
use crate::snapshot::Snapshot;

/// A list of an endpoint, under the name of a tool.
pub(super) struct PagedList {
    pub(super) tool: &'static str,
    pub(super) endpoint: &'static Endpoint,
    /// Parameters that the tool sets, as a query string.
    pub(super) fixed: &'static [(&'static str, &'static str)],
}

impl PagedList {
    /// What the endpoint takes, but for what the tool sets, and a cursor.
    pub(super) fn arguments(&self) -> Vec<Argument> {
        let fixed = self.fixed.iter().map(|(name, _)| *name);
        let without: Vec<&str> = fixed.chain(["page"]).collect();
        let declared = Argument::of_parameters(self.endpoint.parameters, &without);
        declared.chain([cursor::argument()]).collect()
    }

    /// What the endpoint answers, with the cursor of the next page.
    pub(super) fn output(&self) -> Object {
        let mut schema = schema::of_endpoint(self.endpoint);
        cursor::declare(&mut schema);
        schema
    }

    /// The page that is asked for.
    pub(super) fn call(&self, snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
        let mut query = sent.query(&[CURSOR, "ein"])?;
        for (name, value) in self.fixed {
            query += &format!("&{name}={value}");
        }
        let ein = match self.endpoint.path.contains("{ein}") {
            true => Some(sent.ein()?),
            false => None,
        };
        let of = ein.map_or_else(|| query.clone(), |ein| format!("{ein}&{query}"));
        let list = List::of(snapshot, self.tool, &of);
        let page = list.page(sent)?;
        let path_value = ein.as_ref().map(|ein| ein.as_str());
        let reply = ask(snapshot, self.endpoint, path_value, &format!("{query}&page={page}"));
        let mut answer = match (reply, ein) {
            (Err(ApiError::UnknownNonprofit), Some(ein)) => return Err(unknown(&[ein])),
            (reply, _) => object(&reply?)?,
        };
        let total = answer.get("total").and_then(Value::as_u64).unwrap_or(0);
        let next = list.next(page, sent.size(&self.arguments()), total);
        answer.insert(NEXT.to_owned(), next.map_or(Value::Null, Value::String));
        Ok(answer)
    }
}
