//! A return of the Form 990 series.

use super::view;
use crate::naming::display_name;
use crate::record::{
    Application, Contractor, Date, Ein, Filing, Form, Governance, InterestedTransaction, Lobbying,
    Person, Posture, Program, SupersededFiling, Timestamp, Totals, TransactionKind, Usd,
    filing_url,
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
        /// Transactions with interested persons (Schedule L), in the order of the return.
        transactions: Vec<InterestedTransaction> = filing.transactions,
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
        /// What it had and owed when the tax period began.
        beginning: Beginning = Beginning::of(&filing.totals),
        /// What changed net assets beside revenue and expenses.
        reconciliation: Reconciliation = Reconciliation::of(&filing.totals),
        /// What a private foundation has to distribute and did (Form 990-PF).
        distributions: Distributions = Distributions::of(&filing.totals),
        /// Lobbying and political campaigns (Schedule C).
        lobbying: Lobbying = filing.lobbying,
        /// How many transactions with interested persons it lists (Schedule L); null where it lists none, and where the
        /// return was not read whole.
        interested_persons: Option<InterestedPersons> =
            (!filing.transactions.is_empty()).then(|| InterestedPersons::of(&filing.transactions)),
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
        /// Other revenue: Form 990, Part VIII, line 11e; Form 990-EZ, Part I, line 8; Form 990-PF, Part I, line 11,
        /// column a.
        other_revenue: Option<Usd> = totals.other_revenue,
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
    /// The balance at the beginning of the tax period, in whole US dollars; null where the return does not state an
    /// amount.
    #[schemars(rename = "FilingBeginning")]
    struct Beginning of |totals: &Totals| {
        /// Total assets: Form 990, Part X, line 16, column A; Form 990-EZ, Part II, line 25, column A; Form 990-PF, Part
        /// II, line 16, column a.
        assets: Option<Usd> = totals.beginning_assets,
        /// Total liabilities: Form 990, Part X, line 26, column A; Form 990-EZ, Part II, line 26, column A; Form 990-PF,
        /// Part II, line 23, column a.
        liabilities: Option<Usd> = totals.beginning_liabilities,
        /// Net assets or fund balances: Form 990, Part X, line 32 (33 before 2019), column A; Form 990-EZ, Part II,
        /// line 27, column A; Form 990-PF, Part II, line 29 (30 before 2019), column a.
        net_assets: Option<Usd> = totals.beginning_net_assets,
    }
}

view! {
    /// What changed net assets in the tax period beside revenue and expenses, in whole US dollars, losses negative;
    /// null where the form does not ask for an amount or the return does not state it.
    #[schemars(rename = "FilingReconciliation")]
    struct Reconciliation of |totals: &Totals| {
        /// Net unrealized gains or losses on investments: Form 990, Part XI, line 5.
        unrealized_gains: Option<Usd> = totals.unrealized_gains,
        /// Donated services and use of facilities: Form 990, Part XI, line 6.
        donated_services: Option<Usd> = totals.donated_services,
        /// Investment expenses: Form 990, Part XI, line 7.
        investment_expenses: Option<Usd> = totals.investment_expenses,
        /// Prior period adjustments: Form 990, Part XI, line 8.
        prior_period_adjustments: Option<Usd> = totals.prior_period_adjustments,
        /// Other changes in net assets or fund balances: Form 990, Part XI, line 9; Form 990-EZ, Part I, line 20.
        other_changes: Option<Usd> = totals.other_changes,
        /// Other increases: Form 990-PF, Part III, line 3.
        other_increases: Option<Usd> = totals.other_increases,
        /// Decreases that are no expenses, as a positive amount: Form 990-PF, Part III, line 5.
        other_decreases: Option<Usd> = totals.other_decreases,
    }
}

view! {
    /// What a private foundation has to distribute and did, and its excise tax, in whole US dollars; null on other forms
    /// and where the return does not state an amount.
    #[schemars(rename = "FilingDistributions")]
    struct Distributions of |totals: &Totals| {
        /// Distributable amount, the least that has to be paid out for the tax period: Form 990-PF, Part X (Part XI before
        /// 2022), line 7.
        distributable_amount: Option<Usd> = totals.distributable_amount,
        /// Qualifying distributions in the tax period: Form 990-PF, Part XI (Part XII before 2022), line 4.
        qualifying_distributions: Option<Usd> = totals.qualifying_distributions,
        /// Of the distributable amount, what is left to distribute in the next tax period: Form 990-PF, Part XII (Part
        /// XIII before 2022), line 6f.
        undistributed_income: Option<Usd> = totals.undistributed_income,
        /// Excise tax on investment income: Form 990-PF, Part V (Part VI before 2022), line 1.
        excise_tax: Option<Usd> = totals.excise_tax,
    }
}

view! {
    /// How many transactions with interested persons a return lists (Schedule L), and their amounts.
    #[schemars(rename = "InterestedPersons")]
    struct InterestedPersons of |transactions: &[InterestedTransaction]| {
        let count = |kind| transactions.iter().filter(|one| one.kind == kind).count();
        let sum = |kind, amount: fn(&InterestedTransaction) -> Option<Usd>| {
            let stated = transactions.iter().filter(|one| one.kind == kind).filter_map(amount);
            stated.map(Usd::dollars).reduce(i64::saturating_add).map(Usd::new)
        };

        /// Excess benefit transactions (Part I).
        excess_benefits: usize = count(TransactionKind::ExcessBenefit),
        /// Loans (Part II).
        loans: usize = count(TransactionKind::Loan),
        /// What is due of these loans in whole US dollars (column f); null where no row states it.
        loans_due: Option<Usd> = sum(TransactionKind::Loan, |one| one.balance_due),
        /// Grants and assistance (Part III).
        grants: usize = count(TransactionKind::Grant),
        /// What these come to in whole US dollars (column c); null where no row states it.
        grants_amount: Option<Usd> = sum(TransactionKind::Grant, |one| one.amount),
        /// Business transactions (Part IV).
        business: usize = count(TransactionKind::Business),
        /// What these come to in whole US dollars (column c); null where no row states it.
        business_amount: Option<Usd> = sum(TransactionKind::Business, |one| one.amount),
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
