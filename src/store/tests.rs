//! What is written is read; damage is an error of the records that it touches only.

use super::*;
use crate::mapped::{BLOCK_BYTES, BlockSums};
use crate::record::{Finances, SdgSet, Usd};

pub(crate) fn organization(number: u32) -> Organization {
    let ein = format!("{number:09}").parse().unwrap();
    let name = format!("Friends of Number {number} in {}", number.wrapping_mul(2_654_435_761));
    Organization {
        other_names: vec!["Friends".repeat(number as usize % 5)],
        finances: Finances {
            revenue: number.is_multiple_of(3).then(|| Usd::new(-i64::from(number))),
            ..Finances::default()
        },
        ntee: "P30".parse().ok(),
        sdgs: SdgSet::from_mask(2),
        ..Organization::named(ein, &name)
    }
}

fn written(count: u32) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    let all: Vec<_> = (0..count).map(organization).collect();
    let mut writer = Writer::create(folder.path()).unwrap();
    for (at, batch) in all.chunks(300).enumerate() {
        writer.append(&pack(at as u32 * 300, batch).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    (folder, path)
}

/// Opens the records of a file with its own sums, or with those that it had.
fn open(path: &std::path::Path, sums_of_records: BlockSums) -> Result<Records, StoreError> {
    Records::open(&mut |name| {
        let file = path.with_file_name(name);
        let is_records = name == FILE;
        let sums = if is_records { sums_of_records.clone() } else { sums(&file) };
        MappedFile::open(&file, name, sums)
    })
}

fn sums(path: &std::path::Path) -> BlockSums {
    BlockSums::of(std::fs::File::open(path).unwrap(), |_| {}).unwrap()
}

/// The record at a position of a block.
fn decode<Record: Stored>(
    first: u32,
    value: &[u8],
    at: usize,
) -> Result<Option<Record>, StoreError> {
    Unpacked::of(first, value)?.get(first + at as u32)
}

#[test]
fn every_record_is_read_back_and_the_file_is_left_alone() {
    let (_folder, path) = written(1_000);
    let before = std::fs::read(&path).unwrap();
    let store = open(&path, sums(&path)).unwrap();
    for number in 0..1_000 {
        assert_eq!(store.organization(OrgId::new(number)).unwrap(), organization(number));
    }
    for missing in [1_000, 1_023, 1_024, u32::MAX] {
        assert!(
            matches!(store.organization(OrgId::new(missing)), Err(StoreError::Missing { .. })),
            "{missing}"
        );
    }
    // In any order, and some twice.
    let rows: Vec<OrgId> =
        (0..600).chain([7, 999, 0, 0, 998, 3]).chain(500..520).map(OrgId::new).collect();
    let expected: Vec<_> = rows.iter().map(|row| organization(row.0)).collect();
    assert_eq!(store.get_all(&rows).unwrap(), expected);
    assert_eq!(store.get_all::<Organization>(&[]).unwrap(), []);
    let missing = store.get_all(&[OrgId::new(3), OrgId::new(1_000)]);
    assert!(matches!(missing, Err(StoreError::Missing { number: 1_000, .. })));
    drop(store);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn an_empty_store_opens() {
    let (_folder, path) = written(0);
    let store = open(&path, sums(&path)).unwrap();
    assert!(matches!(
        store.organization(OrgId::new(0)),
        Err(StoreError::Missing { table: Table::Organizations, number: 0 })
    ));
}

#[test]
fn the_same_records_make_the_same_bytes() {
    let ((_a, one), (_b, other)) = (written(500), written(500));
    assert_eq!(std::fs::read(one).unwrap(), std::fs::read(other).unwrap());
}

#[test]
fn damage_costs_the_records_it_touches_and_no_others() {
    let (_folder, path) = written(20_000);
    let sums = sums(&path);
    let whole = std::fs::read(&path).unwrap();
    let (mut refused, mut partly) = (0, 0);
    for block in 0..whole.len().div_ceil(BLOCK_BYTES) {
        let mut bytes = whole.clone();
        bytes[block * BLOCK_BYTES + 77] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        let store = match open(&path, sums.clone()) {
            Ok(store) => store,
            Err(StoreError::Damage(_)) => {
                refused += 1;
                continue;
            }
            Err(other) => panic!("{other:?}"),
        };
        let mut good = 0;
        for number in (0..20_000).step_by(101) {
            match store.organization(OrgId::new(number)) {
                Ok(found) => {
                    assert_eq!(found, organization(number));
                    good += 1;
                }
                Err(StoreError::Damage(_)) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        partly += usize::from((1..199).contains(&good));
    }
    assert!(refused >= 1 && partly >= 1, "{refused} refused, {partly} partly read");
}

#[test]
fn damage_to_one_record_fails_no_read_of_another_at_the_same_time() {
    let (_folder, path) = written(20_000);
    let sums = sums(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    // A block in which records lie, not the head of the file nor its root.
    let store = (1..bytes.len() / BLOCK_BYTES).find_map(|block| {
        bytes[block * BLOCK_BYTES + 77] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        let store = open(&path, sums.clone()).ok();
        bytes[block * BLOCK_BYTES + 77] ^= 4;
        store.filter(|store| {
            let good = (0..20_000)
                .step_by(101)
                .filter(|&at| store.organization(OrgId::new(at)).is_ok())
                .count();
            (1..199).contains(&good)
        })
    });
    let store = store.expect("damage that touches some records only");
    let (good, damaged): (Vec<u32>, Vec<u32>) = (0..20_000)
        .step_by(101)
        .partition(|&number| store.organization(OrgId::new(number)).is_ok());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in damaged.iter().cycle().take(300) {
                assert!(matches!(
                    store.organization(OrgId::new(*number)),
                    Err(StoreError::Damage(_))
                ));
            }
        });
        for number in good.iter().cycle().take(2_000) {
            assert_eq!(store.organization(OrgId::new(*number)).unwrap(), organization(*number));
        }
    });
}

#[test]
fn a_block_of_another_form_is_an_error() {
    let blocks = pack(7, &[organization(1), organization(2)]).unwrap();
    assert_eq!((blocks.len(), blocks[0].first), (1, 7));
    let whole = &blocks[0].value;
    assert_eq!(decode(7, whole, 1).unwrap(), Some(organization(2)));
    assert_eq!(decode::<Organization>(7, whole, 2).unwrap(), None);
    for bad in [&[][..], &[1, 0, 0], &[255, 255, 255, 255, 0], &whole[..whole.len() - 9]] {
        assert!(
            matches!(decode::<Organization>(0, bad, 0), Err(StoreError::Block { .. })),
            "{bad:?}"
        );
    }
}

#[test]
fn records_of_any_length_are_packed() {
    let long = |length: u32| {
        let noise = |at: u32| char::from(33 + (at.wrapping_mul(2_654_435_761) >> 25) as u8 % 90);
        Organization { name: (0..length).map(noise).collect(), ..organization(length) }
    };
    let all: Vec<_> = [9_000, 5, 3, 4_100, 40_000, 0].into_iter().chain(0..200).map(long).collect();
    let blocks = pack(0, &all).unwrap();
    assert!(blocks.len() < all.len() / 4, "{}", blocks.len());
    let mut numbers = blocks.iter().map(|block| block.first).collect::<Vec<_>>();
    numbers.push(all.len() as u32);
    for (block, run) in blocks.iter().zip(numbers.windows(2)) {
        for (at, expected) in all[run[0] as usize..run[1] as usize].iter().enumerate() {
            assert_eq!(decode(0, &block.value, at).unwrap().as_ref(), Some(expected));
        }
    }
    assert!(pack::<Organization>(0, &[]).unwrap().is_empty());
}

#[test]
fn records_are_read_wherever_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let named = |number: u32| ListedName { name: format!("ROE {number}"), rows: Vec::new() };
    let stored: Vec<ListedName> = (0..500).map(named).collect();
    let mut writer = Writer::create(folder.path()).unwrap();
    // In two batches, each numbered from 0 on.
    let (first, second) = stored.split_at(300);
    writer.append(&pack(0, first).unwrap()).unwrap();
    writer.append_behind(300, &pack(0, second).unwrap()).unwrap();
    let positions: Vec<u32> = (0..500).map(|row| row * 77 % 500).collect();
    writer.place::<ListedName>(positions.clone());
    writer.append(&pack(0, &[organization(0)]).unwrap()).unwrap();
    writer.finish().unwrap();
    let path = folder.path().join(FILE);
    let store = open(&path, sums(&path)).unwrap();
    let rows: Vec<RowId<ListedName>> = (0..500).rev().chain([7, 7]).map(RowId::new).collect();
    let expected: Vec<ListedName> = rows.iter().map(|row| named(positions[row.index()])).collect();
    assert_eq!(store.get_all(&rows).unwrap(), expected);
    assert_eq!(store.get(rows[3]).unwrap(), expected[3]);
    assert_eq!(store.organization(OrgId::new(0)).unwrap(), organization(0));
    let missing = store.get(RowId::<ListedName>::new(500));
    assert!(matches!(missing, Err(StoreError::Missing { number: 500, .. })), "{missing:?}");
    let positions = folder.path().join(POSITIONS_FILE);
    let mut bytes = std::fs::read(&positions).unwrap();
    bytes.pop();
    std::fs::write(&positions, bytes).unwrap();
    assert!(matches!(open(&path, sums(&path)), Err(StoreError::Open(OpenError::Damage(_)))));
}
