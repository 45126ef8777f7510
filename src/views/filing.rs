//! A return of the Form 990 series.

use super::view;
use crate::naming::display_name;
use crate::record::{
    Application, Contractor, Date, Ein, Filing, Form, Governance, Person, Posture, Program,
    SupersededFiling, Timestamp, Totals, Usd, filing_url,
};
use crate::search::officers::{self, Officer};

view! {
    /// A return of the Form 990 series.
    #[schemars(rename = "Filing")]
    pub struct FilingRow of |filing: Filing, people: &[Person]| {
        let officers = officers::of_filing(&filing, people);

        #[serde(flatten)]
        figures: FilingFigures = FilingFigures::of(&filing),
        /// Returns of the same period that this one replaces, the latest first.
        supersedes: Vec<Superseded> = filing.superseded.into_iter().map(Superseded::of).collect(),
        /// Officers, directors, trustees and key employees, in the order of the form.
        officers: Vec<Officer> = officers,
        /// Program services and what they accomplished, in the order of the form.
        programs: Vec<Program> = filing.programs,
        /// The independent contractors that were paid most, in the order of the form, which asks for five.
        contractors: Vec<ContractorShown> =
            filing.contractors.into_iter().map(ContractorShown::of).collect(),
        /// Whether and how it takes applications for grants (Form 990-PF); null where the return does not say.
        applications: Option<PostureShown> = filing
            .posture
            .filter(|one| one.accepts_applications().is_some())
            .map(PostureShown::of),
    }
}

view! {
    /// How a private foundation takes applications, as filed.
    #[schemars(rename = "FilingApplications")]
    pub struct PostureShown of |posture: Posture| {
        /// Whether it gives to preselected charities only and takes no unsolicited requests.
        only_preselected: bool = posture.only_preselected,
        /// How to apply, one for each program that the return describes.
        how: Vec<Application> = posture.applications,
    }
}

view! {
    /// What a return of the Form 990 series says outside of its lists.
    #[schemars(rename = "FilingFigures")]
    pub struct FilingFigures of |filing: &Filing| {
        /// Employer Identification Number of the filer: nine digits, leading zeros kept.
        ein: Ein = filing.ein,
        /// Form: `990`, `990-EZ` or `990-PF`.
        form_type: Form = filing.form,
        /// Year that the form is of: the one in which the tax period begins.
        tax_year: u16 = filing.tax_year,
        /// First day of the tax period; null where the return does not say.
        period_begin: Option<Date> = filing.period_begin,
        /// Last day of the tax period.
        period_end: Date = filing.period_end,
        /// Months of the tax period, those that it has in part counted: fewer than 12 of a short year; null
        /// where the return does not say when it begins.
        months: Option<u16> = filing.months(),
        /// When it was filed (`ReturnTs`), an RFC 3339 time in UTC or a date; null where the return
        /// does not say.
        filed: Option<Timestamp> = filing.filed,
        /// Whether it replaces an earlier return of the same period.
        amended: bool = filing.amended,
        /// Total revenue of the tax period in whole US dollars; null where the return does not state
        /// it.
        revenue: Option<Usd> = filing.revenue,
        /// Total expenses of the tax period in whole US dollars; null where the return does not state
        /// them.
        expenses: Option<Usd> = filing.expenses,
        /// Total assets at the end of the tax period in whole US dollars; null where the return does
        /// not state them.
        assets: Option<Usd> = filing.assets,
        /// Total liabilities at the end of the tax period in whole US dollars; null where the return
        /// does not state them.
        liabilities: Option<Usd> = filing.liabilities,
        /// Net assets or fund balances at the end of the tax period in whole US dollars; null where
        /// the return does not state them.
        net_assets: Option<Usd> = filing.net_assets,
        /// Number of employees in the calendar year (Form 990, Part I, line 5); null where the return
        /// does not state it.
        employees: Option<u32> = filing.employees,
        /// Number of volunteers as estimated (Form 990, Part I, line 6); null where the return does
        /// not state it.
        volunteers: Option<u32> = filing.volunteers,
        /// Of what revenue and expenses consist, and assets and net assets.
        breakdown: Breakdown = Breakdown::of(&filing.totals),
        /// How it is governed (Form 990, Part VI).
        governance: Governance = filing.governance,
        /// Telephone of the nonprofit; null where the return does not state it.
        phone: Option<String> = filing.phone.clone(),
        /// Name of the principal officer (Form 990, heading, box F); null where the return names none.
        principal_officer: Option<String> = filing.principal_officer.as_deref().map(display_name),
        /// Name of the officer who signed; null where the return names none.
        business_officer: Option<String> = filing.business_officer.as_deref().map(display_name),
        /// Mission in sentence case; null where the return does not state one.
        mission: Option<String> = filing.mission.clone(),
        /// Address of the return in XML; null where the IRS's number of it is not known.
        url: Option<String> = filing.object_id.as_deref().map(filing_url),
    }
}

view! {
    /// What the totals of a return are made up of, in whole US dollars; null where the form does not ask for an
    /// amount or the return does not state it.
    #[schemars(rename = "FilingBreakdown")]
    struct Breakdown of |totals: &Totals| {
        /// Contributions and grants received.
        contributions: Option<Usd> = totals.contributions,
        /// Grants from governments among these.
        government_grants: Option<Usd> = totals.government_grants,
        /// Membership dues.
        membership_dues: Option<Usd> = totals.membership_dues,
        /// Revenue of program services.
        program_revenue: Option<Usd> = totals.program_revenue,
        /// Income of investments.
        investment_income: Option<Usd> = totals.investment_income,
        /// Expenses of program services.
        program_expenses: Option<Usd> = totals.program_expenses,
        /// Expenses of management.
        management_expenses: Option<Usd> = totals.management_expenses,
        /// Expenses of fundraising.
        fundraising_expenses: Option<Usd> = totals.fundraising_expenses,
        /// Grants paid in all.
        grants_paid: Option<Usd> = totals.grants_paid,
        /// Cash at the end of the period.
        cash: Option<Usd> = totals.cash,
        /// Savings and temporary investments at the end of the period.
        savings: Option<Usd> = totals.savings,
        /// Publicly traded securities at the end of the period.
        securities: Option<Usd> = totals.securities,
        /// Land, buildings and equipment at the end of the period, less depreciation.
        land_and_buildings: Option<Usd> = totals.land_and_buildings,
        /// Net assets without donor restrictions at the end of the period.
        unrestricted_net_assets: Option<Usd> = totals.unrestricted_net_assets,
    }
}

view! {
    /// A return that a later one of the same tax period replaces: amounts in whole US dollars, null where it
    /// does not state them.
    #[schemars(rename = "SupersededFiling")]
    struct Superseded of |filing: SupersededFiling| {
        /// Form: `990`, `990-EZ` or `990-PF`.
        form_type: Form = filing.form,
        /// When it was filed, an RFC 3339 time in UTC or a date; null where it does not say.
        filed: Option<Timestamp> = filing.filed,
        /// Whether it replaced another in its turn.
        amended: bool = filing.amended,
        /// Total revenue of the tax period.
        revenue: Option<Usd> = filing.revenue,
        /// Total expenses of the tax period.
        expenses: Option<Usd> = filing.expenses,
        /// Total assets at the end of the tax period.
        assets: Option<Usd> = filing.assets,
        /// Total liabilities at the end of the tax period.
        liabilities: Option<Usd> = filing.liabilities,
        /// Net assets or fund balances at the end of the tax period.
        net_assets: Option<Usd> = filing.net_assets,
        /// Address of the return in XML; null where the IRS's number of it is not known.
        url: Option<String> = filing.object_id.as_deref().map(filing_url),
    }
}

view! {
    /// An independent contractor of a nonprofit.
    #[schemars(rename = "Contractor")]
    struct ContractorShown of |contractor: Contractor| {
        /// Name, in title case where the form has capitals only.
        name: String = display_name(&contractor.name),
        /// What for, in title case where the form has capitals only; null where it is not stated.
        services: Option<String> = contractor.services.as_deref().map(display_name),
        /// What it was paid in the tax period in whole US dollars; null where it is not stated.
        compensation: Option<Usd> = contractor.compensation,
    }
}
