//! Grants that a return lists, each a row of its form as filed.

use serde::{Deserialize, Serialize};

use super::{Date, Ein, State, Usd, Zip5, named};

named! {
    serde:
    /// The list of a return that a grant stands in.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    GrantForm {
        /// Form 990, Schedule I, Part II: to organizations and governments in the United States.
        ScheduleI = "990-I",
        /// Form 990-PF, Part XIV (Part XV before 2022), line 3.
        PrivateFoundation = "990-PF",
        /// Form 990, Schedule F, Part II: to organizations outside the United States, which the form
        /// neither names nor gives an EIN.
        ScheduleF = "990-F",
    }
}

named! {
    serde:
    /// Whether a grant was paid in the tax period.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    GrantStage {
        /// Paid in the period (Form 990-PF, line 3a; every grant of Form 990).
        Paid = "paid",
        /// Approved for payment in the future (Form 990-PF, line 3b), which a later return may list as
        /// paid.
        Approved = "approved",
    }
}

/// A grant as filed. Texts are trimmed and of one line, with single blanks; what is not stated is
/// `None`, and an amount of 0 is one that is stated. Fields that neighbours in a return share stand side by
/// side: the fewer runs they make, the better records are packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// EIN of the filer, who gives it.
    pub grantor: Ein,
    pub form: GrantForm,
    pub stage: GrantStage,
    /// Year that the return is of.
    pub tax_year: u16,
    /// Last day of its tax period.
    pub period_end: Date,
    /// The IRS's number of the return, 18 digits.
    pub object_id: Option<String>,
    /// Whether there is no EIN and the name only points to a list that is not in the XML (`SEE ATTACHED`):
    /// the amount may be that of many grants.
    pub is_listed_elsewhere: bool,
    /// Whether the name stands where the form has a person's.
    pub is_person: bool,
    /// State or province of an address abroad, as filed.
    pub province: Option<String>,
    /// Country of an address abroad, as the IRS's code of two letters.
    pub country: Option<String>,
    /// Region of the world (Schedule F, Part II, column c): `Sub-Saharan Africa`.
    pub foreign_region: Option<String>,
    /// Assistance other than cash, at its value (Schedule I, column e; Schedule F, column g).
    pub noncash: Option<Usd>,
    /// What the assistance other than cash was.
    pub noncash_description: Option<String>,
    /// Section of the tax code by which the recipient is exempt (Schedule I, column c).
    pub exempt_section: Option<String>,
    /// Relationship to a manager or substantial contributor of the foundation (Form 990-PF).
    pub relationship: Option<String>,
    /// Foundation status of the recipient as filed (Form 990-PF): `PC`, `POF`, `NC`.
    pub foundation_status: Option<String>,
    pub purpose: Option<String>,
    /// `None` abroad.
    pub state: Option<State>,
    /// `None` abroad.
    pub zip: Option<Zip5>,
    pub city: Option<String>,
    /// Street as filed, both lines.
    pub street: Option<String>,
    /// EIN of the recipient as filed, of nine digits that are not all the same (Schedule I, column b).
    pub recipient_ein: Option<Ein>,
    /// Name as filed, of an organization or a person, both lines.
    pub recipient_name: Option<String>,
    /// Cash (Schedule I, column d; Schedule F, column e), or the amount of Form 990-PF, which does not
    /// tell cash from the rest.
    pub cash: Option<Usd>,
    /// Place among all grants of the return, in the order of its XML, from 1.
    pub position: u32,
}

impl Grant {
    /// Cash and assistance other than cash together; `None` where neither is stated.
    pub fn amount(&self) -> Option<Usd> {
        match (self.cash, self.noncash) {
            (Some(cash), Some(noncash)) => {
                Some(Usd::new(cash.dollars().saturating_add(noncash.dollars())))
            }
            (one, other) => one.or(other),
        }
    }
}
