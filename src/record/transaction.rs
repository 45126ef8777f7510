//! Transactions with interested persons: Schedule L of Forms 990 and 990-EZ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Usd, named};

named! {
    serde:
    /// The part of Schedule L that lists a transaction.
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[schemars(inline)]
    TransactionKind {
        /// Part I: an excess benefit transaction with a disqualified person.
        ExcessBenefit = "excess benefit",
        /// Part II: a loan to or from an interested person.
        Loan = "loan",
        /// Part III: a grant or assistance that benefits an interested person.
        Grant = "grant",
        /// Part IV: a business transaction that involves an interested person.
        Business = "business",
    }
}

named! {
    serde:
    /// Who lent to whom (Part II, column d).
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[schemars(inline)]
    LoanDirection {
        /// The interested person lent to the organization.
        ToOrganization = "to the organization",
        /// The organization lent to the interested person.
        FromOrganization = "from the organization",
    }
}

/// A transaction of a nonprofit with an interested person (Schedule L), as filed.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "InterestedTransaction")]
pub struct InterestedTransaction {
    /// Part of the schedule: `excess benefit` (I), `loan` (II), `grant` (III) or `business` (IV).
    pub kind: TransactionKind,
    /// Name of the interested person, a business or a person (column a); null where it is not stated or was left out.
    pub name: Option<String>,
    /// Whether the name is filed as a business's.
    pub is_business: bool,
    /// Relationship with the nonprofit (column b); null where it is not stated or was left out.
    pub relationship: Option<String>,
    /// Amount in whole US dollars: the original principal of a loan (column e), the amount of assistance (column c)
    /// or of a business transaction (column c); null where it is not stated, and of an excess benefit, of which the
    /// schedule states none.
    pub amount: Option<Usd>,
    /// What it is: the description of a transaction, the purpose of a loan or of assistance; null where it is not
    /// stated or was left out.
    pub description: Option<String>,
    /// Type of assistance (Part III, column d); null of other kinds and where it is not stated.
    pub assistance: Option<String>,
    /// Of a loan, who lent: `to the organization` or `from the organization`; null of other kinds and where not one
    /// box is ticked.
    pub direction: Option<LoanDirection>,
    /// Balance due of a loan in whole US dollars (column f); null of other kinds and where it is not stated.
    pub balance_due: Option<Usd>,
    /// Whether a loan is in default (column g); null of other kinds and where it is not stated.
    pub in_default: Option<bool>,
    /// Whether the board or a committee approved a loan (column h); null of other kinds and where it is not stated.
    pub board_approved: Option<bool>,
    /// Whether there is a written agreement on a loan (column i); null of other kinds and where it is not stated.
    pub written_agreement: Option<bool>,
    /// Whether an excess benefit was corrected (Part I, column d); null of other kinds and where it is not stated.
    pub corrected: Option<bool>,
    /// Whether a business transaction shares the nonprofit's revenues (Part IV, column e); null of other kinds and
    /// where it is not stated.
    pub shares_revenue: Option<bool>,
}

impl InterestedTransaction {
    /// Removes what names a person: relationships and descriptions do, too, and so do names of businesses.
    pub fn leave_names_out(&mut self) {
        (self.name, self.relationship, self.description, self.assistance) =
            (None, None, None, None);
    }
}
