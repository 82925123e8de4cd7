//! `deadwax backup` and `deadwax restore`: everything the label has, in a folder that either engine and either storage takes.
//!
//! The folder holds `tables/{table}.jsonl` (one row a line, all from one snapshot), `objects/{key}` (the files as stored) and
//! `manifest.json` with counts and hashes, written last: a folder without it is no backup. The key file is not in it.

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
pub use load::{Openings, restore};

/// The version of the folder's form.
const FORMAT: u32 = 1;

/// Why a backup or a restore ended early. Each is one line for the person who asked for it.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is something in the folder already.
    #[error("{0} is not empty")]
    FolderNotEmpty(PathBuf),
    /// The folder is none that a backup has finished.
    #[error("{0} is not a finished backup: {1}")]
    NoBackup(PathBuf, String),
    /// The folder was written by a newer program.
    #[error("this backup was made by a newer program (deadwax {0}); restore it with that one")]
    Newer(String),
    /// What is in the folder is not what was written.
    #[error("{0} is not what was backed up")]
    Altered(String),
    /// Restoring would mix two labels.
    #[error("the database is not empty ({0} has rows); restore into a new one")]
    DatabaseNotEmpty(String),
    /// The storage has another file of the same name.
    #[error("the storage has another {0}; restore into an empty one")]
    OtherObject(String),
    /// The disk refused.
    #[error("{0}: {1}")]
    Disk(PathBuf, io::Error),
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The database could not be brought up to date.
    #[error(transparent)]
    Schema(#[from] OpenError),
    /// The storage refused.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What was backed up or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Rows in all tables.
    pub rows: u64,
    /// Files.
    pub objects: u64,
    /// Files that the storage could not give, or whose bytes are not those that were stored.
    pub damaged: Vec<String>,
    /// Letters that waited, and are not sent any more.
    pub given_up: u64,
}

/// What the folder holds.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The version of the program that wrote it.
    program: String,
    /// The number of its newest migration.
    schema: i64,
    made_at: String,
    tables: BTreeMap<String, TableEntry>,
    objects: u64,
    damaged: Vec<String>,
}

/// One file of rows.
#[derive(Debug, Serialize, Deserialize)]
struct TableEntry {
    rows: u64,
    sha256: String,
}

/// A row of `objects`, as far as its file is concerned.
#[derive(Debug, Deserialize)]
struct ObjectLine {
    key: String,
    size_bytes: u64,
    sha256: String,
}

/// Where the rows of a table are in the folder.
fn table_file(table: &str) -> String {
    format!("tables/{table}.jsonl")
}

/// A new file for its owner alone.
fn create(path: &Path) -> Result<BufWriter<File>, BackupError> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(at(path))?;
    Ok(BufWriter::new(file))
}

/// Opens a file of a backup. Only a regular file has an end: a link, a pipe or a device is not what was written.
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

/// An I/O error with the path it happened at.
fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::Disk(path, error)
}
