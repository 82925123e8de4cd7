//! Reading a backup: everything is compared with the manifest, then files are stored, then all rows in one transaction. None is open while
//! files are stored: that takes longer than a transaction may idle.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, Read as _},
    path::Path,
};

use deadwax_store::{
    db::{Db, EngineTx, MIGRATIONS_SQLITE, Tx},
    spool::Spool,
    statements,
    storage::Storage,
};
use futures_util::TryStreamExt as _;
use serde_json::{Map, Value, from_value};
use sha2::{Digest as _, Sha256};
use sqlx::{Arguments as _, AssertSqlSafe, postgres::PgArguments, sqlite::SqliteArguments};
use uuid::Uuid;

use super::{
    BackupError, FORMAT, Manifest, Report, at,
    catalog::{self, Kind, Table},
    dump::Snapshot,
    objects, open, table_file,
};

const MANIFEST_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Tables that granted access at the moment of the backup: sessions, mailed links, and answers cached for sessions.
const OPENINGS: [&str; 4] = ["sessions", "session_tokens", "one_time_tokens", "mfa_attempts"];

statements! {
    /// Queued mail may have been sent since the backup, and its links have expired; only visitors' messages to the label, which exist
    /// nowhere else, are kept. An update, so that dependent rows see the letter's end.
    GIVE_UP = "UPDATE outbox SET dead_at = created_at, last_error = 'restored', sealed = NULL, leased_until = NULL \
        WHERE sent_at IS NULL AND dead_at IS NULL AND patience <> 'message'";
    /// Some recipients may have had a letter since the backup: an admin decides.
    PAUSE_LETTERS = "UPDATE letters SET state = 'paused', pause_reason = 'restored', version = version + 1 \
        WHERE state IN ('scheduled', 'sending')";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openings {
    /// They end: what was revoked after the backup must not grant access again.
    End,
    /// They continue, for a move to another database.
    Keep,
}

impl Openings {
    fn allow(self, table: &str, row: &Map<String, Value>) -> bool {
        // Printed recovery codes exist nowhere else; mailed ones belong to a session.
        let is_mailed = table == "recovery_codes" && row.get("kind").is_some_and(|kind| kind == "mailed");
        self == Self::Keep || !(OPENINGS.contains(&table) || is_mailed)
    }
}

/// Restores `folder` into an empty database and storage. Files come first: if interrupted, no row names a missing file, and the restore
/// can be repeated.
pub async fn restore(
    db: &Db,
    storage: &Storage,
    spool: &Spool,
    folder: &Path,
    openings: Openings,
) -> Result<Report, BackupError> {
    let manifest = check(db, folder).await?;
    let (stored, damaged) = if manifest.rows_only {
        objects::find(storage, folder).await?
    } else {
        (objects::copy_in(storage, spool, folder, &manifest.damaged).await?, manifest.damaged.clone())
    };
    let report = finish(db, folder, &manifest, openings).await?;
    Ok(Report { objects: stored, damaged, ..report })
}

/// The manifest of `folder`, whose rows are what it tells, for a database without any. Changes nothing.
pub(in crate::operation) async fn check(db: &Db, folder: &Path) -> Result<Manifest, BackupError> {
    let manifest = read_manifest(folder)?;
    let (tx, tables) = begin_empty(db, &manifest).await?;
    tx.rollback().await?;
    for (name, entry) in &manifest.tables {
        let is_known = tables.iter().any(|table| table.name == *name);
        if !is_known || digest(folder, name)? != (entry.rows, entry.sha256.clone()) {
            return Err(BackupError::Altered(table_file(name)));
        }
    }
    Ok(manifest)
}

/// Writes all rows, brings those of an earlier schema up to date, and ends what must not outlive the backup.
pub(in crate::operation) async fn finish(
    db: &Db,
    folder: &Path,
    manifest: &Manifest,
    openings: Openings,
) -> Result<Report, BackupError> {
    let (mut tx, rows) = load_all(db, folder, manifest, openings).await?;
    tx.migrate_to(newest_migration()).await?;
    let mut given_up = 0;
    if openings == Openings::End {
        tx.query(PAUSE_LETTERS).execute().await?;
        given_up = tx.query(GIVE_UP).execute().await?;
    }
    tx.commit().await?;
    Ok(Report { rows, objects: 0, damaged: Vec::new(), given_up })
}

/// Writes all rows as they are, for a comparison.
pub(in crate::operation) async fn load_as_they_are(
    db: &Db,
    folder: &Path,
    manifest: &Manifest,
) -> Result<(), BackupError> {
    let (tx, _) = load_all(db, folder, manifest, Openings::Keep).await?;
    Ok(tx.commit().await?)
}

async fn load_all(
    db: &Db,
    folder: &Path,
    manifest: &Manifest,
    openings: Openings,
) -> Result<(Tx, u64), BackupError> {
    let (mut tx, tables) = begin_empty(db, manifest).await?;
    let mut rows = 0;
    for table in tables.iter().filter(|table| manifest.tables.contains_key(&table.name)) {
        rows += load(&mut tx, table, folder, openings).await?;
    }
    Ok((tx, rows))
}

/// Compares the rows of a database with those of a backup, table by table and in any order; returns the tables that differ.
pub(in crate::operation) async fn compare(
    db: &Db,
    folder: &Path,
    manifest: &Manifest,
) -> Result<Vec<String>, BackupError> {
    let tables = catalog::tables(db).await?;
    let mut snapshot = Snapshot::begin(db).await?;
    let mut differing = Vec::new();
    for table in tables.iter().filter(|table| manifest.tables.contains_key(&table.name)) {
        let name = table_file(&table.name);
        let mut backed_up = RowSum::default();
        for line in open(folder, &name)?.lines() {
            let line = line.map_err(at(&folder.join(&name)))?;
            let row = serde_json::from_str(&line).map_err(|_| BackupError::Altered(name.clone()))?;
            backed_up.add(&row);
        }
        let mut restored = RowSum::default();
        let mut lines = snapshot.lines(table);
        while let Some(row) = lines.try_next().await? {
            restored.add(&row.into_iter().collect());
        }
        drop(lines);
        if backed_up != restored {
            differing.push(table.name.clone());
        }
    }
    snapshot.end().await?;
    Ok(differing)
}

/// The number of rows, and the sum of their SHA-256 in four parts: the same in any order.
#[derive(Debug, Default, PartialEq, Eq)]
struct RowSum {
    rows: u64,
    sum: [u64; 4],
}

impl RowSum {
    fn add(&mut self, row: &BTreeMap<String, Value>) {
        let mut hasher = Sha256::new();
        for (column, value) in row {
            hasher.update(format!("{column}:{value}\n"));
        }
        let digest: [u8; 32] = hasher.finalize().into();
        for (part, bytes) in self.sum.iter_mut().zip(digest.as_chunks::<8>().0) {
            *part = part.wrapping_add(u64::from_le_bytes(*bytes));
        }
        self.rows += 1;
    }
}

/// Begins a transaction in which the tables have the schema of a backup, and no row.
async fn begin_empty(db: &Db, manifest: &Manifest) -> Result<(Tx, Vec<Table>), BackupError> {
    // Its later steps would never work on the rows.
    if db.schema().await? > Some(manifest.schema) {
        return Err(BackupError::DatabaseNotEmpty("_sqlx_migrations".to_owned()));
    }
    let mut tx = db.begin().await?;
    tx.without_time_limits().await?;
    tx.migrate_to(manifest.schema).await?;
    let tables = catalog::tables(&mut tx).await?;
    for table in &tables {
        if count(&mut tx, table).await? > 0 {
            return Err(BackupError::DatabaseNotEmpty(table.name.clone()));
        }
    }
    Ok((tx, tables))
}

fn read_manifest(folder: &Path) -> Result<Manifest, BackupError> {
    let no_backup = |why: String| BackupError::NoBackup(folder.to_owned(), why);
    let file = open(folder, "manifest.json").map_err(|error| no_backup(error.to_string()))?;
    let manifest: Manifest = serde_json::from_reader(file.take(MANIFEST_MAX_BYTES))
        .map_err(|error| no_backup(error.to_string()))?;
    if manifest.format > FORMAT || manifest.schema > newest_migration() {
        return Err(BackupError::Newer(manifest.program));
    }
    Ok(manifest)
}

fn newest_migration() -> i64 {
    MIGRATIONS_SQLITE.iter().map(|migration| migration.version).max().unwrap_or(0)
}

fn digest(folder: &Path, table: &str) -> Result<(u64, String), BackupError> {
    let name = table_file(table);
    let mut reader = open(folder, &name)?;
    let (mut lines, mut hasher) = (0, Sha256::new());
    loop {
        let piece = reader.fill_buf().map_err(at(&folder.join(&name)))?;
        if piece.is_empty() {
            return Ok((lines, hex::encode(hasher.finalize())));
        }
        hasher.update(piece);
        lines += (piece.split(|byte| *byte == b'\n').count() - 1) as u64;
        let read = piece.len();
        reader.consume(read);
    }
}

async fn count(tx: &mut Tx, table: &Table) -> sqlx::Result<i64> {
    let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{}\"", table.name));
    match &mut tx.inner {
        EngineTx::Sqlite(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await,
        EngineTx::Postgres(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await,
    }
}

async fn load(tx: &mut Tx, table: &Table, folder: &Path, openings: Openings) -> Result<u64, BackupError> {
    let name = table_file(&table.name);
    let altered = || BackupError::Altered(name.clone());
    let mut rows = 0;
    for line in open(folder, &name)?.lines() {
        let line = line.map_err(at(&folder.join(&name)))?;
        let row: Map<String, Value> = serde_json::from_str(&line).map_err(|_| altered())?;
        if !openings.allow(&table.name, &row) {
            continue;
        }
        let cells = row
            .into_iter()
            .map(|(column, value)| Some((table.kind(&column)?, column, value)))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(altered)?;
        insert(tx, table, cells).await.ok_or_else(altered)??;
        rows += 1;
    }
    Ok(rows)
}

macro_rules! bind {
    ($arguments:ident, $cells:expr) => {
        for (kind, _, value) in $cells {
            match kind {
                Kind::Id => $arguments.add(from_value::<Option<Uuid>>(value).ok()?),
                Kind::Bytes => $arguments
                    .add(from_value::<Option<String>>(value).ok()?.map(hex::decode).transpose().ok()?),
                Kind::Text => $arguments.add(from_value::<Option<String>>(value).ok()?),
                Kind::Number => $arguments.add(from_value::<Option<i64>>(value).ok()?),
                Kind::Flag => $arguments.add(from_value::<Option<bool>>(value).ok()?),
            }
            .ok()?;
        }
    };
}

/// Inserts a row; none if a value has the wrong kind for its column.
async fn insert(tx: &mut Tx, table: &Table, cells: Vec<(Kind, String, Value)>) -> Option<sqlx::Result<()>> {
    let columns: Vec<String> = cells.iter().map(|(_, column, _)| format!("\"{column}\"")).collect();
    let places: Vec<String> = (1..=cells.len()).map(|place| format!("${place}")).collect();
    let sql =
        format!("INSERT INTO \"{}\" ({}) VALUES ({})", table.name, columns.join(", "), places.join(", "));
    Some(match &mut tx.inner {
        EngineTx::Sqlite(tx) => {
            let mut arguments = SqliteArguments::default();
            bind!(arguments, cells);
            sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut **tx).await.map(drop)
        }
        EngineTx::Postgres(tx) => {
            let mut arguments = PgArguments::default();
            bind!(arguments, cells);
            sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut **tx).await.map(drop)
        }
    })
}
