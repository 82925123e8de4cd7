//! `deadwax backup` and `deadwax restore`: all data in a folder that either engine and either storage can load.
//!
//! The folder holds `tables/{table}.jsonl` (one row a line, all from one snapshot), `objects/{key}` (the files as stored) and
//! `manifest.json` with counts and hashes, written last: a folder without it is not a backup. The rows of a snapshot before an upgrade come
//! without files. The key file is not included.

mod catalog;
mod dump;
mod load;
mod objects;

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufReader, BufWriter},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use deadwax_store::{db::OpenError, statements, storage::StorageError};
use rustix::{fs::OFlags, io::Errno};
use serde::{Deserialize, Serialize};

pub(super) use catalog::LEFT_OUT;
pub use dump::backup;
pub(super) use dump::{backup_rows, prepare, write_rows};
pub use load::{Openings, restore};
pub(super) use load::{check, compare, finish, load_as_they_are};
pub(super) use objects::{listed, place};

statements! { and catalog, load; }

pub(super) const FORMAT: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{0} is not empty")]
    FolderNotEmpty(PathBuf),
    #[error("{0} is not a finished backup: {1}")]
    NoBackup(PathBuf, String),
    #[error("this backup was made by a newer program (deadwax {0}); restore it with that one")]
    Newer(String),
    #[error("{0} is not what was backed up")]
    Altered(String),
    #[error("the database is not empty ({0} has rows); restore into a new one")]
    DatabaseNotEmpty(String),
    #[error("the storage has another {0}; restore into an empty one")]
    OtherObject(String),
    #[error("{object} of the store {why}")]
    Object { object: String, why: String },
    #[error("{what} needs {} in {} and {} are free", megabytes(*needed), folder.display(), megabytes(*free))]
    NoRoom { what: &'static str, folder: PathBuf, needed: u64, free: u64 },
    #[error(
        "the backup is encrypted, and there is no key file here: name a file with the owner's key, as --identity FILE"
    )]
    NoKey,
    #[error("there is no backup{0}")]
    NotThere(String),
    /// Its manifest does not carry the mark of this label's key file.
    #[error("the backup {0} was not made with this label's key file, or was changed since")]
    Foreign(String),
    /// The rows that were restored for a proof differ from those that were backed up.
    #[error("the proof failed: {0}")]
    Unproven(String),
    #[error("the program stops")]
    Stopped,
    #[error("{}: {}", .0.display(), disk_words(.1))]
    Disk(PathBuf, io::Error),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Schema(#[from] OpenError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub rows: u64,
    pub objects: u64,
    pub damaged: Vec<String>,
    pub given_up: u64,
}

/// Counts and hashes of everything in a backup.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) format: u32,
    pub(super) program: String,
    pub(super) schema: i64,
    pub(super) made_at: String,
    pub(super) tables: BTreeMap<String, TableEntry>,
    pub(super) objects: u64,
    pub(super) damaged: Vec<String>,
    /// Whether the files stay where they are: in the storage that it is restored beside.
    #[serde(default)]
    pub(super) rows_only: bool,
    /// In a store of backups: the list of its files, which other backups share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<TableEntry>,
    /// In a sealed store: the SHA-256 of the object that holds the key file for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key_sha256: Option<String>,
    /// Of all rows and files in a store.
    #[serde(default)]
    pub(super) bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableEntry {
    pub(super) rows: u64,
    pub(super) sha256: String,
}

/// A file of the label, as its row tells.
#[derive(Debug, Deserialize)]
pub(super) struct ObjectLine {
    pub(super) key: String,
    pub(super) size_bytes: u64,
    pub(super) sha256: String,
}

pub(super) fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

/// An error unless the disk of `folder` has so many bytes free.
pub(super) fn require_room(what: &'static str, folder: &Path, needed: u64) -> Result<(), BackupError> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| at(folder)(error.into()))?;
    let free = disk.f_bavail * disk.f_frsize;
    if free < needed {
        Err(BackupError::NoRoom { what, folder: folder.to_owned(), needed, free })
    } else {
        Ok(())
    }
}

/// Creates a folder, and those above it, for their owner alone: they hold personal data.
pub(super) fn create_folder(path: &Path) -> Result<(), BackupError> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(at(path))
}

pub(super) fn remove_all(path: &Path) -> Result<(), BackupError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

pub(super) fn table_file(table: &str) -> String {
    format!("tables/{table}.jsonl")
}

pub(super) fn create(path: &Path) -> Result<BufWriter<File>, BackupError> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(at(path))?;
    Ok(BufWriter::new(file))
}

/// Opens a regular file of a backup; a link, a pipe or a device may have no end.
fn open(folder: &Path, name: &str) -> Result<BufReader<File>, BackupError> {
    let (path, altered) = (folder.join(name), || BackupError::Altered(name.to_owned()));
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(&path) {
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => return Err(altered()),
        opened => opened.map_err(at(&path))?,
    };
    if !file.metadata().map_err(at(&path))?.is_file() {
        return Err(altered());
    }
    Ok(BufReader::new(file))
}

fn disk_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the quota of the disk is used up".to_owned(),
        // systemd mounts each folder that the unit does not name so that it can only be read.
        io::ErrorKind::ReadOnlyFilesystem => {
            "the disk can only be read, or the unit does not allow the folder: \
            name it as ReadWritePaths=-FOLDER (systemctl edit deadwax) and restart"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::Disk(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_the_unit_does_not_allow_is_refused_with_the_setting_that_allows_it() {
        let refused = BackupError::Disk("/mnt/backup".into(), Errno::ROFS.into()).to_string();
        assert!(refused.starts_with("/mnt/backup: ") && refused.contains("ReadWritePaths="), "{refused}");
    }
}
