//! Everything the verdict is made from, as it is now.

use std::{sync::Arc, time::Duration};

use deadwax_store::{
    backup_runs::{self, Kind, Run, Settings},
    clock::{HOUR, Micros},
    db::Db,
};
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use super::BackupPlace;
use crate::content::time_zone;

/// For a disk that does not answer.
const DISK: Duration = Duration::from_secs(2);

/// Where backups are kept.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BackupPlaceView {
    /// The folder, or the bucket and where it is.
    pub name: String,
    /// Whether they are encrypted.
    pub is_sealed: bool,
    /// Whether it is the disk or the bucket of the data.
    pub is_beside_the_data: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Known {
    /// `None` while `BACKUP_URL` is not set.
    pub(super) place: Option<BackupPlaceView>,
    /// The run that wrote the newest backup.
    pub(super) written: Option<Run>,
    /// The newest run whose comparison held.
    pub(super) proven: Option<Run>,
    pub(super) read: Option<Run>,
    /// The run of each kind that ended last.
    pub(super) latest: Vec<Run>,
    pub(super) due: Vec<Run>,
    pub(super) settings: Settings,
    /// The label's.
    pub(super) zone: TimeZone,
    /// When the first run was queued.
    pub(super) since: Option<Micros>,
    /// When a shorter interval was last set.
    pub(super) changed_at: Option<Micros>,
}

impl Known {
    pub(super) async fn read(db: &Db, kept_at: Option<&Arc<BackupPlace>>) -> sqlx::Result<Self> {
        let name = kept_at.map(|place| place.name.as_str());
        Ok(Self {
            place: place(kept_at).await,
            written: backup_runs::last_written(db, name).await?,
            proven: backup_runs::last_proven(db, name).await?,
            read: backup_runs::last_read(db, name).await?,
            latest: backup_runs::latest(db).await?,
            due: backup_runs::due(db).await?,
            settings: backup_runs::settings(db).await?,
            zone: time_zone::stored(db).await?,
            since: backup_runs::since(db, name).await?,
            changed_at: backup_runs::changed_at(db).await?,
        })
    }

    pub(super) fn interval(&self) -> Micros {
        self.settings.interval_hours.saturating_mul(HOUR)
    }

    pub(super) fn running(&self, now: Micros) -> Option<&Run> {
        self.due.iter().find(|run| run.leased_until.is_some_and(|until| until > now))
    }

    /// When the run of a kind that waits is due.
    pub(super) fn next_at(&self, kind: Kind, now: Micros) -> Option<Micros> {
        let waits = |run: &&Run| run.kind == kind && run.leased_until.is_none_or(|until| until <= now);
        self.due.iter().find(waits).map(|run| run.next_try_at)
    }
}

async fn place(place: Option<&Arc<BackupPlace>>) -> Option<BackupPlaceView> {
    let place = Arc::clone(place?);
    let (name, is_sealed) = (place.name.clone(), place.is_sealed);
    let asked = async {
        let turn = Arc::clone(&place.asking).lock_owned().await;
        tokio::task::spawn_blocking(move || {
            let _held = turn;
            place.is_beside_the_data()
        })
        .await
    };
    let is_beside_the_data = matches!(tokio::time::timeout(DISK, asked).await, Ok(Ok(true)));
    Some(BackupPlaceView { name, is_sealed, is_beside_the_data })
}

#[cfg(test)]
mod tests {
    use super::{super::Beside, *};

    #[tokio::test(start_paused = true)]
    async fn a_disk_that_does_not_answer_holds_one_thread() {
        let (name, asking) = (String::new(), Arc::default());
        let known = Arc::new(BackupPlace { name, is_sealed: false, beside: Beside::Always, asking });
        let asked = Arc::clone(&known.asking).lock_owned().await;
        assert!(!place(Some(&known)).await.unwrap().is_beside_the_data);
        drop(asked);
        assert!(place(Some(&known)).await.unwrap().is_beside_the_data);
    }
}
