//! `GET /nonprofits/search`: nonprofits by words and filters, page by page with a total. Here `q` is words and names,
//! and is never interpreted; `/beta/nonprofits/search` turns a sentence into filters.

use schemars::JsonSchema;
use serde::Serialize;

use super::filters::{NONPROFIT_FILTERS, NonprofitFilters};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{PAGE, size};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Page, Reply, Rows, json, paging};
use crate::http::interface::filters::{FACETS, FacetCounts};
use crate::http::interface::parameter::{Optional, Parameter, optional, parameters};
use crate::http::interface::parameter_type::Text;
use crate::index::columns::Facet;
use crate::record::{Listing, OrgSize, Organization, Usd, as_written};
use crate::search::listing::ListPage;
use crate::search::nonprofits::{NonprofitHit, NonprofitPage, Query, RelevanceQuery, search};
use crate::search::relevance::RANKED_MAX;
use crate::sources::SourceKind;
use crate::taxonomy::Cause;
use crate::understand::{Lookup, without_fillers};
use crate::views::{Details, view};

pub(crate) const Q: Parameter<Text, Optional> =
    optional("q", Text::at_most(256), "Words that rank, and names; never read for filters.");

parameters! {
    /// What the search takes.
    Params {
        q: Option<String> = Q,
        filters: NonprofitFilters = NONPROFIT_FILTERS,
        facets: Vec<Facet> = FACETS,
        page: i64 = PAGE,
        size: i64 = size(10),
    }
}

pub(crate) static SEARCH: Endpoint = Endpoint {
    summary: "Nonprofits by words and filters",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Filters and ranks every nonprofit.
    ..Endpoint::json::<Answer<'_>>("/nonprofits/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let snapshot = context.snapshot()?;
    let kinds: Vec<SourceKind> =
        snapshot.manifest.sources.iter().map(|source| source.kind).collect();
    if asked.filters.is_of_no_source() {
        return Page::<()>::of(ListPage::EMPTY, paging).reply();
    }
    let NonprofitPage { total, rows, plan, facets, .. } =
        search(&Lookup::of(snapshot), &asked.query())?;
    let page = ListPage { total, rows: rows.iter().map(|row| Item::of(row, &kinds)).collect() };
    let page = Page::of(page, paging);
    let reply = json(&Answer { page, facets: FacetCounts::of(&facets) })?;
    // What words rank ends somewhere.
    let listed = if asked.q.is_some() { total.min(RANKED_MAX) } else { total };
    Ok(Reply { plan: Some(plan), ..reply.of_page(listed, asked.page, asked.size) })
}

impl Params {
    pub(crate) fn query(&self) -> Query {
        let paging = paging(self.page, self.size);
        let facets = self.facets.clone();
        let query = query_of(&self.filters, self.q.as_deref(), paging.size);
        Query { page: paging.page, facets, ..query }
    }
}

/// The question of the rows that filters and words leave.
pub(crate) fn query_of(filters: &NonprofitFilters, q: Option<&str>, size: usize) -> Query {
    Query { ends_with_text: true, ..Query::of(filters.filters(), relevance(q), size) }
}

/// What words rank by.
fn relevance(q: Option<&str>) -> RelevanceQuery {
    let words = q.map(str::trim).filter(|words| !words.is_empty());
    let Some(words) = words else { return RelevanceQuery::default() };
    RelevanceQuery {
        question: Some(words.to_owned()),
        may_name: true,
        ..RelevanceQuery::text(without_fillers(words))
    }
}

/// One page of nonprofits.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "NonprofitPage")]
struct Answer<'a> {
    #[serde(flatten)]
    page: Page<Item<'a>>,
    /// How many of the nonprofits that match have each value, by the name of the facet; present
    /// only where `facets` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<FacetCounts<'a>>,
}

view! {
    /// A nonprofit in full. What no source that is read gives is null.
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "NonprofitItem")]
    struct Item<'a> of |row: &'a NonprofitHit, kinds: &[SourceKind]| {
        let organization = &row.organization;
        let Organization { exemption, finances, .. } = organization;
        let overlay = organization.overlay.as_deref();

        #[serde(flatten)]
        details: Details<'a> = Details::of(organization),
        /// The same as `alt_name`.
        alt_name: Option<&'a str> = organization.alt_name.as_deref(),
        /// County of the ZIP code, without “County” or “Parish”; null where it is not known.
        county: Option<&'a str> = organization.address.county.as_deref(),
        /// Total expenses of a tax period in whole US dollars, from a return; null where no return
        /// states them.
        #[schemars(with = "Option<f64>")]
        expenses_grand_total: Option<Usd> = finances.expenses,
        /// The same as `issueArea`.
        category_group: Option<&'static str> = Cause::of(organization).and_then(Cause::issue_area),
        /// Whether contributions are deductible, in words (Publication 78, else master file, column
        /// DEDUCTIBILITY); null where no list says.
        deductibility: Option<&'static str> = exemption.is_deductible().map(|is| match is {
            true => "Contributions are deductible",
            false => "Contributions are not deductible",
        }),
        /// Legal form (master file, column ORGANIZATION); null where it is blank or unknown.
        organization_form: Option<&'static str> = exemption.organization.and_then(form),
        /// Number of employees, from a return (Form 990, Part I, line 5); null where no return states
        /// it.
        employees: Option<u32> = finances.employees,
        /// Whether it is independent, central or a subordinate of a group (master file, column
        /// AFFILIATION); null where it is blank or unknown.
        organization_type: Option<&'static str> = exemption.affiliation.and_then(kind_of_body),
        /// Name of the principal officer (Form 990, heading, box F); null where no return names one.
        principal_officer_name: Option<&'a str> = organization.principal_officer.as_deref(),
        /// Name of the officer who signed the latest return; null where no return names one.
        business_officer_name: Option<&'a str> = organization.business_officer.as_deref(),
        /// Address of the operator's page on its impact: always null, since no source that is read
        /// gives one.
        gc_impact_url: Option<&'a str> = None,
        /// Titles of the lists that have a row of it, and of returns and curated records where there
        /// are some.
        sources: Vec<&'static str> = sources(organization, kinds),
        /// Accounts in social networks: always null, since no source that is read gives one.
        #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
        social_accounts: Option<&'a str> = None,
        /// Score by a third party, 0 to 100, from the operator; null where the operator gives none.
        cn_score: Option<f64> = overlay.and_then(|overlay| overlay.score).map(as_written),
        /// Rating by a third party in stars, 0 to 4, from the operator; null where the operator gives
        /// none.
        cn_rating: Option<f64> = overlay.and_then(|overlay| overlay.rating).map(as_written),
        /// Size class by total expenses, else by total revenue, else by the form that it files
        /// and by the classes of its receipts and assets,
        /// unless the operator gives one; null where none of these is known.
        cn_size: Option<OrgSize> = organization.size(),
        /// Cosine of the vectors of the nonprofit and of the words asked for, -1 to 1; null where no
        /// words were asked for or the snapshot has no vectors.
        vector_score: Option<f64> = row.cosine.map(f64::from),
    }
}

/// Which lists have a row of it, and returns where it filed some.
fn sources(organization: &Organization, kinds: &[SourceKind]) -> Vec<&'static str> {
    let listings = &organization.exemption.listings;
    let lists = [listings.master_file, listings.publication_78, listings.revocations];
    let name = |source: u32| kinds.get(source as usize).map(|kind| kind.name());
    let of_list = |listing: Listing| match listing {
        Listing::Row { source } => name(source),
        Listing::NotLoaded | Listing::Absent => None,
    };
    let mut found: Vec<&'static str> = lists.into_iter().filter_map(of_list).collect();
    found.extend(organization.origins.return_period.map(|_| SourceKind::Returns.name()));
    found.extend(organization.own_sources().filter_map(name));
    found
}

/// The body's form, by the master file's ORGANIZATION.
fn form(code: u8) -> Option<&'static str> {
    Some(match code {
        1 => "Corporation",
        2 => "Trust",
        3 => "Co-operative",
        4 => "Partnership",
        5 => "Association",
        _ => return None,
    })
}

/// What the body is to others, by the master file's AFFILIATION.
fn kind_of_body(code: u8) -> Option<&'static str> {
    Some(match code {
        1 => "Central organization",
        2 => "Intermediate organization",
        3 => "Independent organization",
        6 | 8 => "Parent of a group ruling",
        7 => "Intermediate of a group ruling",
        9 => "Subordinate of a group ruling",
        _ => return None,
    })
}
