//! A nonprofit as answers show it. Every key is always there; what is not known is `null`.

use super::view;
use crate::record::{
    Ein, LatestFiling, Month, Ntee, Organization, Point, SdgSet, State, Usd, Zip5,
};
use crate::taxonomy::Cause;

view! {
    /// What every answer shows of a nonprofit, in the order of the specification.
    #[serde(rename_all = "camelCase")]
    pub struct Profile<'a> of |organization: &'a Organization| {
        let Organization { address, exemption, finances, .. } = organization;
        let cause = Cause::of(organization);

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept (IRS
        /// master file, column EIN).
        ein: Ein = organization.ein,
        /// Legal name in title case (master file, column NAME; of a nonprofit in no master file, its
        /// latest return or the revocation list).
        name: &'a str = &organization.name,
        /// Address of the website: what the operator gives, else that in the latest return that names
        /// one, else that in Form 990-N; null where none of them names one.
        url: Option<&'a str> = organization.website.as_deref(),
        /// What the nonprofit is for, in its own words: what the operator gives, else the mission in
        /// the latest return that states one; null where neither does.
        summary: Option<&'a str> = organization.summary.as_deref(),
        /// Street or post office box in title case (master file, column STREET); null where it is
        /// blank.
        street_address: Option<&'a str> = address.street.as_deref(),
        /// City in title case, abbreviations spelled out by the ZIP code (master file, column CITY);
        /// null where it is blank.
        city: Option<&'a str> = address.city.as_deref(),
        /// USPS code of the state or territory (master file, column STATE); null abroad and where it
        /// is blank.
        state: Option<State> = address.state,
        /// First five digits of the ZIP code (master file, column ZIP); null abroad and where it is
        /// blank.
        #[serde(rename = "zipCode5")]
        zip_code: Option<Zip5> = address.zip,
        /// NTEE code of what the nonprofit does, without the suffix of the master file (column
        /// NTEE_CD); null where it is blank, malformed or “unknown” (Z).
        ntee: Option<Ntee> = organization.ntee,
        /// Name of the major group of `ntee`; without one, the group implied by the first of the master file's columns
        /// ACTIVITY, FOUNDATION, PF_FILING_REQ_CD and SUBSECTION that implies any; null where none does.
        issue_area: Option<&'static str> = cause.and_then(Cause::issue_area),
        /// Year of formation, of the latest return that states one; null where none does.
        year_founded: Option<i64> = organization.year_formed.map(i64::from),
        /// Year in which the latest tax period ended (master file, column TAX_PERIOD, or a later
        /// return); null where no tax period is known.
        filing_year: Option<u16> = finances.tax_period.map(Month::year),
        /// Total revenue of the latest tax period in whole US dollars (master file, column
        /// REVENUE_AMT, or a later return); null where none was reported, as by filers of Form 990-N.
        #[schemars(with = "Option<f64>")]
        revenue_grand_total: Option<Usd> = finances.revenue,
        /// Net assets or fund balances at the end of a tax period in whole US dollars, of the latest
        /// return that states them; null where none does.
        #[schemars(with = "Option<f64>")]
        net_assets: Option<Usd> = finances.net_assets,
        /// Whether it is a private foundation: true for the codes 02, 03 and 04 of the master file
        /// (column FOUNDATION) and, without a code, for who files Form 990-PF; null where neither is
        /// known.
        foundation: Option<bool> = organization.is_private_foundation(),
        /// Whether its exemption is revoked: it is on the IRS automatic revocation list and was not
        /// reinstated later; null where no revocation list was loaded.
        inactive: Option<bool> = exemption.is_inactive(),
        /// First day of the month in which the IRS recognized the exemption (master file, column
        /// RULING); null where it is blank.
        #[schemars(extend("format" = "date"))]
        irs_ruling_date: Option<String> = exemption.ruling.map(Month::first_day),
        /// Sustainable Development Goals that it serves, 1 to 17, rising: what the operator gives,
        /// else those that stand for `ntee` or `issueArea`; null where none of these is known.
        // Goals come from the cause or an overlay: without either they are unknown, not none.
        sdgs: Option<SdgSet> =
            (cause.is_some() || !organization.sdgs.is_empty()).then_some(organization.sdgs),
        /// Form of its latest return: `990`, `990-EZ` or `990-PF`; without a loaded return the form that
        /// the master file requires (columns FILING_REQ_CD and PF_FILING_REQ_CD), also `990-N`; null
        /// where that leaves a choice of 990 and 990-EZ, or no return is required.
        form_type: Option<&'static str> = organization.form(),
        /// Latitude of the centroid of the area of the ZIP code, in degrees north; null where that is
        /// not known.
        lat: Option<f64> = address.point.map(Point::latitude),
        /// Longitude of the centroid of the area of the ZIP code, in degrees east; null where that is
        /// not known.
        lng: Option<f64> = address.point.map(Point::longitude),
    }
}

view! {
    /// A nonprofit in an answer of the chat.
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "NonprofitShown")]
    pub struct ChatNonprofit<'a> of |organization: &'a Organization| {
        let overlay = organization.overlay.as_deref();

        #[serde(flatten)]
        profile: Profile<'a> = Profile::of(organization),
        /// Another name in title case: what the operator gives, else one of Form 990-N, of a return,
        /// or of the master file (column SORT_NAME); null where there is none.
        #[serde(rename = "alt_name")]
        alt_name: Option<&'a str> = organization.alt_name.as_deref(),
        /// Whether the service's operator vetted the nonprofit; null where the operator does not say.
        gc_vetted: Option<bool> = overlay.and_then(|overlay| overlay.vetted),
        /// Address of a picture, from the operator; null where the operator gives none.
        logo: Option<&'a str> = overlay.and_then(|overlay| overlay.logo.as_deref()),
        /// Address of a video, from the operator; null where the operator gives none.
        gc_video_url: Option<&'a str> = overlay.and_then(|overlay| overlay.video_url.as_deref()),
        /// Address of a page for donations, from the operator; null where the operator gives none.
        gc_donation_url: Option<&'a str> =
            overlay.and_then(|overlay| overlay.donation_url.as_deref()),
    }
}

view! {
    /// The full profile of one nonprofit.
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "NonprofitDetails")]
    pub struct Details<'a> of |organization: &'a Organization| {
        #[serde(flatten)]
        shown: ChatNonprofit<'a> = ChatNonprofit::of(organization),
        /// Address of its latest return in XML, made of the IRS's number of the return; null where no
        /// return or no number is known.
        irs_filing_url: Option<String> =
            organization.latest_filing.as_ref().and_then(LatestFiling::url),
        /// What it achieved: what the operator gives, else the most telling sentences on the programs
        /// in its latest return; null where neither is known.
        impact_summary: Option<&'a str> = organization.impact_summary.as_deref(),
    }
}
