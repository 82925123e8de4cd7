//! A whole file of the spool becomes a stored one: by a second name in the folder, or by an upload to the bucket in pieces.

use std::{fs::File, io, path::Path as FsPath};

use bytes::Bytes;
use object_store::{ObjectStoreExt as _, PutMultipartOptions, WriteMultipart, path::Path};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use tokio::{io::AsyncReadExt as _, sync::Semaphore};

use super::{Bucket, Storage, StorageError, bucket::Step};

/// The pieces of an upload to a bucket, which takes none that are smaller; a file of one piece travels at once.
const PIECE: usize = 5 * 1024 * 1024;
const PIECES_ON_THE_WAY: usize = 2;
/// Files on their way to the bucket at the same time: this many times three pieces is all the memory they take.
static TO_THE_BUCKET: Semaphore = Semaphore::const_new(2);

/// Room for one more file on its way to the storage, until it is dropped.
#[derive(Debug)]
pub struct UploadPermit {
    _permit: Option<tokio::sync::SemaphorePermit<'static>>,
}

impl Storage {
    /// Waits for a permit to store a file. Reserve its key afterwards: a reservation lasts for the storing, not for the waiting.
    pub async fn upload_permit(&self) -> UploadPermit {
        let permit = match self {
            Self::Local { .. } => None,
            Self::Bucket(_) => TO_THE_BUCKET.acquire().await.ok(),
        };
        UploadPermit { _permit: permit }
    }

    /// Stores the synced file at `path` under a new key; acknowledged only when it would survive a power cut. Never overwrites,
    /// except that two programs storing the same key in a bucket at the same moment may: keys are random.
    pub async fn put_file(
        &self,
        _permit: &UploadPermit,
        key: &str,
        path: &FsPath,
    ) -> Result<(), StorageError> {
        let name = Path::parse(key).map_err(object_store::Error::from)?;
        match self {
            Self::Local { root, .. } => {
                let (source, target) = (path.to_owned(), root.join(name.as_ref()));
                tokio::task::spawn_blocking(move || place(&source, &target))
                    .await
                    .map_err(io::Error::other)
                    .flatten()
                    .map_err(of_the_disk)
            }
            Self::Bucket(bucket) => {
                let mut file = tokio::fs::File::open(path).await.map_err(of_the_disk)?;
                let first = piece(&mut file).await.map_err(of_the_disk)?;
                if first.len() < PIECE {
                    return self.put_new(key, first).await;
                }
                match bucket.store.head(&name).await.map_err(StorageError::from) {
                    Err(StorageError::NotFound) => upload(bucket, &name, first, file).await,
                    Ok(_) => Err(StorageError::Exists),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// Gives the file a second name, which outlives the first one. On another file system it is copied.
fn place(source: &FsPath, target: &FsPath) -> io::Result<()> {
    let folder = target.parent().ok_or(io::ErrorKind::InvalidInput)?;
    if !folder.is_dir() {
        std::fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), |root| File::open(root)?.sync_all())?;
    }
    match std::fs::hard_link(source, target) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy(source, target)?,
        linked => linked?,
    }
    File::open(folder)?.sync_all()
}

/// Copies under a name that lists leave out, and gives the whole copy its own.
fn copy(source: &FsPath, target: &FsPath) -> io::Result<()> {
    let mut part = target.as_os_str().to_owned();
    part.push(format!("#{}", rand::random::<u32>()));
    let copied = (|| {
        let mut to = File::options().write(true).create_new(true).open(&part)?;
        io::copy(&mut File::open(source)?, &mut to)?;
        to.sync_all()?;
        let renamed = renameat_with(CWD, &part, CWD, target, RenameFlags::NOREPLACE);
        name_copy(FsPath::new(&part), target, renamed)
    })();
    if copied.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    copied
}

/// Not every disk knows second names; and a network folder knows no rename that replaces nothing, but second names.
fn name_copy(part: &FsPath, target: &FsPath, renamed: rustix::io::Result<()>) -> io::Result<()> {
    match renamed {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            std::fs::hard_link(part, target)?;
            std::fs::remove_file(part)
        }
        renamed => renamed.map_err(io::Error::from),
    }
}

async fn upload(
    bucket: &Bucket,
    name: &Path,
    first: Bytes,
    mut file: tokio::fs::File,
) -> Result<(), StorageError> {
    let refused = |error: object_store::Error| bucket.explain(Step::Write, &error);
    let multipart =
        bucket.store.put_multipart_opts(name, PutMultipartOptions::default()).await.map_err(refused)?;
    let mut upload = WriteMultipart::new_with_chunk_size(multipart, PIECE);
    let mut next = first;
    let sent = async {
        while !next.is_empty() {
            upload.wait_for_capacity(PIECES_ON_THE_WAY).await.map_err(refused)?;
            upload.put(std::mem::take(&mut next));
            next = piece(&mut file).await.map_err(of_the_disk)?;
        }
        Ok(())
    };
    match sent.await {
        // Ends the upload by itself when it fails.
        Ok(()) => upload.finish().await.map(drop).map_err(refused),
        Err(error) => {
            if let Err(cause) = upload.abort().await {
                tracing::warn!(%cause, "ending an upload to the bucket");
            }
            Err(error)
        }
    }
}

/// The next piece; a shorter one is the last, and none is left after it.
async fn piece(file: &mut tokio::fs::File) -> io::Result<Bytes> {
    let mut piece = Vec::with_capacity(PIECE);
    file.take(PIECE as u64).read_to_end(&mut piece).await?;
    Ok(piece.into())
}

fn of_the_disk(error: io::Error) -> StorageError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        StorageError::Exists
    } else {
        StorageError::Disk(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_knows_no_rename_without_replacing_gets_the_copy_by_a_second_name() {
        let folder = tempfile::tempdir().unwrap();
        let [part, target] = ["part", "file"].map(|name| folder.path().join(name));
        std::fs::write(&part, "new").unwrap();
        name_copy(&part, &target, Err(Errno::INVAL)).unwrap();
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "new");
        assert!(!part.exists());

        std::fs::write(&part, "other").unwrap();
        let refused = name_copy(&part, &target, Err(Errno::INVAL)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "new");
        let refused = name_copy(&part, &target, Err(Errno::EXIST)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    }
}
