//! Totals of a return beyond its summary: what ratios are made of, and what its lists should add up to.

use serde::{Deserialize, Serialize};

use super::Usd;

/// Declares the totals: what each is, and whether it is an amount or a count.
macro_rules! totals {
    ($($(#[$doc:meta])* $total:ident: $value:ty,)+) => {
        /// Totals as filed, in whole US dollars of the tax period; what is not stated is `None`. A total
        /// need not be the sum of the rows of its list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        pub struct Totals {
            $($(#[$doc])* pub $total: Option<$value>,)+
        }

        impl Totals {
            /// The name of each, in order.
            pub const NAMES: [&str; [$(stringify!($total),)+].len()] = [$(stringify!($total),)+];

            /// The totals that texts state: digits, of an amount perhaps with a minus. `text` gives that of a name.
            pub fn read<'a>(text: impl Fn(&'static str) -> Option<&'a str>) -> Self {
                let digits = |total| text(total).filter(|text| !text.starts_with('+'));
                Self { $($total: digits(stringify!($total)).and_then(|text| text.parse().ok()),)+ }
            }
        }
    };
}

totals! {
    /// Contributions and grants received: Form 990, Part VIII, line 1h; Form 990-EZ, Part I, line 1;
    /// Form 990-PF, Part I, line 1.
    contributions: Usd,
    /// Grants from governments among these: Form 990, Part VIII, line 1e.
    government_grants: Usd,
    /// Membership dues: Form 990, Part VIII, line 1b; Form 990-EZ, Part I, line 3.
    membership_dues: Usd,
    /// Revenue of programme services: Form 990, Part VIII, line 2g; Form 990-EZ, Part I, line 2.
    program_revenue: Usd,
    /// Income of investments: Form 990, Part I, line 10; Form 990-EZ, Part I, line 4.
    investment_income: Usd,
    /// Other revenue: Form 990, Part VIII, line 11e; Form 990-EZ, Part I, line 8; Form 990-PF, Part I, line 11, column a.
    other_revenue: Usd,
    /// Expenses of programme services: Form 990, Part IX, line 25, column B; Form 990-EZ, Part III,
    /// line 32.
    program_expenses: Usd,
    /// Expenses of management: Form 990, Part IX, line 25, column C.
    management_expenses: Usd,
    /// Expenses of fundraising: Form 990, Part IX, line 25, column D.
    fundraising_expenses: Usd,
    /// Disbursements for charitable purposes: Form 990-PF, Part I, line 26, column d.
    charitable_disbursements: Usd,
    /// Cash at the end of the period, not bearing interest: Form 990, Part X, line 1; Form 990-EZ, Part
    /// II, line 22, with savings and investments.
    cash: Usd,
    /// Savings and temporary investments at the end of the period: Form 990, Part X, line 2.
    savings: Usd,
    /// Publicly traded securities at the end of the period: Form 990, Part X, line 11.
    securities: Usd,
    /// Land, buildings and equipment at the end of the period, less depreciation: Form 990, Part X,
    /// line 10c; Form 990-EZ, Part II, line 23.
    land_and_buildings: Usd,
    /// Net assets without donor restrictions at the end of the period: Form 990, Part X, line 27;
    /// Form 990-PF, Part II, line 24.
    unrestricted_net_assets: Usd,
    /// Total assets at the beginning of the period: Form 990, Part X, line 16, column A; Form 990-EZ, Part II, line 25,
    /// column A; Form 990-PF, Part II, line 16, column a.
    beginning_assets: Usd,
    /// Total liabilities at the beginning of the period: Form 990, Part X, line 26, column A; Form 990-EZ, Part II,
    /// line 26, column A; Form 990-PF, Part II, line 23, column a.
    beginning_liabilities: Usd,
    /// Net assets or fund balances at the beginning of the period: Form 990, Part X, line 32 (33 before 2019), column
    /// A; Form 990-EZ, Part II, line 27, column A; Form 990-PF, Part II, line 29 (30 before 2019), column a.
    beginning_net_assets: Usd,
    /// Net unrealized gains or losses on investments: Form 990, Part XI, line 5.
    unrealized_gains: Usd,
    /// Donated services and use of facilities: Form 990, Part XI, line 6.
    donated_services: Usd,
    /// Investment expenses: Form 990, Part XI, line 7.
    investment_expenses: Usd,
    /// Prior period adjustments: Form 990, Part XI, line 8.
    prior_period_adjustments: Usd,
    /// Other changes in net assets: Form 990, Part XI, line 9; Form 990-EZ, Part I, line 20.
    other_changes: Usd,
    /// Other increases of net assets: Form 990-PF, Part III, line 3.
    other_increases: Usd,
    /// Decreases of net assets beside expenses: Form 990-PF, Part III, line 5.
    other_decreases: Usd,
    /// What has to be distributed: Form 990-PF, Part X (Part XI before 2022), line 7, or as Part XII repeats it.
    distributable_amount: Usd,
    /// Qualifying distributions: Form 990-PF, Part XI (Part XII before 2022), line 4.
    qualifying_distributions: Usd,
    /// Of the period's distributable amount, what is left to distribute in the next: Form 990-PF, Part XII (Part XIII
    /// before 2022), line 6f.
    undistributed_income: Usd,
    /// Excise tax on investment income: Form 990-PF, Part V (Part VI before 2022), line 1.
    excise_tax: Usd,
    /// Grants to domestic organizations and governments: Form 990, Part IX, line 1.
    grants_to_organizations: Usd,
    /// Grants to domestic individuals: Form 990, Part IX, line 2.
    grants_to_individuals: Usd,
    /// Grants abroad: Form 990, Part IX, line 3.
    grants_abroad: Usd,
    /// Grants paid in all: Form 990, Part I, line 13; Form 990-EZ, Part I, line 10; Form 990-PF, Part I, line 25, column a.
    grants_paid: Usd,
    /// Grants among the disbursements for charitable purposes, on the cash basis: Form 990-PF, Part I,
    /// line 25, column d.
    grants_disbursed: Usd,
    /// Grants that are listed as paid in the period: Form 990-PF, Part XIV, line 3a.
    listed_grants_paid: Usd,
    /// Grants that are listed as approved for the future: Form 990-PF, Part XIV, line 3b.
    listed_grants_approved: Usd,
    /// 501(c)(3) organizations and governments that Schedule I lists: Part II, line 2.
    schedule_i_charities: u32,
    /// Other organizations that Schedule I lists: Part II, line 3.
    schedule_i_others: u32,
    /// Donor-advised funds held at the end of the period: Schedule D, Part I, line 1, column a.
    donor_advised_funds: u32,
    /// Grants from these: Schedule D, Part I, line 3, column a.
    donor_advised_grants: Usd,
    /// Value of these at the end of the period: Schedule D, Part I, line 4, column a.
    donor_advised_value: Usd,
    /// Spent abroad: Schedule F, Part I, line 3c, column f.
    spent_abroad: Usd,
}

impl Totals {
    /// Whether expenses are broken down by function: any of them is filed and not 0.
    pub fn are_by_function(&self) -> bool {
        let functions =
            [self.program_expenses, self.management_expenses, self.fundraising_expenses];
        functions.into_iter().flatten().any(|spent| spent.dollars() != 0)
    }
}
