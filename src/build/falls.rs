//! Compares a build with the published snapshot: a forgotten or truncated input must not silently
//! replace a good snapshot with a much poorer one.

use std::collections::BTreeMap;

use super::error::{BuildError, Fall};
use crate::fictional;
use crate::record::Ein;
use crate::snapshot::Manifest;
use crate::snapshot::changes::Earlier;
use crate::snapshot::directory::Directory;
use crate::snapshot::locate::published_manifest;
use crate::sources::SourceKind;

/// Percent by which what a snapshot holds may fall, unless the caller says otherwise: the IRS's lists change
/// by a few percent a month.
pub const FALL_MAX_PERCENT: f64 = 20.0;

/// A fall by fewer is none, as long as something is left: who has five stories may take back two.
const FALL_MIN: u64 = 10;

/// Counts of the manifest that are compared.
const COUNTS: [&str; 2] = ["filings", "metrics"];

/// What a snapshot of these organizations is compared with: the published one, unless that is of fictional
/// data and they are not.
pub(super) fn compared(
    directory: &Directory,
    before: Option<&Earlier>,
    mut eins: impl Iterator<Item = Ein>,
) -> Option<Manifest> {
    let is_fiction = before.is_some_and(|before| before.all_eins(fictional::is_fictional));
    let replaces_fiction = is_fiction && !eins.all(fictional::is_fictional);
    if replaces_fiction { None } else { published_manifest(directory) }
}

/// Refuses a snapshot that has much less than the one before.
pub(super) fn check(
    before: Option<&Manifest>,
    after: &Manifest,
    max_percent: Option<f64>,
) -> Result<(), BuildError> {
    let Some(before) = before else { return Ok(()) };
    let max_percent = max_percent.unwrap_or(FALL_MAX_PERCENT);
    let (had, has) = (figures(before), figures(after));
    let fall = |(what, from): (String, u64)| {
        let to = has.get(&what).copied().unwrap_or_default();
        let lost = from.saturating_sub(to);
        let is_much = lost as f64 * 100.0 > from as f64 * max_percent;
        (is_much && (lost >= FALL_MIN || to == 0)).then_some(Fall { what, from, to })
    };
    let falls: Vec<Fall> = had.into_iter().filter_map(fall).collect();
    if falls.is_empty() {
        return Ok(());
    }
    Err(BuildError::Falls { snapshot: before.snapshot.clone(), falls, max_percent })
}

/// What is compared, by its name. The same file given twice counts once.
fn figures(manifest: &Manifest) -> BTreeMap<String, u64> {
    let mut figures = BTreeMap::from([("organizations".to_owned(), manifest.organizations)]);
    for name in COUNTS {
        figures.extend(manifest.counts.get(name).map(|count| (name.to_owned(), *count)));
    }
    let files: BTreeMap<(SourceKind, &str), u64> =
        manifest.sources.iter().map(|one| ((one.kind, &*one.sha256), one.rows)).collect();
    for ((kind, _), rows) in files {
        *figures.entry(format!("rows of {}", kind.name())).or_default() += rows;
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::FORMAT;
    use crate::sources::Summary;

    /// Rows of a source, the digit of whose hash is the second.
    type Rows = (SourceKind, char, u64);

    fn manifest(organizations: u64, counts: &[(&str, u64)], rows: &[Rows]) -> Manifest {
        let source = |(kind, hash, rows): &Rows| Summary {
            kind: *kind,
            name: "x".to_owned(),
            bytes: 1,
            sha256: hash.to_string(),
            modified_seconds: 0,
            latest_row: None,
            common_day: None,
            rows: *rows,
            rejects: 0,
            warnings: BTreeMap::new(),
        };
        Manifest {
            format: FORMAT,
            snapshot: "before".to_owned(),
            program: String::new(),
            built_at: String::new(),
            sources: rows.iter().map(source).collect(),
            model: None,
            awaits: None,
            without_people: false,
            organizations,
            counts: counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
            files: Vec::new(),
        }
    }

    #[track_caller]
    fn falls(before: &Manifest, after: &Manifest, percent: Option<f64>) -> Vec<String> {
        match check(Some(before), after, percent) {
            Ok(()) => Vec::new(),
            Err(BuildError::Falls { falls, .. }) => falls.iter().map(Fall::to_string).collect(),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn much_less_is_named_with_what_it_was() {
        let returns = SourceKind::Returns;
        let before = manifest(1_000, &[("filings", 200), ("metrics", 90)], &[(returns, 'a', 210)]);
        let after = manifest(800, &[("filings", 159), ("metrics", 90)], &[(returns, 'b', 168)]);
        // A fifth of the organizations and of the rows may go, and no more of the filings.
        assert_eq!(falls(&before, &after, None), ["filings from 200 to 159"]);
        assert!(falls(&before, &after, Some(25.0)).is_empty());
        let none = manifest(799, &[], &[]);
        let all = [
            "filings from 200 to 0",
            "metrics from 90 to 0",
            "organizations from 1,000 to 799",
            "rows of Form 990 returns from 210 to 0",
        ];
        assert_eq!(falls(&before, &none, None), all);
        assert!(falls(&before, &none, Some(100.0)).is_empty());
        assert!(falls(&none, &before, None).is_empty());
    }

    #[test]
    fn a_few_may_go_but_not_the_last() {
        let few = |rows| manifest(5, &[], &[(SourceKind::Curated, 'a', rows)]);
        assert!(falls(&few(12), &few(3), None).is_empty());
        assert_eq!(falls(&few(13), &few(3), None), ["rows of curated records from 13 to 3"]);
        assert_eq!(falls(&few(2), &few(0), None), ["rows of curated records from 2 to 0"]);
    }

    #[test]
    fn a_file_that_was_given_twice_may_be_given_once() {
        let (one, other) = ((SourceKind::MasterFile, 'a', 60), (SourceKind::MasterFile, 'b', 60));
        let twice = manifest(120, &[], &[one, other, one]);
        assert!(falls(&twice, &manifest(120, &[], &[one, other]), None).is_empty());
        assert_eq!(falls(&twice, &manifest(120, &[], &[one]), None).len(), 1);
    }
}
