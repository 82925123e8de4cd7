//! The spool: incoming files, in `spool/` of the data folder. Each is private (0600), counted and hashed while it is written, synced
//! at its end, and deleted when it is dropped.
//!
//! A file is locked (flock) while this program works on it. The system drops the lock however the program ends, so a file that can
//! be locked is an orphan, also when several instances share a data folder. [`storage`](crate::storage) stores whole files.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Written and hashed at once, and all the memory that a file on its way takes.
const BATCH: usize = 256 * 1024;

#[derive(Clone, Debug)]
pub struct Spool(Arc<Path>);

#[derive(Debug)]
pub struct SpoolWriter {
    name: Name,
    batch: Vec<u8>,
    /// None while a batch is being written, and after an error.
    sink: Option<Sink>,
    size_bytes: u64,
}

/// A whole file: synced, locked until it is dropped, and removed then.
#[derive(Debug)]
pub struct Spooled {
    name: Name,
    pub size_bytes: u64,
    pub sha256: [u8; 32],
    pub sha1: Option<[u8; 20]>,
    _lock: File,
}

#[derive(Debug)]
struct Name(PathBuf);

impl Drop for Name {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(cause = %error, "removing a spool file");
        }
    }
}

#[derive(Debug)]
struct Sink {
    file: File,
    sha256: Sha256,
    sha1: Option<Sha1>,
}

impl Spool {
    /// The folder in `data_dir`, made for its owner alone where it is missing.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let folder = data_dir.join("spool");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        Ok(Self(folder.into()))
    }

    /// A new, empty file. `with_sha1` for a sender that vouches for its bytes that way.
    pub async fn create(&self, with_sha1: bool) -> io::Result<SpoolWriter> {
        let folder = Arc::clone(&self.0);
        let (name, file) = blocking(move || locked_file(&folder)).await?;
        let sink = Sink { file, sha256: Sha256::new(), sha1: with_sha1.then(Sha1::new) };
        Ok(SpoolWriter { name, batch: Vec::new(), sink: Some(sink), size_bytes: 0 })
    }

    /// A file of these bytes.
    pub async fn keep(&self, bytes: &[u8]) -> io::Result<Spooled> {
        let mut writer = self.create(false).await?;
        writer.write(bytes).await?;
        writer.finish().await
    }

    pub async fn free_bytes(&self) -> io::Result<u64> {
        let folder = Arc::clone(&self.0);
        blocking(move || {
            let disk = rustix::fs::statvfs(&*folder)?;
            Ok(disk.f_bavail * disk.f_frsize)
        })
        .await
    }

    /// Removes what a program that is gone left behind; answers how many files. For a start and for housekeeping.
    pub async fn sweep(&self) -> io::Result<usize> {
        let folder = Arc::clone(&self.0);
        blocking(move || sweep(&folder)).await
    }
}

fn sweep(folder: &Path) -> io::Result<usize> {
    let (mut removed, mut failed) = (0, None);
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // One that is gone, or is no file, is nothing to remove.
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            match std::fs::remove_file(&path) {
                Ok(()) => removed += 1,
                // Another program that sweeps here was first.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // One that stays keeps no other back.
                Err(error) => failed = Some(error),
            }
        }
    }
    failed.map_or(Ok(removed), Err)
}

fn locked_file(folder: &Path) -> io::Result<(Name, File)> {
    loop {
        let path = folder.join(Uuid::new_v4().simple().to_string());
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        let name = Name(path);
        file.lock()?;
        // Between its making and its lock a sweep may have taken it for an orphan: then it has no name any more.
        if file.metadata()?.nlink() > 0 {
            return Ok((name, file));
        }
    }
}

impl SpoolWriter {
    /// Adds bytes. The last of them are written by a later call.
    pub async fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.size_bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = BATCH - self.batch.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.batch.extend_from_slice(now);
            bytes = later;
            if self.batch.len() == BATCH {
                self.write_batch().await?;
            }
        }
        Ok(())
    }

    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    pub async fn finish(mut self) -> io::Result<Spooled> {
        self.write_batch().await?;
        let sink = self.take_sink()?;
        let sink = blocking(move || sink.file.sync_all().map(|()| sink)).await?;
        Ok(Spooled {
            name: self.name,
            size_bytes: self.size_bytes,
            sha256: sink.sha256.finalize().into(),
            sha1: sink.sha1.map(|hasher| hasher.finalize().into()),
            _lock: sink.file,
        })
    }

    async fn write_batch(&mut self) -> io::Result<()> {
        let (mut sink, mut batch) = (self.take_sink()?, std::mem::take(&mut self.batch));
        let written = blocking(move || {
            sink.file.write_all(&batch)?;
            sink.sha256.update(&batch);
            if let Some(sha1) = &mut sink.sha1 {
                sha1.update(&batch);
            }
            batch.clear();
            Ok((sink, batch))
        });
        let (sink, batch) = written.await?;
        (self.sink, self.batch) = (Some(sink), batch);
        Ok(())
    }

    fn take_sink(&mut self) -> io::Result<Sink> {
        self.sink.take().ok_or_else(|| io::Error::other("the file failed before"))
    }
}

impl Spooled {
    pub fn path(&self) -> &Path {
        &self.name.0
    }
}

/// Runs what waits for the disk on a thread that may wait.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn files(spool: &Spool) -> Vec<PathBuf> {
        std::fs::read_dir(&*spool.0).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[tokio::test]
    async fn a_file_is_counted_and_hashed_whatever_the_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path()).unwrap();
        let mut bytes = (0..=255).collect::<Vec<u8>>().repeat(4 * BATCH / 256);
        bytes.extend_from_slice(b"a rest");
        for piece in [1000, BATCH, bytes.len()] {
            let mut writer = spool.create(true).await.unwrap();
            for piece in bytes.chunks(piece) {
                writer.write(piece).await.unwrap();
            }
            let spooled = writer.finish().await.unwrap();
            assert_eq!(spooled.size_bytes, bytes.len() as u64);
            assert_eq!(spooled.sha256, <[u8; 32]>::from(Sha256::digest(&bytes)));
            assert_eq!(spooled.sha1, Some(Sha1::digest(&bytes).into()));
            assert_eq!(std::fs::read(spooled.path()).unwrap(), bytes);
            assert_eq!(std::fs::metadata(spooled.path()).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(files(&spool).is_empty());
    }

    #[tokio::test]
    async fn a_sweep_takes_what_nobody_holds() {
        let folder = tempfile::tempdir().unwrap();
        let (spool, other) = (Spool::open(folder.path()).unwrap(), Spool::open(folder.path()).unwrap());
        let mut writer = spool.create(false).await.unwrap();
        writer.write(b"half").await.unwrap();
        std::fs::write(folder.path().join("spool/orphan"), b"of a dead program").unwrap();
        assert_eq!(other.sweep().await.unwrap(), 1);
        let spooled = writer.finish().await.unwrap();
        assert_eq!((other.sweep().await.unwrap(), files(&spool).len()), (0, 1));
        drop(spooled);
        assert!(files(&spool).is_empty());
        drop(spool.create(false).await.unwrap());
        assert!(files(&spool).is_empty());
    }
}
