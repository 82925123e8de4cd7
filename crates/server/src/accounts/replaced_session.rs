//! What becomes of the session that a browser had when another one takes its place.

use deadwax_store::{clock::Micros, db::Tx};

use crate::{
    audit,
    auth::{
        guard::SignedIn,
        session::{self, TokenTransport},
    },
    caller::Caller,
};

/// Ends the session `before`, whose cookie the answer is about to replace: nobody could end it any more. A token that did not come in a
/// cookie stays with whoever holds it. Whoever commits wakes the live streams.
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
