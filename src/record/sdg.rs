//! United Nations Sustainable Development Goals.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A Sustainable Development Goal, 1 to 17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sdg(u8);

/// Why a number is not a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a Sustainable Development Goal is 1 to 17, found {0}")]
pub struct SdgError(i64);

impl Sdg {
    /// The goal of that number.
    ///
    /// # Errors
    /// When the number is not 1 to 17.
    pub fn new(number: i64) -> Result<Self, SdgError> {
        match u8::try_from(number) {
            Ok(goal @ 1..=17) => Ok(Self(goal)),
            _ => Err(SdgError(number)),
        }
    }

    /// 1 to 17.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// A set of goals: bit n is goal n, bits 1 to 17. Written to JSON as a rising list of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SdgSet(u32);

impl SdgSet {
    /// Bits that stand for a goal.
    const ALL: u32 = 0x3_FFFE;

    /// Adds a goal.
    pub fn insert(&mut self, goal: Sdg) {
        self.0 |= 1 << goal.0;
    }

    /// The mask: bit n is goal n.
    pub fn mask(self) -> u32 {
        self.0
    }

    /// The set of a mask; bits that stand for no goal are dropped.
    pub fn from_mask(mask: u32) -> Self {
        Self(mask & Self::ALL)
    }

    /// Whether no goal is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The goals, rising.
    pub fn iter(self) -> impl Iterator<Item = Sdg> {
        (1..=17).filter(move |goal| self.0 >> goal & 1 == 1).map(Sdg)
    }
}

impl FromIterator<Sdg> for SdgSet {
    fn from_iter<I: IntoIterator<Item = Sdg>>(goals: I) -> Self {
        let mut set = Self::default();
        goals.into_iter().for_each(|goal| set.insert(goal));
        set
    }
}

impl Serialize for SdgSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter().map(Sdg::number))
        } else {
            serializer.serialize_u32(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for SdgSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let numbers = Vec::<i64>::deserialize(deserializer)?;
            numbers.into_iter().map(|n| Sdg::new(n).map_err(de::Error::custom)).collect()
        } else {
            let mask = u32::deserialize(deserializer)?;
            if mask & !Self::ALL != 0 {
                return Err(de::Error::custom("a goal outside 1 to 17"));
            }
            Ok(Self(mask))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_1_to_17() {
        for bad in [-1, 0, 18, 256 + 4] {
            assert_eq!(Sdg::new(bad), Err(SdgError(bad)));
        }
        let set: SdgSet = [17, 4, 1, 4].into_iter().map(|n| Sdg::new(n).unwrap()).collect();
        assert_eq!(serde_json::to_string(&set).unwrap(), "[1,4,17]");
        assert_eq!(SdgSet::from_mask(u32::MAX).iter().count(), 17);
    }
}
