//! Where snapshots are kept: the address of a place in object storage, or of a folder, and the names there.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The one object that changes.
pub(super) const CURRENT: &str = "CURRENT";

/// Where the others are: `objects/` and the SHA-256 in hexadecimal.
pub(super) const OBJECTS: &str = "objects";

/// Bytes that `CURRENT` may have; it has a hundred for each snapshot that is kept.
pub const CURRENT_BYTES_MAX: u64 = 256 << 10;

/// Who answers at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    /// A folder of this machine, or one mounted there.
    Folder,
    /// Amazon S3, or whatever speaks its protocol.
    S3,
    /// Google Cloud Storage.
    Google,
    /// Azure Blob Storage.
    Azure,
}

const SCHEMES: [(&str, Service); 4] = [
    ("file", Service::Folder),
    ("s3", Service::S3),
    ("gs", Service::Google),
    ("az", Service::Azure),
];

/// An address without credentials, which come from the environment, so that it may be logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Who answers there.
    pub(super) service: Service,
    /// The bucket or container; empty of a folder.
    pub(super) bucket: String,
    /// What is before each name in the bucket, without slashes around it; perhaps empty.
    pub(super) prefix: String,
}

/// Why a text is no address. It does not repeat the text, which may hold a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///FOLDER, {found}"
)]
pub struct AddressError {
    found: &'static str,
}

impl Address {
    /// The folder of `file:///…`.
    pub(super) fn folder(&self) -> PathBuf {
        PathBuf::from(format!("/{}", self.prefix))
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let error = |found| AddressError { found };
        let (scheme, rest) =
            text.split_once("://").ok_or(error("found something without a scheme"))?;
        let known = SCHEMES.iter().find(|(name, _)| *name == scheme);
        let (_, service) = *known.ok_or(error("found another scheme"))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        if service == Service::Folder {
            if !bucket.is_empty() || prefix.is_empty() {
                return Err(error("found file:// without three slashes and an absolute path"));
            }
        } else {
            if bucket.contains('@') {
                return Err(error("found an @: keys belong into the environment"));
            }
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            if bucket.is_empty() || !bucket.bytes().all(fits) {
                return Err(error("found no name of a bucket"));
            }
            let odd = |byte: u8| !byte.is_ascii_graphic() || b"?#%\\".contains(&byte);
            if prefix.bytes().any(odd) {
                return Err(error(
                    "found a blank, ?, #, % or \\ in the prefix: keys belong into the environment",
                ));
            }
        }
        let odd = |part: &str| part.is_empty() || part == "." || part == "..";
        if !prefix.is_empty() && prefix.split('/').any(odd) {
            return Err(error("found an empty part, . or .. between slashes"));
        }
        Ok(Self { service, bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = SCHEMES.iter().find(|(_, service)| *service == self.service);
        let (scheme, _) = scheme.unwrap_or(&SCHEMES[0]);
        write!(out, "{scheme}://{}", self.bucket)?;
        if !self.prefix.is_empty() {
            write!(out, "/{}", self.prefix)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown() {
        for (text, shown) in [
            ("s3://bucket/a/b", "s3://bucket/a/b"),
            ("s3://bucket", "s3://bucket"),
            ("gs://bucket/", "gs://bucket"),
            ("az://container/a/", "az://container/a"),
            ("file:///srv/my store", "file:///srv/my store"),
        ] {
            assert_eq!(text.parse::<Address>().map(|it| it.to_string()), Ok(shown.to_owned()));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for (text, found) in [
            ("/srv/store", "without a scheme"),
            ("ftp://bucket/a", "another scheme"),
            ("s3:///a", "no name of a bucket"),
            ("s3://AKIA:secret@bucket/a", "environment"),
            ("az://container/a?sig=secret", "environment"),
            ("s3://bucket/a//b", "empty part"),
            ("s3://bucket/../b", ".."),
            ("file://srv/store", "three slashes"),
            ("file:///", "absolute path"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains(found), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
