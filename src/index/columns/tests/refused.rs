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

#[test]
fn a_file_of_another_form_is_refused() {
    let (folder, _columns) = built(&[plain(1)]);
    let path = folder.path().join(FILE);
    let whole = std::fs::read(&path).unwrap();
    // Magic, version, sections; then a section's name, width, count and position.
    for at in [0, 8, 16, 24, 24 + 16, 24 + 24, 24 + 39] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&path, &bytes).unwrap();
        let sums = BlockSums::of(&bytes[..], |_| {}).unwrap();
        let opened = Columns::open(&mut |name| MappedFile::open(&path, name, sums.clone()));
        assert!(matches!(opened, Err(OpenError::Damage(Damage::Form { .. }))), "{at}");
    }
}
