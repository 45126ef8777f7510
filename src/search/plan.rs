//! How an answer was found.

use std::fmt;

use super::gaps::Gaps;
use super::national::RegisteredElsewhere;
use crate::index::vectors;

/// How an answer was found: `x-almoner-plan` and the log show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// How the vectors were searched; `None` when they were not.
    pub meaning: Option<vectors::Plan>,
    /// Whether words were looked up.
    pub words: bool,
    /// Organizations that satisfy the filters.
    pub matches: u64,
    /// Vectors that were compared.
    pub visits: u64,
    /// Rows on all pages, where they are fewer: of what matches only those that fit are sorted.
    pub listed: Option<u64>,
    /// How many rows fit the text, if there is one.
    pub fit: Option<Fit>,
    /// How many rows outside the place are listed besides the matches, and how many of them fit.
    pub nearby: u64,
    pub nearby_fit: u64,
    /// The filters for which nothing is loaded.
    pub gaps: Gaps,
    /// How many states have a master file, where some are missing.
    pub states_if_partial: Option<usize>,
    /// Who is asked for by a name that is known everywhere, where the rows are of other states.
    pub elsewhere: Option<RegisteredElsewhere>,
}

/// How many rows fit a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fit {
    pub count: u64,
    /// Whether there may be more: an index was cut off at a row that fits.
    pub is_least: bool,
    /// How many of the first rows come close if none fits.
    pub close: u64,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, if self.is_least { "+" } else { "" })
    }
}

impl Plan {
    /// Every name that a plan can have.
    pub const NAMES: [&'static str; 12] = [
        "columns",
        "words",
        "none",
        "none+words",
        "graph",
        "graph+words",
        "graph+scan",
        "graph+scan+words",
        "bits",
        "bits+words",
        "scan",
        "scan+words",
    ];

    /// Which structures answered.
    pub fn name(&self) -> &'static str {
        let row = match self.meaning {
            None => 0,
            Some(vectors::Plan::None) => 1,
            Some(vectors::Plan::Graph) => 2,
            Some(vectors::Plan::GraphThenScan) => 3,
            Some(vectors::Plan::Bits) => 4,
            Some(vectors::Plan::Scan) => 5,
        };
        Self::NAMES[2 * row + usize::from(self.words)]
    }

    /// Filters and columns alone.
    pub(crate) fn columns(matches: u64) -> Self {
        Self { matches, ..Self::default() }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; matches={}; visits={}", self.name(), self.matches, self.visits)?;
        if let Some(listed) = self.listed {
            write!(f, "; listed={listed}")?;
        }
        if let Some(fit) = self.fit {
            write!(f, "; fit={fit}")?;
        }
        if self.nearby > 0 {
            write!(f, "; nearby={}; nearby_fit={}", self.nearby, self.nearby_fit)?;
        }
        match self.gaps.is_empty() {
            true => Ok(()),
            false => write!(f, "; not_loaded={}", self.gaps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_say_how_rows_were_found() {
        let plan = Plan { words: true, visits: 7, ..Plan::columns(63) };
        for (meaning, listed, said) in [
            (None, None, "words; matches=63; visits=7"),
            (Some(vectors::Plan::None), None, "none+words; matches=63; visits=7"),
            (Some(vectors::Plan::Graph), Some(9), "graph+words; matches=63; visits=7; listed=9"),
            (Some(vectors::Plan::GraphThenScan), None, "graph+scan+words; matches=63; visits=7"),
            (Some(vectors::Plan::Bits), None, "bits+words; matches=63; visits=7"),
            (Some(vectors::Plan::Scan), None, "scan+words; matches=63; visits=7"),
        ] {
            assert_eq!(Plan { meaning, listed, ..plan }.to_string(), said);
        }
        assert_eq!(Plan::columns(2).name(), "columns");
        let distinct: std::collections::BTreeSet<_> = Plan::NAMES.iter().collect();
        assert_eq!(distinct.len(), Plan::NAMES.len());
    }
}
