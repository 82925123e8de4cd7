//! How an extractor reports a token that was copied. It lets nobody in, and leaves it to the layer around the routes to end the
//! session, to note it and to write to its owner (`accounts::token_reuse`).

use std::sync::{Arc, OnceLock};

use uuid::Uuid;

use crate::caller::Caller;

/// A token that came back after its successor was used.
#[derive(Clone, Debug)]
pub struct ReusedToken {
    /// Its session.
    pub session_id: Uuid,
    /// The session's account.
    pub user_id: Uuid,
    /// The account's address.
    pub email: String,
    /// Who sent the token.
    pub caller: Caller,
}

/// Where the extractors of one request report. The layer puts it into the request's extensions and keeps a clone.
#[derive(Clone, Debug, Default)]
pub struct ReuseReport(Arc<OnceLock<ReusedToken>>);

impl ReuseReport {
    /// Reports; of several extractors of a request that find the same, the first is heard.
    pub fn write(&self, reused: ReusedToken) {
        let _ = self.0.set(reused);
    }

    /// What was reported, if anything was.
    pub fn read(&self) -> Option<&ReusedToken> {
        self.0.get()
    }
}
