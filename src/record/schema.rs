//! JSON schemas of values that write themselves as something else than their members; they stand in the
//! place of use.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    Date, Ein, Form, GrantForm, GrantStage, Month, Ntee, RelationPart, Roles, SdgSet, State,
    Timestamp, Usd, Zip5,
};

macro_rules! schemas {
    ($($type:ty: $schema:tt,)+) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        })+
    };
}

schemas! {
    Ein: { "type": "string", "pattern": r"^\d{9}$" },
    Zip5: { "type": "string", "pattern": r"^\d{5}$" },
    State: { "type": "string", "pattern": "^[A-Z]{2}$" },
    Ntee: { "type": "string" },
    Date: { "type": "string", "format": "date" },
    Month: { "type": "string" },
    Timestamp: { "type": "string" },
    Usd: { "type": "integer" },
    SdgSet: { "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 17 } },
    Roles: { "type": "array", "items": { "type": "string" } },
    Form: { "type": "string" },
    GrantForm: { "type": "string" },
    GrantStage: { "type": "string" },
    RelationPart: { "type": "string" },
}
