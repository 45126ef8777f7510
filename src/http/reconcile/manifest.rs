//! The manifest: what the service offers, and where.

use schemars::JsonSchema;
use serde::Serialize;

use super::entity::{EntityType, TypeView};
use crate::http::endpoint::Context;
use crate::http::r#match::QUERIES_MAX;
use crate::http::path_key::BEFORE;

/// Versions of the protocol that are spoken in full. The draft of 1.0 is not among them: it wants `suggest` to have
/// truth values where 0.2 wants addresses, so no manifest is one of both.
const VERSIONS: [&str; 2] = ["0.1", "0.2"];
/// Pixels of a preview.
const PREVIEW_WIDTH: u32 = 430;
const PREVIEW_HEIGHT: u32 = 200;

/// What the service offers.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReconciliationManifest")]
pub(super) struct Manifest {
    /// Versions of the protocol that are spoken in full.
    versions: [&'static str; 2],
    /// Name of the service.
    name: &'static str,
    /// What identifiers are: EINs, as org-id.guide lists them.
    identifier_space: &'static str,
    /// What entities are.
    schema_space: &'static str,
    /// Address of the documentation.
    documentation: String,
    /// Version of the program.
    service_version: &'static str,
    /// Most queries of a batch, and most identifiers of a data extension.
    batch_size: usize,
    /// Types of entities.
    default_types: Vec<TypeView>,
    /// Where an entity is shown to people.
    view: View,
    /// Where a card of an entity is.
    preview: Preview,
    /// What suggests as somebody types.
    suggest: Suggest,
    /// How values are had.
    extend: Extend,
    /// How a key is shown; absent where it stands in the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    authentication: Option<Authentication>,
}

/// Where an entity is shown.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationView")]
struct View {
    /// Address, in which `{{id}}` stands for the EIN.
    url: String,
}

/// Where a card of an entity is.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationPreview")]
struct Preview {
    /// Address, in which `{{id}}` stands for the EIN.
    url: String,
    /// Width of the card in pixels.
    width: u32,
    /// Height of the card in pixels.
    height: u32,
}

/// What suggests.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationSuggest")]
struct Suggest {
    /// Of entities.
    entity: Place,
    /// Of properties.
    property: Place,
    /// Of types.
    #[serde(rename = "type")]
    types: Place,
}

/// How values are had.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationExtend")]
struct Extend {
    /// What proposes properties.
    propose_properties: Place,
}

/// Where a part of the service is.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationPlace")]
struct Place {
    /// Address of the service.
    service_url: String,
    /// What follows it.
    service_path: &'static str,
}

/// How a key is shown.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationAuthentication")]
struct Authentication {
    /// Always `apiKey`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Name of the header.
    name: &'static str,
    /// Always `header`.
    r#in: &'static str,
}

impl Manifest {
    /// For whoever asks: with the host, and the key in the path, that were used.
    pub(super) fn of(context: &Context<'_>) -> Self {
        let origin = origin(context);
        let key = context.path_key.map(|key| format!("/{}", key.as_str())).unwrap_or_default();
        let base = format!("{origin}{BEFORE}{key}");
        let place = |service_path| Place { service_url: base.clone(), service_path };
        let header = Authentication { kind: "apiKey", name: "X-API-Key", r#in: "header" };
        Self {
            versions: VERSIONS,
            name: "U.S. nonprofits by EIN (Almoner)",
            identifier_space: "http://org-id.guide/list/US-EIN",
            schema_space: "https://schema.org/NGO",
            documentation: format!("{origin}/docs"),
            service_version: env!("CARGO_PKG_VERSION"),
            batch_size: QUERIES_MAX,
            default_types: EntityType::ALL.map(EntityType::view).into(),
            view: View { url: format!("{origin}/#/nonprofit/{{{{id}}}}") },
            preview: Preview {
                url: format!("{base}/preview/{{{{id}}}}"),
                width: PREVIEW_WIDTH,
                height: PREVIEW_HEIGHT,
            },
            suggest: Suggest {
                entity: place("/suggest/entity"),
                property: place("/suggest/property"),
                types: place("/suggest/type"),
            },
            extend: Extend { propose_properties: place("/extend/properties") },
            authentication: context.path_key.is_none().then_some(header),
        }
    }
}

/// The origin by which the client reached the server, through a proxy that says so too; empty where the
/// request names no host.
fn origin(context: &Context<'_>) -> String {
    let header = |name| context.input.header(name).unwrap_or_default();
    let host = header("host");
    let is_host = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    if host.is_empty() || !host.chars().all(is_host) {
        return String::new();
    }
    let scheme = if header("x-forwarded-proto") == "https" { "https" } else { "http" };
    format!("{scheme}://{host}")
}
