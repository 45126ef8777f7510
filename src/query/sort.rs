//! What lists of nonprofits are sorted by.

use super::Figure;

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    Name,
    Figure(Figure),
    /// From a point.
    Distance,
}

impl SortKey {
    /// The keys that interfaces offer, in the order in which they list them.
    pub fn offered() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Name)
            .chain(Figure::ALL.map(Self::Figure))
            .chain(std::iter::once(Self::Distance))
    }

    /// Its name in interfaces.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Figure(figure) => figure.name(),
            Self::Distance => "distance",
        }
    }
}

/// A key and its direction; unknowns come last either way, ties in the order of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub descending: bool,
}

/// Whether the name of an order is of a descending one, and its key: `-revenue`.
pub fn order_key(name: &str) -> (bool, &str) {
    name.strip_prefix('-').map_or((false, name), |key| (true, key))
}

impl Sort {
    pub const fn ascending(key: SortKey) -> Self {
        Self { key, descending: false }
    }

    pub const fn descending(key: SortKey) -> Self {
        Self { key, descending: true }
    }

    /// What interfaces call it: the key, with `-` in front for descending.
    /// `None` where no key that is offered is called so.
    pub fn parse(text: &str) -> Option<Self> {
        let (descending, name) = order_key(text);
        let key = SortKey::offered().find(|key| key.name() == name)?;
        Some(Self { key, descending })
    }

    /// The order in words.
    pub fn description(self) -> &'static str {
        match (self.key, self.descending) {
            (SortKey::Name, false) => "name",
            (SortKey::Name, true) => "name, from the end",
            (SortKey::Figure(figure), descending) => {
                let [greatest_first, least_first] = figure.definition().orders;
                if descending { greatest_first } else { least_first }
            }
            (SortKey::Distance, false) => "distance",
            (SortKey::Distance, true) => "distance, the farthest first",
        }
    }
}
