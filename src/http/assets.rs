//! The pages for people and their files, embedded in the program. The files answer below a folder
//! named by the hash of all of them, so a browser may keep them for good and never mixes versions.

use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use hyper::header::{self, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

use crate::http::endpoints::r#match;
use crate::http::interface::compression::{Encoding, SharedBody};
use crate::http::interface::filters;
use crate::http::interface::response::{Answer, HTML, JSON, shared};

/// Below it the files of the pages answer.
pub(super) const FOLDER: &str = "/assets/";

/// What a page may do: load files of this server and ask it, nothing else and nobody else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:; style-src 'self'; \
     script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
/// A page names the files that belong to it, so it is revalidated on every visit.
const PAGE_CACHING: HeaderValue = HeaderValue::from_static("no-cache");
/// A file's address covers its content, so its answer never changes.
const FILE_CACHING: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Pages of others name the picker by an address that stays: they have a new version within an hour.
const PICKER_CACHING: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Who may load a file: pages of other origins too, those that are isolated from other origins among them.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
const SCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");
const FONT: HeaderValue = HeaderValue::from_static("font/woff2");

/// The files of the folder that the pages load, but for the pages themselves: `build.rs` lists them.
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/explorer.rs"));

/// What the pages need of what is declared, filters, orders and headings of lists: a file that is written here.
static DECLARED: LazyLock<String> = LazyLock::new(|| filters::script() + &r#match::script());

/// Tables of the data folder that the pages read too.
const TABLES: &[File] = &[
    ("charity_registries.tsv", include_bytes!("../../data/charity_registries.tsv") as &[u8]),
    ("ntee.tsv", include_bytes!("../../data/ntee.tsv") as &[u8]),
];

/// Every file that the pages load, by name.
fn files() -> impl Iterator<Item = File> {
    FILES.iter().chain(TABLES).copied().chain([("declared.js", DECLARED.as_bytes())])
}

type File = (&'static str, &'static [u8]);

pub(super) type SharedFile = (&'static str, SharedBody);

static SHARED: LazyLock<Vec<SharedFile>> =
    LazyLock::new(|| files().map(|(name, bytes)| (name, SharedBody::new(bytes))).collect());

/// A page for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Document {
    Explorer,
    Docs,
}

/// Eight bytes of the hash of all files, in hexadecimal.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = Sha256::new();
    for (name, bytes) in files() {
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    HEXLOWER.encode(&hasher.finalize()[..8])
});

static EXPLORER: LazyLock<SharedBody> = LazyLock::new(|| page(include_str!("explorer/index.html")));
static DOCS: LazyLock<SharedBody> = LazyLock::new(|| page(include_str!("explorer/docs.html")));

static PICKER: LazyLock<SharedBody> = LazyLock::new(|| SharedBody::new(include_str!("picker.js")));

fn page(template: &str) -> SharedBody {
    SharedBody::new(template.replace("{{assets}}", &VERSION))
}

/// The file of a path below [`FOLDER`], `<version>/<name>`, of this version only.
pub(super) fn find(path: &str) -> Option<&'static SharedFile> {
    let name = path.strip_prefix(VERSION.as_str())?.strip_prefix('/')?;
    SHARED.iter().find(|(known, _)| *known == name)
}

pub(super) fn document(document: Document, accepted: Option<Encoding>) -> Answer {
    let html: &SharedBody = match document {
        Document::Explorer => &EXPLORER,
        Document::Docs => &DOCS,
    };
    let mut answer = shared(HTML, html, accepted);
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, PAGE_CACHING);
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    answer
}

pub(super) fn file((name, body): &SharedFile, accepted: Option<Encoding>) -> Answer {
    let (media, accepted) = match name.rsplit_once('.') {
        Some((_, "js")) => (SCRIPT, accepted),
        Some((_, "css")) => (CSS, accepted),
        Some((_, "svg")) => (SVG, accepted),
        Some((_, "tsv" | "txt")) => (TEXT, accepted),
        // Compressed already.
        Some((_, "woff2")) => (FONT, None),
        _ => (JSON, accepted),
    };
    let mut answer = shared(media, body, accepted);
    answer.headers_mut().insert(header::CACHE_CONTROL, FILE_CACHING);
    answer
}

/// The script that pages of others load, as an answer.
pub(super) fn picker(accepted: Option<Encoding>) -> Answer {
    let mut answer = shared(SCRIPT, &PICKER, accepted);
    answer.headers_mut().insert(header::CACHE_CONTROL, PICKER_CACHING);
    answer.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Bytes that all pages and their files may have together.
    const BYTES_MAX: usize = 1_100_000;
    /// Bytes that the picker may have before it is compressed.
    const PICKER_BYTES_MAX: usize = 6 * 1024;

    #[test]
    fn every_file_of_the_folder_is_embedded_and_together_they_are_small() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/explorer");
        let names = std::fs::read_dir(folder).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let there: BTreeSet<_> = names.filter(|name| !name.ends_with(".html")).collect();
        let embedded: BTreeSet<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(there, embedded);
        let bytes: usize = files().map(|(_, bytes)| bytes.len()).sum();
        assert!(
            bytes + EXPLORER.encoded(None).0.len() + DOCS.encoded(None).0.len() <= BYTES_MAX,
            "{bytes}"
        );
    }

    #[test]
    fn the_picker_is_small() {
        let bytes = include_str!("picker.js").len();
        assert!(bytes <= PICKER_BYTES_MAX, "{bytes}");
    }

    #[test]
    fn files_answer_below_their_version_only() {
        let version = VERSION.as_str();
        for (path, found) in [
            (format!("{version}/style.css"), true),
            (format!("{version}/"), false),
            (format!("{version}/none.js"), false),
            (format!("{version}/index.html"), false),
            ("0000000000000000/style.css".to_owned(), false),
            ("style.css".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(find(&path).is_some(), found, "{path}");
        }
    }
}
