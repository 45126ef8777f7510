//! Figures that details do not have: expenses, assets and liabilities.

use super::{OfRow, Provenance, TracedNonprofit};
use crate::record::{Organization, Origin, StatedValue, Usd};

/// A figure, by the name that it has in lists of returns.
#[derive(Debug)]
pub struct TracedFigure<'a> {
    pub name: &'static str,
    /// In whole US dollars.
    pub value: Option<Usd>,
    pub provenance: Provenance<'a>,
}

impl<'a> TracedFigure<'a> {
    fn new(name: &'static str, value: Option<Usd>, found: Provenance<'a>) -> Self {
        let missing = found.missing.filter(|_| value.is_none());
        Self { name, value, provenance: Provenance { missing, ..found } }
    }
}

impl TracedNonprofit<'_> {
    /// Where the figures are from that details do not have.
    pub fn figures(&self) -> [TracedFigure<'_>; 3] {
        let Organization { finances, origins, .. } = &self.organization;
        let assets =
            OfRow { column: "ASSET_AMT", stated: Some(StatedValue::Assets), derived: None };
        // Those of the return that net assets are of.
        let liabilities = match origins.net_assets {
            Origin::Return(at) => self.filings.get(usize::from(at)).and_then(|one| one.liabilities),
            _ => None,
        };
        let returns = |origin, stated| self.of_returns(origin, stated, None);
        let of_liabilities = returns(origins.net_assets, StatedValue::Liabilities);
        [
            TracedFigure::new(
                "expenses",
                finances.expenses,
                returns(origins.expenses, StatedValue::Expenses),
            ),
            TracedFigure::new("assets", finances.assets, self.sourced(origins.assets, &assets)),
            TracedFigure::new("liabilities", liabilities, of_liabilities),
        ]
    }
}
