//! The admin login's lock in the browser: a hint for the person in front of it, not a protection. The server counts for itself.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Failures that lock the button.
pub const MAX_FAILURES: usize = 5;
/// Failures from which the page shows a hint.
pub const HINT_FAILURES: usize = 3;
/// How long a failure counts, and how long the lock lasts from the last one.
pub const WINDOW_MS: f64 = 15.0 * 60_000.0;

/// The refused sign-ins of this browser session, oldest first. Kept there; a successful sign-in drops it.
///
/// Counted is a sign-in answered with a refusal, including a correct one of a non-admin. Empty or malformed input,
/// network failures and wrong second-factor codes are not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct LoginLock {
    /// When each counted sign-in was refused, in milliseconds.
    pub failed_at_ms: Vec<f64>,
}

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct LoginLockView {
    /// The button is locked; message and alert show.
    pub locked: bool,
    /// The hint shows.
    pub hint: bool,
    /// Seconds until the lock ends, rounded up; 0 when there is none.
    pub wait_seconds: u32,
}

impl LoginLock {
    /// The lock after one more refused sign-in. Failures older than 15 minutes no longer count.
    #[must_use]
    pub fn after_failure(&self, now_ms: f64) -> Self {
        let mut failed_at_ms = self.counted(now_ms);
        // A button that is locked sends nothing; what arrives all the same does not prolong the lock.
        if failed_at_ms.len() < MAX_FAILURES {
            failed_at_ms.push(now_ms);
        }
        Self { failed_at_ms }
    }

    /// What the page shows now.
    ///
    /// ```
    /// use rules::login_lock::LoginLock;
    /// let lock = (0..5).fold(LoginLock::default(), |lock, second| lock.after_failure(f64::from(second) * 1_000.0));
    /// assert_eq!(lock.view(4_000.0).wait_seconds, 15 * 60);
    /// assert!(!lock.view(4_000.0 + 15.0 * 60_000.0).locked);
    /// ```
    pub fn view(&self, now_ms: f64) -> LoginLockView {
        let counted = self.counted(now_ms);
        let locked = counted.len() >= MAX_FAILURES;
        let until_ms = counted.last().map_or(0.0, |last| last + WINDOW_MS);
        LoginLockView {
            locked,
            hint: counted.len() >= HINT_FAILURES,
            wait_seconds: if locked { crate::cooldown::remaining_seconds(Some(until_ms), now_ms) } else { 0 },
        }
    }

    /// The failures that still count: all until the lock they caused ends, then none; otherwise those of the window.
    /// A time in the future (the clock was set back) counts as now, so that no lock outlasts the window.
    fn counted(&self, now_ms: f64) -> Vec<f64> {
        let times: Vec<f64> = self.failed_at_ms.iter().map(|at| at.min(now_ms)).collect();
        if times.len() >= MAX_FAILURES {
            let last = times.iter().copied().fold(f64::MIN, f64::max);
            let locked = now_ms - last < WINDOW_MS;
            return if locked { times } else { Vec::new() };
        }
        times.into_iter().filter(|at| now_ms - at <= WINDOW_MS).collect()
    }
}
