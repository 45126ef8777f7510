//! Which columns of a list are what: by their usual headings or as told.

use crate::matching::{Field, Query};
use crate::naming::normalise;

/// Why a list's columns cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum ColumnError {
    #[error(
        "no column is recognised as the name of organizations, or as their EIN, among {found}; say which one is \
         with --column name=HEADING or ein=HEADING, and give the list a row of headings if it has none"
    )]
    NoName { found: String },
    #[error("no column is called {heading:?}; the columns are {found}")]
    Unknown { heading: String, found: String },
    #[error("two columns are called {heading:?}; rename one, so that it is clear which is meant")]
    Twice { heading: String },
}

/// Whether a field identifies an organization: a row with neither of them identifies none.
fn says_who(field: Field) -> bool {
    matches!(field, Field::Name | Field::Ein)
}

/// Whether a row has a usual heading of an identifying field, or a heading that the user named.
pub(super) fn is_header(row: &[String], told: &[(Field, String)]) -> bool {
    let is_usual =
        |heading: &String| Field::of_heading(heading).is_some_and(|(field, _)| says_who(field));
    let is_told =
        |heading: &String| told.iter().any(|(_, one)| normalise(one) == normalise(heading));
    row.iter().any(|heading| is_usual(heading) || is_told(heading))
}

/// The columns of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// What is read, and the positions of its columns.
    by_field: Vec<(Field, Vec<usize>)>,
    /// How many columns there are.
    pub(super) count: usize,
}

impl Columns {
    /// Recognises the columns of a header; `told` are those that the user named.
    pub(super) fn of(header: &[String], told: &[(Field, String)]) -> Result<Self, ColumnError> {
        let found = || quoted(header);
        let mut by_field: Vec<(Field, Vec<usize>)> = Vec::new();
        for (field, heading) in told {
            let at = position(header, heading)?
                .ok_or_else(|| ColumnError::Unknown { heading: heading.clone(), found: found() })?;
            add(&mut by_field, *field, at);
        }
        let mut usual: Vec<(usize, Field, usize)> = Vec::new();
        for (at, heading) in header.iter().enumerate() {
            if let Some((field, how_usual)) = Field::of_heading(heading) {
                usual.push((how_usual, field, at));
            }
        }
        usual.sort_unstable();
        for (_, field, at) in usual {
            let is_told = told.iter().any(|(one, _)| *one == field)
                || by_field.iter().any(|(_, columns)| columns.contains(&at));
            let is_known = by_field.iter().any(|(one, _)| *one == field);
            if !is_told && (!is_known || field == Field::OtherName) {
                // Which of two columns of one heading is meant nobody can know.
                position(header, &header[at])?;
                add(&mut by_field, field, at);
            }
        }
        if !by_field.iter().any(|(field, _)| says_who(*field)) {
            return Err(ColumnError::NoName { found: found() });
        }
        by_field.sort_by_key(|(field, _)| *field);
        Ok(Self { by_field, count: header.len() })
    }

    /// The query that a row makes.
    pub(super) fn query(&self, row: &[String]) -> Query {
        let mut query = Query::default();
        for (field, columns) in &self.by_field {
            let values = columns.iter().filter_map(|at| row.get(*at)).map(|value| value.trim());
            let values = values.filter(|value| !value.is_empty()).map(str::to_owned);
            query.set(*field, values);
        }
        query
    }

    /// Which column is what, for the user: `name from "Grantee", city from "Town"`.
    pub(super) fn describe(&self, header: &[String]) -> String {
        let sources = self.by_field.iter().map(|(field, columns)| {
            let headings: Vec<String> = columns.iter().map(|at| header[*at].clone()).collect();
            format!("{} from {}", field.name(), quoted(&headings))
        });
        sources.collect::<Vec<_>>().join(", ")
    }
}

fn add(by_field: &mut Vec<(Field, Vec<usize>)>, field: Field, at: usize) {
    match by_field.iter_mut().find(|(one, _)| *one == field) {
        Some((_, columns)) => columns.push(at),
        None => by_field.push((field, vec![at])),
    }
}

/// The one column of a heading, as it stands or but for case and punctuation.
fn position(header: &[String], heading: &str) -> Result<Option<usize>, ColumnError> {
    let form = normalise(heading);
    let is_same = |one: &String| one.trim() == heading.trim() || normalise(one) == form;
    let mut found = header.iter().enumerate().filter(|(_, one)| is_same(one));
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(ColumnError::Twice { heading: heading.to_owned() }),
        (first, _) => Ok(first.map(|(at, _)| at)),
    }
}

pub(super) fn quoted(headings: &[String]) -> String {
    /// Headings that are shown, and characters of each.
    const SHOWN_MAX: usize = 20;
    const CHARACTERS_MAX: usize = 40;
    let shown = headings
        .iter()
        .take(SHOWN_MAX)
        .map(|heading| format!("{:?}", heading.chars().take(CHARACTERS_MAX).collect::<String>()));
    let more = headings.len().saturating_sub(SHOWN_MAX);
    let more = (more > 0).then(|| format!("and {more} more"));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Vec<String> {
        text.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn usual_headings_are_recognised() {
        let header =
            header("Id,Legal_Name,Street Address,Address 2,CITY,State,Zip Code,DBA,Division");
        let columns = Columns::of(&header, &[]).unwrap();
        let row = header.iter().map(|heading| heading.to_lowercase()).collect::<Vec<_>>();
        let query = columns.query(&row);
        assert_eq!((query.name.as_str(), query.city.as_str()), ("legal_name", "city"));
        assert_eq!(query.street, "street address address 2");
        assert_eq!(query.other_names, ["dba", "division"]);
        assert!(columns.describe(&header).contains("zip from \"Zip Code\""));
    }

    #[test]
    fn columns_as_told() {
        let header = header("a,name,b");
        let told = [(Field::Name, "B".to_owned())];
        assert_eq!(Columns::of(&header, &told).unwrap().query(&header).name, "b");
        for (header, told, expected) in [
            ("12,Foo,Bar", None, "no column is recognised"),
            ("name,city,Name", None, "two columns are called"),
            ("name,city", Some("Firm"), "no column is called \"Firm\""),
            ("", None, "no column is recognised"),
        ] {
            let told: Vec<_> =
                told.map(|heading| (Field::Name, heading.to_owned())).into_iter().collect();
            let header: Vec<String> = header.split(',').map(str::to_owned).collect();
            let error = Columns::of(&header, &told).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
