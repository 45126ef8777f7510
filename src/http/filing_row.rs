//! A return of the Form 990 series as answers and tables show it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::naming::display_name;
use crate::record::{
    self, Contractor, Date, Ein, Filing, Governance, Program, SupersededFiling, Timestamp, Totals,
    Usd, filing_url,
};
use crate::search::officers::{self, Officer};

/// A return of the Form 990 series.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Filing")]
pub(super) struct FilingRow {
    #[serde(flatten)]
    figures: FilingFigures,
    /// Returns of the same period that this one replaces, the latest first.
    supersedes: Vec<Superseded>,
    /// Officers, directors, trustees and key employees, in the order of the form.
    officers: Vec<Person>,
    /// Program services and what they accomplished, in the order of the form.
    programs: Vec<Service>,
    /// The independent contractors that were paid most, in the order of the form, which asks for five.
    contractors: Vec<ContractorShown>,
}

/// What a return of the Form 990 series says outside of its lists.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FilingFigures")]
pub(super) struct FilingFigures {
    /// Employer Identification Number of the filer: nine digits, leading zeros kept.
    ein: Ein,
    /// Form: `990`, `990-EZ` or `990-PF`.
    form_type: &'static str,
    /// Year that the form is of: the one in which the tax period begins.
    tax_year: u16,
    /// First day of the tax period; null where the return does not say.
    #[schemars(extend("format" = "date"))]
    period_begin: Option<String>,
    /// Last day of the tax period.
    #[schemars(extend("format" = "date"))]
    period_end: String,
    /// Months of the tax period, those that it has in part counted: fewer than 12 of a short year; null
    /// where the return does not say when it begins.
    months: Option<u16>,
    /// When it was filed (`ReturnTs`), an RFC 3339 time in UTC or a date; null where the return
    /// does not say.
    filed: Option<String>,
    /// Whether it replaces an earlier return of the same period.
    amended: bool,
    /// Total revenue of the tax period in whole US dollars; null where the return does not state
    /// it.
    revenue: Option<i64>,
    /// Total expenses of the tax period in whole US dollars; null where the return does not state
    /// them.
    expenses: Option<i64>,
    /// Total assets at the end of the tax period in whole US dollars; null where the return does
    /// not state them.
    assets: Option<i64>,
    /// Total liabilities at the end of the tax period in whole US dollars; null where the return
    /// does not state them.
    liabilities: Option<i64>,
    /// Net assets or fund balances at the end of the tax period in whole US dollars; null where
    /// the return does not state them.
    net_assets: Option<i64>,
    /// Number of employees in the calendar year (Form 990, Part I, line 5); null where the return
    /// does not state it.
    employees: Option<u32>,
    /// Number of volunteers as estimated (Form 990, Part I, line 6); null where the return does
    /// not state it.
    volunteers: Option<u32>,
    /// Of what revenue and expenses consist, and assets and net assets.
    breakdown: Breakdown,
    /// How it is governed (Form 990, Part VI).
    governance: GovernanceShown,
    /// Telephone of the nonprofit; null where the return does not state it.
    phone: Option<String>,
    /// Name of the principal officer (Form 990, heading, box F); null where the return names none.
    principal_officer: Option<String>,
    /// Name of the officer who signed; null where the return names none.
    business_officer: Option<String>,
    /// Mission in sentence case; null where the return does not state one.
    mission: Option<String>,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    url: Option<String>,
}

/// A return that a later one of the same tax period replaces: amounts in whole US dollars, null where it
/// does not state them.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "SupersededFiling")]
struct Superseded {
    /// Form: `990`, `990-EZ` or `990-PF`.
    form_type: &'static str,
    /// When it was filed, an RFC 3339 time in UTC or a date; null where it does not say.
    filed: Option<String>,
    /// Whether it replaced another in its turn.
    amended: bool,
    /// Total revenue of the tax period.
    revenue: Option<i64>,
    /// Total expenses of the tax period.
    expenses: Option<i64>,
    /// Total assets at the end of the tax period.
    assets: Option<i64>,
    /// Total liabilities at the end of the tax period.
    liabilities: Option<i64>,
    /// Net assets or fund balances at the end of the tax period.
    net_assets: Option<i64>,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    url: Option<String>,
}

impl From<SupersededFiling> for Superseded {
    fn from(filing: SupersededFiling) -> Self {
        Self {
            form_type: filing.form.name(),
            filed: filing.filed.as_ref().map(Timestamp::to_string),
            amended: filing.amended,
            revenue: dollars(filing.revenue),
            expenses: dollars(filing.expenses),
            assets: dollars(filing.assets),
            liabilities: dollars(filing.liabilities),
            net_assets: dollars(filing.net_assets),
            url: filing.object_id.as_deref().map(filing_url),
        }
    }
}

fn dollars(amount: Option<Usd>) -> Option<i64> {
    amount.map(Usd::dollars)
}

/// What the totals of a return are made up of, in whole US dollars; null where the form does not ask for an
/// amount or the return does not state it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FilingBreakdown")]
struct Breakdown {
    /// Contributions and grants received.
    contributions: Option<i64>,
    /// Grants from governments among these.
    government_grants: Option<i64>,
    /// Membership dues.
    membership_dues: Option<i64>,
    /// Revenue of program services.
    program_revenue: Option<i64>,
    /// Income of investments.
    investment_income: Option<i64>,
    /// Expenses of program services.
    program_expenses: Option<i64>,
    /// Expenses of management.
    management_expenses: Option<i64>,
    /// Expenses of fundraising.
    fundraising_expenses: Option<i64>,
    /// Grants paid in all.
    grants_paid: Option<i64>,
    /// Cash at the end of the period.
    cash: Option<i64>,
    /// Savings and temporary investments at the end of the period.
    savings: Option<i64>,
    /// Publicly traded securities at the end of the period.
    securities: Option<i64>,
    /// Land, buildings and equipment at the end of the period, less depreciation.
    land_and_buildings: Option<i64>,
    /// Net assets without donor restrictions at the end of the period.
    unrestricted_net_assets: Option<i64>,
}

impl Breakdown {
    fn of(totals: &Totals) -> Self {
        Self {
            contributions: dollars(totals.contributions),
            government_grants: dollars(totals.government_grants),
            membership_dues: dollars(totals.membership_dues),
            program_revenue: dollars(totals.program_revenue),
            investment_income: dollars(totals.investment_income),
            program_expenses: dollars(totals.program_expenses),
            management_expenses: dollars(totals.management_expenses),
            fundraising_expenses: dollars(totals.fundraising_expenses),
            grants_paid: dollars(totals.grants_paid),
            cash: dollars(totals.cash),
            savings: dollars(totals.savings),
            securities: dollars(totals.securities),
            land_and_buildings: dollars(totals.land_and_buildings),
            unrestricted_net_assets: dollars(totals.unrestricted_net_assets),
        }
    }
}

/// How a nonprofit is governed, as its return says; null where it does not say.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Governance")]
struct GovernanceShown {
    /// Voting members of the governing body (line 1a).
    voting_members: Option<u32>,
    /// Of these, who are independent (line 1b).
    independent_members: Option<u32>,
    /// Whether it has a written policy on conflicts of interest (line 12a).
    conflict_policy: Option<bool>,
    /// Whether it has a written policy for whistleblowers (line 13).
    whistleblower_policy: Option<bool>,
    /// Whether it has a written policy on keeping documents (line 14).
    retention_policy: Option<bool>,
}

impl From<Governance> for GovernanceShown {
    fn from(stated: Governance) -> Self {
        Self {
            voting_members: stated.voting_members,
            independent_members: stated.independent_members,
            conflict_policy: stated.conflict_policy,
            whistleblower_policy: stated.whistleblower_policy,
            retention_policy: stated.retention_policy,
        }
    }
}

/// An officer, director, trustee or key employee named in a return.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Officer")]
struct Person {
    /// Name, in title case where the form has capitals only.
    name: String,
    /// Title or office, in title case where the form has capitals only; null where it is not
    /// stated.
    title: Option<String>,
    /// Average hours a week; null where they are not stated.
    hours: Option<f32>,
    /// Compensation by the nonprofit in the tax period in whole US dollars; null where the return
    /// does not state it.
    compensation: Option<i64>,
}

/// An independent contractor of a nonprofit.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Contractor")]
struct ContractorShown {
    /// Name, in title case where the form has capitals only.
    name: String,
    /// What for, in title case where the form has capitals only; null where it is not stated.
    services: Option<String>,
    /// What it was paid in the tax period in whole US dollars; null where it is not stated.
    compensation: Option<i64>,
}

impl From<Contractor> for ContractorShown {
    fn from(contractor: Contractor) -> Self {
        Self {
            name: display_name(&contractor.name),
            services: contractor.services.as_deref().map(display_name),
            compensation: dollars(contractor.compensation),
        }
    }
}

/// A program service of a return.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Program")]
struct Service {
    /// What it does and accomplished, in sentence case.
    description: String,
    /// Its expenses in the tax period in whole US dollars; null where the return does not state
    /// them.
    expenses: Option<i64>,
    /// Grants among its expenses in whole US dollars; null where the return does not state them.
    grants: Option<i64>,
    /// Its revenue in the tax period in whole US dollars; null where the return does not state it.
    revenue: Option<i64>,
}

impl FilingFigures {
    pub(super) fn of(filing: &Filing) -> Self {
        Self {
            ein: filing.ein,
            form_type: filing.form.name(),
            tax_year: filing.tax_year,
            period_begin: filing.period_begin.as_ref().map(Date::to_string),
            period_end: filing.period_end.to_string(),
            months: filing.months(),
            filed: filing.filed.as_ref().map(Timestamp::to_string),
            amended: filing.amended,
            revenue: dollars(filing.revenue),
            expenses: dollars(filing.expenses),
            assets: dollars(filing.assets),
            liabilities: dollars(filing.liabilities),
            net_assets: dollars(filing.net_assets),
            employees: filing.employees,
            volunteers: filing.volunteers,
            breakdown: Breakdown::of(&filing.totals),
            governance: filing.governance.into(),
            phone: filing.phone.clone(),
            principal_officer: filing.principal_officer.as_deref().map(display_name),
            business_officer: filing.business_officer.as_deref().map(display_name),
            mission: filing.mission.clone(),
            url: filing.object_id.as_deref().map(filing_url),
        }
    }
}

impl FilingRow {
    /// A return with its officers, who are among `people`.
    pub(super) fn of(filing: Filing, people: &[record::Person]) -> Self {
        let figures = FilingFigures::of(&filing);
        let officers = officers::of_filing(&filing, people);
        let person = |officer: Officer| Person {
            name: officer.name,
            title: officer.title,
            hours: officer.hours,
            compensation: dollars(officer.compensation),
        };
        let service = |program: Program| Service {
            description: program.description,
            expenses: dollars(program.expenses),
            grants: dollars(program.grants),
            revenue: dollars(program.revenue),
        };
        Self {
            figures,
            supersedes: filing.superseded.into_iter().map(Superseded::from).collect(),
            officers: officers.into_iter().map(person).collect(),
            programs: filing.programs.into_iter().map(service).collect(),
            contractors: filing.contractors.into_iter().map(ContractorShown::from).collect(),
        }
    }
}
