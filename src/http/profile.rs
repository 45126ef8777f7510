//! A nonprofit as answers show it. Every key is always there; what is not known is `null`.

use serde::Serialize;

use crate::record::{Ein, Ntee, Organization, SdgSet, State, Usd, Zip5};
use crate::taxonomy;

/// What every answer shows of a nonprofit, in the order of the specification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile<'a> {
    ein: Ein,
    name: &'a str,
    url: Option<&'a str>,
    summary: Option<&'a str>,
    street_address: Option<&'a str>,
    city: Option<&'a str>,
    state: Option<State>,
    #[serde(rename = "zipCode5")]
    zip_code: Option<Zip5>,
    ntee: Option<Ntee>,
    issue_area: Option<&'static str>,
    year_founded: Option<i64>,
    filing_year: Option<u16>,
    revenue_grand_total: Option<i64>,
    net_assets: Option<i64>,
    foundation: Option<bool>,
    inactive: Option<bool>,
    irs_ruling_date: Option<String>,
    sdgs: Option<SdgSet>,
    form_type: Option<&'static str>,
    lat: Option<f64>,
    lng: Option<f64>,
}

impl<'a> Profile<'a> {
    pub(super) fn of(organization: &'a Organization) -> Self {
        let Organization { address, exemption, finances, .. } = organization;
        Self {
            ein: organization.ein,
            name: &organization.name,
            url: organization.website.as_deref(),
            summary: organization.summary.as_deref(),
            street_address: address.street.as_deref(),
            city: address.city.as_deref(),
            state: address.state,
            zip_code: address.zip,
            ntee: organization.ntee,
            issue_area: organization.ntee.and_then(taxonomy::issue_area),
            year_founded: organization.year_formed.map(i64::from),
            filing_year: finances.tax_period.map(|period| period.year()),
            revenue_grand_total: finances.revenue.map(Usd::dollars),
            net_assets: finances.net_assets.map(Usd::dollars),
            foundation: exemption.is_private_foundation(),
            inactive: exemption.is_inactive(),
            irs_ruling_date: exemption.ruling.map(|month| month.first_day()),
            // Goals come from the NTEE code or an overlay: without either they are unknown, not none.
            sdgs: (organization.ntee.is_some() || !organization.sdgs.is_empty())
                .then_some(organization.sdgs),
            form_type: organization.latest_filing.as_ref().map(|filing| filing.form.name()),
            lat: address.point.map(|point| point.latitude()),
            lng: address.point.map(|point| point.longitude()),
        }
    }
}

/// A profile with what the operator says of the nonprofit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown<'a> {
    #[serde(flatten)]
    profile: Profile<'a>,
    #[serde(rename = "alt_name")]
    alt_name: Option<&'a str>,
    gc_vetted: Option<bool>,
    logo: Option<&'a str>,
    gc_video_url: Option<&'a str>,
    gc_donation_url: Option<&'a str>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(organization: &'a Organization) -> Self {
        let overlay = organization.overlay.as_deref();
        Self {
            profile: Profile::of(organization),
            alt_name: organization.alt_name.as_deref(),
            gc_vetted: overlay.and_then(|overlay| overlay.vetted),
            logo: overlay.and_then(|overlay| overlay.logo.as_deref()),
            gc_video_url: overlay.and_then(|overlay| overlay.video_url.as_deref()),
            gc_donation_url: overlay.and_then(|overlay| overlay.donation_url.as_deref()),
        }
    }
}
