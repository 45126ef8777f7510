//! How likely an organization is the one meant: by its size and standing.

use crate::record::Organization;

/// Ranking weight, 0 to 65,535; heavier comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Weight(u16);

impl Weight {
    /// The cost of weight 0.
    pub const COST_MAX: u64 = u16::MAX as u64;

    /// Steps of weight a tenfold size. Eleven powers of ten (the largest assets are below
    /// $10^11, with room above) take 55,000 of 65,535.
    pub(super) const TENFOLD: f64 = 5_000.0;
    /// What a reported tax period adds: the organization files.
    const FILES: u16 = 1_000;
    /// What being the central organization or parent of a group adds: of equal names, it is the
    /// one that people mean.
    const HEADS_A_GROUP: u16 = 2_500;

    /// A weight.
    pub fn new(weight: u16) -> Self {
        Self(weight)
    }

    /// The weight of an organization: the logarithm of the largest of its revenue, assets and
    /// income, and what its standing adds.
    pub fn of(organization: &Organization) -> Self {
        let finances = &organization.finances;
        let largest = [finances.revenue, finances.assets, finances.income]
            .into_iter()
            .flatten()
            .map(|amount| amount.dollars())
            .max()
            .unwrap_or(0)
            .max(0);
        let size = ((largest as f64 + 1.0).log10() * Self::TENFOLD) as u16;
        let files = if finances.tax_period.is_some() { Self::FILES } else { 0 };
        let heads = match organization.exemption.affiliation {
            Some(1 | 6 | 8) => Self::HEADS_A_GROUP,
            _ => 0,
        };
        Self(size.saturating_add(files).saturating_add(heads))
    }

    /// 0 to 65,535.
    pub fn value(self) -> u16 {
        self.0
    }

    /// What is added along the automaton: the heavier, the less.
    pub(super) fn cost(self) -> u64 {
        Self::COST_MAX - u64::from(self.0)
    }

    /// As a share of the greatest weight, 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(u16::MAX)
    }
}
