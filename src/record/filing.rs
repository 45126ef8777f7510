//! One return of the Form 990 series, as far as a profile and its figures need it, with its statements on governance.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Date, Ein, InterestedTransaction, Month, Posture, State, Subsection, Timestamp, Totals, Usd,
    Zip5, named, partly_known,
};

named! {
    serde:
    /// A form of the series that carries a profile. Form 990-T does not, and Form 990-N is no return.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    Form {
        /// Form 990.
        Full = "990",
        /// Form 990-EZ, of smaller organizations.
        Short = "990-EZ",
        /// Form 990-PF, of private foundations.
        PrivateFoundation = "990-PF",
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const MONTHS_A_YEAR: u16 = 12;

partly_known! {
    /// A return as filed. Texts are trimmed and of one line, with single blanks; what is not stated is
    /// `None`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Filing, made by blank {
        /// EIN of the filer.
        ein: Ein,
        /// Which form.
        form: Form,
        /// Year that the form is of (`TaxYr`): the one in which the tax period begins.
        tax_year: u16,
        /// First day of the tax period.
        period_begin: Option<Date>,
        /// Last day of the tax period.
        period_end: Date,
    } {
        /// When it was filed (`ReturnTs`).
        filed: Option<Timestamp>,
        /// Whether it replaces an earlier return of the same period.
        amended: bool,
        /// The IRS's number of the return, 18 digits: from the file's name, which is the only place
        /// that has it.
        object_id: Option<String>,
        /// Legal name as filed; empty where an annual extract has its figures alone.
        name: String,
        /// Name that it does business as, as filed.
        doing_business_as: Option<String>,
        /// Street as filed.
        street: Option<String>,
        /// City as filed.
        city: Option<String>,
        /// `None` abroad.
        state: Option<State>,
        /// `None` abroad.
        zip: Option<Zip5>,
        /// Subsection of 501(c) that is ticked; 03 for a Form 990-PF unless it says otherwise.
        subsection: Option<Subsection>,
        /// Web address, normalised.
        website: Option<String>,
        /// Mission in sentence case; where the form only points elsewhere, what it points at.
        mission: Option<String>,
        /// Year of formation.
        year_formed: Option<u16>,
        /// Total revenue of the period.
        revenue: Option<Usd>,
        /// Total expenses of the period.
        expenses: Option<Usd>,
        /// Total assets at its end.
        assets: Option<Usd>,
        /// Total liabilities at its end.
        liabilities: Option<Usd>,
        /// Net assets or fund balances at its end.
        net_assets: Option<Usd>,
        /// Employees in the calendar year (Form 990, Part I, line 5).
        employees: Option<u32>,
        /// Volunteers, as estimated (Form 990, Part I, line 6).
        volunteers: Option<u32>,
        /// Programme services with what they accomplished, in the order of the form.
        programs: Vec<Program>,
        /// The independent contractors that were paid most, in the order of the form.
        contractors: Vec<Contractor>,
        /// Returns of the same tax period that it replaces, the latest first.
        superseded: Vec<SupersededFiling>,
        /// Telephone of the filer, as filed.
        phone: Option<String>,
        /// Name of the principal officer (Form 990, heading, box F), as filed.
        principal_officer: Option<String>,
        /// Name of the officer who signed, as filed.
        business_officer: Option<String>,
        /// How it is governed.
        governance: Governance,
        /// Totals beyond these: expenses by function, grants.
        totals: Totals,
        /// What it says of lobbying and political campaigns.
        lobbying: Lobbying,
        /// Transactions with interested persons (Schedule L), in the order of the XML.
        transactions: Vec<InterestedTransaction>,
        /// A private foundation's statement on applications for grants; `None` on the other forms.
        posture: Option<Posture>,
        /// Where in its XML the values above stand, amounts of programmes, totals and posture left out.
        elements: Vec<Element>,
        /// Position, in the manifest's sources, of the one that it was read from.
        source: u32,
    }
}

/// An independent contractor of the filer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contractor {
    /// As filed.
    pub name: String,
    /// Whether it is named as a business; forms name many a business as a person.
    pub is_business: bool,
    /// What for, as filed.
    pub services: Option<String>,
    pub compensation: Option<Usd>,
}

/// The figures of a return that a later one of the same tax period replaces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SupersededFiling {
    pub form: Form,
    /// When it was filed (`ReturnTs`).
    pub filed: Option<Timestamp>,
    /// Whether it replaced another in its turn.
    pub amended: bool,
    /// The IRS's number of it, 18 digits.
    pub object_id: Option<String>,
    pub revenue: Option<Usd>,
    pub expenses: Option<Usd>,
    pub assets: Option<Usd>,
    pub liabilities: Option<Usd>,
    pub net_assets: Option<Usd>,
}

impl From<Filing> for SupersededFiling {
    fn from(filing: Filing) -> Self {
        let Filing { form, filed, amended, object_id, .. } = filing;
        let Filing { revenue, expenses, assets, liabilities, net_assets, .. } = filing;
        Self { form, filed, amended, object_id, revenue, expenses, assets, liabilities, net_assets }
    }
}

/// A value that a return states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StatedValue {
    Ein,
    Form,
    PeriodEnd,
    Name,
    DoingBusinessAs,
    Street,
    City,
    State,
    Zip,
    Subsection,
    Website,
    Mission,
    YearFormed,
    Revenue,
    Expenses,
    Assets,
    Liabilities,
    NetAssets,
    Employees,
    Volunteers,
    /// What the programme at this position of [`Filing::programs`] accomplished.
    Program(u16),
}

/// Where an element of a return stands: its place in the table of elements that are read, of which
/// `irs::efile` makes an XPath.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ElementPath {
    /// Number of the element among those of the table.
    pub node: u16,
    /// Of the steps that may be repeated, from which step on (0 the outermost) and the position, from 1.
    pub positions: Vec<(u8, u16)>,
}

/// An element of a return that states a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    pub stated: StatedValue,
    pub at: ElementPath,
    /// Whether it holds something that is no such value, and was left out.
    pub is_unreadable: bool,
}

impl Filing {
    /// Whether it was read as filed, and not from an annual extract, which has figures alone.
    pub fn is_whole(&self) -> bool {
        !self.name.is_empty()
    }

    /// The figures of a return of which nothing else is known.
    pub fn of_figures(ein: Ein, form: Form, tax_period: Month) -> Self {
        let (year, month) = (tax_period.year(), tax_period.month());
        let tax_year = if month == 12 { year } else { year - 1 };
        Self::blank(ein, form, tax_year, None, tax_period.last_day())
    }

    /// The elements that state a value, in the order in which they were put together.
    pub fn stating(&self, stated: StatedValue) -> impl Iterator<Item = &Element> {
        self.elements.iter().filter(move |element| element.stated == stated)
    }

    /// How many months its tax period has, those that it has in part counted; `None` where the return
    /// does not say when it begins.
    pub fn months(&self) -> Option<u16> {
        let month = |date: Date| date.year() * MONTHS_A_YEAR + u16::from(date.month());
        let before = month(self.period_end).checked_sub(month(self.period_begin?))?;
        Some(before + 1)
    }

    /// The months of a tax period that is no whole year.
    pub fn short_months(&self) -> Option<u16> {
        self.months().filter(|months| *months < MONTHS_A_YEAR)
    }

    /// The month in which the tax period ends, as the master file tells it.
    pub fn tax_period(&self) -> Option<Month> {
        Month::new(self.period_end.year(), self.period_end.month())
    }
}

/// A program service of a return.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Program {
    /// What it does and accomplished, in sentence case.
    pub description: String,
    /// Its expenses in the tax period in whole US dollars; null where the return does not state
    /// them.
    pub expenses: Option<Usd>,
    /// Grants among its expenses in whole US dollars; null where the return does not state them.
    pub grants: Option<Usd>,
    /// Its revenue in the tax period in whole US dollars; null where the return does not state it.
    pub revenue: Option<Usd>,
}

/// How a nonprofit is governed, as its return says; null where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Governance {
    /// Voting members of the governing body (line 1a).
    pub voting_members: Option<u32>,
    /// Of these, who are independent (line 1b).
    pub independent_members: Option<u32>,
    /// Whether it has a written policy on conflicts of interest (line 12a).
    pub conflict_policy: Option<bool>,
    /// Whether it has a written policy for whistleblowers (line 13).
    pub whistleblower_policy: Option<bool>,
    /// Whether it has a written policy on keeping documents (line 14).
    pub retention_policy: Option<bool>,
}

/// Lobbying and political campaigns by Schedule C of Forms 990 and 990-EZ; null where the return does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Lobbying {
    /// Whether it elected the limits of section 501(h) on lobbying: true where the schedule has Part II-A, which is of
    /// those that did (Form 5768), false where it has Part II-B, which is of those that did not; null where it has
    /// neither or both.
    pub elected_501h: Option<bool>,
    /// Lobbying expenditures in whole US dollars: Part II-A, line 1c, column a, or Part II-B, line 1j, column b.
    pub expenditures: Option<Usd>,
    /// Political campaign activity expenditures in whole US dollars: Part I-A, line 2.
    pub political_expenditures: Option<Usd>,
}
