//! Refused requests in the audit log: `authz_fail`, `malicious_csrf` and `excess_rate_limit_exceeded`.
//!
//! Refusals can be caused without end, so they are bounded in memory before any query: a row a minute for
//! each kind and account or network, and a total for all accounts and for all networks. The next row of its kind says
//! how many were left out. Answers do not wait for the rows.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use axum::extract::MatchedPath;
use deadwax_store::{
    clock::{Micros, millis},
    db::Db,
};
use http::Method;
use rules::rate_limit::{AUDIT_REFUSAL, AUDIT_REFUSAL_GLOBAL};
use tokio_util::task::TaskTracker;

use crate::audit::{self, Entry};

/// Accounts and networks that are distinguished; while there are more within a minute, further ones are not written.
const KNOWN_MAX: usize = 1_000;

/// How often refusals were written lately. Networks are counted apart from accounts, because an attacker can have
/// many.
#[derive(Debug, Default)]
pub struct Refusals {
    accounts: Mutex<Written>,
    networks: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    all: Option<u64>,
    known: HashMap<(&'static str, String), Known>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    full_at: Option<u64>,
    left_out: u64,
}

impl Written {
    /// How many alike were left out before this one; none if this one is left out.
    fn take(&mut self, event: &'static str, whose: String, now_ms: u64) -> Option<u64> {
        if self.known.len() >= KNOWN_MAX {
            self.known.retain(|_, known| known.full_at.is_some_and(|full_at| full_at > now_ms));
        }
        let key = (event, whose);
        if self.known.len() >= KNOWN_MAX && !self.known.contains_key(&key) {
            return None;
        }
        let known = self.known.entry(key).or_default();
        let taken = AUDIT_REFUSAL.take(known.full_at, now_ms).and_then(|full_at| {
            AUDIT_REFUSAL_GLOBAL.take(self.all, now_ms).map(|all_full_at| (full_at, all_full_at))
        });
        let Ok((full_at, all_full_at)) = taken else {
            known.left_out += 1;
            return None;
        };
        self.all = Some(all_full_at);
        known.full_at = Some(full_at);
        Some(std::mem::take(&mut known.left_out))
    }
}

impl Refusals {
    /// Logs a refusal, and writes it to the audit log in the background as far as the bounds allow.
    pub fn note(&self, background: &TaskTracker, db: &Db, now: Micros, entry: &Entry<'_>) {
        tracing::info!(event = entry.event, outcome = entry.outcome, "audit");
        let (written, whose) = match entry.actor {
            Some(account) => (&self.accounts, account.to_string()),
            None => (&self.networks, entry.caller.network()),
        };
        let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(repeats) = written.take(entry.event, whose, millis(now)) else { return };
        drop(written);
        let Entry { event, actor, role, session, target, outcome, caller } = *entry;
        let (target, outcome, caller) = (target.map(str::to_owned), outcome.to_owned(), caller.clone());
        let db = db.clone();
        background.spawn(async move {
            let (target, outcome, caller) = (target.as_deref(), outcome.as_str(), &caller);
            let entry = Entry { event, actor, role, session, target, outcome, caller };
            let write = async {
                let mut tx = db.begin().await?;
                audit::insert(&mut tx, now, &entry, repeats).await?;
                tx.commit().await
            };
            if let Err(error) = write.await {
                tracing::warn!(event, cause = %error, "recording a refusal");
            }
        });
    }
}

/// The method and the path of the route, without the values of its parameters.
pub fn target_of(method: &Method, path: Option<&MatchedPath>) -> String {
    format!("{method} {}", path.map_or("", MatchedPath::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    fn network(number: usize) -> String {
        number.to_string()
    }

    #[test]
    fn one_of_a_kind_is_written_a_minute_and_says_how_many_were_left_out() {
        let mut written = Written::default();
        assert_eq!(written.take("authz_fail", network(1), 0), Some(0));
        assert_eq!(written.take("authz_fail", network(1), 1), None);
        assert_eq!(written.take("authz_fail", network(1), MINUTE - 1), None);
        assert_eq!(written.take("malicious_csrf", network(1), 1), Some(0), "another kind");
        assert_eq!(written.take("authz_fail", network(2), 1), Some(0), "another network");
        assert_eq!(written.take("authz_fail", network(1), MINUTE), Some(2));
    }

    #[test]
    fn however_many_networks_there_are_so_many_rows_are_written() {
        let mut written = Written::default();
        let count = |written: &mut Written, networks: std::ops::Range<usize>, now_ms| {
            networks.filter(|number| written.take("authz_fail", network(*number), now_ms).is_some()).count()
        };
        assert_eq!(count(&mut written, 0..5_000, 0), 60);
        assert!(written.known.len() <= KNOWN_MAX);
        assert_eq!(count(&mut written, 5_000..9_000, 10 * MINUTE), 10);
        assert!(written.known.len() <= KNOWN_MAX);
    }
}
