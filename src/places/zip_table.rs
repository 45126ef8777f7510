//! The table of ZIP codes that the binary embeds (`data/zips.tsv`), parsed once.

use std::sync::LazyLock;

use super::ZipPlace;
use crate::record::{Point, Zip5};

/// One line of the table.
pub(super) struct Row {
    pub(super) zip: Zip5,
    pub(super) place: ZipPlace,
    /// Other names that mail to the ZIP code may bear, separated by `|`.
    others: &'static str,
}

impl Row {
    /// Every name of the ZIP code's cities, the primary one first.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let others = self.others.split('|').filter(|name| !name.is_empty());
        std::iter::once(self.place.city).chain(others)
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("../../data/zips.tsv");
    let mut rows: Vec<Row> = Vec::with_capacity(44_000);
    for line in table.lines() {
        let row = parse(line, rows.last().map(|row| row.place));
        rows.push(row.expect("the embedded table of ZIP codes was made by scripts/zip-table"));
    }
    rows
});

/// Reads a line; empty fields repeat those of the line above.
fn parse(line: &'static str, above: Option<ZipPlace>) -> Option<Row> {
    let mut fields = line.split('\t');
    let zip = fields.next()?.parse().ok()?;
    let state = match fields.next()? {
        "" => above?.state,
        code => code.parse().ok()?,
    };
    let city = match fields.next()? {
        "" => above?.city,
        name => name,
    };
    let county = match fields.next()? {
        "" => above?.county,
        "-" => None,
        name => Some(name),
    };
    let point = match (fields.next()?, fields.next()?) {
        ("-", "-") => None,
        (latitude, longitude) => {
            Some(Point::new(latitude.parse().ok()?, longitude.parse().ok()?).ok()?)
        }
    };
    let others = fields.next()?;
    Some(Row { zip, place: ZipPlace { state, city, county, point }, others })
}

/// Every line, by rising ZIP code.
pub(super) fn rows() -> &'static [Row] {
    &ROWS
}

/// The line of a ZIP code.
pub(super) fn row(zip: Zip5) -> Option<&'static Row> {
    ROWS.binary_search_by_key(&zip, |row| row.zip).ok().map(|at| &ROWS[at])
}
