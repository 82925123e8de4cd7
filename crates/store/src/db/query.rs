//! SQL texts as values that can be listed, so that a test can prepare each of them on both engines; and queries: a statement, the
//! values bound to it, and where it runs. The engine is matched here, once for all statements.

use futures_util::TryStreamExt as _;
use sqlx::{
    Arguments as _, Database, Either, Encode, Executor, FromRow, IntoArguments, Pool, Postgres, Sqlite, Type,
    error::BoxDynError,
    postgres::{PgQueryResult, PgRow},
    sqlite::{SqliteQueryResult, SqliteRow},
};

use super::{Commits, POSTGRESQL, Queued, SQLITE, trace::traced};

/// One SQL text with `$1…` parameters, the same for both engines unless the dialects leave no choice. Made only by
/// [`statements!`](crate::statements).
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// Module and constant, for the log.
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

/// Declares the statements of a module: `statements! { NAME = "sql"; OTHER = "for SQLite", postgres "for PostgreSQL"; }`. Where
/// PostgreSQL's text only says more: `LOCK = "SELECT …", postgres + " FOR UPDATE";`.
///
/// The module gets a private constant for each and a function `statements` that lists them, and behind them those of the modules that a
/// first line names: `and orders, undo;`.
#[macro_export]
macro_rules! statements {
    (@list [$($part:ident),*] $($(#[$meta:meta])* $name:ident = $sql:expr $(, postgres $(+ $more:literal)? $($postgres:expr)?)?;)*) => {
        $(
            $(#[$meta])*
            const $name: $crate::db::Statement =
                $crate::statements!(@make $name $sql $(, $(+ $more)? $($postgres)?)?);
        )*
        /// For the test that prepares them.
        pub(crate) fn statements() -> Vec<(&'static str, $crate::db::Statement)> {
            const OWN: &[(&str, $crate::db::Statement)] = &[$((stringify!($name), $name)),*];
            [OWN, $(&$part::statements()),*].concat()
        }
    };
    (@make $name:ident $sql:expr, + $more:literal) => { $crate::statements!(@make $name $sql, concat!($sql, $more)) };
    (@make $name:ident $sqlite:expr, $postgres:expr) => {
        $crate::db::Statement {
            name: concat!(module_path!(), "::", stringify!($name)),
            sqlite: $sqlite,
            postgres: $postgres,
        }
    };
    (@make $name:ident $sql:expr) => { $crate::statements!(@make $name $sql, $sql) };
    (and $($part:ident),+; $($own:tt)*) => { $crate::statements!(@list [$($part),+] $($own)*); };
    ($($own:tt)*) => { $crate::statements!(@list [] $($own)*); };
}

/// The SQL that takes an advisory lock of PostgreSQL until the transaction ends: transactions then wait for each other although they
/// share no row. SQLite has one writer and needs none.
///
/// - `sample`, 404: loads the sample catalogue once, into an empty label.
/// - `additions`, 4040405: adds releases whose artist is found by name or that take the next number, by an import or by drafts from
///   demos. The second transaction sees the rows of the first.
/// - `migrations`, 4040406: changes the schema. The second program finds nothing to do.
/// - `backups`, 4040407: takes the run of a backup that is due. The second instance sees the first one's lease.
///
/// Take them before any row that is locked beside them. Exceptions: an import has claimed its idempotency key, and a draft has
/// locked its demo; no holder of one of these locks waits for either. Lock 4040404 belongs to the triggers that write events
/// (`migrations/postgres`, decision 0023), which take it at commit, with all rows locked. Nothing else may take it: a holder that
/// waited for a row would deadlock with a commit.
#[macro_export]
macro_rules! advisory_lock {
    (sample) => {
        "SELECT 1 FROM pg_advisory_xact_lock(404)"
    };
    (additions) => {
        "SELECT 1 FROM pg_advisory_xact_lock(4040405)"
    };
    (migrations) => {
        "SELECT 1 FROM pg_advisory_xact_lock(4040406)"
    };
    (backups) => {
        "SELECT 1 FROM pg_advisory_xact_lock(4040407)"
    };
}

/// A value that a query can bind on both engines.
pub trait Value<'v>: Encode<'v, Sqlite> + Type<Sqlite> + Encode<'v, Postgres> + Type<Postgres> {}

impl<'v, T> Value<'v> for T where T: Encode<'v, Sqlite> + Type<Sqlite> + Encode<'v, Postgres> + Type<Postgres> {}

/// A type that a row of both engines can be read as: a tuple, or a struct that derives `sqlx_macros::FromRow`.
pub trait Record: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send {}

impl<T> Record for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send {}

/// A [`Statement`] about to run. Made by [`Db::query`](super::Db::query), [`Db::write`](super::Db::write) and
/// [`Tx::query`](super::Tx::query); runs when its rows or their number are requested.
///
/// Each connection prepares a statement once and keeps it. A value that cannot be encoded fails the run.
#[must_use = "a query runs when its rows, or their number, are asked for"]
pub struct Query<'c> {
    name: &'static str,
    engine: Engine<'c>,
    commits: Option<&'c Commits>,
}

enum Engine<'c> {
    Sqlite(Bound<'c, Sqlite>),
    Postgres(Bound<'c, Postgres>),
}

struct Bound<'c, E: Database> {
    sql: &'static str,
    values: Result<E::Arguments, BoxDynError>,
    place: Place<'c, E>,
}

pub(super) enum Place<'c, E: Database> {
    Pool(&'c Pool<E>),
    Transaction(&'c mut E::Connection),
}

#[derive(Clone, Copy)]
enum Wanted {
    FirstRow,
    EveryRow,
    Touched,
}

enum EngineRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

type Take<'t> = &'t mut (dyn FnMut(EngineRow) -> sqlx::Result<()> + Send);

impl<'c> Query<'c> {
    pub(super) fn sqlite(statement: Statement, place: Place<'c, Sqlite>) -> Self {
        let engine = Engine::Sqlite(Bound::new(statement.sqlite, place));
        Self { name: statement.name, engine, commits: None }
    }

    pub(super) fn postgres(statement: Statement, place: Place<'c, Postgres>) -> Self {
        let engine = Engine::Postgres(Bound::new(statement.postgres, place));
        Self { name: statement.name, engine, commits: None }
    }

    /// The same in a separate transaction.
    pub(super) fn committing(mut self, commits: &'c Commits) -> Self {
        self.commits = Some(commits);
        self
    }

    pub fn bind<'v, V: Value<'v>>(mut self, value: V) -> Self {
        match &mut self.engine {
            Engine::Sqlite(bound) => bound.add(value),
            Engine::Postgres(bound) => bound.add(value),
        }
        self
    }

    /// Runs a query that is expected to change rows; returns how many it touched.
    pub async fn execute(self) -> sqlx::Result<u64> {
        self.run(Wanted::Touched, &mut |_| Ok(())).await
    }

    pub async fn all<R: Record>(self) -> sqlx::Result<Vec<R>> {
        let mut rows = Vec::new();
        self.each(|row| rows.push(row)).await?;
        Ok(rows)
    }

    /// Passes on each row as it is read, with few rows in memory at a time.
    pub async fn each<R: Record>(self, mut take: impl FnMut(R) + Send) -> sqlx::Result<()> {
        let mut read = |row: EngineRow| {
            take(row.read()?);
            Ok(())
        };
        self.run(Wanted::EveryRow, &mut read).await.map(drop)
    }

    pub async fn optional<R: Record>(self) -> sqlx::Result<Option<R>> {
        let mut first = None;
        let mut read = |row: EngineRow| {
            if first.is_none() {
                first = Some(row.read()?);
            }
            Ok(())
        };
        self.run(Wanted::FirstRow, &mut read).await?;
        Ok(first)
    }

    /// The first row; [`sqlx::Error::RowNotFound`] without one.
    pub async fn one<R: Record>(self) -> sqlx::Result<R> {
        self.optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// The only column of the first row; [`sqlx::Error::RowNotFound`] without one.
    pub async fn value<T>(self) -> sqlx::Result<T>
    where
        (T,): Record,
    {
        Ok(self.one::<(T,)>().await?.0)
    }

    /// The only column of the first row, if there is one.
    pub async fn maybe<T>(self) -> sqlx::Result<Option<T>>
    where
        (T,): Record,
    {
        Ok(self.optional::<(T,)>().await?.map(|(value,)| value))
    }

    /// The only column of every row.
    pub async fn values<T>(self) -> sqlx::Result<Vec<T>>
    where
        (T,): Record,
    {
        Ok(self.all::<(T,)>().await?.into_iter().map(|(value,)| value).collect())
    }

    /// Whether there is a row; none is decoded. `SELECT EXISTS (…)` always has one: read its [`value`](Self::value).
    pub async fn exists(self) -> sqlx::Result<bool> {
        Ok(self.run(Wanted::FirstRow, &mut |_| Ok(())).await? > 0)
    }

    /// Runs it; returns how many rows were read, or touched, by what was wanted.
    async fn run(self, wanted: Wanted, take: Take<'_>) -> sqlx::Result<u64> {
        let Some(commits) = self.commits else { return self.engine.run(self.name, wanted, take).await };
        // SQLite commits after the last row: who takes the first and leaves hears neither that it did nor that it could not.
        let wanted = if matches!(wanted, Wanted::FirstRow) { Wanted::EveryRow } else { wanted };
        let rows = self.engine.run(self.name, wanted, take).await?;
        commits.follow(Queued::default()).await;
        Ok(rows)
    }
}

impl Engine<'_> {
    async fn run(self, name: &'static str, wanted: Wanted, take: Take<'_>) -> sqlx::Result<u64> {
        let rows = |rows: &u64| Some(*rows);
        match self {
            Self::Sqlite(bound) => {
                let work = bound.run(wanted, SqliteQueryResult::rows_affected, EngineRow::Sqlite, take);
                traced(name, SQLITE, rows, Box::pin(work)).await
            }
            Self::Postgres(bound) => {
                let work = bound.run(wanted, PgQueryResult::rows_affected, EngineRow::Postgres, take);
                traced(name, POSTGRESQL, rows, Box::pin(work)).await
            }
        }
    }
}

impl<'c, E: Database> Bound<'c, E> {
    fn new(sql: &'static str, place: Place<'c, E>) -> Self {
        Self { sql, values: Ok(E::Arguments::default()), place }
    }

    fn add<'v, V: Encode<'v, E> + Type<E>>(&mut self, value: V) {
        if let Ok(values) = &mut self.values
            && let Err(error) = values.add(value)
        {
            self.values = Err(error);
        }
    }
}

impl<E: Database> Bound<'_, E>
where
    E::Arguments: IntoArguments<E>,
    for<'e> &'e mut E::Connection: Executor<'e, Database = E>,
{
    async fn run(
        self,
        wanted: Wanted,
        touched_by: fn(&E::QueryResult) -> u64,
        engine_row: fn(E::Row) -> EngineRow,
        take: Take<'_>,
    ) -> sqlx::Result<u64> {
        let query = sqlx::query_with(self.sql, self.values.map_err(sqlx::Error::Encode)?);
        let mut pooled;
        let connection = match self.place {
            Place::Pool(pool) => {
                pooled = pool.acquire().await?;
                &mut *pooled
            }
            Place::Transaction(connection) => connection,
        };
        if matches!(wanted, Wanted::FirstRow) {
            let row = connection.fetch_optional(query).await?;
            return row.map_or(Ok(0), |row| take(engine_row(row)).map(|()| 1));
        }
        let mut steps = connection.fetch_many(query);
        let (mut rows, mut touched) = (0, 0);
        while let Some(step) = steps.try_next().await? {
            match step {
                Either::Left(done) => touched += touched_by(&done),
                Either::Right(row) => {
                    take(engine_row(row))?;
                    rows += 1;
                }
            }
        }
        Ok(if matches!(wanted, Wanted::Touched) { touched } else { rows })
    }
}

impl EngineRow {
    fn read<R: Record>(&self) -> sqlx::Result<R> {
        match self {
            Self::Sqlite(row) => R::from_row(row),
            Self::Postgres(row) => R::from_row(row),
        }
    }
}
