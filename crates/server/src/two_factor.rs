//! The second factor: codes of an authenticator app, the mailed code for people without theirs, and ten recovery
//! codes.
//!
//! `rules::mfa` decides the answer to a code; the rows and the consequences are here. Every try happens in one
//! transaction that holds the account's counters, so that tries of one account are serialised.

mod attempts;
mod factor;
mod operations;
mod recovery;
mod setup;

use deadwax_mail::letters::FactorLeft;
use deadwax_store::{
    clock::Micros,
    db::{Db, Statement, Tx},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::app::AppState;

/// `/api/auth/mfa-operations`, `/api/auth/mfa-recovery` and `/api/auth/reauthenticate`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(operations::operate))
        .routes(routes!(recovery::recover))
        .routes(routes!(setup::reauthenticate))
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [attempts::STATEMENTS, factor::STATEMENTS, recovery::STATEMENTS].concat()
}

/// Removes the second factor and the recovery codes of an account. Whether there was one.
pub async fn reset(tx: &mut Tx, user_id: Uuid, now: Micros) -> sqlx::Result<bool> {
    factor::remove(tx, user_id, now).await
}

/// Removes what was set up since then; an older factor stays.
pub async fn reset_since(tx: &mut Tx, user_id: Uuid, since: Micros, now: Micros) -> sqlx::Result<FactorLeft> {
    factor::remove_since(tx, user_id, since, now).await
}

pub async fn recovery_codes_left(db: &Db, user_id: Uuid) -> sqlx::Result<i64> {
    recovery::codes_left(db, user_id).await
}
