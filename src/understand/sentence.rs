//! What was understood, as one plain sentence.

use super::frame::{Frame, NameUse};
use super::naming::counted;
use super::quantity;
use super::sdg;

/// What rows must satisfy and how they are ranked: `in Ohio, with revenue at least $1,000,000`.
pub fn described(frame: &Frame) -> Vec<String> {
    let mut said = Vec::new();
    if !frame.eins.is_empty() {
        let eins: Vec<String> = frame.eins.iter().map(ToString::to_string).collect();
        said.push(format!("with EIN {}", eins.join(" or ")));
    }
    let names = |places: &[super::frame::NamedPlace]| {
        places.iter().map(|place| place.name.clone()).collect::<Vec<_>>().join(" or ")
    };
    if !frame.places.is_empty() {
        said.push(format!("in {}", names(&frame.places)));
    }
    if !frame.not_places.is_empty() {
        said.push(format!("not in {}", names(&frame.not_places)));
    }
    for (figure, range) in frame.ranges.bounded() {
        said.push(format!("with {}", quantity::range_words(figure, range)));
    }
    if !frame.sizes.is_empty() {
        let sizes: Vec<&str> = frame.sizes.iter().map(|size| size.name()).collect();
        said.push(format!("of size {}", sizes.join(" or ")));
    }
    if !frame.sdgs.is_empty() {
        let goals: Vec<String> = frame
            .sdgs
            .iter()
            .map(|sdg| format!("SDG {} ({})", sdg.number(), sdg::title(sdg)))
            .collect();
        said.push(format!("working for {}", goals.join(" or ")));
    }
    if !frame.ntee.is_empty() {
        said.push(format!("with NTEE {}", frame.ntee.join(" or ")));
    }
    if !frame.not_ntee.is_empty() {
        said.push(format!("without NTEE {}", frame.not_ntee.join(" or ")));
    }
    if !frame.subsections.is_empty() {
        let codes: Vec<String> =
            frame.subsections.iter().map(|code| format!("501(c)({})", code.number())).collect();
        said.push(format!("under {}", codes.join(" or ")));
    }
    said.extend(frame.flags.descriptions().map(str::to_owned));
    if let Some(found) = &frame.organization {
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
    if let Some(cause) = &frame.cause {
        said.push(format!("ranked by how well they fit “{cause}”"));
    }
    for sort in &frame.sort {
        said.push(format!("sorted by {}", sort.description()));
    }
    said
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
