//! Groups of nonprofits, with what is added up of them.

use super::view;
use crate::index::columns::Distribution;
use crate::query::{Figure, Unit};
use crate::record::{Month, Ntee, OrgSize, State};
use crate::search::aggregate::{Dimension, GroupRow};
use crate::taxonomy::Cause;

/// Years of a decade.
const DECADE_YEARS: u16 = 10;

view! {
    /// Nonprofits that have the same values. Only what was asked for is there: the values that they are
    /// grouped by, of which one that is not known is null, and the measures.
    #[schemars(rename = "AggregateGroup")]
    pub struct GroupShown<'a> of |row: &'a GroupRow, by: &[Dimension]| {
        let (one, address) = (&row.first, &row.first.address);
        let is_by = |dimension| by.contains(&dimension);
        let has_place = is_by(Dimension::County) || is_by(Dimension::City);
        let of = |figure| {
            let mut measures = row.measures.iter().filter(|(measure, _)| *measure == figure);
            measures.next().map(|(_, found)| DistributionShown::of(found, row.count))
        };

        /// USPS code of the state or territory, also of a county or a city; null abroad and where it is
        /// not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Option<State>> =
            (is_by(Dimension::State) || has_place).then_some(address.state),
        /// County of the ZIP code, without “County” or “Parish”; null where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        county: Option<Option<&'a str>> =
            is_by(Dimension::County).then_some(address.county.as_deref()),
        /// City, abbreviations spelled out by the ZIP code; null where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        city: Option<Option<&'a str>> = is_by(Dimension::City).then_some(address.city.as_deref()),
        /// Major group of the NTEE code, a letter; null where no code is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        ntee: Option<Option<char>> = is_by(Dimension::Ntee).then_some(one.ntee.map(|code| code.major())),
        /// NTEE code as filed, without the suffix of the master file; null where no value is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        ntee_code: Option<Option<Ntee>> = is_by(Dimension::NteeCode).then_some(one.ntee),
        /// Title of the major group of the NTEE code or, where none is filed, of the one that other columns of the master
        /// file imply, as `issueArea` of details; null where nothing tells.
        #[serde(skip_serializing_if = "Option::is_none")]
        issue_area: Option<Option<&'static str>> = is_by(Dimension::IssueArea)
            .then(|| Cause::of(one).and_then(Cause::issue_area)),
        /// Size class, as `org_size` filters by; null where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<Option<OrgSize>> = is_by(Dimension::Size).then(|| one.size()),
        /// Subsection of section 501(c), two digits: `03` is 501(c)(3); null where it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        subsection: Option<Option<String>> = is_by(Dimension::Subsection)
            .then(|| one.exemption.subsection.map(|code| code.to_string())),
        /// Whether they are private foundations; null where that is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        foundation: Option<Option<bool>> =
            is_by(Dimension::Foundation).then(|| one.is_private_foundation()),
        /// First year of the ten in which the IRS recognized the exemption; null where the ruling date is
        /// not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        ruling_decade: Option<Option<u16>> =
            is_by(Dimension::RulingDecade).then(|| one.exemption.ruling.map(decade)),
        /// Number of nonprofits.
        pub count: u64 = row.count,
        /// Annual revenue in whole US dollars.
        #[serde(skip_serializing_if = "Option::is_none")]
        revenue: Option<DistributionShown> = of(Figure::Revenue),
        /// Annual expenses in whole US dollars.
        #[serde(skip_serializing_if = "Option::is_none")]
        expenses: Option<DistributionShown> = of(Figure::Expenses),
        /// Total assets in whole US dollars.
        #[serde(skip_serializing_if = "Option::is_none")]
        assets: Option<DistributionShown> = of(Figure::Assets),
        /// Number of employees.
        #[serde(skip_serializing_if = "Option::is_none")]
        employees: Option<DistributionShown> = of(Figure::Employees),
    }
}

impl GroupShown<'_> {
    /// What is there by the name of a dimension, as text; `None` where it is not known.
    pub fn value(&self, dimension: Dimension) -> Option<String> {
        let text = |text: Option<Option<&str>>| text.flatten().map(str::to_owned);
        match dimension {
            Dimension::State => self.state.flatten().map(|state| state.code().to_owned()),
            Dimension::County => text(self.county),
            Dimension::City => text(self.city),
            Dimension::Ntee => self.ntee.flatten().map(String::from),
            Dimension::NteeCode => self.ntee_code.flatten().map(|code| code.to_string()),
            Dimension::IssueArea => text(self.issue_area),
            Dimension::Size => self.size.flatten().map(|size| size.name().to_owned()),
            Dimension::Subsection => self.subsection.clone().flatten(),
            Dimension::Foundation => self.foundation.flatten().map(|is| is.to_string()),
            Dimension::RulingDecade => self.ruling_decade.flatten().map(|year| year.to_string()),
        }
    }

    /// A measure, if it was asked for.
    pub fn measure(&self, figure: Figure) -> Option<&DistributionShown> {
        match figure {
            Figure::Revenue => self.revenue.as_ref(),
            Figure::Expenses => self.expenses.as_ref(),
            Figure::Assets => self.assets.as_ref(),
            Figure::Employees => self.employees.as_ref(),
            Figure::Score | Figure::Rating | Figure::RulingYear => None,
        }
    }
}

/// The first year of the decade of a month.
fn decade(month: Month) -> u16 {
    month.year() / DECADE_YEARS * DECADE_YEARS
}

view! {
    /// A measure of a group: how many values are known, what they add up to, and how they are distributed.
    /// The pth percentile is the least value that at least p percent of the known ones do not exceed, so it
    /// is the value of a nonprofit.
    #[schemars(rename = "AggregateDistribution")]
    pub struct DistributionShown of |found: &Distribution, count: u64| {
        let [min, max] = found.range.map_or([None; 2], |range| range.map(Some));
        let [p10, p25, median, p75, p90] =
            found.quantiles.map_or([None; 5], |quantiles| quantiles.map(Some));

        /// Number of nonprofits whose value is known, zero and negative ones among them.
        pub known: u64 = found.known,
        /// Number of nonprofits whose value is not known. They are in no other figure.
        unknown: u64 = count - found.known,
        /// Sum of the known values; null where no value is known, or where it does not fit 64 bits.
        pub sum: Option<i64> =
            i64::try_from(found.sum).ok().filter(|_| found.known > 0),
        /// Least known value; null where no value is known.
        min: Option<i64> = min,
        /// 10th percentile; null where no value is known.
        p10: Option<i64> = p10,
        /// 25th percentile; null where no value is known.
        p25: Option<i64> = p25,
        /// 50th percentile, of an even number of values the lesser of the two in the middle; null where
        /// no value is known.
        pub median: Option<i64> = median,
        /// 75th percentile; null where no value is known.
        p75: Option<i64> = p75,
        /// 90th percentile; null where no value is known.
        p90: Option<i64> = p90,
        /// Greatest known value; null where no value is known.
        max: Option<i64> = max,
    }
}

impl DistributionShown {
    /// The names of its members.
    pub const MEMBERS: [&str; 10] =
        ["known", "unknown", "sum", "min", "p10", "p25", "median", "p75", "p90", "max"];
}

view! {
    /// A measure, and where its values are from.
    #[schemars(rename = "AggregateMeasure")]
    pub struct MeasureShown of |figure: Figure| {
        let [source, period] = provenance(figure);

        /// Name of the member of groups that has it.
        name: &'static str = figure.name(),
        /// What its values are: `dollars`, whole US dollars, or `count`.
        unit: &'static str =
            if figure.definition().unit == Unit::Dollars { "dollars" } else { "count" },
        /// The lists or returns, and the columns or lines of them, that values are from.
        source: &'static str = source,
        /// Which tax period of a nonprofit its value is of: periods differ from one nonprofit to another.
        period: &'static str = period,
    }
}

/// The source of a measure, and the rule by which the period of its values is chosen.
fn provenance(figure: Figure) -> [&'static str; 2] {
    const LATER: &str =
        "the later of the return's and the master file's tax period, of one period the return's";
    const LATEST_RETURN: &str = "the tax period of the latest return";
    match figure {
        Figure::Revenue => [
            "IRS master file, column REVENUE_AMT; total revenue of Form 990, 990-EZ or 990-PF",
            LATER,
        ],
        Figure::Assets => [
            "IRS master file, column ASSET_AMT; total assets at the end of the year of Form 990, 990-EZ or 990-PF",
            LATER,
        ],
        Figure::Expenses => ["total expenses of Form 990, 990-EZ or 990-PF", LATEST_RETURN],
        Figure::Employees => ["Form 990, Part I, line 5", LATEST_RETURN],
        // The operator's records and the ruling, which are not added up.
        Figure::Score | Figure::Rating | Figure::RulingYear => ["", ""],
    }
}
