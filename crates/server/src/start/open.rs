//! Opens the data folder with its lock, the database, and the storage.

use std::{
    fs::TryLockError,
    io::{self, ErrorKind},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use deadwax_config::{ConfigError, Settings};
use deadwax_store::{
    db::{Db, OpenError, SQLITE_FILE},
    storage::{Storage, StorageError},
};
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

pub const DATABASE_WAIT: Duration = Duration::from_secs(30);
pub const DATABASE_PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug, thiserror::Error)]
#[error("another deadwax program is using {0}")]
pub struct Locked(String);

/// Held while this program serves or migrates a SQLite database.
#[derive(Debug)]
pub struct DataLock(#[expect(dead_code, reason = "holding the file holds the lock")] Option<std::fs::File>);

impl DataLock {
    /// Locks the data folder, unless the database is a shared server.
    pub fn take(settings: &Settings) -> anyhow::Result<Self> {
        if settings.database_url.is_some() {
            return Ok(Self(None));
        }
        create_folder(&settings.data_dir)?;
        let path = settings.data_dir.join("lock");
        let file = std::fs::File::create(&path).map_err(|error| unusable(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(Some(file))),
            Err(TryLockError::WouldBlock) => Err(Locked(settings.data_dir.display().to_string()).into()),
            Err(TryLockError::Error(error)) => Err(unusable(&path, &error)),
        }
    }
}

pub fn database_file(settings: &Settings) -> PathBuf {
    settings.data_dir.join(SQLITE_FILE)
}

pub async fn open_database(settings: &Settings) -> anyhow::Result<Db> {
    create_folder(&settings.data_dir)?;
    let url = settings.database_url.as_ref().map(ExposeSecret::expose_secret);
    Db::open(url, &settings.data_dir).await.context(if url.is_some() {
        "DATABASE_URL"
    } else {
        "opening the database"
    })
}

/// Opens the database; waits for one that starts together with this program, until `stop`.
pub async fn open_when_there(settings: &Settings, stop: &CancellationToken) -> anyhow::Result<Db> {
    let deadline = tokio::time::Instant::now() + DATABASE_WAIT;
    let mut is_logged = false;
    loop {
        let error = match open_database(settings).await {
            Ok(db) => return Ok(db),
            Err(error) => error,
        };
        let is_away = matches!(error.downcast_ref(), Some(OpenError::Away(_)));
        if !is_away || stop.is_cancelled() || tokio::time::Instant::now() >= deadline {
            return Err(error);
        }
        if !is_logged {
            tracing::warn!(
                cause = format!("{error:#}"),
                seconds = DATABASE_WAIT.as_secs(),
                "waiting for the database"
            );
            is_logged = true;
        }
        stop.run_until_cancelled(tokio::time::sleep(DATABASE_PAUSE)).await;
    }
}

pub fn open_storage(settings: &Settings) -> anyhow::Result<Storage> {
    let url = settings.storage_url.as_ref().map(ExposeSecret::expose_secret);
    Storage::open(url, &settings.data_dir).context("opening the file storage")
}

pub async fn try_storage(storage: &Storage) -> anyhow::Result<()> {
    storage.probe().await.map_err(|error| match error {
        StorageError::Disk(_) => anyhow::Error::new(error).context("DEADWAX_DATA_DIR: media"),
        error => error.into(),
    })
}

/// Creates the data folder for its owner alone; an existing one keeps its rights.
fn create_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| unusable(path, &error))
}

/// An error of the data folder; of the setting if another try would end the same.
fn unusable(path: &Path, error: &io::Error) -> anyhow::Error {
    let said = format!("DEADWAX_DATA_DIR: {}: {error}", path.display());
    match error.kind() {
        // A folder that may not be written to may be the place of a disk that comes late.
        ErrorKind::AlreadyExists
        | ErrorKind::NotADirectory
        | ErrorKind::NotFound
        | ErrorKind::ReadOnlyFilesystem => {
            ConfigError(format!("{said}; name a folder that this user can write to")).into()
        }
        _ => anyhow::Error::msg(said),
    }
}
