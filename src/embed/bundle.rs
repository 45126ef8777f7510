//! The files of a model: those embedded in the binary, or those of a folder.

use std::borrow::Cow;
use std::path::Path;

use data_encoding::HEXLOWER;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::Error;

/// Raise when the arithmetic changes: vectors of another version must not be mixed with these.
const EIGHT_BITS: &str = "almoner eight bits 1";
/// The same of models in folders.
const TRANSFORMERS: &str = "candle-transformers f32 1";

/// Name of the embedded model.
const NAME: &str = "all-MiniLM-L6-v2";

/// SHA-256 sums of the embedded files, as `sha256sum` writes them.
const SUMS: &str = include_str!("../../models/all-MiniLM-L6-v2/SHA256SUMS");

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "model.safetensors";

/// Says how token vectors become one; sentence models publish it in a folder of its own.
const POOLING: [&str; 2] = ["pooling.json", "1_Pooling/config.json"];

/// Says how many tokens count.
const LIMIT: [&str; 2] = ["limit.json", "sentence_bert_config.json"];

/// Lists the steps of a sentence model.
const MODULES: [&str; 1] = ["modules.json"];

/// A file that goes by several names, and the one it has.
pub(super) type NamedFile = (&'static str, Cow<'static, [u8]>);

/// The files of a model.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) name: String,
    pub(super) config: Cow<'static, [u8]>,
    pub(super) tokenizer: Cow<'static, [u8]>,
    pub(super) weights: Cow<'static, [u8]>,
    /// Absent where the folder has none: mean pooling is assumed.
    pub(super) pooling: Option<NamedFile>,
    /// Absent where the folder has none: as many tokens as there are positions.
    pub(super) limit: Option<NamedFile>,
    /// Absent where the folder has none: nothing but a transformer and its pooling is assumed.
    pub(super) modules: Option<NamedFile>,
    /// What the files' SHA-256 sums must be: of the embedded ones it is known.
    sums: Option<&'static str>,
}

macro_rules! embedded {
    ($file:literal) => {
        ($file, include_bytes!(concat!("../../models/all-MiniLM-L6-v2/", $file)).as_slice())
    };
}

/// The weights that are embedded.
pub(super) static WEIGHTS_EMBEDDED: &[u8] = FILES[2].1;

/// The embedded files. A constant may be in the program twice.
static FILES: [(&str, &[u8]); 5] = [
    embedded!("config.json"),
    embedded!("tokenizer.json"),
    embedded!("model.safetensors"),
    embedded!("pooling.json"),
    embedded!("limit.json"),
];

impl Bundle {
    /// The embedded model; [`Bundle::identity`] checks its sums.
    pub(super) fn embedded() -> Self {
        let [config, tokenizer, weights, pooling, limit] = FILES.map(|file| Cow::Borrowed(file.1));
        let (pooling, limit) = (Some((POOLING[0], pooling)), Some((LIMIT[0], limit)));
        let (name, sums) = (NAME.to_owned(), Some(SUMS));
        Self { name, config, tokenizer, weights, pooling, limit, modules: None, sums }
    }

    /// The model in a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map(Cow::Owned).map_err(|source| Error::Read { path, source })
        };
        // A file that is there and cannot be read is no absent one.
        let either = |names: &[&'static str]| {
            let there = names.iter().copied().find(|name| folder.join(name).exists());
            there.map(|name| Ok::<_, Error>((name, read(name)?))).transpose()
        };
        let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self {
            name,
            config: read(CONFIG)?,
            tokenizer: read(TOKENIZER)?,
            weights: read(WEIGHTS)?,
            pooling: either(&POOLING)?,
            limit: either(&LIMIT)?,
            modules: either(&MODULES)?,
            sums: None,
        })
    }

    /// What `config.json` says, as a reader wants it.
    pub(super) fn config<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let expected = "the configuration of a model, with all that its family needs, in JSON";
        serde_json::from_slice(&self.config).map_err(|error| Error::Parse {
            file: CONFIG,
            expected,
            source: error.into(),
        })
    }

    /// SHA-256 of everything that the vectors depend on, as 64 hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::Sum`] when an embedded file is not the one that was embedded.
    pub(super) fn identity(&self) -> Result<String, Error> {
        let mut hasher = Sha256::new();
        hasher.update(if self.sums.is_some() { EIGHT_BITS } else { TRANSFORMERS });
        let files: [(&'static str, &[u8]); 5] = [
            (CONFIG, &self.config),
            (TOKENIZER, &self.tokenizer),
            (WEIGHTS, &self.weights),
            (POOLING[0], bytes(&self.pooling)),
            (LIMIT[0], bytes(&self.limit)),
        ];
        for (file, bytes) in files {
            // Hashes of hashes, so that nothing can move from one file into the next.
            let digest = Sha256::digest(bytes);
            if let Some(sums) = self.sums {
                check(file, &HEXLOWER.encode(&digest), sums)?;
            }
            hasher.update(digest);
        }
        Ok(HEXLOWER.encode(&hasher.finalize()))
    }
}

/// Compares a file's sum with the one that is listed.
fn check(file: &'static str, found: &str, sums: &str) -> Result<(), Error> {
    let expected = sums
        .lines()
        .find_map(|line| line.strip_suffix(file)?.split_whitespace().next())
        .unwrap_or("that SHA256SUMS lists");
    if found == expected {
        return Ok(());
    }
    Err(Error::Sum { file, expected: expected.to_owned(), found: found.to_owned() })
}

/// Nothing where the folder has none.
fn bytes(named: &Option<NamedFile>) -> &[u8] {
    named.as_ref().map_or(&[], |named| &named.1)
}
