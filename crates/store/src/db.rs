//! The database: SQLite on this machine or PostgreSQL behind an address, from one SQL text.
//!
//! Every SQL text is a [`Statement`], declared with [`statements!`](crate::statements) and run as a [`Query`]: [`Db::query`] reads,
//! [`Db::write`] writes by itself, [`Tx::query`] does either in a transaction. A test prepares every declared statement on both
//! engines.
//! Only what no fixed text can say talks to a driver by itself: a backup, whose texts are made from the schema,
//! and questions about the database itself (its integrity, its version of the data).

mod commits;
mod open;
mod open_error;
mod query;
mod trace;

use crate::ids::SessionId;
use std::{fmt::Display, time::Duration};

use query::Place;
use sqlx::{
    ConnectOptions as _, Connection as _, Executor as _, PgPool, Postgres, Sqlite, SqlitePool, Transaction,
};

pub use commits::{Afterwards, CommitHook, Commits, Queued};
pub(crate) use open::statements;
pub use open::{MIGRATIONS_POSTGRES, MIGRATIONS_SQLITE, NO_TIME_LIMITS, SQLITE_FILE, Steps};
pub use open_error::OpenError;
pub use query::{Query, Record, Statement, Value};
use trace::traced;

/// How long emptying the log of SQLite may wait for others, and others for it.
const CHECKPOINT_WAIT: Duration = Duration::from_millis(50);

const SQLITE: &str = "SQLite";
const POSTGRESQL: &str = "PostgreSQL";

/// The connections to the database. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Db {
    Sqlite {
        read: SqlitePool,
        /// The one connection that writes, so that writers queue here instead of failing with `SQLITE_BUSY`.
        write: SqlitePool,
        /// The one that reads what has changed, so that no commit waits for slow readers.
        follow: SqlitePool,
        commits: Commits,
    },
    Postgres {
        pool: PgPool,
        /// Those that follow changes, so that no commit waits for slow readers.
        follow: PgPool,
        commits: Commits,
    },
}

/// Where a read runs.
#[derive(Debug)]
pub enum Source<'a> {
    Db(&'a Db),
    Tx(&'a mut Tx),
}

impl Source<'_> {
    pub fn query(&mut self, statement: Statement) -> Query<'_> {
        match self {
            Self::Db(db) => db.query(statement),
            Self::Tx(tx) => tx.query(statement),
        }
    }
}

impl<'a> From<&'a Db> for Source<'a> {
    fn from(db: &'a Db) -> Self {
        Self::Db(db)
    }
}

impl<'a> From<&'a mut Tx> for Source<'a> {
    fn from(tx: &'a mut Tx) -> Self {
        Self::Tx(tx)
    }
}

/// A write transaction. Dropping it without [`Tx::commit`] undoes it.
#[derive(Debug)]
pub struct Tx {
    pub inner: EngineTx,
    pub queued: Queued,
    pub afterwards: Afterwards,
    /// The session whose rights were checked in this transaction.
    pub session_checked: Option<SessionId>,
    commits: Commits,
}

/// The transaction of the engine itself.
#[derive(Debug)]
pub enum EngineTx {
    /// On the one writing connection, begun IMMEDIATE.
    Sqlite(Transaction<'static, Sqlite>),
    /// READ COMMITTED: conditional updates and unique keys carry the invariants.
    Postgres(Transaction<'static, Postgres>),
}

impl Db {
    pub async fn begin(&self) -> sqlx::Result<Tx> {
        let work = Box::pin(async {
            Ok(match self {
                Self::Sqlite { write, .. } => EngineTx::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?),
                Self::Postgres { pool, .. } => EngineTx::Postgres(pool.begin().await?),
            })
        });
        let inner = traced("BEGIN", self.engine(), |_| None, work).await?;
        Ok(Tx {
            inner,
            queued: Queued::default(),
            afterwards: Afterwards::default(),
            session_checked: None,
            commits: self.commits().clone(),
        })
    }

    pub fn query(&self, statement: Statement) -> Query<'_> {
        match self {
            Self::Sqlite { read, .. } => Query::sqlite(statement, Place::Pool(read)),
            Self::Postgres { pool, .. } => Query::postgres(statement, Place::Pool(pool)),
        }
    }

    pub(crate) fn follow(&self, statement: Statement) -> Query<'_> {
        match self {
            Self::Sqlite { follow, .. } => Query::sqlite(statement, Place::Pool(follow)),
            Self::Postgres { follow, .. } => Query::postgres(statement, Place::Pool(follow)),
        }
    }

    /// A statement in its own transaction. As with [`Tx::commit`], the change is durable, and visible in this process, when its rows
    /// or their number are returned.
    ///
    /// Do not await it while holding a [`Tx`] of the same database: on SQLite both need the one connection that writes.
    pub fn write(&self, statement: Statement) -> Query<'_> {
        let query = match self {
            Self::Sqlite { write, .. } => Query::sqlite(statement, Place::Pool(write)),
            Self::Postgres { pool, .. } => Query::postgres(statement, Place::Pool(pool)),
        };
        query.committing(self.commits())
    }

    /// The work after each commit of this value and its clones.
    pub fn commits(&self) -> &Commits {
        match self {
            Self::Sqlite { commits, .. } | Self::Postgres { commits, .. } => commits,
        }
    }

    /// The same database for what follows its commits, which follows none itself.
    pub(crate) fn without_followers(mut self) -> Self {
        match &mut self {
            Self::Sqlite { commits, .. } | Self::Postgres { commits, .. } => *commits = Commits::default(),
        }
        self
    }

    /// Removes erased rows from the write-ahead log of SQLite. False if readers or writers kept it from finishing; a later call
    /// does. PostgreSQL cleans up by itself.
    ///
    /// Uses a separate connection that does not wait: on the writers' connection, every write would wait for the readers.
    pub async fn settle_erased(&self) -> sqlx::Result<bool> {
        let Self::Sqlite { write, .. } = self else { return Ok(true) };
        let options = write.connect_options().as_ref().clone();
        let options = options.busy_timeout(CHECKPOINT_WAIT).optimize_on_close(false, None);
        let work = Box::pin(async move {
            let mut own = options.connect().await?;
            let emptied = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut own).await;
            own.close().await?;
            emptied
        });
        let emptied: sqlx::Result<(i64, i64, i64)> = traced("CHECKPOINT", SQLITE, |_| None, work).await;
        match emptied {
            Ok((busy, _, _)) => Ok(busy == 0),
            Err(error) if is_busy(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub async fn close(&self) {
        match self {
            Self::Sqlite { read, write, follow, .. } => {
                read.close().await;
                follow.close().await;
                write.close().await;
            }
            Self::Postgres { pool, follow, .. } => {
                follow.close().await;
                pool.close().await;
            }
        }
    }

    pub fn engine(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => SQLITE,
            Self::Postgres { .. } => POSTGRESQL,
        }
    }
}

/// Whether SQLite's file was locked for too long: `SQLITE_BUSY`, in the low byte of each of its variants.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}

impl Tx {
    pub fn query(&mut self, statement: Statement) -> Query<'_> {
        match &mut self.inner {
            EngineTx::Sqlite(tx) => Query::sqlite(statement, Place::Transaction(&mut **tx)),
            EngineTx::Postgres(tx) => Query::postgres(statement, Place::Transaction(&mut **tx)),
        }
    }

    /// Lets its statements take longer than those of a request: for work on whole tables.
    pub async fn without_time_limits(&mut self) -> sqlx::Result<()> {
        match &mut self.inner {
            EngineTx::Sqlite(_) => Ok(()),
            EngineTx::Postgres(tx) => tx.execute(NO_TIME_LIMITS).await.map(drop),
        }
    }

    /// Undoes the transaction at once. Dropping it does so at some later time.
    pub async fn rollback(self) -> sqlx::Result<()> {
        match self.inner {
            EngineTx::Sqlite(tx) => tx.rollback().await,
            EngineTx::Postgres(tx) => tx.rollback().await,
        }
    }

    /// Makes the transaction durable: both engines have synced when this returns, and this process shows nothing older any more.
    pub async fn commit(self) -> sqlx::Result<()> {
        let committed = match self.inner {
            EngineTx::Sqlite(tx) => traced("COMMIT", SQLITE, |()| None, Box::pin(tx.commit())).await,
            EngineTx::Postgres(tx) => traced("COMMIT", POSTGRESQL, |()| None, Box::pin(tx.commit())).await,
        };
        if let Err(error) = committed {
            // Its answer may be lost, and the commit done.
            self.commits.wake(self.queued);
            return Err(error);
        }
        self.afterwards.run();
        self.commits.follow(self.queued).await;
        Ok(())
    }
}

/// The value that a row's text stands for. A text that this program does not know, as a newer one may write it, is an error that names
/// table, column and row.
pub fn known<T>(
    named: impl FnOnce(&str) -> Option<T>,
    text: &str,
    place: (&str, &str, &dyn Display),
) -> sqlx::Result<T> {
    let (table, column, row) = place;
    named(text).ok_or_else(|| {
        sqlx::Error::Decode(format!("{table}.{column} of {row}: unknown value {text:?}").into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_text_is_an_error_with_its_place() {
        let named = |text: &str| (text == "new").then_some(1);
        assert_eq!(known(named, "new", ("demos", "state", &7)).unwrap(), 1);
        let error = known(named, "parked", ("demos", "state", &7)).unwrap_err().to_string();
        assert!(error.contains("demos.state of 7: unknown value \"parked\""), "{error}");
    }
}
