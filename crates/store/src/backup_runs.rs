//! The runs of backups and of their proofs, leased by the job that does them, and how often they are done.

use rules::demo_name::without_artists;
use serde::Serialize;
use sqlx_macros::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    advisory_lock,
    clock::Micros,
    columns::{Named as _, Timestamp, signed},
    db::{Db, Query, Source, Tx},
    leases::{Lease, LeasedRows, RowKey, leased_rows},
    names, statements,
};

macro_rules! columns {
    () => {
        "id, kind, failure, warning, next_try_at, leased_until, began_at, ended_at, backup_at, written_at, proven_at, \
         row_count, file_count, total_bytes, new_bytes, files_read, is_sealed, program, mailed_at"
    };
}

/// Runs in the place of the parameter, and those without a place: due, or of an earlier version.
macro_rules! of_place {
    ($place:literal) => {
        concat!("(CAST(", $place, " AS TEXT) IS NULL OR place IS NULL OR place = ", $place, ")")
    };
}

macro_rules! lease {
    ($lock:literal) => {
        concat!(
            "UPDATE backup_runs SET tries = tries + 1, lease = $2, leased_until = $3, began_at = $1 \
             WHERE id = (SELECT id FROM backup_runs \
                 WHERE state = 'due' AND next_try_at <= $1 \
                     AND NOT EXISTS (SELECT 1 FROM backup_runs o WHERE o.state = 'due' AND o.leased_until > $1) \
                 ORDER BY kind, next_try_at LIMIT 1",
            $lock,
            ") RETURNING id, kind, tries"
        )
    };
}

statements! {
    // One run at a time, whichever its kind.
    LEASE = lease!(""), postgres lease!(" FOR UPDATE SKIP LOCKED");
    ONE_AT_A_TIME = "SELECT 1", postgres advisory_lock!(backups);
    END = "UPDATE backup_runs SET state = $3, failure = $4, warning = $5, ended_at = $6, backup_at = $7, written_at = $8, proven_at = $9, \
            row_count = $10, file_count = $11, total_bytes = $12, new_bytes = $13, files_read = $14, is_sealed = $15, program = $16, \
            place = $17, lease = NULL, leased_until = NULL \
        WHERE id = $1 AND lease = $2 AND state = 'due'";
    QUEUE = "INSERT INTO backup_runs (id, kind, state, next_try_at, created_at) \
        SELECT $1, $2, 'due', $3, $4 WHERE NOT EXISTS (SELECT 1 FROM backup_runs WHERE kind = $2 AND state = 'due')";
    MOVE = "UPDATE backup_runs SET next_try_at = $2 \
        WHERE kind = $1 AND state = 'due' AND (leased_until IS NULL OR leased_until <= $3)";
    BRING_FORWARD = "UPDATE backup_runs SET next_try_at = $2 \
        WHERE kind = $1 AND state = 'due' AND next_try_at > $2 AND (leased_until IS NULL OR leased_until <= $3)";
    RECENT = concat!("SELECT ", columns!(), " FROM backup_runs WHERE state <> 'due' ORDER BY ended_at DESC, id LIMIT $1");
    LAST_WRITTEN = concat!("SELECT ", columns!(), " FROM backup_runs WHERE written_at IS NOT NULL AND ", of_place!("$1"), " ORDER BY backup_at DESC LIMIT 1");
    LAST_PROVEN = concat!("SELECT ", columns!(), " FROM backup_runs WHERE proven_at IS NOT NULL AND ", of_place!("$1"), " ORDER BY proven_at DESC LIMIT 1");
    LAST_READ = concat!(
        "SELECT ", columns!(), " FROM backup_runs WHERE kind = 'proof' AND proven_at IS NOT NULL AND ", of_place!("$1"),
        " ORDER BY proven_at DESC LIMIT 1"
    );
    LATEST = concat!(
        "SELECT ", columns!(), " FROM backup_runs r WHERE r.state <> 'due' AND NOT EXISTS (\
            SELECT 1 FROM backup_runs l WHERE l.kind = r.kind AND l.state <> 'due' \
                AND (l.ended_at > r.ended_at OR (l.ended_at = r.ended_at AND l.id > r.id))) ORDER BY r.kind"
    );
    SINCE = concat!("SELECT MIN(created_at) FROM backup_runs WHERE ", of_place!("$1"));
    CHANGED_AT = "SELECT updated_at FROM backup_settings WHERE id = 1";
    ENDED = concat!("SELECT ", columns!(), " FROM backup_runs WHERE id = $1 AND state <> 'due'");
    DUE = concat!("SELECT ", columns!(), " FROM backup_runs WHERE state = 'due' ORDER BY kind");
    FAILURES = "SELECT COUNT(*) FROM backup_runs r WHERE r.kind = $1 AND r.state = 'failed' \
        AND NOT EXISTS (SELECT 1 FROM backup_runs d WHERE d.kind = $1 AND d.state = 'done' AND d.ended_at >= r.ended_at)";
    LAST_MAIL = "SELECT MAX(mailed_at) FROM backup_runs";
    NOTE_MAIL = "UPDATE backup_runs SET mailed_at = $2 WHERE id = $1";
    PRUNE = "DELETE FROM backup_runs WHERE state <> 'due' AND (created_at < $1 \
        OR (ended_at > $2 AND EXISTS (SELECT 1 FROM backup_runs o WHERE o.ended_at <= $2)))";
    SETTINGS = "SELECT interval_hours, keep_days, keep_weeks, keep_months, version FROM backup_settings WHERE id = 1";
    // A late backup is judged from `updated_at`, which only a shorter interval moves; without a row it is 24 hours.
    SAVE = "INSERT INTO backup_settings (id, interval_hours, keep_days, keep_weeks, keep_months, version, updated_at) \
        VALUES (1, $1, $2, $3, $4, 2, CASE WHEN CAST($1 AS BIGINT) < 24 THEN CAST($5 AS BIGINT) ELSE 0 END) \
        ON CONFLICT (id) DO UPDATE SET interval_hours = $1, keep_days = $2, keep_weeks = $3, keep_months = $4, \
            version = backup_settings.version + 1, \
            updated_at = CASE WHEN CAST($1 AS BIGINT) < backup_settings.interval_hours \
                THEN CAST($5 AS BIGINT) ELSE backup_settings.updated_at END";
}

leased_rows!("backup_runs", waiting "due", missing "", row "id = $1 AND lease = $2", value "$3");

names! {
    /// The work of a run.
    Kind;
    /// Writes the label to the store, restores its rows and compares them.
    Backup = "backup";
    /// Restores the rows of the newest backup and reads files back.
    Proof = "proof";
}

/// The key of a run, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunKey(pub Uuid, pub Kind);

impl RowKey for RunKey {
    const ROWS: &'static LeasedRows = &rows::ROWS;
    const BESIDE_A_SERVER: bool = true;

    fn bind<'q>(&self, query: Query<'q>) -> Query<'q> {
        query.bind(self.0)
    }
}

/// A run: waiting, under way while `leased_until` is ahead, or ended.
#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
#[schema(as = BackupRunView, description = "A run that ended.")]
pub struct Run {
    pub id: Uuid,
    /// `backup` or `proof`.
    #[schema(value_type = String)]
    pub kind: Kind,
    /// Why it failed, in words; null if it did not.
    pub failure: Option<String>,
    /// Something to look at although it is done, in words.
    pub warning: Option<String>,
    #[serde(skip)]
    pub next_try_at: Micros,
    #[serde(skip)]
    pub leased_until: Option<Micros>,
    /// When it began.
    pub began_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The instant of the rows of the backup that it wrote or proved.
    pub backup_at: Option<Timestamp>,
    /// When all of the backup was written and read back.
    pub written_at: Option<Timestamp>,
    /// When its rows were restored and compared.
    pub proven_at: Option<Timestamp>,
    /// Rows of the backup.
    #[serde(rename = "rows")]
    pub row_count: i64,
    /// Files of the backup.
    #[serde(rename = "files")]
    pub file_count: i64,
    /// Bytes of all rows and files of the backup.
    pub total_bytes: i64,
    /// Bytes that the run wrote.
    pub new_bytes: i64,
    /// How many files the run read back.
    pub files_read: i64,
    /// Whether the backup is encrypted.
    pub is_sealed: bool,
    /// The program's version.
    pub program: Option<String>,
    #[serde(skip)]
    pub mailed_at: Option<Micros>,
}

/// How a run ended, as [`Lease::end`] records it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub failure: Option<String>,
    pub warning: Option<String>,
    pub backup_at: Option<Micros>,
    pub written_at: Option<Micros>,
    pub proven_at: Option<Micros>,
    pub rows: u64,
    pub files: u64,
    pub total_bytes: u64,
    pub new_bytes: u64,
    pub files_read: u64,
    pub is_sealed: bool,
    /// The folder, or the bucket and where it is.
    pub place: Option<String>,
}

/// How often backups are made, and how many are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow, Serialize, ToSchema)]
#[schema(as = BackupSettings)]
pub struct Settings {
    /// 1, 6 or 24.
    pub interval_hours: i64,
    /// The last backup of so many days.
    pub keep_days: i64,
    /// The last backup of so many weeks.
    pub keep_weeks: i64,
    /// The last backup of so many months.
    pub keep_months: i64,
    /// Counts the changes.
    pub version: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { interval_hours: 24, keep_days: 7, keep_weeks: 4, keep_months: 12, version: 1 }
    }
}

pub async fn settings(source: impl Into<Source<'_>>) -> sqlx::Result<Settings> {
    Ok(source.into().query(SETTINGS).optional::<Settings>().await?.unwrap_or_default())
}

/// Saves all but the version, which is counted.
pub async fn save_settings(tx: &mut Tx, settings: Settings, now: Micros) -> sqlx::Result<()> {
    let query = tx.query(SAVE).bind(settings.interval_hours).bind(settings.keep_days);
    query.bind(settings.keep_weeks).bind(settings.keep_months).bind(now).execute().await.map(drop)
}

/// Queues a run at `at`, unless one of its kind waits.
pub async fn queue(tx: &mut Tx, kind: Kind, at: Micros, now: Micros) -> sqlx::Result<u64> {
    tx.queued.backups = true;
    tx.query(QUEUE).bind(Uuid::now_v7()).bind(kind.as_str()).bind(at).bind(now).execute().await
}

/// Makes the waiting run of a kind due at `at`; queues it if none waits. One that is under way is left alone: then false.
pub async fn ask(tx: &mut Tx, kind: Kind, at: Micros, now: Micros) -> sqlx::Result<bool> {
    let is_queued = queue(tx, kind, at, now).await? > 0;
    Ok(is_queued || tx.query(MOVE).bind(kind.as_str()).bind(at).bind(now).execute().await? > 0)
}

/// Makes the waiting run of a kind due at `at`, if that is sooner.
pub async fn bring_forward(db: &Db, kind: Kind, at: Micros, now: Micros) -> sqlx::Result<()> {
    db.write(BRING_FORWARD).bind(kind.as_str()).bind(at).bind(now).execute().await?;
    db.commits().backups().notify_one();
    Ok(())
}

/// Leases the run that is due, unless another one is under way.
pub async fn lease(db: &Db, now: Micros, until: Micros) -> sqlx::Result<Option<Lease<RunKey>>> {
    let id = Uuid::new_v4().simple().to_string();
    let mut tx = db.begin().await?;
    tx.query(ONE_AT_A_TIME).execute().await?;
    let query = tx.query(LEASE).bind(now).bind(&id).bind(until);
    let row = query.optional::<(Uuid, Kind, i64)>().await?;
    tx.commit().await?;
    Ok(row.map(|(key, kind, tries)| Lease { key: RunKey(key, kind), tries, id }))
}

impl Lease<RunKey> {
    /// Records how the run ended. False if the lease is lost.
    pub async fn end(
        &self,
        tx: &mut Tx,
        outcome: &Outcome,
        program: &str,
        now: Micros,
    ) -> sqlx::Result<bool> {
        let state = if outcome.failure.is_some() { "failed" } else { "done" };
        // A run outlives the demos whose keys it may name.
        let words = |words: &Option<String>| words.as_deref().map(without_artists);
        let query = self.bind(tx.query(END)).bind(state);
        let query = query.bind(words(&outcome.failure)).bind(words(&outcome.warning)).bind(now);
        let query = query.bind(outcome.backup_at).bind(outcome.written_at).bind(outcome.proven_at);
        let query = query.bind(signed(outcome.rows)).bind(signed(outcome.files));
        let query = query.bind(signed(outcome.total_bytes)).bind(signed(outcome.new_bytes));
        let query = query.bind(signed(outcome.files_read)).bind(outcome.is_sealed).bind(program);
        let query = query.bind(&outcome.place);
        Ok(query.execute().await? > 0)
    }
}

/// The newest ended runs.
pub async fn recent(db: &Db, most: i64) -> sqlx::Result<Vec<Run>> {
    db.query(RECENT).bind(most).all::<Run>().await
}

/// A run that has ended.
pub async fn ended(db: &Db, id: Uuid) -> sqlx::Result<Option<Run>> {
    db.query(ENDED).bind(id).optional::<Run>().await
}

/// The run of each kind that ended last.
pub async fn latest(db: &Db) -> sqlx::Result<Vec<Run>> {
    db.query(LATEST).all::<Run>().await
}

/// When the oldest known run was queued, in a place or in any.
pub async fn since(db: &Db, place: Option<&str>) -> sqlx::Result<Option<Micros>> {
    db.query(SINCE).bind(place).value().await
}

/// When a shorter interval was last set.
pub async fn changed_at(db: &Db) -> sqlx::Result<Option<Micros>> {
    db.query(CHANGED_AT).maybe().await
}

/// The runs that wait or are under way, at most one of each kind.
pub async fn due(db: &Db) -> sqlx::Result<Vec<Run>> {
    db.query(DUE).all::<Run>().await
}

/// The run that wrote the newest backup, in a place or in any.
pub async fn last_written(db: &Db, place: Option<&str>) -> sqlx::Result<Option<Run>> {
    db.query(LAST_WRITTEN).bind(place).optional::<Run>().await
}

/// The newest run whose comparison of rows held, in a place or in any.
pub async fn last_proven(db: &Db, place: Option<&str>) -> sqlx::Result<Option<Run>> {
    db.query(LAST_PROVEN).bind(place).optional::<Run>().await
}

/// The newest proof that also read files back, in a place or in any.
pub async fn last_read(db: &Db, place: Option<&str>) -> sqlx::Result<Option<Run>> {
    db.query(LAST_READ).bind(place).optional::<Run>().await
}

/// How many runs of a kind have failed since one was done.
pub async fn failures(db: &Db, kind: Kind) -> sqlx::Result<i64> {
    db.query(FAILURES).bind(kind.as_str()).value().await
}

/// When the admins last had a mail about backups.
pub async fn last_mail(tx: &mut Tx) -> sqlx::Result<Option<Micros>> {
    tx.query(LAST_MAIL).value().await
}

pub async fn note_mail(tx: &mut Tx, id: Uuid, now: Micros) -> sqlx::Result<()> {
    tx.query(NOTE_MAIL).bind(id).bind(now).execute().await.map(drop)
}

/// Removes ended runs that were queued before an instant, and those that ended after another one, by a clock that was ahead: they
/// would hide all later ones. Where all ended after it, the clock is behind instead.
pub async fn prune(db: &Db, before: Micros, after: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(before).bind(after).execute().await.map(drop)
}
