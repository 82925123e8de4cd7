//! Rows that background jobs lease, so that several instances share the work and none of it is done twice. A job leases the row
//! it works on for two minutes at a time; after a crash the lease runs out and another instance takes the row.

use std::fmt::Debug;

use crate::{
    clock::Micros,
    db::{Db, Query, Statement},
};

pub trait RowKey: Debug + Send + Sync {
    const ROWS: &'static LeasedRows;
    /// Whether a command leases rows too, beside a server.
    const BESIDE_A_SERVER: bool = false;

    fn bind<'q>(&self, query: Query<'q>) -> Query<'q>;
}

#[derive(Debug)]
pub struct LeasedRows {
    pub(crate) next: Statement,
    pub(crate) renew: Statement,
    pub(crate) give_back: Statement,
    pub(crate) fail: Statement,
    pub(crate) fail_absent: Statement,
    pub(crate) retry_absent: Statement,
    pub(crate) expire: Statement,
}

/// Declares `rows::ROWS` and its statements: for a table, the state of rows that wait, the failure of rows whose file is missing, the
/// condition on key and lease, and the parameter after them.
macro_rules! leased_rows {
    ($table:literal, waiting $waiting:literal, missing $missing:expr, row $row:literal, value $value:literal) => {
        pub(crate) mod rows {
            $crate::statements! {
                NEXT = concat!(
                    "SELECT MIN(CASE WHEN leased_until > next_try_at THEN leased_until ELSE next_try_at END) FROM ", $table,
                    " WHERE state = '", $waiting, "' OR (state = 'failed' AND failure = '", $missing, "')"
                );
                RENEW = concat!(
                    "UPDATE ", $table, " SET leased_until = ", $value, " WHERE ", $row, " AND state = '", $waiting, "'"
                );
                GIVE_BACK = concat!(
                    "UPDATE ", $table, " SET lease = NULL, leased_until = NULL, tries = tries - 1, next_try_at = ", $value,
                    " WHERE ", $row, " AND state = '", $waiting, "'"
                );
                FAIL = concat!(
                    "UPDATE ", $table, " SET state = 'failed', failure = ", $value, ", lease = NULL, leased_until = NULL
                    WHERE ", $row, " AND state = '", $waiting, "'"
                );
                FAIL_ABSENT = concat!(
                    "UPDATE ", $table, " SET state = 'failed', failure = '", $missing, "', lease = NULL, leased_until = NULL,
                        tries = tries - 1, next_try_at = ", $value, "
                    WHERE ", $row, " AND state = '", $waiting, "'"
                );
                RETRY_ABSENT = concat!(
                    "UPDATE ", $table, " SET state = '", $waiting, "', failure = NULL, tries = 0
                    WHERE state = 'failed' AND failure = '", $missing, "' AND next_try_at <= $1"
                );
                EXPIRE = concat!("UPDATE ", $table, " SET lease = NULL, leased_until = NULL WHERE leased_until IS NOT NULL");
            }

            pub(crate) const ROWS: $crate::leases::LeasedRows = $crate::leases::LeasedRows {
                next: NEXT,
                renew: RENEW,
                give_back: GIVE_BACK,
                fail: FAIL,
                fail_absent: FAIL_ABSENT,
                retry_absent: RETRY_ABSENT,
                expire: EXPIRE,
            };
        }
    };
}

pub(crate) use leased_rows;

impl LeasedRows {
    /// When the next row is due: for its first try, for another one, or because its lease runs out.
    pub async fn next_at(&self, db: &Db) -> sqlx::Result<Option<Micros>> {
        db.query(self.next).value().await
    }

    /// Frees the rows of an earlier run. On PostgreSQL they may be another instance's, whose leases run out by themselves.
    pub async fn expire(&self, db: &Db) -> sqlx::Result<()> {
        if matches!(db, Db::Postgres { .. }) {
            return Ok(());
        }
        db.write(self.expire).execute().await.map(drop)
    }

    /// Queues the rows again that failed because a file was missing and are due; returns how many.
    pub async fn retry_absent(&self, db: &Db, now: Micros) -> sqlx::Result<u64> {
        db.write(self.retry_absent).bind(now).execute().await
    }
}

/// A row that only the holder of this lease works on, until it runs out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease<K> {
    pub key: K,
    /// How often it was begun, this time included.
    pub tries: i64,
    pub(crate) id: String,
}

impl<K> AsRef<Self> for Lease<K> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<K: RowKey> Lease<K> {
    /// Binds the key and the lease, the first parameters of every statement about a leased row.
    pub(crate) fn bind<'q>(&self, query: Query<'q>) -> Query<'q> {
        self.key.bind(query).bind(&self.id)
    }

    /// Extends the lease. False if the row was deleted or another instance has taken it.
    pub async fn renew(&self, db: &Db, until: Micros) -> sqlx::Result<bool> {
        Ok(self.bind(db.write(K::ROWS.renew)).bind(until).execute().await? > 0)
    }

    /// Ends the lease without counting the try; the row is due at `at`.
    pub async fn give_back(&self, db: &Db, at: Micros) -> sqlx::Result<()> {
        self.bind(db.write(K::ROWS.give_back)).bind(at).execute().await.map(drop)
    }

    pub async fn fail(&self, db: &Db, failure: &str) -> sqlx::Result<()> {
        self.bind(db.write(K::ROWS.fail)).bind(failure).execute().await.map(drop)
    }

    /// Fails because the row's file is missing, until [`LeasedRows::retry_absent`] at `at` or later.
    pub async fn fail_absent(&self, db: &Db, at: Micros) -> sqlx::Result<()> {
        self.bind(db.write(K::ROWS.fail_absent)).bind(at).execute().await.map(drop)
    }
}
