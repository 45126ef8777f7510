//! The parameters of filters, as [`query`](crate::query) declares them: ranges of figures, flags, choices, orders;
//! and what searches count, how many of the nonprofits found have each value of a column.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::input::Input;
use super::parameter::{
    Declared, Documented, Many, Optional, Parameter, check_range, many, optional,
};
use super::parameter_type::{self, Number, ParameterType};
use super::validation_error::{ParameterLocation, Reason, ValidationError};
use crate::index::columns::{Facet, FacetCount};
use crate::query::{Choice, Choices, Figure, Flag, Flags, Range, Ranges, Sort, SortKey, Unit};
use crate::search::nonprofits::Order;

/// A range of every figure: `min_revenue`, `max_revenue` and so on.
pub(crate) struct FigureRanges;

impl FigureRanges {
    /// The two bounds of a figure.
    fn bounds(figure: Figure) -> [Parameter<Number, Optional>; 2] {
        let definition = figure.definition();
        let [min, max] = definition.bounds;
        [0, 1].map(|end| {
            let (name, description) = (definition.parameters[end], definition.descriptions[end]);
            optional(name, Number::between(min, max), description)
        })
    }

    fn parameters() -> impl Iterator<Item = Parameter<Number, Optional>> {
        Figure::ALL.into_iter().flat_map(Self::bounds)
    }
}

impl Declared for FigureRanges {
    type Output = Ranges;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<Ranges> {
        let before = errors.len();
        let mut ranges = Ranges::default();
        for figure in Figure::ALL {
            let [low, high] = Self::bounds(figure);
            let (min, max) = (low.read(input, errors), high.read(input, errors));
            check_range(input, (&low, &min), (&high, &max), errors);
            ranges[figure] = Range { min: min.flatten(), max: max.flatten() };
        }
        (errors.len() == before).then_some(ranges)
    }
}

impl Documented for FigureRanges {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        Self::parameters().flat_map(|one| one.names()).collect()
    }

    fn documents(&self) -> Vec<Value> {
        Self::parameters().flat_map(|one| one.documents()).collect()
    }
}

/// Some flags.
pub(crate) struct FlagFilters(pub(crate) &'static [Flag]);

impl FlagFilters {
    fn parameters(
        &self,
    ) -> impl Iterator<Item = (Flag, Parameter<parameter_type::Flag, Optional>)> + use<'_> {
        self.0.iter().map(|flag| {
            let definition = flag.definition();
            (*flag, optional(definition.name, parameter_type::Flag, definition.description))
        })
    }
}

impl Declared for FlagFilters {
    type Output = Flags;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<Flags> {
        let read = self.parameters().map(|(flag, one)| Some((flag, one.read(input, errors)?)));
        // Each is read, so that every error is reported.
        let read: Vec<_> = read.collect();
        read.into_iter().collect()
    }
}

impl Documented for FlagFilters {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        self.parameters().flat_map(|(_, one)| one.names()).collect()
    }

    fn documents(&self) -> Vec<Value> {
        self.parameters().flat_map(|(_, one)| one.documents()).collect()
    }
}

/// Every choice.
pub(crate) struct ChoiceFilters;

impl ChoiceFilters {
    fn parameter(choice: Choice) -> Parameter<parameter_type::Choice<&'static str>, Many> {
        let definition = choice.definition();
        let values = parameter_type::Choice::of(definition.values, |name| name);
        many(definition.name, values, definition.description)
    }
}

impl Declared for ChoiceFilters {
    type Output = Choices;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<Choices> {
        // Each is read, so that every error is reported.
        let read = |choice| Some((choice, Self::parameter(choice).read(input, errors)?));
        Choice::ALL.map(read).into_iter().collect()
    }
}

impl Documented for ChoiceFilters {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        Choice::ALL.into_iter().flat_map(|choice| Self::parameter(choice).names()).collect()
    }

    fn documents(&self) -> Vec<Value> {
        Choice::ALL.into_iter().flat_map(|choice| Self::parameter(choice).documents()).collect()
    }
}

/// What lists are sorted by: `relevance` or a key, with `-` in front for descending.
pub(crate) struct SortOrder;

impl SortOrder {
    fn names() -> Vec<String> {
        Order::names().flat_map(|name| [name.to_owned(), format!("-{name}")]).collect()
    }
}

impl ParameterType for SortOrder {
    type Value = Order;

    fn read(&self, raw: &str) -> Result<Order, Reason> {
        Order::parse(raw).ok_or_else(|| parameter_type::literal(&Self::names()))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "enum": Self::names() })
    }
}

pub(crate) const FACETS: Parameter<parameter_type::Choice<Facet>, Many> = many(
    "facets",
    parameter_type::Choice::of(&Facet::ALL, Facet::name),
    "What the nonprofits on all pages are counted by, in the member `facets`: for each value, the most frequent first, at \
     most 200; `point` counts by degrees north and east of the ZIP code, `44.4759,-73.2121`, where these are many by the \
     middle of neighbours.",
);

/// Values and their counts, by the name of the facet.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
#[schemars(inline)]
pub(crate) struct FacetCounts<'a>(
    #[schemars(with = "BTreeMap<String, Vec<FacetValue>>")]
    BTreeMap<&'static str, Vec<FacetValue<'a>>>,
);

/// A value of a facet, and how many nonprofits have it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FacetCount")]
struct FacetValue<'a> {
    /// The value; null for the nonprofits of which it is not known.
    value: Option<&'a str>,
    /// Number of nonprofits that match and have it.
    count: u64,
}

impl<'a> FacetCounts<'a> {
    /// What was counted; `None` where nothing was.
    pub(crate) fn of(facets: &'a [(Facet, Vec<FacetCount>)]) -> Option<Self> {
        let values = |counts: &'a Vec<FacetCount>| {
            counts
                .iter()
                .map(|(value, count)| FacetValue { value: value.as_deref(), count: *count })
        };
        let all = facets.iter().map(|(facet, counts)| (facet.name(), values(counts).collect()));
        (!facets.is_empty()).then(|| Self(all.collect()))
    }
}

/// The figures and orders as a module of the page, which makes the fields of its panel from them.
pub(crate) fn script() -> String {
    let unit = |figure: Figure| match figure.definition().unit {
        Unit::Dollars => "dollars",
        Unit::Count => "count",
        Unit::Points => "points",
        Unit::Year => "year",
    };
    let figures = Figure::ALL.map(|figure| {
        let definition = figure.definition();
        json!({ "name": definition.name, "title": definition.title, "unit": unit(figure) })
    });
    let sorts = SortKey::offered().flat_map(|key| {
        // The greatest first, as most are asked for, but for what is read from the start.
        let sorts = [Sort::descending(key), Sort::ascending(key)];
        match key {
            SortKey::Figure(_) => sorts,
            SortKey::Name | SortKey::Distance => [sorts[1], sorts[0]],
        }
    });
    let sorts = sorts.map(|sort| {
        let sign = if sort.descending { "-" } else { "" };
        let mut label = sort.description().to_owned();
        label[..1].make_ascii_uppercase();
        json!([format!("{sign}{}", sort.key.name()), label])
    });
    let sorts: Vec<Value> = sorts.collect();
    format!(
        "// Written by the server from what it declares.\nexport const FIGURES = {};\nexport const SORTS = {};\n",
        json!(figures),
        json!(sorts),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_every_figure_and_order() {
        let script = script();
        for figure in Figure::ALL {
            assert!(script.contains(&format!("\"name\":\"{}\"", figure.name())), "{script}");
        }
        for name in SortOrder::names().iter().filter(|name| !name.contains("relevance")) {
            assert!(script.contains(&format!("[\"{name}\",")), "{name}: {script}");
        }
    }
}
