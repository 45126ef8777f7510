//! `almoner match` as its user meets it: lists of every form, bad ones too.

use std::io::Write as _;
use std::process::Stdio;

use crate::fixture::{Fixture, Ran, command, run, text};

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    fixture
}

/// Runs the command over a list in a file.
fn matched(fixture: &Fixture, list: &[u8], more: &[&str]) -> Ran {
    let path = fixture.path("list.csv");
    std::fs::write(&path, list).unwrap();
    let data_dir = fixture.data_dir();
    let mut arguments = vec!["match", "--data-dir", text(&data_dir), text(&path)];
    arguments.extend(more);
    run(&arguments)
}

/// The rows of what was written, after the header, each by the cells of some columns.
fn cells(out: &str, separator: u8, columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(out.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at: Vec<usize> =
        columns.iter().map(|name| header.iter().position(|one| one == *name).unwrap()).collect();
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| at.iter().map(|at| row[*at].to_owned()).collect()).collect()
}

const LIST: &str = "id,Organization,Street,City,State,ZIP\n\
    1,\"Maple River Food Shelf, Inc.\",1 Main Street,Burlington,VT,5401\n\
    2,Quoted Name & Sons Foundation,4 Ash St,Cheyenne,WY,82001\n\
    3,Somebody Else Entirely,9 Fir St,Reno,NV,89501\n\
    4,,,,VT,\n";

#[test]
fn rows_come_back_in_their_order_with_what_was_found() {
    let fixture = fixture();
    let ran = matched(&fixture, LIST.as_bytes(), &[]);
    let out = ran.succeeds();
    let rows = cells(out, b',', &["id", "ein", "decision"]);
    assert_eq!(rows[0][..2], ["1", "970000001"]);
    assert_eq!(rows[1][..2], ["2", "970000004"]);
    assert_eq!(rows[2], ["3", "", "no"]);
    assert_eq!(rows[3], ["4", "", "no"]);
    assert!(out.contains("the row has no name"), "{out}");
    assert!(
        ran.err.contains("name from \"Organization\"") && ran.err.contains("4 rows in"),
        "{ran:?}"
    );
    assert_eq!(matched(&fixture, LIST.as_bytes(), &[]).out, out, "the same list, the same bytes");
    // Into a file, and through pipes.
    let output = fixture.path("out.csv");
    matched(&fixture, LIST.as_bytes(), &["--output", text(&output)]).succeeds();
    assert_eq!(std::fs::read_to_string(&output).unwrap(), out);
    assert!(!fixture.path("out.csv.partial").exists());
    let mut child = command(&["match", "--data-dir", text(&fixture.data_dir()), "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LIST.as_bytes()).unwrap();
    let piped = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), out);
}

#[test]
fn lists_of_every_form() {
    let fixture = fixture();
    let eins = |list: &[u8], separator: u8| {
        cells(matched(&fixture, list, &[]).succeeds(), separator, &["ein"])[0][0].clone()
    };
    let tabs = LIST.replace(',', "\t").replace("Shelf\t", "Shelf,");
    assert_eq!(eins(tabs.as_bytes(), b'\t'), "970000001");
    let utf_16: Vec<u8> =
        [0xfeff].into_iter().chain(LIST.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(eins(&utf_16, b','), "970000001");
    let bom = format!("\u{feff}{LIST}");
    assert_eq!(eins(bom.as_bytes(), b','), "970000001");
    let big = format!("name,note\nMaple River PTA,{}\nMaple River PTA,\n", "x".repeat(10 << 20));
    assert_eq!(cells(matched(&fixture, big.as_bytes(), &[]).succeeds(), b',', &["ein"]).len(), 2);
}

#[test]
fn rows_and_lists_that_cannot_be_read() {
    let fixture = fixture();
    let ragged =
        "name,city\nMaple River PTA\nMaple River PTA,Salt Lake City,UT\nMaple River PTA,x\n";
    let ran = matched(&fixture, ragged.as_bytes(), &[]);
    let rows = cells(ran.succeeds(), b',', &["decision", "reasons"]);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], ["no", "the row has 1 field, the header 2"]);
    assert!(rows[1][1].contains("3 fields"), "{rows:?}");
    assert!(ran.err.contains("2 rows had more or fewer fields"), "{ran:?}");
    for (list, expected) in [
        ("", "the list is empty"),
        ("Acme,Reno\nFoo,Bar\n", "no column is recognised as the name"),
        ("name,city,name\na,b,c\n", "two columns are called"),
    ] {
        matched(&fixture, list.as_bytes(), &[]).fails(1, &[expected]);
    }
    matched(&fixture, LIST.as_bytes(), &["--column", "name=Nmae"])
        .fails(1, &["no column is called"]);
    let wrong = matched(&fixture, LIST.as_bytes(), &["--yes", "7"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn an_ein_that_contradicts_the_name_is_told_and_not_obeyed() {
    let fixture = fixture();
    let list = "name,city,state,ein\nMaple River PTA,Salt Lake City,UT,97-0000004\n";
    let ran = matched(&fixture, list.as_bytes(), &[]);
    let rows = cells(ran.succeeds(), b',', &["almoner_ein", "reasons"]);
    assert_eq!(rows[0][0], "970000002");
    assert!(rows[0][1].contains("EIN 970000004 is another"), "{rows:?}");
}
