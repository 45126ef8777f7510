//! What is written is found again, as a naive search over the rows finds it.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::mapped::files_in;
use crate::record::Story;

type Kept = (u32, Option<u8>, Option<f64>);

fn name(kind: u8) -> String {
    format!("kind {kind}")
}

fn opened(rows: &[Kept]) -> (tempfile::TempDir, Items<Story>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items");
    let mut builder = Builder::default();
    for (item, &(owner, kind, score)) in rows.iter().enumerate() {
        let (identifier, kind) = (format!("id{item}"), kind.map(name));
        let owner = OrgId::new(owner);
        builder.push(&ItemRow { owner, identifier: &identifier, kind: kind.as_deref(), score });
    }
    builder.finish(&path).unwrap();
    let items = Items::open(&mut files_in(folder.path()), "items").unwrap();
    assert_eq!(items.count() as usize, rows.len());
    (folder, items)
}

fn numbers(set: &Bitmap<Story>) -> Vec<u32> {
    set.iter().map(|item| item.0).collect()
}

fn those(rows: &[Kept], good: impl Fn(&Kept) -> bool) -> Vec<u32> {
    (0..).zip(rows).filter(|(_, row)| good(row)).map(|(item, _)| item).collect()
}

proptest! {
    #[test]
    fn what_is_found_is_what_a_scan_finds(
        rows in prop::collection::vec(
            (0_u32..40, prop::option::of(0_u8..5), prop::option::of(0.0..10.0)), 0..300),
        owners in prop::collection::vec(0_u32..40, 0..40),
        min in 0.0..10.0,
    ) {
        let (_folder, items) = opened(&rows);
        let orgs = Bitmap::of(40, owners.iter().copied().map(OrgId::new));
        let own = those(&rows, |row| owners.contains(&row.0));
        prop_assert_eq!(numbers(&items.of_owners(&orgs).unwrap()), own);
        for &owner in owners.iter().take(3) {
            let own = those(&rows, |row| row.0 == owner);
            let found = items.of_owner(OrgId::new(owner)).unwrap();
            prop_assert_eq!(found, own.into_iter().map(RowId::new).collect::<Vec<_>>());
        }
        let mut of_kinds = items.all();
        of_kinds.retain(|item| item % 7 != 0);
        items.retain_kinds(&mut of_kinds, |kind| kind == "kind 1" || kind == "kind 3").unwrap();
        let mut those_of_kinds = those(&rows, |row| matches!(row.1, Some(1 | 3)));
        those_of_kinds.retain(|item| item % 7 != 0);
        prop_assert_eq!(&numbers(&of_kinds), &those_of_kinds);
        let scored = those(&rows, |row| row.2.is_some_and(|score| score >= min));
        prop_assert_eq!(numbers(&items.of_score(min).unwrap()), scored);
        let mut by_score = those_of_kinds.clone();
        let score = |item: &u32| rows[*item as usize].2.unwrap_or(f64::NEG_INFINITY);
        by_score.sort_by(|one, other| score(other).total_cmp(&score(one)));
        let unknown = by_score.iter().filter(|item| rows[**item as usize].2.is_none()).count();
        for (skipped, size) in [(0, 5), (3, 4), (0, 400)] {
            let (page, without) = items.by_score(&of_kinds, skipped, size).unwrap();
            let page: Vec<u32> = page.iter().map(|item| item.0).collect();
            let expected: Vec<u32> =
                by_score.iter().copied().skip(skipped as usize).take(size).collect();
            prop_assert_eq!((page, without), (expected, unknown as u64));
        }
        for (item, row) in (0_u32..).zip(&rows) {
            prop_assert_eq!(items.owner(RowId::new(item)).unwrap(), OrgId::new(row.0));
            let identifier = format!("id{item}");
            let found = items.of_identifiers(["unknown", &identifier]).unwrap();
            prop_assert_eq!(found, [RowId::new(item)]);
        }
        prop_assert!(items.owner(RowId::new(rows.len() as u32)).is_err());
        let page: Vec<u32> = items.all().page(7, 10).iter().map(|item| item.0).collect();
        let all: Vec<u32> = (0..rows.len() as u32).skip(7).take(10).collect();
        prop_assert_eq!(page, all);
    }
}

#[test]
fn what_no_item_has_takes_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items");
    let bytes = |identifier: &str, score: Option<f64>, kinds: usize| {
        let mut builder = Builder::default();
        for item in 0..300 {
            let kind = format!("{:03}", item % kinds);
            let owner = OrgId::new(1);
            builder.push(&ItemRow { owner, identifier, kind: Some(&kind), score });
        }
        builder.finish(&path).unwrap();
        let items = Items::<Story>::open(&mut files_in(folder.path()), "items").unwrap();
        let mut last = items.all();
        items.retain_kinds(&mut last, |kind| kind == format!("{:03}", kinds - 1)).unwrap();
        assert_eq!(last.count(), (0..300).filter(|item| item % kinds == kinds - 1).count() as u64);
        let scored = score.map_or(0, |_| 300);
        assert_eq!(items.of_score(0.0).unwrap().count(), scored);
        let identified = if identifier.is_empty() { 0 } else { 300 };
        assert_eq!(items.of_identifiers(["a"]).unwrap().len(), identified);
        std::fs::metadata(&path).unwrap().len()
    };
    let least = bytes("", None, 1);
    // Sections begin at multiples of 64.
    let aligned = |bytes: u64| bytes.next_multiple_of(64);
    assert_eq!(bytes("a", None, 1), least + aligned(300 * 8) + 300 * 4);
    assert_eq!(bytes("", Some(1.0), 1), least + aligned(300 * 8));
    // Each kind has a name of three bytes that ends somewhere.
    let names = |kinds: u64| aligned(kinds * 3) + aligned(kinds * 4);
    assert_eq!(bytes("", None, 254), least + names(254) - names(1));
    let wide = aligned(300 * 4) - aligned(300);
    assert_eq!(bytes("", None, 255), least + names(255) - names(1) + wide);
}
