//! Whether files can be stored, read and removed just now, and a bucket's refusal in one line, for the operator.

use std::{fs, io, path::Path as FsPath, sync::atomic::Ordering};

use bytes::Bytes;
use futures_util::StreamExt as _;
use object_store::{Error, ObjectStoreExt as _, path::Path};

use super::{Bucket, Storage, StorageError, create_new};

const BYTES: &[u8] = b"readyz\n";

const PROBE: &str = "probe-";

/// Whether a key is of the file of a probe: `probe-` and 16 hexadecimal digits.
pub fn is_probe(key: &str) -> bool {
    let number = key.strip_prefix(PROBE).unwrap_or_default();
    number.len() == 16 && number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Storage {
    pub async fn probe(&self) -> Result<(), StorageError> {
        match self {
            Self::Local { root, probing, .. } => {
                let (root, turn) = (root.clone(), probing.clone().lock_owned().await);
                let probed = tokio::task::spawn_blocking(move || {
                    let _held = turn;
                    write_and_read(&root)
                });
                probed.await.map_err(io::Error::other).flatten().map_err(StorageError::Disk)
            }
            Self::Bucket(bucket) => {
                // In a task, so that one that is given up removes its object too.
                let bucket = bucket.clone();
                let probing = tokio::spawn(async move { bucket.probe().await });
                probing.await.map_err(Error::from)?
            }
        }
    }

    pub async fn is_readable(&self) -> bool {
        !matches!(self.list().next().await, Some(Err(_)))
    }

    /// Whether an error of reading a file is about that file, as a bad sector or a right that one object lacks: asked again, it would
    /// come again. A bucket that is busy, slow or away may give the file later.
    pub async fn is_file_at_fault(&self, error: &StorageError) -> bool {
        let may_pass = matches!((self, error), (Self::Bucket(_), StorageError::Store(Error::Generic { .. })));
        !may_pass && self.is_readable().await
    }
}

impl Bucket {
    async fn probe(&self) -> Result<(), StorageError> {
        let key = Path::from(format!("{PROBE}{:016x}", rand::random::<u64>()));
        let probed = self.write_and_read(&key).await;
        let removed = self.store.delete(&key).await;
        probed?;
        match removed {
            Ok(()) | Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(self.explain(Step::Remove, &error)),
        }
        if !self.is_trusted.load(Ordering::Relaxed) {
            match self.store.head(&key).await {
                Err(Error::NotFound { .. }) => self.is_trusted.store(true, Ordering::Relaxed),
                Err(error) => return Err(self.explain(Step::Look, &error)),
                Ok(_) => {
                    return Err(StorageError::Unusable(
                        self.setting,
                        format!("the bucket {} removes nothing", self.name),
                    ));
                }
            }
        }
        Ok(())
    }

    async fn write_and_read(&self, key: &Path) -> Result<(), StorageError> {
        let write = || create_new(self.store.as_ref(), key, Bytes::from_static(BYTES));
        write().await.map_err(|error| self.explain(Step::Write, &error))?;
        let is_second = !self.is_trusted.load(Ordering::Relaxed);
        if is_second && write().await.map_err(|error| self.explain(Step::Write, &error))? {
            return Err(StorageError::Unusable(self.setting, no_conditional_writes(&self.name)));
        }
        let read = async { self.store.get(key).await?.bytes().await };
        match read.await {
            Ok(bytes) if bytes == BYTES => Ok(()),
            Ok(_) => Err(StorageError::Unreachable(
                self.setting,
                format!("the bucket {} gives other bytes than it took", self.name),
            )),
            Err(error) => Err(self.explain(Step::Read, &error)),
        }
    }

    pub(super) fn explain(&self, step: Step, error: &Error) -> StorageError {
        explain(self.setting, &self.name, step, error)
    }
}

/// Creates no folder: an unmounted disk has none. The name is that of an incomplete file, so that lists leave it out and a crash
/// leaves nothing permanent.
fn write_and_read(root: &FsPath) -> io::Result<()> {
    let file = root.join(format!("{PROBE}{:016x}#1", rand::random::<u64>()));
    let probed = fs::write(&file, BYTES).and_then(|()| fs::read(&file));
    let removed = fs::remove_file(&file);
    if probed? != BYTES {
        return Err(io::Error::other("a file is not what was written"));
    }
    removed
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Write,
    Read,
    Remove,
    /// A look for an object that is not there: without the right to list, the answer is a refusal.
    Look,
}

/// `bucket` is its name and where it is.
fn explain(setting: &'static str, bucket: &str, step: Step, error: &Error) -> StorageError {
    let text = error.to_string();
    let code = match word(&text, "<Code>", '<') {
        "" => word(&text, "(code: ", ')'),
        code => code,
    };
    let region = word(&text, "<Region>", '<');
    let is_missing = matches!(error, Error::NotFound { .. }) && step == Step::Write;
    let unusable = |said: String| StorageError::Unusable(setting, said);
    let unreachable = |said: String| StorageError::Unreachable(setting, said);
    match code {
        _ if is_missing || code == "NoSuchBucket" => {
            unusable(format!("there is no bucket {bucket}; make it, or correct its name"))
        }
        "PermanentRedirect" | "TemporaryRedirect" | "IllegalLocationConstraintException" => {
            unusable(elsewhere(bucket, region))
        }
        "AuthorizationHeaderMalformed" if text.contains("egion") => unusable(elsewhere(bucket, region)),
        _ if text.contains("redirect without LOCATION") => unusable(elsewhere(bucket, region)),
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "AuthorizationHeaderMalformed" => {
            unusable(format!("the bucket {bucket} does not accept this key and secret"))
        }
        _ if matches!(error, Error::Unauthenticated { .. }) => {
            unusable(format!("the bucket {bucket} does not accept this key and secret"))
        }
        _ if matches!(error, Error::PermissionDenied { .. }) || code == "AccessDenied" => unusable(format!(
            "the key may not {} the bucket {bucket}; give it the rights to put, get, delete and list objects",
            match step {
                Step::Write => "write into",
                Step::Read => "read from",
                Step::Remove => "remove from",
                Step::Look => "list",
            }
        )),
        "NotImplemented" if step == Step::Write => unusable(no_conditional_writes(bucket)),
        "" => unreachable(format!("the bucket {bucket} does not answer: {}", cause(error))),
        code => unreachable(format!("the bucket {bucket} answers {code}")),
    }
}

/// Files are never overwritten, whichever instance writes: the bucket itself must see to that.
fn no_conditional_writes(bucket: &str) -> String {
    format!(
        "the bucket {bucket} does not know conditional writes (If-None-Match: *); choose a server that does"
    )
}

fn elsewhere(bucket: &str, region: &str) -> String {
    match region {
        "" => format!("the bucket {bucket} is in another region; write it as &region=…"),
        region => format!("the bucket {bucket} is in another region; write &region={region}"),
    }
}

/// The text between two marks of the answer, if it is a plain word.
fn word<'a>(text: &'a str, begin: &str, end: char) -> &'a str {
    let inside = text.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    inside.map(|(word, _)| word).filter(is_word).unwrap_or_default()
}

fn cause(error: &Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    text.lines().next().unwrap_or_default().trim_end_matches([':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_disk_that_does_not_answer_holds_one_thread() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(None, folder.path()).unwrap();
        let Storage::Local { probing, .. } = &storage else { unreachable!() };
        let probed = probing.clone().lock_owned().await;
        let second = tokio::time::timeout(std::time::Duration::from_secs(3), storage.probe());
        assert!(second.await.is_err());
        drop(probed);
        storage.probe().await.unwrap();
    }

    #[test]
    fn a_refusal_within_an_answer_is_understood() {
        let source =
            "DeleteObjects request failed for key probe-1: Access Denied (code: AccessDenied)".into();
        let error = explain(
            "BACKUP_URL",
            "label at Amazon S3",
            Step::Remove,
            &Error::Generic { store: "S3", source },
        );
        assert!(
            error.to_string().starts_with("BACKUP_URL: the key may not remove from the bucket label"),
            "{error}"
        );
    }
}
