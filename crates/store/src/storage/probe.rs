//! Whether files can be stored, read and removed just now.

use std::{fs, io, path::Path as FsPath, sync::atomic::Ordering};

use bytes::Bytes;
use object_store::{ObjectStoreExt as _, path::Path};

use super::{
    Bucket, Storage, StorageError, create_new,
    fault::{Step, explain, no_conditional_writes},
};

/// Written, and read again.
const BYTES: &[u8] = b"readyz\n";

impl Storage {
    pub async fn probe(&self) -> Result<(), StorageError> {
        match self {
            Self::Local { root, .. } => {
                let root = root.clone();
                let probed = tokio::task::spawn_blocking(move || write_and_read(&root));
                probed.await.map_err(io::Error::other).flatten().map_err(StorageError::Disk)
            }
            Self::Bucket(bucket) => bucket.probe().await,
        }
    }
}

impl Bucket {
    async fn probe(&self) -> Result<(), StorageError> {
        let key = Path::from(format!("probe-{:016x}", rand::random::<u64>()));
        let probed = self.write_and_read(&key).await;
        let removed = self.store.delete(&key).await;
        probed?;
        match removed {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(self.explain(Step::Remove, &error)),
        }
        if !self.is_trusted.load(Ordering::Relaxed) {
            match self.store.head(&key).await {
                Err(object_store::Error::NotFound { .. }) => self.is_trusted.store(true, Ordering::Relaxed),
                Err(error) => return Err(self.explain(Step::Look, &error)),
                Ok(_) => {
                    return Err(StorageError::Unusable(format!("the bucket {} removes nothing", self.name)));
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
            return Err(StorageError::Unusable(no_conditional_writes(&self.name)));
        }
        let read = async { self.store.get(key).await?.bytes().await };
        match read.await {
            Ok(bytes) if bytes == BYTES => Ok(()),
            Ok(_) => Err(StorageError::Unreachable(format!(
                "the bucket {} gives other bytes than it took",
                self.name
            ))),
            Err(error) => Err(self.explain(Step::Read, &error)),
        }
    }

    fn explain(&self, step: Step, error: &object_store::Error) -> StorageError {
        explain(&self.name, step, error)
    }
}

/// Creates no folder: an unmounted disk has none. The name is that of an incomplete file, so that lists leave it out and a crash
/// leaves nothing permanent.
fn write_and_read(root: &FsPath) -> io::Result<()> {
    let file = root.join(format!("probe-{:016x}#1", rand::random::<u64>()));
    let probed = fs::write(&file, BYTES).and_then(|()| fs::read(&file));
    let removed = fs::remove_file(&file);
    if probed? != BYTES {
        return Err(io::Error::other("a file is not what was written"));
    }
    removed
}
