//! The database: SQLite on this machine or PostgreSQL behind an address, from one SQL text.
//!
//! Every SQL text is a [`Statement`], declared with [`statements!`](crate::statements) and run with [`fetch!`](crate::fetch)
//! (outside a transaction, reads only) or [`in_tx!`](crate::in_tx), and a test prepares every declared statement on both engines.
//! Only what no fixed text can say talks to a driver by itself: [`backup`](crate::backup), whose texts are made from the schema,
//! and questions about the database itself (its integrity, its version of the data).

mod commits;
mod open;
mod statement;

use sqlx::{PgPool, Postgres, Sqlite, SqlitePool, Transaction};

pub use commits::{AfterCommit, Commits, Queued};
pub use open::{MIGRATIONS_POSTGRES, MIGRATIONS_SQLITE, OpenError};
pub use statement::Statement;

/// The two engines. Cheap to clone: every variant holds pools.
#[derive(Clone, Debug)]
pub enum Db {
    /// A file in the data directory.
    Sqlite {
        /// Several connections that can only read.
        read: SqlitePool,
        /// The one connection that writes, so that writers queue here instead of failing with `SQLITE_BUSY`.
        write: SqlitePool,
        /// What follows each commit.
        commits: Commits,
    },
    /// A server.
    Postgres {
        /// Its connections.
        pool: PgPool,
        /// What follows each commit.
        commits: Commits,
    },
}

/// A write transaction. Dropping it without [`Tx::commit`] undoes it.
#[derive(Debug)]
pub struct Tx {
    /// Where the statements run.
    pub begun: Begun,
    /// What is to be done after it.
    pub queued: Queued,
    commits: Commits,
}

/// A transaction of an engine.
#[derive(Debug)]
pub enum Begun {
    /// On the one writing connection, begun IMMEDIATE.
    Sqlite(Transaction<'static, Sqlite>),
    /// READ COMMITTED: conditional updates and unique keys carry the invariants.
    Postgres(Transaction<'static, Postgres>),
}

impl Db {
    /// Begins a write transaction.
    pub async fn begin(&self) -> sqlx::Result<Tx> {
        let begun = match self {
            Self::Sqlite { write, .. } => Begun::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres { pool, .. } => Begun::Postgres(pool.begin().await?),
        };
        Ok(Tx { begun, queued: Queued::default(), commits: self.commits().clone() })
    }

    /// What follows each commit by this value and its clones.
    pub fn commits(&self) -> &Commits {
        match self {
            Self::Sqlite { commits, .. } | Self::Postgres { commits, .. } => commits,
        }
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { read, write, .. } => {
                read.close().await;
                write.close().await;
            }
            Self::Postgres { pool, .. } => pool.close().await,
        }
    }

    /// The engine's name as people write it.
    pub fn engine(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }
}

impl Tx {
    /// Makes the transaction durable: both engines have synced when this returns, and this process shows nothing older any more.
    pub async fn commit(self) -> sqlx::Result<()> {
        // A commit whose answer was lost, or was not waited for, may have happened.
        let _told = self.commits.tell_when_dropped(self.queued);
        match self.begun {
            Begun::Sqlite(tx) => tx.commit().await?,
            Begun::Postgres(tx) => tx.commit().await?,
        }
        self.commits.applied().await;
        Ok(())
    }
}

/// Runs a reading [`Statement`]: `fetch!(db, all | optional | one, RowType, STATEMENT, args…)`, or `fetch!(db, stream, …)` for
/// rows as they are read, one connection for all of them.
///
/// On SQLite it runs on a connection that cannot write.
#[macro_export]
macro_rules! fetch {
    ($db:expr, all, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::fetch!(@run $db, fetch_all, $row, $statement $(, $arg)*) };
    ($db:expr, optional, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::fetch!(@run $db, fetch_optional, $row, $statement $(, $arg)*) };
    ($db:expr, one, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::fetch!(@run $db, fetch_one, $row, $statement $(, $arg)*) };
    ($db:expr, stream, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => {
        match $db {
            $crate::db::Db::Sqlite { read, .. } => {
                sqlx::query_as::<sqlx::Sqlite, $row>($statement.sqlite())$(.bind($arg))*.fetch(read)
            }
            $crate::db::Db::Postgres { pool, .. } => {
                sqlx::query_as::<sqlx::Postgres, $row>($statement.postgres())$(.bind($arg))*.fetch(pool)
            }
        }
    };
    (@run $db:expr, $method:ident, $row:ty, $statement:expr $(, $arg:expr)*) => {
        match $db {
            $crate::db::Db::Sqlite { read, .. } => {
                sqlx::query_as::<sqlx::Sqlite, $row>($statement.sqlite())$(.bind($arg))*.$method(read).await
            }
            $crate::db::Db::Postgres { pool, .. } => {
                sqlx::query_as::<sqlx::Postgres, $row>($statement.postgres())$(.bind($arg))*.$method(pool).await
            }
        }
    };
}

/// Runs a [`Statement`] in a transaction: `in_tx!(tx, execute, STATEMENT, args…)` for the number of rows it touched, or
/// `in_tx!(tx, all | optional | one, RowType, STATEMENT, args…)` for rows.
#[macro_export]
macro_rules! in_tx {
    ($tx:expr, execute, $statement:expr $(, $arg:expr)* $(,)?) => {
        match &mut $tx.begun {
            $crate::db::Begun::Sqlite(tx) => {
                sqlx::query::<sqlx::Sqlite>($statement.sqlite())$(.bind($arg))*.execute(&mut **tx).await.map(|done| done.rows_affected())
            }
            $crate::db::Begun::Postgres(tx) => {
                sqlx::query::<sqlx::Postgres>($statement.postgres())$(.bind($arg))*.execute(&mut **tx).await.map(|done| done.rows_affected())
            }
        }
    };
    ($tx:expr, all, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::in_tx!(@run $tx, fetch_all, $row, $statement $(, $arg)*) };
    ($tx:expr, optional, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::in_tx!(@run $tx, fetch_optional, $row, $statement $(, $arg)*) };
    ($tx:expr, one, $row:ty, $statement:expr $(, $arg:expr)* $(,)?) => { $crate::in_tx!(@run $tx, fetch_one, $row, $statement $(, $arg)*) };
    (@run $tx:expr, $method:ident, $row:ty, $statement:expr $(, $arg:expr)*) => {
        match &mut $tx.begun {
            $crate::db::Begun::Sqlite(tx) => {
                sqlx::query_as::<sqlx::Sqlite, $row>($statement.sqlite())$(.bind($arg))*.$method(&mut **tx).await
            }
            $crate::db::Begun::Postgres(tx) => {
                sqlx::query_as::<sqlx::Postgres, $row>($statement.postgres())$(.bind($arg))*.$method(&mut **tx).await
            }
        }
    };
}
