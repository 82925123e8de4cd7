//! The advisory locks of PostgreSQL, each by its number: what makes transactions wait for each other where no row does. SQLite has one
//! writer, and needs none of them.
//!
//! Whoever takes one of them takes it before any row that others take it beside: an import has claimed its idempotency key, and a draft
//! has locked its demo, and whoever holds one of the locks waits for neither. Another exception is 4040404, of the events: the triggers of
//! the tables that are told of take it (`migrations/postgres`, decision 0023), when a transaction commits and has all of its rows. Nothing
//! else may take that one: who held it and waited for a row would wait for somebody who cannot commit.

/// The SQL that takes a lock until the transaction ends.
///
/// - `sample`, 404: the sample catalogue is loaded once into an empty label.
/// - `additions`, 4040405: releases are added whose artist is found by name, or that get the next number: by an import, and by drafts made
///   of demos. Who comes second sees what the first has written.
#[macro_export]
macro_rules! advisory_lock {
    (sample) => {
        "SELECT 1 FROM pg_advisory_xact_lock(404)"
    };
    (additions) => {
        "SELECT 1 FROM pg_advisory_xact_lock(4040405)"
    };
}
