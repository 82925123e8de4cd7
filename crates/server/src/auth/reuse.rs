//! Reports of copied tokens from the extractors to the layer around the routes, which ends the session, records it and
//! notifies its owner (`accounts::sessions`).

use std::sync::{Arc, OnceLock};

use uuid::Uuid;

use crate::requests::caller::Caller;

/// A token that came back after its successor was used.
#[derive(Clone, Debug)]
pub struct ReusedToken {
    pub session_id: Uuid,
    pub user_id: Uuid,
    pub email: String,
    pub caller: Caller,
}

/// The report of one request. The layer puts it into the request's extensions and keeps a clone.
#[derive(Clone, Debug, Default)]
pub struct ReuseReport(Arc<OnceLock<ReusedToken>>);

impl ReuseReport {
    /// Reports. If several extractors of a request do, the first counts.
    pub fn write(&self, reused: ReusedToken) {
        let _ = self.0.set(reused);
    }

    pub fn read(&self) -> Option<&ReusedToken> {
        self.0.get()
    }
}
