//! Rows and files that are refused.

use super::*;

#[test]
fn rows_out_of_order_and_an_ein_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let finish = |rows: [Organization; 2]| {
        let mut builder = Builder::new();
        for row in &rows {
            builder.push(ColumnRow::of(row)).unwrap();
        }
        builder.finish(folder.path())
    };
    let mut elsewhere = plain(2);
    elsewhere.address.state = State::from_index(2);
    assert!(matches!(finish([plain(1), elsewhere]), Err(BuildError::Unsorted(1))));
    assert!(matches!(finish([plain(1), plain(1)]), Err(BuildError::Twice(1))));
}
