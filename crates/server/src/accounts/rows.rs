//! What several parts ask of the rows of an account: its lock, and who has a username.

use rules::username::Username;
use uuid::Uuid;

use crate::{
    db::{Db, Tx},
    fetch, in_tx, statements,
};

statements! {
    // Not against the foreign keys of other rows, which say only that the account is there.
    LOCK = "SELECT email FROM users WHERE id = $1", postgres "SELECT email FROM users WHERE id = $1 FOR NO KEY UPDATE";
    HAS_NAME = "SELECT id FROM profiles WHERE username_key = $1 AND id <> $2";
}

/// Locks an account until the transaction ends; its address, or nothing where it is gone.
pub(super) async fn lock(tx: &mut Tx, user_id: Uuid) -> sqlx::Result<Option<String>> {
    Ok(in_tx!(*tx, optional, (String,), LOCK, user_id)?.map(|(email,)| email))
}

/// Whether somebody else than `user_id` has the name.
pub(super) async fn is_taken(db: &Db, name: &Username, user_id: Uuid) -> sqlx::Result<bool> {
    Ok(fetch!(db, optional, (Uuid,), HAS_NAME, name.key(), user_id)?.is_some())
}

/// As [`is_taken`], within a transaction.
pub(super) async fn is_taken_in(tx: &mut Tx, name: &Username, user_id: Uuid) -> sqlx::Result<bool> {
    Ok(in_tx!(*tx, optional, (Uuid,), HAS_NAME, name.key(), user_id)?.is_some())
}

/// Whether a unique key refused a row.
pub(super) fn is_conflict(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(refused) if refused.is_unique_violation())
}
