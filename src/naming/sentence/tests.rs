//! Tests of sentence case: tables of filed text and what is shown, and properties of any text.

use proptest::prelude::*;

use super::*;

fn check(filed: &str, expected: &str) {
    let shown = sentence_case(filed);
    assert_eq!(shown, expected);
    check_kept(filed, &shown);
}

/// Nothing but case changed, and nothing is left to change.
fn check_kept(filed: &str, shown: &str) {
    assert_eq!(shown.to_lowercase(), filed.to_lowercase(), "{filed:?}");
    assert_eq!(sentence_case(shown), shown, "{filed:?}");
}

#[test]
fn sentences_begin_with_capitals() {
    for (filed, expected) in [
        ("", ""),
        ("12,000 (34%)", "12,000 (34%)"),
        ("WE FEED CATS. DO YOU? I DO! A CAT EATS", "We feed cats. Do you? I do! A cat eats"),
        ("WE HELP DOGS.PROVIDING FOOD.TO ALL", "We help dogs.Providing food.To all"),
        ("CARE FOR PETS.WE FEED DOGS", "Care for pets.We feed dogs"),
        ("FOOD... AND CLOTHES", "Food... and clothes"),
        ("1. FEED CATS 2. WALK DOGS", "1. Feed cats 2. Walk dogs"),
        ("GOALS:\n- FEED CATS\n- WALK DOGS", "Goals:\n- Feed cats\n- Walk dogs"),
        ("GOALS • CATS • DOGS", "Goals • Cats • Dogs"),
        ("TO FEED ALL\nWHO ARE HUNGRY", "To feed all\nwho are hungry"),
        ("TOYS, BOOKS, ETC. FOR ALL. VS. THEM", "Toys, books, etc. for all. Vs. them"),
        ("GIVES FOOD, E.G. BREAD, I.E. AID", "Gives food, e.g. bread, i.e. aid"),
        ("IN THE U.S. AND ABROAD", "In the U.S. and abroad"),
        ("IN THE U.S. THE GROUP WORKS", "In the U.S. The group works"),
        ("ÉCOLE POUR ÉLÈVES", "École pour élèves"),
    ] {
        check(filed, expected);
    }
}

#[test]
fn storms_have_names() {
    for (filed, expected) in [
        ("AFTER HURRICANE IAN WE FED ALL", "After Hurricane Ian we fed all"),
        (
            "TROPICAL STORM CLAUDETTE AND HURRICANE HENRI",
            "Tropical Storm Claudette and Hurricane Henri",
        ),
        ("THE HURRICANES IRMA AND MARIA", "The hurricanes Irma and Maria"),
        (
            "HURRICANE RELIEF, HURRICANE SEASON, A HURRICANE",
            "Hurricane relief, hurricane season, a hurricane",
        ),
        ("TYPHOON. FOOD FOR ALL", "Typhoon. Food for all"),
    ] {
        check(filed, expected);
    }
}

#[test]
fn a_text_by_a_person_stays() {
    for text in ["To feed CATS", "We Help Dogs", "iPHONES FOr cATS", "to feed"] {
        check(text, text);
    }
    check(
        "TO FEED CATS McBride FOUND IN OUR OLD TOWN",
        "To feed cats McBride found in our old town",
    );
}

#[test]
fn acronyms_stay() {
    for (filed, expected) in [
        ("THE YMCA AND A PTA IN THE USA", "The YMCA and a PTA in the USA"),
        ("THE YMCA'S CHILDREN'S CAMP", "The YMCA's children's camp"),
        ("HIV/AIDS AND HEARING AIDS AIDS MANY", "HIV/AIDS and hearing aids aids many"),
        ("HELP US TRAIN US CITIZENS IN THE US", "Help us train US citizens in the US"),
        ("AT 5 PM I AM ON AM RADIO", "At 5 PM I am on am radio"),
        ("SBXT AND FCNL, EU, AFB", "SBXT and FCNL, EU, AFB"),
        ("WORLD WAR II, TITLE IX, GRADES VI TO VIII", "World War II, Title IX, grades VI to VIII"),
        (
            "FRIENDS OF IDLE CATS (FOIC) AND FOIC'S DOGS",
            "Friends of Idle Cats (FOIC) and FOIC's dogs",
        ),
        ("OPEN AREAS KEPT ENTIRE (OAKE). OAKE RUNS", "Open Areas Kept Entire (OAKE). OAKE runs"),
        ("A GOOD ONE (OAKE). OAKE RUNS", "A good one (oake). Oake runs"),
        ("K-12 AND 4-H, 1ST, 1990S, COVID-19", "K-12 and 4-H, 1st, 1990s, COVID-19"),
        ("VITAMIN A, AN X-RAY, AN A.A. GROUP", "Vitamin A, an X-ray, an A.A. group"),
        ("PHD, CEOS, NGOS", "PhD, CEOs, NGOs"),
    ] {
        check(filed, expected);
    }
}

#[test]
fn sections_and_addresses_are_small() {
    for (filed, expected) in [
        ("A 501(C)(3) OR 501 (C) (6), 501C3", "A 501(c)(3) or 501 (c) (6), 501c3"),
        ("SECTION 170(B)(1)(A)(VI), 509(A)(1)", "Section 170(b)(1)(A)(vi), 509(a)(1)"),
        ("SEE WWW.LOSTDOGS.EXAMPLE/HELP.", "See www.lostdogs.example/help."),
        ("MAIL ME@LOSTDOGS.EXAMPLE OR LOSTDOGS.ORG", "Mail me@lostdogs.example or lostdogs.org"),
        ("DOGS &AMP; CATS&NBSP;AND", "Dogs &amp; cats&nbsp;and"),
    ] {
        check(filed, expected);
    }
}

#[test]
fn places_are_named() {
    for (filed, expected) in [
        (
            "HOMELESS VETERANS IN THE GREATER SEATTLE AREA",
            "Homeless veterans in the greater Seattle area",
        ),
        ("IN CHICAGO, IL AND AMES, IA", "In Chicago, IL and Ames, IA"),
        ("IN BLOOMSTEAD, OR. FOOD, OR SHELTER", "In Bloomstead, OR. Food, or shelter"),
        ("IN NORTH BLOOMSTEAD, OHIO, FOOD", "In North Bloomstead, Ohio, food"),
        (
            "IN NEW YORK, ST. LOUIS AND WASHINGTON, D.C.",
            "In New York, St. Louis and Washington, D.C.",
        ),
        ("BLOOM, POLK AND SAN JUAN COUNTIES", "Bloom, Polk and San Juan Counties"),
        (
            "IN BLOOM COUNTY AND THE COUNTY, EACH COUNTY",
            "In Bloom County and the county, each county",
        ),
        ("THE CITY OF BLOOMSTEAD, A CITY OF LIGHT", "The city of Bloomstead, a city of light"),
        (
            "AT BLOOMSTEAD HIGH SCHOOL FOR HIGH SCHOOL GIRLS",
            "At Bloomstead High School for high school girls",
        ),
        ("IN FIVE OHIO COUNTIES: BLOOM", "In five Ohio counties: bloom"),
        ("A UNIVERSITY, BLOOMSTEAD UNIVERSITY", "A university, Bloomstead University"),
        ("SANTA ROSA AND FT. BLOOM, 5 FT WIDE", "Santa Rosa and Ft. Bloom, 5 ft wide"),
        ("IN LA AND LA HABRA, LA COUNTY", "In LA and La Habra, LA County"),
        (
            "SOUTHERN CALIFORNIA'S ASIAN-AMERICAN YOUTH",
            "Southern California's Asian-American youth",
        ),
    ] {
        check(filed, expected);
    }
}

#[test]
fn people_and_organizations_are_named() {
    for (filed, expected) in [
        (
            "BY HABITAT FOR HUMANITY AND BOYS & GIRLS CLUBS",
            "By Habitat for Humanity and Boys & Girls Clubs",
        ),
        (
            "SPREAD GOD'S WORD IN THE BIBLE OF JESUS CHRIST",
            "Spread God's word in the Bible of Jesus Christ",
        ),
        ("CHRISTMAS IN MAY, WE MAY MARCH", "Christmas in May, we may march"),
        ("ON MARCH 5 AND SUNDAYS", "On March 5 and Sundays"),
        (
            "TO SUPPORT LOST DOGS, INC. AND LOST CATS LLC",
            "To support Lost Dogs, Inc. and Lost Cats LLC",
        ),
        (
            "THE BRIGHTWATER FOUNDATION IS THE FOUNDATION",
            "The Brightwater Foundation is the foundation",
        ),
        ("AN OHIO LOST DOGS COUNCIL OF THE COUNCIL", "An Ohio Lost Dogs Council of the council"),
        (
            "HONOR JOHN A. FELDMARK, DR. OAKBERG AND O'FELD",
            "Honor John A. Feldmark, Dr. Oakberg and O'Feld",
        ),
        ("MARK THE GRACE OF MCBRIAR AND MCKEE", "Mark the grace of McBriar and McKee"),
        ("AT OHIO STATE UNIVERSITY, STATE COLLEGE", "At Ohio State University, state college"),
    ] {
        check(filed, expected);
    }
}

#[test]
fn names_are_written_with_the_letters_that_they_are_known_by() {
    let mut words = NAMES.values().flatten().flatten();
    assert!(words.all(|(key, written)| !key.is_empty() && written.to_ascii_uppercase() == *key));
}

proptest! {
    #[test]
    fn any_text_keeps_its_letters(text in "\\PC{0,60}") {
        check_kept(&text, &sentence_case(&text));
        let filed = text.to_uppercase();
        check_kept(&filed, &sentence_case(&filed));
    }

    #[test]
    fn any_prose_keeps_its_letters(
        filed in "([A-Z]{1,4}|[A-Z]'S|[0-9(]{1,3}|LA|A|ST|INC|COUNTIES\
         |AND|OF|CITY|OH|COUNTY|THE|FOUNDATION|NEW YORK|WWW|MC|SAN|U|É|Σ|İ|ß|Dž)\
         ([ .,()&;:'/-]{0,2}([A-Z]{1,5}|501|C|3|LA|A|ST|INC|COUNTIES\
         |AND|OF|CITY|OH|COUNTY|THE|FOUNDATION|NEW YORK|COM|Mc|SAN|U|É|Σ|İ|’S)){0,14}"
    ) {
        check_kept(&filed, &sentence_case(&filed));
    }
}
