//! The snapshot before a migration: the way back to the version before.
//!
//! `before-upgrade/FROM-TO-TIME` in the data folder, where FROM and TO are schemas. On SQLite it holds the database itself; on PostgreSQL the
//! rows as `deadwax restore` reads them. Files are not in it, because migrations do not change them, nor is data of a moment or a machine.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use deadwax_store::{
    clock::{Clock, DAY, Micros, rfc3339},
    db::{Db, SQLITE_FILE, Steps},
    statements,
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqlitePool};

use super::backup::{self, BackupError, at};

const FOLDER: &str = "before-upgrade";
const UNFINISHED: &str = "unfinished";
const KEPT: usize = 2;
/// They hold what was erased since.
const KEPT_FOR: Micros = 30 * DAY;
/// A larger PostgreSQL database has tools that dump it faster.
const POSTGRES_MAX_BYTES: u64 = 2 << 30;

statements! {
    SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        postgres "SELECT pg_database_size(current_database())";
}

#[derive(Debug, thiserror::Error)]
#[error(
    "writing the snapshot before the upgrade: {0} (`deadwax migrate --without-snapshot` goes on without one)"
)]
pub struct SnapshotError(pub BackupError);

impl SnapshotError {
    /// Whether the disk refuses it, so that another try would end as this one.
    pub fn is_of_the_disk(&self) -> bool {
        match &self.0 {
            BackupError::NoRoom { .. } | BackupError::Disk(..) => true,
            // SQLITE_FULL, and SQLITE_IOERR_WRITE where a quota is used up.
            BackupError::Database(sqlx::Error::Database(error)) => {
                matches!(error.code().as_deref(), Some("13" | "778"))
            }
            _ => false,
        }
    }
}

/// Writes a snapshot and removes all but the newest two. Returns its folder, or nothing where the database is too large for one.
pub async fn write(
    db: &Db,
    data_dir: &Path,
    clock: &Clock,
    steps: Steps,
) -> Result<Option<PathBuf>, BackupError> {
    let needed = size(db).await?;
    if matches!(db, Db::Postgres { .. }) && needed > POSTGRES_MAX_BYTES {
        return Ok(None);
    }
    let folder = data_dir.join(FOLDER);
    let unfinished = folder.join(UNFINISHED);
    backup::remove_all(&unfinished)?;
    backup::create_folder(&unfinished)?;
    backup::require_room("it", &folder, needed)?;
    match db {
        Db::Sqlite { write, .. } => {
            let path = unfinished.join(SQLITE_FILE);
            // The only statement that copies a database while others use it.
            sqlx::query("VACUUM INTO $1").bind(path.display().to_string()).execute(write).await?;
            forget_the_moment(write, &path).await?;
            fs::File::open(&path).and_then(|file| file.sync_all()).map_err(at(&path))?;
        }
        Db::Postgres { .. } => backup::backup_rows(db, clock, &unfinished).await?,
    }
    let name = format!("{}-{}-{}", steps.from, steps.to, time_name(clock.now()));
    let finished = folder.join(name);
    fs::rename(&unfinished, &finished)
        .and_then(|()| fs::File::open(&folder)?.sync_all())
        .map_err(at(&finished))?;
    remove_older(&folder, &finished).map_err(at(&folder))?;
    Ok(Some(finished))
}

/// Empties what no backup has either: some of it would tell who came. Earlier schemas lack some of the tables.
async fn forget_the_moment(write: &SqlitePool, copy: &Path) -> sqlx::Result<()> {
    const TABLES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    // As the database's own: they overwrite what they delete.
    let options = write.connect_options().as_ref().clone().filename(copy).optimize_on_close(false, None);
    let mut copy = options.connect().await?;
    let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut copy).await?;
    for table in tables.iter().filter(|table| backup::LEFT_OUT.contains(&table.as_str())) {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM {table}"))).execute(&mut copy).await?;
    }
    copy.close().await
}

/// The bytes that the rows take.
pub(super) async fn size(db: &Db) -> sqlx::Result<u64> {
    Ok(db.query(SIZE).value::<i64>().await?.unsigned_abs())
}

fn time_name(time: Micros) -> String {
    rfc3339(time).replace(':', "")
}

/// Keeps the snapshot just written, whatever the clock says, and the newest of the others.
fn remove_older(folder: &Path, written: &Path) -> io::Result<()> {
    let mut others = list(folder)?;
    others.retain(|(_, path)| path != written);
    others.sort();
    others.iter().rev().skip(KEPT - 1).try_for_each(|(_, path)| fs::remove_dir_all(path))
}

/// Removes the snapshots of long ago.
pub fn prune(data_dir: &Path, now: Micros) -> io::Result<()> {
    let (folder, oldest) = (data_dir.join(FOLDER), time_name(now - KEPT_FOR));
    let all = if folder.is_dir() { list(&folder)? } else { Vec::new() };
    all.iter().filter(|(time, _)| *time < oldest).try_for_each(|(_, path)| fs::remove_dir_all(path))
}

/// The times and folders of all snapshots. Folders with other names are not ours.
fn list(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let snapshots = fs::read_dir(folder)?.filter_map(|entry| {
        let path = entry.ok()?.path();
        path.is_dir().then_some(())?;
        let mut parts = path.file_name()?.to_str()?.splitn(3, '-');
        parts.next()?.parse::<i64>().ok()?;
        parts.next()?.parse::<i64>().ok()?;
        Some((parts.next()?.to_owned(), path))
    });
    Ok(snapshots.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_disk_is_lasting_and_a_lost_connection_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let Db::Sqlite { write, .. } = Db::open(None, folder.path()).await.unwrap() else { unreachable!() };
        sqlx::raw_sql("PRAGMA max_page_count = 1").execute(&write).await.unwrap();
        let full = sqlx::raw_sql("CREATE TABLE more (id)").execute(&write).await.unwrap_err();
        assert!(SnapshotError(full.into()).is_of_the_disk());
        let rows = BackupError::Disk("rows".into(), io::ErrorKind::StorageFull.into());
        assert!(SnapshotError(rows).is_of_the_disk());
        assert!(!SnapshotError(sqlx::Error::PoolTimedOut.into()).is_of_the_disk());
    }
}
