//! What a value beside a name may be, and the usual headings that say so (`data/list_columns.tsv`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::query::Query;
use crate::naming::normalise;
use crate::record::named;
use crate::table::table;

named! {
    /// What a column of a list, or a property of a query, may be.
    #[derive(PartialOrd, Ord)]
    Field {
        /// The organization's name.
        Name = "name",
        /// Another name, of which there may be several.
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

/// Headings with what they say and how usual they are, 0 the most.
static HEADINGS: LazyLock<HashMap<&'static str, (Field, usize)>> = LazyLock::new(|| {
    let headings = usual_headings().enumerate();
    headings.map(|(at, (field, heading))| (heading, (field, at))).collect()
});

/// Usual headings in normal form with what they say, of each field the most usual first.
pub fn usual_headings() -> impl Iterator<Item = (Field, &'static str)> {
    table!("data/list_columns.tsv").each(|[field, heading]| Some((Field::named(field)?, heading)))
}

impl Field {
    /// What a usual heading says, and how usual it is, 0 the most.
    pub fn of_heading(heading: &str) -> Option<(Self, usize)> {
        HEADINGS.get(normalise(&heading.replace('_', " ")).as_str()).copied()
    }
}

impl Query {
    /// Takes over the values of a field: of a name that is one the first, of a second line what follows the street.
    pub fn set(&mut self, field: Field, values: impl IntoIterator<Item = String>) {
        let mut values = values.into_iter();
        let mut first = || values.next().unwrap_or_default();
        match field {
            Field::Name => self.name = first(),
            Field::OtherName => self.other_names.extend(values),
            Field::Street => self.street = first(),
            Field::SecondStreet => self.street = format!("{} {}", self.street, first()),
            Field::City => self.city = first(),
            Field::State => self.state = first(),
            Field::Zip => self.zip = first(),
            Field::Ein => self.ein = first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_in_normal_form_and_stand_once() {
        assert_eq!(HEADINGS.len(), table!("data/list_columns.tsv").lines().count());
        assert!(HEADINGS.keys().all(|heading| normalise(heading) == **heading));
    }

    #[test]
    fn every_field_is_its_own_heading() {
        for field in Field::ALL {
            let found = Field::of_heading(field.name()).map(|(found, _)| found);
            assert_eq!(found, Some(field));
        }
    }
}
