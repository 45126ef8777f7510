//! Amazon S3 and what speaks its protocol, Google Cloud Storage and Azure as stores: the crate
//! `object_store`, called from threads that may block.

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    ClientConfigKey, GetOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions,
    RetryConfig, UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use super::address::{Address, CURRENT, CURRENT_BYTES_MAX, OBJECTS, Service};
use super::error::{Fault, ObjectsError, StoreError};
use super::store::{Listed, NextPart, Store, Swap, Versioned};

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
        Path::from(match &*self.address.prefix {
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
    // The builders have the same methods, and no trait.
    macro_rules! build {
        ($builder:ident, $key:ident, $with_name:ident) => {
            $builder::from_env()
                .with_config($key::Client(ClientConfigKey::Timeout), REQUEST_TIMEOUT)
                .$with_name(&address.bucket)
                .with_retry(retries)
                .build()?
        };
    }
    Ok(match address.service {
        Service::Google => {
            Arc::new(build!(GoogleCloudStorageBuilder, GoogleConfigKey, with_bucket_name))
        }
        Service::Azure => {
            Arc::new(build!(MicrosoftAzureBuilder, AzureConfigKey, with_container_name))
        }
        Service::S3 | Service::Folder => {
            Arc::new(build!(AmazonS3Builder, AmazonS3ConfigKey, with_bucket_name))
        }
    })
}

impl Store for Cloud {
    fn read(&self, object: &str, range: Range<u64>) -> Result<(Vec<u8>, u64), StoreError> {
        let read = async {
            let options = GetOptions::new().with_range(Some(range));
            let answer = self.store.get_opts(&self.object(object), options).await?;
            let length = answer.meta.size;
            Ok((answer.bytes().await?.into(), length))
        };
        self.wait(read).map_err(self.error(object))
    }

    fn current(&self) -> Result<Option<Versioned>, StoreError> {
        let read = async {
            match self.store.get(&self.path(CURRENT)).await {
                Err(object_store::Error::NotFound { .. }) => {
                    // Listing fails if the bucket does not exist, and so tells that apart from an absent object.
                    self.store.list_with_delimiter(Some(&self.path("none"))).await.map(|_| None)
                }
                answer => answer.map(Some),
            }
        };
        let read = self.wait(read).map_err(self.error(CURRENT))?;
        let Some(answer) = read else { return Ok(None) };
        if answer.meta.size > CURRENT_BYTES_MAX {
            return Err(StoreError::new(&self.address, Fault::TooLong, ""));
        }
        let (tag, generation) = (answer.meta.e_tag.clone(), answer.meta.version.clone());
        let bytes = self.wait(answer.bytes()).map_err(self.error(CURRENT))?.into();
        Ok(Some(Versioned { bytes, tag, generation }))
    }

    fn swap(&self, bytes: Vec<u8>, read: Option<&Versioned>) -> Result<Swap, StoreError> {
        let mode = read.cloned().map_or(PutMode::Create, |read| {
            PutMode::Update(UpdateVersion { e_tag: read.tag, version: read.generation })
        });
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

    fn upload(&self, object: &str, next_part: &mut NextPart<'_>) -> Result<(), ObjectsError> {
        let begun = self.wait(self.store.put_multipart(&self.object(object)));
        let mut upload = begun.map_err(self.error(object))?;
        let mut send = || {
            while let Some(bytes) = next_part()? {
                self.wait(upload.put_part(bytes.into())).map_err(self.error(OBJECTS))?;
            }
            self.wait(upload.complete()).map_err(self.error(OBJECTS))?;
            Ok(())
        };
        let sent = send();
        if sent.is_err() {
            // What stays is removed by the bucket's rule for uploads that did not end.
            let _ = self.wait(upload.abort());
        }
        sent
    }

    fn remove(&self, object: &str) -> Result<(), StoreError> {
        match self.wait(self.store.delete(&self.object(object))) {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(self.error(object)),
        }
    }
}

/// An error and its causes, those left out that it repeats.
fn told(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let texts = causes.map(ToString::to_string);
    let joined =
        texts.reduce(|all, next| if all.contains(&next) { all } else { all + ": " + &next });
    joined.unwrap_or_default()
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
