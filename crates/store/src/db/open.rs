//! Opening: which engine an address means, the settings each connection gets, and migrations.

use std::{path::Path, time::Duration};

use sqlx::{
    ConnectOptions as _, Connection as _, Executor as _, PgPool, Row as _, SqlitePool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use url::Url;

use super::{
    Commits, Db, EngineTx, Tx,
    open_error::{OpenError, unconnected},
};
use crate::{advisory_lock, secret_address::SecretAddress, statements};

pub static MIGRATIONS_SQLITE: Migrator = sqlx_macros::migrate!("../../migrations/sqlite");
/// The schema of PostgreSQL: the same steps under the same numbers.
pub static MIGRATIONS_POSTGRES: Migrator = sqlx_macros::migrate!("../../migrations/postgres");

pub const SQLITE_FILE: &str = "deadwax.db";

statements! {
    HAS_SCHEMA = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')",
        postgres "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    NEWEST_MIGRATION = "SELECT MAX(version) FROM _sqlx_migrations";
}

/// Below this version SQLite can corrupt a database while its write-ahead log is reset (sqlite.org, "WAL-reset bug").
const SQLITE_FLOOR: (u32, u32, u32) = (3, 51, 3);

/// Readers beside the one writer. More than the cores a small machine has, so that one slow read does not hold the others.
const SQLITE_READERS: u32 = 8;

/// Connections per instance; PostgreSQL's default of 100 then serves several instances.
const POSTGRES_CONNECTIONS: u32 = 16;

/// Connections that follow changes on PostgreSQL: one listens, one reads.
const POSTGRES_FOLLOWERS: u32 = 2;

const CONNECT_WAIT: Duration = Duration::from_secs(3);

const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// Takes the bounds of a request's statements off a transaction of PostgreSQL: for work on whole tables.
pub const NO_TIME_LIMITS: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// A step may change a table whose rows were changed before it, which triggers that wait forbid.
const NOTHING_WAITS: &str = "SET CONSTRAINTS ALL IMMEDIATE";

impl Db {
    pub async fn open(url: Option<&str>, data_dir: &Path) -> Result<Self, OpenError> {
        match url {
            None => Self::open_sqlite(&data_dir.join(SQLITE_FILE)).await,
            Some(url) => Self::open_postgres(Self::read_address(url)?).await,
        }
    }

    /// Parses the address of a database without connecting.
    pub fn read_address(url: &str) -> Result<PgConnectOptions, OpenError> {
        let address = SecretAddress::read(url, &PARAMETERS).ok_or(OpenError::UnknownScheme)?;
        if !address.has_scheme(&["postgres", "postgresql"]) {
            return Err(OpenError::UnknownScheme);
        }
        if let Some(sign) = address.misplaced() {
            let escaped = format!("%{:02X}", u32::from(sign));
            return Err(OpenError::Address(format!("write {sign} in user and password as {escaped}")));
        }
        let unreadable = |why: &str| OpenError::Address(why.to_owned());
        let mut url =
            Url::parse(&address.escaped()).map_err(|_| unreadable("host or port cannot be read"))?;
        let is_known = |name: &str| PARAMETERS.contains(&name) || name.starts_with("options[");
        let (known, unknown): (Vec<_>, Vec<_>) =
            url.query_pairs().into_owned().partition(|(name, _)| is_known(name));
        for (name, _) in unknown {
            tracing::warn!(name, "DATABASE_URL: this parameter is not used");
        }
        url.set_query(None);
        if !known.is_empty() {
            url.query_pairs_mut().extend_pairs(known);
        }
        let why = "a parameter cannot be read; sslmode is disable, allow, prefer, require, verify-ca or verify-full";
        PgConnectOptions::from_url(&url).map_err(|_| unreadable(why))
    }

    /// Opens or creates a SQLite file: write-ahead log, every commit synced, one writer.
    async fn open_sqlite(path: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5))
            .pragma("mmap_size", "0")
            .pragma("journal_size_limit", "67108864")
            .pragma("trusted_schema", "OFF")
            // Overwrites deleted rows with zeros, so that erased data is not left in the file.
            .pragma("secure_delete", "ON")
            .pragma("cache_size", "-2048")
            .optimize_on_close(true, None)
            .disable_statement_logging();
        let write: SqlitePool = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(Duration::from_secs(5))
            // A full disk makes SQLite undo the transaction by itself. The driver then fails to undo it once more, counts it as
            // begun for ever, and would refuse every later one: such a connection is replaced.
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options.clone())
            .await?;
        let version: String = write.fetch_one("SELECT sqlite_version()").await?.get(0);
        if parse_version(&version) < SQLITE_FLOOR {
            return Err(OpenError::SqliteTooOld(version));
        }
        let reading = options.pragma("query_only", "ON").optimize_on_close(false, None);
        let read = SqlitePoolOptions::new()
            .max_connections(SQLITE_READERS)
            .acquire_timeout(Duration::from_secs(5))
            .idle_timeout(Duration::from_mins(1))
            .connect_lazy_with(reading.clone());
        let follow = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(Duration::from_secs(5))
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(reading);
        Ok(Self::Sqlite { read, write, follow, commits: Commits::default() })
    }

    /// Opens PostgreSQL: bounded statements, and every connection rolled back before it is handed out.
    async fn open_postgres(options: PgConnectOptions) -> Result<Self, OpenError> {
        let options = options.application_name("deadwax").disable_statement_logging().options([
            ("statement_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "10s"),
            // Compiling a statement takes half a second, and running it a tenth of that.
            ("jit", "off"),
            // The BEGIN below warns where there was something to roll back.
            ("client_min_messages", "error"),
        ]);
        // A pool does not say why it has no connection.
        let connecting = tokio::time::timeout(CONNECT_WAIT, options.connect()).await;
        let connected =
            connecting.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()));
        connected.map_err(|error| unconnected(&options, error))?.close().await?;
        let pool: PgPool = PgPoolOptions::new()
            .max_connections(POSTGRES_CONNECTIONS)
            .acquire_timeout(CONNECT_WAIT)
            // A BEGIN whose future was dropped leaves the pooled connection inside a transaction (fixed after sqlx 0.9.0).
            // A ROLLBACK alone would write a warning into the database's own log if no transaction is open.
            .before_acquire(|connection, _| {
                Box::pin(async move {
                    connection.execute("BEGIN; ROLLBACK").await?;
                    Ok(true)
                })
            })
            .connect_with(options.clone())
            .await?;
        let follow = PgPoolOptions::new()
            .max_connections(POSTGRES_FOLLOWERS)
            .acquire_timeout(Duration::from_secs(3))
            .connect_lazy_with(options);
        let encoding: String = pool.fetch_one("SHOW server_encoding").await?.get(0);
        if encoding != "UTF8" {
            return Err(OpenError::Encoding(encoding));
        }
        Ok(Self::Postgres { pool, follow, commits: Commits::default() })
    }

    pub async fn has_schema(&self) -> Result<bool, OpenError> {
        Ok(self.query(HAS_SCHEMA).value().await?)
    }

    /// The number of its newest step.
    pub async fn schema(&self) -> Result<Option<i64>, OpenError> {
        if !self.has_schema().await? {
            return Ok(None);
        }
        Ok(self.query(NEWEST_MIGRATION).value().await?)
    }

    /// Whether the schema is this program's; an error if it is newer.
    pub async fn is_current(&self) -> Result<bool, OpenError> {
        match self.schema().await? {
            Some(newer) if Some(newer) > newest_step() => Err(OpenError::NewerSchema(newer)),
            schema => Ok(schema == newest_step()),
        }
    }

    /// Brings the schema up to date, all steps or none; returns whether any were pending. A second program waits (PostgreSQL) or is
    /// kept out by the lock file (SQLite).
    pub async fn migrate(&self) -> Result<bool, OpenError> {
        self.migrate_after(async |_| Ok(())).await
    }

    /// As [`migrate`](Self::migrate), calling `before` first if an existing schema is about to change. Its error leaves the schema
    /// as it is.
    pub async fn migrate_after<E: From<OpenError>>(
        &self,
        before: impl AsyncFnOnce(Steps) -> Result<(), E>,
    ) -> Result<bool, E> {
        Ok(match self {
            Self::Sqlite { write, .. } => {
                let is_pending = self.prepare(before).await?;
                let mut tx = write.begin().await.map_err(OpenError::from)?;
                MIGRATIONS_SQLITE.run(&mut *tx).await.map_err(OpenError::from)?;
                tx.commit().await.map_err(OpenError::from)?;
                is_pending
            }
            Self::Postgres { pool, .. } => {
                let mut tx = pool.begin().await.map_err(OpenError::from)?;
                // Waiting for another instance's migration, or rewriting a large table, may take longer than any request.
                tx.execute(NO_TIME_LIMITS).await.map_err(OpenError::from)?;
                tx.execute(advisory_lock!(migrations)).await.map_err(OpenError::from)?;
                let is_pending = self.prepare(before).await?;
                tx.execute(NOTHING_WAITS).await.map_err(OpenError::from)?;
                MIGRATIONS_POSTGRES.run(&mut *tx).await.map_err(OpenError::from)?;
                tx.commit().await.map_err(OpenError::from)?;
                is_pending
            }
        })
    }

    /// Whether steps are pending, after `before` if they change an existing schema.
    async fn prepare<E: From<OpenError>>(
        &self,
        before: impl AsyncFnOnce(Steps) -> Result<(), E>,
    ) -> Result<bool, E> {
        let to = newest_step().unwrap_or(0);
        match self.schema().await? {
            Some(from) if from < to => before(Steps { from, to }).await.map(|()| true),
            schema => Ok(schema.is_none()),
        }
    }
}

impl Tx {
    /// Brings the schema up to a step within this transaction. A second program waits (PostgreSQL).
    pub async fn migrate_to(&mut self, step: i64) -> Result<(), OpenError> {
        match &mut self.inner {
            EngineTx::Sqlite(tx) => MIGRATIONS_SQLITE.run_to(step, &mut **tx).await?,
            EngineTx::Postgres(tx) => {
                tx.execute(advisory_lock!(migrations)).await?;
                tx.execute(NOTHING_WAITS).await?;
                MIGRATIONS_POSTGRES.run_to(step, &mut **tx).await?;
            }
        }
        Ok(())
    }
}

/// The schema before and after a migration, by the number of its newest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    pub from: i64,
    pub to: i64,
}

fn newest_step() -> Option<i64> {
    MIGRATIONS_SQLITE.iter().map(|step| step.version).max()
}

fn parse_version(text: &str) -> (u32, u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}
