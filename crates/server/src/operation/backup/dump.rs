use std::{collections::BTreeMap, fs, io::Write as _, path::Path};

use deadwax_store::{
    clock::{Clock, rfc3339},
    db::{Db, NO_TIME_LIMITS},
    deletions,
    storage::Storage,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, ColumnIndex, Decode, Executor as _, Postgres, Row, Sqlite, Transaction, Type};
use uuid::Uuid;

use super::{
    BackupError, FORMAT, Manifest, Report, TableEntry, at,
    catalog::{self, Kind, Table},
    create, create_folder, objects, table_file,
};

/// Writes all data into `folder`, which must be new or empty. Works beside a running server: the removal of files waits until the end.
pub async fn backup(db: &Db, storage: &Storage, clock: &Clock, folder: &Path) -> Result<Report, BackupError> {
    prepare(folder)?;
    let hold = deletions::DeletionPause::begin(db, clock).await?;
    let written = async {
        let rows = write_rows(db, folder).await?;
        Ok((rows, objects::copy_out(storage, folder, &hold).await?))
    };
    let written: Result<_, BackupError> = written.await;
    let ended = hold.end().await;
    let ((schema, tables), (objects, damaged)) = written?;
    ended?;
    finish(folder, clock, Manifest { schema, tables, objects, damaged, ..Manifest::default() })
}

/// Writes all rows and no files: for a way back to the schema that the database has.
pub(in crate::operation) async fn backup_rows(
    db: &Db,
    clock: &Clock,
    folder: &Path,
) -> Result<(), BackupError> {
    prepare(folder)?;
    let (schema, tables) = write_rows(db, folder).await?;
    finish(folder, clock, Manifest { schema, tables, rows_only: true, ..Manifest::default() })?;
    Ok(())
}

/// Writes all rows of one moment. Returns their schema, which is newer than this program's if another instance runs a newer one.
pub(in crate::operation) async fn write_rows(
    db: &Db,
    folder: &Path,
) -> Result<(i64, BTreeMap<String, TableEntry>), BackupError> {
    let tables = catalog::tables(db).await?;
    let mut snapshot = Snapshot::begin(db).await?;
    let schema = snapshot.schema().await?;
    let mut entries = BTreeMap::new();
    for table in &tables {
        let entry = write_table(&mut snapshot, table, folder).await?;
        entries.insert(table.name.clone(), entry);
    }
    snapshot.end().await?;
    Ok((schema, entries))
}

/// Writes the manifest, which makes the folder a backup.
fn finish(folder: &Path, clock: &Clock, manifest: Manifest) -> Result<Report, BackupError> {
    let program = env!("CARGO_PKG_VERSION").to_owned();
    let manifest = Manifest { format: FORMAT, program, made_at: rfc3339(clock.now()), ..manifest };
    let path = folder.join("manifest.json");
    let mut file = create(&path)?;
    let written = serde_json::to_writer_pretty(&mut file, &manifest)
        .map_err(std::io::Error::from)
        .and_then(|()| file.flush())
        .and_then(|()| file.get_ref().sync_all());
    written.map_err(at(&path))?;
    let rows = manifest.tables.values().map(|entry| entry.rows).sum();
    Ok(Report { rows, objects: manifest.objects, damaged: manifest.damaged, given_up: 0 })
}

pub(in crate::operation) fn prepare(folder: &Path) -> Result<(), BackupError> {
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(BackupError::FolderNotEmpty(folder.to_owned()));
    }
    create_folder(&folder.join("tables"))?;
    create_folder(&folder.join("objects"))
}

async fn write_table(
    snapshot: &mut Snapshot,
    table: &Table,
    folder: &Path,
) -> Result<TableEntry, BackupError> {
    let path = folder.join(table_file(&table.name));
    let mut file = create(&path)?;
    let (mut rows, mut hasher) = (0, Sha256::new());
    let mut lines = snapshot.lines(table);
    while let Some(row) = lines.try_next().await? {
        let line = Value::Object(row).to_string() + "\n";
        hasher.update(&line);
        file.write_all(line.as_bytes()).map_err(at(&path))?;
        rows += 1;
    }
    file.flush().and_then(|()| file.get_ref().sync_all()).map_err(at(&path))?;
    Ok(TableEntry { rows, sha256: hex::encode(hasher.finalize()) })
}

pub(super) enum Snapshot {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Snapshot {
    pub(super) async fn begin(db: &Db) -> sqlx::Result<Self> {
        Ok(match db {
            // A read transaction sees the state at its first read.
            Db::Sqlite { read, .. } => Self::Sqlite(read.begin().await?),
            Db::Postgres { pool, .. } => {
                let mut tx = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
                // Reading a whole table takes longer than a request may.
                tx.execute(NO_TIME_LIMITS).await?;
                Self::Postgres(tx)
            }
        })
    }

    async fn schema(&mut self) -> sqlx::Result<i64> {
        const NEWEST: &str = "SELECT MAX(version) FROM _sqlx_migrations";
        match self {
            Self::Sqlite(tx) => sqlx::query_scalar(NEWEST).fetch_one(&mut **tx).await,
            Self::Postgres(tx) => sqlx::query_scalar(NEWEST).fetch_one(&mut **tx).await,
        }
    }

    pub(super) fn lines<'a>(
        &'a mut self,
        table: &'a Table,
    ) -> BoxStream<'a, sqlx::Result<Map<String, Value>>> {
        let sql = AssertSqlSafe(format!("SELECT * FROM \"{}\" ORDER BY 1", table.name));
        match self {
            Self::Sqlite(tx) => {
                Box::pin(sqlx::query(sql).fetch(&mut **tx).map(move |row| cells(&row?, table)))
            }
            Self::Postgres(tx) => {
                Box::pin(sqlx::query(sql).fetch(&mut **tx).map(move |row| cells(&row?, table)))
            }
        }
    }

    pub(super) async fn end(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(tx) => tx.rollback().await,
            Self::Postgres(tx) => tx.rollback().await,
        }
    }
}

fn cells<R: Row>(row: &R, table: &Table) -> sqlx::Result<Map<String, Value>>
where
    for<'c> &'c str: ColumnIndex<R>,
    for<'r> Uuid: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
{
    let value = |(column, kind): &(String, Kind)| {
        let name = column.as_str();
        let value = match kind {
            Kind::Id => row.try_get::<Option<Uuid>, _>(name)?.map(hex::encode).into(),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(name)?.map(hex::encode).into(),
            Kind::Text => row.try_get::<Option<String>, _>(name)?.into(),
            Kind::Number => row.try_get::<Option<i64>, _>(name)?.into(),
            Kind::Flag => row.try_get::<Option<bool>, _>(name)?.into(),
        };
        Ok((column.to_owned(), value))
    };
    table.columns.iter().map(value).collect()
}
