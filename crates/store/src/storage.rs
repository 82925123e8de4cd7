//! Files: in a folder of this machine, every one synced, or in an S3 bucket. This module moves bytes; type, size and hash are rows
//! in `objects`.

mod bucket;
mod put_file;
mod reading;

use std::{
    borrow::Cow,
    path::{Path as FsPath, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
    RetryConfig, aws::AmazonS3Builder, local::LocalFileSystem, path::Path,
};

use bucket::Step;
use tokio::sync::Mutex;
use url::Url;
use zeroize::Zeroizing;

use crate::secret_address::SecretAddress;

/// Why a file was not read, stored or deleted, or its place not used.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("no such object")]
    NotFound,
    #[error("the object exists already")]
    Exists,
    /// The setting, named first, is no address of a bucket.
    #[error("{0} must look like s3://key:secret@bucket?endpoint=https://…&region=… ({1})")]
    Setting(&'static str, &'static str),
    /// The setting's place is not one that files can be kept in, and waiting does not help.
    #[error("{0}: {1}")]
    Unusable(&'static str, String),
    #[error("{0}: {1}")]
    Unreachable(&'static str, String),
    #[error(transparent)]
    Store(object_store::Error),
    #[error(transparent)]
    Disk(std::io::Error),
}

impl From<object_store::Error> for StorageError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. } => {
                Self::Exists
            }
            other => Self::Store(other),
        }
    }
}

/// Where files are kept: a folder of this machine, or a bucket. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Storage {
    Local {
        store: Arc<LocalFileSystem>,
        /// The folder, with all links resolved once.
        root: Arc<PathBuf>,
        /// Held during a probe: a disk that does not answer holds one thread.
        probing: Arc<Mutex<()>>,
    },
    Bucket(Bucket),
}

#[derive(Clone)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    /// The setting that names it.
    setting: &'static str,
    /// Its name and where it is, without key and secret.
    name: Arc<str>,
    /// Set once it has refused a second conditional write, and shown what was removed as missing.
    is_trusted: Arc<AtomicBool>,
}

impl Bucket {
    fn new(store: Arc<dyn ObjectStore>, setting: &'static str, name: &str) -> Self {
        Self { store, setting, name: name.into(), is_trusted: Arc::default() }
    }
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Bucket").field(&self.name).finish()
    }
}

pub use bucket::is_probe;
pub use put_file::UploadPermit;
pub use reading::Stored;

/// How long a request to a bucket may take, its body included: a visitor waits for the answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// For backups: two pieces of a large file travel at once, perhaps from a home.
const BACKUP_TIMEOUT: Duration = Duration::from_mins(5);

pub type ByteStream = BoxStream<'static, object_store::Result<Bytes>>;

impl Storage {
    pub fn open(url: Option<&str>, data_dir: &FsPath) -> Result<Self, StorageError> {
        match url {
            None => {
                let folder = data_dir.join("media");
                std::fs::create_dir_all(&folder).map_err(broken_folder)?;
                Self::open_folder(&folder)
            }
            Some(url) => Self::open_bucket(TIMEOUT, "STORAGE_URL", url),
        }
    }

    /// Opens a setting's folder or bucket without connecting. The folder must exist: the mount point of a disk that is not there must
    /// not be filled.
    pub fn open_at(setting: &'static str, place: &str) -> Result<Self, StorageError> {
        match Place::read(setting, place)? {
            Place::Folder(folder) if !folder.is_dir() => {
                let said = format!("there is no folder {}; make it, or mount its disk", folder.display());
                Err(StorageError::Unreachable(setting, said))
            }
            Place::Folder(folder) => Self::open_folder(folder),
            Place::Bucket(_) => Self::open_bucket(BACKUP_TIMEOUT, setting, place),
        }
    }

    fn open_folder(folder: &FsPath) -> Result<Self, StorageError> {
        let root = folder.canonicalize().map_err(broken_folder)?;
        let store = LocalFileSystem::new_with_prefix(&root)?.with_fsync(true);
        Ok(Self::Local { store: Arc::new(store), root: Arc::new(root), probing: Arc::default() })
    }

    fn open_bucket(timeout: Duration, setting: &'static str, text: &str) -> Result<Self, StorageError> {
        let address = BucketAddress::read(text).map_err(|why| StorageError::Setting(setting, why))?;
        let name = address.name();
        install_tls_provider();
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(address.bucket)
            .with_access_key_id(address.key)
            .with_secret_access_key(address.secret.as_str())
            .with_client_options(
                ClientOptions::new().with_connect_timeout(Duration::from_secs(3)).with_timeout(timeout),
            )
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: 2,
                retry_timeout: Duration::from_secs(8),
            });
        if let Some(endpoint) = address.endpoint {
            builder = builder.with_allow_http(endpoint.starts_with("http://")).with_endpoint(endpoint);
        }
        if let Some(region) = address.region {
            builder = builder.with_region(region);
        }
        Ok(Self::Bucket(Bucket::new(Arc::new(builder.build()?), setting, &name)))
    }

    /// The folder of files that are on this machine.
    pub fn folder(&self) -> Option<&FsPath> {
        match self {
            Self::Local { root, .. } => Some(root),
            Self::Bucket(_) => None,
        }
    }

    fn store(&self) -> &dyn ObjectStore {
        match self {
            Self::Local { store, .. } => store.as_ref(),
            Self::Bucket(bucket) => bucket.store.as_ref(),
        }
    }

    /// Stores a new file; acknowledged only when it would survive a power cut. Never overwrites.
    pub async fn put_new(&self, key: &str, bytes: Bytes) -> Result<(), StorageError> {
        let path = Path::parse(key).map_err(object_store::Error::from)?;
        match (create_new(self.store(), &path, bytes).await, self) {
            (Ok(true), _) => Ok(()),
            (Ok(false), _) => Err(StorageError::Exists),
            (Err(error), Self::Local { .. }) => Err(error.into()),
            (Err(error), Self::Bucket(bucket)) => Err(bucket.explain(Step::Write, &error)),
        }
    }

    pub async fn remove(&self, key: &str) -> Result<(), StorageError> {
        match self
            .store()
            .delete(&Path::parse(key).map_err(object_store::Error::from)?)
            .await
            .map_err(StorageError::from)
        {
            Ok(()) | Err(StorageError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn broken_folder(source: std::io::Error) -> StorageError {
    StorageError::Store(object_store::Error::Generic { store: "folder", source: Box::new(source) })
}

/// The place a setting names, which may be a folder or a bucket.
#[derive(Debug, PartialEq, Eq)]
pub enum Place<'a> {
    Folder(&'a FsPath),
    /// The bucket's name and where it is, without key and secret.
    Bucket(String),
}

impl Place<'_> {
    /// The folder, or the bucket and where it is.
    pub fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            Self::Bucket(name) => name.clone(),
        }
    }
}

impl<'a> Place<'a> {
    /// Reads the setting without looking at the place.
    pub fn read(setting: &'static str, text: &'a str) -> Result<Self, StorageError> {
        if text.starts_with("s3:") {
            let address = BucketAddress::read(text).map_err(|why| StorageError::Setting(setting, why))?;
            return Ok(Self::Bucket(address.name()));
        }
        let folder = FsPath::new(text);
        if folder.is_absolute() {
            return Ok(Self::Folder(folder));
        }
        let said = "it is the whole path of a folder, such as /mnt/backup, or s3://key:secret@bucket?endpoint=https://…&region=…";
        Err(StorageError::Unusable(setting, said.to_owned()))
    }
}

/// Stores an object unless there is one of that name: whether it did.
async fn create_new(store: &dyn ObjectStore, path: &Path, bytes: Bytes) -> object_store::Result<bool> {
    let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
    match store.put_opts(path, PutPayload::from(bytes), options).await {
        Ok(_) => Ok(true),
        Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Makes ring the TLS provider of this process, unless one is set. A `reqwest` client panics when it is built without one.
pub fn install_tls_provider() {
    // An error says that a provider is set already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The address of a bucket, parsed completely at the start: an error would otherwise show when the first file is stored.
struct BucketAddress {
    bucket: String,
    key: String,
    secret: Zeroizing<String>,
    endpoint: Option<String>,
    region: Option<String>,
}

impl BucketAddress {
    fn name(&self) -> String {
        format!("{} at {}", self.bucket, self.endpoint.as_deref().unwrap_or("Amazon S3"))
    }

    /// Reads `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`. The error is one line that repeats no part of it.
    fn read(text: &str) -> Result<Self, &'static str> {
        let address =
            SecretAddress::read(text, &["endpoint", "region"]).ok_or("it does not begin with s3://")?;
        let url = Url::parse(&Zeroizing::new(address.escaped())).map_err(|_| "it is no address")?;
        if url.scheme() != "s3" {
            return Err("the scheme is not s3");
        }
        let bucket = url.host_str().filter(|host| !host.is_empty()).ok_or("the bucket is missing")?;
        if url.port().is_some() || !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err("nothing but ?endpoint=…&region=… may follow the bucket");
        }
        let (key, secret) = (decoded(url.username())?, decoded(url.password().unwrap_or_default())?);
        if key.is_empty() || secret.is_empty() {
            return Err("key and secret are missing");
        }
        let (mut endpoint, mut region) = (None, None);
        for (name, value) in url.query_pairs() {
            match name.as_ref() {
                "endpoint" => endpoint = Some(read_endpoint(&value)?),
                "region" if !value.is_empty() => region = Some(value.into_owned()),
                "region" => return Err("the region is empty"),
                _ => return Err("only endpoint and region may follow the bucket"),
            }
        }
        let secret = Zeroizing::new(secret);
        Ok(Self { bucket: bucket.to_owned(), key, secret, endpoint, region })
    }
}

fn read_endpoint(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text).map_err(|_| "the endpoint is no address")?;
    let has_more = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none_or(str::is_empty) || has_more {
        return Err("the endpoint must look like https://host");
    }
    Ok(text.trim_end_matches('/').to_owned())
}

fn decoded(part: &str) -> Result<String, &'static str> {
    percent_encoding::percent_decode_str(part)
        .decode_utf8()
        .map(Cow::into_owned)
        .map_err(|_| "key and secret must be UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_as_the_service_handed_it_out() {
        for (written, read) in [
            ("abc/def+ghi=", "abc/def+ghi="),
            ("a@b#c?d:e", "a@b#c?d:e"),
            ("a%2Fb%2B", "a/b+"),
            ("100%", "100%"),
            ("%zz", "%zz"),
        ] {
            for query in ["", "?region=eu", "?endpoint=https://s3.example&region=eu"] {
                let address = BucketAddress::read(&format!("s3://AKIA:{written}@label{query}")).unwrap();
                assert_eq!(
                    (address.bucket.as_str(), address.key.as_str()),
                    ("label", "AKIA"),
                    "{written}{query}"
                );
                assert_eq!(address.secret.as_str(), read, "{written}{query}");
            }
        }
    }

    #[test]
    fn an_address_of_a_bucket_is_read_whole_before_it_is_used() {
        let nowhere = FsPath::new("/nowhere");
        for good in [
            "s3://id:secret@label?endpoint=https://s3.example&region=eu",
            "s3://id:secret@label?endpoint=http://10.0.0.1:9000",
            "s3://id:hunter2%2F%2B@label?region=eu-central-1",
        ] {
            assert!(Storage::open(Some(good), nowhere).is_ok(), "{good}");
        }
        for wrong in [
            "",
            "s3://label?endpoint=https://s3.example",
            "s3://hunter2@label",
            "s3://:hunter2@label",
            "s3://id:@label",
            "s3://id:hunter2@label?endpoint=nonsense",
            "s3://id:hunter2@label?endpoint=",
            "s3://id:hunter2@label?endpoint=ftp://s3.example",
            "s3://id:hunter2@label?endpoint=https://hunter2:x@s3.example",
            "s3://id:hunter2@label?endpoint=https://s3.example/?x=y",
            "s3://id:hunter2@label?region=",
            "s3://id:hunter2@label/folder",
            "s3://id:hunter2@label:80",
            "s3://id:hunter2@label?colour=red",
        ] {
            let error = Storage::open(Some(wrong), nowhere).map(drop).expect_err(wrong);
            assert!(matches!(error, StorageError::Setting(..)), "{wrong}: {error:?}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_place_is_a_folder_that_exists_or_a_bucket() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().to_str().unwrap();
        assert!(Storage::open_at("BACKUP_URL", there).is_ok());
        let missing = format!("{there}/missing");
        assert_eq!(Place::read("BACKUP_URL", &missing).unwrap(), Place::Folder(FsPath::new(&missing)));
        let error = Storage::open_at("BACKUP_URL", &missing).map(drop).unwrap_err();
        let said = format!("BACKUP_URL: there is no folder {missing}; make it, or mount its disk");
        assert_eq!(error.to_string(), said);
        assert!(!folder.path().join("missing").exists());
        let bucket = "s3://id:hunter2@label?endpoint=https://s3.example/&region=eu";
        assert_eq!(
            Place::read("BACKUP_URL", bucket).unwrap(),
            Place::Bucket("label at https://s3.example".to_owned())
        );
        assert!(Storage::open_at("BACKUP_URL", bucket).is_ok());
        for (wrong, said) in [
            ("backups", "BACKUP_URL: it is the whole path of a folder, such as /mnt/backup, or s3://"),
            ("ftp://id:hunter2@label", "BACKUP_URL: it is the whole path of a folder, "),
            ("s3://hunter2@label", "BACKUP_URL must look like s3://key:secret@bucket"),
        ] {
            let error = Storage::open_at("BACKUP_URL", wrong).map(drop).unwrap_err().to_string();
            assert!(error.starts_with(said) && !error.contains("hunter2"), "{error}");
        }
    }
}
