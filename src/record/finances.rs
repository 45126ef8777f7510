//! Amounts that an organization reported, limits on those that it did not, and its size class.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FilingRequirement, Month, Usd, named};

/// What it reported: of its latest return and the master file's row, the figure of the later tax
/// period.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Finances {
    /// Last month of the latest tax period (TAX_PERIOD, or that of a return).
    pub tax_period: Option<Month>,
    /// ASSET_AMT.
    pub assets: Option<Usd>,
    /// INCOME_AMT: gross income.
    pub income: Option<Usd>,
    /// REVENUE_AMT: total revenue; `None` for a 990-N filer, which reports none.
    pub revenue: Option<Usd>,
    /// Total expenses, from a return.
    pub expenses: Option<Usd>,
    /// Net assets or fund balances, from a return.
    pub net_assets: Option<Usd>,
    /// Employees, from a return.
    pub employees: Option<u32>,
    /// ASSET_CD: size class of the assets, 0 to 9.
    pub asset_class: Option<u8>,
    /// INCOME_CD: size class of the income, 0 to 9.
    pub income_class: Option<u8>,
    /// FILING_REQ_CD.
    pub filing_requirement: Option<FilingRequirement>,
    /// PF_FILING_REQ_CD: whether Form 990-PF is required, 0 to 3.
    pub private_foundation_filing: Option<u8>,
    /// ACCT_PD: month in which the accounting period ends, 1 to 12.
    pub accounting_month: Option<u8>,
}

/// The annual return that an organization has to file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilingDuty {
    /// Form 990: its gross receipts or assets are above what Form 990-EZ is for.
    Long,
    /// Form 990 or 990-EZ, whichever it prefers.
    LongOrShort,
    /// Form 990-N, the e-postcard: gross receipts normally not above [`POSTCARD_RECEIPTS_MAX`].
    Postcard,
    /// Form 990-PF.
    PrivateFoundation,
    /// Form 990-BL.
    BlackLung,
    /// The return of its group covers it, or is filed by it.
    Group,
    /// None: a church or a body of one.
    Religious,
    /// None: a part of a government.
    Governmental,
    /// None, for another reason.
    Exempt,
}

impl FilingDuty {
    /// The form, where there is one and no choice.
    pub fn form(self) -> Option<&'static str> {
        Some(match self {
            Self::Long | Self::Group => "990",
            Self::Postcard => "990-N",
            Self::PrivateFoundation => "990-PF",
            Self::BlackLung => "990-BL",
            Self::LongOrShort | Self::Religious | Self::Governmental | Self::Exempt => return None,
        })
    }

    /// Whether it is a return of its own that is due each year.
    pub fn is_yearly(self) -> bool {
        matches!(self, Self::Long | Self::LongOrShort | Self::Postcard | Self::PrivateFoundation)
    }

    /// The return, or why there is none, in words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Long => "Form 990",
            Self::LongOrShort => "Form 990 or 990-EZ",
            Self::Postcard => "Form 990-N, gross receipts normally at most $50,000 a year",
            Self::PrivateFoundation => "Form 990-PF",
            Self::BlackLung => "Form 990-BL",
            Self::Group => "group return on Form 990",
            Self::Religious => "none: church or religious organization",
            Self::Governmental => "none: part of a government",
            Self::Exempt => "none",
        }
    }
}

/// Gross receipts of a year in dollars that a filer of Form 990-N normally does not exceed.
pub const POSTCARD_RECEIPTS_MAX: i64 = 50_000;

/// Gross receipts and assets in dollars from which on Form 990-EZ may not be filed.
const LONG_RECEIPTS_MIN: i64 = 200_000;
const LONG_ASSETS_MIN: i64 = 500_000;

/// The highest amount in dollars of each class of ASSET_CD and INCOME_CD; class 0 is also of those that nothing
/// is known of, and class 9 has no end.
const CLASS_MAX: [Option<i64>; 10] = [
    None,
    Some(9_999),
    Some(24_999),
    Some(99_999),
    Some(499_999),
    Some(999_999),
    Some(4_999_999),
    Some(9_999_999),
    Some(49_999_999),
    None,
];

/// The first class ($500,000 to $999,999) whose receipts and whose assets are all above what Form 990-EZ is for.
const LONG_CLASS_MIN: u8 = 5;

impl Finances {
    /// Whether it has to file Form 990-PF.
    pub fn files_as_private_foundation(&self) -> bool {
        self.private_foundation_filing.is_some_and(|code| code != 0)
    }

    /// Which annual return it has to file; `None` where the master file does not say.
    pub fn filing_duty(&self) -> Option<FilingDuty> {
        if self.files_as_private_foundation() {
            return Some(FilingDuty::PrivateFoundation);
        }
        let is_above = |amount: Option<Usd>, min: i64, class: Option<u8>| {
            amount.map_or(class >= Some(LONG_CLASS_MIN), |amount| amount.dollars() >= min)
        };
        Some(match self.filing_requirement?.number() {
            1 if is_above(self.income, LONG_RECEIPTS_MIN, self.income_class)
                || is_above(self.assets, LONG_ASSETS_MIN, self.asset_class) =>
            {
                FilingDuty::Long
            }
            1 => FilingDuty::LongOrShort,
            2 => FilingDuty::Postcard,
            3 => FilingDuty::Group,
            4 => FilingDuty::BlackLung,
            6 | 13 => FilingDuty::Religious,
            7 | 14 => FilingDuty::Governmental,
            0 => FilingDuty::Exempt,
            _ => return None,
        })
    }

    /// Size class where neither expenses nor revenue are known: who files Form 990-N is small; of others that of
    /// gross receipts (INCOME_AMT, else INCOME_CD), else of assets (ASSET_AMT, else ASSET_CD).
    pub fn size_by_class(&self) -> Option<OrgSize> {
        if self.filing_requirement.is_some_and(FilingRequirement::is_postcard) {
            return Some(OrgSize::Small);
        }
        let of_class = |class: Option<u8>| match class? {
            9 => Some(OrgSize::Large),
            class => OrgSize::of(None, CLASS_MAX.get(usize::from(class))?.map(Usd::new)),
        };
        let of_amount =
            |amount: Option<Usd>| OrgSize::of(None, amount.filter(|amount| amount.dollars() > 0));
        of_amount(self.income)
            .or_else(|| of_class(self.income_class))
            .or_else(|| of_amount(self.assets))
            .or_else(|| of_class(self.asset_class))
    }

    /// What the year's revenue is at most, where its amount is not known: gross receipts (INCOME_AMT), the
    /// highest of their class (INCOME_CD), or the receipts that filers of Form 990-N normally do not exceed.
    /// Receipts are revenue before costs are taken off it.
    pub fn revenue_ceiling(&self) -> Option<Usd> {
        if self.revenue.is_some() {
            return None;
        }
        let receipts = self.income.filter(|income| income.dollars() > 0);
        let of_class = || *CLASS_MAX.get(usize::from(self.income_class?))?;
        let is_postcard = self.filing_requirement.is_some_and(FilingRequirement::is_postcard);
        let of_form = || is_postcard.then_some(POSTCARD_RECEIPTS_MAX);
        receipts.or_else(|| of_class().or_else(of_form).map(Usd::new))
    }
}

named! {
    /// Size class. Small is below $1 million, Medium below $10 million, Large below $100 million. `ALL` rises.
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[schemars(inline)]
    OrgSize {
        /// Below $1,000,000.
        Small = "Small",
        /// $1,000,000 up to $10,000,000.
        Medium = "Medium",
        /// $10,000,000 up to $100,000,000.
        Large = "Large",
        /// $100,000,000 and above.
        #[serde(rename = "Super-Size")]
        SuperSize = "Super-Size",
    }
}

impl OrgSize {
    /// The class of total expenses, or else of total revenue; `None` when neither is known.
    pub fn of(expenses: Option<Usd>, revenue: Option<Usd>) -> Option<Self> {
        let amount = expenses.or(revenue)?.dollars();
        Some(match amount {
            ..1_000_000 => Self::Small,
            1_000_000..10_000_000 => Self::Medium,
            10_000_000..100_000_000 => Self::Large,
            100_000_000.. => Self::SuperSize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finances(requirement: &str, income: Option<i64>, class: Option<u8>) -> Finances {
        Finances {
            filing_requirement: requirement.parse().ok(),
            income: income.map(Usd::new),
            income_class: class,
            ..Finances::default()
        }
    }

    #[test]
    fn the_closest_evidence_gives_the_ceiling() {
        for (requirement, income, class, expected) in [
            ("02", None, None, Some(50_000)),
            ("02", Some(0), Some(0), Some(50_000)),
            ("02", Some(61_000), Some(3), Some(61_000)),
            ("02", None, Some(1), Some(9_999)),
            ("06", None, Some(0), None),
            ("06", None, Some(4), Some(499_999)),
            ("01", None, Some(9), None),
        ] {
            let found = finances(requirement, income, class);
            let ceiling = found.revenue_ceiling().map(Usd::dollars);
            assert_eq!(ceiling, expected, "{requirement} {income:?} {class:?}");
            let known = Finances { revenue: Some(Usd::new(5)), ..found };
            assert_eq!(known.revenue_ceiling(), None);
        }
    }

    #[test]
    fn the_form_is_named_where_there_is_no_choice() {
        for (requirement, income, class, expected) in [
            ("01", Some(250_000), Some(4), Some("990")),
            ("01", Some(150_000), Some(4), None),
            ("01", None, Some(6), Some("990")),
            ("02", None, None, Some("990-N")),
            ("06", None, None, None),
            ("99", None, None, None),
        ] {
            let duty = finances(requirement, income, class).filing_duty();
            assert_eq!(duty.and_then(FilingDuty::form), expected, "{requirement} {income:?}");
        }
        let foundation = Finances { private_foundation_filing: Some(1), ..Finances::default() };
        assert_eq!(foundation.filing_duty(), Some(FilingDuty::PrivateFoundation));
    }

    #[test]
    fn bounds_of_sizes() {
        let size = |expenses: Option<i64>, revenue: Option<i64>| {
            OrgSize::of(expenses.map(Usd::new), revenue.map(Usd::new)).map(OrgSize::name)
        };
        assert_eq!(size(None, None), None);
        assert_eq!(size(None, Some(-5)), Some("Small"));
        assert_eq!(size(Some(999_999), Some(5_000_000)), Some("Small"));
        assert_eq!(size(Some(1_000_000), None), Some("Medium"));
        assert_eq!(size(Some(10_000_000), None), Some("Large"));
        assert_eq!(size(None, Some(100_000_000)), Some("Super-Size"));
    }
}
