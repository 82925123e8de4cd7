//! The context of a request about the second factor.

use deadwax_http::error::AppResult;
use deadwax_store::{clock::Micros, db::Tx};

use crate::{accounts::rows, app::AppState, audit, auth::guard::SignedIn, caller::Caller};

#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt<'a> {
    pub(super) app: &'a AppState,
    pub(super) me: &'a SignedIn,
    pub(super) caller: &'a Caller,
    pub(super) now: Micros,
}

impl Attempt<'_> {
    /// Begins a transaction that locks the account; 401 if it was just deleted.
    pub(super) async fn begin(&self) -> AppResult<Tx> {
        let mut tx = self.app.db.begin().await?;
        rows::lock_own(&mut tx, self.me.user_id).await?;
        Ok(tx)
    }

    pub(super) async fn record(&self, tx: &mut Tx, event: &'static str, outcome: &str) -> AppResult<()> {
        let entry = self.me.entry(event, outcome, self.caller);
        Ok(audit::record(tx, self.now, &entry).await?)
    }
}
