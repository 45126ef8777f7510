//! What changed between builds, each kind planted once.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use super::*;
use crate::index::changes::Query;
use crate::record::{Change, ChangeKind};
use crate::snapshot::directory;
use ChangeKind::{
    Appeared, DeductibilityChanged, FoundationChanged, Moved, NewReturn, Reinstated, Renamed,
    Revoked, Vanished,
};

fn place(ein: &str, name: &str, street: &str, codes: [&str; 2]) -> String {
    let [deductibility, foundation] = codes;
    let row = row(ein, name, "BURLINGTON", "VT", "202312", "100");
    let row = row.replace(",1 MAIN ST,", &format!(",{street},"));
    row.replace(",199901,1,15,", &format!(",199901,{deductibility},{foundation},"))
}

fn revoked(ein: &str, reinstated: &str) -> String {
    format!(
        "{ein}|NAME||1 MAIN ST|BURLINGTON|VT|05401|US|03|15-MAY-2012|09-JUN-2012|{reinstated}\n"
    )
}

fn filed(year: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\"><ReturnHeader>\
         <TaxPeriodEndDt>{year}-06-30</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>\
         <EIN>010000008</EIN><BusinessName><BusinessNameLine1Txt>A FILER</BusinessNameLine1Txt>\
         </BusinessName></Filer><TaxYr>{year}</TaxYr></ReturnHeader><ReturnData><IRS990>\
         <CYTotalRevenueAmt>5</CYTotalRevenueAmt></IRS990></ReturnData></Return>"
    )
}

/// The earlier vintage, and the later one with a change of each kind.
fn write(bench: &Bench, is_later: bool) {
    let of = |earlier: &'static str, later: &'static str| if is_later { later } else { earlier };
    let mut rows = vec![
        place("010000001", of("ALPHA FUND", "ALPHA FUND INC"), "1 MAIN ST", ["1", "15"]),
        place("010000002", "BETA TRUST", of("1 MAIN ST", "2 ELM ST"), ["1", "15"]),
        place("010000003", "GAMMA CLUB", "1 MAIN ST", [of("1", "2"), "15"]),
        place("010000004", "DELTA HOME", "1 MAIN ST", ["1", of("15", "04")]),
        place("010000005", "EPSILON", "1 MAIN ST", ["1", "15"]),
        place("010000006", "ZETA", "1 MAIN ST", ["1", "15"]),
        place("010000008", "A FILER", "1 MAIN ST", ["1", "15"]),
    ];
    rows.push(match is_later {
        false => place("010000007", "GONE BY THEN", "1 MAIN ST", ["1", "15"]),
        true => place("010000009", "NEW HERE", "1 MAIN ST", ["1", "15"]),
    });
    bench.master("eo_vt.csv", &rows);
    let lists = match is_later {
        false => revoked("010000006", ""),
        true => {
            // One of them has left the master file as well.
            let both = revoked("010000005", "") + &revoked("010000007", "");
            both + &revoked("010000006", "01-JAN-2013")
        }
    };
    bench.input("revoked.txt", &lists);
    bench.input("first.xml", &filed("2023"));
    if is_later {
        bench.input("second.xml", &filed("2024"));
        // A state that the earlier vintage did not have says nothing of who came there.
        bench.master("eo_ny.csv", &[row("020000001", "ELSEWHERE", "ALBANY", "NY", "202312", "")]);
    }
}

fn said(changes: &[Change]) -> Vec<(String, ChangeKind)> {
    changes.iter().map(|change| (change.ein.to_string()[7..].to_owned(), change.kind)).collect()
}

#[test]
fn each_kind_of_change_is_told_once_and_nothing_else() {
    let (earlier, later) = (Bench::new(), Bench::new());
    write(&earlier, false);
    write(&later, true);
    earlier.build().unwrap();
    later.build().unwrap();
    let (before, after) = (open(&earlier.data()).unwrap(), open(&later.data()).unwrap());
    let found = crate::snapshot::changes(&before, &after).unwrap();
    let expected = [
        ("01", Renamed),
        ("02", Moved),
        ("03", DeductibilityChanged),
        ("04", FoundationChanged),
        ("05", Revoked),
        ("06", Reinstated),
        ("07", Vanished),
        ("07", Revoked),
        ("08", NewReturn),
        ("09", Appeared),
    ]
    .map(|(ein, kind)| (ein.to_owned(), kind));
    assert_eq!(said(&found), expected);
    let values = |at: usize| (found[at].before.as_deref(), found[at].after.as_deref());
    assert_eq!(values(0), (Some("Alpha Fund"), Some("Alpha Fund Inc")));
    let places = (Some("1 Main St, Burlington, VT 05401"), Some("2 Elm St, Burlington, VT 05401"));
    assert_eq!(values(1), places);
    assert_eq!(values(2), (Some("1"), Some("2")));
    assert_eq!(values(4), (None, Some("2012-05-15")));
    assert_eq!(values(5), (Some("2012-05-15"), Some("2013-01-01")));
    assert_eq!(values(8), (None, Some("990 for the period to 2024-06-30")));
    assert!(crate::snapshot::changes(&after, &after).unwrap().is_empty());
}

#[test]
fn a_snapshot_remembers_what_changed_before_it() {
    let bench = Bench::new();
    let all = |snapshots| Query { snapshots, ..Query::default() };
    write(&bench, false);
    let first = bench.build().unwrap().snapshot;
    let snapshot = open(&bench.data()).unwrap();
    assert!(snapshot.changes.since().is_empty());
    assert_eq!(snapshot.changes.find(&all(9), 0, 100).unwrap(), (0, Vec::new()));
    drop(snapshot);
    write(&bench, true);
    let second = bench.build().unwrap().snapshot;
    // A third in which one of them has moved again.
    let rows = [place("010000002", "BETA TRUST", "3 OAK ST", ["1", "15"])];
    bench.master("eo_vt2.csv", &rows);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let names: Vec<_> = snapshot.changes.since().iter().map(|since| &since.snapshot).collect();
    assert_eq!(names, [&second, &first]);
    let (total, found) = snapshot.changes.find(&all(2), 0, 100).unwrap();
    assert_eq!((total, found.len()), (11, 11));
    assert_eq!((found[0].0, found[0].1.kind), (0, Moved));
    assert!(found[1..].iter().all(|(since, _)| *since == 1));
    assert_eq!(snapshot.changes.find(&all(1), 0, 100).unwrap().0, 1);
    let ein = "010000002".parse().unwrap();
    let of_one = Query { eins: vec![ein], kinds: vec![Moved], ..all(2) };
    let (total, found) = snapshot.changes.find(&of_one, 1, 5).unwrap();
    assert_eq!((total, said(&[found[0].1.clone()])), (2, vec![("02".to_owned(), Moved)]));
    let elsewhere = Query { state: "NY".parse().ok(), ..all(2) };
    assert_eq!(snapshot.changes.find(&elsewhere, 0, 5).unwrap(), (0, Vec::new()));
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
}

/// Makes the published snapshot one of another format, of which this program knows nothing but what is kept for it.
fn make_foreign(data: &Path) {
    let directory = Directory::new(data);
    let current = Current::parse(&fs::read(directory.current()).unwrap()).unwrap();
    let folder = directory.snapshot(&current.snapshot);
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let format = FORMAT + 1;
    manifest["format"] = format.into();
    let bytes = serde_json::to_vec(&manifest).unwrap();
    let (names, _) = directory::entries(&folder).unwrap();
    for name in names.iter().filter(|name| !["compared", "changes.kept"].contains(&name.as_str())) {
        fs::write(folder.join(name), b"of another format").unwrap();
    }
    fs::write(folder.join("manifest.json"), &bytes).unwrap();
    let manifest_sha256 = HEXLOWER.encode(&Sha256::digest(&bytes));
    directory.write_current(&Current { format, manifest_sha256, ..current }).unwrap();
}

#[test]
fn the_list_of_changes_outlives_the_format() {
    let (bench, same) = (Bench::new(), Bench::new());
    for bench in [&bench, &same] {
        write(bench, false);
        bench.build().unwrap();
        bench.master("eo_vt2.csv", &[place("010000002", "BETA TRUST", "9 OAK ST", ["1", "15"])]);
        bench.build().unwrap();
        fs::remove_file(bench.folder.path().join("inputs/eo_vt2.csv")).unwrap();
        write(bench, true);
    }
    make_foreign(&bench.data());
    assert!(open(&bench.data()).is_err());
    let found = |bench: &Bench| {
        bench.build().unwrap();
        let snapshot = open(&bench.data()).unwrap();
        let all = Query { snapshots: 9, ..Query::default() };
        (snapshot.changes.since().len(), snapshot.changes.find(&all, 0, 100).unwrap())
    };
    let kept = found(&bench);
    assert_eq!(kept, found(&same), "a build over another format finds what one over its own does");
    assert_eq!((kept.0, kept.1.0), (2, 11));
}

#[test]
fn a_snapshot_that_keeps_nothing_is_replaced_all_the_same() {
    let bench = Bench::new();
    write(&bench, false);
    bench.build().unwrap();
    make_foreign(&bench.data());
    let directory = Directory::new(&bench.data());
    let current = Current::parse(&fs::read(directory.current()).unwrap()).unwrap();
    fs::write(directory.snapshot(&current.snapshot).join("compared"), b"damaged").unwrap();
    bench.build().unwrap();
    assert!(open(&bench.data()).unwrap().changes.since().is_empty());
}
