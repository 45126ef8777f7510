//! Which files are reports, and whose.

use super::*;

/// Names of the reports that are found, with the EINs that they are assigned to.
fn reports(found: &Discovery) -> Vec<(String, Option<String>)> {
    let of_kind = found.sources.iter().filter(|source| source.kind == SourceKind::Report);
    let ein = |source: &Source| source.assignment.as_ref().map(|one| one.ein.to_string());
    of_kind.map(|source| (source.name(), ein(source))).collect()
}

fn named(name: &str, ein: Option<&str>) -> (String, Option<String>) {
    (name.to_owned(), ein.map(str::to_owned))
}

#[test]
fn reports_are_assigned_by_tables_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("17-0000002/2024")).unwrap();
    fs::write(at("eo1.csv"), master_file()).unwrap();
    fs::write(at("a.pdf"), "%PDF-1.7\n").unwrap();
    fs::write(at("listed.txt"), "We served many.").unwrap();
    fs::write(at("notes.txt"), "Read me.").unwrap();
    fs::write(at("170000001.html"), "<html><p>Hello</p>").unwrap();
    fs::write(at("failed.html"), "<html><p>Not found</p>").unwrap();
    fs::write(at("states.html"), "<html><p>Our EIN is 17-0000003.</p>").unwrap();
    fs::write(at("17-0000002/2024/report.txt"), "We served more.").unwrap();
    zip_of(&at("document.docx"), &[("word/document.xml", b"<w/>")]);
    zip_of(
        &at("all.zip"),
        &[("b.pdf", b"%PDF-"), ("170000004/c.txt", b"c"), ("d.txt", b"d"), ("e.txt", b"e")],
    );
    let table = "file,ein,year,url\nlisted.txt,170000005,2024,https://example.org/a\n\
                 all.zip/d.txt,170000006,,\nabsent.pdf,170000007,,\n";
    fs::write(at("whose.csv"), table).unwrap();
    let found = discover(&[folder.path().to_owned()], None).unwrap();
    assert_eq!(
        reports(&found),
        [
            named("report.txt", Some("170000002")),
            named("170000001.html", Some("170000001")),
            named("a.pdf", None),
            named("all.zip!b.pdf", None),
            named("all.zip!170000004/c.txt", Some("170000004")),
            named("all.zip!d.txt", Some("170000006")),
            named("document.docx", None),
            named("listed.txt", Some("170000005")),
            named("states.html", None),
        ]
    );
    let listed = found.sources.iter().find_map(|source| source.assignment.as_ref()?.url.clone());
    assert_eq!(listed.as_deref(), Some("https://example.org/a"));
    let mut skipped: Vec<String> = found
        .skipped
        .iter()
        .map(|one| format!("{}: {}", one.path.file_name().unwrap().to_string_lossy(), one.why))
        .collect();
    skipped.sort();
    let expected = [
        "absent.pdf: listed as a feed or report",
        "all.zip!e.txt: none of the known layouts",
        "failed.html: a web page",
        "notes.txt: none of the known layouts",
    ];
    assert_eq!(skipped.len(), expected.len(), "{skipped:?}");
    for (found, expected) in skipped.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    // The bytes of each, and of a ZIP file's member the hash of its own.
    let (summary, read) =
        read_source(found.sources.iter().find(|one| one.name() == "all.zip!b.pdf").unwrap());
    assert_eq!(read.records, [(1, Record::Report(b"%PDF-".to_vec()))]);
    assert_eq!(
        (summary.bytes, summary.sha256),
        (5, HEXLOWER.encode(&sha2::Sha256::digest(b"%PDF-")))
    );
}

#[test]
fn a_folder_of_files_that_nobody_assigned_is_refused_as_one_without_sources() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "Read me.").unwrap();
    for path in [folder.path().to_owned(), folder.path().join("notes.txt")] {
        let error = discover(&[path], None).unwrap_err().to_string();
        assert!(error.contains("none of the known layouts"), "{error}");
    }
    fs::write(folder.path().join("whose.csv"), "file,ein\nnotes.txt,17-0000001\n").unwrap();
    let found = discover(&[folder.path().to_owned()], None).unwrap();
    assert_eq!(reports(&found), [named("notes.txt", Some("170000001"))]);
}
