//! The filters of a frame, cause excepted, in words that follow a noun: ` in Boise, ID, with
//! revenue of at least $1,000,000`.

use super::phrase::{Value, dollars, phrase, quoted, text};
use crate::query::{Figure, Range, Unit};
use crate::reader::Language;
use crate::record::thousands;
use crate::taxonomy;
use crate::understand::{Frame, NamedPlace};

/// All filters of a frame.
pub(super) fn such_of(frame: &Frame, language: Language) -> String {
    let Frame {
        places,
        not_places,
        ranges,
        sdgs,
        ntee,
        not_ntee,
        not_names,
        choices,
        subsections,
        flags,
        eins,
        // Excluded nonprofits are named elsewhere; the noun before has the rest.
        not_eins: _,
        among: _,
        cause: _,
        text: _,
        cause_ntee: _,
        cause_is_term: _,
        organization: _,
        sort: _,
    } = frame;
    let any = |name: &str, items: Vec<String>| {
        if items.is_empty() {
            return String::new();
        }
        let items = Value::Any(items);
        phrase!(name, places = items, choices = items, codes = items).part(language)
    };
    let titles = |codes: &[String]| codes.iter().map(|code| titled(code)).collect();
    let sections = subsections.iter().map(|code| format!("501(c)({})", code.number()));
    let goals = sdgs.iter().map(|goal| format!("SDG {}", goal.number()));
    let mut said = places_of(places, language);
    let outside = not_places.iter().map(|place| place.name.clone());
    said += &any("such.outside", outside.collect());
    for (figure, range) in ranges.bounded() {
        said += &range_part(figure, range, language);
    }
    for choice in choices.asked() {
        let of = choice.definition().short_name;
        let names = choices.names(choice).into_iter();
        let words = names.map(|name| text(&format!("{of}.{name}"), language).to_owned());
        said += &any(&format!("such.{of}"), words.collect());
    }
    said += &any("such.ein", eins.iter().map(ToString::to_string).collect());
    said += &any("such.ntee", titles(ntee));
    said += &any("such.not_ntee", titles(not_ntee));
    let names = not_names.iter().map(|words| quoted(words, language));
    said += &any("such.not_names", names.collect());
    said += &any("such.section", sections.collect());
    said += &any("such.goals", goals.collect());
    for (flag, asked) in flags.told() {
        let not = if asked { "" } else { ".not" };
        said.push_str(text(&format!("flag.{}{not}", flag.definition().name), language));
    }
    said
}

/// The places; a circle is named by its centre.
fn places_of(places: &[NamedPlace], language: Language) -> String {
    let circle = places.iter().find_map(|place| match &place.areas[..] {
        [area] => area.near.filter(|near| near.1 > 0.0).map(|near| (place, near.1)),
        _ => None,
    });
    match (places, circle) {
        ([], _) => String::new(),
        ([_], Some((place, miles))) => {
            let state = place.state.map(|state| state.to_string());
            let of_zip = place.zip.map(|zip| zip.to_string());
            let around: Vec<String> =
                place.city.clone().or(of_zip).into_iter().chain(state).collect();
            let around = if around.is_empty() { place.name.clone() } else { around.join(", ") };
            phrase!("such.around", miles = miles.to_string(), places = around).part(language)
        }
        _ => {
            let names = places.iter().map(|place| place.name.clone()).collect();
            phrase!("such.in", places = Value::Any(names)).part(language)
        }
    }
}

fn range_part(figure: Figure, range: Range, language: Language) -> String {
    let is_year = figure.definition().unit == Unit::Year;
    let shown = |value: f64| match figure.definition().unit {
        Unit::Dollars => dollars(value as i64),
        Unit::Count => thousands(value as u64),
        _ => value.to_string(),
    };
    let (name, amount, other) = match (range.min, range.max) {
        (Some(0.0), None) if !is_year => ("such.known", 0.0, None),
        (Some(min), Some(max)) => ("such.between", min, Some(max)),
        (Some(min), None) if is_year => ("such.since", min, None),
        (None, Some(max)) if is_year => ("such.until", max, None),
        (Some(min), None) => ("such.least", min, None),
        (None, Some(max)) => ("such.most", max, None),
        (None, None) => return String::new(),
    };
    phrase!(
        name,
        figure = text(&format!("figure.{}", figure.name()), language),
        amount = shown(amount),
        year = shown(amount),
        other = other.map(shown)
    )
    .part(language)
}

/// The title of a code, or of the first code with this prefix.
fn titled(code: &str) -> String {
    let title = |code: &str| code.parse().ok().and_then(taxonomy::title);
    let title = title(code).or_else(|| title(&format!("{code}0")));
    title.map_or(code.to_owned(), |title| format!("“{title}” ({code})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Choice, Flag};
    use crate::search::chat::phrase::exists;
    use crate::search::gaps;

    #[test]
    fn every_filter_has_its_texts() {
        let figures = Figure::ALL.into_iter().map(|figure| format!("figure.{}", figure.name()));
        let flags = Flag::ALL.into_iter().flat_map(|flag| {
            ["", ".not"].map(|not| format!("flag.{}{not}", flag.definition().name))
        });
        let choices = Choice::ALL.into_iter().flat_map(|choice| {
            let (of, values) = (choice.definition().short_name, choice.definition().values);
            let values = values.iter().map(move |value| format!("{of}.{value}"));
            values.chain([format!("such.{of}")])
        });
        let gaps = gaps::fields().map(|field| format!("gap.{}", field.name()));
        for name in figures.chain(flags).chain(choices).chain(gaps) {
            assert!(exists(&name), "data/replies.tsv has no {name}");
        }
    }
}
