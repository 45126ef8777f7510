//! Addresses of files: absolute `http` and `https` URLs, where a redirect leads, and another server
//! in their place. What stands at them is not known here.

use std::fmt;
use std::str::FromStr;

use hyper::Uri;

/// The longest address that is taken: none of the IRS's has a tenth of it.
const ADDRESS_BYTES_MAX: usize = 2_048;

/// The longest file name: what file systems take.
const NAME_BYTES_MAX: usize = 200;

/// An absolute `http` or `https` URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address(Uri);

/// Another server for every file, of which the paths stay: `http://mirror.example:8000`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

/// Why something is no [`BaseUrl`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a scheme and a host alone, such as https://mirror.example:8443, found {found:?}")]
pub struct BaseUrlError {
    found: String,
}

impl FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, BaseUrlError> {
        let root = Address::parse(text)
            .filter(|address| address.0.path_and_query().is_none_or(|path| path == "/"));
        let base = root.and_then(|address| address.server());
        base.map(Self).ok_or_else(|| BaseUrlError { found: text.chars().take(100).collect() })
    }
}

impl Address {
    /// Reads an absolute URL without a name and password in it; `None` for everything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > ADDRESS_BYTES_MAX {
            return None;
        }
        let uri: Uri = text.parse().ok()?;
        let known = matches!(uri.scheme_str(), Some("http" | "https"));
        let host = uri.host().is_some_and(|host| !host.is_empty());
        let plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        (known && host && plain).then_some(Self(uri))
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.0
    }

    pub(super) fn is_secure(&self) -> bool {
        self.0.scheme_str() == Some("https")
    }

    /// The same path on another server.
    pub(super) fn on(&self, base: &BaseUrl) -> Self {
        let path = self.0.path_and_query().map_or("/", |path| path.as_str());
        // A server and a path make an address, unless together they are too long.
        Self::parse(&format!("{}{path}", base.0)).unwrap_or_else(|| self.clone())
    }

    /// Scheme and host, with the port.
    fn server(&self) -> Option<String> {
        Some(format!("{}://{}", self.0.scheme_str()?, self.0.authority()?))
    }

    /// Where a `Location` of its answer leads; `None` when that is no address.
    pub(super) fn redirect(&self, location: &str) -> Option<Self> {
        // What stands behind # is for who shows a page.
        let location = location.split('#').next().filter(|location| !location.is_empty())?;
        let (path, folder) = (self.0.path(), self.0.path().rfind('/').map_or(0, |slash| slash + 1));
        Self::parse(&match location {
            of_server if of_server.starts_with("//") => {
                format!("{}:{of_server}", self.0.scheme_str()?)
            }
            absolute if absolute.contains("://") => absolute.to_owned(),
            rooted if rooted.starts_with('/') => format!("{}{rooted}", self.server()?),
            query if query.starts_with('?') => format!("{}{path}{query}", self.server()?),
            beside => format!("{}{}{beside}", self.server()?, &path[..folder]),
        })
    }

    /// The last part of the path, when it is fit for the name of a file that is not hidden.
    pub(super) fn file_name(&self) -> Option<&str> {
        let name = self.0.path().rsplit('/').next()?;
        let fit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let good = !name.is_empty()
            && name.len() <= NAME_BYTES_MAX
            && !name.starts_with('.')
            && name.bytes().all(fit);
        good.then_some(name)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_redirect(location: &str, expected: Option<&str>) {
        let from = Address::parse("https://a.example/pub/x/file.zip?v=1").unwrap();
        let found = from.redirect(location).map(|address| address.to_string());
        assert_eq!(found.as_deref(), expected, "{location:?}");
    }

    #[test]
    fn redirects() {
        for (location, expected) in [
            ("/other.zip", Some("https://a.example/other.zip")),
            ("other.zip", Some("https://a.example/pub/x/other.zip")),
            ("?v=2", Some("https://a.example/pub/x/file.zip?v=2")),
            ("//b.example/c", Some("https://b.example/c")),
            ("http://b.example/c#d", Some("http://b.example/c")),
            ("ftp://b.example/c", None),
            ("https://me:secret@b.example/", None),
            ("", None),
            ("https://", None),
        ] {
            check_redirect(location, expected);
        }
    }

    #[test]
    fn bases() {
        let address = Address::parse("https://a.example/pub/file.zip?v=1").unwrap();
        for (base, expected) in [
            ("http://127.0.0.1:8000", Some("http://127.0.0.1:8000/pub/file.zip?v=1")),
            ("https://mirror.example/", Some("https://mirror.example/pub/file.zip?v=1")),
            ("https://mirror.example/irs", None),
            ("mirror.example", None),
            ("ftp://mirror.example", None),
            ("", None),
        ] {
            let base: Result<BaseUrl, _> = base.parse();
            let found = base.ok().map(|base| address.on(&base).to_string());
            assert_eq!(found.as_deref(), expected);
        }
    }

    #[test]
    fn file_names() {
        for (path, expected) in [
            ("/a/eo1.csv", Some("eo1.csv")),
            ("/a/.hidden", None),
            ("/a/", None),
            ("/a/..", None),
            ("/a/b%2Fc", None),
            ("", None),
        ] {
            let address = Address::parse(&format!("https://a.example{path}")).unwrap();
            assert_eq!(address.file_name(), expected, "{path:?}");
        }
    }

    proptest! {
        #[test]
        fn any_location_is_an_address_or_none(location in "\\PC{0,60}") {
            let from = Address::parse("https://a.example/pub/file.zip").unwrap();
            if let Some(address) = from.redirect(&location) {
                prop_assert!(Address::parse(&address.to_string()).is_some());
            }
            let _ = location.parse::<BaseUrl>();
        }
    }
}
