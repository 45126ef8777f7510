//! What is asked for, said again as a query that asks for the same.

use super::frame::{Frame, NamedPlace};
use super::quantity;
use crate::query::Flag;
use crate::record::Subsection;

/// A query that asks for the same: what it cannot say in a query's own words is left out.
pub fn restated(frame: &Frame) -> String {
    let mut said: Vec<String> = Vec::new();
    if let Some(size) = frame.sizes.first() {
        let sizes: Vec<_> = frame.sizes.iter().map(|size| size.name().to_lowercase()).collect();
        said.push(if frame.sizes.len() == 1 {
            size.name().to_lowercase()
        } else {
            sizes.join(" or ")
        });
    }
    if frame.flags[Flag::Vetted] == Some(true) {
        said.push("vetted".to_owned());
    }
    if let [code] = frame.subsections[..]
        && code != Subsection::CHARITABLE
    {
        said.push(format!("501(c)({})", code.number()));
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
        let range = quantity::range_words(figure, range);
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
