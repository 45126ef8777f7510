//! The manifest: what the service offers, and where.

use super::entity::{EntityType, TypeView};
use crate::http::endpoints::r#match::QUERIES_MAX;
use crate::http::interface::endpoint::Context;
use crate::http::interface::path_key::BEFORE;
use crate::views::view;

/// Versions of the protocol that are spoken in full. The draft of 1.0 is not among them: it wants `suggest` to have
/// truth values where 0.2 wants addresses, so no manifest is one of both.
const VERSIONS: [&str; 2] = ["0.1", "0.2"];
/// Pixels of a preview.
const PREVIEW_WIDTH: u32 = 430;
const PREVIEW_HEIGHT: u32 = 200;

view! {
    /// What the service offers.
    #[serde(rename_all = "camelCase")]
    #[schemars(rename = "ReconciliationManifest")]
    pub(super) struct Manifest of |context: &Context<'_>| {
        // With the host, and the key in the path, that whoever asks used.
        let origin = origin(context);
        let key = context.path_key.map(|key| format!("/{}", key.as_str())).unwrap_or_default();
        let base = format!("{origin}{BEFORE}{key}");

        /// Versions of the protocol that are spoken in full.
        versions: [&'static str; 2] = VERSIONS,
        /// Name of the service.
        name: &'static str = "U.S. nonprofits by EIN (Almoner)",
        /// What identifiers are: EINs, as org-id.guide lists them.
        identifier_space: &'static str = "http://org-id.guide/list/US-EIN",
        /// What entities are.
        schema_space: &'static str = "https://schema.org/NGO",
        /// Address of the documentation.
        documentation: String = format!("{origin}/docs"),
        /// Version of the program.
        service_version: &'static str = env!("CARGO_PKG_VERSION"),
        /// Most queries of a batch, and most identifiers of a data extension.
        batch_size: usize = QUERIES_MAX,
        /// Types of entities.
        default_types: Vec<TypeView> = EntityType::ALL.map(EntityType::view).into(),
        /// Where an entity is shown to people.
        view: View = View::of(&origin),
        /// Where a card of an entity is.
        preview: Preview = Preview::of(&base),
        /// What suggests as somebody types.
        suggest: Suggest = Suggest::of(&base),
        /// How values are had.
        extend: Extend = Extend::of(&base),
        /// How a key is shown; absent where it stands in the address.
        #[serde(skip_serializing_if = "Option::is_none")]
        authentication: Option<Authentication> =
            context.path_key.is_none().then(|| Authentication::of("header")),
    }
}

view! {
    /// Where an entity is shown.
    #[schemars(rename = "ReconciliationView")]
    struct View of |origin: &str| {
        /// Address, in which `{{id}}` stands for the EIN.
        url: String = format!("{origin}/#/nonprofit/{{{{id}}}}"),
    }
}

view! {
    /// Where a card of an entity is.
    #[schemars(rename = "ReconciliationPreview")]
    struct Preview of |base: &str| {
        /// Address, in which `{{id}}` stands for the EIN.
        url: String = format!("{base}/preview/{{{{id}}}}"),
        /// Width of the card in pixels.
        width: u32 = PREVIEW_WIDTH,
        /// Height of the card in pixels.
        height: u32 = PREVIEW_HEIGHT,
    }
}

view! {
    /// What suggests.
    #[schemars(rename = "ReconciliationSuggest")]
    struct Suggest of |base: &str| {
        /// Of entities.
        entity: Place = Place::of(base, "/suggest/entity"),
        /// Of properties.
        property: Place = Place::of(base, "/suggest/property"),
        /// Of types.
        #[serde(rename = "type")]
        types: Place = Place::of(base, "/suggest/type"),
    }
}

view! {
    /// How values are had.
    #[schemars(rename = "ReconciliationExtend")]
    struct Extend of |base: &str| {
        /// What proposes properties.
        propose_properties: Place = Place::of(base, "/extend/properties"),
    }
}

view! {
    /// Where a part of the service is.
    #[schemars(rename = "ReconciliationPlace")]
    struct Place of |base: &str, service_path: &'static str| {
        /// Address of the service.
        service_url: String = base.to_owned(),
        /// What follows it.
        service_path: &'static str = service_path,
    }
}

view! {
    /// How a key is shown.
    #[schemars(rename = "ReconciliationAuthentication")]
    struct Authentication of |place: &'static str| {
        /// Always `apiKey`.
        #[serde(rename = "type")]
        kind: &'static str = "apiKey",
        /// Name of the header.
        name: &'static str = "X-API-Key",
        /// Always `header`.
        r#in: &'static str = place,
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
