//! Nationally known nonprofits and the states in which they are registered (`data/national_names.tsv`), to answer a question
//! about one whose state is not loaded or not searched.

use std::fmt;
use std::sync::LazyLock;

use crate::naming::normalise;
use crate::query::Area;
use crate::record::State;
use crate::table::table;
use crate::understand::{says, tells};

/// A nonprofit of `data/national_names.tsv`.
#[derive(Debug, PartialEq, Eq)]
pub struct NationalBody {
    pub name: &'static str,
    /// In normal form, the first name included.
    pub(super) names: Vec<String>,
    pub state: State,
}

static BODIES: LazyLock<Vec<NationalBody>> = LazyLock::new(|| {
    let body = |[name, others, state]: [&'static str; 3]| {
        let others = others.split('|').filter(|other| !other.is_empty()).map(str::to_owned);
        let names = others.chain([normalise(name)]).collect();
        Some(NationalBody { name, names, state: state.parse().ok()? })
    };
    table!("data/national_names.tsv").each(body).collect()
});

/// The nonprofit whose name is the longest in a text.
pub(super) fn named_in(text: &str) -> Option<&'static NationalBody> {
    longest_in(&format!(" {} ", normalise(text))).map(|(body, _)| body)
}

/// The longest name in a normal form with blanks around it, and whose it is.
fn longest_in(text: &str) -> Option<(&'static NationalBody, &'static str)> {
    let names = BODIES.iter().flat_map(|body| body.names.iter().map(move |name| (body, &**name)));
    let named = names.filter(|(_, name)| text.contains(&format!(" {name} ")));
    named.max_by_key(|(_, name)| name.len())
}

/// A nonprofit known everywhere that is asked for, and is registered in another state than those searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisteredElsewhere {
    pub body: &'static NationalBody,
    /// Whether the list of its state is loaded.
    pub is_loaded: bool,
}

impl fmt::Display for RegisteredElsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body: NationalBody { name, state, .. }, is_loaded } = self;
        write!(f, "{name} is registered in {}", state.name())?;
        if *is_loaded { Ok(()) } else { write!(f, ", of which no list is loaded") }
    }
}

/// The nonprofit that a text names beside nothing but words of these areas: `red cross nebraska`.
pub(super) fn named_beside(text: &str, areas: &[Area]) -> Option<&'static NationalBody> {
    let text = format!(" {} ", normalise(text));
    let (body, name) = longest_in(&text)?;
    let rest = text.replacen(&format!(" {name} "), " ", 1);
    let of_area = |area: &Area| {
        let state = area.state.map(|state| format!("{} {}", state.name(), state.code()));
        let named = [area.city.as_deref(), area.county.as_deref(), state.as_deref()];
        named.into_iter().flatten().map(normalise).collect::<Vec<_>>().join(" ")
    };
    let places: Vec<String> = areas.iter().map(of_area).collect();
    let is_of_place =
        |word: &str| places.iter().any(|place| place.split(' ').any(|own| own == word));
    rest.split_whitespace().filter(|word| tells(word)).all(is_of_place).then_some(body)
}

/// The nonprofit that has exactly this name, an article before it aside.
pub(super) fn by_name(name: &str) -> Option<&'static NationalBody> {
    let name = normalise(name);
    let bare = name.split_once(' ').filter(|(word, _)| says(word, "leading article"));
    let is_it = |own: &String| *own == name || bare.is_some_and(|(_, bare)| own == bare);
    BODIES.iter().find(|body| body.names.iter().any(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_one_by_its_longest_name() {
        for (text, expected) in [
            ("how about kars for kids", Some("Kars4Kids")),
            ("is St. Jude's hospital deductible?", Some("St. Jude Children's Research Hospital")),
            ("the Wounded Warrior Project, is it legit", Some("Wounded Warrior Project")),
            ("food banks in Reno", None),
        ] {
            assert_eq!(named_in(text).map(|body| body.name), expected, "{text}");
        }
    }

    #[test]
    fn a_name_beside_a_place_is_asked_for_there() {
        let area = |city: Option<&str>| Area {
            city: city.map(str::to_owned),
            state: "NE".parse().ok(),
            ..Area::default()
        };
        let named = |text, city| named_beside(text, &[area(city)]).map(|body| body.name);
        assert_eq!(named("red cross nebraska", None), Some("American Red Cross"));
        assert_eq!(named("Salvation Army Omaha", Some("Omaha")), Some("Salvation Army"));
        assert_eq!(named("Salvation Army Omaha", None), None);
        assert_eq!(named("food banks", None), None);
    }

    #[test]
    fn names_are_in_normal_form() {
        for body in BODIES.iter() {
            assert!(body.names.iter().all(|name| normalise(name) == *name), "{}", body.name);
        }
    }
}
