//! The parameters that several endpoints take, each declared once.

use super::parameter::{
    Defaulted, Many, Optional, Parameter, Required, defaulted, in_header, in_path, many, optional,
    parameters,
};
use super::parameter_type::{
    Code, EinDigits, Flag, Goal, Integer, Names, Number, Text, UspsCode, UuidText,
};
use crate::record::{Ein, Zip5};
use crate::search::listing::SIZE_MAX;

pub(crate) const EIN: Parameter<EinDigits, Required> =
    in_path("ein", EinDigits, "EIN of the nonprofit: exactly nine digits.");

parameters! {
    /// What most endpoints on one nonprofit take.
    OfNonprofit {
        ein: Ein = EIN,
    }
}

parameters! {
    /// What lists of one nonprofit take.
    ListOfNonprofit {
        ein: Ein = EIN,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

pub(crate) const EINS: Parameter<EinDigits, Many> =
    many("eins", EinDigits, "Only rows of these EINs.");

pub(crate) const PAGE: Parameter<Integer, Defaulted<i64>> =
    defaulted("page", Integer::at_least(1), 1, "Page number, from 1.");

/// Rows of a page, 20 unless given.
pub(crate) const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

/// Rows of a page, with an endpoint's own default.
pub(crate) const fn size(default: i64) -> Parameter<Integer, Defaulted<i64>> {
    defaulted("size", Integer::between(1, SIZE_MAX as i64), default, "Rows of a page.")
}

pub(crate) const MIN_POWER_SCORE: Parameter<Number, Optional> = optional(
    "min_power_score",
    Number::between(0.0, 10.0),
    "Only stories with at least this power score.",
);

pub(crate) const CITY: Parameter<Text, Optional> =
    optional("city", Text::between(2, 100), "City of the nonprofit, in any case.");

pub(crate) const COUNTY: Parameter<Text, Optional> = optional(
    "county",
    Text::between(2, 100),
    "County of the nonprofit, in any case, with or without “County”.",
);

/// Characters of a list of counties, at most: those of the state with most of them.
const COUNTIES_CHARACTERS_MAX: usize = 2_500;

pub(crate) const COUNTIES: Parameter<Names, Optional> = optional(
    "county",
    Names { min: 2, max: 100, list_max: COUNTIES_CHARACTERS_MAX },
    "County of the nonprofit, or several with commas between them, in any case, with or without “County”.",
);

pub(crate) const STATE: Parameter<UspsCode, Optional> =
    optional("state", UspsCode, "USPS code of the nonprofit's state, in any case.");

pub(crate) const ZIP_CODE: Parameter<Code<Zip5>, Optional> =
    optional("zip_code", Code::matching(r"^\d{5}$"), "ZIP code of the nonprofit.");

pub(crate) const NTEE_CODES: Parameter<Text, Many> = many(
    "ntee_codes",
    Text::ANY,
    "Only nonprofits whose NTEE code starts with any of these, in any case: `A`, `A2` or `A20`.",
);

pub(crate) const YEAR: Parameter<Integer, Optional> = optional(
    "year",
    Integer::between(1900, 2200),
    "Only of returns of this tax year: the one in which the tax period begins.",
);

pub(crate) const MIN_AMOUNT: Parameter<Integer, Optional> = optional(
    "min_amount",
    Integer::at_least(0),
    "Only grants of at least this many US dollars; grants without a stated amount are left out.",
);

/// A list of Sustainable Development Goals, under the name that an endpoint gives it.
pub(crate) const fn goals(name: &'static str) -> Parameter<Goal, Many> {
    many(name, Goal, "Only nonprofits that serve any of these Sustainable Development Goals.")
}

/// A truth value that may be absent.
pub(crate) const fn flag(
    name: &'static str,
    description: &'static str,
) -> Parameter<Flag, Optional> {
    optional(name, Flag, description)
}

pub(crate) const SESSION: Parameter<UuidText, Optional> = in_header(
    "x-session-id",
    UuidText,
    "A UUID of the client's that names its session: what was understood is kept in memory for a while, \
     and the next query may refine it.",
);
