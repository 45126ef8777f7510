//! The size class of an organization, by its expenses or, where they are not known, its revenue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Usd, named};

named! {
    /// Size class. Small is below $1 million, Medium below $10 million, Large below $100 million. `ALL` rises.
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[schemars(inline)]
    OrgSize {
        /// Below $1,000,000.
        Small = "Small",
        /// $1,000,000 up to $10,000,000.
        Medium = "Medium",
        /// $10,000,000 up to $100,000,000.
        Large = "Large",
        /// $100,000,000 and above.
        #[serde(rename = "Super-Size")]
        SuperSize = "Super-Size",
    }
}

impl OrgSize {
    /// The class of total expenses, or else of total revenue; `None` when neither is known.
    pub fn of(expenses: Option<Usd>, revenue: Option<Usd>) -> Option<Self> {
        let amount = expenses.or(revenue)?.dollars();
        Some(match amount {
            ..1_000_000 => Self::Small,
            1_000_000..10_000_000 => Self::Medium,
            10_000_000..100_000_000 => Self::Large,
            100_000_000.. => Self::SuperSize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        let size = |expenses: Option<i64>, revenue: Option<i64>| {
            OrgSize::of(expenses.map(Usd::new), revenue.map(Usd::new)).map(OrgSize::name)
        };
        assert_eq!(size(None, None), None);
        assert_eq!(size(None, Some(-5)), Some("Small"));
        assert_eq!(size(Some(999_999), Some(5_000_000)), Some("Small"));
        assert_eq!(size(Some(1_000_000), None), Some("Medium"));
        assert_eq!(size(Some(10_000_000), None), Some("Large"));
        assert_eq!(size(None, Some(100_000_000)), Some("Super-Size"));
    }
}
