//! People named in a return, and their pay.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Date, Ein, State, Usd, named};

named! {
    serde:
    /// What somebody is to an organization (Form 990, Part VII, Section A, column C; the lists of the
    /// other forms).
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    Role {
        TrusteeOrDirector = "trustee or director",
        InstitutionalTrustee = "institutional trustee",
        Officer = "officer",
        KeyEmployee = "key employee",
        /// Among the five best paid of those who are none of the above.
        HighestCompensated = "highest compensated",
        Former = "former",
        /// In the list of officers, directors, trustees and key employees, which does not say which: that
        /// of Form 990-EZ or Form 990-PF, or no box of Form 990 is ticked.
        Listed = "listed",
    }
}

/// A set of roles: bit n is the n-th of [`Role::ALL`]. Written to JSON as a list of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Roles(u8);

impl Roles {
    /// Adds a role.
    pub fn insert(&mut self, role: Role) {
        self.0 |= 1 << role as u8;
    }

    /// Whether a role is in it.
    pub fn contains(self, role: Role) -> bool {
        self.0 >> role as u8 & 1 == 1
    }

    /// The roles, in the order of the form.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.contains(*role))
    }
}

/// What people are looked up by: the state of their organization, and their roles. Written as the code of the state, or
/// `--`, and the bits of the roles in hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonKind {
    pub state: Option<State>,
    pub roles: Roles,
}

impl fmt::Display for PersonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02x}", self.state.map_or("--", State::code), self.roles.0)
    }
}

impl PersonKind {
    /// The kind as it is written; `None` of another text.
    pub fn parse(text: &str) -> Option<Self> {
        let (state, bits) = text.split_at_checked(2)?;
        let bits = u8::from_str_radix(bits, 16).ok()?;
        let roles = Role::ALL.into_iter().filter(|role| bits >> *role as u8 & 1 == 1).collect();
        Some(Self { state: state.parse().ok(), roles })
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut set = Self::default();
        roles.into_iter().for_each(|role| set.insert(role));
        set
    }
}

impl Serialize for Roles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter().map(Role::name))
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Roles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let names = Vec::<String>::deserialize(deserializer)?;
            return Ok(names.iter().filter_map(|name| Role::named(name)).collect());
        }
        let bits = u8::deserialize(deserializer)?;
        Ok(Role::ALL.into_iter().filter(|role| bits >> *role as u8 & 1 == 1).collect())
    }
}

/// What one payer paid, by the columns of Schedule J, in whole US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Pay {
    /// Base compensation (column B(i)); null where it is not stated.
    pub base: Option<Usd>,
    /// Bonus and incentive compensation (column B(ii)); null where it is not stated.
    pub bonus: Option<Usd>,
    /// Other reportable compensation (column B(iii)); null where it is not stated.
    pub other: Option<Usd>,
    /// Retirement and other deferred compensation (column C); null where it is not stated.
    pub deferred: Option<Usd>,
    /// Nontaxable benefits (column D); null where they are not stated.
    pub nontaxable: Option<Usd>,
    /// Total (column E), as filed; null where it is not stated.
    pub total: Option<Usd>,
    /// Of column B, what an earlier Form 990 reported as deferred (column F); null where it is not
    /// stated.
    pub reported_before: Option<Usd>,
}

/// A row of Schedule J, Part II.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "ScheduleJ")]
pub struct CompensationDetail {
    /// Paid by the nonprofit itself (line i).
    pub organization: Pay,
    /// Paid by related organizations (line ii).
    pub related: Pay,
}

/// Somebody in a return's lists of officers, directors, trustees, key employees and highest paid
/// employees: Form 990, Part VII, Section A; Form 990-EZ, Parts IV and VI; Form 990-PF, Part VII
/// (Part VIII before 2022). Contractors are not among them. What is not stated is `None`. Fields that neighbours
/// in a return share stand side by side: the fewer runs they make, the better records are packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// EIN of the filer.
    pub ein: Ein,
    /// Year that the return is of.
    pub tax_year: u16,
    /// Last day of its tax period.
    pub period_end: Date,
    /// The IRS's number of the return, 18 digits.
    pub object_id: Option<String>,
    /// Whether the name stands where the form has a business's, such as a bank that is a trustee.
    pub is_business: bool,
    /// Title as filed.
    pub title: Option<String>,
    /// Hours a week on average, for the organization.
    pub hours: Option<f32>,
    /// Hours a week on average, for related organizations.
    pub hours_related: Option<f32>,
    pub roles: Roles,
    /// The row of Schedule J that has the same name in the same return.
    pub detail: Option<CompensationDetail>,
    /// Reportable compensation from related organizations (Form 990, column E).
    pub compensation_related: Option<Usd>,
    /// Estimated other compensation (Form 990, column F), or the sum of benefit plans and expense
    /// accounts that the other forms state.
    pub compensation_other: Option<Usd>,
    /// Reportable compensation from the organization (Form 990, column D), or compensation (the other
    /// forms).
    pub compensation: Option<Usd>,
    /// Place among all people of the return, in the order of its XML, from 1.
    pub position: u32,
    /// Name as filed.
    pub name: String,
}

impl Person {
    /// Reportable compensation from the organization and from related ones; `None` where neither is stated.
    pub fn reportable_pay(&self) -> Option<i64> {
        let stated = [self.compensation, self.compensation_related];
        stated.into_iter().flatten().map(|usd| usd.dollars()).reduce(i64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_read_as_it_was_written() {
        for state in ["ME".parse().ok(), None] {
            for roles in [vec![], vec![Role::Former, Role::Officer], Role::ALL.to_vec()] {
                let kind = PersonKind { state, roles: roles.into_iter().collect() };
                assert_eq!(PersonKind::parse(&kind.to_string()), Some(kind));
            }
        }
        for text in ["", "ME", "MEx", "é"] {
            assert_eq!(PersonKind::parse(text), None, "{text}");
        }
    }

    #[test]
    fn roles_are_kept_and_shown() {
        let roles: Roles = [Role::Former, Role::Officer].into_iter().collect();
        let shown = serde_json::to_string(&roles).unwrap();
        assert_eq!(shown, r#"["officer","former"]"#);
        assert_eq!(serde_json::from_str::<Roles>(&shown).unwrap(), roles);
        let kept = postcard::to_stdvec(&roles).unwrap();
        assert_eq!((kept.len(), postcard::from_bytes::<Roles>(&kept).unwrap()), (1, roles));
        assert_eq!(postcard::from_bytes::<Roles>(&[0xff]).unwrap().iter().count(), Role::ALL.len());
    }
}
