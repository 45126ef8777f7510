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
        let spelled = spelled(text, &Known).unwrap();
        assert_eq!(spelled.as_ref().map(|spelled| &*spelled.text), expected, "{text}");
    }
}

#[test]
fn a_search_is_read_with_its_words_corrected() {
    let typed = "musems to volunter at in montana";
    let explicit = Frame::default();
    let heard = interpret(&Known, &Request::of(Some(typed), &explicit)).unwrap();
    assert_eq!(heard.typed.as_deref(), Some("museums to volunteer at in montana"));
    let place = heard.spans(typed).into_iter().find(|span| span.meaning == "in Montana").unwrap();
    assert!(place.text.ends_with("montana") && typed.contains(place.text), "{place:?}");
}
