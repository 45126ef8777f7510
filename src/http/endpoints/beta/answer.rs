//! What the search answers: the filters as they were understood, and a page of nonprofits.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::params::Params;
use crate::http::interface::filters::FacetCounts;
use crate::http::interface::interpretation::{
    InterpretationSummary, arguments, given, shown_places,
};
use crate::query::Figure;
use crate::record::{Ein, OrgSize, State, Zip5, as_written};
use crate::search::gaps::unknown_places;
use crate::search::nonprofits::{NonprofitHit, NonprofitPage};
use crate::understand::{AlternativeReading, Frame, Interpretation};
use crate::views::{Profile, view};

/// How the request was understood, and what it found.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NonprofitSearch")]
pub(super) struct Answer<'a> {
    /// How the request was understood.
    intent_details: Intent<'a>,
    /// The nonprofits of this page, ranked or sorted; empty where none match.
    nonprofits: Vec<Nonprofit<'a>>,
    /// How many of the nonprofits that match have each value, by the name of the facet; present
    /// only where `facets` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<FacetCounts<'a>>,
}

view! {
    /// How the request was understood.
    #[schemars(rename = "SearchIntent")]
    struct Intent<'a> of |
        prompt: Option<&'a str>,
        frame: &'a Frame,
        interpretation: InterpretationSummary
    | {
        let goals = frame.goals();
        let named = frame.organization.as_ref();
        let only_ein = if let [only] = frame.eins[..] { Some(only) } else { None };

        /// What the interpreter decided.
        llm_response: InterpretationSummary = interpretation,
        /// Name of what was done, as `function_name`.
        intent: Option<&'static str> = Some(SEARCH),
        /// The query `q` as it was sent; null where none was sent.
        prompt: Option<&'a str> = prompt,
        /// What the nonprofits should be about, in the words that were asked with; null where nothing
        /// was.
        cause: Option<&'a str> = frame.cause.as_deref(),
        /// City that was asked for, by the words or by a parameter; null where none was.
        city: Option<&'a str> = frame.city(),
        /// USPS code of the one state that was asked for, by the words or by a parameter; null where
        /// none was.
        state: Option<State> = frame.state(),
        /// ZIP code of five digits that was asked for, by the words or by a parameter; null where none
        /// was.
        zip: Option<Zip5> = frame.zip(),
        /// Least total revenue in US dollars that was asked for, by the words or by a parameter; null
        /// where none was.
        min_revenue: Option<f64> = frame.ranges[Figure::Revenue].min,
        /// Most total revenue in US dollars that was asked for, by the words or by a parameter; null
        /// where none was.
        max_revenue: Option<f64> = frame.ranges[Figure::Revenue].max,
        /// Sustainable Development Goals, 1 to 17, that were asked for, by the words or by a
        /// parameter; null where none were.
        #[schemars(with = "Option<crate::record::SdgSet>")]
        sdgs: Option<Vec<u8>> = (!goals.is_empty()).then_some(goals),
        /// Beginnings of NTEE codes: those that were asked for, which filter; else what the cause was read as, the most telling
        /// first, which only ranks; null where there are none.
        ntee_codes: Option<&'a [String]> = given(&frame.ntee).or(given(&frame.cause_ntee)),
        /// Name of a nonprofit that was named or referred to; null where none was.
        organization_name: Option<&'a str> = named.map(|named| named.name.as_str()),
        /// EIN of the one nonprofit that was named or asked for; null where none was or the name is
        /// not unique.
        organization_ein: Option<Ein> = only_ein.or_else(|| named?.ein),
        /// Least score by a third party, 0 to 100, that was asked for, by the words or by a parameter;
        /// null where none was.
        min_score: Option<f64> = frame.ranges[Figure::Score].min,
        /// Most score by a third party, 0 to 100, that was asked for, by the words or by a parameter;
        /// null where none was.
        max_score: Option<f64> = frame.ranges[Figure::Score].max,
        /// Least rating by a third party in stars, 0 to 4, that was asked for, by the words or by a
        /// parameter; null where none was.
        min_rating: Option<f64> = frame.ranges[Figure::Rating].min,
        /// Most rating by a third party in stars, 0 to 4, that was asked for, by the words or by a
        /// parameter; null where none was.
        max_rating: Option<f64> = frame.ranges[Figure::Rating].max,
        /// Size classes that were asked for; null where none were.
        org_size: Option<&'a [OrgSize]> = given(&frame.choices.sizes),
    }
}

view! {
    /// A nonprofit found by the search.
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "NonprofitFound")]
    struct Nonprofit<'a> of |row: &'a NonprofitHit| {
        let organization = &row.organization;
        let overlay = organization.overlay.as_deref();

        #[serde(flatten)]
        profile: Profile<'a> = Profile::of(organization),
        /// Score by a third party, 0 to 100, from the operator; null where the operator gives none.
        cn_score: Option<f64> = overlay.and_then(|overlay| overlay.score).map(as_written),
        /// Rating by a third party in stars, 0 to 4, from the operator; null where the operator gives
        /// none.
        cn_rating: Option<f64> = overlay.and_then(|overlay| overlay.rating).map(as_written),
        /// Size class by total expenses, else by total revenue, unless the operator gives one; null
        /// where none of these is known.
        cn_size: Option<OrgSize> = organization.size(),
        /// Cosine of the vectors of the nonprofit and of the words asked for, -1 to 1; null where no
        /// words were asked for or the snapshot has no vectors.
        vector_score: Option<f64> = row.cosine.map(f64::from),
        /// Another name in title case: what the operator gives, else one of Form 990-N, of a return,
        /// or of the master file (column SORT_NAME); null where there is none.
        #[serde(rename = "alt_name")]
        alt_name: Option<&'a str> = organization.alt_name.as_deref(),
    }
}

const SEARCH: &str = "search_nonprofits";

impl<'a> Answer<'a> {
    pub(super) fn of(
        asked: &'a Params,
        understood: &'a Interpretation,
        found: &'a NonprofitPage,
        (question, session): (Option<Value>, Option<&'static str>),
    ) -> Self {
        let frame = &understood.frame;
        let mut arguments = arguments(frame, asked.max_vector_distance);
        if asked.q.as_deref().is_some_and(|q| !q.trim().is_empty()) {
            arguments.insert("model".to_owned(), json!(asked.model.name()));
        }
        let spans = understood.spans(asked.q.as_deref().unwrap_or_default());
        if !spans.is_empty() {
            arguments.insert("spans".to_owned(), json!(spans));
        }
        match &understood.heard.alternative {
            Some(AlternativeReading::Name(one)) => {
                let name = json!({ "ein": one.ein, "name": one.name });
                arguments.insert("did_you_mean".to_owned(), name);
            }
            Some(AlternativeReading::Kind(query)) => {
                arguments.insert("did_you_mean".to_owned(), json!({ "query": query }));
            }
            None => {}
        }
        let outside = found.outside.iter().filter_map(|at| found.rows.get(*at));
        let outside: Vec<Ein> = outside.map(|row| row.organization.ein).collect();
        if !outside.is_empty() {
            arguments.insert("outside_place".to_owned(), json!(outside));
        }
        let unknown = unknown_places(&understood.heard.unknown_counties);
        if !unknown.is_empty() {
            arguments.entry("unknown_places").or_insert_with(|| shown_places(&unknown));
        }
        if let Some(question) = question {
            arguments.insert("question".to_owned(), question);
        }
        if let Some(help) = understood.help() {
            arguments.insert("help".to_owned(), json!(help));
        }
        if let Some(session) = session {
            arguments.insert("session".to_owned(), json!(session));
        }
        let interpretation = InterpretationSummary {
            function_name: SEARCH,
            arguments,
            message: understood.sentence(found, asked.max_vector_distance),
        };
        let prompt = asked.q.as_deref();
        let intent_details = Intent::of(prompt, frame, interpretation);
        let nonprofits = found.rows.iter().map(Nonprofit::of).collect();
        let facets = FacetCounts::of(&found.facets);
        Self { intent_details, nonprofits, facets }
    }
}
