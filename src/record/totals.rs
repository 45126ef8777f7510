//! Totals of a return beyond its summary: what ratios are made of, and what its lists should add up to.

use serde::{Deserialize, Serialize};

use super::Usd;

/// Totals as filed, in whole US dollars of the tax period; what is not stated is `None`. A total need
/// not be the sum of the rows of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Contributions and grants received: Form 990, Part VIII, line 1h; Form 990-EZ, Part I, line 1;
    /// Form 990-PF, Part I, line 1.
    pub contributions: Option<Usd>,
    /// Grants from governments among these: Form 990, Part VIII, line 1e.
    pub government_grants: Option<Usd>,
    /// Membership dues: Form 990, Part VIII, line 1b; Form 990-EZ, Part I, line 3.
    pub membership_dues: Option<Usd>,
    /// Revenue of programme services: Form 990, Part VIII, line 2g; Form 990-EZ, Part I, line 2.
    pub program_revenue: Option<Usd>,
    /// Income of investments: Form 990, Part I, line 10; Form 990-EZ, Part I, line 4.
    pub investment_income: Option<Usd>,
    /// Expenses of programme services: Form 990, Part IX, line 25, column B; Form 990-EZ, Part III,
    /// line 32.
    pub program_expenses: Option<Usd>,
    /// Expenses of management: Form 990, Part IX, line 25, column C.
    pub management_expenses: Option<Usd>,
    /// Expenses of fundraising: Form 990, Part IX, line 25, column D.
    pub fundraising_expenses: Option<Usd>,
    /// Disbursements for charitable purposes: Form 990-PF, Part I, line 26, column d.
    pub charitable_disbursements: Option<Usd>,
    /// Cash at the end of the period, not bearing interest: Form 990, Part X, line 1; Form 990-EZ, Part
    /// II, line 22, with savings and investments.
    pub cash: Option<Usd>,
    /// Savings and temporary investments at the end of the period: Form 990, Part X, line 2.
    pub savings: Option<Usd>,
    /// Publicly traded securities at the end of the period: Form 990, Part X, line 11.
    pub securities: Option<Usd>,
    /// Land, buildings and equipment at the end of the period, less depreciation: Form 990, Part X,
    /// line 10c; Form 990-EZ, Part II, line 23.
    pub land_and_buildings: Option<Usd>,
    /// Net assets without donor restrictions at the end of the period: Form 990, Part X, line 27;
    /// Form 990-PF, Part II, line 24.
    pub unrestricted_net_assets: Option<Usd>,
    /// Grants to domestic organizations and governments: Form 990, Part IX, line 1.
    pub grants_to_organizations: Option<Usd>,
    /// Grants to domestic individuals: Form 990, Part IX, line 2.
    pub grants_to_individuals: Option<Usd>,
    /// Grants abroad: Form 990, Part IX, line 3.
    pub grants_abroad: Option<Usd>,
    /// Grants paid in all: Form 990, Part I, line 13; Form 990-EZ, Part I, line 10; Form 990-PF, Part I, line 25, column a.
    pub grants_paid: Option<Usd>,
    /// Grants among the disbursements for charitable purposes, on the cash basis: Form 990-PF, Part I,
    /// line 25, column d.
    pub grants_disbursed: Option<Usd>,
    /// Grants that are listed as paid in the period: Form 990-PF, Part XIV, line 3a.
    pub listed_grants_paid: Option<Usd>,
    /// Grants that are listed as approved for the future: Form 990-PF, Part XIV, line 3b.
    pub listed_grants_approved: Option<Usd>,
    /// 501(c)(3) organizations and governments that Schedule I lists: Part II, line 2.
    pub schedule_i_charities: Option<u32>,
    /// Other organizations that Schedule I lists: Part II, line 3.
    pub schedule_i_others: Option<u32>,
    /// Spent abroad: Schedule F, Part I, line 3c, column f.
    pub spent_abroad: Option<Usd>,
}

impl Totals {
    /// Whether expenses are broken down by function: any of them is filed and not 0.
    pub fn are_by_function(&self) -> bool {
        let functions =
            [self.program_expenses, self.management_expenses, self.fundraising_expenses];
        functions.into_iter().flatten().any(|spent| spent.dollars() != 0)
    }
}
