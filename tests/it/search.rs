//! `almoner search` and what `almoner inspect` says of it, over a snapshot built with embeddings.

use std::fs;

use crate::fixture::{Fixture, Ran, run, text};

/// Four more organizations, of subjects that the fixture's own have not.
const MORE_ROWS: [&str; 4] = [
    "970000011,LAKESIDE CAT AND DOG RESCUE,,5 FIR ST,BURLINGTON,VT,05401-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,1250000,D20,",
    "970000012,PRAIRIE SYMPHONY ORCHESTRA,,6 YEW ST,CHEYENNE,WY,82001-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,999,A69,",
    "970000013,HARBOR LITERACY VOLUNTEERS,,7 BAY ST,BURLINGTON,VT,05401-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,-2500000000,B60,",
    "970000014,SUMMIT COMMUNITY GARDEN,,8 ASH ST,SALT LAKE CTY,UT,84116-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,54321,C42,",
];

impl Fixture {
    /// With eight organizations, built with embeddings.
    fn with_vectors() -> Self {
        let fixture = Self::new();
        fixture.write_master("eo_more.csv", &MORE_ROWS);
        let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
        run(&["build", "--data-dir", text(&data_dir), text(&inputs)]).succeeds();
        fixture
    }

    fn search(&self, arguments: &[&str]) -> Ran {
        run(&[&["search", "--data-dir", text(&self.data_dir())], arguments].concat())
    }
}

/// The last digits of the EINs of `--json`'s lines, in order.
fn numbers(ran: &Ran) -> Vec<String> {
    let rows = ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.map(|row| row["ein"].as_str().unwrap()[7..].to_owned()).collect()
}

#[test]
fn shows_a_table() {
    let fixture = Fixture::with_vectors();
    let by_revenue = fixture.search(&["--limit", "4"]);
    assert_eq!(
        by_revenue.succeeds(),
        "      EIN  name                         place               revenue  score\n\
         970000011  Lakeside Cat and Dog Rescue  Burlington, VT        $1.3M      -\n\
         970000001  Maple River Food Shelf Inc   Burlington, VT        $750K      -\n\
         970000014  Summit Community Garden      Salt Lake City, UT   $54.3K      -\n\
         970000012  Prairie Symphony Orchestra   Cheyenne, WY           $999      -\n"
    );
    assert_eq!(by_revenue.err, "8 nonprofits match; nothing in the query narrows them.\n");
    // The last have no figure, or one below nothing.
    let last = fixture.search(&["--page", "2", "--limit", "4"]);
    assert!(last.succeeds().contains("Burlington, VT       -$2.5B      -\n"), "{last:?}");
    assert_eq!(last.out.lines().count(), 5, "{last:?}");

    let found = fixture.search(&["cat and dog rescue", "--limit", "3"]);
    let first = found.succeeds().lines().nth(1).unwrap();
    assert!(
        first.starts_with("970000011  Lakeside Cat and Dog Rescue  Burlington, VT"),
        "{found:?}"
    );
    let score = first.rsplit(' ').next().unwrap();
    assert_eq!(score.len(), "0.512".len(), "three decimals: {first}");
    assert!((0.2..1.0).contains(&score.parse::<f64>().unwrap()), "{first}");
    assert_eq!(found.err, "Best matches for “cat and dog rescue” among 8 nonprofits come first.\n");
}

#[test]
fn what_fits_nothing_is_said_to() {
    let fixture = Fixture::with_vectors();
    let unlike = fixture.search(&["submarine museums"]);
    assert!(unlike.succeeds().lines().count() > 1, "the nearest are shown: {unlike:?}");
    assert!(unlike.err.contains("none comes close to “submarine museums”"), "{unlike:?}");
    let sorted = fixture.search(&["submarine museums", "--sort=-revenue"]);
    assert!(
        sorted.err.contains("; none clearly fits, so the 8 likeliest are sorted"),
        "{sorted:?}"
    );
    assert!(!sorted.err.contains("fit are sorted"), "{sorted:?}");
    // Whatever fits comes before what only satisfies the filters, on every page.
    let all = numbers(&fixture.search(&["cats and dogs", "--json"]));
    let pages: Vec<String> = (1..=4)
        .flat_map(|page| {
            let page = page.to_string();
            numbers(&fixture.search(&["cats and dogs", "--json", "--limit", "2", "--page", &page]))
        })
        .collect();
    assert_eq!(all, pages);
}

#[test]
fn where_nobody_in_a_town_fits_those_nearby_follow() {
    let fixture = Fixture::with_vectors();
    // Colchester lies beside Burlington; nobody in the data is there who rescues animals.
    fixture.write_master(
        "eo_town.csv",
        &[
            "970000015,COLCHESTER CHESS CLUB,,9 OAK ST,COLCHESTER,VT,05446-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,100,N50,",
            "970000016,BENNINGTON BOAT MUSEUM,,9 OAK ST,BENNINGTON,VT,05201-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,100,A50,",
        ],
    );
    let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
    run(&["build", "--data-dir", text(&data_dir), text(&inputs)]).succeeds();
    let found = fixture.search(&["cat and dog rescue in Colchester VT", "--json"]);
    assert_eq!(numbers(&found), ["11", "15"], "{found:?}");
    let said = "Of 1 nonprofit in Colchester, VT, none clearly fits “cat and dog rescue”; best matches nearby or \
                elsewhere in the state come first.\n";
    assert_eq!(found.err, said);
    // What only comes close, as a museum of another kind, is listed if it is in the state.
    let close = fixture.search(&["children's museum in Colchester VT", "--json"]);
    assert_eq!(numbers(&close), ["16", "15"], "{close:?}");
    // A place given as a parameter is kept to, and so is one where somebody fits.
    let kept =
        fixture.search(&["cat and dog rescue", "--city", "Colchester", "--state", "VT", "--json"]);
    assert_eq!(numbers(&kept), ["15"], "{kept:?}");
    let there = fixture.search(&["chess clubs in Colchester", "--json"]);
    assert_eq!(numbers(&there), ["15"], "{there:?}");
    assert!(!there.err.contains("nearby"), "{there:?}");
}

#[test]
fn by_words_alone_the_name_of_the_place_finds_nobody() {
    let fixture = Fixture::new();
    fixture.write_master(
        "eo_place.csv",
        &["970000016,VERMONT CHESS CLUB,,9 OAK ST,BURLINGTON,VT,05401-0000,0000,03,3,1000,200501,1,15,000000000,1,01,202412,4,4,01,0,12,300000,250000,100,N50,"],
    );
    fixture.build().succeeds();
    let found = fixture.search(&["food shelf in Vermont", "--json"]);
    assert_eq!(numbers(&found), ["01"], "{found:?}");
    let county =
        fixture.search(&["food shelf in Vermont", "--json", "--county", "Addison,Chittenden"]);
    assert_eq!(numbers(&county), ["01"], "{county:?}");
}

#[test]
fn facets_count_what_filters_find() {
    let fixture = Fixture::with_vectors();
    let data_dir = fixture.data_dir();
    let ask = |target: &str| -> serde_json::Value {
        let ran = run(&["get", "--data-dir", text(&data_dir), target]);
        serde_json::from_str(ran.succeeds()).unwrap()
    };
    let facets = "state,ntee_major,org_size,subsection,ruling_decade,county,city,point";
    let parameters = [
        ("state", "state"),
        ("ntee_major", "ntee_codes"),
        ("subsection", "subsection_codes"),
        ("county", "county"),
        ("city", "city"),
    ];
    for filter in ["", "&min_revenue=1000", "&q=rescue", "&q=rescue&extent=fitting"] {
        let body = ask(&format!("/beta/nonprofits/search?size=100&facets={facets}{filter}"));
        let counted = body["facets"].as_object().unwrap();
        assert_eq!(counted.len(), 8);
        for (facet, counts) in counted {
            let sum: u64 =
                counts.as_array().unwrap().iter().map(|one| one["count"].as_u64().unwrap()).sum();
            let rows = body["nonprofits"].as_array().unwrap().len() as u64;
            // Who is filed under another city than that of the ZIP code counts for both.
            assert!(
                sum == rows || facet == "city" && sum > rows,
                "{facet}{filter}: {sum} of {rows}"
            );
            let parameter = parameters.iter().find(|(of, _)| of == facet);
            // What comes close to words is judged among what satisfies the filters.
            let Some((_, parameter)) = parameter.filter(|_| !filter.contains("extent")) else {
                continue;
            };
            for one in counts.as_array().unwrap().iter().filter(|one| one["value"].is_string()) {
                let value = one["value"].as_str().unwrap().replace(' ', "+");
                let found =
                    ask(&format!("/beta/nonprofits/search?size=100&{parameter}={value}{filter}"));
                let found = found["nonprofits"].as_array().unwrap().len() as u64;
                assert_eq!(one["count"].as_u64(), Some(found), "{facet} {value}{filter}");
            }
        }
    }
    assert!(ask("/beta/nonprofits/search?size=1").get("facets").is_none());
}

#[test]
fn a_list_of_what_fits_ends_and_says_of_how_many() {
    let fixture = Fixture::with_vectors();
    let data_dir = fixture.data_dir();
    let ask = |extent: &str| -> serde_json::Value {
        let target = format!("/beta/nonprofits/search?size=100&q=dog+rescue&extent={extent}");
        serde_json::from_str(run(&["get", "--data-dir", text(&data_dir), &target]).succeeds())
            .unwrap()
    };
    let eins = |body: &serde_json::Value| -> Vec<String> {
        let rows = body["nonprofits"].as_array().unwrap().iter();
        rows.map(|row| row["ein"].as_str().unwrap().to_owned()).collect()
    };
    let (all, fitting) = (ask("all"), ask("fitting"));
    let (every, some) = (eins(&all), eins(&fitting));
    assert!(!some.is_empty() && some.len() < every.len(), "{some:?} of {every:?}");
    assert_eq!(every[0], some[0]);
    assert!(some.iter().all(|ein| every.contains(ein)));
    let said = |body: &serde_json::Value| body["intentDetails"]["llm_response"]["message"].clone();
    assert!(
        said(&fitting).as_str().unwrap().contains(&format!("among {}", every.len())),
        "{fitting}"
    );
    let mut sorted = eins(&ask("fitting&sort=-assets"));
    let mut listed = some;
    sorted.sort_unstable();
    listed.sort_unstable();
    assert_eq!(sorted, listed, "another order of the same rows");
}

#[test]
fn json_is_the_record_and_the_score() {
    let fixture = Fixture::with_vectors();
    let found = fixture.search(&["classical concerts", "--json"]);
    found.succeeds();
    assert_eq!(found.out.lines().count(), 8, "{found:?}");
    let first: serde_json::Value = serde_json::from_str(found.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["ein"], "970000012");
    assert_eq!(first["legal_name"], "PRAIRIE SYMPHONY ORCHESTRA");
    assert_eq!(first["finances"]["revenue"], 999);
    assert_eq!(first["address"]["state"], "WY");
    let score = first["vectorScore"].as_f64().unwrap();
    assert!((0.2..1.0).contains(&score), "{score}");

    let chosen = ["--state", "vt", "--limit", "1", "--fields", "name,ein"];
    let named = |format: &str| fixture.search(&[&chosen[..], &["--format", format]].concat()).out;
    let expected = "Lakeside Cat and Dog Rescue";
    assert_eq!(named("csv"), format!("name,ein\n{expected},970000011\n"));
    let said = fixture.search(&[&chosen[..], &["--format", "csv"]].concat()).err;
    assert!(said.ends_with("of 4, 1 at most are written: --limit all writes all\n"), "{said}");
    let row = format!("{{\"name\":\"{expected}\",\"ein\":\"970000011\"}}");
    assert_eq!(named("ndjson"), format!("{row}\n"));
    assert_eq!(named("json"), format!("[\n{row}\n]\n"));

    let without_text = fixture.search(&["--json", "--limit", "1"]).json();
    assert_eq!(without_text["vectorScore"], serde_json::Value::Null);
    assert!(without_text.as_object().unwrap().contains_key("vectorScore"));

    // What the program finds is what the server finds.
    let path = "/beta/nonprofits/search?state=VT&sort=-assets,name&size=5";
    let served = fixture.get(path).json();
    let served: Vec<_> = served["nonprofits"].as_array().unwrap().clone();
    let served: Vec<String> =
        served.iter().map(|row| row["ein"].as_str().unwrap()[7..].into()).collect();
    let arguments = ["--state", "vt", "--sort", "-assets,name", "--limit", "5", "--json"];
    assert_eq!(numbers(&fixture.search(&arguments)), served);
}

#[test]
fn filters() {
    let fixture = Fixture::with_vectors();
    for (arguments, expected) in [
        (&["--state", "vt"][..], vec!["01", "03", "11", "13"]),
        (&["--state", "Vermont"], vec!["01", "03", "11", "13"]),
        (&["--city", "salt lake cty"], vec!["02", "14"]),
        (&["--county", "Chittenden County", "--state", "VT"], vec!["01", "03", "11", "13"]),
        (&["--zip", "82001"], vec!["04", "12"]),
        (&["--near", "44.48,-73.21", "--within", "30"], vec!["01", "03", "11", "13"]),
        (
            &["--near", "44.48,-73.21", "--sort", "distance", "--limit", "4"],
            vec!["01", "03", "11", "13"],
        ),
        (&["--min-revenue", "1e6"], vec!["11"]),
        (&["--min-revenue", "$1m"], vec!["11"]),
        (&["--min-assets", "900000", "--max-assets", "2500000"], vec!["01", "04"]),
        (&["--ntee", "b,D2"], vec!["02", "11", "13"]),
        (&["--ntee", "K31", "--ntee", "A"], vec!["01", "12"]),
        (&["--sdg", "15"], vec!["11", "14"]),
        (&["--size", "medium,Super-Size"], vec!["11"]),
        (&["--subsection", "08"], vec!["03"]),
        (&["--foundation", "true"], vec!["04"]),
        (&["--deductible", "false"], vec!["03"]),
        (&["music", "--max-distance", "0.7", "--state", "WY"], vec!["12"]),
        (&["cats", "--state", "VT", "--limit", "1"], vec!["11"]),
        (&["stray", "cats", "--state", "VT", "--limit", "1"], vec!["11"]),
    ] {
        let ran = fixture.search(&[arguments, &["--json"]].concat());
        ran.succeeds();
        let mut found = numbers(&ran);
        found.sort();
        assert_eq!(found, expected, "{arguments:?}: {ran:?}");
    }
    let sorted = |sort| numbers(&fixture.search(&["--json", "--sort", sort, "--limit", "3"]));
    assert_eq!(sorted("name"), ["13", "11", "01"]);
    assert_eq!(sorted("-revenue,name"), ["11", "01", "14"]);
    assert_eq!(sorted("relevance"), sorted("-revenue"));
    let unknown = fixture.search(&["--min-revenue", "0"]);
    unknown.succeeds();
    assert!(
        unknown.err.starts_with(
            "4 nonprofits match: with revenue at least $0; 3 more are left out because a value is not \
             known"
        ),
        "{unknown:?}"
    );
}

#[test]
fn nothing_found_says_what_to_loosen() {
    let fixture = Fixture::with_vectors();
    for (arguments, parts) in [
        (&["--state", "OH"][..], &["nothing found", "leave out what asks for “in Ohio”"][..]),
        (
            &["--state", "VT", "--min-revenue", "1e9"],
            &["one of “in Vermont”, “with revenue at least $1,000,000,000”"],
        ),
        (&["music", "--max-distance", "0.01"], &["“within a distance of 0.01”"]),
        (&["--page", "9"], &["page 9", "lower --page"]),
    ] {
        for form in [&[][..], &["--json"]] {
            let ran = fixture.search(&[arguments, form].concat());
            ran.fails(3, parts);
            assert_eq!(ran.out, "", "{ran:?}");
        }
    }
}

#[test]
fn bad_values_are_refused_saying_what_is_expected() {
    let fixture = Fixture::new();
    for (arguments, parts) in [
        (&["--state", "Ohi"][..], &["--state", "expected a USPS state code or", "Ohi"][..]),
        (&["--zip", "123"], &["--zip", "five digits", "123"]),
        (&["--near", "here"], &["--near", "latitude", "here"]),
        (&["--near", "-91,0"], &["--near", "-90 to 90", "-91"]),
        (&["--within", "5"], &["--near"]),
        (&["--min-revenue", "much"], &["--min-revenue", "at least 0", "much"]),
        (&["--max-assets=-1"], &["--max-assets", "at least 0", "-1"]),
        (&["--min-score", "101"], &["--min-score", "0 to 100", "101"]),
        (&["--max-rating", "5"], &["--max-rating", "0 to 4", "5"]),
        (&["--ntee", "A20,9"], &["--ntee", "NTEE", "9"]),
        (&["--sdg", "18"], &["--sdg", "1 to 17", "18"]),
        (&["--size", "tiny"], &["--size", "Small", "tiny"]),
        (&["--subsection", "3"], &["--subsection", "two digits", "3"]),
        (&["--foundation", "maybe"], &["--foundation", "true", "maybe"]),
        (&["x", "--max-distance", "2"], &["--max-distance", "0 to 1", "2"]),
        (&["--max-distance", "0.5"], &["TEXT"]),
        (&["--sort", "-size"], &["--sort", "relevance", "-size"]),
        (&["--page", "0"], &["--page", "0"]),
        (&["--limit", "0"], &["--limit", "from 1 on, or all", "0"]),
        (&["--city", ""], &["--city"]),
        (&["--fields", "ein"], &["--fields", "--format"]),
        (&["--fields", "ein,nmae", "--json"], &["\"nmae\"", "expected some of ein, name"]),
    ] {
        let ran = fixture.search(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        for part in parts {
            assert!(ran.err.contains(part), "{part:?} is not in: {}", ran.err);
        }
        assert_eq!(ran.out, "");
    }
    fixture
        .search(&["--min-assets", "10", "--max-assets", "5"])
        .fails(2, &["expected --min-assets to be at most --max-assets", "10 and 5"]);
    fixture.search(&["--sort", "name,-distance"]).fails(2, &["distance", "--near LAT,LON"]);
    fixture.search(&["food"]).fails(1, &["does not exist", "almoner build"]);
}

#[test]
fn without_vectors_words_alone_rank() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let found = fixture.search(&["maple shelf"]);
    let names: Vec<_> = found.succeeds().lines().skip(1).collect();
    assert!(
        names[0].starts_with("970000001  Maple River Food Shelf Inc") && names[0].ends_with('-')
    );
    assert_eq!(names.len(), 2, "those that have none of the words are not shown: {found:?}");
    assert!(found.err.contains("without embeddings: only words rank"), "{found:?}");
    let none = fixture.search(&["zeppelins"]);
    none.fails(3, &["no name has a word of the text"]);
    let far = fixture.search(&["maple shelf", "--max-distance", "0.1"]);
    assert!(far.err.contains("--max-distance has no effect"), "{far:?}");
    // Without a text nothing ranks, and nothing is missing.
    assert!(!fixture.search(&[]).err.contains("embeddings"));
    let inspected = run(&["inspect", "--data-dir", text(&fixture.data_dir())]);
    assert!(inspected.succeeds().contains("none (built without embeddings)"));
    assert!(!inspected.out.contains("kernel") && !inspected.out.contains("vector cache"));
    assert!(inspected.out.contains("full text"), "{inspected:?}");
}

#[test]
fn inspect_tells_of_model_vectors_words_and_cache() {
    let fixture = Fixture::with_vectors();
    let data_dir = fixture.data_dir();
    let inspect = || run(&["inspect", "--data-dir", text(&data_dir)]).succeeds().to_owned();
    let has = |inspected: &str, line: &[&str]| {
        let fits = |found: &str| found.split_whitespace().eq(line.iter().copied());
        assert!(inspected.lines().any(fits), "{line:?} is not in:\n{inspected}");
    };
    let inspected = inspect();
    assert!(inspected.contains("\nmodel: all-MiniLM-L6-v2@"), "{inspected}");
    // And the knowledge base that comes with the program.
    let texts = (8 + almoner::curated::own_knowledge().len()).to_string();
    has(&inspected, &["texts", "embedded,", "each", "once", &texts]);
    has(&inspected, &["dimensions", "384"]);
    has(&inspected, &["nodes", "(distinct", "vectors)", "8"]);
    let links = inspected.lines().find_map(|line| line.strip_prefix("links per node, in a sample"));
    let links: f64 = links.unwrap().trim().parse().unwrap();
    assert!((1.0..=7.0).contains(&links), "each of eight is linked: {links}");
    has(&inspected, &["rows", &texts]);
    let of_eight = |line: &&str| line.split_whitespace().eq(["organizations", "8"]);
    let told = inspected.lines().filter(of_eight).count();
    assert_eq!(told, 3, "of the snapshot, its vectors and its words: {inspected}");
    assert!(inspected.contains("vectors (kernel "), "{inspected}");
    assert!(inspected.contains("the next build uses it"), "{inspected}");
    for part in ["vectors", "fulltext"] {
        let files = fs::read_dir(data_dir.join("snapshots")).unwrap().next().unwrap().unwrap();
        let files = fs::read_dir(files.path().join(part)).unwrap().map(|file| {
            let file = file.unwrap();
            (file.file_name().into_string().unwrap(), file.metadata().unwrap().len())
        });
        let files: Vec<_> = files.collect();
        for (name, _) in &files {
            assert!(inspected.contains(&format!("{part}/{name}")), "{name}: {inspected}");
        }
        assert!(inspected.contains(&format!("size of {} files", files.len())), "{inspected}");
    }

    // Another form of the cache, then none; neither is mended, and nothing else is made.
    let cache = data_dir.join("vectors.cache");
    let mut bytes = fs::read(&cache).unwrap();
    bytes[20] ^= 1;
    fs::write(&cache, &bytes).unwrap();
    let inspected = inspect();
    has(&inspected, &["rows", "0"]);
    assert!(inspected.contains("the next build starts a new one"), "{inspected}");
    assert_eq!(fs::read(&cache).unwrap(), bytes);
    fs::remove_file(&cache).unwrap();
    assert!(!inspect().contains("vector cache"));
    assert!(!cache.exists());
}

#[test]
fn totals_and_facets_of_a_text_count_what_matches_it() {
    let fixture = Fixture::with_vectors();
    let get = |target: &str| {
        let ran = run(&["get", "--data-dir", text(&fixture.data_dir()), target]);
        serde_json::from_str::<serde_json::Value>(ran.succeeds()).unwrap()
    };
    let all = get("/nonprofits/search?facets=state&size=1");
    assert_eq!(all["total"], 8);
    let found = get("/nonprofits/search?q=prairie+symphony+orchestra&facets=state");
    assert_eq!(found["total"], found["items"].as_array().unwrap().len());
    assert_eq!(found["items"][0]["ein"], "970000012", "{found}");
    assert!(found["total"].as_u64() < all["total"].as_u64(), "{found}");
    let counted = |answer: &serde_json::Value| -> u64 {
        let states = answer["facets"]["state"].as_array().unwrap();
        states.iter().map(|state| state["count"].as_u64().unwrap()).sum()
    };
    assert_eq!((counted(&all), counted(&found)), (8, found["total"].as_u64().unwrap()));
}
