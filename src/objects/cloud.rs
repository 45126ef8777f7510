//! Amazon S3 and what speaks its protocol, Google Cloud Storage and Azure as stores: the crate
//! `object_store`, called from threads that may block.

use std::fmt::Write as _;
use std::future::Future;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    ClientConfigKey, GetOptions, MultipartUpload, ObjectStore, ObjectStoreExt as _, PutMode,
    PutOptions, RetryConfig, UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use super::address::{Address, Service};
use super::error::ObjectsError;
use super::store::{
    CURRENT, CURRENT_BYTES_MAX, Fault, Listed, OBJECTS, Part, Store, StoreError, Swap, Upload,
    Version, Versioned,
};

/// For one request with its answer: 8 MiB at 140 KB a second.
const REQUEST_TIMEOUT: &str = "60 seconds";

/// How often a request is tried again, and for how long.
const RETRIES: usize = 4;
const RETRY_TIMEOUT: Duration = Duration::from_secs(90);

/// Characters of what a store says that an error repeats.
const REASON_CHARACTERS_MAX: usize = 300;

pub(super) struct Cloud {
    address: Address,
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
}

impl Cloud {
    pub(super) fn new(address: &Address) -> Result<Self, ObjectsError> {
        // Whoever was first has installed one as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let failed = |reason: &dyn std::fmt::Display| {
            ObjectsError::from(StoreError::new(address, Fault::Other, reason))
        };
        let runtime = runtime.map_err(|error| failed(&error))?;
        let store = client(address).map_err(|error| failed(&told(&error)))?;
        Ok(Self { address: address.clone(), store, runtime })
    }

    fn path(&self, name: &str) -> Path {
        Path::from(match self.address.prefix() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        })
    }

    fn object(&self, object: &str) -> Path {
        self.path(&format!("{OBJECTS}/{object}"))
    }

    fn wait<Answer>(&self, answer: impl Future<Output = Answer>) -> Answer {
        self.runtime.block_on(answer)
    }

    fn error(&self, name: &str) -> impl Fn(object_store::Error) -> StoreError {
        move |error| {
            let all = told(&error);
            StoreError::new(&self.address, fault(&error, &all, name), reason(&all))
        }
    }

    /// Writes if a condition holds.
    fn put(&self, path: &Path, bytes: Vec<u8>, mode: PutMode) -> Result<Swap, StoreError> {
        let options = PutOptions { mode, ..PutOptions::default() };
        match self.wait(self.store.put_opts(path, bytes.into(), options)) {
            Ok(_) => Ok(Swap::Done),
            Err(
                object_store::Error::AlreadyExists { .. }
                | object_store::Error::Precondition { .. },
            ) => Ok(Swap::Refused),
            Err(error) => Err(self.error(path.as_ref())(error)),
        }
    }
}

/// What asks a store, as the environment says.
fn client(address: &Address) -> object_store::Result<Arc<dyn ObjectStore>> {
    let retries = RetryConfig {
        max_retries: RETRIES,
        retry_timeout: RETRY_TIMEOUT,
        ..RetryConfig::default()
    };
    let bucket = address.bucket();
    let timeout = ClientConfigKey::Timeout;
    Ok(match address.service() {
        Service::Google => Arc::new(
            GoogleCloudStorageBuilder::from_env()
                .with_config(GoogleConfigKey::Client(timeout), REQUEST_TIMEOUT)
                .with_bucket_name(bucket)
                .with_retry(retries)
                .build()?,
        ),
        Service::Azure => Arc::new(
            MicrosoftAzureBuilder::from_env()
                .with_config(AzureConfigKey::Client(timeout), REQUEST_TIMEOUT)
                .with_container_name(bucket)
                .with_retry(retries)
                .build()?,
        ),
        Service::S3 | Service::Folder => Arc::new(
            AmazonS3Builder::from_env()
                .with_config(AmazonS3ConfigKey::Client(timeout), REQUEST_TIMEOUT)
                .with_bucket_name(bucket)
                .with_retry(retries)
                .build()?,
        ),
    })
}

impl Store for Cloud {
    fn read(&self, object: &str, range: Range<u64>) -> Result<Part, StoreError> {
        let read = async {
            let options = GetOptions::new().with_range(Some(range));
            let answer = self.store.get_opts(&self.object(object), options).await?;
            let of = answer.meta.size;
            Ok(Part { bytes: answer.bytes().await?.into(), of })
        };
        self.wait(read).map_err(self.error(object))
    }

    fn current(&self) -> Result<Option<Versioned>, StoreError> {
        let read = async {
            let answer = match self.store.get(&self.path(CURRENT)).await {
                Err(error @ object_store::Error::NotFound { .. }) => {
                    // Listing fails if the bucket does not exist, and so tells that apart from an absent object.
                    self.store.list_with_delimiter(Some(&self.path("none"))).await?;
                    drop(error);
                    return Ok(None);
                }
                answer => answer?,
            };
            let (tag, generation) = (answer.meta.e_tag.clone(), answer.meta.version.clone());
            let is_long = answer.meta.size > CURRENT_BYTES_MAX;
            let bytes = if is_long { Vec::new() } else { answer.bytes().await?.into() };
            Ok(Some((Versioned { bytes, version: Version { tag, generation } }, is_long)))
        };
        match self.wait(read).map_err(self.error(CURRENT))? {
            Some((_, true)) => Err(StoreError::new(&self.address, Fault::TooLong, "")),
            Some((current, false)) => Ok(Some(current)),
            None => Ok(None),
        }
    }

    fn swap(&self, bytes: Vec<u8>, read: Option<&Version>) -> Result<Swap, StoreError> {
        let mode = match read.cloned() {
            Some(Version { tag, generation }) => {
                PutMode::Update(UpdateVersion { e_tag: tag, version: generation })
            }
            None => PutMode::Create,
        };
        self.put(&self.path(CURRENT), bytes, mode)
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let folder = self.path(OBJECTS);
        let found = self.wait(self.store.list_with_delimiter(Some(&folder)));
        let found = found.map_err(self.error(OBJECTS))?;
        let listed = found.objects.into_iter().filter_map(|meta| {
            let object = meta.location.filename()?.to_owned();
            let modified = SystemTime::from(meta.last_modified);
            Some(Listed { object, bytes: meta.size, modified })
        });
        Ok(listed.collect())
    }

    fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.put(&self.object(object), bytes, PutMode::Overwrite).map(|_| ())
    }

    fn create(&self, object: &str, bytes: Vec<u8>) -> Result<Swap, StoreError> {
        self.put(&self.object(object), bytes, PutMode::Create)
    }

    fn start_upload<'a>(&'a self, object: &str) -> Result<Box<dyn Upload + 'a>, StoreError> {
        let begun = self.wait(self.store.put_multipart(&self.object(object)));
        let upload = begun.map_err(self.error(object))?;
        Ok(Box::new(Parts { cloud: self, upload }))
    }

    fn remove(&self, object: &str) -> Result<(), StoreError> {
        match self.wait(self.store.delete(&self.object(object))) {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(self.error(object)),
        }
    }
}

/// An upload in parts.
struct Parts<'a> {
    cloud: &'a Cloud,
    upload: Box<dyn MultipartUpload>,
}

impl Upload for Parts<'_> {
    fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        let sent = self.upload.put_part(bytes.into());
        self.cloud.wait(sent).map_err(self.cloud.error(OBJECTS))
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        let finished = self.cloud.wait(self.upload.complete());
        finished.map(|_| ()).map_err(self.cloud.error(OBJECTS))
    }

    fn abandon(&mut self) {
        // What stays is removed by the bucket's rule for uploads that did not end.
        let _ = self.cloud.wait(self.upload.abort());
    }
}

/// An error and its causes.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let also = next.to_string();
        if !text.contains(&also) {
            let _ = write!(text, ": {also}");
        }
        cause = next.source();
    }
    text
}

/// What kind of fault an error is, by its type or by what stores and systems say.
fn fault(error: &object_store::Error, all: &str, name: &str) -> Fault {
    let says = |words: &[&str]| words.iter().any(|word| all.contains(word));
    let named = || format!("{OBJECTS}/{name}");
    if says(&["RequestTimeTooSkewed", "RequestExpired", "AuthenticationFailed: Request date"]) {
        return Fault::Clock;
    }
    if says(&["NoSuchBucket", "ContainerNotFound", "specified bucket does not exist"]) {
        return Fault::NoBucket;
    }
    if says(&["169.254.169.254", "metadata.google.internal", "169.254.170.2"]) {
        return Fault::NoKeys;
    }
    let refused = ["SignatureDoesNotMatch", "InvalidAccessKeyId", "AccessDenied", "403 Forbidden"];
    match error {
        object_store::Error::PermissionDenied { .. }
        | object_store::Error::Unauthenticated { .. } => Fault::Denied,
        _ if says(&refused) => Fault::Denied,
        object_store::Error::NotFound { .. } => Fault::NoObject(named()),
        _ if says(&["InvalidRange", "416 Range Not Satisfiable"]) => Fault::Range(named()),
        _ if says(&["InsufficientStorage", "507 ", "QuotaExceeded"]) => Fault::Full,
        _ if says(&["error sending request", "timed out", "HTTP error", "connect"]) => {
            Fault::Unreachable
        }
        _ => Fault::Other,
    }
}

/// What of an error may be logged: of a body of XML its code and message, which name no request, of an
/// address nothing from its `?` on, which may be a signature.
fn reason(all: &str) -> String {
    let tag = |name: &str| {
        let (_, rest) = all.split_once(&format!("<{name}>"))?;
        Some(rest.split_once("</")?.0.to_owned())
    };
    let text = match (tag("Code"), tag("Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code,
        _ => {
            let before_body = all.split('<').next().unwrap_or_default();
            let words = before_body.split_whitespace().map(|word| match word.split_once('?') {
                Some((address, _)) if address.contains("://") => address,
                _ => word,
            });
            words.collect::<Vec<_>>().join(" ")
        }
    };
    text.chars().take(REASON_CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_hold_no_signature() {
        for (all, expected) in [
            (
                "Error performing PUT http://h/b in 3ms: Server returned non-2xx status code: 403 Forbidden: \
                 <Error><Code>SignatureDoesNotMatch</Code><Message>No.</Message><AWSAccessKeyId>AKIA</AWSAccessKeyId>\
                 <StringToSign>secret</StringToSign></Error>",
                "SignatureDoesNotMatch: No.",
            ),
            (
                "error sending request for url (https://a.blob.core.windows.net/c/CURRENT?sig=secret&se=1): refused",
                "error sending request for url (https://a.blob.core.windows.net/c/CURRENT refused",
            ),
        ] {
            assert_eq!(reason(all), expected);
        }
    }
}
