//! A row as the text that the cross-encoder reads beside a question: names, cause, place, the beginning of a mission.
//!
//! `scripts/cross_encoder.py` trains on these texts: a change here requires retraining.

use super::SearchError;
use super::place_scope::Proximity;
use crate::record::{OrgId, Organization};
use crate::snapshot::Snapshot;
use crate::taxonomy;

/// Other names that are read.
const OTHER_NAMES_MAX: usize = 2;
/// Bytes of a name, and of a mission, that are read: every token takes time.
const NAME_BYTES_MAX: usize = 80;
const MISSION_BYTES_MAX: usize = 160;
/// The least probability of a predicted code to be included.
const PREDICTED_MIN: f32 = 0.2;

impl Proximity {
    /// As the cross-encoder reads it.
    fn words(self) -> &'static str {
        match self {
            Self::Anywhere => "",
            Self::Inside => "right here",
            Self::Near => "close by",
            Self::InState => "same state",
            Self::Elsewhere => "elsewhere",
        }
    }
}

/// The text of a row.
pub fn passage(
    snapshot: &Snapshot,
    org: OrgId,
    organization: &Organization,
    proximity: Proximity,
) -> Result<String, SearchError> {
    let others = organization.other_names.iter().take(OTHER_NAMES_MAX).map(String::as_str);
    let names = std::iter::once(organization.name.as_str()).chain(others);
    let mut parts: Vec<String> = names.map(|name| truncated(name, NAME_BYTES_MAX)).collect();
    let mut activities = taxonomy::activities(organization).map(|activity| activity.title);
    let code = organization.ntee.or(organization.group_ntee);
    let cause = match code.and_then(taxonomy::title).or_else(|| activities.next()) {
        Some(title) => Some(title.to_owned()),
        None => {
            let predicted = snapshot.causes.predicted(org)?;
            let best = predicted.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let title = best
                .filter(|best| best.1 >= PREDICTED_MIN)
                .and_then(|best| taxonomy::title(best.0));
            title.map(|title| format!("maybe {title}"))
        }
    };
    parts.extend(cause);
    let address = &organization.address;
    let county = address.county.as_ref().filter(|county| address.city.as_ref() != Some(county));
    let state = address.state.map(|state| state.name().to_owned());
    let place = [address.city.clone(), county.map(|county| format!("{county} County")), state];
    parts.push(place.into_iter().flatten().collect::<Vec<_>>().join(", "));
    parts.push(proximity.words().to_owned());
    parts.extend(organization.summary.as_deref().map(|text| truncated(text, MISSION_BYTES_MAX)));
    parts.retain(|part| !part.is_empty());
    Ok(parts.join("; "))
}

fn truncated(text: &str, bytes_max: usize) -> String {
    text[..text.floor_char_boundary(bytes_max)].to_owned()
}
