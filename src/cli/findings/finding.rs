//! A story or a figure that was found: its members, the words of the report that it was made of, and the lines with
//! which the operator mends it or takes it back.

use serde_json::{Map, Value, json};

use crate::curated::Item;
use crate::record::named;

named! {
    /// How a member is written in a field of a form.
    MemberForm {
        Text = "text",
        Number = "number",
        /// A text a line.
        List = "list",
    }
}

/// Members that are numbers where they are given.
const NUMBERS: [&str; 4] = ["metric_value", "report_year", "power_score", "confidence_score"];

/// Members that a line must have.
const REQUIRED: [&str; 2] = ["story_title", "metric_text"];

/// What the form of a finding leaves as it is: whose it is, and the figures of a story.
const KEPT: [&str; 5] = ["kind", "story_id", "metric_id", "ein", "metrics"];

/// A member as a form shows it.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) form: MemberForm,
    /// Whether a line without it is refused.
    pub(super) is_required: bool,
    pub(super) value: String,
}

#[derive(Debug)]
pub(super) struct Finding<'a> {
    item: &'a Item,
    id: &'a str,
    /// The line that gives it, as curated records have it.
    record: Map<String, Value>,
}

impl<'a> Finding<'a> {
    /// The finding of an item; `None` for one that reports do not give.
    pub(super) fn of(item: &'a Item) -> Option<Self> {
        let (kind, id, value) = match item {
            Item::Story(story) => ("story", &story.story_id, serde_json::to_value(story)),
            Item::Metric(metric) => ("metric", &metric.metric_id, serde_json::to_value(metric)),
            _ => return None,
        };
        let mut record = Map::from_iter([("kind".to_owned(), json!(kind))]);
        match value {
            Ok(Value::Object(members)) => record.extend(members),
            _ => return None,
        }
        Some(Self { item, id, record })
    }

    pub(super) fn kind(&self) -> &'static str {
        if matches!(self.item, Item::Story(_)) { "story" } else { "figure" }
    }

    pub(super) fn id(&self) -> &'a str {
        self.id
    }

    /// The line that keeps it as it is; whoever mends it changes members.
    pub(super) fn record(&self) -> String {
        json!(self.record).to_string()
    }

    /// The line that takes it back.
    pub(super) fn withdrawal(&self) -> String {
        json!({"kind": "withdrawal", "ein": self.record["ein"], "id": self.id}).to_string()
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Member<'_>> {
        let members = self.record.iter().filter(|(name, _)| !KEPT.contains(&name.as_str()));
        members.map(|(name, value)| {
            let scalar = if NUMBERS.contains(&name.as_str()) {
                MemberForm::Number
            } else {
                MemberForm::Text
            };
            let (form, value) = match value {
                Value::Array(items) => {
                    let lines: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                    (MemberForm::List, lines.join("\n"))
                }
                Value::String(text) => (MemberForm::Text, text.clone()),
                Value::Null => (scalar, String::new()),
                // Without the `.0` of a whole number.
                other => {
                    (scalar, other.as_f64().map_or_else(String::new, |number| number.to_string()))
                }
            };
            let is_required = REQUIRED.contains(&name.as_str());
            Member { name, form, is_required, value }
        })
    }

    /// The words of the report that it was made of, each with the member that they are.
    pub(super) fn words(&self) -> Vec<(&'static str, &'a str)> {
        let given = match self.item {
            Item::Story(story) => vec![
                ("before_state", &story.before_state),
                ("transformation_moment", &story.transformation_moment),
                ("after_state", &story.after_state),
                ("full_quote", &story.full_quote),
                ("ripple_effect", &story.ripple_effect),
                ("emotional_hook", &story.emotional_hook),
            ],
            Item::Metric(metric) => vec![("metric_text", &metric.metric_text)],
            _ => Vec::new(),
        };
        given.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?))).collect()
    }

    /// The sentence in which its words stand, where that is known.
    pub(super) fn sentence(&self) -> Option<&'a str> {
        match self.item {
            Item::Metric(metric) => metric.source_snippet.as_deref(),
            _ => None,
        }
    }
}
