//! What was understood, as one plain sentence, and said again as a query.

use super::frame::{Frame, NameUse, NamedPlace};
use super::naming::counted;
use super::{named_places, sdg};
use crate::query::{Choice, Figure, Flag, Range, Unit};
use crate::record::{Sdg, Subsection, thousands};

/// What rows must satisfy and how they are ranked: `in Ohio, with revenue at least $1,000,000`.
pub fn described(frame: &Frame) -> Vec<String> {
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
        organization,
        cause,
        sort,
        // Excluded nonprofits are named elsewhere; the rest is how the cause is compared.
        among: _,
        not_eins: _,
        text: _,
        cause_ntee: _,
        cause_is_term: _,
    } = frame;
    let any_of = |lead: &str, names: Vec<String>| {
        (!names.is_empty()).then(|| format!("{lead} {}", names.join(" or ")))
    };
    let any_place = |lead: &str, places: &[NamedPlace]| {
        (!places.is_empty()).then(|| format!("{lead} {}", named_places(places)))
    };
    let ranges = ranges.bounded();
    let ranges = ranges.map(|(figure, range)| Some(format!("with {}", range_words(figure, range))));
    let goal = |goal: Sdg| format!("SDG {} ({})", goal.number(), sdg::title(goal));
    let listed = [
        any_of("working for", sdgs.iter().map(goal).collect()),
        any_of("with NTEE", ntee.clone()),
        any_of("without NTEE", not_ntee.clone()),
        any_of("with no name that has", not_names.clone()),
        any_of("under", subsections.iter().map(section).collect()),
    ];
    let eins = any_of("with EIN", eins.iter().map(ToString::to_string).collect());
    let places = [any_place("in", places), any_place("not in", not_places)];
    let choices = choices.descriptions().map(Some);
    let conditions = [eins].into_iter().chain(places).chain(ranges).chain(choices).chain(listed);
    let mut said: Vec<String> = conditions.flatten().collect();
    said.extend(flags.descriptions().map(str::to_owned));
    if let Some(found) = organization {
        let name = &found.name;
        said.push(match (found.wanted, found.namesakes) {
            _ if found.is_unheard_of() => {
                format!("the nearest to “{name}” first")
            }
            (NameUse::Itself, _) => format!("“{name}” first"),
            (NameUse::Similar, _) if found.ein.is_some() => format!("like “{name}”"),
            (NameUse::Similar, count) => {
                format!("like “{name}”, by which {} may be meant", counted(count))
            }
        });
    }
    if let Some(cause) = cause {
        said.push(format!("ranked by how well they fit “{cause}”"));
    }
    for sort in sort {
        said.push(format!("sorted by {}", sort.description()));
    }
    said
}

/// A subsection as the law writes it.
fn section(code: &Subsection) -> String {
    format!("501(c)({})", code.number())
}

/// A query that asks for the same: what it cannot say in a query's own words is left out.
pub fn restated(frame: &Frame) -> String {
    let mut said: Vec<String> = Vec::new();
    if !frame.choices.sizes.is_empty() {
        let sizes = frame.choices.names(Choice::Size);
        said.push(sizes.join(" or ").to_lowercase());
    }
    if frame.flags[Flag::Vetted] == Some(true) {
        said.push("vetted".to_owned());
    }
    if let [code] = frame.subsections[..]
        && code != Subsection::CHARITABLE
    {
        said.push(section(&code));
    }
    said.push(match (&frame.cause, frame.flags[Flag::Foundation]) {
        (Some(cause), _) => cause.clone(),
        (None, Some(true)) => "private foundations".to_owned(),
        (None, _) => "nonprofits".to_owned(),
    });
    if let [NamedPlace { areas, name, .. }] = &frame.places[..]
        && areas.len() == 1
    {
        let within = if name.starts_with("within ") { "" } else { "in " };
        said.push(format!("{within}{}", name.trim_start_matches("in ")));
    }
    if !frame.sdgs.is_empty() {
        let goals: Vec<String> = frame.goals().iter().map(|goal| format!("SDG {goal}")).collect();
        said.push(format!("for {}", goals.join(" and ")));
    }
    for (figure, range) in frame.ranges.bounded() {
        let range = range_words(figure, range);
        // `revenue $1 to $2` is read behind `between` only.
        let range = match range.split_once(" $").filter(|_| range.contains(" to ")) {
            Some((name, bounds)) => {
                format!("{name} between ${}", bounds.replacen(" to ", " and ", 1))
            }
            None => range,
        };
        said.push(format!("with {range}"));
    }
    said.join(" ")
}

/// A range in words.
pub(super) fn range_words(figure: Figure, range: Range) -> String {
    let name = figure.definition().noun;
    let number = |value: f64| {
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        let is_year = figure.definition().unit == Unit::Year;
        let text = match whole && !is_year {
            true => thousands(value.abs() as u64),
            false => format!("{value}"),
        };
        if figure.is_money() { format!("${text}") } else { text }
    };
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => format!("{name} {}", number(min)),
        (Some(min), Some(max)) => format!("{name} {} to {}", number(min), number(max)),
        (Some(min), None) => format!("{name} at least {}", number(min)),
        (None, Some(max)) => format!("{name} at most {}", number(max)),
        (None, None) => format!("any {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::Organization;

    #[test]
    fn nobody_is_said_to_be_nobody() {
        for (wanted, namesakes, said) in [
            (NameUse::Itself, 2, "“Zyxw” first"),
            (NameUse::Similar, 2, "like “Zyxw”, by which 2 may be meant"),
            (NameUse::Similar, 0, "the nearest to “Zyxw” first"),
            (NameUse::Itself, 0, "the nearest to “Zyxw” first"),
        ] {
            let (name, asked) = ("Zyxw".to_owned(), "Zyxw".to_owned());
            let organization =
                Organization { name, other_name: None, ein: None, asked, namesakes, wanted };
            let frame = Frame { organization: Some(organization), ..Frame::default() };
            assert_eq!(described(&frame), [said]);
        }
    }
}
