//! Lists for programs: formats of `almoner search`, lists of any length, `almoner export` and `almoner aggregate`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::fixture::{Fixture, Ran, command, run, text};

/// Organizations beyond what one page, one read of the store and one laid-out part of a table hold.
const MANY: usize = 2_500;

/// A row of a master file; `number` tells it from others, and its revenue falls and ties.
fn row(number: usize) -> String {
    let revenue = 1_000_000 - (number % 1_000);
    format!(
        "96{number:07},NUMBER {number} CLUB,,1 MAIN ST,BURLINGTON,VT,05401-1234,0000,03,3,1000,199905,1,15,\
         000000000,1,01,202412,5,5,01,0,12,900000,800000,{revenue},K31,"
    )
}

/// One has a name that a spreadsheet would take for a formula and that CSV quotes, and less than no revenue.
const ODD_ROWS: [&str; 2] = [
    "970000021,\"=HYPERLINK(A1), \"\"INC\"\"\",,9 OAK ST,ALBANY,NY,12207-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,-77,N50,",
    "970000022,HOME CLUB,,9 OAK ST,ALBANY,NY,12207-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,100,N50,",
];

impl Fixture {
    fn list(&self, arguments: &[&str]) -> Ran {
        run(&[&["search", "--data-dir", text(&self.data_dir())], arguments].concat())
    }

    fn export(&self, arguments: &[&str]) -> Ran {
        run(&[&["export", "--data-dir", text(&self.data_dir())], arguments].concat())
    }

    fn with_many() -> Self {
        let fixture = Self::new();
        let rows: Vec<String> = (0..MANY).map(row).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        fixture.write_master("eo_many.csv", &rows);
        fixture.build().succeeds();
        fixture
    }

    fn with_odd() -> Self {
        let fixture = Self::new();
        fixture.write_master("eo_odd.csv", &ODD_ROWS);
        fixture.build().succeeds();
        fixture
    }
}

/// The values of a column of CSV.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[at].to_owned()).collect()
}

fn eins(ndjson: &str) -> Vec<String> {
    let ein = |line: &str| -> String {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["ein"].as_str().unwrap().to_owned()
    };
    ndjson.lines().map(ein).collect()
}

#[test]
fn a_list_of_any_length_is_the_pages_one_after_another() {
    let fixture = Fixture::with_many();
    for order in [&["--sort", "-revenue"][..], &["--sort", "name"], &["number", "--sort", "assets"]]
    {
        let all = fixture.list(&[order, &["--limit", "all", "--format", "ndjson"]].concat());
        let all = eins(all.succeeds());
        let pages: Vec<String> = ["1", "2", "3"]
            .iter()
            .flat_map(|page| {
                let arguments = ["--limit", "1000", "--page", page, "--json"];
                eins(&fixture.list(&[order, &arguments[..]].concat()).out)
            })
            .collect();
        assert_eq!(all, pages, "{order:?}");
    }
    let all = eins(fixture.list(&["--limit", "all", "--json"]).succeeds());
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((all.len(), distinct.len()), (MANY + 4, MANY + 4));
    // By words, without vectors, only what has one of them is listed.
    let named = fixture.list(&["number club", "--limit", "all", "--format", "csv"]);
    assert_eq!(column(named.succeeds(), "ein").len(), MANY, "{}", named.err);

    // A long table has one header, and stays aligned.
    let table = fixture.list(&["--limit", "all", "--quiet"]);
    let lines: Vec<&str> = table.succeeds().lines().collect();
    assert_eq!(lines.len(), MANY + 5);
    assert!(lines[0].starts_with("      EIN  name"), "{}", lines[0]);
    assert_eq!(lines.iter().filter(|line| line.contains("EIN")).count(), 1);
    assert_eq!(table.err, "");
}

#[test]
fn formats_of_a_search() {
    let fixture = Fixture::with_odd();
    let csv = fixture.list(&["--state", "NY", "--sort", "name", "--format", "csv"]);
    let header = csv.succeeds().lines().next().unwrap();
    assert!(
        header.starts_with("ein,name,url,summary,streetAddress,city,state,zipCode5,"),
        "{header}"
    );
    assert!(header.ends_with(",impactSummary,vectorScore"), "{header}");
    let mut names = column(&csv.out, "name");
    names.sort();
    assert_eq!(names, ["'=Hyperlink(A1), \"Inc\"", "Home Club"].map(str::to_owned), "{csv:?}");
    let mut revenue = column(&csv.out, "revenueGrandTotal");
    revenue.sort();
    assert_eq!(revenue, ["-77", "100"], "numbers are numbers");
    assert!(column(&csv.out, "vectorScore").iter().all(String::is_empty));

    let array = fixture.list(&["--state", "NY", "--format", "json"]).json();
    let lines = fixture.list(&["--state", "NY", "--format", "ndjson"]);
    let lines: Vec<serde_json::Value> =
        lines.succeeds().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, serde_json::Value::Array(lines));
    assert_eq!(fixture.list(&["--state", "NY", "--json"]).out.lines().count(), 2);

    // Of nothing, what is still well-formed.
    for (format, expected) in [("json", "[]\n"), ("ndjson", ""), ("table", "")] {
        let none = fixture.list(&["--state", "WA", "--format", format]);
        none.fails(3, &["nothing found"]);
        assert_eq!(none.out, expected, "{format}");
    }
    let none = fixture.list(&["--state", "WA", "--format", "csv"]);
    assert_eq!((none.code, none.out.lines().count()), (Some(3), 1), "{none:?}");
    for (arguments, part) in [
        (&["--format", "xml"][..], "possible values: table, csv, json, ndjson"),
        (&["--limit", "0"], "or all"),
        (&["--limit", "all", "--page", "2"], "leave out --page"),
    ] {
        let ran = fixture.list(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(part), "{ran:?}");
    }
}

#[test]
fn nonprofits_are_counted_and_added_up() {
    let fixture = Fixture::with_odd();
    let aggregate = |arguments: &[&str]| {
        run(&[&["aggregate", "--data-dir", text(&fixture.data_dir())], arguments].concat())
    };
    let asked = ["--ntee", "N50", "--group-by", "ntee,county", "--measure", "revenue"];
    let ran = aggregate(&asked);
    let cells: Vec<Vec<&str>> =
        ran.succeeds().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        cells[0].join(" "),
        "ntee state county nonprofits revenue known revenue sum revenue median"
    );
    assert_eq!(cells[1..], [["N", "NY", "Albany", "2", "2", "$23", "-$77"]]);
    assert!(ran.err.contains("2 nonprofits in 1 group"), "{}", ran.err);
    let written = |format| aggregate(&[&asked[..], &["--quiet", "--format", format]].concat());
    assert_eq!(
        written("csv").succeeds(),
        "ntee,state,county,count,revenue.known,revenue.unknown,revenue.sum,revenue.min,revenue.p10,revenue.p25,\
         revenue.median,revenue.p75,revenue.p90,revenue.max\n\
         N,NY,Albany,2,2,0,23,-77,-77,-77,-77,100,100,100\n"
    );
    let group = written("ndjson").json();
    assert_eq!((&group["county"], &group["revenue"]["sum"]), (&"Albany".into(), &23.into()));
    aggregate(&["--state", "TX"]).fails(3, &["no master file of Texas is loaded"]);
    aggregate(&["--group-by", "state", "--page", "9"]).fails(3, &["page 9", "lower --page"]);
    aggregate(&["--group-by", "state,ntee,size"]).fails(2, &["expected at most 2", "found 3"]);
    for (arguments, part) in [
        (["--group-by", "zip"], "ruling_decade"),
        (["--measure", "income"], "employees"),
        (["--sort", "revenue"], "-revenue_sum"),
        (["--limit", "101"], "1..=100"),
    ] {
        let ran = aggregate(&arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("invalid value") && ran.err.contains(part), "{ran:?}");
    }
}

#[test]
fn an_export_has_every_field_of_the_details() {
    let fixture = Fixture::with_odd();
    let folder = fixture.path("out");
    fixture.export(&[text(&folder)]).fails(1, &["is no folder", ".csv", "create the folder"]);
    let file = fixture.path("all.csv");
    fixture.export(&["--format", "ndjson", text(&file)]).fails(1, &["ends in .ndjson"]);
    let both = ["--tables", "organizations,people", text(&file)];
    fixture.export(&both).fails(1, &["is no folder, which 2 tables need"]);
    fixture.export(&[text(&folder.join("all.csv"))]).fails(1, &["is no folder; create it"]);
    fixture.export(&[text(&file)]).succeeds();
    fixture.export(&[text(&file)]).fails(1, &["all.csv is there already", "--force"]);
    fs::create_dir(&folder).unwrap();
    let exported = fixture.export(&[text(&folder)]);
    exported.succeeds();
    assert_eq!(exported.out, "");
    let summary = exported.err.lines().last().unwrap();
    assert!(summary.starts_with("6 nonprofits, ") && summary.contains(" s ("), "{summary}");
    let file = folder.join("nonprofits.csv");
    let csv = fs::read_to_string(&file).unwrap();
    assert_eq!(csv, fs::read_to_string(fixture.path("all.csv")).unwrap());
    let ndjson = fixture.export(&["--format", "ndjson", "--quiet", "-"]);
    assert_eq!(ndjson.err, "");
    let lines = ndjson.succeeds().lines();
    assert_eq!(column(&csv, "ein"), eins(&ndjson.out));
    for line in lines {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let ein = row["ein"].as_str().unwrap();
        assert_eq!(row, fixture.get(&format!("/nonprofits/details/{ein}")).json());
        let members: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(csv.lines().next().unwrap(), members.join(","));
    }

    // What is there stays, unless it may be replaced; nothing else is left in the folder.
    fs::write(&file, "mine").unwrap();
    fixture.export(&[text(&folder)]).fails(1, &["nonprofits.csv is there already", "--force"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    fixture.export(&["--force", text(&folder)]).succeeds();
    assert_eq!(fs::read_to_string(&file).unwrap(), csv);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn an_export_takes_filters_and_fields() {
    let fixture = Fixture::with_odd();
    let chosen = ["--fields", "state,ein", "--state", "vt", "--subsection", "03", "-"];
    assert_eq!(fixture.export(&chosen).succeeds(), "state,ein\nVT,970000001\n");
    let lines = fixture.export(&[&["--format", "ndjson"][..], &chosen].concat());
    assert_eq!(lines.succeeds(), "{\"state\":\"VT\",\"ein\":\"970000001\"}\n");
    // What is not loaded is said, however little else is.
    let none = fixture.export(&["--quiet", "--foundation", "true", "--state", "WA", "-"]);
    assert_eq!(none.succeeds().lines().count(), 1);
    for (arguments, parts) in [
        (&["--fields", "ein,nme", "-"][..], &["no field is called \"nme\"", "ein, name, url"][..]),
        (
            &["--format", "postgres", "-"],
            &["postgres is a folder of files", "the name of a new one"],
        ),
        (&["--format", "opensearch", "--fields", "ein", "x"], &["--fields is for csv and ndjson"]),
        (&["--tables", "people,grants", "-"], &["takes one table", "found 2"]),
        (
            &["--tables", "people", "--fields", "state", "-"],
            &["no field is called \"state\"", "roles"],
        ),
        (&["--with", "vectors", "-"], &["--with vectors is not for csv", "ndjson"]),
        (&["--min-assets", "10", "--max-assets", "5", "-"], &["expected --min-assets"]),
    ] {
        fixture.export(arguments).fails(2, parts);
    }
    let ran = fixture.export(&["--format", "xml", "-"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("csv, ndjson"), "{ran:?}");
    let ran = fixture.export(&["--tables", "nonprofits", "-"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("organizations, standing, filings, grants, people"), "{ran:?}");
    assert_eq!(fixture.export(&[]).code, Some(2));
    let vectors = fixture.export(&["--with", "vectors", "--format", "ndjson", "-"]);
    vectors.fails(1, &["built without embeddings", "leave out --with vectors"]);
    if !cfg!(feature = "tables") {
        let parquet = fixture.export(&["--format", "parquet", text(&fixture.path("new"))]);
        parquet.fails(2, &["parquet is not in this program", "--features tables", "csv or ndjson"]);
        assert!(!fixture.path("new").exists());
    }
}

/// The members of a row of NDJSON by its line.
fn rows(ndjson: &str) -> Vec<serde_json::Value> {
    ndjson.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_folder_for_postgres_has_every_row_and_replaces_nothing() {
    let fixture = Fixture::with_odd();
    let folder = fixture.path("postgres");
    let exported = fixture.export(&["--format", "postgres", text(&folder)]);
    exported.succeeds();
    assert!(
        exported.err.contains("6 organizations, 6 standing, 0 filings, 0 grants, 0 people"),
        "{exported:?}"
    );
    let schema = fs::read_to_string(folder.join("schema.sql")).unwrap();
    for part in [
        "CREATE TABLE organizations (\n    ein text NOT NULL PRIMARY KEY,\n    name text NOT NULL,",
        "irs_ruling_date date,",
        "sdgs bigint[],",
        "COMMENT ON COLUMN organizations.zip_code5 IS 'First five digits of the ZIP code",
        "CREATE TABLE people (",
        "schedule_j jsonb,",
    ] {
        assert!(schema.contains(part), "{part:?} is not in {schema}");
    }
    let lines = rows(fixture.export(&["--format", "ndjson", "-"]).succeeds());
    let copied = fs::read_to_string(folder.join("organizations.tsv")).unwrap();
    for (row, line) in lines.iter().zip(copied.lines()) {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), row.as_object().unwrap().len());
        let shown = |name: &str| match &row[name] {
            serde_json::Value::Null => "\\N".to_owned(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(cells[..5], ["ein", "name", "url", "summary", "streetAddress"].map(shown));
    }
    assert_eq!(copied.lines().count(), lines.len());
    let load = fs::read_to_string(folder.join("load.sql")).unwrap();
    assert!(load.contains("\\copy organizations from 'organizations.tsv'"), "{load}");
    assert!(fs::read_to_string(folder.join("indexes.sql")).unwrap().contains("gin_trgm_ops"));
    assert!(!folder.join("vectors.sql").exists(), "there are no vectors");
    // A folder with something in it stays as it is, with or without --force; nothing is left beside it.
    for force in [&[][..], &["--force"]] {
        let again = fixture.export(&[&["--format", "postgres", text(&folder)], force].concat());
        again.fails(1, &["is not empty", "name a new folder"]);
    }
    assert_eq!(fs::read_to_string(folder.join("organizations.tsv")).unwrap(), copied);
    let beside = fs::read_dir(folder.parent().unwrap()).unwrap();
    let beside = beside.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!beside.into_iter().any(|name| name.contains("partial")));
}

#[test]
fn a_folder_for_opensearch_has_an_index_and_requests() {
    let fixture = Fixture::with_odd();
    let folder = fixture.path("opensearch");
    fs::create_dir(&folder).unwrap();
    let some = ["--tables", "organizations,posts", "--state", "NY"];
    let exported =
        fixture.export(&[&["--format", "opensearch", text(&folder)], &some[..]].concat());
    exported.succeeds();
    let index = fs::read_to_string(folder.join("organizations/index.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let properties = index["mappings"]["properties"].as_object().unwrap();
    assert_eq!(properties["name"]["fields"]["suggest"]["type"], "completion");
    assert_eq!(properties["irsRulingDate"]["type"], "date");
    assert_eq!(properties["state"]["type"], "keyword");
    let lines = rows(fixture.export(&["--format", "ndjson", "--state", "NY", "-"]).succeeds());
    assert_eq!(lines.len(), 2);
    let bulk = rows(&fs::read_to_string(folder.join("organizations/bulk-00000.ndjson")).unwrap());
    let expected: Vec<serde_json::Value> = lines
        .into_iter()
        .flat_map(|row| {
            let action = serde_json::json!({ "_index": "organizations", "_id": row["ein"] });
            [serde_json::json!({ "index": action }), row]
        })
        .collect();
    assert_eq!(bulk, expected);
    for row in &bulk {
        let members = row.as_object().unwrap().keys();
        assert!(
            row["index"].is_object()
                || members.into_iter().all(|name| properties.contains_key(name))
        );
    }
    // A table without rows has an index, and no request that OpenSearch would refuse.
    assert!(folder.join("posts/index.json").exists());
    assert!(!folder.join("posts/bulk-00000.ndjson").exists());
    assert!(!folder.join("grants").exists());
}

#[cfg(feature = "tables")]
#[test]
fn a_folder_of_parquet_is_partitioned_and_the_same_each_time() {
    let fixture = Fixture::with_odd();
    let files = |name: &str| {
        let folder = fixture.path(name);
        fixture.export(&["--format", "parquet", text(&folder)]).succeeds();
        let state = |state: &str| {
            fs::read(folder.join(format!("organizations/state={state}/part-0.parquet"))).unwrap()
        };
        let grants = fs::read(folder.join("grants/part-0.parquet")).unwrap();
        [state("NY"), state("VT"), state("UT"), state("WY"), grants]
    };
    let first = files("one");
    assert_eq!(first, files("two"));
    assert!(first.iter().all(|bytes| bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")));
    let partial = fixture.path("one").join("organizations");
    assert_eq!(fs::read_dir(partial).unwrap().count(), 4);
}

#[test]
fn whoever_stops_reading_is_no_error() {
    let fixture = Fixture::with_many();
    let data_dir = fixture.data_dir();
    for arguments in [
        &["search", "--limit", "all", "--json"][..],
        &["search", "--limit", "all", "--format", "csv"],
        &["search", "--limit", "all", "--format", "json"],
        &["search", "--limit", "all"],
        &["export", "-"],
        &["export", "--format", "ndjson", "-"],
    ] {
        let mut child = command(&[arguments, &["--data-dir", text(&data_dir)]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(!first.is_empty());
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {said}");
        assert!(!said.contains("almoner: "), "{arguments:?}: {said}");
    }
}

#[test]
fn a_full_disk_and_a_damaged_snapshot_leave_no_file() {
    let fixture = Fixture::with_many();
    let folder = fixture.path("out");
    fs::create_dir(&folder).unwrap();
    // Every write to it fails as on a full disk.
    let data_dir = fixture.data_dir();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let ended =
        command(&["export", "--data-dir", text(&data_dir), "-"]).stdout(full).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write to standard output"), "{said}");

    // Damage past the middle of the records: rows before it are written, and no file stays.
    let snapshot =
        fs::read_dir(data_dir.join("snapshots")).unwrap().next().unwrap().unwrap().path();
    let records = snapshot.join("records.redb");
    let mut bytes = fs::read(&records).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..] {
        *byte ^= 0x55;
    }
    fs::write(&records, bytes).unwrap();
    let ran = fixture.export(&[text(&folder)]);
    ran.fails(1, &["records.redb", "damaged"]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    for format in ["postgres", "opensearch"] {
        let target = folder.join(format);
        let ran = fixture.export(&["--format", format, text(&target)]);
        ran.fails(1, &["records.redb", "damaged"]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{format}");
    }
    fixture.list(&["--limit", "all", "--json"]).fails(1, &["records.redb", "damaged"]);
}

#[test]
fn quiet_commands_say_nothing_and_a_server_without_keys_says_how_to_make_one() {
    let fixture = Fixture::new();
    let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
    let build = ["build", "--quiet", "--no-semantic", "--data-dir", text(&data_dir), text(&inputs)];
    let built = run(&build);
    assert!(built.succeeds().contains("published snapshot"));
    assert_eq!(built.err, "");
    // What changes the outcome is said all the same.
    let found = fixture.list(&["maple", "--quiet"]);
    found.succeeds();
    assert_eq!(found.err.lines().count(), 1, "{found:?}");
    assert!(found.err.contains("without embeddings"), "{found:?}");

    let first_line = || {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&data_dir)];
        let mut server = command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        line
    };
    let hint = first_line();
    let create = format!("almoner keys create --data-dir {} --name", text(&data_dir));
    assert!(hint.contains("no API key") && hint.contains(&create), "{hint}");
    run(&["keys", "create", "--data-dir", text(&data_dir), "--name", "me"]).succeeds();
    assert!(!first_line().contains("no API key"));
}

#[test]
fn the_manual_and_the_completions_know_every_command() {
    let fixture = Fixture::new();
    let folder = fixture.path("man");
    run(&["man", text(&folder)]).succeeds();
    let page = fs::read_to_string(folder.join("almoner-export.1")).unwrap();
    assert!(page.contains("fields") && page.contains("OUT") && page.contains("postgres"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(script.succeeds().contains("export"), "{shell}");
    }
}
