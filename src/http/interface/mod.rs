//! What requests and answers are: routes, parameters and bodies that are read, errors, representations, and their
//! description in OpenAPI. What an endpoint asks is in `endpoints`.

pub(crate) mod answer_body;
pub(crate) mod answer_headers;
pub(crate) mod api_error;
pub(crate) mod body;
pub(crate) mod compression;
pub(crate) mod declared;
pub(crate) mod endpoint;
pub(crate) mod filters;
pub(crate) mod form;
pub(crate) mod input;
pub(crate) mod interpretation;
pub(crate) mod jsonp;
pub(crate) mod markup;
pub(crate) mod negotiation;
pub(crate) mod openapi;
pub(crate) mod openapi_examples;
pub(crate) mod page;
pub(crate) mod page_links;
pub(crate) mod parameter;
pub(crate) mod parameter_type;
pub(crate) mod path_key;
pub(crate) mod query_names;
pub(crate) mod representation;
pub(crate) mod response;
pub(crate) mod route;
pub(crate) mod rows;
pub(crate) mod validation_error;
pub(crate) mod validators;
