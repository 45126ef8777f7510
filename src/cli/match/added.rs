//! Columns of the data that are added to the rows of a list.

use anyhow::Context as _;
use serde_json::Value;

use crate::export::lines;
use crate::record::OrgId;
use crate::snapshot::Snapshot;
use crate::views::Table;

/// The tables that have a row for each organization; of columns that both have those of the first.
const TABLES: [Table; 2] = [Table::Organizations, Table::Standing];
/// What people call some columns.
const USUAL: [(&str, &str); 4] = [
    ("revenue", "revenueGrandTotal"),
    ("standing", "exemption"),
    ("website", "url"),
    ("category", "issueArea"),
];

/// A column of an organization's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DetailColumn {
    /// As the user named it.
    heading: String,
    table: Table,
    column: String,
}

impl DetailColumn {
    /// Reads the name of a column.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let heading = text.trim();
        let usual = USUAL.iter().find(|(name, _)| heading.eq_ignore_ascii_case(name));
        let asked = usual.map_or(heading, |(_, column)| column);
        let columns = || {
            TABLES.into_iter().flat_map(|table| {
                let columns = table.outline(None).columns.into_iter();
                columns.map(move |column| (table, column.name))
            })
        };
        match columns().find(|(_, name)| name.eq_ignore_ascii_case(asked)) {
            Some((table, column)) => Ok(Self { heading: heading.to_owned(), table, column }),
            None => {
                let known: Vec<String> = columns().map(|(_, name)| name).collect();
                Err(format!("expected some of {}", known.join(", ")))
            }
        }
    }

    pub(super) fn heading(&self) -> &str {
        &self.heading
    }
}

/// The names of columns, as one text.
pub(super) fn names(columns: &[DetailColumn]) -> String {
    columns.iter().map(|column| column.column.as_str()).collect::<Vec<_>>().join(",")
}

/// The values of columns of an organization; empty of nobody.
pub(super) fn cells(
    columns: &[DetailColumn],
    snapshot: &Snapshot,
    org: Option<OrgId>,
) -> anyhow::Result<Vec<String>> {
    let Some(org) = org.filter(|_| !columns.is_empty()) else {
        return Ok(vec![String::new(); columns.len()]);
    };
    let organization = snapshot.records.organization(org)?;
    let mut rows: Vec<(Table, Value)> = Vec::new();
    for table in TABLES {
        if columns.iter().any(|column| column.table == table) {
            let row = table.row_of_organization(snapshot, &organization)?;
            rows.push((table, row.context("a table with a row for each organization")?));
        }
    }
    let cell = |column: &DetailColumn| {
        let row = rows.iter().find(|(table, _)| *table == column.table);
        row.map(|(_, row)| lines::cell_of(row, &column.column)).unwrap_or_default()
    };
    Ok(columns.iter().map(cell).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_their_names() {
        let column = |text| DetailColumn::parse(text).map(|found| (found.table, found.column));
        let of = |table, name: &str| Ok((table, name.to_owned()));
        assert_eq!(column("Revenue"), of(Table::Organizations, "revenueGrandTotal"));
        assert_eq!(column(" ntee "), of(Table::Organizations, "ntee"));
        assert_eq!(column("ein"), of(Table::Organizations, "ein"));
        assert!(column("favourite colour").unwrap_err().contains("revenueGrandTotal"));
        for (usual, _) in USUAL {
            assert!(column(usual).is_ok(), "{usual}");
        }
    }
}
