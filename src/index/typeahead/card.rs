//! What a suggestion shows of an organization, kept where it can be had without its record: ten
//! records an answer cost more than the search itself.
//!
//! EIN packed in a little-endian u32, state index (255 for none), lengths of the city and of the
//! other name in a byte each (0 for none), the city, the other name, the name.

use crate::record::{Ein, Organization, State};

/// Bytes of a card before the city.
const FIXED_BYTES: usize = 7;

/// Stands for no state.
const NO_STATE: u8 = u8::MAX;

/// What a suggestion shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub ein: Ein,
    pub name: String,
    /// City in title case, at most 255 bytes.
    pub city: Option<String>,
    /// State or territory; `None` abroad.
    pub state: Option<State>,
    /// The best other name, such as a chapter, at most 255 bytes: tells namesakes apart.
    pub alt_name: Option<String>,
}

impl Card {
    /// What a suggestion shows of an organization. A city or other name beyond 255 bytes is cut.
    pub fn of(organization: &Organization) -> Self {
        let cut = |text: &str| text[..text.floor_char_boundary(usize::from(u8::MAX))].to_owned();
        let cut = |text: Option<&str>| text.map(cut).filter(|text| !text.is_empty());
        Self {
            ein: organization.ein,
            name: organization.name.clone(),
            city: cut(organization.address.city.as_deref()),
            state: organization.address.state,
            alt_name: cut(organization.alt_name.as_deref()),
        }
    }

    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        let city = self.city.as_deref().unwrap_or_default();
        bytes.extend_from_slice(&self.ein.pack().to_le_bytes());
        bytes.push(self.state.map_or(NO_STATE, State::index));
        let alt_name = self.alt_name.as_deref().unwrap_or_default();
        bytes.extend_from_slice(&[city.len() as u8, alt_name.len() as u8]);
        bytes.extend_from_slice(city.as_bytes());
        bytes.extend_from_slice(alt_name.as_bytes());
        bytes.extend_from_slice(self.name.as_bytes());
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (fixed, text) = bytes.split_at_checked(FIXED_BYTES)?;
        let ein = Ein::unpack(u32::from_le_bytes(fixed[..4].try_into().ok()?))?;
        let state = match fixed[4] {
            NO_STATE => None,
            index => Some(State::from_index(index)?),
        };
        let (city, text) = text.split_at_checked(usize::from(fixed[5]))?;
        let (alt_name, name) = text.split_at_checked(usize::from(fixed[6]))?;
        let given = |bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some((!text.is_empty()).then(|| text.to_owned()))
        };
        Some(Self {
            ein,
            name: std::str::from_utf8(name).ok()?.to_owned(),
            city: given(city)?,
            state,
            alt_name: given(alt_name)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decodes_what_was_encoded(
            ein in 0_u32..1_000_000_000,
            name in "\\PC{1,80}",
            city in prop::option::of("\\PC{1,40}"),
            state in prop::option::of(0_u8..62),
            alt_name in prop::option::of("\\PC{1,40}"),
        ) {
            let card = Card {
                ein: Ein::unpack(ein).unwrap(),
                name,
                city,
                state: state.and_then(State::from_index),
                alt_name,
            };
            let mut bytes = Vec::new();
            card.encode(&mut bytes);
            prop_assert_eq!(Card::decode(&bytes), Some(card));
        }

        #[test]
        fn other_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            Card::decode(&bytes);
        }
    }
}
