//! Addresses abroad, as the master file has them: the country stands in CITY, the city in STREET.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::naming;
use crate::table::table;

/// What a name of `data/countries.tsv` is: a country that texts name too, or only addresses abroad; or a part of a
/// country at the end of a street, in normal form, the longest first.
const IN_TEXT: &str = "text";
const IN_ADDRESS: &str = "address";
const PROVINCE: &str = "province";

fn names(of: &str) -> impl Iterator<Item = &'static str> {
    let rows = table!("data/countries.tsv").rows();
    rows.filter(move |[_, kind]| *kind == of).map(|[name, _]| name)
}

/// What stands in STREET where the IRS keeps no city.
const NO_CITY: &str = "local";

/// Names of countries that texts use.
pub fn countries_in_texts() -> impl Iterator<Item = &'static str> {
    names(IN_TEXT)
}

/// Names of countries, in normal form.
static COUNTRIES: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| names(IN_TEXT).chain(names(IN_ADDRESS)).map(naming::normalise).collect());

/// Whether CITY of an address abroad holds a country.
pub fn is_country(city: &str) -> bool {
    COUNTRIES.contains(&naming::normalise(city))
}

/// The city in STREET of an address abroad: what stands before its postal code, its province and letters that
/// abbreviate one.
pub fn city_abroad(street: &str) -> Option<String> {
    let is_postal = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut words: Vec<&str> =
        street.split_whitespace().take_while(|word| !is_postal(word)).collect();
    while let Some(last) = words.last().filter(|_| words.len() > 1) {
        let is_county = last.len() > "shire".len() && last.to_lowercase().ends_with("shire");
        match province_at_end(&words) {
            Some(length) if length < words.len() => words.truncate(words.len() - length),
            _ if last.len() <= 2 || is_county => words.truncate(words.len() - 1),
            _ => break,
        }
    }
    let city = words.join(" ");
    (!city.is_empty() && !city.eq_ignore_ascii_case(NO_CITY)).then_some(city)
}

/// Words of the province that a street ends in.
fn province_at_end(words: &[&str]) -> Option<usize> {
    let text = naming::normalise(&words.join(" "));
    let ends =
        |province: &&str| text.strip_suffix(*province).is_some_and(|rest| rest.ends_with(' '));
    names(PROVINCE).find(ends).map(|province| province.split(' ').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_city_stands_before_province_and_postal_code() {
        for (street, expected) in [
            ("OTTAWA ONTARIO K2H 1B2", Some("OTTAWA")),
            ("LONDON ENGLAND NW1 2BE", Some("LONDON")),
            ("LONDON ONTARIO N5Y 2X4", Some("LONDON")),
            ("VICTORIA BC V9E1C8", Some("VICTORIA")),
            ("QUEBEC QUEBEC G1R", Some("QUEBEC")),
            ("CAMBRIDGE CAMBRIDGESHIRE CB2 1RD", Some("CAMBRIDGE")),
            ("COTE SAINT LUC QUEBEC H4W 1S7", Some("COTE SAINT LUC")),
            ("SCARBOROUGH PROV OF ONTARIO M1W 2S5", Some("SCARBOROUGH")),
            ("BEER SHEVA", Some("BEER SHEVA")),
            ("LOCAL", None),
            ("00802", None),
        ] {
            assert_eq!(city_abroad(street).as_deref(), expected, "{street}");
        }
        assert!(is_country("UNITED KINGDOM") && is_country("GEORGIA") && !is_country("LONDON"));
    }

    #[test]
    fn every_row_of_the_table_says_where_the_name_is_used() {
        let rows = table!("data/countries.tsv").rows();
        assert!(rows.into_iter().all(|[_, read]| [IN_TEXT, IN_ADDRESS, PROVINCE].contains(&read)));
    }
}
