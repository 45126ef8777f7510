//! The command line as its user meets it: what it prints, how it fails, its exit codes.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::fixture::{Fixture, MASTER_HEADER, MASTER_ROWS, command, run, text};

#[test]
fn builds_serves_offline_verifies_and_inspects() {
    let fixture = Fixture::new();
    let summary = fixture.build();
    assert!(summary.succeeds().contains("published snapshot"), "{summary:?}");
    assert!(summary.out.contains("4 organizations"), "{summary:?}");

    let details = fixture.get("/nonprofits/details/970000002");
    details.succeeds();
    let details = details.json();
    assert_eq!(details["name"], "Maple River PTA");
    assert_eq!(details["alt_name"], "Maple School");
    assert_eq!(details["city"], "Salt Lake City");
    assert_eq!(details["revenueGrandTotal"], serde_json::Value::Null);
    assert_eq!(details["ntee"], "B94");
    // No revocation list was built.
    assert_eq!(details["inactive"], serde_json::Value::Null);

    let suggestions = fixture.get("/typeahead/nonprofits?q=maple+ri");
    suggestions.succeeds();
    assert_eq!(suggestions.json()["count"], 2);
    // Not an active 501(c)(3): not suggested, unless asked for by number.
    assert_eq!(fixture.get("/typeahead/nonprofits?q=order+of").json()["count"], 0);
    assert_eq!(fixture.get("/typeahead/nonprofits?q=97-0000003").json()["count"], 1);

    let data_dir = fixture.data_dir();
    assert!(run(&["verify", "--data-dir", text(&data_dir)]).succeeds().contains("is whole"));
    let inspected = run(&["inspect", "--data-dir", text(&data_dir)]);
    assert!(inspected.succeeds().contains("eo_test.csv"), "{inspected:?}");
    let manifest = run(&["inspect", "--json", "--data-dir", text(&data_dir)]).json();
    let built_at = manifest["built_at"].as_str().unwrap();
    assert_eq!(built_at.len(), "2026-04-01T12:00:00Z".len(), "whole seconds: {built_at}");
}

#[test]
fn exit_codes_of_get() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    for (path, code) in [
        ("/nonprofits/details/970000001", 0),
        ("/nonprofits/details/970000009", 3),
        ("/nonprofits/details/97-0000001", 2),
        ("/typeahead/nonprofits?q=a", 2),
        ("/nope", 3),
    ] {
        let ran = fixture.get(path);
        assert_eq!(ran.code, Some(code), "{path}: {ran:?}");
        assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok(), "{path}: {ran:?}");
    }
    run(&["get", "--data-dir", "x"]).code.is_some_and(|code| code == 2).then_some(()).unwrap();
}

#[test]
fn filters_sort_and_page() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let names = |path: &str| -> Vec<String> {
        let found = fixture.get(path);
        found.succeeds();
        let rows = found.json()["nonprofits"].as_array().unwrap().clone();
        rows.iter().map(|row| row["ein"].as_str().unwrap()[8..].to_owned()).collect()
    };
    let base = "/beta/nonprofits/search";
    for (query, expected) in [
        ("", vec!["1", "2", "3", "4"]),
        ("state=vt", vec!["1", "3"]),
        ("city=salt%20lake%20city", vec!["2"]),
        ("city=SALT+LAKE+CTY", vec!["2"]),
        ("county=Chittenden+County", vec!["1", "3"]),
        ("zip_code=82001", vec!["4"]),
        ("ntee_codes=b,T2", vec!["2", "4"]),
        ("foundation=true", vec!["4"]),
        ("foundation=false&deductible_donations=true", vec!["1", "2"]),
        ("subsection_codes=08", vec!["3"]),
        ("min_revenue=0", vec!["1"]),
        ("min_assets=900000&max_assets=2500000", vec!["1", "4"]),
        ("latitude=44.48&longitude=-73.21&location_range=30", vec!["1", "3"]),
        // The greatest by assets stands before those of which neither is known.
        ("page=2&size=3", vec!["3"]),
        ("page=9", vec![]),
        ("page=9223372036854775807&size=100", vec![]),
        ("page=99999999999999999999999&size=1", vec![]),
        ("ntee_codes=A2,A2,Z,T20,B9,B9", vec!["2", "4"]),
        ("ntee_codes=T201,,T2x", vec![]),
        ("sort=score,score,-name,name&size=1", vec!["4"]),
    ] {
        let mut found = names(&format!("{base}?{query}"));
        if !query.contains("page") {
            found.sort();
        }
        assert_eq!(found, expected, "{query}");
    }
    assert_eq!(names(&format!("{base}?sort=name")), ["1", "2", "3", "4"]);
    assert_eq!(names(&format!("{base}?sort=-name")), ["4", "3", "2", "1"]);
    assert_eq!(names(&format!("{base}?sort=-assets,name"))[..2], ["4", "1"]);
}

#[test]
fn counties_are_a_list_and_a_misspelt_one_is_told() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let data_dir = fixture.data_dir();
    let run = |command: &str, county: &str| {
        run(&[command, "--data-dir", text(&data_dir), "--state", "VT", "--county", county])
    };
    let found = run("search", "Addison, Chittenden");
    assert!(found.succeeds().contains("970000001"), "{found:?}");
    for command in ["search", "aggregate"] {
        let none = run(command, "Chitenden");
        assert_eq!(none.code, Some(3), "{none:?}");
        assert!(none.err.contains("nearest by name: Chittenden"), "{none:?}");
    }
}

/// Of New York one return is loaded and no master file, and of revocations no list.
#[test]
fn what_is_not_loaded_is_said() {
    let fixture = Fixture::new();
    let xml = "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\"><ReturnHeader>\
         <TaxPeriodEndDt>2024-06-30</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>\
         <EIN>970000008</EIN><BusinessName><BusinessNameLine1Txt>HUDSON FOOD BANK\
         </BusinessNameLine1Txt></BusinessName><USAddress><CityNm>ALBANY</CityNm>\
         <StateAbbreviationCd>NY</StateAbbreviationCd><ZIPCd>12207</ZIPCd></USAddress></Filer>\
         <TaxYr>2024</TaxYr></ReturnHeader><ReturnData><IRS990>\
         <CYTotalRevenueAmt>5</CYTotalRevenueAmt></IRS990></ReturnData></Return>";
    fs::write(fixture.inputs().join("return.xml"), xml).unwrap();
    fixture.build().succeeds();
    let data_dir = fixture.data_dir();
    let search = |query: &str| {
        let found = run(&["search", "--data-dir", text(&data_dir), query]);
        format!("{}{}", found.out, found.err)
    };
    let york = "no master file of New York is loaded, so nonprofits there cannot be found";
    for (query, parts) in [
        ("food banks in New York", vec!["1 nonprofit matches", york]),
        ("food banks in Ohio", vec!["0 nonprofits match", "no master file of Ohio is loaded"]),
        (
            "revoked nonprofits in Vermont",
            vec!["No nonprofit is known to match", "no revocation list is loaded"],
        ),
    ] {
        let said = search(query);
        parts.iter().for_each(|part| assert!(said.contains(part), "{query}: {said}"));
    }
    assert!(!search("food banks in Vermont").contains("is loaded"));
    let chat = |message: &str| fixture.get(&format!("/chat?q={message}")).json();
    let found = chat("revoked%20nonprofits%20in%20Vermont");
    let said = found["message"].as_str().unwrap();
    assert!(said.contains("list of revoked exemptions is not loaded"), "{said}");
    let found = chat("is%20EIN%20970000002%20in%20good%20standing%3F");
    let said = found["message"].as_str().unwrap();
    assert!(said.contains("could not check revocation"), "{said}");
    let standing = fixture.get("/nonprofits/standing/970000008").json();
    assert_eq!((&standing["in_master_file"], &standing["inactive"]), (&false.into(), &().into()));

    let covered = run(&["coverage", "--data-dir", text(&data_dir)]);
    for part in ["5 organizations, 4 of them in a master file", "not loaded", "New York", "2024"] {
        assert!(covered.succeeds().contains(part), "{covered:?}");
    }
    let covered = run(&["coverage", "--json", "--data-dir", text(&data_dir)]).json();
    assert_eq!(covered["states"]["NY"]["count"]["in_master_file"], 0);
}

#[test]
fn typeahead_of_odd_texts() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    for (typed, expected) in [
        ("maple%20", 2),
        ("%20%20maple", 2),
        ("MAPLE-RIVER", 2),
        ("ma", 2),
        ("schoo", 1),
        ("%20%20", 0),
        ("%27%27%27", 0),
        ("%00%00", 0),
        ("%F0%9F%8C%BB%F0%9F%8C%BB", 0),
        ("%FF%FE", 0),
        ("97-000-0002", 1),
        ("970000009", 0),
        ("97-0000001%20inc", 0),
        (&"maple%20".repeat(16)[..8 * 12 + 4], 0),
    ] {
        let found = fixture.get(&format!("/typeahead/nonprofits?limit=25&q={typed}"));
        found.succeeds();
        assert_eq!(found.json()["count"], expected, "{typed:?}: {found:?}");
    }
}

#[test]
fn what_is_damaged_is_named_where_the_answer_says_only_500() {
    let fixture = Fixture::new();
    // So many that their cards are several blocks, of which opening verifies the last alone.
    let row = |number| MASTER_ROWS[0].replacen("970000001", &format!("97{number:07}"), 1);
    let rows: Vec<String> = (10..4_000).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    fixture.write_master("eo_more.csv", &rows);
    fixture.build().succeeds();
    let cards = |path: &PathBuf| path.ends_with("typeahead/cards");
    let path = files(&fixture.data_dir()).into_iter().find(cards).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let opened = bytes.len() - 64 * 1024;
    bytes[..opened].iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&path, bytes).unwrap();
    let ran = fixture.get("/typeahead/nonprofits?q=maple");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.json()["detail"], "Internal Server Error");
    assert!(ran.err.contains("typeahead/cards is damaged"), "{ran:?}");
    assert!(ran.err.contains("almoner verify"), "{ran:?}");
}

#[test]
fn a_revoked_organization_is_found_by_its_number_only() {
    let fixture = Fixture::new();
    let revoked = "970000001|MAPLE RIVER FOOD SHELF INC||1 MAIN ST|BURLINGTON|VT|05401|US|03|\
                   15-MAY-2020|09-JUN-2020|\n";
    fs::write(fixture.inputs().join("revoked.txt"), revoked).unwrap();
    fixture.build().succeeds();
    assert_eq!(fixture.get("/nonprofits/details/970000001").json()["inactive"], true);
    let suggested = |typed: &str| {
        let answer = fixture.get(&format!("/typeahead/nonprofits?q={typed}")).json();
        answer["results"].as_array().unwrap().iter().map(|row| row["ein"].clone()).collect()
    };
    let by_name: Vec<_> = suggested("maple+river");
    assert_eq!(by_name, ["970000002"]);
    let by_number: Vec<_> = suggested("97-0000001");
    assert_eq!(by_number, ["970000001"]);
}

#[test]
fn a_data_directory_that_may_only_be_read_is_served() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let data_dir = fixture.data_dir();
    let created = run(&["keys", "create", "--data-dir", text(&data_dir), "--name", "reader"]);
    let key = created.succeeds().trim().to_owned();
    let allow = |mode| {
        let folders = [data_dir.clone(), data_dir.join("snapshots")];
        for folder in folders {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let state = || (fs::metadata(&data_dir).unwrap().modified().unwrap(), files(&data_dir));
    let before = state();
    // Whoever runs tests as root may write all the same; the times and names tell.
    allow(0o555);
    let got = fixture.get("/nonprofits/details/970000001");
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&data_dir)];
    let answer = served(&arguments, &key, "/nonprofits/details/970000001");
    allow(0o755);
    got.succeeds();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.trim_end().ends_with(got.out.trim_end()), "{answer}");
    assert_eq!(state(), before);
}

/// The answer of a server of its own to one request.
pub fn served(arguments: &[&str], key: &str, path: &str) -> String {
    let mut server = command(arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        Some(line.unwrap().split_once("listening on http://")?.1.trim().to_owned())
    });
    let ask = |address: String| -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        let head = format!("GET {path} HTTP/1.1\r\nHost: it\r\nX-API-Key: {key}\r\n");
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    let answer = address.map(ask);
    server.kill().unwrap();
    server.wait().unwrap();
    answer.expect("the server says where it listens").unwrap()
}

/// Every file below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn inputs_that_cannot_be_built() {
    let fixture = Fixture::new();
    let build = |input: &str| {
        let data_dir = fixture.data_dir();
        run(&["build", "--no-semantic", "--data-dir", text(&data_dir), input])
    };
    let write = |name: &str, bytes: &[u8]| {
        let path = fixture.path(name);
        fs::write(&path, bytes).unwrap();
        text(&path).to_owned()
    };
    build(text(&fixture.path("absent.csv"))).fails(1, &["absent.csv"]);
    build(&write("empty.csv", b"")).fails(1, &["empty.csv", "empty"]);
    build(&write("letter.txt", b"Dear Sir,\nplease find enclosed\n")).fails(1, &["letter.txt"]);
    build(&write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")).fails(1, &["picture.png"]);

    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("notes.txt", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(b"nothing of use").unwrap();
    let archive = archive.finish().unwrap().into_inner();
    build(&write("wrong.zip", &archive)).fails(1, &["wrong.zip"]);
    build(&write("cut.zip", &archive[..40])).fails(1, &["cut.zip"]);

    let nothing = fixture.path("nothing");
    fs::create_dir(&nothing).unwrap();
    build(text(&nothing)).fails(1, &["nothing"]);
    assert!(!fixture.data_dir().join("CURRENT").exists());
    let left: Vec<_> = fs::read_dir(fixture.data_dir())
        .map(|entries| entries.map(|entry| entry.unwrap().file_name()).collect())
        .unwrap_or_default();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("staging")), "{left:?}");
}

#[test]
fn too_many_rejects_fail_the_build_and_keep_the_old_snapshot() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let bad = MASTER_ROWS[0].replace("970000001", "97000000X");
    fixture.write_master("eo_test.csv", &[MASTER_ROWS[0], &bad]);
    fixture.build().fails(1, &["rejects.ndjson", "EIN"]);
    assert_eq!(fixture.get("/nonprofits/details/970000004").code, Some(0));

    let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
    let arguments = ["build", "--reject-limit", "50", "--data-dir", text(&data_dir), text(&inputs)];
    run(&arguments).succeeds();
    assert_eq!(fixture.get("/nonprofits/details/970000004").code, Some(3));
    assert_eq!(fixture.get("/nonprofits/details/970000001").code, Some(0));
}

#[test]
fn data_directories_that_cannot_be_served() {
    let fixture = Fixture::new();
    let serve = |data_dir: &str| run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", data_dir]);
    serve(text(&fixture.path("absent"))).fails(1, &["absent"]);
    let file = fixture.path("file");
    fs::write(&file, "text").unwrap();
    serve(text(&file)).fails(1, &["file"]);
    serve(text(&fixture.inputs())).fails(1, &["inputs", "almoner build"]);

    fixture.build().succeeds();
    let current = fixture.data_dir().join("CURRENT");
    let whole = fs::read(&current).unwrap();
    fs::write(&current, "nonsense\n").unwrap();
    serve(text(&fixture.data_dir())).fails(1, &["CURRENT"]);
    fs::write(&current, &whole).unwrap();

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    run(&["serve", "--listen", &address, "--data-dir", text(&fixture.data_dir())])
        .fails(1, &[&address, "in use"]);
}

#[test]
fn a_data_directory_that_cannot_be_written() {
    let fixture = Fixture::new();
    let file = fixture.path("file");
    fs::write(&file, "text").unwrap();
    let inside = file.join("data");
    let ran = run(&["build", "--data-dir", text(&inside), text(&fixture.inputs())]);
    ran.fails(1, &["file"]);
    // A file system that takes no files at all.
    let ran = run(&["build", "--data-dir", "/proc/almoner", text(&fixture.inputs())]);
    ran.fails(1, &["/proc/almoner"]);
}

#[test]
fn a_second_build_at_the_same_time_is_refused() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let lock = fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(fixture.data_dir().join("build.lock"))
        .unwrap();
    lock.lock().unwrap();
    fixture.build().fails(1, &["build"]);
    drop(lock);
    fixture.build().succeeds();
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for arguments in [
        &["build"][..],
        &["build", "--data-dir", "x", "--reject-limit", "101", "y"],
        &["build", "--data-dir", "x", "--fall-max", "101", "y"],
        &["generate", "x", "--organizations", "2000001"],
        &["generate", "x", "--organizations", "0"],
        &["nope"],
        &["serve", "--data-dir", "x", "--listen", "8080"],
        &["serve", "--data-dir", "x", "--cors-origin", "example.org"],
        &["get", "--data-dir", "x", "/typeahead/nonprofits?q=red cross"],
        &["get", "--data-dir", "x", "nonprofits/details/970000001"],
        &["completions", "tcsh-like"],
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(run(&["--version"]).code, Some(0));
    assert!(MASTER_HEADER.starts_with("EIN,"));
}

#[test]
fn prints_openapi_and_completions() {
    let document = run(&["openapi"]).json();
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert!(run(&["completions", "bash"]).succeeds().contains("almoner"));
}

#[test]
fn generated_data_builds() {
    let fixture = Fixture::new();
    let folder = fixture.path("generated");
    run(&["generate", text(&folder), "--organizations", "500", "--seed", "7"]).succeeds();
    run(&["generate", text(&folder)]).fails(1, &["exists already"]);
    run(&["generate", text(&folder.join("README.txt"))]).fails(1, &["is no folder"]);
    let data_dir = fixture.data_dir();
    let ran = run(&["build", "--data-dir", text(&data_dir), text(&folder)]);
    assert!(ran.succeeds().contains("500 organizations"), "{ran:?}");
}

#[test]
fn one_nonprofit_is_inspected_with_what_feeds_and_curated_records_bring() {
    let fixture = Fixture::new();
    let write = |name: &str, content: &str| {
        std::fs::write(fixture.inputs().join(name), content).unwrap();
    };
    write(
        "news.xml",
        "<rss version=\"2.0\"><channel><item><title>We planted trees</title><guid>1</guid>\
         <pubDate>Wed, 01 May 2024 12:00:00 GMT</pubDate></item></channel></rss>",
    );
    write(
        "curated.ndjson",
        "{\"kind\":\"metric\",\"metric_id\":\"m1\",\"ein\":\"970000001\",\"metric_text\":\
         \"planted 9 trees\",\"date_added\":\"2024-05-01\"}\n",
    );
    let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
    let build = ["build", "--no-semantic", "--data-dir", text(&data_dir), "--feed-ein"];
    run(&[&build[..], &["97-0000001", text(&inputs)]].concat()).succeeds();
    let inspect = |ein: &str| run(&["inspect", "--data-dir", text(&data_dir), "--ein", ein]);
    let inspected = inspect("97-0000001");
    inspected.succeeds();
    let kept = inspected.json();
    assert_eq!(kept["organization"]["exemption"]["ruling"], "1999-05");
    assert_eq!(kept["metrics"][0]["date_added"], "2024-05-01T00:00:00Z");
    assert_eq!(kept["filings"], serde_json::json!([]));
    let posts = fixture.get("/feed/posts").json();
    assert_eq!(
        (&posts["total"], &posts["items"][0]["post_title"]),
        (&1.into(), &"We planted trees".into())
    );
    assert_eq!(posts["items"][0]["organization_name"], "Maple River Food Shelf Inc");
    inspect("970000009").fails(3, &["no nonprofit with EIN 970000009"]);
    assert_eq!(inspect("9700").code, Some(2));
}
