//! The advisory locks of PostgreSQL, by number: they make transactions wait for each other that share no row. SQLite has one writer
//! and needs none.
//!
//! Take them before any row that is locked beside them. Exceptions: an import has claimed its idempotency key, and a draft has
//! locked its demo; no holder of one of these locks waits for either. Lock 4040404 belongs to the triggers that write events
//! (`migrations/postgres`, decision 0023), which take it at commit, with all rows locked. Nothing else may take it: a holder that
//! waited for a row would deadlock with a commit.

/// The SQL that takes a lock until the transaction ends.
///
/// - `sample`, 404: loads the sample catalogue once, into an empty label.
/// - `additions`, 4040405: adds releases whose artist is found by name or that take the next number, by an import or by drafts from
///   demos. The second transaction sees the rows of the first.
/// - `migrations`, 4040406: changes the schema. The second program finds nothing to do.
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
