//! Storage: rows on either engine, files in a folder or a bucket, the removal of unused files, and the keys that seal secrets. The
//! lowest layer of the server, without HTTP.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

pub mod clock;
pub mod columns;
pub mod crypto;
pub mod db;
pub mod deletions;
pub mod demo_sounds;
pub mod leases;
pub mod limits;
pub mod live;
pub mod new_file;
pub mod objects;
pub mod picture_sizes;
pub mod secret_address;
pub mod spool;
pub mod storage;
pub mod tables;

use db::Statement;

/// The failure of a part that knows nothing of HTTP, as far as an answer depends on it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("too much is under way")]
    Busy,
    #[error(transparent)]
    Disk(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Bug(#[from] anyhow::Error),
}

/// Makes ring the TLS provider of this process, unless one is set. A `reqwest` client panics when it is built without one.
pub fn install_tls_provider() {
    // An error says that a provider is set already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Every SQL text of this crate with its name, for the test that prepares each on both engines.
pub fn sql_texts() -> Vec<(&'static str, Statement)> {
    [
        crypto::STATEMENTS,
        db::STATEMENTS,
        deletions::STATEMENTS,
        demo_sounds::STATEMENTS,
        demo_sounds::rows::STATEMENTS,
        limits::STATEMENTS,
        live::STATEMENTS,
        objects::STATEMENTS,
        picture_sizes::STATEMENTS,
        picture_sizes::rows::STATEMENTS,
    ]
    .concat()
}

/// The SQL that takes an advisory lock of PostgreSQL until the transaction ends: transactions then wait for each other although they
/// share no row. SQLite has one writer and needs none.
///
/// - `sample`, 404: loads the sample catalogue once, into an empty label.
/// - `additions`, 4040405: adds releases whose artist is found by name or that take the next number, by an import or by drafts from
///   demos. The second transaction sees the rows of the first.
/// - `migrations`, 4040406: changes the schema. The second program finds nothing to do.
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
}
