//! The session that a browser had before the answer replaces its cookie.

use deadwax_store::{clock::Micros, db::Tx};

use crate::{
    audit,
    auth::{
        guard::SignedIn,
        session::{self, TokenTransport},
    },
    caller::Caller,
};

/// Ends the session `before`, whose cookie the answer replaces, because no client could end it any more. A bearer
/// token stays with its program.
pub(super) async fn end_replaced(
    tx: &mut Tx,
    now: Micros,
    before: Option<&SignedIn>,
    caller: &Caller,
) -> sqlx::Result<()> {
    if let Some(before) = before.filter(|before| before.via == TokenTransport::Cookie)
        && session::end(tx, before.session_id).await?
    {
        audit::record(tx, now, &before.entry("session_expired", "replaced", caller)).await?;
    }
    Ok(())
}
