//! The tax status of a nonprofit by the IRS's lists: for exemption, deductibility and revocation the state, the
//! list that decides it, and as of when.

use super::view;
use crate::record::{
    CharityClassification, Date, DeductionLimit, Ein, FilingDuty, Formation, Foundation,
    GroupNumber, Month, OrgSize, Organization, State, Usd,
};
use crate::search::standing::{self, Check, Standing};
use crate::snapshot::Manifest;
use crate::sources::{DatedBy, SourceKind, Summary};
use crate::taxonomy;

view! {
    /// What a nonprofit is in the eyes of the tax code, by the IRS's lists.
    #[schemars(rename = "NonprofitStanding")]
    pub struct StandingShown<'a> of |organization: &'a Organization, manifest: &'a Manifest| {
        let standing = Standing::of(organization, &manifest.sources);
        let Organization { exemption, address, finances, .. } = organization;
        let revocation = exemption.revocation.as_ref();
        let formation = organization.formation.as_deref();

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = organization.ein,
        /// Section under which it is exempt, such as `501(c)(3)`, or that describes a trust which is not (master file,
        /// columns SUBSECTION and STATUS); null where it is blank.
        exemption: Option<String> = exemption.section(),
        /// Subsection code of two digits, such as `03` (master file, column SUBSECTION); null where it
        /// is blank.
        subsection: Option<String> = exemption.subsection.map(|code| code.to_string()),
        /// Whether contributions are deductible: not to a revoked nonprofit, else as Publication 78 or
        /// the master file (column DEDUCTIBILITY) says; null where no list says.
        deductible: Option<bool> = exemption.is_deductible(),
        /// What limits the deduction, where gifts are deductible (master file, columns DEDUCTIBILITY, SUBSECTION and
        /// FOUNDATION); null where nothing does beyond what limits a gift to a public charity.
        deduction_limit: Option<&'static str> =
            exemption.deduction_limit().map(DeductionLimit::description),
        /// Deductibility codes of Publication 78, such as `PC`; empty where that list does not have
        /// it.
        publication_78: &'a [String] = &exemption.publication_78,
        /// Whether its exemption is revoked and not reinstated (automatic revocation list); null where
        /// no revocation list was loaded.
        inactive: Option<bool> = exemption.is_inactive(),
        /// First day of the month in which the IRS recognized the exemption (master file, column
        /// RULING); null where it is blank.
        #[schemars(extend("format" = "date"))]
        ruling: Option<String> = exemption.ruling.map(Month::first_day),
        /// Day of the latest revocation (automatic revocation list); null where the list does not have
        /// it.
        revoked: Option<Date> = revocation.map(|entry| entry.revoked),
        /// Day on which the IRS posted that revocation (automatic revocation list); null where it is
        /// not stated.
        revocation_posted: Option<Date> = revocation.and_then(|entry| entry.posted),
        /// Day from which the exemption was reinstated (automatic revocation list); null where it was
        /// not.
        reinstated: Option<Date> = revocation.and_then(|entry| entry.reinstated),
        /// Number of the group exemption that it belongs to (master file, column GROUP); null where it
        /// belongs to none.
        group_number: Option<u16> = exemption.group.map(GroupNumber::number),
        /// Title of its NTEE code (master file, column NTEE_CD, else Form 1023-EZ); null where the code is
        /// not known.
        ntee_title: Option<&'static str> = organization.ntee.and_then(taxonomy::title),
        /// Every other name in title case (master file, column SORT_NAME, and Form 990-N).
        other_names: &'a [String] = &organization.other_names,
        /// Person in whose care mail is sent, in title case (master file, column ICO); null where it
        /// is blank.
        in_care_of: Option<&'a str> = organization.in_care_of.as_deref(),
        /// Country of an address abroad (master file, column CITY); null within the United States.
        country: Option<&'a str> = address.country.as_deref(),
        /// County of the ZIP code, without “County” or “Parish”; null where it is not known.
        county: Option<&'a str> = address.county.as_deref(),
        /// What it was for by the IRS's activity codes, which were given until January 1995 (master file,
        /// column ACTIVITY); empty where it has none.
        activities: Vec<&'static str> =
            taxonomy::activities(organization).map(|activity| activity.title).collect(),
        /// Size class by total expenses, else by total revenue, else by the form that it files and the
        /// classes of its receipts and assets; an operator's value takes precedence. Null if unknown.
        size: Option<OrgSize> = organization.size(),
        /// Its annual return, or that it need not file one, in words (master file, columns
        /// FILING_REQ_CD and PF_FILING_REQ_CD); null where neither is stated.
        filing_requirement: Option<&'static str> =
            finances.filing_duty().map(FilingDuty::description),
        /// Total assets at the end of a tax period in whole US dollars (master file, column ASSET_AMT, or
        /// a later return); null where none were reported.
        #[schemars(with = "Option<f64>")]
        assets: Option<Usd> = finances.assets,
        /// Last month of the tax period that `assets` are of, `YYYY-MM`; null where it is not known.
        assets_period: Option<Month> = organization.assets_period(),
        /// Gross receipts in whole US dollars (master file, column INCOME_AMT): revenue before costs are
        /// taken off it; null where none were reported.
        #[schemars(with = "Option<f64>")]
        gross_receipts: Option<Usd> = finances.income,
        /// Where no amount of revenue is known, what it is at most in whole US dollars: gross receipts,
        /// the highest of their class (master file, column INCOME_CD), or 50,000 for who files Form
        /// 990-N; null where the amount is known or nothing limits it.
        #[schemars(with = "Option<f64>")]
        revenue_ceiling: Option<Usd> = finances.revenue_ceiling(),
        /// Telephone, as its latest return has it; null where no return was loaded.
        phone: Option<&'a str> = organization.phone.as_deref(),
        /// Day on which it was incorporated or formed, as it said on Form 1023-EZ; null where no such form
        /// of it was loaded.
        incorporated: Option<Date> = formation.and_then(|formation| formation.incorporated),
        /// State in which it was incorporated or formed (Form 1023-EZ); null abroad and where it is not known.
        incorporated_in: Option<State> = formation.and_then(|formation| formation.state),
        /// Purposes of section 501(c)(3) that it said it has (Form 1023-EZ); empty where no such form of it
        /// was loaded.
        purposes: Vec<&'static str> = formation.map_or_else(Vec::new, Formation::purpose_names),
        /// Last month of the tax period of its latest Form 990-T, `YYYY-MM`: it has income from business that
        /// is not related to its exemption; null where no such return was loaded.
        unrelated_business: Option<Month> = organization.unrelated_business,
        /// Whether a master file that was loaded has it; null where none was loaded.
        in_master_file: Option<bool> = standing.in_master_file,
        /// The three questions, each with the list that answers it.
        checks: Checks<'a> = Checks::of(standing),
        /// What the code of the column FOUNDATION says, with the type of a supporting organization; null where it is blank
        /// or says nothing.
        classification: Option<CharityClassification> =
            exemption.foundation.and_then(Foundation::classification),
        /// What to mind before relying on it, a clause each: that a section is no exemption, that it is conditional or
        /// ending, what a private foundation must mind, and that its last return is old.
        cautions: Vec<String> = standing::cautions(organization, &manifest.sources),
        /// Name of the snapshot that answered.
        snapshot: &'a str = &manifest.snapshot,
    }
}

view! {
    /// What the lists that were loaded say, one question each.
    #[schemars(rename = "StandingChecks")]
    pub struct Checks<'a> of |standing: Standing<'a>| {
        /// Whether it is exempt (master file).
        exemption: CheckShown<'a> = CheckShown::of(standing.exemption),
        /// Whether contributions to it are deductible (Publication 78, else master file).
        deductibility: CheckShown<'a> = CheckShown::of(standing.deductibility),
        /// Whether its exemption was revoked and not reinstated (automatic revocation list).
        revocation: CheckShown<'a> = CheckShown::of(standing.revocation),
    }
}

view! {
    /// What a list says on one question.
    #[schemars(rename = "Check")]
    pub struct CheckShown<'a> of |check: Check<'a>| {
        /// What the lists say; `not checked` where no list that decides was loaded, or where none
        /// says.
        state: standing::State = check.state,
        /// Whether the list has a row of the nonprofit; null where no such list was loaded.
        listed: Option<bool> = check.is_listed,
        /// Day that the row of the list gives; null where there is no row or it gives none.
        row_date: Option<Date> = check.row_date,
        /// The list that decides, or that does not have the nonprofit; null where none was loaded.
        list: Option<ListShown<'a>> = check.list.map(ListShown::of),
    }
}

view! {
    /// A list that was loaded.
    #[schemars(rename = "List")]
    pub struct ListShown<'a> of |source: &'a Summary| {
        let vintage = source.vintage();

        /// Kind of the list.
        kind: SourceKind = source.kind,
        /// Name of the kind of list, for people.
        title: &'static str = source.kind.name(),
        /// Name of the file; of a member of a ZIP file, with the name of the ZIP file.
        file: &'a str = &source.name,
        /// Day as of which the list speaks, by `dated_by`; null where nothing tells.
        date: Option<Date> = vintage.map(|vintage| vintage.date),
        /// What `date` is taken from: the latest posting in the list, a date in its name, the latest
        /// ruling or filing in it, or the file's own day; null where `date` is null.
        dated_by: Option<DatedBy> = vintage.map(|vintage| vintage.dated_by),
        /// Day on which the file was last modified or downloaded; null where that is no valid day.
        downloaded: Option<Date> = source.downloaded(),
    }
}
