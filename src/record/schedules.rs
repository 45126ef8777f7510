//! What returns list: grants, people, and organizations to which a filer is related, by Schedule R of Form 990.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Date, Ein, Grant, Person, Roles, named};

/// What one return lists, each in the order of its XML.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Schedules {
    pub grants: Vec<Grant>,
    pub people: Vec<Person>,
    /// Schedule R.
    pub relations: Vec<Relation>,
}

impl Schedules {
    /// Whether it lists nothing.
    pub fn is_empty(&self) -> bool {
        let Self { grants, people, relations } = self;
        grants.is_empty() && people.is_empty() && relations.is_empty()
    }
}

/// A name in the returns of one organization. That two rows of equal names are of one person is likely
/// within an organization, and no more than that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedName {
    /// As the latest return has it.
    pub name: String,
    /// Every row that has it, the latest tax year first.
    pub rows: Vec<Person>,
}

impl ListedName {
    /// The rows of its latest tax period.
    fn of_latest(&self) -> impl Iterator<Item = &Person> {
        let latest = self.rows.first().map(|row| row.period_end);
        self.rows.iter().take_while(move |row| Some(row.period_end) == latest)
    }

    /// Of the rows of its latest tax period the best paid, the first of equal ones.
    pub fn latest(&self) -> Option<&Person> {
        self.of_latest().min_by_key(|row| Reverse(row.reportable_pay()))
    }

    /// The roles in its latest tax period.
    pub fn roles(&self) -> Roles {
        self.of_latest().flat_map(|row| row.roles.iter()).collect()
    }

    /// The tax years of its rows, the latest first.
    pub fn years(&self) -> Vec<u16> {
        let mut years: Vec<u16> = self.rows.iter().map(|row| row.tax_year).collect();
        years.dedup();
        years
    }
}

named! {
    serde:
    /// The part of Schedule R that names an organization: what it is for tax purposes.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    RelationPart {
        /// Part I: a disregarded entity, which is the filer's own.
        Disregarded = "disregarded",
        /// Part II.
        TaxExempt = "tax-exempt",
        /// Part III: taxable as a partnership.
        Partnership = "partnership",
        /// Part IV: taxable as a corporation or trust.
        CorporationOrTrust = "corporation or trust",
    }
}

/// A related organization as filed. Texts are trimmed and of one line; what is not stated is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// EIN of the filer.
    pub ein: Ein,
    pub part: RelationPart,
    /// EIN of the other organization as filed, of nine digits that are not all the same.
    pub related_ein: Option<Ein>,
    /// Its name as filed, both lines.
    pub related_name: Option<String>,
    /// City of its address as filed.
    pub city: Option<String>,
    /// State, province or country of its address: a USPS code, or the IRS's code of a country.
    pub region: Option<String>,
    pub primary_activity: Option<String>,
    /// State or country by whose law it exists: a USPS code, or the IRS's code of a country.
    pub legal_domicile: Option<String>,
    /// Section of the tax code by which it is exempt, as filed (Part II, column d).
    pub exempt_section: Option<String>,
    /// Line of Schedule A by which it is a public charity, as filed (Part II, column e).
    pub public_charity_status: Option<String>,
    /// What it is (Part IV, column e): `C CORPORATION`.
    pub entity_type: Option<String>,
    /// Name of the entity that controls it directly (column f); `None` also where the form says that
    /// there is none.
    pub controlling_name: Option<String>,
    /// Whether it is controlled by the filer under section 512(b)(13) (Parts II and IV).
    pub is_controlled: Option<bool>,
    /// What the filer owns of it, 0 to 1 (Parts III and IV).
    pub ownership_share: Option<f32>,
    /// Year that the return is of.
    pub tax_year: u16,
    /// Last day of its tax period.
    pub period_end: Date,
    /// The IRS's number of the return, 18 digits.
    pub object_id: Option<String>,
    /// Place among all relations of the return, in the order of its XML, from 1.
    pub position: u32,
}
