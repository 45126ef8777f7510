//! Routes other than the endpoints: their paths, their descriptions in OpenAPI, and the answers of
//! health, readiness and version.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::language_model::LanguageModel;
use crate::record::Timestamp;
use crate::snapshot::{Manifest, Snapshot};
use crate::sources::{SourceKind, Summary};
use crate::views::{SchemaOf, view};

/// A path that is no endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Health,
    Ready,
    Version,
    Metrics,
    OpenApi,
    Docs,
    Explorer,
    Picker,
}

/// The description of a page in OpenAPI.
pub(crate) struct Description {
    pub(crate) summary: &'static str,
    /// Of a 200 answer in JSON; `None` for plain text.
    pub(crate) schema: Option<SchemaOf>,
}

impl Page {
    pub(crate) const ALL: [(&'static str, Self); 8] = [
        ("/health", Self::Health),
        ("/ready", Self::Ready),
        ("/version", Self::Version),
        ("/metrics", Self::Metrics),
        ("/openapi.json", Self::OpenApi),
        ("/docs", Self::Docs),
        ("/", Self::Explorer),
        ("/picker.js", Self::Picker),
    ];

    /// Whether a private service shows it without a key: where it is asked whether it lives.
    pub(crate) fn is_public(self) -> bool {
        self == Self::Health
    }

    /// The description; `None` of what is for people, and of the document that describes.
    pub(crate) fn description(self) -> Option<Description> {
        let (summary, schema): (_, Option<SchemaOf>) = match self {
            Self::Health => {
                ("Whether the process lives", Some(SchemaGenerator::subschema_for::<Health>))
            }
            Self::Ready => {
                ("Whether a snapshot is open", Some(SchemaGenerator::subschema_for::<Ready<'_>>))
            }
            Self::Version => (
                "The program, its snapshot and the files that it was built from",
                Some(SchemaGenerator::subschema_for::<Version<'_>>),
            ),
            Self::Metrics => ("Telemetry in the text format of Prometheus", None),
            Self::OpenApi | Self::Docs | Self::Explorer | Self::Picker => return None,
        };
        Some(Description { summary, schema })
    }
}

/// The process lives.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Health {
    /// Always `ok`.
    status: &'static str,
}

impl Health {
    pub(crate) const OK: Self = Self { status: "ok" };
}

view! {
    /// A snapshot is open.
    pub(crate) struct Ready<'a> of |manifest: &'a Manifest, behind: Behind, keys_behind: Behind| {
        /// Always `ready`.
        status: &'static str = "ready",
        /// Name of the snapshot that is open.
        snapshot: &'a str = &manifest.snapshot,
        /// Why the newest snapshot, in the data directory or in object storage, may not be the one that is
        /// open; null where it is.
        behind: Option<&'static str> = behind,
        /// Why the keys that are valid may not be those of the key file; null where they are.
        keys_behind: Option<&'static str> = keys_behind,
    }
}

/// Why the newest of something is not used, where it is not.
type Behind = Option<&'static str>;

view! {
    /// The program, and the snapshot that is open.
    pub(crate) struct Version<'a> of |
        open: Option<&'a Snapshot>,
        model: Option<&'a LanguageModel>
    | {
        let manifest = open.map(|snapshot| &snapshot.manifest);
        let awaited = open.and_then(Snapshot::awaited);

        /// Name and version of the program.
        program: &'static str = concat!("almoner ", env!("CARGO_PKG_VERSION")),
        /// Name of the open snapshot; null without one.
        snapshot: Option<&'a str> = manifest.map(|manifest| &*manifest.snapshot),
        /// Version of the format of the open snapshot; null without one.
        format: Option<u32> = manifest.map(|manifest| manifest.format),
        /// When the snapshot was built, an RFC 3339 time in UTC; null if no snapshot is open.
        built_at: Option<&'a str> = manifest.map(|manifest| &*manifest.built_at),
        /// Version of the program that built the snapshot; null if no snapshot is open.
        built_by: Option<&'a str> = manifest.map(|manifest| &*manifest.program),
        /// Number of nonprofits in the snapshot; null if no snapshot is open.
        organizations: Option<u64> = manifest.map(|manifest| manifest.organizations),
        /// The files that the snapshot was built from; null if no snapshot is open.
        sources: Option<Vec<Source<'a>>> =
            manifest.map(|manifest| manifest.sources.iter().map(Source::of).collect()),
        /// Identifier of the model of the vectors in the snapshot; null if it has no vectors.
        model: Option<&'a str> = manifest.and_then(|manifest| manifest.model.as_deref()),
        /// Identifier of the model whose vectors the next snapshot will have; null if no such snapshot is expected.
        awaits_model: Option<&'a str> = manifest.and_then(|manifest| manifest.awaits.as_deref()),
        /// The fraction of that work already done, 0 to 1; null if no build is running.
        awaited_share: Option<f64> = awaited.and_then(|awaited| awaited.share),
        /// The language model that helps the chat, a file or a model at a host; null without one.
        language_model: Option<&'a str> = model.map(LanguageModel::name),
    }
}

view! {
    /// A file that the snapshot was built from.
    struct Source<'a> of |source: &'a Summary| {
        /// Name of the file; of a member of a ZIP file, with the name of the ZIP file.
        name: &'a str = &source.name,
        /// Kind of the source.
        kind: SourceKind = source.kind,
        /// Length in bytes; of a ZIP file, that of the whole file.
        bytes: u64 = source.bytes,
        /// SHA-256 of those bytes, in hexadecimal.
        sha256: &'a str = &source.sha256,
        /// When the file was last modified, an RFC 3339 time in UTC; null where that is no valid time.
        modified: Option<Timestamp> = Timestamp::from_seconds(source.modified_seconds),
        /// Number of rows, lines or returns of use.
        rows: u64 = source.rows,
        /// Number of rows, lines or returns that could not be read.
        rejects: u64 = source.rejects,
    }
}
