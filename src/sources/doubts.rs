//! What looks like a mistake in sources that are right each by itself.

use std::collections::BTreeMap;

use super::{SourceKind, Summary, Vintage};
use crate::record::Date;

/// Months that the IRS's lists of one build may lie apart: each is renewed monthly, and the last ruling
/// in a master file may be some weeks older than the file.
const MONTHS_APART_MAX: u32 = 3;

const LISTS: [SourceKind; 4] = [
    SourceKind::MasterFile,
    SourceKind::Publication78,
    SourceKind::RevocationList,
    SourceKind::Postcard,
];

/// What to look at, a sentence each: sources of the same bytes, and lists that are much older than
/// another.
pub fn doubts(sources: &[Summary]) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeMap::new();
    for source in sources {
        if let Some(first) = seen.insert((source.kind, &source.sha256), &source.name) {
            found.push(format!(
                "{} and {first} hold the same bytes: one of them is not needed",
                source.name
            ));
        }
    }
    let lists = sources.iter().filter(|source| LISTS.contains(&source.kind)).filter_map(dated);
    let lists: Vec<(&Summary, Vintage)> = lists.collect();
    let Some((latest, last)) = lists.iter().max_by_key(|(_, vintage)| vintage.date) else {
        return found;
    };
    for (source, vintage) in &lists {
        if months(last.date) - months(vintage.date) > MONTHS_APART_MAX {
            found.push(format!(
                "{} is as of {} ({}), {} as of {} ({}): what happened between, the older one does not have",
                source.name,
                vintage.date,
                vintage.dated_by.name(),
                latest.name,
                last.date,
                last.dated_by.name(),
            ));
        }
    }
    found
}

/// Kinds of which all sources are older than one of before, a sentence each.
pub fn older(sources: &[Summary], before: &[Summary]) -> Vec<String> {
    let latest = |sources: &[Summary], kind| {
        let of_kind = sources.iter().filter(|source| source.kind == kind).filter_map(dated);
        of_kind.map(|(source, vintage)| (source.name.clone(), vintage.date)).max_by_key(|one| one.1)
    };
    let of_kind = |kind: SourceKind| {
        let ((name, date), (_, earlier)) = (latest(sources, kind)?, latest(before, kind)?);
        (date < earlier).then(|| {
            let title = kind.name();
            format!(
                "{name} is as of {date}; the {title} of the earlier snapshot was as of {earlier}"
            )
        })
    };
    SourceKind::ALL.into_iter().filter_map(of_kind).collect()
}

fn months(date: Date) -> u32 {
    u32::from(date.year()) * 12 + u32::from(date.month())
}

/// A source that tells itself as of when it is.
fn dated(source: &Summary) -> Option<(&Summary, Vintage)> {
    Some((source, source.stated_vintage()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(kind: SourceKind, name: &str, (year, month, day): (u16, u8, u8)) -> Summary {
        Summary {
            kind,
            name: name.into(),
            bytes: 1,
            sha256: name.into(),
            modified_seconds: 1_790_000_000,
            latest_row: Date::new(year, month, day),
            common_day: None,
            rows: 1,
            rejects: 0,
            warnings: BTreeMap::new(),
        }
    }

    #[test]
    fn the_same_list_twice_is_named_once() {
        let one = list(SourceKind::MasterFile, "eo1.csv", (2026, 3, 1));
        let again = Summary { name: "copy.csv".into(), ..one.clone() };
        let found = doubts(&[one.clone(), again]);
        assert_eq!(found, ["copy.csv and eo1.csv hold the same bytes: one of them is not needed"]);
        assert!(doubts(&[one]).is_empty());
    }

    #[test]
    fn a_list_of_another_month_than_the_rest_is_named() {
        let master = list(SourceKind::MasterFile, "eo1.csv", (2026, 3, 1));
        let near = list(SourceKind::RevocationList, "revoked.txt", (2026, 5, 11));
        assert!(doubts(&[master.clone(), near.clone()]).is_empty());
        let far = list(SourceKind::RevocationList, "revoked.txt", (2025, 5, 11));
        let found = doubts(&[master.clone(), far.clone()]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("revoked.txt is as of 2025-05-11 (latest posting in it)"));
        assert_eq!(older(&[master.clone(), far], &[master, near]).len(), 1);
    }

    #[test]
    fn vintages_out_of_order_are_named() {
        let old = [list(SourceKind::MasterFile, "old.csv", (2025, 12, 1))];
        let new = [list(SourceKind::MasterFile, "new.csv", (2026, 3, 1))];
        let said = "old.csv is as of 2025-12-01; the IRS master file extract of the earlier snapshot \
                    was as of 2026-03-01";
        assert_eq!(older(&old, &new), [said]);
        assert!(older(&new, &old).is_empty() && older(&new, &new).is_empty());
        // A kind of source that only one of them has raises no doubt.
        assert!(older(&[], &new).is_empty());
    }
}
