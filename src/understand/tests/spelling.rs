//! Words of causes that are misspelt.

use super::*;

#[test]
fn misspelt_causes_are_mended() {
    let heard = heard("anmial shelters");
    assert_eq!(heard.frame.text.as_deref(), Some("animal shelters"));
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
