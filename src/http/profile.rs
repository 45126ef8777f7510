//! A nonprofit as answers show it. Every key is always there; what is not known is `null`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::{Ein, Ntee, Organization, SdgSet, State, Usd, Zip5};
use crate::taxonomy::Cause;

/// What every answer shows of a nonprofit, in the order of the specification.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile<'a> {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept (IRS
    /// master file, column EIN).
    ein: Ein,
    /// Legal name in title case (master file, column NAME; of a nonprofit in no master file, its
    /// latest return or the revocation list).
    name: &'a str,
    /// Address of the website: what the operator gives, else that in the latest return that names
    /// one, else that in Form 990-N; null where none of them names one.
    url: Option<&'a str>,
    /// What the nonprofit is for, in its own words: what the operator gives, else the mission in
    /// the latest return that states one; null where neither does.
    summary: Option<&'a str>,
    /// Street or post office box in title case (master file, column STREET); null where it is
    /// blank.
    street_address: Option<&'a str>,
    /// City in title case, abbreviations spelled out by the ZIP code (master file, column CITY);
    /// null where it is blank.
    city: Option<&'a str>,
    /// USPS code of the state or territory (master file, column STATE); null abroad and where it
    /// is blank.
    state: Option<State>,
    /// First five digits of the ZIP code (master file, column ZIP); null abroad and where it is
    /// blank.
    #[serde(rename = "zipCode5")]
    zip_code: Option<Zip5>,
    /// NTEE code of what the nonprofit does, without the suffix of the master file (column
    /// NTEE_CD); null where it is blank, malformed or “unknown” (Z).
    ntee: Option<Ntee>,
    /// Name of the major group of `ntee`; without one, the group implied by the first of the master file's columns
    /// ACTIVITY, FOUNDATION, PF_FILING_REQ_CD and SUBSECTION that implies any; null where none does.
    issue_area: Option<&'static str>,
    /// Year of formation, of the latest return that states one; null where none does.
    year_founded: Option<i64>,
    /// Year in which the latest tax period ended (master file, column TAX_PERIOD, or a later
    /// return); null where no tax period is known.
    filing_year: Option<u16>,
    /// Total revenue of the latest tax period in whole US dollars (master file, column
    /// REVENUE_AMT, or a later return); null where none was reported, as by filers of Form 990-N.
    #[schemars(with = "Option<f64>")]
    revenue_grand_total: Option<i64>,
    /// Net assets or fund balances at the end of a tax period in whole US dollars, of the latest
    /// return that states them; null where none does.
    #[schemars(with = "Option<f64>")]
    net_assets: Option<i64>,
    /// Whether it is a private foundation: true for the codes 02, 03 and 04 of the master file
    /// (column FOUNDATION) and, without a code, for who files Form 990-PF; null where neither is
    /// known.
    foundation: Option<bool>,
    /// Whether its exemption is revoked: it is on the IRS automatic revocation list and was not
    /// reinstated later; null where no revocation list was loaded.
    inactive: Option<bool>,
    /// First day of the month in which the IRS recognized the exemption (master file, column
    /// RULING); null where it is blank.
    #[schemars(extend("format" = "date"))]
    irs_ruling_date: Option<String>,
    /// Sustainable Development Goals that it serves, 1 to 17, rising: what the operator gives,
    /// else those that stand for `ntee` or `issueArea`; null where none of these is known.
    sdgs: Option<SdgSet>,
    /// Form of its latest return: `990`, `990-EZ` or `990-PF`; without a loaded return the form that
    /// the master file requires (columns FILING_REQ_CD and PF_FILING_REQ_CD), also `990-N`; null
    /// where that leaves a choice of 990 and 990-EZ, or no return is required.
    form_type: Option<&'static str>,
    /// Latitude of the centroid of the area of the ZIP code, in degrees north; null where that is
    /// not known.
    lat: Option<f64>,
    /// Longitude of the centroid of the area of the ZIP code, in degrees east; null where that is
    /// not known.
    lng: Option<f64>,
}

impl<'a> Profile<'a> {
    pub(super) fn of(organization: &'a Organization) -> Self {
        let Organization { address, exemption, finances, .. } = organization;
        let cause = Cause::of(organization);
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
            issue_area: cause.and_then(Cause::issue_area),
            year_founded: organization.year_formed.map(i64::from),
            filing_year: finances.tax_period.map(|period| period.year()),
            revenue_grand_total: finances.revenue.map(Usd::dollars),
            net_assets: finances.net_assets.map(Usd::dollars),
            foundation: organization.is_private_foundation(),
            inactive: exemption.is_inactive(),
            irs_ruling_date: exemption.ruling.map(|month| month.first_day()),
            // Goals come from the cause or an overlay: without either they are unknown, not none.
            sdgs: (cause.is_some() || !organization.sdgs.is_empty()).then_some(organization.sdgs),
            form_type: organization.form(),
            lat: address.point.map(|point| point.latitude()),
            lng: address.point.map(|point| point.longitude()),
        }
    }
}

/// A nonprofit in an answer of the chat.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NonprofitShown")]
pub(super) struct ChatNonprofit<'a> {
    #[serde(flatten)]
    profile: Profile<'a>,
    /// Another name in title case: what the operator gives, else one of Form 990-N, of a return,
    /// or of the master file (column SORT_NAME); null where there is none.
    #[serde(rename = "alt_name")]
    alt_name: Option<&'a str>,
    /// Whether the service's operator vetted the nonprofit; null where the operator does not say.
    gc_vetted: Option<bool>,
    /// Address of a picture, from the operator; null where the operator gives none.
    logo: Option<&'a str>,
    /// Address of a video, from the operator; null where the operator gives none.
    gc_video_url: Option<&'a str>,
    /// Address of a page for donations, from the operator; null where the operator gives none.
    gc_donation_url: Option<&'a str>,
}

impl<'a> ChatNonprofit<'a> {
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
