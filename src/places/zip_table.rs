//! The table of ZIP codes that the binary embeds (`data/zips.tsv`), parsed once.

use std::sync::LazyLock;

use super::ZipPlace;
use crate::record::{Point, Zip5};
use crate::table::table;

/// One line of the table.
pub(super) struct ZipRow {
    pub(super) zip: Zip5,
    pub(super) place: ZipPlace,
    /// Other names that mail to the ZIP code may bear, separated by `|`.
    others: &'static str,
}

impl ZipRow {
    /// Every name of the ZIP code's cities, the primary one first.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let others = self.others.split('|').filter(|name| !name.is_empty());
        std::iter::once(self.place.city).chain(others)
    }
}

static ROWS: LazyLock<Vec<ZipRow>> = LazyLock::new(|| {
    let mut above = None;
    let rows = table!("data/zips.tsv").each(|fields| {
        let row = parse(fields, above)?;
        above = Some(row.place);
        Some(row)
    });
    rows.collect()
});

/// Reads a line; empty fields repeat those of the line above.
fn parse(fields: [&'static str; 7], above: Option<ZipPlace>) -> Option<ZipRow> {
    let [zip, state, city, county, latitude, longitude, others] = fields;
    let zip = zip.parse().ok()?;
    let state = match state {
        "" => above?.state,
        code => code.parse().ok()?,
    };
    let city = match city {
        "" => above?.city,
        name => name,
    };
    let county = match county {
        "" => above?.county,
        "-" => None,
        name => Some(name),
    };
    let point = match (latitude, longitude) {
        ("-", "-") => None,
        (latitude, longitude) => {
            Some(Point::new(latitude.parse().ok()?, longitude.parse().ok()?).ok()?)
        }
    };
    Some(ZipRow { zip, place: ZipPlace { state, city, county, point }, others })
}

/// Every line, by rising ZIP code.
pub(super) fn rows() -> &'static [ZipRow] {
    &ROWS
}

/// The line of a ZIP code.
pub(super) fn row(zip: Zip5) -> Option<&'static ZipRow> {
    ROWS.binary_search_by_key(&zip, |row| row.zip).ok().map(|at| &ROWS[at])
}
