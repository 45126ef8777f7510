//! Words of causes that are misspelt.

use super::*;

#[test]
fn misspelt_causes_are_mended() {
    let heard = heard("anmial shelters");
    assert_eq!(heard.frame.text.as_deref(), Some("animal shelters"));
}

#[test]
fn words_that_nobody_knows_are_searched_for() {
    for (query, text, place) in [
        ("MCLA in Maine", "mcla", "Maine"),
        ("near Portland Maine museums", "museums", "the 25 miles around Portland, ME"),
    ] {
        let frame = heard(query).frame;
        let places: Vec<&str> = frame.places.iter().map(|place| &*place.name).collect();
        assert_eq!((frame.text.as_deref(), &places[..]), (Some(text), &[place][..]), "{query}");
    }
    // No `search` that is misspelt.
    assert_ne!(heard("SEARHC").frame.text.as_deref(), Some("search"));
}

#[test]
fn misspelt_causes_are_corrected_before_a_message_is_read() {
    for (text, expected) in [
        ("other musems in montana", Some("other museums in montana")),
        ("whats that muesum w the dinosours", Some("whats that museum w the dinosaur")),
        ("lookin for place to volunter", Some("lookin for place to volunteer")),
        // A capital begins a name.
        ("Musems of Montana", None),
        ("museums and theaters in montana", None),
    ] {
        assert_eq!(spelled(text, &Known).unwrap().as_deref(), expected, "{text}");
    }
}
