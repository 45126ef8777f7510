//! What stands before the rows of a search, and which of their members are shown.

use serde_json::{Value, json};

use super::request::SearchRequest;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::filters::FacetCounts;
use crate::http::tools::arguments::{Object, ToolError};
use crate::http::tools::tool::Call;
use crate::index::columns::{Bitmap, Facet};
use crate::query::{Figure, SortKey};
use crate::record::{counted, thousands};
use crate::search::SearchError;
use crate::search::nonprofits::NonprofitPage;
use crate::understand::{Lookup, named_places};

/// NTEE codes that are shown for the words of a cause.
const CODES_MAX: usize = 3;

/// The members of a row that show a figure.
const FIGURES: [(Figure, &[&str]); 7] = [
    (Figure::Revenue, &["revenue", "revenue_to", "revenue_from"]),
    (Figure::Expenses, &["expenses", "expenses_to", "expenses_from"]),
    (Figure::Assets, &["assets", "assets_to", "assets_from"]),
    (Figure::Employees, &["employees", "employees_to", "employees_from"]),
    (Figure::RulingYear, &["irsRulingDate"]),
    (Figure::Score, &["cnScore"]),
    (Figure::Rating, &["cnRating"]),
];

impl SearchRequest {
    /// The members before the rows.
    pub(super) fn head(
        &self,
        lookup: &Lookup<'_>,
        found: &NonprofitPage,
        matching: &Bitmap,
    ) -> Result<Object, ToolError> {
        let mut head = Object::new();
        let mut say = |name: &str, value: Value| head.insert(name.to_owned(), value);
        let (plan, total) = (&found.plan, matching.count());
        say("message", json!(self.understood.sentence(found, None)));
        say("total", json!(total));
        if let Some(fit) = plan.fit.filter(|_| found.sorted.is_none()) {
            say("fits_total", json!(fit.count));
            if fit.is_least {
                say("fits_total_is_at_least", json!(true));
            }
        }
        say("sorted_total", json!(found.sorted.filter(|sorted| *sorted != total)));
        let listed = plan.listed.filter(|listed| found.sorted.is_none() && *listed != total);
        say("listed_total", json!(listed));
        say("outside_total", json!(Some(plan.nearby).filter(|count| *count > 0)));
        if found.unknown > 0 {
            say("left_out_value_unknown", json!(found.unknown));
        }
        let codes = &self.understood.frame.cause_ntee;
        say("q_ntee_codes", json!(codes.iter().take(CODES_MAX).collect::<Vec<_>>()));
        let counts = |facet: &Facet| Ok((*facet, lookup.columns.facet(matching, *facet)?));
        let facets = self.facets.iter().map(counts).collect::<Result<Vec<_>, SearchError>>()?;
        if let Some(facets) = FacetCounts::of(&facets) {
            say("facets_of_total", serde_json::to_value(facets).map_err(ApiError::Unwritable)?);
        }
        Ok(head)
    }

    /// Sentences on what the rows do not show by themselves.
    pub(super) fn notes(
        &self,
        call: &Call<'_>,
        found: &NonprofitPage,
        rows: &[Object],
    ) -> Vec<String> {
        let Some(first) = rows.first() else { return Vec::new() };
        let mut notes = Vec::new();
        let (plan, frame) = (&found.plan, &self.understood.frame);
        let relevance = &self.query.relevance;
        let is_like = relevance.nonprofit.is_some() && relevance.words().is_none();
        let left = plan.listed.map_or(0, |listed| plan.matches.saturating_sub(listed));
        if is_like && call.snapshot.vectors.is_none() {
            notes.push(
                " Likeness is in kind, size and place: the loaded data has no vectors of meaning."
                    .to_owned(),
            );
        } else if found.sorted.is_none() && left > 0 {
            let left = thousands(left);
            notes.push(format!(" {left} more satisfy the arguments, but have no word of q."));
        }
        if plan.nearby > 0 {
            let place = named_places(&frame.places);
            let count = counted(plan.nearby, "row", "rows");
            notes.push(format!(" Outside {place} {count} fit too, marked outside."));
        }
        let sorted_by = frame.sort.first().and_then(|sort| match sort.key {
            SortKey::Figure(figure) => FIGURES.iter().find(|(one, _)| *one == figure),
            _ => None,
        });
        // What is not known comes last.
        if let Some((figure, members)) = sorted_by.filter(|_| call.page == 1)
            && first.get(members[0]).is_none_or(Value::is_null)
        {
            let figure = figure.name();
            notes.push(format!(" None of these has {figure} on record, so they come by revenue."));
        }
        notes
    }

    /// The members that show what was filtered and sorted by.
    pub(super) fn also(&self, found: &NonprofitPage) -> Vec<&'static str> {
        let frame = &self.understood.frame;
        let mut also = Vec::new();
        for (figure, members) in FIGURES {
            let is_sorted = frame.sort.iter().any(|sort| sort.key == SortKey::Figure(figure));
            let is_usual = self.is_by_revenue && frame.sort.is_empty() && figure == Figure::Revenue;
            if is_sorted || is_usual || !frame.ranges[figure].is_open() {
                also.extend(members);
            }
        }
        let is_sorted_by_place = frame.sort.iter().any(|sort| sort.key == SortKey::Distance);
        let has_outside = found.plan.nearby > 0;
        for (is_asked, member) in [
            (self.is_around || is_sorted_by_place || has_outside, "distance_miles"),
            (has_outside, "outside"),
            (!frame.ntee.is_empty(), "ntee"),
            (!frame.choices.sizes.is_empty(), "org_size"),
            (!frame.sdgs.is_empty(), "sdgs"),
            (!frame.subsections.is_empty(), "exemption"),
        ] {
            if is_asked {
                also.push(member);
            }
        }
        also
    }
}
