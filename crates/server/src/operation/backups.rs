//! Backups that prove themselves: written to `BACKUP_URL` at the label's pace, restored for comparison after each run, read back each
//! week; and how the label sees that they do.

pub mod card;
mod facts;
pub mod job;
pub mod label;
pub mod mail;
mod names;
mod proof;
pub mod restore;
mod retention;
mod run;
pub mod schedule;
pub mod seal;
pub mod store;
mod verdict;

use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use deadwax_config::Settings;
use deadwax_store::{
    backup_runs::{self, Kind},
    clock::Micros,
    db::Db,
    storage::{Place, StorageError},
};
use secrecy::ExposeSecret;
use tokio::sync::Mutex;

use crate::content::time_zone;

pub const SETTING: &str = "BACKUP_URL";

/// A folder or bucket, which may be away at the moment.
#[derive(Debug)]
pub struct BackupPlace {
    /// The folder, or the bucket and where it is, without key and secret.
    pub name: String,
    /// Whether backups are encrypted.
    pub is_sealed: bool,
    beside: Beside,
    /// Held during a look at the disks: one that does not answer holds one thread.
    asking: Arc<Mutex<()>>,
}

#[derive(Debug)]
enum Beside {
    /// As the disks are when it is read: one may be mounted later.
    IfOnOneDisk {
        folder: PathBuf,
        data: PathBuf,
    },
    Always,
    Never,
}

/// Makes the waiting runs due as the interval and the label's time zone are now, if that is sooner: later ones would be late.
pub async fn bring_forward(db: &Db, now: Micros) -> sqlx::Result<()> {
    let hours = backup_runs::settings(db).await?.interval_hours;
    let backup_at = schedule::next_backup(now, hours, &time_zone::stored(db).await?);
    backup_runs::bring_forward(db, Kind::Backup, backup_at, now).await?;
    backup_runs::bring_forward(db, Kind::Proof, now + schedule::PROOF_INTERVAL, now).await
}

impl BackupPlace {
    /// None while `BACKUP_URL` is not set.
    pub fn of(settings: &Settings) -> Result<Option<Arc<Self>>, StorageError> {
        let Some(url) = &settings.backup_url else { return Ok(None) };
        let storage = settings.storage_url.as_ref().map(ExposeSecret::expose_secret);
        let storage = storage.map(|url| Place::read("STORAGE_URL", url)).transpose()?;
        let place = Place::read(SETTING, url.expose_secret())?;
        let name = place.name();
        let beside = match place {
            Place::Folder(_) if settings.database_url.is_some() && storage.is_some() => Beside::Never,
            Place::Folder(folder) => {
                Beside::IfOnOneDisk { folder: folder.into(), data: settings.data_dir.clone() }
            }
            Place::Bucket(_) if storage == Some(place) => Beside::Always,
            Place::Bucket(_) => Beside::Never,
        };
        let is_sealed = settings.backup_recipient.is_some();
        Ok(Some(Arc::new(Self { name, is_sealed, beside, asking: Arc::default() })))
    }

    /// Whether it is lost together with the data: on the same disk, or in the same bucket. Asks the disks.
    pub fn is_beside_the_data(&self) -> bool {
        let disk = |folder: &Path| folder.metadata().ok().map(|folder| folder.dev());
        match &self.beside {
            Beside::IfOnOneDisk { folder, data } => {
                disk(folder).is_some_and(|there| disk(data) == Some(there))
            }
            Beside::Always => true,
            Beside::Never => false,
        }
    }
}
