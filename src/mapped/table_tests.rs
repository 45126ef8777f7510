//! Tables that are written are read, and nothing else is.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn written(numbers: &[u32], texts: &[String]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut out = TableWriter::create(&folder.path().join("below/table")).unwrap();
    out.column("numbers", numbers.iter().copied()).unwrap();
    out.texts("texts", texts).unwrap();
    out.pairs("pairs", &numbers.iter().copied().zip(0..).collect::<Vec<_>>()).unwrap();
    out.lists("runs", numbers.chunk_by(|a, b| a == b).map(|run| run.iter().copied())).unwrap();
    out.finish().unwrap();
    folder
}

fn opened(folder: &tempfile::TempDir) -> Result<Table, OpenError> {
    Table::open(&mut files_in(folder.path()), "below/table")
}

proptest! {
    #[test]
    fn what_is_written_is_found(
        mut numbers in prop::collection::vec(0_u32..30, 0..200),
        mut texts in prop::collection::vec("[a-z]{0,5}", 0..20),
        asked in 0_u32..31,
    ) {
        numbers.sort_unstable();
        texts.sort_unstable();
        let folder = written(&numbers, &texts);
        let table = opened(&folder).unwrap();
        let column = table.column_of::<u32>("numbers", numbers.len()).unwrap();
        prop_assert_eq!(column.all().unwrap().iter().collect::<Vec<_>>(), numbers.clone());
        let equal = numbers.partition_point(|one| *one < asked)..numbers.partition_point(|one| *one <= asked);
        prop_assert_eq!(column.equal(asked).unwrap(), equal.clone());
        prop_assert_eq!(column.find(asked).unwrap(), (!equal.is_empty()).then_some(equal.start));
        let pairs = table.pairs::<u32>("pairs").unwrap();
        prop_assert_eq!(pairs.count(asked).unwrap(), equal.len());
        let of_key: Vec<u32> = equal.map(|at| at as u32).take(7).collect();
        prop_assert_eq!(pairs.of(asked, 7).unwrap().collect::<Vec<_>>(), of_key);
        prop_assert!(column.at(numbers.len()).is_err() && column.range(1..numbers.len() + 1).is_err());
        let (lists, runs) = (table.lists::<u8>("texts").unwrap(), table.lists::<u32>("runs").unwrap());
        for (at, text) in texts.iter().enumerate() {
            prop_assert_eq!(lists.text(at).unwrap(), text);
            prop_assert_eq!(lists.find(text.as_bytes()).unwrap().map(|at| &texts[at]), Some(text));
        }
        prop_assert!(lists.text(texts.len()).is_err());
        for (at, run) in numbers.chunk_by(|a, b| a == b).enumerate() {
            prop_assert_eq!(runs.at(at).unwrap().iter().collect::<Vec<_>>(), run);
        }
    }
}

#[test]
fn what_is_of_another_form_is_refused() {
    let folder = written(&[1, 2], &["a".to_owned()]);
    let table = opened(&folder).unwrap();
    assert!(table.column::<u64>("numbers").is_err() && table.column::<u32>("number").is_err());
    assert!(table.column_of::<u32>("numbers", 3).is_err());
    let path = folder.path().join("below/table");
    let whole = std::fs::read(&path).unwrap();
    // The magic; how many sections; where the last begins and how many values it has.
    for (at, byte) in [(1, 0), (16, 99), (17, 1), (25, 9), (33, 9)] {
        let mut bytes = whole.clone();
        bytes[whole.len() - at] = byte;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(opened(&folder), Err(OpenError::Damage(Damage::Form { .. }))), "{at}");
    }
    std::fs::write(&path, &whole[1..]).unwrap();
    assert!(opened(&folder).is_err());
    std::fs::write(&path, [0; 3]).unwrap();
    assert!(opened(&folder).is_err());
}
