//! The full record of one nonprofit, with its application for exemption and the operator's own record.

use serde::{Deserialize, Serialize};

use super::{
    Date, Deductibility, Ein, FilingRequirement, Finances, Form, Foundation, GroupNumber, Listing,
    Listings, Month, Ntee, OrgSize, Origin, Origins, Point, SdgSet, State, Subsection, Zip5, named,
    partly_known,
};

/// Where an organization is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Address {
    /// Street or post office box, in title case.
    pub street: Option<String>,
    /// The city's full name, in title case.
    pub city: Option<String>,
    /// The city as the master file spells it, where that differs from `city` by more than case.
    pub city_as_filed: Option<String>,
    /// Country, in title case, of an address abroad; `None` within the United States and where nothing names it.
    pub country: Option<String>,
    /// State, territory or military region; `None` abroad.
    pub state: Option<State>,
    /// ZIP code; `None` abroad.
    pub zip: Option<Zip5>,
    /// County of the ZIP code, without “County” or “Parish”.
    pub county: Option<String>,
    /// Centroid of the ZIP code.
    pub point: Option<Point>,
}

/// Standing under the tax code, from the master file's row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Exemption {
    /// SUBSECTION.
    pub subsection: Option<Subsection>,
    /// CLASSIFICATION: up to four one-digit purposes within the subsection, as digits.
    pub classification: Option<String>,
    /// RULING: month of the ruling that recognised the exemption.
    pub ruling: Option<Month>,
    /// DEDUCTIBILITY, or deductible when Publication 78 lists the organization.
    pub deductibility: Option<Deductibility>,
    /// Publication 78's codes, such as `PC`; empty when it does not list the organization.
    pub publication_78: Vec<String>,
    /// FOUNDATION.
    pub foundation: Option<Foundation>,
    /// AFFILIATION: 1 central, 2 intermediate, 3 independent, 6 to 8 parent, 9 subordinate.
    pub affiliation: Option<u8>,
    /// ORGANIZATION: 1 corporation, 2 trust, 3 co-operative, 4 partnership, 5 association.
    pub organization: Option<u8>,
    /// STATUS: 1 unconditional exemption, 2 conditional, 12 and 25 trusts and terminating.
    pub status: Option<u8>,
    /// GROUP: the group ruling it belongs to.
    pub group: Option<GroupNumber>,
    /// ACTIVITY: three three-digit codes of the classification used before 1995, as digits.
    pub activity: Option<String>,
    /// The automatic revocation list's latest entry.
    pub revocation: Option<Revocation>,
    /// Which of the lists that these are from have it, and which were not loaded.
    pub listings: Listings,
}

impl Exemption {
    /// Whether it is on the revocation list without a later reinstatement; `None` where no such
    /// list was loaded.
    pub fn is_inactive(&self) -> Option<bool> {
        match &self.revocation {
            Some(entry) => Some(!entry.is_reinstated()),
            None => (self.listings.revocations != Listing::NotLoaded).then_some(false),
        }
    }

    /// Whether it is exempt: not where it was revoked, nor a split-interest trust; else by its subsection. `None` without
    /// one.
    pub fn is_exempt(&self) -> Option<bool> {
        match self.is_inactive() {
            Some(true) => Some(false),
            _ if self.is_split_interest_trust() => Some(false),
            _ => self.subsection.map(Subsection::is_exemption),
        }
    }

    /// Whether contributions are deductible: those to a revoked one are not, whatever another list
    /// says, since it may lag behind. `None` where no list says.
    pub fn is_deductible(&self) -> Option<bool> {
        match self.is_inactive() {
            Some(true) => Some(false),
            _ => self.deductibility.and_then(Deductibility::is_deductible),
        }
    }

    /// What limits the deduction of a gift; `None` where gifts are not known to be deductible, or nothing limits them
    /// beyond what limits a gift to a public charity.
    pub fn deduction_limit(&self) -> Option<DeductionLimit> {
        if self.is_deductible() != Some(true) {
            return None;
        }
        if self.deductibility.is_some_and(Deductibility::is_by_treaty) {
            return Some(DeductionLimit::Treaty);
        }
        if self.subsection.is_some_and(Subsection::is_lodge) {
            return Some(DeductionLimit::CharitablePurposes);
        }
        let operates = self.foundation.and_then(Foundation::is_operating);
        (operates == Some(false)).then_some(DeductionLimit::PrivateFoundation)
    }

    /// Whether typeahead offers it: a 501(c)(3) that is not known to be inactive.
    pub fn is_active_charity(&self) -> bool {
        self.subsection == Some(Subsection::CHARITABLE) && self.is_inactive() != Some(true)
    }
}

/// What limits the deduction of a gift more than one to a public charity (IRS Publication 526).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeductionLimit {
    /// To a body abroad, by a tax treaty.
    Treaty,
    /// To a fraternal society or lodge.
    CharitablePurposes,
    /// To a private foundation that does not operate programs of its own.
    PrivateFoundation,
}

impl DeductionLimit {
    /// The limit, behind `gifts are deductible`.
    pub fn description(self) -> &'static str {
        match self {
            Self::Treaty => {
                "only under a tax treaty with its country, as a rule against income from there"
            }
            Self::CharitablePurposes => {
                "only if given solely for charitable purposes, as to any lodge"
            }
            Self::PrivateFoundation => {
                "up to 30 percent of adjusted gross income, as to any private foundation"
            }
        }
    }
}

/// An entry of the IRS automatic revocation list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revocation {
    /// When the exemption was revoked.
    pub revoked: Date,
    /// When the list first said so.
    pub posted: Option<Date>,
    /// From when the exemption was reinstated.
    pub reinstated: Option<Date>,
}

impl Revocation {
    /// Whether a reinstatement followed; one from the day of the revocation on counts, since the
    /// IRS reinstates retroactively.
    pub fn is_reinstated(&self) -> bool {
        self.reinstated.is_some_and(|day| day >= self.revoked)
    }
}

partly_known! {
    /// The full record of one nonprofit, as the snapshot keeps it.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Organization, made by blank {
        /// Employer Identification Number.
        ein: Ein,
        /// Legal name in title case.
        name: String,
        /// Legal name as the master file spells it.
        legal_name: String,
    } {
        /// The best other name in title case: a DBA name, or else the sort name.
        alt_name: Option<String>,
        /// Every other name in title case: sort name (SORT_NAME) and DBA names of Form 990-N.
        other_names: Vec<String>,
        /// ICO: the person in whose care mail is sent, in title case, without the leading `%`.
        in_care_of: Option<String>,
        /// Where it is.
        address: Address,
        /// Standing under the tax code.
        exemption: Exemption,
        /// What it reported.
        finances: Finances,
        /// NTEE_CD, or else the code that it chose on Form 1023-EZ; `None` where missing or malformed.
        ntee: Option<Ntee>,
        /// Without a code of its own, the one that most coded members of its group ruling have.
        group_ntee: Option<Ntee>,
        /// Goals mapped from the NTEE code, unless an overlay names them.
        sdgs: SdgSet,
        /// Website: of an overlay, of the latest return that names one, of Form 990-N or of Form 1023-EZ.
        website: Option<String>,
        /// What it is for, in its own words: of an overlay, of the latest return that says it, or of Form 1023-EZ.
        summary: Option<String>,
        /// What it achieved: of an overlay, or the most telling sentences of its latest return.
        impact_summary: Option<String>,
        /// Year of its formation, from a return or Form 1023-EZ.
        year_formed: Option<u16>,
        /// How it was formed and for what, from Form 1023-EZ.
        formation: Option<Box<Formation>>,
        /// Telephone, as its latest return has it.
        phone: Option<String>,
        /// Principal officer and the officer who signed its latest return, in title case.
        principal_officer: Option<String>,
        business_officer: Option<String>,
        /// Its latest return, of those that were read and those that the index of e-filed returns lists.
        latest_filing: Option<LatestFiling>,
        /// Last month of the tax period of its latest Form 990-T: income from business that is not related to its
        /// exemption.
        unrelated_business: Option<Month>,
        /// The operator's record of it; the record's texts and goals have their places above.
        overlay: Option<Box<Overlay>>,
        /// Where the values are from that several sources may give.
        origins: Origins,
    }
}

/// Which return of an organization is its latest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatestFiling {
    /// The form.
    pub form: Form,
    /// Last day of its tax period.
    pub period_end: Date,
    /// The IRS's number of it, 18 digits.
    pub object_id: Option<String>,
}

/// Where the returns that the IRS published can be fetched, by their numbers: the data lake of
/// GivingTuesday, which took over the IRS's own address of them.
const FILINGS_URL: &str = "https://gt990datalake-rawdata.s3.amazonaws.com/EfileData/XmlFiles/";

impl LatestFiling {
    /// Last month of its tax period.
    pub fn tax_period(&self) -> Option<Month> {
        Month::new(self.period_end.year(), self.period_end.month())
    }

    /// Address of the return as filed.
    pub fn url(&self) -> Option<String> {
        self.object_id.as_deref().map(filing_url)
    }
}

/// Address of a return as filed, by the IRS's number of it.
pub fn filing_url(object_id: &str) -> String {
    format!("{FILINGS_URL}{object_id}_public.xml")
}

impl Organization {
    /// An organization of which nothing but its EIN and its name is known.
    pub fn named(ein: Ein, name: &str) -> Self {
        Self::blank(ein, name.to_owned(), name.to_uppercase())
    }

    /// Positions in the manifest of those sources of which each alone says something of it: the index of e-filed
    /// returns, further lists, and the operator's records.
    pub fn own_sources(&self) -> impl Iterator<Item = u32> {
        let of = |origin| match origin {
            Origin::Index { source } | Origin::Approval { source } | Origin::Overlay { source } => {
                Some(source)
            }
            _ => None,
        };
        let Origins { latest_filing, formation, overlay, .. } = self.origins;
        [of(latest_filing), of(formation), of(overlay)].into_iter().flatten()
    }

    /// Whether the operator marked it as vetted; `None` where no overlay says.
    pub fn is_vetted(&self) -> Option<bool> {
        self.overlay.as_ref().and_then(|overlay| overlay.vetted)
    }

    /// Whether the operator has a video of it; `None` without an operator's record.
    pub fn has_video(&self) -> Option<bool> {
        self.overlay.as_ref().map(|overlay| overlay.video_url.is_some())
    }

    /// Size class: what an overlay says, or else that of its expenses or revenue, or else that of the form that it
    /// files, or of the class of its receipts or assets.
    pub fn size(&self) -> Option<OrgSize> {
        let Finances { expenses, revenue, .. } = self.finances;
        let said = self.overlay.as_ref().and_then(|overlay| overlay.size);
        said.or_else(|| OrgSize::of(expenses, revenue)).or_else(|| self.finances.size_by_class())
    }

    /// Whether it is a private foundation: by its FOUNDATION code or, without one, by its filing Form 990-PF; `None`
    /// where neither is known.
    pub fn is_private_foundation(&self) -> Option<bool> {
        let code = self.exemption.foundation;
        let files = self.finances.files_as_private_foundation()
            || self
                .latest_filing
                .as_ref()
                .is_some_and(|filing| filing.form == Form::PrivateFoundation);
        code.map(Foundation::is_private_foundation).or(files.then_some(true))
    }

    /// Whether it is a church: by its FOUNDATION code or, without one, by its not having to file as one; `None` where
    /// neither tells.
    pub fn is_church(&self) -> Option<bool> {
        let need_not_file =
            || self.finances.filing_requirement.is_some_and(FilingRequirement::is_church);
        let code = self.exemption.foundation.map(Foundation::is_church);
        code.or_else(|| need_not_file().then_some(true))
    }

    /// Last month of the tax period that its assets are of; `None` where the row does not say.
    pub fn assets_period(&self) -> Option<Month> {
        match self.origins.assets {
            Origin::Return(_) => self.origins.return_period,
            _ => self.origins.row_period,
        }
    }

    /// The annual return that it files: the form of its latest return, or else the one that the master file
    /// requires; `None` where several forms may be filed, or no return is required or known.
    pub fn form(&self) -> Option<&'static str> {
        let filed = self.latest_filing.as_ref().map(|filing| filing.form.name());
        filed.or_else(|| self.finances.filing_duty()?.form())
    }
}

named! {
    /// A purpose of section 501(c)(3), as Form 1023-EZ offers them.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    Purpose {
        Charitable = "charitable",
        Religious = "religious",
        Educational = "educational",
        Scientific = "scientific",
        Literary = "literary",
        PublicSafety = "testing for public safety",
        AmateurSports = "amateur sports competition",
        CrueltyPrevention = "prevention of cruelty to children or animals",
    }
}

/// How an organization was formed and for what, from Form 1023-EZ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formation {
    /// When it was incorporated, or else formed.
    pub incorporated: Option<Date>,
    /// Where; `None` abroad.
    pub state: Option<State>,
    /// In the order of the form; often several.
    pub purposes: Vec<Purpose>,
}

impl Formation {
    /// The names of its purposes.
    pub fn purpose_names(&self) -> Vec<&'static str> {
        self.purposes.iter().map(|purpose| purpose.name()).collect()
    }
}

/// The decimal number that was written, of one stored in 32 bits: 87.3 and not the 87.30000305
/// nearest to it. Exact to four decimals.
pub fn as_written(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// The operator's own record of a nonprofit, which wins over every other source; what is `None` says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    pub ein: Ein,
    /// Whether the operator vetted it.
    pub vetted: Option<bool>,
    /// Address of a picture.
    pub logo: Option<String>,
    pub video_url: Option<String>,
    pub donation_url: Option<String>,
    pub impact_summary: Option<String>,
    /// 0 to 100.
    pub score: Option<f32>,
    /// 0 to 4.
    pub rating: Option<f32>,
    pub size: Option<OrgSize>,
    pub sdgs: Option<SdgSet>,
    pub summary: Option<String>,
    pub url: Option<String>,
    pub alt_name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reinstatement_undoes_a_revocation() {
        let day = |text| Date::parse_dd_mon_yyyy(text).unwrap();
        let mut entry = Revocation { revoked: day("15-MAY-2010"), posted: None, reinstated: None };
        assert!(!entry.is_reinstated());
        entry.reinstated = Some(day("15-MAY-2010"));
        assert!(entry.is_reinstated());
        entry.reinstated = Some(day("14-MAY-2010"));
        assert!(!entry.is_reinstated());
    }

    #[test]
    fn what_no_list_says_is_not_a_no() {
        let day = |text| Date::parse_dd_mon_yyyy(text).unwrap();
        let revoked = || Revocation { revoked: day("15-MAY-2010"), posted: None, reinstated: None };
        let back = || Revocation { reinstated: Some(day("01-JAN-2011")), ..revoked() };
        let row = Listing::Row { source: 0 };
        let check = |revocations, revocation: Option<Revocation>, code: Option<&str>, expected| {
            let listings = Listings { revocations, ..Listings::default() };
            let deductibility = code.map(|code| code.parse().unwrap());
            let exemption =
                Exemption { deductibility, revocation, listings, ..Exemption::default() };
            let found = (exemption.is_inactive(), exemption.is_deductible());
            assert_eq!(found, expected, "{exemption:?}");
        };
        check(Listing::NotLoaded, None, None, (None, None));
        check(Listing::NotLoaded, None, Some("0"), (None, None));
        check(Listing::NotLoaded, None, Some("1"), (None, Some(true)));
        check(Listing::NotLoaded, None, Some("2"), (None, Some(false)));
        check(Listing::Absent, None, None, (Some(false), None));
        check(Listing::Absent, None, Some("4"), (Some(false), Some(true)));
        check(row, Some(revoked()), None, (Some(true), Some(false)));
        check(row, Some(revoked()), Some("1"), (Some(true), Some(false)));
        check(row, Some(back()), Some("1"), (Some(false), Some(true)));
    }

    #[test]
    fn gifts_are_deductible_within_limits() {
        let limit = |subsection: &str, foundation: &str, code: &str| {
            let exemption = Exemption {
                subsection: subsection.parse().ok(),
                foundation: foundation.parse().ok(),
                deductibility: code.parse().ok(),
                ..Exemption::default()
            };
            exemption.deduction_limit()
        };
        assert_eq!(limit("03", "15", "1"), None);
        assert_eq!(limit("03", "15", "4"), Some(DeductionLimit::Treaty));
        assert_eq!(limit("10", "00", "1"), Some(DeductionLimit::CharitablePurposes));
        assert_eq!(limit("03", "04", "1"), Some(DeductionLimit::PrivateFoundation));
        assert_eq!(limit("03", "03", "1"), None);
        // What is not deductible has no limit.
        assert_eq!(limit("10", "00", "2"), None);
    }
}
