//! The tables of a snapshot, for other programs: rows as answers show them, under the same names.

use serde::Serialize;
use serde_json::Value;

use super::{
    Details, FilingFigures, GrantRow, PersonRow, PostRow, RelationRow, StandingShown, StoryRow,
    row_of, view,
};
use crate::export::{Column, Kind, Outline, RowWriter};
use crate::index::vectors::Vectors;
use crate::record::{Ein, Metric, Organization, Person, Relation, named};
use crate::search::SearchError;
use crate::search::changes::DatedChange;
use crate::search::tables::{self, Scope};
use crate::snapshot::Snapshot;

named! {
    /// A table.
    Table {
        /// Details of nonprofits.
        Organizations = "organizations",
        /// Tax-exempt standing of nonprofits, and the master file's amounts.
        Standing = "standing",
        /// Returns, each with the figures of its tax period.
        Filings = "filings",
        /// Grants, by who made them.
        Grants = "grants",
        /// People, by whose returns list them.
        People = "people",
        /// Related organizations of Schedule R, by whose returns list them.
        Relations = "relations",
        /// What changed since earlier snapshots.
        Changes = "changes",
        Stories = "stories",
        Metrics = "metrics",
        Posts = "posts",
    }
}

view! {
    /// Somebody as one return of a nonprofit lists them.
    #[schemars(rename = "PersonOfNonprofit")]
    struct PersonOf of |person: Person| {
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        organization_ein: Ein = person.ein,
        #[serde(flatten)]
        row: PersonRow = PersonRow::of(person),
    }
}

view! {
    /// An organization that a nonprofit lists as related, in Schedule R.
    #[schemars(rename = "RelationOfNonprofit")]
    struct RelationOf of |relation: Relation| {
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        organization_ein: Ein = relation.ein,
        #[serde(flatten)]
        row: RelationRow = RelationRow::of(relation),
    }
}

/// A nonprofit with its vector.
#[derive(Debug, Serialize)]
struct WithVector<'a> {
    #[serde(flatten)]
    row: Details<'a>,
    vector: Vec<f32>,
}

impl Table {
    /// Its name and columns; `dims` is how long vectors are, of which organizations have one each.
    pub fn outline(self, dims: Option<usize>) -> Outline {
        let (description, mut columns) = match self {
            Self::Organizations => row_of::<Details<'_>>(),
            Self::Standing => row_of::<StandingShown<'_>>(),
            Self::Filings => row_of::<FilingFigures>(),
            Self::Grants => row_of::<GrantRow>(),
            Self::People => row_of::<PersonOf>(),
            Self::Relations => row_of::<RelationOf>(),
            Self::Changes => row_of::<DatedChange>(),
            Self::Stories => row_of::<StoryRow>(),
            Self::Metrics => row_of::<Metric>(),
            Self::Posts => row_of::<PostRow>(),
        };
        columns.extend(dims.filter(|_| self == Self::Organizations).map(vector_column));
        let (key, partition, names) = match self {
            Self::Organizations => (Some("ein"), Some("state"), Some("name")),
            Self::Standing => (Some("ein"), None, None),
            Self::People => (None, None, Some("name")),
            _ => (None, None, None),
        };
        let lookups: &[&[&str]] = match self {
            Self::Organizations => &[&["state", "ntee", "revenueGrandTotal"], &["ntee"]],
            Self::Standing => &[&["group_number"]],
            Self::Filings => &[&["ein", "period_end"]],
            Self::Grants => &[&["grantor_ein", "tax_year"], &["recipient_ein"]],
            Self::People | Self::Relations => &[&["organization_ein"]],
            Self::Changes | Self::Stories | Self::Metrics => &[&["ein"]],
            Self::Posts => &[&["organization_ein"]],
        };
        Outline { name: self.name(), description, columns, key, partition, lookups, names }
    }

    /// The row of an organization, of a table that has one for each; `None` of any other.
    pub fn row_of_organization(
        self,
        snapshot: &Snapshot,
        organization: &Organization,
    ) -> Result<Option<Value>, serde_json::Error> {
        match self {
            Self::Organizations => serde_json::to_value(Details::of(organization)).map(Some),
            Self::Standing => {
                let row = StandingShown::of(organization, &snapshot.manifest);
                serde_json::to_value(row).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Writes every row that belongs to an organization in the scope; rows of organizations get
    /// their vectors if `vectors` is given.
    pub fn write<W: RowWriter<Error: From<SearchError>>>(
        self,
        snapshot: &Snapshot,
        scope: &Scope,
        vectors: Option<&Vectors>,
        out: &mut W,
    ) -> Result<(), W::Error> {
        match self {
            Self::Organizations => tables::organizations(snapshot, scope, |org, organization| {
                let row = Details::of(&organization);
                match vectors {
                    None => out.write(&row),
                    Some(vectors) => {
                        let vector = vectors.vector(org).map_err(SearchError::from)?;
                        out.write(&WithVector { row, vector })
                    }
                }
            }),
            Self::Standing => tables::organizations(snapshot, scope, |_, organization| {
                out.write(&StandingShown::of(&organization, &snapshot.manifest))
            }),
            Self::Filings => {
                tables::filings(snapshot, scope, |filing| out.write(&FilingFigures::of(&filing)))
            }
            Self::Grants => tables::grants(snapshot, scope, |row| out.write(&GrantRow::of(row))),
            Self::People => tables::items(snapshot, &snapshot.people, scope, |_, named| {
                named.rows.into_iter().try_for_each(|person| out.write(&PersonOf::of(person)))
            }),
            Self::Relations => {
                tables::items(snapshot, snapshot.relations.items(), scope, |_, relation| {
                    out.write(&RelationOf::of(relation))
                })
            }
            Self::Changes => tables::changes(snapshot, scope, |row| out.write(&row)),
            Self::Stories => tables::stories(snapshot, scope, |row| out.write(&StoryRow::of(row))),
            Self::Metrics => {
                tables::items(snapshot, &snapshot.metrics, scope, |_, metric| out.write(&metric))
            }
            Self::Posts => tables::posts(snapshot, scope, |row| out.write(&PostRow::of(row))),
        }
    }
}

fn vector_column(dims: usize) -> Column {
    Column {
        name: "vector".to_owned(),
        kind: Kind::Vector(dims),
        description: "What the nonprofit is about, as a vector of unit length of the model that the snapshot was \
                      built with: the cosine of two is how alike they are."
            .to_owned(),
        is_nullable: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_members_in_their_order() {
        let organization = Organization::named("990000001".parse().unwrap(), "A");
        let shown = serde_json::to_value(Details::of(&organization)).unwrap();
        let members: Vec<&String> = shown.as_object().unwrap().keys().collect();
        let columns = Table::Organizations.outline(None).columns;
        assert_eq!(columns.iter().map(|column| &column.name).collect::<Vec<_>>(), members);
    }

    #[test]
    fn every_column_has_a_type_and_a_description() {
        for table in Table::ALL {
            let outline = table.outline(Some(384));
            assert!(!outline.description.is_empty() && !outline.columns.is_empty(), "{outline:?}");
            for column in &outline.columns {
                assert!(!column.description.is_empty(), "{table:?} {column:?}");
            }
            let named = outline.lookups.iter().copied().flatten().copied();
            let named = named.chain(outline.key).chain(outline.partition).chain(outline.names);
            for name in named {
                assert!(outline.columns.iter().any(|one| one.name == name), "{table:?} {name}");
            }
        }
    }

    #[test]
    fn types_are_those_of_the_answers() {
        let kind = |table: Table, name: &str| {
            let columns = table.outline(Some(384)).columns;
            let column = columns.into_iter().find(|column| column.name == name).unwrap();
            (column.kind, column.is_nullable)
        };
        let goals = Kind::List(Box::new(Kind::Integer));
        assert_eq!(kind(Table::Organizations, "ein"), (Kind::Code, false));
        assert_eq!(kind(Table::Organizations, "irsRulingDate"), (Kind::Day, true));
        assert_eq!(kind(Table::Organizations, "sdgs"), (goals, true));
        assert_eq!(kind(Table::Organizations, "vector"), (Kind::Vector(384), false));
        assert_eq!(kind(Table::Grants, "cash"), (Kind::Integer, true));
        assert_eq!(kind(Table::Grants, "recipient_match"), (Kind::Code, false));
        assert!(matches!(kind(Table::People, "schedule_j"), (Kind::Object(_), true)));
        assert_eq!(kind(Table::Changes, "kind"), (Kind::Code, false));
    }
}
