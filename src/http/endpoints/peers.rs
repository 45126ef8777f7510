//! `GET /nonprofits/peers/{ein}`: a nonprofit among those of its cause and size. Beside the specification.

use super::grants::NOT_LOADED;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::OfNonprofit;
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Reply, Rows, UNKNOWN_EIN, json};
use crate::record::{Ein, State, filing_url};
use crate::search::peers::{Comparison, RatioStanding, compare};
use crate::views::view;

pub(crate) static PEERS: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "Ratios of one nonprofit among those of its cause and size",
    rows: Rows::In("ratios"),
    not_found: Some(UNKNOWN_EIN),
    cost: Cost::Heavy, // Columns of every organization are looked through.
    ..Endpoint::json::<Answer>("/nonprofits/peers/{ein}", OfNonprofit::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let OfNonprofit { ein } = OfNonprofit::read(&context.input)?;
    let found = compare(context.snapshot()?, ein)?.ok_or(ApiError::UnknownNonprofit)?;
    json(&Answer::of(ein, found))
}

view! {
    /// A nonprofit among its peers: those of its NTEE major group whose revenue is between a third and three
    /// times its own, in its state, or in the whole country where its state has fewer than 20 with a return.
    #[schemars(rename = "Peers")]
    struct Answer of |ein: Ein, found: Comparison| {
        let Comparison { ntee_major, revenue, state, peers, ratios } = found;
        let (filing, ratios) = ratios.unzip();

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = ein,
        /// Letter of the NTEE major group that peers have; null where the nonprofit's is not known, so
        /// that any cause counts.
        ntee_major: Option<char> = ntee_major,
        /// Least revenue of peers in whole US dollars; null where the nonprofit's is not known, so that
        /// any counts.
        min_revenue: Option<i64> = revenue.map(|(min, _)| min),
        /// Greatest revenue of peers in whole US dollars; null where the nonprofit's is not known, so
        /// that any counts.
        max_revenue: Option<i64> = revenue.map(|(_, max)| max),
        /// USPS code of the state of the peers; null of the whole country.
        state: Option<State> = state,
        /// Number of peers with a return that was loaded, the nonprofit itself left out.
        peers: u64 = peers,
        /// Year that the latest return of the nonprofit is of; null where none was loaded.
        tax_year: Option<u16> = filing.as_ref().map(|filing| filing.tax_year),
        /// Address of that return in XML; null where the IRS's number of it is not known or none was
        /// loaded.
        file_url: Option<String> =
            filing.as_ref().and_then(|one| one.object_id.as_deref()).map(filing_url),
        /// Why there are no ratios; null where a return was loaded.
        message: Option<&'static str> = ratios.is_none().then_some(NOT_LOADED),
        /// Ratios of that return; empty where none was loaded.
        ratios: Vec<RatioRow> = ratios.unwrap_or_default().into_iter().map(RatioRow::of).collect(),
    }
}

view! {
    /// A ratio, and where it stands among those of peers.
    #[schemars(rename = "PeerRatio")]
    struct RatioRow of |standing: RatioStanding| {
        let RatioStanding { ratio, value, known, percentile, median } = standing;

        /// Name: `program_share`, `fundraising_cost`, `months_of_reserves`, `surplus_margin` or
        /// `revenue_growth`.
        name: &'static str = ratio.name(),
        /// How it is calculated.
        formula: &'static str = ratio.formula(),
        /// Lines of the forms that its amounts stand on.
        lines: &'static str = ratio.lines(),
        /// Its value; null where a line is not filed, or it would be divided by nothing.
        value: Option<f64> = value,
        /// Share of peers with a smaller value, half of those with the same counted, 0 to 100; null
        /// without a value or without peers.
        percentile: Option<f64> = percentile,
        /// Value in the middle of those of peers; null without peers.
        median: Option<f64> = median,
        /// Number of peers of which it is known.
        known: u64 = known,
    }
}
