//! Places that fictional organizations are put in.

use std::sync::LazyLock;

use crate::table::table;

/// A city as the master file writes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct City {
    /// Upper case, abbreviated where the IRS does.
    pub(super) name: &'static str,
    /// USPS code.
    pub(super) state: &'static str,
    /// ZIP codes, separated by a blank.
    pub(super) zips: &'static str,
}

/// Cities by weight.
pub(super) static CITIES: LazyLock<Vec<(u64, City)>> = LazyLock::new(|| {
    table!("data/fictional_cities.tsv")
        .each(|[weight, name, state, zips]| {
            Some((weight.parse().ok()?, City { name, state, zips }))
        })
        .collect()
});

/// The part of the master file that a state's organizations stand in: the IRS's four regions.
pub(super) fn region(state: &str) -> usize {
    match state {
        "CT" | "ME" | "MA" | "NH" | "NJ" | "NY" | "RI" | "VT" => 0,
        "DE" | "DC" | "IL" | "IN" | "IA" | "KY" | "MD" | "MI" | "MN" | "NE" | "NC" | "ND"
        | "OH" | "PA" | "SC" | "SD" | "VA" | "WV" | "WI" => 1,
        "" | "PR" | "VI" | "GU" | "AS" | "MP" | "AA" | "AE" | "AP" => 3,
        _ => 2,
    }
}
