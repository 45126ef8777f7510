//! Tests on the files that the IRS publishes, ignored where they do not lie beside the repository.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::super::*;

fn data(folder: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")).join(folder)
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn every_published_row_is_read() {
    let found = discover(&[data("irs")], None).unwrap();
    assert_eq!(found.skipped, []);
    let mut eins = BTreeSet::new();
    let (mut rows, mut rejects, mut publication_78) = (0, Vec::new(), 0);
    let mut warnings = BTreeMap::new();
    for source in &found.sources {
        let summary = read(source, &mut |event| {
            match event {
                Event::Record { record: Record::Row(ListRow::MasterFile(row)), .. } => {
                    eins.insert(row.ein);
                    rows += 1;
                }
                Event::Record { .. } => publication_78 += 1,
                Event::Reject(reject) => rejects.push(reject),
                Event::Progress { .. } => {}
            }
            Ok::<_, ReadError>(())
        })
        .unwrap();
        for (field, count) in summary.warnings {
            *warnings.entry(format!("{} {field}", summary.kind.name())).or_insert(0) += count;
        }
    }
    eprintln!("rejects {rejects:?}\nwarnings {warnings:?}");
    assert_eq!((rows, eins.len(), publication_78), (251_347, 251_347, 1_001));
    assert_eq!(rejects, []);
    // Two rows have the NTEE code `050`.
    assert_eq!(
        warnings.into_iter().collect::<Vec<_>>(),
        [("IRS master file extract NTEE_CD".into(), 2)]
    );
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn every_published_return_is_read() {
    let found = discover(&[data("efile")], None).unwrap();
    let [source] = found.sources.as_slice() else { panic!("{found:?}") };
    let mut without_profile = 0;
    let summary = read(source, &mut |event| {
        if let Event::Record { record: Record::UnrelatedBusiness(..), .. } = event {
            without_profile += 1;
        }
        Ok::<_, ReadError>(())
    })
    .unwrap();
    assert_eq!((summary.rows, summary.rejects, without_profile), (154, 0, 18));
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn other_files_are_not_mistaken_for_sources() {
    for folder in ["concordance", "eo-info", "missions", "names", "ntee"] {
        let error = discover(&[data(folder)], None).unwrap_err();
        assert!(matches!(error, DiscoverError::NothingInFolder { .. }), "{error}");
    }
}
