//! `almoner match` as its user meets it: lists of every form, bad ones too.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use xxhash_rust::xxh3::xxh3_64;

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
    4,,,,VT,\n\
    5,Somebody Else Entirely,,,,\n\
    6,***,,,,\n";

/// The second organization of the fixture is a member of a group whose sort name is that of its school.
#[test]
fn the_sort_name_of_a_member_of_a_group_is_no_yes_by_itself() {
    let list = b"name,street,city,state,zip\n\
        Maple School,,Salt Lake City,UT,84116\n\
        Maple School,2 Elm St,Salt Lake City,UT,84116\n\
        Maple River PTA,,Salt Lake City,UT,84116\n";
    let ran = matched(&fixture(), list, &[]);
    let decisions = cells(ran.succeeds(), b',', &["decision", "ein"]);
    let expected = ["maybe", "yes", "yes"].map(|decision| vec![decision, "970000002"]);
    assert_eq!(decisions, expected);
}

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
    let why = cells(out, b',', &["reasons"]);
    for (row, reason) in [
        (2, "no organization has a similar name, and none of Nevada is loaded"),
        (3, "the row has neither a name nor an EIN"),
        (4, "no organization has a similar name"),
        (5, "the name has no words"),
    ] {
        assert_eq!(why[row][0], reason);
    }
    assert!(
        ran.err.contains("name from \"Organization\"") && ran.err.contains("6 rows in"),
        "{ran:?}"
    );
    assert_eq!(matched(&fixture, LIST.as_bytes(), &[]).out, out, "the same list, the same bytes");
    // Into a file, and through pipes.
    let output = fixture.path("out.csv");
    matched(&fixture, LIST.as_bytes(), &["--output", text(&output)]).succeeds();
    assert_eq!(std::fs::read_to_string(&output).unwrap(), out);
    assert!(!fixture.path("out.csv.partial").exists());
    assert!(!fixture.path("out.csv.partial.run").exists());
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
    // Programs leave out empty fields at the end.
    assert_eq!(rows[0][0], "yes");
    assert_eq!(rows[1], ["no", "the row has 3 fields, the header 2, those beyond it left out"]);
    assert!(ran.err.contains("1 row had more fields"), "{ran:?}");
    for (list, expected) in [
        ("", "the list is empty"),
        (
            "Acme,Reno\nFoo,Bar\n",
            "no column is recognised as the name of organizations, or as their EIN",
        ),
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
fn the_ein_decides_unless_the_name_is_another() {
    let fixture = fixture();
    let list = "name,city,state,ein\n\
        Maple River PTA,Salt Lake City,UT,97-0000004\n\
        Maple River PTA,Salt Lake City,UT,97-0000002\n\
        Friends of Something Else,Salt Lake City,UT,970000002.0\n\
        ,,,=\"970000002\"\n\
        Maple River PTA,Salt Lake City,UT,9.7E+08\n\
        Maple River PTA,Salt Lake City,UT,n/a\n";
    let ran = matched(&fixture, list.as_bytes(), &[]);
    let rows = cells(ran.succeeds(), b',', &["decision", "almoner_ein", "reasons"]);
    let check = |at: usize, decision: &str, reason: &str| {
        assert_eq!(rows[at][..2], [decision, "970000002"], "{rows:?}");
        assert!(rows[at][2].contains(reason), "{rows:?}");
    };
    check(0, "maybe", "the row's EIN 970000004 is that of Quoted");
    check(1, "yes", "same EIN");
    check(2, "maybe", "same EIN at the same place: it may have been renamed");
    check(3, "yes", "same EIN; the row has no name");
    check(4, "yes", "the EIN 9.7E+08 was rounded by a spreadsheet");
    check(5, "yes", "same city");
}

#[test]
fn lists_as_programs_write_them() {
    let fixture = fixture();
    let decisions = |list: &str, separator: u8, more: &[&str]| {
        let ran = matched(&fixture, list.as_bytes(), more);
        let rows = cells(ran.succeeds(), separator, &["decision"]).concat();
        (rows, ran.err)
    };
    let yes = vec!["yes".to_owned()];
    let (found, _) = decisions("sep=;\nname;city\nMaple River PTA;Salt Lake City, UT\n", b';', &[]);
    assert_eq!(found, yes);
    let titled = "Grantees 2024,,\n,,\nGrantee,City,State\nMaple River PTA,Salt Lake City,UT\n";
    let (found, err) = decisions(titled, b',', &[]);
    assert_eq!(found, yes);
    assert!(err.contains("2 rows above the headings left out"), "{err}");
    let (found, _) = decisions("EIN\n970000002\n970000009\n", b',', &[]);
    assert_eq!(found, ["yes", "no"]);
    let told = "Whom we fund,Town\nMaple River PTA,\"Salt Lake City, UT\"\n";
    let told_as = ["--column", "name=whom we fund", "--column", "city=Town"];
    assert_eq!(decisions(told, b',', &told_as).0, yes);
    let added = ["--add", "state,Revenue,exemption"];
    let list = "name,state\nMaple River PTA,UT\nSomebody Else Entirely,\n";
    let ran = matched(&fixture, list.as_bytes(), &added);
    let rows = cells(ran.succeeds(), b',', &["almoner_state", "Revenue", "exemption"]);
    assert_eq!((rows[0][0].as_str(), rows[1].concat().as_str()), ("UT", ""));
    let wrong = matched(&fixture, list.as_bytes(), &["--add", "favourite colour"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("revenueGrandTotal"), "{wrong:?}");
}

/// A workbook of two sheets, of which the second is the list.
fn workbook(rows: &[&[&str]]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let sheet = |rows: &[&[&str]]| {
        let cell = |text: &&str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let rows = rows
            .iter()
            .map(|row| format!("<row>{}</row>", row.iter().map(cell).collect::<String>()));
        let rows: String = rows.collect();
        format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>")
    };
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{office}/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |all: &str| format!("<Relationships xmlns=\"{package}\">{all}</Relationships>");
    let parts = [
        ("_rels/.rels", relations(&relation("a", "officeDocument", "xl/workbook.xml"))),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets>\
                 <sheet name=\"Notes\" sheetId=\"1\" r:id=\"b\"/>\
                 <sheet name=\"Grantees\" sheetId=\"2\" r:id=\"c\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            relations(
                &(relation("b", "worksheet", "worksheets/1.xml")
                    + &relation("c", "worksheet", "worksheets/2.xml")),
            ),
        ),
        ("xl/worksheets/1.xml", sheet(&[&["Nothing to see"]])),
        ("xl/worksheets/2.xml", sheet(rows)),
    ];
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, part) in parts {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(part.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn workbooks() {
    let fixture = fixture();
    let rows: [&[&str]; 3] =
        [&["Name", "City", "State"], &["Maple River PTA", "Salt Lake City", "UT"], &["Nobody"]];
    let list = workbook(&rows);
    let ran = matched(&fixture, &list, &[]);
    assert_eq!(cells(ran.succeeds(), b',', &["decision"]).concat(), ["yes", "no"]);
    assert!(ran.err.contains("sheet \"Grantees\" of 2"), "{ran:?}");
    matched(&fixture, &list, &["--sheet", "Notes"]).fails(1, &["no column is recognised"]);
    matched(&fixture, &list, &["--sheet", "Vendors"]).fails(1, &["no sheet is called", "Grantees"]);
    let cut = &list[..list.len() / 2];
    matched(&fixture, cut, &[]).fails(1, &["damaged"]);
    let mut other = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    other.start_file("list.csv", zip::write::SimpleFileOptions::default()).unwrap();
    let other = other.finish().unwrap().into_inner();
    matched(&fixture, &other, &[]).fails(1, &["expected CSV or a workbook"]);
    matched(&fixture, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &[]).fails(1, &["save it as .xlsx"]);
}

/// What a run leaves that is stopped after so many bytes of its output, had it noted each row by itself.
fn stop(fixture: &Fixture, whole: &[u8], bytes: usize, settings: &str) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(whole);
    let (mut note, mut begin) = (settings.to_owned(), 0);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).unwrap() {
        let end = usize::try_from(reader.position().byte()).unwrap();
        if end <= bytes {
            note.push_str(&format!("{end} {:016x}\n", xxh3_64(&whole[begin..end])));
        }
        begin = end;
    }
    std::fs::write(fixture.path("out.csv.partial"), &whole[..bytes]).unwrap();
    std::fs::write(fixture.path("out.csv.partial.run"), note).unwrap();
}

/// Changes a bit of a file.
fn flip(path: &Path, at: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[at] ^= 1 << (at % 8);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_changed_bit_of_an_earlier_run_does_not_get_into_the_result() {
    let fixture = fixture();
    let list = "id,name\n1,Maple River PTA\n2,Nobody\n3,Quoted Name & Sons Foundation\n";
    let output = fixture.path("out.csv");
    let more = ["--output", text(&output)];
    let ran = || {
        let ran = matched(&fixture, list.as_bytes(), &more);
        ran.succeeds();
        (std::fs::read(&output).unwrap(), ran.err)
    };
    let (whole, _) = ran();
    let note = note_of(&fixture, list, &output);
    for at in (0..whole.len()).step_by(5) {
        stop(&fixture, &whole, whole.len(), &note);
        flip(&fixture.path("out.csv.partial"), at);
        let (again, err) = ran();
        assert_eq!(again, whole, "bit of byte {at}");
        assert!(err.contains("is not as the earlier run wrote it from byte "), "{at}: {err}");
    }
    // The rows are good, and what the note says of them is not; in its first lines it is one of other settings.
    for at in (0..note.len() + 60).step_by(9) {
        stop(&fixture, &whole, whole.len(), &note);
        flip(&fixture.path("out.csv.partial.run"), at);
        let (again, err) = ran();
        assert_eq!(again, whole, "bit of byte {at} of the note");
        assert_eq!(err.contains("is not as the earlier run wrote it"), at >= note.len(), "{err}");
    }
}

#[test]
fn a_run_notes_what_it_has_written() {
    let fixture = fixture();
    let output = fixture.path("out.csv");
    let list: String = "name\n".to_owned() + &"Maple River PTA\n".repeat(5_000);
    let more = ["--output", text(&output)];
    matched(&fixture, list.as_bytes(), &more).succeeds();
    let whole = std::fs::read(&output).unwrap();
    std::fs::remove_file(&output).unwrap();
    // Stopped while it waits for more rows than a batch has.
    let data_dir = fixture.data_dir();
    let arguments = ["match", "--data-dir", text(&data_dir), "-", "--output", text(&output)];
    let mut child =
        command(&arguments).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&list.as_bytes()[..list.len() / 2]).unwrap();
    pipe.write_all(&[b'x'; 128 * 1024]).unwrap();
    let noted = fixture.path("out.csv.partial.run");
    while !std::fs::read_to_string(&noted).is_ok_and(|note| note.lines().count() > 4) {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = matched(&fixture, list.as_bytes(), &more);
    ran.succeeds();
    assert!(ran.err.contains("resuming after 2,048 rows"), "{ran:?}");
    assert_eq!(std::fs::read(&output).unwrap(), whole);
}

#[test]
fn a_run_that_was_stopped_anywhere_is_gone_on_with() {
    let fixture = fixture();
    let list = "id,name,note\n1,Maple River PTA,\"two\nlines\"\n2,Nobody,,x\n3,Quoted Name & Sons Foundation,=1+1\n";
    let output = fixture.path("out.csv");
    let more = ["--output", text(&output)];
    let ran = |list: &str| {
        let ran = matched(&fixture, list.as_bytes(), &more);
        ran.succeeds();
        (std::fs::read(&output).unwrap(), ran.err)
    };
    let (whole, _) = ran(list);
    // Killed while it waits for rows: the header and the note are there.
    let note = note_of(&fixture, list, &output);
    for bytes in (0..whole.len()).step_by(7).chain([whole.len()]) {
        stop(&fixture, &whole, bytes, &note);
        let (again, err) = ran(list);
        assert_eq!(again, whole, "stopped after {bytes} bytes");
        let header = whole.iter().position(|byte| *byte == b'\n').unwrap();
        assert_eq!(err.contains("resuming after"), bytes > header, "{bytes}: {err}");
        assert!(err.contains("3 rows in") && err.contains("1 row had"), "{err}");
    }
    // The list was changed meanwhile: rows from there on are matched again; of a shorter one none stay behind.
    stop(&fixture, &whole, whole.len(), &note);
    let changed = list.replace("2,Nobody,,x", "2,Maple River Food Shelf,");
    let (again, err) = ran(&changed);
    assert!(err.contains("resuming after 1 row "), "{err}");
    assert_eq!(cells(std::str::from_utf8(&again).unwrap(), b',', &["id"]).len(), 3);
    stop(&fixture, &whole, whole.len(), &note);
    let (shorter, _) = ran("id,name,note\n1,Maple River PTA,\"two\nlines\"\n");
    assert!(whole.starts_with(&shorter) && shorter.len() < whole.len());
    // Other settings answer otherwise: nothing stays.
    stop(&fixture, &whole, whole.len(), &note.replace("yes", "no"));
    let (again, err) = ran(list);
    assert_eq!((again, err.contains("goes on")), (whole, false));
}

/// The note that a run writes.
fn note_of(fixture: &Fixture, list: &str, output: &std::path::Path) -> String {
    let data_dir = fixture.data_dir();
    let arguments = ["match", "--data-dir", text(&data_dir), "-", "--output", text(output)];
    let mut child =
        command(&arguments).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A list without an end: its note is there once its columns were told.
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&list.as_bytes()[..list.len() - 1]).unwrap();
    pipe.write_all(&[b'x'; 128 * 1024]).unwrap();
    let path = fixture.path("out.csv.partial.run");
    while !std::fs::read_to_string(&path).is_ok_and(|note| note.ends_with('\n')) {
        std::thread::yield_now();
    }
    let note = std::fs::read_to_string(&path).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    note
}

#[test]
fn two_runs_do_not_write_one_file() {
    let fixture = fixture();
    let output = fixture.path("out.csv");
    let partial = std::fs::File::create(fixture.path("out.csv.partial")).unwrap();
    partial.lock().unwrap();
    matched(&fixture, LIST.as_bytes(), &["--output", text(&output)])
        .fails(1, &["another run writes"]);
}

#[test]
fn added_cells_are_no_formulas_and_the_lists_own_stay() {
    let fixture = Fixture::new();
    let row = "970000005,=SUM(A1) FUND,,5 BIRCH ST,RENO,NV,89501-0000,0000,03,3,1000,199001,1,15,000000000,1,01,202412,\
               5,5,01,0,12,1,1,1,T20,";
    fixture.write_master("eo_more.csv", &[row]);
    fixture.build().succeeds();
    let list = "name,street,city,state,zip\n=Sum(A1) Fund,5 Birch St,Reno,NV,89501\n";
    let ran = matched(&fixture, list.as_bytes(), &[]);
    let columns = ["name", "ein", "matched_name"];
    let rows = cells(ran.succeeds(), b',', &columns);
    assert_eq!(rows[0][..2], ["=Sum(A1) Fund", "970000005"]);
    assert!(rows[0][2].starts_with("'="), "{rows:?}");
}
