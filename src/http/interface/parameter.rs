//! Parameters, each declared once: from the declaration come reading, errors and documentation.
//!
//! A [`Parameter`] is a constant: name, place, [`ParameterType`] and presence ([`Required`], [`Optional`],
//! [`Defaulted`], [`Many`]). [`parameters!`] gathers those of an endpoint into a struct that reads
//! them all, reporting every bad value in declaration order, and lists them for OpenAPI.

use serde_json::{Value, json};

use super::input::Input;
use super::parameter_type::ParameterType;
use super::validation_error::{ParameterLocation, Reason, ValidationError, ValidationErrors};

/// A parameter of an endpoint.
pub(crate) struct Parameter<K, P> {
    name: &'static str,
    place: ParameterLocation,
    kind: K,
    presence: P,
    description: &'static str,
}

/// Absent is an error.
pub(crate) struct Required;
/// Absent is `None`.
pub(crate) struct Optional;
/// Absent is this value.
pub(crate) struct Defaulted<V>(V);
/// May be repeated and separated by commas; empty items are dropped.
pub(crate) struct Many;

/// A parameter in the path.
pub(crate) const fn in_path<K>(
    name: &'static str,
    kind: K,
    description: &'static str,
) -> Parameter<K, Required> {
    Parameter { name, place: ParameterLocation::Path, kind, presence: Required, description }
}

/// A header that may be absent.
pub(crate) const fn in_header<K>(
    name: &'static str,
    kind: K,
    description: &'static str,
) -> Parameter<K, Optional> {
    Parameter { name, place: ParameterLocation::Header, kind, presence: Optional, description }
}

/// A query parameter that must be given.
pub(crate) const fn required<K>(
    name: &'static str,
    kind: K,
    description: &'static str,
) -> Parameter<K, Required> {
    Parameter { name, place: ParameterLocation::Query, kind, presence: Required, description }
}

/// A query parameter that may be absent.
pub(crate) const fn optional<K>(
    name: &'static str,
    kind: K,
    description: &'static str,
) -> Parameter<K, Optional> {
    Parameter { name, place: ParameterLocation::Query, kind, presence: Optional, description }
}

/// A query parameter with a default.
pub(crate) const fn defaulted<K: ParameterType>(
    name: &'static str,
    kind: K,
    default: K::Value,
    description: &'static str,
) -> Parameter<K, Defaulted<K::Value>> {
    Parameter {
        name,
        place: ParameterLocation::Query,
        kind,
        presence: Defaulted(default),
        description,
    }
}

/// A query parameter that is a list.
pub(crate) const fn many<K>(
    name: &'static str,
    kind: K,
    description: &'static str,
) -> Parameter<K, Many> {
    Parameter { name, place: ParameterLocation::Query, kind, presence: Many, description }
}

/// What reads a parameter.
pub(crate) trait Declared {
    type Output;

    /// The value; `None` when it was refused, with what is wrong added to `errors`.
    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<Self::Output>;
}

impl<K: ParameterType, P> Parameter<K, P> {
    fn error(&self, reason: Reason, input: Option<&str>) -> ValidationError {
        let input = input.map(str::to_owned);
        ValidationError { place: self.place, name: self.name, position: None, reason, input }
    }

    /// The one value given; the outer `None` when it was refused, the inner when there is none.
    fn scalar(
        &self,
        input: &Input<'_>,
        errors: &mut Vec<ValidationError>,
    ) -> Option<Option<K::Value>> {
        let header =
            if self.place == ParameterLocation::Header { input.header(self.name) } else { None };
        let raw = match self.place {
            ParameterLocation::Path => input.path_value(),
            ParameterLocation::Query => input.last(self.name),
            ParameterLocation::Header => header.as_deref(),
        };
        match raw {
            None => Some(None),
            Some("") if self.kind.empty_is_absent() => Some(None),
            Some(raw) => match self.kind.read(raw) {
                Ok(value) => Some(Some(value)),
                Err(reason) => {
                    errors.push(self.error(reason, Some(raw)));
                    None
                }
            },
        }
    }

    /// Reports that the parameter is missing.
    pub(crate) fn missing(&self, errors: &mut Vec<ValidationError>) {
        errors.push(self.error(Reason::Missing, None));
    }

    /// Reports what is wrong with the given value beside another parameter's.
    pub(crate) fn unfit(&self, input: &Input<'_>, why: String, errors: &mut Vec<ValidationError>) {
        errors.push(self.error(Reason::ValueError(why), input.last(self.name)));
    }
}

impl<K: ParameterType> Parameter<K, Many> {
    /// The items given, empty ones dropped; a position counts these.
    fn items<'a>(&self, input: &'a Input<'_>) -> impl Iterator<Item = &'a str> {
        let given = input.all(self.name).flat_map(|value| value.split(','));
        given.filter(|item| !item.is_empty())
    }

    /// Reports what is wrong with every item that `bad` picks.
    pub(crate) fn unfit_items(
        &self,
        input: &Input<'_>,
        bad: impl Fn(&K::Value) -> bool,
        why: &str,
        errors: &mut Vec<ValidationError>,
    ) {
        for (position, raw) in self.items(input).enumerate() {
            if self.kind.read(raw).is_ok_and(|value| bad(&value)) {
                let error = self.error(Reason::ValueError(why.to_owned()), Some(raw));
                errors.push(ValidationError { position: Some(position), ..error });
            }
        }
    }
}

impl<K: ParameterType> Declared for Parameter<K, Required> {
    type Output = K::Value;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<K::Value> {
        let value = self.scalar(input, errors)?;
        if value.is_none() {
            self.missing(errors);
        }
        value
    }
}

impl<K: ParameterType> Declared for Parameter<K, Optional> {
    type Output = Option<K::Value>;

    fn read(
        &self,
        input: &Input<'_>,
        errors: &mut Vec<ValidationError>,
    ) -> Option<Option<K::Value>> {
        self.scalar(input, errors)
    }
}

impl<K: ParameterType> Declared for Parameter<K, Defaulted<K::Value>>
where
    K::Value: Copy,
{
    type Output = K::Value;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<K::Value> {
        Some(self.scalar(input, errors)?.unwrap_or(self.presence.0))
    }
}

impl<K: ParameterType> Declared for Parameter<K, Many> {
    type Output = Vec<K::Value>;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<Vec<K::Value>> {
        let before = errors.len();
        let mut values = Vec::new();
        for (position, raw) in self.items(input).enumerate() {
            match self.kind.read(raw) {
                Ok(value) => values.push(value),
                Err(reason) => {
                    let error = self.error(reason, Some(raw));
                    errors.push(ValidationError { position: Some(position), ..error });
                }
            }
        }
        (errors.len() == before).then_some(values)
    }
}

/// The OpenAPI description of a parameter, or of several that are declared together.
pub(crate) trait Documented: Sync {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)>;
    /// The OpenAPI parameter objects, in the same order.
    fn documents(&self) -> Vec<Value>;
}

/// What presence adds to a parameter's documentation.
pub(crate) trait Presence<K: ParameterType>: Sync {
    fn is_required(&self) -> bool {
        false
    }

    fn is_list(&self) -> bool {
        false
    }

    fn schema(&self, kind: &K) -> Value {
        kind.schema()
    }
}

impl<K: ParameterType> Presence<K> for Required {
    fn is_required(&self) -> bool {
        true
    }
}

impl<K: ParameterType> Presence<K> for Optional {}

impl<K: ParameterType> Presence<K> for Defaulted<K::Value>
where
    K::Value: Sync,
{
    fn schema(&self, kind: &K) -> Value {
        let mut schema = kind.schema();
        schema["default"] = kind.show(&self.0);
        schema
    }
}

impl<K: ParameterType> Presence<K> for Many {
    fn is_list(&self) -> bool {
        true
    }

    fn schema(&self, kind: &K) -> Value {
        json!({ "type": "array", "items": kind.schema() })
    }
}

impl<K: ParameterType, P: Presence<K>> Documented for Parameter<K, P> {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        vec![(self.name, self.place)]
    }

    fn documents(&self) -> Vec<Value> {
        let mut document = json!({
            "name": self.name,
            "in": self.place.name(),
            "required": self.presence.is_required(),
            "description": self.description,
            "schema": self.presence.schema(&self.kind),
        });
        if self.presence.is_list() {
            let how = "Repeated or separated by commas; empty items are dropped.";
            document["description"] = format!("{} {how}", self.description).into();
            document["style"] = "form".into();
            document["explode"] = true.into();
        }
        vec![document]
    }
}

/// All the parameters of a struct of [`parameters!`], for another to declare among its own.
pub(crate) struct AllOf<T> {
    declared: &'static [&'static dyn Documented],
    read: fn(&Input<'_>) -> Result<T, ValidationErrors>,
}

impl<T> AllOf<T> {
    pub(crate) const fn new(
        declared: &'static [&'static dyn Documented],
        read: fn(&Input<'_>) -> Result<T, ValidationErrors>,
    ) -> Self {
        Self { declared, read }
    }
}

impl<T> Declared for AllOf<T> {
    type Output = T;

    fn read(&self, input: &Input<'_>, errors: &mut Vec<ValidationError>) -> Option<T> {
        let read = (self.read)(input);
        read.map_err(|ValidationErrors(found)| errors.extend(found)).ok()
    }
}

impl<T> Documented for AllOf<T> {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        self.declared.iter().flat_map(|one| one.names()).collect()
    }

    fn documents(&self) -> Vec<Value> {
        self.declared.iter().flat_map(|one| one.documents()).collect()
    }
}

/// Orders errors as their parameters are declared, those of a list by position.
pub(crate) fn in_declaration_order(
    mut errors: Vec<ValidationError>,
    declared: &[&dyn Documented],
) -> ValidationErrors {
    let names: Vec<_> = declared.iter().flat_map(|one| one.names()).collect();
    errors.sort_by_key(|error| {
        let declared = names.iter().position(|one| *one == (error.name, error.place));
        (declared, error.position)
    });
    ValidationErrors(errors)
}

/// Reports a maximum below its minimum, on the maximum; values that were refused are not compared.
pub(crate) fn check_range<K: ParameterType<Value: PartialOrd>>(
    input: &Input<'_>,
    (low, min): (&Parameter<K, Optional>, &Option<Option<K::Value>>),
    (high, max): (&Parameter<K, Optional>, &Option<Option<K::Value>>),
    errors: &mut Vec<ValidationError>,
) {
    if let (Some(Some(min)), Some(Some(max))) = (min, max)
        && min > max
    {
        high.unfit(input, format!("{} should not be below {}", high.name, low.name), errors);
    }
}

/// Declares what an endpoint takes: a struct of the values, in declaration order (path, query,
/// header), and after `joined` the rules between parameters, over each one's `Option` of a value
/// (`None` was refused already).
macro_rules! parameters {
    (
        $(#[$about:meta])*
        $name:ident { $($field:ident: $type:ty = $parameter:expr,)* }
        $(joined |$input:ident, $errors:ident| $joined:block)?
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(crate) struct $name { $(pub(crate) $field: $type,)* }

        impl $name {
            /// Every parameter, in declaration order.
            pub(crate) const DECLARED: &'static [&'static dyn $crate::http::interface::parameter::Documented] =
                &[$(&$parameter),*];

            /// Reads them all.
            ///
            /// # Errors
            /// With every value that is refused.
            pub(crate) fn read(
                input: &$crate::http::interface::input::Input<'_>,
            ) -> Result<Self, $crate::http::interface::validation_error::ValidationErrors> {
                use $crate::http::interface::parameter::{Declared, in_declaration_order};
                let mut errors = Vec::new();
                $(let $field = $parameter.read(input, &mut errors);)*
                $({
                    let ($input, $errors) = (input, &mut errors);
                    $joined
                })?
                match ($($field,)*) {
                    ($(Some($field),)*) if errors.is_empty() => Ok(Self { $($field,)* }),
                    _ => Err(in_declaration_order(errors, Self::DECLARED)),
                }
            }
        }
    };
}

pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;

    use super::super::parameter_type::{EinDigits, Integer, Number, Text, UuidText};
    use super::*;
    use crate::record::Ein;

    const EIN: Parameter<EinDigits, Required> = in_path("ein", EinDigits, "An EIN.");
    const Q: Parameter<Text, Required> = required("q", Text::between(2, 5), "A text.");
    const MIN: Parameter<Number, Optional> = optional("min", Number::at_least(0.0), "A bound.");
    const MAX: Parameter<Number, Optional> = optional("max", Number::at_least(0.0), "A bound.");
    const IDS: Parameter<Integer, Many> = many("ids", Integer::between(1, 9), "Numbers.");
    const SIZE: Parameter<Integer, Defaulted<i64>> =
        defaulted("size", Integer::between(1, 100), 10, "How many.");
    const SESSION: Parameter<UuidText, Optional> = in_header("x-session-id", UuidText, "A UUID.");

    parameters! {
        /// What the tests take.
        Params {
            ein: Ein = EIN,
            q: String = Q,
            min: Option<f64> = MIN,
            max: Option<f64> = MAX,
            ids: Vec<i64> = IDS,
            size: i64 = SIZE,
            session: Option<uuid::Uuid> = SESSION,
        }
        joined |input, errors| {
            check_range(input, (&MIN, &min), (&MAX, &max), errors);
        }
    }

    fn read(path: &str, query: &str, session: &str) -> Result<Params, Vec<String>> {
        let mut headers = HeaderMap::new();
        if !session.is_empty() {
            headers.insert("x-session-id", session.parse().unwrap());
        }
        let input = Input::new(Some(path), Some(query), &headers);
        Params::read(&input).map_err(|errors| {
            let items = json!(errors.body())["detail"].as_array().unwrap().clone();
            let told = |item: Value| format!("{} {}", item["loc"], item["type"]).replace('"', "");
            items.into_iter().map(told).collect()
        })
    }

    #[test]
    fn values() {
        let asked = read("123456789", "q=ab&min=1&max=1&ids=1,,2&ids=,3&size=5&size=7&x=1", "");
        let asked = asked.unwrap();
        assert_eq!((asked.ein.as_str(), &*asked.q, asked.size), ("123456789", "ab", 7));
        assert_eq!((asked.min, asked.max, asked.session), (Some(1.0), Some(1.0), None));
        assert_eq!(asked.ids, [1, 2, 3]);
        assert_eq!(read("123456789", "q=ab", "").unwrap().size, 10);
    }

    #[test]
    fn every_fault_in_declaration_order() {
        let all = read("1", "size=0&ids=1,0,,x&ids=10&max=1&min=2", "zz").unwrap_err();
        assert_eq!(
            all,
            [
                "[path,ein] string_too_short",
                "[query,q] missing",
                "[query,max] value_error",
                "[query,ids,1] greater_than_equal",
                "[query,ids,2] int_parsing",
                "[query,ids,3] less_than_equal",
                "[query,size] greater_than_equal",
                "[header,x-session-id] uuid_parsing",
            ]
        );
        assert_eq!(
            read("123456789", "q=&min=x&max=1", "").unwrap_err(),
            ["[query,q] string_too_short", "[query,min] float_parsing"]
        );
        assert_eq!(
            read("123456789", "q=ab&size=5&size=", "").unwrap_err(),
            ["[query,size] int_parsing"]
        );
    }

    #[test]
    fn documents() {
        let all: Vec<Value> = Params::DECLARED.iter().flat_map(|one| one.documents()).collect();
        assert_eq!(all[0]["in"], "path");
        assert_eq!(all[1]["required"], true);
        assert_eq!(all[4]["schema"]["items"]["maximum"], 9);
        assert_eq!(all[5]["schema"]["default"], 10);
        assert_eq!(all[6]["name"], "x-session-id");
    }
}
