//! What a call of `search_nonprofits` asks for: the arguments and the words as one query, with what distances are from.

use hyper::HeaderMap;

use super::place::{Circle, centers, keep_within_circles, sorts_by_distance};
use crate::http::endpoints::beta::params::Params;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::input::Input;
use crate::http::tools::arguments::{Arguments, ToolError, again, ein, quoted_excerpt, unknown};
use crate::http::tools::cursor::CURSOR;
use crate::http::tools::tool::Call;
use crate::index::columns::Facet;
use crate::query::Figure;
use crate::record::Point;
use crate::search::details::details;
use crate::search::nonprofits::Query;
use crate::taxonomy;
use crate::understand::{Frame, Interpretation, Lookup, NameUse, Organization};

/// Combinations of states and cities of one search.
const PLACES_MAX: usize = 100;
/// What a call asks for.
pub(super) struct SearchRequest {
    pub(super) understood: Interpretation,
    pub(super) query: Query,
    /// Counted over all that satisfy the arguments, whatever is listed.
    pub(super) facets: Vec<Facet>,
    /// What distances are from, the nearest of several.
    pub(super) centers: Vec<Point>,
    /// Whether rows come by revenue unless an order is asked for.
    pub(super) is_by_revenue: bool,
    pub(super) is_around: bool,
}

impl SearchRequest {
    pub(super) fn read(call: &Call<'_>, lookup: &Lookup<'_>) -> Result<Self, ToolError> {
        let sent = call.sent;
        let circle = Circle::read(call.snapshot, sent)?;
        let sorts = sorts_by_distance(sent).filter(|_| circle.is_none());
        let own =
            [CURSOR, "limit", "fields", "detail", "state", "city", "near", "miles", "similar_to"];
        let own: Vec<&str> = own.into_iter().chain(sorts.is_some().then_some("sort")).collect();
        let mut text = format!("{}&page={}&size={}", sent.query(&own), call.page, call.limit);
        if let Some(circle) = &circle {
            text.push_str(&format!("&{}", circle.parameters()));
        }
        let (params, mut explicit) = read(&text, sent)?;
        if let Some(circle) = &circle {
            circle.name(&mut explicit);
        }
        let q = params.q.as_deref();
        let mut understood = params.interpret(lookup, &explicit, None)?;
        // Where the call itself has no bounds of revenue.
        if let Some(q) = q.filter(|_| explicit.ranges[Figure::Revenue].is_open()) {
            understood.measure_foundations_by_assets(q);
        }
        if let Some(text) = sent.text("similar_to") {
            let ein = ein(text)?;
            let Some(found) = details(lookup, ein)? else { return Err(unknown(ein)) };
            let like = Organization::known(found.name, ein, NameUse::Similar);
            understood.frame.organization = Some(like);
        }
        let drawn = understood.frame.places.iter().flat_map(|place| &place.areas);
        let is_around =
            drawn.clone().next().is_some() && drawn.clone().all(|one| one.near.is_some());
        let centers = match &circle {
            Some(circle) => vec![circle.point],
            None => centers(&understood.frame.places),
        };
        let mut page = params.page_query();
        let facets = std::mem::take(&mut page.facets);
        if let [only] = centers[..] {
            page.origin = page.origin.or(Some(only));
        }
        if let Some(sorts) = sorts {
            if page.origin.is_none() {
                return Err(again(
                    "sort: distance is from one place: near \"Lexington, KY\", or a city or ZIP code in q",
                ));
            }
            page.sort = sorts;
        }
        let mut query = understood.query(page);
        keep_within_circles(&mut query);
        let is_by_revenue = q.is_none() && !sent.has("similar_to");
        Ok(Self { understood, query, facets, centers, is_by_revenue, is_around })
    }
}

/// The parameters, and what they ask for with every state and city.
fn read(query: &str, sent: &Arguments<'_>) -> Result<(Params, Frame), ToolError> {
    let headers = HeaderMap::new();
    let either = |name: &'static str| {
        let values = sent.texts(name).into_iter().map(|text| {
            let mut pair = form_urlencoded::Serializer::new(String::new());
            format!("&{}", pair.append_pair(name, text).finish())
        });
        let values: Vec<String> = values.collect();
        if values.is_empty() { vec![String::new()] } else { values }
    };
    let (states, cities) = (either("state"), either("city"));
    if states.len() * cities.len() > PLACES_MAX {
        return Err(again(&format!("state and city: expected at most {PLACES_MAX} combinations")));
    }
    if let Some(city) = sent.texts("city").into_iter().find(|city| city.contains(',')) {
        return Err(again(&format!(
            "city: expected a city alone, its state in the argument state; found {}",
            quoted_excerpt(city)
        )));
    }
    let codes = sent.texts("ntee_codes").into_iter().flat_map(|text| text.split(','));
    let is_known =
        |code: &str| taxonomy::titles().any(|(known, _)| known.starts_with(&code.to_uppercase()));
    if let Some(code) = codes.filter(|code| !code.is_empty()).find(|code| !is_known(code)) {
        return Err(again(&format!(
            "ntee_codes: expected codes or their beginnings, such as K or K31; found {}. Words for a cause go into q",
            quoted_excerpt(code)
        )));
    }
    let mut whole: Option<(Params, Frame)> = None;
    for place in
        states.iter().flat_map(|state| cities.iter().map(move |city| format!("{state}{city}")))
    {
        let text = format!("{query}{place}");
        let params =
            Params::read(&Input::new(None, Some(&text), &headers)).map_err(ApiError::from)?;
        let frame = params.filters.frame();
        match &mut whole {
            None => whole = Some((params, frame)),
            Some((_, first)) => {
                if let (Some(first), Some(other)) =
                    (first.places.first_mut(), frame.places.into_iter().next())
                {
                    first.areas.extend(other.areas);
                    first.name = format!("{} or {}", first.name, other.name);
                    (first.city, first.state, first.zip) = (None, None, None);
                }
            }
        }
    }
    whole.ok_or_else(|| again("expected arguments"))
}
