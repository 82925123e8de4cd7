//! Whether files can be stored and read just now.

use std::{fs, io, path::Path as FsPath};

use object_store::{ObjectStoreExt as _, path::Path};

use super::{Storage, StorageError};

/// What is written, and must be read again.
const BYTES: &[u8] = b"readyz\n";

impl Storage {
    /// Whether the folder takes a file and gives it back, or the bucket answers.
    pub async fn probe(&self) -> Result<(), StorageError> {
        match self {
            Self::Local { root, .. } => {
                let root = root.clone();
                let probed = tokio::task::spawn_blocking(move || write_and_read(&root));
                probed.await.map_err(io::Error::other).flatten().map_err(StorageError::Disk)
            }
            Self::Bucket(store) => {
                match store.head(&Path::from("assets/probe")).await.map_err(StorageError::from) {
                    Ok(_) | Err(StorageError::NotFound) => Ok(()),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// Makes no folder: where a disk is not mounted, there is none. The name is that of a file that is not whole yet, so that no list
/// has it, and nobody else's; what a crash leaves of it goes with those.
fn write_and_read(root: &FsPath) -> io::Result<()> {
    let file = root.join(format!("probe-{:016x}#1", rand::random::<u64>()));
    let probed = fs::write(&file, BYTES).and_then(|()| fs::read(&file));
    let removed = fs::remove_file(&file);
    if probed? != BYTES {
        return Err(io::Error::other("a file is not what was written"));
    }
    removed
}
