//! The job that removes files whose rows are deleted, and retries until the storage has done it. After the commit the address
//! answers 404; the bytes follow within seconds.
//!
//! A file on its way into storage is listed too, due later, so that an interrupted upload leaves nothing behind. Files without a row,
//! left by a crash between the two, are removed after a day.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use futures_util::TryStreamExt as _;
use rules::media_name::is_stored_key;
use tokio::sync::RwLock;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    clock::{Clock, DAY, HOUR, Micros, SECOND},
    db::{Db, Tx},
    failure::Failure,
    statements,
    storage::{Storage, Stored, is_probe},
};

statements! {
    QUEUE = "INSERT INTO deletions (key, created_at, next_try_at) \
        VALUES ($1, $2, $3) \
        ON CONFLICT (key) DO UPDATE SET next_try_at = excluded.next_try_at";
    DELETE_OBJECT = "DELETE FROM objects WHERE key = $1";
    COUNTS = "SELECT EXISTS (SELECT 1 FROM objects WHERE key = $1) \
            OR EXISTS (SELECT 1 FROM upload_parts WHERE key = $1)";
    DUE = "SELECT key, tries FROM deletions WHERE next_try_at <= $1 ORDER BY next_try_at, key LIMIT $2";
    NEXT = "SELECT MIN(next_try_at) FROM deletions";
    TAKE_OVER = "UPDATE deletions SET next_try_at = $1 WHERE next_try_at > $1 AND tries = 0";
    DONE = "DELETE FROM deletions WHERE key = $1";
    // A backup under way asks that nothing is removed; the row ends by itself should the backup not.
    HOLD = "INSERT INTO limits (key, state, expires_at) \
        VALUES ($1, '', $2) \
        ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at";
    IS_HELD = "SELECT COUNT(*) FROM limits WHERE key LIKE 'backup:%' AND expires_at > $1";
    RELEASE = "DELETE FROM limits WHERE key = $1";
    // Waits for a concurrent `CONFIRM`, and then finds no row. A backup may have started since the list was read.
    CLAIM = "UPDATE deletions SET tries = tries + 1, next_try_at = $3 WHERE key = $1 AND next_try_at <= $2 \
        AND NOT EXISTS (SELECT 1 FROM limits WHERE key LIKE 'backup:%' AND expires_at > $2)";
    CONFIRM = "DELETE FROM deletions WHERE key = $1 AND tries = 0";
    KNOWN = "SELECT EXISTS (SELECT 1 FROM objects WHERE key = $1) \
            OR EXISTS (SELECT 1 FROM upload_parts WHERE key = $1) OR EXISTS (SELECT 1 FROM deletions WHERE key = $1)";
    OBJECTS = "SELECT COUNT(*) FROM objects";
}

/// An upload that has not ended by then never will: answers and storage have shorter bounds.
const UPLOAD: Micros = 10 * 60 * SECOND;
/// The first pause after a storage refused; each one after it is twice as long.
const FIRST_PAUSE: Micros = 5 * SECOND;
const LONGEST_PAUSE: Micros = 10 * 60 * SECOND;
/// The longest sleep: a pause of a backup ends unnoticed, and so does an instance that queued a file and died.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
const RETRY: Duration = Duration::from_secs(5);
const BATCH: i64 = 100;

/// How long a pause counts after it was renewed.
const HELD: Micros = 10 * 60 * SECOND;
const RENEWED: Micros = 60 * SECOND;

#[derive(Clone, Debug)]
pub struct Deletions {
    db: Db,
    storage: Storage,
    clock: Clock,
    /// Read while files are removed: a key that is being removed is not due any more, but still listed.
    turn: Arc<RwLock<()>>,
}

impl Deletions {
    pub fn new(db: Db, storage: Storage, clock: Clock) -> Self {
        Self { db, storage, clock, turn: Arc::default() }
    }

    pub async fn work(self, stop: CancellationToken) {
        stop.run_until_cancelled_owned(async move {
            loop {
                let removed = async {
                    self.remove_unclaimed().await?;
                    self.next_at().await
                };
                let sleep = match removed.await {
                    Ok(next_at) => self.clock.sleep_until(next_at, POLL_INTERVAL).max(RETRY),
                    Err(error) => {
                        tracing::warn!(cause = %error, "removing files");
                        RETRY
                    }
                };
                let _ = tokio::time::timeout(sleep, self.db.commits().files().notified()).await;
            }
        })
        .await;
    }

    async fn next_at(&self) -> sqlx::Result<Option<Micros>> {
        self.db.query(NEXT).value().await
    }

    /// Also waits for the removals under way. Afterwards no due key is listed, except of a file that storage has not removed.
    pub async fn remove_due(&self) -> sqlx::Result<()> {
        self.remove_unclaimed().await?;
        drop(self.turn.write().await);
        Ok(())
    }

    async fn remove_unclaimed(&self) -> sqlx::Result<()> {
        let _turn = self.turn.read().await;
        let now = self.clock.now();
        if self.db.query(IS_HELD).bind(now).value::<i64>().await? > 0 {
            return Ok(());
        }
        loop {
            let due = self.db.query(DUE).bind(now).bind(BATCH).all::<(String, i64)>().await?;
            let mut claimed = false;
            for (key, tries) in due {
                // One that cannot be claimed keeps no other back.
                claimed |= self.remove(&key, tries, now).await.unwrap_or_else(|error| {
                    tracing::warn!(key, cause = %error, "removing a file");
                    false
                });
            }
            if !claimed {
                return Ok(());
            }
        }
    }

    async fn remove(&self, key: &str, tries: i64, now: Micros) -> sqlx::Result<bool> {
        // From here on it cannot be confirmed. After a crash it is due again.
        let claim = self.db.write(CLAIM).bind(key).bind(now).bind(now + pause(tries));
        if claim.execute().await? == 0 {
            return Ok(false);
        }
        // A row exists if a commit succeeded without its caller knowing.
        let counts = self.db.query(COUNTS).bind(key).value::<bool>().await?;
        let removed = if counts { Ok(()) } else { self.storage.remove(key).await };
        match removed {
            Ok(()) => self.db.write(DONE).bind(key).execute().await.map(drop)?,
            Err(error) => {
                tracing::warn!(key, cause = %error, "removing a file");
            }
        }
        Ok(true)
    }
}

/// Removes a file: its row at once, its bytes after the commit of `tx`.
pub async fn remove_object(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    tx.query(DELETE_OBJECT).bind(key).execute().await?;
    queue(tx, key, now).await
}

/// Removes the file of a row that goes in the same transaction.
pub async fn queue(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    tx.queued.files = true;
    tx.query(QUEUE).bind(key).bind(now).bind(now).execute().await.map(drop)
}

/// Called before a file goes into storage: unless [`confirm`] follows, it is removed again.
pub async fn reserve(db: &Db, key: &str, now: Micros) -> sqlx::Result<()> {
    db.write(QUEUE).bind(key).bind(now).bind(now + UPLOAD).execute().await.map(drop)
}

/// Called in the transaction that writes the row of a reserved file. [`Failure::Late`] when the file is gone or about to be.
pub async fn confirm(tx: &mut Tx, key: &str) -> Result<(), Failure> {
    if tx.query(CONFIRM).bind(key).execute().await? > 0 { Ok(()) } else { Err(Failure::Late) }
}

/// Hands `result` on; an error abandons the reserved files.
pub async fn settle<T, E>(db: &Db, keys: &[&str], clock: &Clock, result: Result<T, E>) -> Result<T, E> {
    if result.is_err() {
        abandon(db, keys, clock.now()).await;
    }
    result
}

/// Reserved files are not kept: they go now. Should this fail as well, they go when the reservation ends.
pub async fn abandon(db: &Db, keys: &[&str], now: Micros) {
    for key in keys {
        if let Err(error) = db.write(QUEUE).bind(*key).bind(now).bind(now).execute().await {
            tracing::warn!(key, cause = %error, "queueing the deletion of a file");
        }
    }
    db.commits().files().notify_one();
}

/// Called before anything is served: ends the reservations of an earlier run, which died with it. On PostgreSQL they may be
/// another instance's: there they run out.
pub async fn expire_reservations(db: &Db, now: Micros) -> sqlx::Result<()> {
    if matches!(db, Db::Postgres { .. }) {
        return Ok(());
    }
    db.write(TAKE_OVER).bind(now).execute().await.map(drop)
}

fn pause(tries: i64) -> Micros {
    let doublings = u32::try_from(tries.clamp(0, 20)).unwrap_or(0);
    (FIRST_PAUSE << doublings).min(LONGEST_PAUSE)
}

pub const ORPHAN_AGE: Micros = DAY;
/// A file that has not been finished for so long never will be.
const UNFINISHED: Micros = HOUR;

/// Whole files of which no row says that they are there, on their way, or to be removed; written before `now` less [`ORPHAN_AGE`].
pub async fn find_orphans(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<Vec<Stored>> {
    let mut found = Vec::new();
    let mut files = storage.list();
    while let Some(file) = files.try_next().await? {
        if file.written_at >= now - ORPHAN_AGE {
            continue;
        }
        let is_known = db.query(KNOWN).bind(&file.key).value::<bool>().await?;
        // One that was removed after it was listed has lost its row and its place on the list of deletions.
        if !is_known && storage.size(&file.key).await.is_ok() {
            found.push(file);
        }
    }
    Ok(found)
}

/// Removes them, and what was never finished; answers how many files. Where most files have no row, nothing is removed: then the
/// storage is another label's, or the database is not the one that belongs to it.
pub async fn sweep_orphans(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<usize> {
    let mut orphans = find_orphans(db, storage, now).await?;
    orphans.retain(|file| is_stored_key(&file.key) || file.key.starts_with("parts/") || is_probe(&file.key));
    // Probes of any label may go, however many there are.
    let files = orphans.iter().filter(|file| !is_probe(&file.key)).count();
    let objects = db.query(OBJECTS).value::<i64>().await?;
    if i64::try_from(files).unwrap_or(i64::MAX) > objects {
        tracing::error!(files, objects, "most stored files have no row: none is removed");
        return Ok(0);
    }
    for file in &orphans {
        tracing::info!(key = file.key, "removing a file without a row");
        abandon(db, &[&file.key], now).await;
    }
    Ok(orphans.len() + storage.remove_unfinished(now - UNFINISHED).await?)
}

/// A pause in which no file is removed, for a backup.
#[derive(Debug)]
pub struct DeletionPause {
    db: Db,
    clock: Clock,
    key: String,
    renewed_at: AtomicI64,
}

impl DeletionPause {
    /// From now on no file is removed, by any instance, until [`DeletionPause::end`] or ten minutes without [`DeletionPause::renew`].
    pub async fn begin(db: &Db, clock: &Clock) -> sqlx::Result<Self> {
        let key = format!("backup:{}", Uuid::new_v4());
        let pause = Self { db: db.clone(), clock: clock.clone(), key, renewed_at: AtomicI64::new(0) };
        pause.renew().await?;
        Ok(pause)
    }

    pub async fn renew(&self) -> sqlx::Result<()> {
        let now = self.clock.now();
        if now - self.renewed_at.load(Ordering::Relaxed) < RENEWED {
            return Ok(());
        }
        self.db.write(HOLD).bind(&self.key).bind(now + HELD).execute().await?;
        self.renewed_at.store(now, Ordering::Relaxed);
        Ok(())
    }

    pub async fn end(self) -> sqlx::Result<()> {
        self.db.write(RELEASE).bind(&self.key).execute().await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end_growing() {
        let seconds: Vec<i64> = [0, 1, 2, 6, 7, 1_000_000].map(|tries| pause(tries) / SECOND).to_vec();
        assert_eq!(seconds, [5, 10, 20, 320, 600, 600]);
    }
}
