//! The store of backups: a folder or a bucket of objects, sealed or plain.
//!
//! Everything here blocks, so call it where a thread may wait.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{
        self,
        ErrorKind::{InvalidData, UnexpectedEof, WriteZero},
        Read, Write,
    },
    path::{Path, PathBuf},
    time::Duration,
};

use bytes::BufMut as _;
use deadwax_store::{
    clock::{Micros, rfc3339},
    storage::{ByteStream, Storage, StorageError, Stored},
};
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{
    names::{doubt_name, key_name, manifest_name, manifest_time, manifests, rows_name, time_of},
    seal::{SEALED, Seals},
};
use crate::operation::backup::{BackupError, Manifest, ObjectLine, at, megabytes};

/// Copied at once.
const PIECE: usize = 256 * 1024;
/// How often long work looks whether the program stops.
const STOP_INTERVAL: Duration = Duration::from_millis(100);
/// More than a manifest of every table and ten thousand damaged files has.
const MANIFEST_MAX_BYTES: usize = 4 * 1024 * 1024;

/// The size of some bytes, and their SHA-256 in hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) size_bytes: u64,
    pub(super) sha256: String,
}

/// A line of the list of a backup's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileLine {
    pub(super) sha256: String,
    pub(super) size_bytes: u64,
    /// Its object in the store.
    pub(super) name: String,
}

/// A backup as its manifest tells.
#[derive(Debug)]
pub struct StoredBackup {
    /// Its name: when its rows were read.
    pub time: String,
    pub manifest: Manifest,
    /// Whether the key file vouches for it; none without one.
    pub is_authentic: Option<bool>,
    pub is_sealed: bool,
}

impl std::fmt::Display for StoredBackup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Manifest { tables, objects, bytes, .. } = &self.manifest;
        let rows: u64 = tables.values().map(|entry| entry.rows).sum();
        write!(f, "{}: {rows} rows, {objects} files, {}", self.manifest.made_at, megabytes(*bytes))?;
        f.write_str(if self.is_sealed { ", encrypted" } else { ", not encrypted" })?;
        f.write_str(if self.is_authentic == Some(false) { ", not made with this key file" } else { "" })
    }
}

impl StoredBackup {
    /// Where an object of its rows lies.
    pub(super) fn rows_name(&self, table: &str) -> String {
        rows_name(&self.time, table, if self.is_sealed { SEALED } else { "" })
    }
}

pub struct Store<'a> {
    storage: Storage,
    pub(super) seals: Seals,
    runtime: Handle,
    /// A folder for what is on its way.
    scratch: PathBuf,
    is_stopped: &'a dyn Fn() -> bool,
}

impl<'a> Store<'a> {
    /// `scratch` exists and is this run's alone.
    pub fn new(
        storage: Storage,
        seals: Seals,
        runtime: Handle,
        scratch: PathBuf,
        is_stopped: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { storage, seals, runtime, scratch, is_stopped }
    }

    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// For work that takes long and may be dropped.
    pub(super) async fn unless_stopped<T>(
        &self,
        work: impl Future<Output = Result<T, BackupError>>,
    ) -> Result<T, BackupError> {
        let stopped = async {
            while !(self.is_stopped)() {
                tokio::time::sleep(STOP_INTERVAL).await;
            }
        };
        tokio::select! {
            done = work => done,
            () = stopped => Err(BackupError::Stopped),
        }
    }

    /// Every object, by its name.
    pub(super) fn list(&self) -> Result<BTreeMap<String, Stored>, BackupError> {
        let listed = self.storage.list().map_ok(|object| (object.key.clone(), object)).try_collect();
        Ok(self.wait(listed)?)
    }

    /// Writes an object; returns the digest of its bytes before they were sealed. One that is there already is left.
    pub(super) fn put(&self, name: &str, from: &mut dyn Read) -> Result<Digest, BackupError> {
        let (path, digest) = self.seal_to_scratch(name, from)?;
        let stored = self.put_whole(name, &path);
        std::fs::remove_file(&path).map_err(at(&path))?;
        stored.map(|()| digest)
    }

    fn seal_to_scratch(&self, name: &str, from: &mut dyn Read) -> Result<(PathBuf, Digest), BackupError> {
        let path = self.scratch.join("object");
        let file = File::create(&path).map_err(at(&path))?;
        let copied = match self.seals.seal(&file).map_err(at(&path))? {
            None => self.copy(from, &mut &file),
            Some(mut sealed) => self.copy(from, &mut sealed).and_then(|digest| {
                // Without its end a sealed object does not open.
                sealed.finish()?;
                Ok(digest)
            }),
        };
        let digest = copied.map_err(|error| self.uncopied(name, error))?;
        file.sync_all().map_err(at(&path))?;
        Ok((path, digest))
    }

    /// Writes an object that is sealed already.
    pub(super) fn put_sealed(&self, name: &str, bytes: &[u8]) -> Result<(), BackupError> {
        let path = self.scratch.join("object");
        let write = |mut file: File| file.write_all(bytes).and_then(|()| file.sync_all());
        File::create(&path).and_then(write).map_err(at(&path))?;
        let stored = self.put_whole(name, &path);
        std::fs::remove_file(&path).map_err(at(&path))?;
        stored
    }

    fn put_whole(&self, name: &str, path: &Path) -> Result<(), BackupError> {
        let put = async {
            let permit = self.storage.upload_permit().await;
            self.storage.put_file(&permit, name, path).await
        };
        match self.wait(put) {
            Ok(()) | Err(StorageError::Exists) => Ok(()),
            Err(StorageError::Disk(error)) => {
                Err(BackupError::Disk(self.storage.folder().unwrap_or(path).join(name), error))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a file of the label, in place of a damaged object where there is one. False, with nothing written, if the file has other
    /// bytes than its row tells, or is itself the reason that it cannot be read.
    pub(super) fn put_same(
        &self,
        name: &str,
        object: &ObjectLine,
        live: &Storage,
        is_damaged: bool,
    ) -> Result<bool, BackupError> {
        let sealed = match self.wait(live.read(&object.key, None)) {
            Ok((_, stream)) => self.seal_to_scratch(name, &mut self.reading(stream)),
            Err(error) => Err(error.into()),
        };
        let (path, digest) = match sealed {
            Err(BackupError::Storage(error)) if self.wait(live.is_file_at_fault(&error)) => return Ok(false),
            sealed => sealed?,
        };
        let is_same = digest.size_bytes == object.size_bytes && digest.sha256 == object.sha256;
        let put = || {
            if is_damaged {
                let stays = "is damaged, and the store lets nothing be removed; remove it by hand";
                self.remove(name).map_err(|error| damaged(name, &format!("{stays}: {error}")))?;
            }
            self.put_whole(name, &path)
        };
        let stored = if is_same { put() } else { Ok(()) };
        std::fs::remove_file(&path).map_err(at(&path))?;
        stored.map(|()| is_same)
    }

    /// Notes for the next run that a file is damaged.
    pub(super) fn doubt(&self, file: &str) -> Result<(), BackupError> {
        self.put(&doubt_name(file), &mut io::empty()).map(drop)
    }

    /// Ends a doubt, if there is one.
    pub(super) fn trust(&self, file: &str, known: &BTreeMap<String, Stored>) -> Result<(), BackupError> {
        let name = doubt_name(file);
        if known.contains_key(&name) { self.remove(&name) } else { Ok(()) }
    }

    /// The files that need not be read again: the newest backup has them, so that they were read back, and no proof doubts them.
    pub(super) fn trusted(&self, known: &BTreeMap<String, Stored>) -> Result<BTreeSet<String>, BackupError> {
        let Some(newest) = manifests(known).pop() else { return Ok(BTreeSet::new()) };
        let listed = self.manifest(&newest).and_then(|backup| match backup.is_authentic {
            Some(true) => self.files(&backup),
            _ => Ok(Vec::new()),
        });
        match listed {
            Ok(files) => {
                let names = files.into_iter().map(|file| file.name);
                Ok(names.filter(|name| !known.contains_key(&doubt_name(name))).collect())
            }
            Err(BackupError::Object { .. }) => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        }
    }

    /// Copies the bytes of an object, opened, and returns their digest.
    pub(super) fn fetch(&self, name: &str, to: &mut dyn Write) -> Result<Digest, BackupError> {
        let reader = self.reader(name)?;
        let mut opened = self.seals.open(name, reader).map_err(|error| self.failure(name, error))?;
        self.copy(opened.as_mut(), to).map_err(|error| self.failure(name, error))
    }

    fn reader(&self, name: &str) -> Result<impl Read + use<>, BackupError> {
        match self.wait(self.storage.read(name, None)) {
            Ok((_, stream)) => Ok(self.reading(stream)),
            Err(StorageError::NotFound) => Err(damaged(name, "is missing")),
            Err(error) => Err(self.unread(name, error)),
        }
    }

    /// The bytes of an object as they come.
    fn reading(&self, stream: ByteStream) -> impl Read + use<> {
        let stream = stream.map_err(|error| io::Error::other(StorageError::from(error)));
        SyncIoBridge::new_with_handle(StreamReader::new(stream), self.runtime.clone())
    }

    fn unread(&self, name: &str, error: StorageError) -> BackupError {
        if self.wait(self.storage.is_file_at_fault(&error)) {
            damaged(name, &format!("cannot be read: {error}"))
        } else {
            error.into()
        }
    }

    /// Whether the sealed key file of a backup is what was written. It opens for the owner alone.
    pub(super) fn check_key(&self, backup: &StoredBackup) -> Result<(), BackupError> {
        let Some(sha256) = &backup.manifest.key_sha256 else { return Ok(()) };
        let name = key_name(&backup.time);
        let read = self.copy(&mut self.reader(&name)?, &mut io::sink());
        let digest = read.map_err(|error| self.failure(&name, error))?;
        if digest.sha256 == *sha256 { Ok(()) } else { Err(damaged(&name, "is not what was written")) }
    }

    /// As [`Store::fetch`], compared with the digest that it was written with.
    pub(super) fn fetch_same(
        &self,
        name: &str,
        sha256: &str,
        to: &mut dyn Write,
    ) -> Result<Digest, BackupError> {
        let digest = self.fetch(name, to)?;
        if digest.sha256 == sha256 { Ok(digest) } else { Err(damaged(name, "is not what was written")) }
    }

    /// Removes what was never finished and was begun before an instant.
    pub(super) fn remove_unfinished(&self, before: Micros) -> Result<(), BackupError> {
        Ok(self.wait(self.storage.remove_unfinished(before)).map(drop)?)
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), BackupError> {
        Ok(self.wait(self.storage.remove(name))?)
    }

    fn copy(&self, from: &mut dyn Read, to: &mut dyn Write) -> io::Result<Digest> {
        let (mut size_bytes, mut hasher, mut piece) = (0, Sha256::new(), vec![0; PIECE]);
        loop {
            if (self.is_stopped)() {
                return Err(io::Error::other(BackupError::Stopped));
            }
            let read = match from.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                return Ok(Digest { size_bytes, sha256: hex::encode(hasher.finalize()) });
            }
            hasher.update(&piece[..read]);
            to.write_all(&piece[..read])?;
            size_bytes += read as u64;
        }
    }

    /// Why an object's bytes do not come whole from the store.
    fn failure(&self, name: &str, error: io::Error) -> BackupError {
        match self.uncopied(name, error) {
            BackupError::Storage(error) => self.unread(name, error),
            // A manifest that is too large cannot be written whole.
            BackupError::Disk(_, error)
                if matches!(error.kind(), InvalidData | UnexpectedEof | WriteZero) =>
            {
                damaged(name, "does not open: it was sealed with other keys, or changed since")
            }
            error => error,
        }
    }

    fn uncopied(&self, name: &str, error: io::Error) -> BackupError {
        if (self.is_stopped)() {
            return BackupError::Stopped;
        }
        error.downcast().map_or_else(|error| BackupError::Disk(name.into(), error), BackupError::Storage)
    }

    /// Writes a manifest, which makes a backup of what its name says.
    pub(super) fn put_manifest(&self, time: &str, manifest: &Manifest) -> Result<String, BackupError> {
        let name = manifest_name(time, self.seals.ending());
        let text = serde_json::to_string(manifest)
            .map_err(|error| BackupError::Disk(name.clone().into(), error.into()))?;
        let mac = self.seals.mac(text.as_bytes()).unwrap_or_default();
        self.put(&name, &mut format!("{text}\n{mac}\n").as_bytes())?;
        Ok(name)
    }

    /// Reads a manifest and judges who wrote it.
    pub(super) fn manifest(&self, name: &str) -> Result<StoredBackup, BackupError> {
        let is_sealed = name.ends_with(SEALED);
        let time = manifest_time(name).ok_or_else(|| damaged(name, "is no manifest"))?;
        if is_sealed && !self.seals.can_open() {
            return Err(BackupError::NoKey);
        }
        let mut bytes = Vec::new().limit(MANIFEST_MAX_BYTES).writer();
        self.fetch(name, &mut bytes)?;
        let text = String::from_utf8(bytes.into_inner().into_inner())
            .map_err(|_| damaged(name, "is no manifest"))?;
        let (text, mac) = text.trim_end().rsplit_once('\n').ok_or_else(|| damaged(name, "is no manifest"))?;
        let manifest: Manifest =
            serde_json::from_str(text).map_err(|error| damaged(name, &format!("is no manifest: {error}")))?;
        if manifest.made_at != rfc3339(time_of(time).unwrap_or_default()) {
            return Err(damaged(name, "is the manifest of another backup"));
        }
        let is_authentic = self.seals.is_mac(mac, text.as_bytes());
        Ok(StoredBackup { time: time.to_owned(), manifest, is_authentic, is_sealed })
    }

    /// The list of a backup's files.
    pub(super) fn files(&self, backup: &StoredBackup) -> Result<Vec<FileLine>, BackupError> {
        let Some(entry) = &backup.manifest.files else { return Ok(Vec::new()) };
        let (name, mut text) = (backup.rows_name("files"), Vec::new());
        self.fetch_same(&name, &entry.sha256, &mut text)?;
        let lines = serde_json::Deserializer::from_slice(&text).into_iter();
        lines.collect::<Result<_, _>>().map_err(|_| damaged(&name, "is no list of files"))
    }
}

pub(super) fn damaged(object: &str, why: &str) -> BackupError {
    BackupError::Object { object: object.to_owned(), why: why.to_owned() }
}
