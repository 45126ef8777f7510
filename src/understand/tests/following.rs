//! Queries that follow others, what is asked for said again, names within names, and what words
//! ask for that the reader knows no role of.

use super::*;
use crate::query::{Flag, Flags};

/// What is asked for, said again, asks for the same.
#[test]
fn a_frame_said_again_is_read_as_it_was() {
    for query in [
        "food banks in Ohio",
        "small museums in Hartford CT",
        "vetted animal shelters within 10 miles of Boise",
        "nonprofits in Texas with revenue over $1M",
        "youth sports with revenue between $10,000 and $5,000,000",
        "nonprofits for SDG 4 and 5 with assets under 2 million",
        "private foundations in Vermont",
        "homeless shelters in 40202",
        "small or medium theaters in New Mexico",
        "501c4 nonprofits in Cook County",
    ] {
        let frame = heard(query).frame;
        let again = restated(&frame);
        let read = heard(&again).frame;
        assert_eq!(read.filters(), frame.filters(), "{query}: {again}");
        assert_eq!(read.cause, frame.cause, "{query}: {again}");
    }
}

#[test]
fn follow_ups_correct_and_clear() {
    let follow_up = |first: &str, next: &str| dialogue(&[first, next]).pop().unwrap();
    let museums = "ranked by how well they fit “museums”";
    for (first, next, expected) in [
        ("museums in Iowa", "no, I meant Ohio", format!("in Ohio; {museums}")),
        ("museums in Iowa", "Ohio I mean", format!("in Ohio; {museums}")),
        (
            "museums in Iowa",
            "could you please include only those in Ohio",
            format!("in Ohio; {museums}"),
        ),
        (
            "museums over $1M",
            "sorry, meant 2 million",
            format!("with revenue at least $2,000,000; {museums}"),
        ),
        ("museums over $1M", "any size is fine", museums.to_owned()),
        // Who asks for another cause does not ask for churches any more.
        ("churches in Iowa", "museums there", format!("in Iowa; {museums}")),
        (
            "museums between $1M and $2M",
            "drop the upper limit",
            format!("with revenue at least $1,000,000; {museums}"),
        ),
        ("vetted museums under $1M", "remove the vetting and the revenue cap", museums.to_owned()),
        ("museums in Boise ID", "the whole state is fine", format!("in Idaho; {museums}")),
        ("museums in Boise ID", "forget the state", museums.to_owned()),
        ("museums in Iowa", "Ohio instead of Iowa", format!("in Ohio; {museums}")),
        ("theaters in Iowa", "museums there", format!("in Iowa; {museums}")),
        (
            "museums under $1M",
            "those over $2M instead",
            format!("with revenue at least $2,000,000; {museums}"),
        ),
        ("museums in Iowa", "also in Ohio", format!("in Iowa or Ohio; {museums}")),
        (
            "museums between $1M and $5M",
            "change the minimum to 2 million",
            format!("with revenue $2,000,000 to $5,000,000; {museums}"),
        ),
    ] {
        assert_eq!(follow_up(first, next), expected, "{first} / {next}");
    }
}

#[test]
fn what_announces_a_zip_code_is_no_cause() {
    check(&[
        ("zip 40202", "in 40202"),
        ("museums in zip code 40202", "in 40202; ranked by how well they fit “museums”"),
    ]);
}

#[test]
fn misspelt_words_of_the_grammar_are_mended() {
    check(&[
        (
            "museums abve $1M",
            "with revenue at least $1,000,000; ranked by how well they fit “museums”",
        ),
        (
            "museums over two hundred fifty thousand dollars",
            "with revenue at least $250,000; ranked by how well they fit “museums”",
        ),
        (
            "museums bigger than like 2 million dollars",
            "with revenue at least $2,000,000; ranked by how well they fit “museums”",
        ),
    ]);
}

/// Words beside a name may be of it: a name that explains the whole query is meant rather than a part.
#[test]
fn a_part_of_a_name_gives_way_to_the_whole() {
    let part = |name| Frame {
        organization: Some(organization::organization(
            name,
            &NameMatches::default(),
            NameUse::Itself,
        )),
        ..Frame::default()
    };
    for (query, name, expected) in [
        ("Kansas City Ballet", "Ballet", "Kansas City Ballet"),
        ("Save the Children near us", "Save the Children", "Save the Children"),
    ] {
        let described = Understanding { frame: part(name), ..Understanding::default() };
        let found = or_name(query, &Known, described).unwrap().frame.organization.unwrap();
        assert_eq!(found.name, expected);
        assert_eq!(found.ein.is_some(), query == expected, "{query}");
    }
}

#[test]
fn a_size_that_begins_a_kind_is_none() {
    for (query, cause) in [
        ("a little leage in Bowling Green KY", "little leage"),
        ("little league in Boise", "little league"),
        ("little leauge for my kid in Reno", "little leauge"),
    ] {
        let frame = heard(query).frame;
        assert!(frame.choices.sizes.is_empty(), "{query}");
        assert!(
            frame.cause.as_deref().is_some_and(|own| own.contains(cause)),
            "{query}: {frame:?}"
        );
    }
    assert!(!heard("small museums in Maine").frame.choices.sizes.is_empty());
}

#[test]
fn regions_at_the_end_of_a_list_are_of_it() {
    for (query, expected) in [
        ("hospitals in Wyoming, Montana, Idaho and the Dakotas", 5),
        ("museums in Maine, Vermont and New Hampshire", 3),
        ("museums in Maine and theaters", 1),
    ] {
        let areas = heard(query).frame.places.into_iter().flat_map(|place| place.areas);
        assert_eq!(areas.count(), expected, "{query}");
    }
}

#[test]
fn kinds_in_a_list_are_alternatives() {
    for (query, expected) in [
        ("food banks and pantries in Ohio", "food banks or pantries"),
        ("soup kitchens, homeless shelters in Ohio", "soup kitchens or homeless shelters"),
    ] {
        assert_eq!(heard(query).frame.cause.as_deref(), Some(expected), "{query}");
    }
}

#[test]
fn words_that_only_look_like_a_flag_are_a_cause() {
    let frame = heard("envejecientes vejez").frame;
    assert_eq!(frame.flags, Flags::default(), "{frame:?}");
    assert!(frame.cause.is_some());
    assert_eq!(heard("vetted museums in Ohio").frame.flags[Flag::Vetted], Some(true));
}

#[test]
fn a_circle_is_in_no_other_state() {
    let near = heard("shelters near Boise").frame.places;
    assert_eq!(near[0].within("VT".parse().unwrap()), None);
}

/// The reader knows no role of these: the words are data.
#[test]
fn kinds_that_words_ask_for() {
    check(&[
        ("operating foundations in Maine", "in Maine; private operating foundations only"),
        ("non-operating foundations in Ohio", "in Ohio; private non-operating foundations only"),
        (
            "churches in Topeka",
            "in Topeka, KS; churches only; ranked by how well they fit “churches”",
        ),
        (
            "food banks in Ohio with a full return",
            "in Ohio; with a loaded return; ranked by how well they fit “food banks”",
        ),
        (
            "museums in Ohio approved on Form 1023-EZ",
            "in Ohio; exempt by Form 1023-EZ; ranked by how well they fit “museums”",
        ),
    ]);
    for query in ["churches that run food pantries in Topeka", "church camps in Ohio"] {
        assert_eq!(heard(query).frame.flags, Flags::default(), "{query}");
    }
}
