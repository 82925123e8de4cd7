//! Somebody's try with a code, as every part of the second factor is handed it.

use deadwax_http::error::AppResult;
use deadwax_store::{clock::Micros, db::Tx};

use crate::{app::AppState, audit, auth::guard::SignedIn, caller::Caller};

/// Somebody's try, with everything it depends on but its input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt<'a> {
    pub(super) app: &'a AppState,
    pub(super) me: &'a SignedIn,
    pub(super) caller: &'a Caller,
    pub(super) now: Micros,
}

impl Attempt<'_> {
    /// Notes in the audit log what this person did.
    pub(super) async fn record(&self, tx: &mut Tx, event: &'static str, outcome: &str) -> AppResult<()> {
        let entry = self.me.entry(event, outcome, self.caller);
        Ok(audit::record(tx, self.now, &entry).await?)
    }
}
