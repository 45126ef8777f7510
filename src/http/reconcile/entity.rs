//! What the service's entities are: their types, how one is described, and the properties that they have.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;

use crate::export::{Column, Kind};
use crate::record::{Organization, named};
use crate::taxonomy;
use crate::views::{Details, row_of};

named! {
    /// A type of entities.
    EntityType {
        /// Everybody.
        Nonprofit = "nonprofit",
        /// A private foundation: foundation code 02, 03 or 04 of the master file.
        Foundation = "foundation",
    }
}

/// A type as candidates name it.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationTypeName")]
pub(super) struct TypeName {
    /// Identifier of the type: `nonprofit` or `foundation`.
    pub(super) id: &'static str,
    /// Name of the type.
    pub(super) name: &'static str,
}

/// A type as the manifest and suggestions describe it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationType")]
pub(super) struct TypeView {
    #[serde(flatten)]
    named: TypeName,
    /// What belongs to it.
    description: &'static str,
    /// Types of which it is a part.
    broader: Vec<TypeName>,
}

impl EntityType {
    pub(super) fn named_type(self) -> TypeName {
        let name = match self {
            Self::Nonprofit => "Nonprofit",
            Self::Foundation => "Private foundation",
        };
        TypeName { id: self.name(), name }
    }

    /// The type of an identifier, or of a name in any case.
    pub(super) fn of_name(text: &str) -> Option<Self> {
        let has_name = |one: &Self| one.named_type().name.eq_ignore_ascii_case(text);
        Self::named(text).or_else(|| Self::ALL.into_iter().find(has_name))
    }

    pub(super) fn view(self) -> TypeView {
        let (description, broader) = match self {
            Self::Nonprofit => {
                ("Every organization in the IRS's lists that are loaded", Vec::new())
            }
            Self::Foundation => (
                "Private foundations: foundation code 02, 03 or 04",
                vec![Self::Nonprofit.named_type()],
            ),
        };
        TypeView { named: self.named_type(), description, broader }
    }

    /// The types of an organization, the narrowest first.
    pub(super) fn of(organization: &Organization) -> Vec<TypeName> {
        let is_foundation = organization.is_private_foundation() == Some(true);
        let narrow = is_foundation.then_some(Self::Foundation);
        narrow.into_iter().chain([Self::Nonprofit]).map(Self::named_type).collect()
    }
}

/// Where an organization is and what it does: tells namesakes apart.
pub(super) fn description(organization: &Organization) -> String {
    let place = place(organization);
    let cause = organization.ntee.and_then(taxonomy::title).unwrap_or_default();
    let parts = [place.as_str(), cause].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

pub(super) fn place(organization: &Organization) -> String {
    let address = &organization.address;
    let state = address.state.map(|state| state.code().to_owned());
    address.city.clone().into_iter().chain(state).collect::<Vec<_>>().join(", ")
}

/// A property as it is proposed and suggested.
#[derive(Debug, Clone, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationProperty")]
pub(super) struct Property {
    /// Identifier of the property.
    pub(super) id: String,
    /// Name of the property.
    pub(super) name: String,
    /// What it is, its unit and its source.
    pub(super) description: String,
}

/// A member of details, as a property.
pub(super) struct Member {
    pub(super) property: Property,
    /// Whether its values are days.
    pub(super) is_day: bool,
}

/// The members of details.
pub(super) static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| {
    let (_, columns) = row_of::<Details<'_>>();
    let member = |Column { name, kind, description, .. }| Member {
        property: Property { name: name_of(&name), id: name, description },
        is_day: kind == Kind::Day,
    };
    columns.into_iter().map(member).collect()
});

/// The name of a member: its words. What is short is initials.
fn name_of(id: &str) -> String {
    const INITIALS: [&str; 5] = ["ein", "url", "irs", "ntee", "gc"];
    let mut spaced = String::new();
    for character in id.chars() {
        if character.is_ascii_uppercase() || character == '_' {
            spaced.push(' ');
        }
        if character != '_' {
            spaced.push(character.to_ascii_lowercase());
        }
    }
    let words = spaced.split(' ').enumerate().map(|(at, word)| match word {
        word if INITIALS.contains(&word) => word.to_ascii_uppercase(),
        word if at == 0 => word[..1].to_ascii_uppercase() + &word[1..],
        word => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_by_their_words() {
        for (id, name) in [
            ("ein", "EIN"),
            ("streetAddress", "Street address"),
            ("alt_name", "Alt name"),
            ("irsRulingDate", "IRS ruling date"),
        ] {
            let member = MEMBERS.iter().find(|member| member.property.id == id).unwrap();
            assert_eq!(member.property.name, name);
            assert_eq!(member.is_day, id == "irsRulingDate");
        }
        assert!(MEMBERS.iter().all(|member| !member.property.description.is_empty()));
    }
}
