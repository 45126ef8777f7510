//! Tables of real cities, and the master file's rows where they are at hand.

use super::*;

fn zip_of(text: &str) -> Option<Zip5> {
    text.get(..5)?.parse().ok()
}

#[test]
fn zip_codes() {
    let place = zip(zip_of("05401").unwrap()).unwrap();
    assert_eq!((place.state.code(), place.city), ("VT", "Burlington"));
    assert_eq!(place.county, Some("Chittenden"));
    let point = place.point.unwrap();
    assert!((44.0..45.0).contains(&point.latitude()), "{point:?}");
    assert!((-74.0..-73.0).contains(&point.longitude()), "{point:?}");
    for (code, city, county) in [
        ("70112", "New Orleans", Some("Orleans")),
        ("99501", "Anchorage", Some("Anchorage")),
        ("99801", "Juneau", Some("Juneau")),
        ("00979", "Carolina", Some("Carolina")),
        ("20001", "Washington", Some("District of Columbia")),
        ("21201", "Baltimore", Some("Baltimore City")),
        ("41017", "Fort Mitchell", Some("Kenton")),
        ("09012", "APO", None),
        ("30030", "Decatur", Some("DeKalb")),
        ("87901", "Truth or Consequences", Some("Sierra")),
        ("68503", "Lincoln", Some("Lancaster")),
        ("96799", "Pago Pago", None),
    ] {
        let place = zip(zip_of(code).unwrap()).unwrap();
        assert_eq!((place.city, place.county.is_some()), (city, county.is_some()), "{code}");
        assert!(county.is_none() || place.county == county, "{code} {:?}", place.county);
    }
    assert_eq!(zip(zip_of("00000").unwrap()), None);
    assert_eq!(zip(zip_of("09012").unwrap()).unwrap().point, None);
}

#[test]
fn cities_are_written_out() {
    for (filed, code, state, full) in [
        ("SALT LAKE CTY", "84101", "UT", "Salt Lake City"),
        ("SALT LAKE CTY", "84119", "UT", "Salt Lake City"),
        ("SLC", "84101", "UT", "Salt Lake City"),
        ("FT COLLINS", "80521", "CO", "Fort Collins"),
        ("N LITTLE ROCK", "72114", "AR", "North Little Rock"),
        ("NO LITTLE ROCK", "72114", "AR", "North Little Rock"),
        ("NLR", "72114", "AR", "North Little Rock"),
        ("MT VERNON", "40456", "KY", "Mount Vernon"),
        ("MTN HOME", "72653", "AR", "Mountain Home"),
        ("MTN HOME AFB", "83648", "ID", "Mountain Home AFB"),
        ("BOOTHBAY HBR", "04538", "ME", "Boothbay Harbor"),
        ("DENHAM SPGS", "70726", "LA", "Denham Springs"),
        ("ESSEX JCT", "05452", "VT", "Essex Junction"),
        ("W VALLEY CITY", "84119", "UT", "West Valley City"),
        ("SO BURLINGTON", "05403", "VT", "South Burlington"),
        ("WASHINGTON DC", "20001", "DC", "Washington"),
        ("CAMPBELLSVLLE", "42718", "KY", "Campbellsville"),
        ("WHT SPHR SPGS", "24986", "WV", "White Sulphur Springs"),
        ("N MARTINSVLLE", "26155", "WV", "New Martinsville"),
        ("L COMPTON", "02837", "RI", "Little Compton"),
        ("T OR C", "87901", "NM", "Truth or Consequences"),
        ("CAPE ELIZ", "04107", "ME", "Cape Elizabeth"),
        ("PASS CHRIS", "39571", "MS", "Pass Christian"),
        ("RNCH DE TAOS", "87557", "NM", "Ranchos de Taos"),
        ("CHARLOTTE AMA", "00802", "VI", "Charlotte Amalie"),
        ("HIGHLAND HGTS", "41076", "KY", "Highland Heights"),
        ("MS STATE", "39762", "MS", "Mississippi State"),
        ("FT MITCHELL", "41017", "KY", "Fort Mitchell"),
        ("Ft. Collins", "80521", "CO", "Fort Collins"),
        // Without a ZIP code, only what is short for one thing.
        ("FT COLLINS", "", "CO", "Fort Collins"),
        ("N LAS VEGAS", "", "NV", "North Las Vegas"),
        ("PT PLEASANT", "", "WV", "Pt Pleasant"),
        ("SLC", "", "UT", "Salt Lake City"),
        ("SLC", "", "OH", "Slc"),
        // Saints are spelled as the ZIP code's city is, so that a city has one name.
        ("ST ALBANS", "05478", "VT", "Saint Albans"),
        ("ST. ALBANS", "05478", "VT", "Saint Albans"),
        ("SAINT ALBANS", "05478", "VT", "Saint Albans"),
        ("BAY ST LOUIS", "39520", "MS", "Bay Saint Louis"),
        ("ST FRANCISVLE", "70775", "LA", "Saint Francisville"),
        // Places of their own, whatever the ZIP code's primary city is.
        ("CRANSTON", "02910", "RI", "Cranston"),
        ("WAGGAMAN", "70094", "LA", "Waggaman"),
        ("ESSEX", "05452", "VT", "Essex"),
        ("MURRAY", "84107", "UT", "Murray"),
        ("HOT SPRINGS", "71901", "AR", "Hot Springs"),
        ("CAROLINA", "00984", "PR", "Carolina"),
        ("LOS RANCHOS", "87107", "NM", "Los Ranchos"),
        // Misspelt.
        ("MALVERY", "72104", "AR", "Malvery"),
        ("CAMPBELSVILLE", "42718", "KY", "Campbelsville"),
        // Written by people, foreign, military, odd.
        ("Fond du Lac", "54935", "WI", "Fond du Lac"),
        ("FOND DU LAC", "54935", "WI", "Fond du Lac"),
        ("COEUR D ALENE", "83814", "ID", "Coeur d'Alene"),
        ("COEUR D'ALENE", "83814", "ID", "Coeur d'Alene"),
        ("COEUR DALENE", "83814", "ID", "Coeur d'Alene"),
        ("O FALLON", "63366", "MO", "O'Fallon"),
        ("LAND O LAKES", "34639", "FL", "Land O'Lakes"),
        ("D HANIS", "78850", "TX", "D'Hanis"),
        ("ROUND O", "29474", "SC", "Round O"),
        ("MEXICO D F", "00000", "NY", "Mexico D F"),
        ("MCALESTER", "74501", "OK", "McAlester"),
        ("MC ALESTER", "74501", "OK", "McAlester"),
        ("APO", "09012", "AE", "APO"),
        ("COTE D'IVOIRE", "00000", "", "Cote d'Ivoire"),
        ("JAPAN", "00000", "", "Japan"),
        ("E", "05401", "VT", "E"),
        ("", "05401", "VT", ""),
    ] {
        let shown = full_city(filed, zip_of(code), state.parse().ok());
        assert_eq!(shown, full, "{filed} {code} {state}");
    }
}

#[test]
fn keys() {
    for (name, key) in [
        ("St. Albans", "saint albans"),
        ("Saint Albans", "saint albans"),
        ("Ft Collins", "fort collins"),
        ("Mt. Vernon", "mount vernon"),
        ("N Little Rock", "north little rock"),
        ("SALT LAKE CTY", "salt lake city"),
        ("Sault Ste. Marie", "sault sainte marie"),
        ("Mc Lean", "mclean"),
        ("McLean", "mclean"),
        ("St", "st"),
        ("Coeur d'Alene", "coeur dalene"),
        ("COEUR D ALENE", "coeur dalene"),
        ("O Fallon", "ofallon"),
        ("Land O' Lakes", "land olakes"),
        ("Round O", "round o"),
        ("E T City", "e t city"),
        ("", ""),
    ] {
        assert_eq!(city_key(name), key, "{name}");
        assert_eq!(city_key(key), key, "{name}");
    }
    for (name, key) in [
        ("St. Louis County", "saint louis"),
        ("East Baton Rouge Parish", "east baton rouge"),
        ("Fairbanks North Star Borough", "fairbanks north star"),
        ("Yukon-Koyukuk Census Area", "yukon koyukuk"),
        ("Municipality of Anchorage", "anchorage"),
        ("Juneau City and Borough", "juneau"),
        ("Ponce Municipio", "ponce"),
        ("Carson City", "carson city"),
        ("DeKalb", "dekalb"),
        ("", ""),
    ] {
        assert_eq!(county_key(name), key, "{name}");
        assert_eq!(county_key(key), key, "{name}");
    }
}

#[test]
fn every_row_and_abbreviation_of_the_tables_is_read() {
    assert!(zip_table::rows().len() > 42_000);
    assert!(zip_table::rows().is_sorted_by(|a, b| a.zip < b.zip));
    assert_eq!(city_key("Denham Spgs"), "denham springs");
}

#[test]
fn a_city_in_one_county_has_that_county() {
    let of = |key: &str, code: &str| county_of_city(key, code.parse().unwrap());
    assert_eq!(of("mayaguez", "PR"), Some("Mayaguez"));
    // In four counties, and unknown.
    assert_eq!(of("kansas city", "MO"), None);
    assert_eq!(of("zyxw", "PR"), None);
}

#[test]
fn the_gazetteer_is_sorted_and_found_by_key() {
    assert!(cities().is_sorted_by(|a, b| a.key <= b.key));
    assert!(counties().is_sorted_by(|a, b| a.key <= b.key));
    let burlington = find_cities("burlington");
    assert!(burlington.iter().any(|city| city.state.code() == "VT"));
    assert!(burlington.iter().all(|city| city.key == "burlington"));
    for (key, state, name) in [
        ("cranston", "RI", "Cranston"),
        ("saint albans", "VT", "Saint Albans"),
        ("salt lake city", "UT", "Salt Lake City"),
        ("washington", "DC", "Washington"),
        ("mclean", "VA", "McLean"),
    ] {
        let city = find_cities(key).iter().find(|city| city.state.code() == state).unwrap();
        assert_eq!(city.name, name);
        assert!(!city.zips.is_empty() && city.zips.is_sorted() && city.point.is_some(), "{name}");
    }
    assert_eq!(find_cities("washington")[0].state.code(), "DC");
    assert_eq!(find_cities("no such city"), []);
    // What is short for another name is no city.
    assert!(cities().iter().all(|city| city.name != "Crawfordsvlle" && city.name != "Slc"));
    let orange = find_counties("orange");
    assert!(orange.len() > 5 && orange.iter().all(|county| county.name == "Orange"));
    assert_eq!(find_counties(""), []);
}

/// At the least this share of the master file's rows with a ZIP code has one that the table knows
/// and that lies in the row's state.
const KNOWN_SHARE_MIN: f64 = 0.99;

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn the_master_file_resolves() {
    let rows = crate::naming::tests::master_rows();
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (mut domestic, mut known, mut written_out) = (0, 0, 0);
    for row in &rows {
        let (zip_code, state) = (zip_of(&row.zip), row.state.parse().ok());
        let shown = full_city(&row.city, zip_code, state);
        assert_eq!(full_city(&shown, zip_code, state), shown, "{}", row.city);
        if letters(&shown) != letters(&row.city) {
            written_out += 1;
        }
        let (Some(zip_code), Some(state)) = (zip_code.filter(|zip| zip.pack() > 0), state) else {
            continue;
        };
        domestic += 1;
        known += usize::from(zip(zip_code).is_some_and(|place| place.state == state));
    }
    let share = known as f64 / domestic as f64;
    assert!(share >= KNOWN_SHARE_MIN, "{known} of {domestic}");
    assert!(written_out < rows.len() / 20, "{written_out} of {} cities", rows.len());
}

/// `DuPage` and `Dupage` would be two counties, each with a part of the ZIP codes.
#[test]
fn a_county_has_one_name_in_a_state() {
    let twice: Vec<_> = counties()
        .windows(2)
        .filter(|pair| pair[0].key == pair[1].key && pair[0].state == pair[1].state)
        .map(|pair| (pair[0].name, pair[1].name))
        .collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn circles_reach_into_states() {
    let within = |city: &str, state: &str, miles: f64| {
        let state = state.parse().unwrap();
        let states = states_within(super::city(city, state).unwrap().point.unwrap(), miles);
        states.into_iter().map(State::code).collect::<Vec<_>>()
    };
    assert_eq!(within("lexington", "KY", 0.0), [""; 0]);
    assert_eq!(within("lexington", "KY", 20.0), ["KY"]);
    assert_eq!(within("lexington", "KY", 100.0), ["IN", "KY", "OH"]);
    assert_eq!(within("washington", "DC", 10.0), ["DC", "MD", "VA"]);
}

#[test]
fn states_by_code_and_name() {
    for (text, expected) in [
        ("new jersey", Some("NJ")),
        (" nj ", Some("NJ")),
        ("N.J.", Some("NJ")),
        ("Bavaria", None),
        ("", None),
    ] {
        assert_eq!(state(text).map(State::code), expected, "{text}");
    }
}
