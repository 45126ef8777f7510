//! What a column of a list may be, and the usual headings by which it is recognised
//! (`data/list_columns.tsv`). Lists themselves are read in `cli`, and by the page.

use crate::record::named;
use crate::table::{Table, table};

const TABLE: Table = table!("data/list_columns.tsv");

named! {
    /// What a column of a list may be.
    #[derive(PartialOrd, Ord)]
    ListField {
        /// The organization's name.
        Name = "name",
        /// Another name, of which there may be several columns.
        OtherName = "other_name",
        /// The address line.
        Street = "street",
        /// Its second line.
        SecondStreet = "street2",
        /// The city.
        City = "city",
        /// The state.
        State = "state",
        /// The ZIP code.
        Zip = "zip",
        /// The EIN.
        Ein = "ein",
    }
}

/// Usual headings in normal form with what they say, of each field the most usual first.
pub fn usual_headings() -> impl Iterator<Item = (ListField, &'static str)> {
    TABLE.each(|[field, heading]| Some((ListField::named(field)?, heading)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::naming::normalise;

    #[test]
    fn headings_are_in_normal_form_and_stand_once() {
        let headings: Vec<_> = usual_headings().map(|(_, heading)| heading).collect();
        assert!(headings.iter().all(|heading| normalise(heading) == **heading));
        assert_eq!(headings.iter().collect::<BTreeSet<_>>().len(), headings.len());
        assert_eq!(headings.len(), TABLE.lines().count());
    }
}
