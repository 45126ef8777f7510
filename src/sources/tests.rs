//! Discovery and reading on folders made by hand: lists, returns, curated records, feeds and ZIPs.

#![allow(clippy::unwrap_used)]

mod real_files;
mod reports;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::Digest;

use super::*;

const COLUMNS: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,\
    CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,\
    ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,\
    NTEE_CD,SORT_NAME";

fn master_file() -> String {
    format!("{COLUMNS}\r\n170000001,A CLUB{}\r\n", ",".repeat(26))
}

/// A return of Form 990-EZ of an EIN.
fn filed(ein: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n\
         <Return xmlns=\"http://www.irs.gov/efile\" returnVersion=\"2022v5.0\">\
         <ReturnHeader><TaxPeriodEndDt>2022-12-31</TaxPeriodEndDt>\
         <ReturnTypeCd>990EZ</ReturnTypeCd><Filer><EIN>{ein}</EIN><BusinessName>\
         <BusinessNameLine1Txt>A CLUB</BusinessNameLine1Txt></BusinessName></Filer>\
         <TaxYr>2022</TaxYr></ReturnHeader><ReturnData><IRS990EZ>\
         <TotalRevenueAmt>12</TotalRevenueAmt></IRS990EZ></ReturnData></Return>"
    )
}

const FEED: &str = "<rss version=\"2.0\"><channel><title>News</title><item>\
    <title>We planted trees</title><guid>1</guid></item></channel></rss>";

/// Everything that reading finds.
#[derive(Debug, Default)]
struct Found {
    records: Vec<(u64, Record)>,
    rejects: Vec<Reject>,
}

fn read_source(source: &Source) -> (Summary, Found) {
    let mut found = Found::default();
    let summary = read(source, &mut |event| {
        match event {
            Event::Record { line, record } => found.records.push((line, record)),
            Event::Reject(reject) => found.rejects.push(reject),
            Event::Progress { .. } => {}
        }
        Ok::<_, ReadError>(())
    });
    (summary.unwrap(), found)
}

fn zip_of(path: &Path, members: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

const PUBLICATION: &[u8] = b"\n000003154|A|Norfolk|VA|United States|PC\n";

#[test]
fn folders_and_zip_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("b/c")).unwrap();
    fs::write(at("b/c/no-name"), master_file()).unwrap();
    fs::write(at("b/.hidden"), PUBLICATION).unwrap();
    fs::write(at("README.csv"), "read me").unwrap();
    fs::write(at("empty"), "").unwrap();
    zip_of(&at("a.pdf"), &[("data.txt", PUBLICATION), ("x", b"x"), ("__MACOSX/x", b"y")]);
    zip_of(&at("inner.zip"), &[("data.txt", PUBLICATION)]);
    zip_of(&at("outer.zip"), &[("inner.zip", &fs::read(at("inner.zip")).unwrap())]);
    fs::write(at("cut.zip"), &fs::read(at("inner.zip")).unwrap()[..40]).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), at("b/loop")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("b/broken")).unwrap();
    }
    let found = discover(&[folder.path().to_owned(), at("inner.zip"), at("b")], None).unwrap();
    let names: Vec<String> = found.sources.iter().map(Source::name).collect();
    assert_eq!(names, ["a.pdf!data.txt", "no-name", "inner.zip!data.txt"]);
    let kinds: Vec<SourceKind> = found.sources.iter().map(|source| source.kind).collect();
    assert_eq!(
        kinds,
        [SourceKind::Publication78, SourceKind::MasterFile, SourceKind::Publication78]
    );
    let skipped: Vec<String> = found
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.path.display(), skipped.why))
        .collect();
    for expected in [
        "README.csv: none",
        "a.pdf!x: none",
        "empty: empty",
        "outer.zip: a ZIP file with nothing known in it (inner.zip: a ZIP file in a ZIP",
        "cut.zip: a damaged ZIP",
    ] {
        assert!(skipped.iter().any(|line| line.contains(expected)), "{expected}: {skipped:#?}");
    }
    let (summary, rows) = read_source(&found.sources[0]);
    assert_eq!((summary.rows, rows.records[0].0), (1, 2));
    assert_eq!(summary.bytes, fs::metadata(at("a.pdf")).unwrap().len());
    let digest = sha2::Sha256::digest(fs::read(at("a.pdf")).unwrap());
    assert_eq!(summary.sha256, HEXLOWER.encode(&digest));
    let (summary, _) = read_source(&found.sources[1]);
    assert_eq!(summary.bytes, master_file().len() as u64);
    assert!(summary.modified_seconds > 1_600_000_000);
}

#[test]
fn sources_of_one_file_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["april/master/eo1.csv", "may/master/eo1.csv", "may/master/eo2.csv"] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, master_file()).unwrap();
    }
    let found = discover(&[folder.path().to_owned()], None).unwrap();
    let names: Vec<_> = found.sources.iter().map(Source::name).collect();
    assert_eq!(names, ["april/master/eo1.csv", "may/master/eo1.csv", "eo2.csv"]);
    let (summary, _) = read_source(&found.sources[1]);
    assert_eq!(summary.name, "may/master/eo1.csv");
}

#[test]
fn refusals_say_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("bare")).unwrap();
    fs::create_dir_all(at("text")).unwrap();
    fs::write(at("text/README"), "read me").unwrap();
    fs::write(at("empty"), " \r\n").unwrap();
    fs::write(at("short.csv"), COLUMNS.rsplit_once(',').unwrap().0).unwrap();
    zip_of(&at("wrong.zip"), &[("x", b"x")]);
    zip_of(&at("none.zip"), &[]);
    for (name, expected) in [
        ("absent", "absent: no such file or folder"),
        ("empty", "empty: empty; expected a master file"),
        ("text/README", "README: none of the known layouts; expected"),
        ("short.csv", "IRS master file extract without the column SORT_NAME; expected"),
        ("wrong.zip", "nothing known in it (x: none of the known layouts); expected"),
        ("none.zip", "a ZIP file with nothing in it; expected"),
        ("bare", "bare: nothing recognised among its 0 files; expected"),
        ("text", "nothing recognised among its 1 files ("),
    ] {
        let error = discover(&[at(name)], None).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{name}: {error}");
    }
    assert!(matches!(discover(&[], None), Err(DiscoverError::NoPaths)));
    assert!(discover(&[PathBuf::from("/dev/null")], None).is_err());
}

#[test]
fn a_damaged_zip_member_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    zip_of(&path, &[("data.txt", &PUBLICATION.repeat(5_000))]);
    let source = discover(std::slice::from_ref(&path), None).unwrap().sources.remove(0);
    let mut bytes = fs::read(&path).unwrap();
    // The checksum in the directory is the one that is held against the member.
    let directory = bytes.windows(4).rposition(|mark| mark == b"PK\x01\x02").unwrap();
    bytes[directory + 16] ^= 1;
    fs::write(&path, bytes).unwrap();
    let read = read(&source, &mut |_| Ok::<_, ReadError>(()));
    assert!(matches!(read, Err(ReadError::Io { .. } | ReadError::Zip { .. })), "{read:?}");
    fs::write(&path, "").unwrap();
    let read = super::read(&source, &mut |_| Ok::<_, ReadError>(()));
    assert!(matches!(read, Err(ReadError::Zip { .. })), "{read:?}");
}

#[test]
fn returns_of_a_folder_are_one_source() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, content) in [
        ("202300000000000001_public.xml", filed("170000001")),
        ("b.xml", filed("170000002")),
        ("cut.xml", filed("170000003")[..400].to_owned()),
        (
            "late.xml",
            filed("170000007").replace("990EZ", "990T").replace("2022-12-31", "2199-12-31"),
        ),
        ("other.xml", filed("170000004").replace("http://www.irs.gov/efile", "urn:other")),
        ("unrelated.xml", filed("170000005").replace("990EZ", "990T")),
        ("wrong.xml", filed("170000006").replace("2022-12-31", "2199-12-31")),
        ("page.html", "<html></html>".to_owned()),
    ] {
        fs::write(at(name), content).unwrap();
    }
    let found = discover(&[folder.path().to_owned()], None).unwrap();
    let [source] = found.sources.as_slice() else { panic!("{found:?}") };
    assert_eq!((source.kind, found.skipped.len()), (SourceKind::Returns, 1));
    let (summary, read) = read_source(source);
    assert_eq!((summary.rows, summary.rejects), (3, 4));
    let filings: Vec<_> = read
        .records
        .iter()
        .map(|(_, record)| match record {
            Record::Filing(filing, _) => (filing.ein.as_str(), filing.object_id.as_deref()),
            Record::UnrelatedBusiness(ein, period) => {
                assert_eq!(period.first_day(), "2022-12-01");
                (ein.as_str(), None)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let numbered = Some("202300000000000001");
    assert_eq!(filings, [("170000001", numbered), ("170000002", None), ("170000005", None)]);
    let rejected: Vec<_> = read.rejects.iter().map(|reject| reject.source.as_str()).collect();
    assert_eq!(rejected, ["cut.xml", "late.xml", "other.xml", "wrong.xml"]);
    for late in [1, 3] {
        assert_eq!(read.rejects[late].found, "2199-12-31");
    }
    let bytes: u64 = found.text_bytes;
    assert_eq!(summary.bytes, bytes);
    // A file that is named is a source of its own.
    let (summary, _) = read_source(&discover(&[at("b.xml")], None).unwrap().sources[0]);
    assert_eq!((summary.rows, summary.name.as_str()), (1, "b.xml"));
}

#[test]
fn returns_of_a_zip_are_one_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2023_TEOS_XML_01A.zip");
    let inner = folder.path().join("inner.zip");
    zip_of(&inner, &[("x", b"x")]);
    let members: Vec<(String, Vec<u8>)> = (0..300)
        .map(|at| (format!("{at:018}_public.xml"), filed(&format!("17{at:07}")).into_bytes()))
        .chain([
            ("data.txt".to_owned(), PUBLICATION.to_vec()),
            ("in.zip".to_owned(), fs::read(&inner).unwrap()),
            ("notes.txt".to_owned(), b"notes".to_vec()),
        ])
        .collect();
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    zip_of(&path, &members);
    let found = discover(std::slice::from_ref(&path), None).unwrap();
    let [source] = found.sources.as_slice() else { panic!("{found:?}") };
    let (summary, read) = read_source(source);
    assert_eq!((summary.rows, summary.rejects), (300, 3));
    let found: Vec<_> =
        read.rejects.iter().map(|reject| (reject.source.as_str(), reject.found.as_str())).collect();
    assert_eq!(found[0].0, "2023_TEOS_XML_01A.zip!data.txt");
    assert!(found[1].1.starts_with("a ZIP file in a ZIP file"), "{found:?}");
    let names: Vec<_> = read.records.iter().map(|(_, record)| record.clone()).collect();
    let Record::Filing(first, _) = &names[0] else { panic!("{names:?}") };
    assert_eq!(first.object_id.as_deref(), Some("000000000000000000"));
    // The order is that of the ZIP, however many cores read it.
    let Record::Filing(last, _) = &names[299] else { panic!("{names:?}") };
    assert_eq!(last.ein.as_str(), "170000299");
}

#[test]
fn feeds_get_their_eins() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("known.xml"), FEED).unwrap();
    fs::write(at("other.xml"), FEED).unwrap();
    fs::write(at("feeds.csv"), "feed,ein\nknown.xml,17-0000001\n").unwrap();
    let eins = |feed_ein: Option<&str>| -> Vec<(u64, u64)> {
        let feed_ein = feed_ein.map(|ein| ein.parse().unwrap());
        let found = discover(&[folder.path().to_owned()], feed_ein).unwrap();
        assert_eq!(found.skipped, []);
        let summaries = found.sources.iter().map(|source| read_source(source).0);
        summaries.map(|summary| (summary.rows, summary.rejects)).collect()
    };
    assert_eq!(eins(Some("170000002")), [(1, 0), (1, 0)]);
    // A file of that name elsewhere is another.
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/known.xml"), FEED).unwrap();
    assert_eq!(eins(None), [(1, 0), (0, 1), (0, 1)]);
    fs::write(at("feeds.csv"), "feed,ein\nknown.xml,170000001\nsub/known.xml,170000002\n").unwrap();
    assert_eq!(eins(None), [(1, 0), (0, 1), (1, 0)]);
    fs::remove_dir_all(at("sub")).unwrap();
    let found = discover(&[folder.path().to_owned()], None).unwrap();
    assert!(found.skipped[0].why.starts_with("listed as a feed"), "{found:?}");
    fs::write(at("feeds.csv"), "feed,ein\nknown.xml,17-0000001\n").unwrap();
    // Nothing is published under nobody's name.
    assert_eq!(eins(None), [(1, 0), (0, 1)]);
    fs::write(at("feeds.csv"), "feed,ein\nknown.xml;17-0000001\n").unwrap();
    let error = discover(&[folder.path().to_owned()], None).unwrap_err().to_string();
    assert!(error.contains("feeds.csv: line 2: expected"), "{error}");
}

#[test]
fn curated_lines_are_records_or_rejects() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("curated.json");
    let lines = "{\"kind\":\"overlay\",\"ein\":\"170000001\",\"gcVetted\":true,\"colour\":1}\n\
        {\"kind\":\"story\"}\nnot json\n\n\
        {\"kind\":\"fund\",\"id\":1,\"title\":\"A fund\"}\n";
    fs::write(&path, lines).unwrap();
    let found = discover(&[path], None).unwrap();
    let (summary, read) = read_source(&found.sources[0]);
    assert_eq!((summary.kind, summary.rows, summary.rejects), (SourceKind::Curated, 2, 2));
    assert_eq!(summary.warnings.get("colour"), Some(&1));
    assert_eq!(read.records.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(read.rejects.iter().map(|reject| reject.line).collect::<Vec<_>>(), [2, 3]);
}

#[cfg(feature = "tables")]
#[test]
fn extracted_returns_are_the_source_that_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("in/files")).unwrap();
    fs::create_dir(at("out")).unwrap();
    zip_of(
        &at("in/a.zip"),
        &[
            ("202300000000000001_public.xml", filed("000000019").as_bytes()),
            ("x.xml", b"<Return"),
            ("y.xml", filed("000000027").as_bytes()),
        ],
    );
    for (name, ein) in [("1.xml", "000000035"), ("2.xml", "none"), ("3.xml", "000000043")] {
        fs::write(at("in/files").join(name), filed(ein)).unwrap();
    }
    fs::write(at("in/one.xml"), filed("bad")).unwrap();
    let discovered = |paths: &[PathBuf]| discover(paths, None).unwrap();
    let inputs = [at("in/a.zip"), at("in/files"), at("in/one.xml")];
    let read_all = |sources: &[Source]| -> Vec<_> {
        let all = sources.iter().map(read_source);
        all.map(|(summary, found)| (summary, found.records, found.rejects)).collect()
    };
    let expected = discovered(&inputs);
    for parts in [1, 2, 3, 5, 20] {
        let mut counts = (0, 0);
        for part in 1..=parts {
            let which = format!("{part}/{parts}").parse().unwrap();
            let (bytes, extraction) = extract(&expected, which, Vec::new()).unwrap();
            fs::write(at("out").join(format!("{part:02}.parquet")), bytes).unwrap();
            counts = (counts.0 + extraction.returns, counts.1 + extraction.rejects);
        }
        assert_eq!(counts, (4, 3));
        let found = discovered(&[at("out")]);
        assert_eq!(read_all(&found.sources), read_all(&expected.sources), "{parts} parts");
        fs::remove_dir_all(at("out")).unwrap();
        fs::create_dir(at("out")).unwrap();
    }
}

/// If this fails, returns are read into something else than before, or kept in another way: raise
/// `extraction::FORM`, so that what an older program extracted is refused, and note the new hash here.
#[test]
fn the_form_of_extracted_returns_is_raised_with_what_they_hold() {
    let name = "202300559349300125_public.xml";
    let content = filed("000000019").into_bytes();
    let read = crate::irs::efile::read(content.as_slice(), name).unwrap();
    let encoded = postcard::to_stdvec(&(read.filing, read.schedules)).unwrap();
    let elements = include_bytes!("../../data/efile_paths.tsv");
    let hash = sha2::Sha256::new().chain_update(encoded).chain_update(elements).finalize();
    let expected = (7, "0417e878d940714f");
    assert_eq!((EXTRACTION_FORM, &HEXLOWER.encode(&hash)[..16]), expected);
}
