//! What stands in a query beside the parameters of an endpoint: members of rows to choose, and names that are ignored.

use hyper::header::{HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::api_error::ApiError;
use super::input::Input;
use super::parameter::Documented;
use super::parameter_type::literal;
use super::validation_error::{ParameterLocation, ValidationError, ValidationErrors};

/// The parameter that names the members of rows.
pub(crate) const FIELDS: &str = "fields";
/// Parameters of the request that the endpoint does not have.
pub(crate) const IGNORED: HeaderName = HeaderName::from_static("x-almoner-ignored");

/// Ignored parameters that are named, and the characters shown of each.
const IGNORED_MAX: usize = 16;
const IGNORED_NAME_MAX: usize = 64;

/// What stands for itself in a name that is shown.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

/// The members that `fields` names, each once.
pub(crate) fn members<'a>(
    input: &Input<'_>,
    known: impl FnOnce() -> &'a [String],
) -> Result<Vec<String>, ApiError> {
    let given = input.all(FIELDS).flat_map(|value| value.split(','));
    let mut given = given.filter(|name| !name.is_empty()).enumerate().peekable();
    if given.peek().is_none() {
        return Ok(Vec::new());
    }
    let known = known();
    let (mut members, mut errors) = (Vec::new(), Vec::new());
    for (position, name) in given {
        if known.iter().any(|one| one == name) {
            if !members.iter().any(|one| one == name) {
                members.push(name.to_owned());
            }
        } else {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            errors.push(ValidationError {
                place: ParameterLocation::Query,
                name: FIELDS,
                position: Some(position),
                reason: literal(&names),
                input: Some(name.to_owned()),
            });
        }
    }
    if errors.is_empty() { Ok(members) } else { Err(ValidationErrors(errors).into()) }
}

/// The names in the query that are neither declared nor among `further`, percent-encoded.
pub(crate) fn ignored(
    declared: &[&dyn Documented],
    further: &[&str],
    input: &Input<'_>,
) -> Option<HeaderValue> {
    input.names().next()?;
    let declared = declared.iter().flat_map(|one| one.names());
    let declared: Vec<&str> = declared
        .filter(|(_, place)| *place == ParameterLocation::Query)
        .map(|(name, _)| name)
        .collect();
    let mut unknown: Vec<&str> = Vec::new();
    for name in input.names() {
        let is_known = declared.contains(&name) || further.contains(&name);
        if !is_known && !unknown.contains(&name) && unknown.len() < IGNORED_MAX {
            unknown.push(name);
        }
    }
    let shown = unknown.iter().map(|name| {
        let short: String = name.chars().take(IGNORED_NAME_MAX).collect();
        utf8_percent_encode(&short, NAME).to_string()
    });
    let text = shown.collect::<Vec<_>>().join(", ");
    if text.is_empty() { None } else { HeaderValue::try_from(text).ok() }
}
