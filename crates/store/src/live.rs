//! Live updates: reads the `events` table, drops cached answers that are no longer true, and tells this process's streams.
//!
//! The rows are the truth; what wakes the reader up (another process's write to the SQLite file, a PostgreSQL notification)
//! may be lost without harm, because the reader also looks by itself. After each commit of this process the reader is run to
//! its end before anybody is answered ([`Live::catch_up`]).

mod positions;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    crypto::Keys,
    db::{CommitHook, Db},
    statements,
    tables::Tables,
};
use bytes::Bytes;
use positions::Positions;
use sqlx::{PgPool, postgres::PgListener};
use tokio::sync::{
    Mutex, Notify,
    broadcast::{self, error::RecvError},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How often the file of SQLite's write-ahead log is looked at for writes of other programs, such as `deadwax admin`. Commits of this
/// process wake the reader.
const SQLITE_POLL: Duration = Duration::from_millis(250);

/// After this many polls the reader asks the database even if the file is unchanged.
const SQLITE_POLLS: u32 = 8;

/// How often PostgreSQL is polled, in case a notification was lost with its connection.
const POSTGRES_POLL: Duration = Duration::from_secs(2);

const BACKLOG: usize = 256;

const BATCH: i64 = 256;

/// How long changes are kept for browsers that return.
const KEPT: Duration = Duration::from_hours(24);

/// The names of [`Tables::PUBLIC`] in a statement.
macro_rules! public_tables {
    () => {
        "('artists', 'releases', 'site_content', 'site_images', 'maintenance_settings', 'public_letters')"
    };
}

statements! {
    LAST_IDS = concat!(
        "SELECT
            (SELECT COALESCE(MAX(id), 0) FROM events),
            (SELECT COALESCE(MAX(id), 0) FROM events WHERE table_name IN ", public_tables!(), ")"
    );
    // The newest public change is kept after others have gone: where it is the oldest, some between it and the next may be missing.
    OLDEST_ID = "SELECT COALESCE(MIN(id), 0) FROM events
        WHERE id <> $1 OR NOT EXISTS (SELECT 1 FROM events WHERE id > $1)";
    OLDEST_PUBLIC_ID = concat!(
        "SELECT COALESCE(MIN(id), 0) FROM events WHERE table_name IN ", public_tables!()
    );
    BETWEEN = "SELECT id, table_name, op, row_key FROM events
        WHERE id > $1 AND id <= $2 AND table_name NOT IN ('sessions', 'admin_users')
        ORDER BY id LIMIT $3";
    PUBLIC_BETWEEN = concat!(
        "SELECT id, table_name, op, row_key FROM events
        WHERE id > $1 AND id <= $2 AND table_name IN ", public_tables!(), "
        ORDER BY id LIMIT $3"
    );
    AFTER = "SELECT id, table_name, op, row_key FROM events WHERE id > $1 ORDER BY id LIMIT $2";
    PRUNE = concat!(
        "DELETE FROM events WHERE created_at < $1 AND id < (SELECT MAX(id) FROM events)
        AND id <> (SELECT COALESCE(MAX(id), 0) FROM events WHERE table_name IN ", public_tables!(), ")"
    );
}

/// An audience of changes. Positions do not reveal to visitors that admin tables changed, nor how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    Visitors,
    /// Admins who have proved themselves.
    Admins,
}

impl Audience {
    pub const fn tables(self) -> Tables {
        match self {
            Self::Visitors => Tables::PUBLIC,
            Self::Admins => Tables::PUBLIC.and(Tables::FOR_ADMINS),
        }
    }
}

/// A cache of things made from tables, such as public answers; invalidated before streams are notified.
pub trait Invalidate: std::fmt::Debug + Send + Sync {
    fn invalidate(&self, tables: Tables);

    /// Grows with every change of one of `tables`: what was made at another stamp may be old.
    fn generation(&self, tables: Tables) -> u64;
}

/// One change, ready to be sent: which row of which table, and nothing of its contents.
#[derive(Clone, Debug)]
pub struct Change {
    pub id: i64,
    pub table: Tables,
    pub row: Option<Uuid>,
    pub frame: Bytes,
}

#[derive(sqlx_macros::FromRow)]
struct EventRow {
    id: i64,
    table_name: String,
    op: String,
    row_key: String,
}

#[derive(serde::Serialize)]
struct ChangeView<'a> {
    table: &'a str,
    op: &'a str,
    key: &'a str,
}

impl EventRow {
    /// The change as published, or nothing for a table this version does not know.
    fn into_change(self, positions: &Positions) -> Option<Change> {
        let table = Tables::named(&self.table_name)?;
        // SQLite's triggers can only write an id in hex; both engines publish the usual spelling.
        let row = Uuid::parse_str(&self.row_key).ok();
        let key = row.map_or(self.row_key, |id| id.to_string());
        let data =
            serde_json::to_string(&ChangeView { table: &self.table_name, op: &self.op, key: &key }).ok()?;
        let frame = Bytes::from(format!("id: {}\nevent: change\ndata: {data}\n\n", positions.of(self.id)));
        Some(Change { id: self.id, table, row, frame })
    }
}

/// The changes that a returning stream missed, up to `last`. Later ones follow over the stream.
#[derive(Debug)]
pub struct Missed {
    pub last: i64,
    /// `None` if they are more than is kept or worth sending: refetch everything.
    pub changes: Option<Vec<Change>>,
}

/// Returns when one of `tables` has changed, or may have.
pub async fn next_change(changes: &mut broadcast::Receiver<Change>, tables: Tables) {
    loop {
        match changes.recv().await {
            Ok(change) if !change.table.intersects(tables) => {}
            Ok(_) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// The reader of changes and the streams that listen to it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Live(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    db: Db,
    kept: Arc<dyn Invalidate>,
    positions: Positions,
    sender: broadcast::Sender<Change>,
    wake: Notify,
    last: AtomicI64,
    last_public: AtomicI64,
    /// Held while changes are read; inside, how many had asked when the last reading began.
    reading: Mutex<u64>,
    asked: AtomicU64,
}

impl Live {
    /// Reads where the log of changes stands now.
    pub async fn start(db: Db, keys: Keys, kept: Arc<dyn Invalidate>) -> sqlx::Result<Self> {
        let (last, last_public) = db.query(LAST_IDS).one::<(i64, i64)>().await?;
        let (sender, _) = broadcast::channel(BACKLOG);
        Ok(Self(Arc::new(Inner {
            db: db.without_followers(),
            kept,
            positions: Positions(keys),
            sender,
            wake: Notify::new(),
            last: AtomicI64::new(last),
            last_public: AtomicI64::new(last_public),
            reading: Mutex::default(),
            asked: AtomicU64::new(0),
        })))
    }

    pub fn last(&self) -> i64 {
        self.0.last.load(Ordering::SeqCst)
    }

    /// The newest change published to `audience` that every answer of this process contains; for admins, the newest of all.
    pub fn last_for(&self, audience: Audience) -> i64 {
        match audience {
            Audience::Visitors => self.0.last_public.load(Ordering::SeqCst),
            Audience::Admins => self.last(),
        }
    }

    pub fn position(&self, id: i64) -> u64 {
        self.0.positions.of(id)
    }

    /// The change at a position that a client knows; one that never comes for what is no position.
    pub fn change_at(&self, position: u64) -> i64 {
        self.0.positions.id(position).unwrap_or(i64::MAX)
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.0.sender.subscribe()
    }

    /// Returns when no answer of this process is older than what was committed before the call.
    pub async fn catch_up(&self) -> sqlx::Result<()> {
        let ticket = self.0.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut read_for = self.0.reading.lock().await;
        if *read_for >= ticket {
            return Ok(());
        }
        let asked = self.0.asked.load(Ordering::SeqCst);
        self.read_new().await?;
        *read_for = asked;
        Ok(())
    }

    /// As [`Live::catch_up`], whatever the database answers: if the changes cannot be read, nothing made before is shown any
    /// more, and the reader keeps trying.
    async fn show_committed(self) {
        if let Err(error) = self.catch_up().await {
            tracing::warn!(cause = %error, "reading changes after a commit");
            self.0.kept.invalidate(Tables::ALL);
            self.0.wake.notify_one();
        }
    }

    /// Makes each commit of this process wait until its changes are shown.
    pub fn on_commit(&self) -> CommitHook {
        let live = self.clone();
        Box::new(move || Box::pin(live.clone().show_committed()))
    }

    /// The changes published to `audience` after `after`, up to [`Live::last_for`]; later ones follow when they are applied. A
    /// position of no change for `audience` is treated as unknown.
    pub async fn missed(&self, after: i64, audience: Audience) -> sqlx::Result<Missed> {
        if after > self.last_for(audience) {
            // Another instance may have published it already.
            self.catch_up().await?;
        }
        let last = self.last_for(audience);
        if after == last {
            return Ok(Missed { last, changes: Some(Vec::new()) });
        }
        let oldest = match audience {
            Audience::Visitors => self.0.db.query(OLDEST_PUBLIC_ID),
            Audience::Admins => self.0.db.query(OLDEST_ID).bind(self.last_for(Audience::Visitors)),
        };
        let oldest = oldest.value::<i64>().await?;
        if after.saturating_add(1) < oldest || after > last {
            return Ok(Missed { last, changes: None });
        }
        let between = match audience {
            Audience::Visitors => PUBLIC_BETWEEN,
            Audience::Admins => BETWEEN,
        };
        let rows = self.0.db.query(between).bind(after).bind(last).bind(BATCH).all::<EventRow>().await?;
        if i64::try_from(rows.len()).unwrap_or(BATCH) >= BATCH {
            return Ok(Missed { last, changes: None });
        }
        let changes = rows.into_iter().filter_map(|row| row.into_change(&self.0.positions)).collect();
        Ok(Missed { last, changes: Some(changes) })
    }

    pub async fn follow(self, stop: CancellationToken) {
        stop.run_until_cancelled(async {
            loop {
                let result = match self.0.db.clone() {
                    Db::Sqlite { follow, .. } => self.follow_sqlite(&follow).await,
                    Db::Postgres { follow, .. } => self.follow_postgres(&follow).await,
                };
                if let Err(error) = result {
                    tracing::warn!(cause = %error, "following changes: the database does not answer, trying again");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        })
        .await;
    }

    async fn follow_sqlite(&self, follow: &sqlx::SqlitePool) -> sqlx::Result<()> {
        let mut log = follow.connect_options().get_filename().as_os_str().to_owned();
        log.push("-wal");
        let written = || std::fs::metadata(&log).ok().map(|log| (log.len(), log.modified().ok()));
        let mut seen = None;
        loop {
            let before = written();
            // Always asked of the same connection: each counts for itself.
            let version = sqlx::query_scalar::<_, i64>("PRAGMA data_version").fetch_one(follow).await?;
            if seen != Some(version) {
                seen = Some(version);
                self.catch_up().await?;
            }
            let polled = async {
                for _ in 0..SQLITE_POLLS {
                    tokio::time::sleep(SQLITE_POLL).await;
                    if written() != before {
                        break;
                    }
                }
            };
            tokio::select! {
                () = polled => {}
                () = self.0.wake.notified() => {}
            }
        }
    }

    async fn follow_postgres(&self, follow: &PgPool) -> sqlx::Result<()> {
        let mut listener = PgListener::connect_with(follow).await?;
        listener.listen("deadwax_events").await?;
        loop {
            self.catch_up().await?;
            tokio::select! {
                notification = listener.recv() => { notification?; }
                () = self.0.wake.notified() => {}
                () = tokio::time::sleep(POSTGRES_POLL) => {}
            }
        }
    }

    /// Applies every change that is not applied yet. Called by one at a time.
    async fn read_new(&self) -> sqlx::Result<()> {
        loop {
            let rows = self.0.db.follow(AFTER).bind(self.last()).bind(BATCH).all::<EventRow>().await?;
            let Some(newest) = rows.last().map(|row| row.id) else { return Ok(()) };
            let changes: Vec<Change> =
                rows.into_iter().filter_map(|row| row.into_change(&self.0.positions)).collect();
            let touched = changes.iter().fold(Tables::NONE, |all, change| all.and(change.table));
            // In this order: a listener that learns of a change, or of `last`, must be able to read its effects.
            self.0.kept.invalidate(touched);
            self.0.last.store(newest, Ordering::SeqCst);
            if let Some(public) = changes.iter().rfind(|change| change.table.intersects(Tables::PUBLIC)) {
                self.0.last_public.store(public.id, Ordering::SeqCst);
            }
            for change in changes {
                // Fails if there are no listeners.
                let _ = self.0.sender.send(change);
            }
        }
    }

    /// Drops changes older than `KEPT`; the newest one stays, and the newest public one, so that positions keep their meaning.
    pub async fn prune(&self, now: crate::clock::Micros) -> sqlx::Result<()> {
        let before = now - i64::try_from(KEPT.as_micros()).unwrap_or(i64::MAX);
        self.0.db.write(PRUNE).bind(before).execute().await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statements_name_the_public_tables() {
        let names = public_tables!().trim_matches(['(', ')']).split(", ").map(|name| name.trim_matches('\''));
        let public = names.filter_map(Tables::named).fold(Tables::NONE, Tables::and);
        assert_eq!(public, Tables::PUBLIC);
    }
}
