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
    fs::{File, OpenOptions},
    io::{self, BufReader, BufWriter},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use deadwax_store::{db::OpenError, storage::StorageError};
use rustix::{fs::OFlags, io::Errno};
use serde::{Deserialize, Serialize};

pub use dump::backup;
pub(super) use dump::backup_rows;
pub use load::{Openings, restore};

const FORMAT: u32 = 1;

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
    #[error("{0}: {1}")]
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

#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    program: String,
    schema: i64,
    made_at: String,
    tables: BTreeMap<String, TableEntry>,
    objects: u64,
    damaged: Vec<String>,
    /// Whether the files stay where they are: in the storage that it is restored beside.
    #[serde(default)]
    rows_only: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct TableEntry {
    rows: u64,
    sha256: String,
}

#[derive(Debug, Deserialize)]
struct ObjectLine {
    key: String,
    size_bytes: u64,
    sha256: String,
}

fn table_file(table: &str) -> String {
    format!("tables/{table}.jsonl")
}

fn create(path: &Path) -> Result<BufWriter<File>, BackupError> {
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

fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::Disk(path, error)
}
