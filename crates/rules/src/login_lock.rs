//! The admin login's lock in the browser: a hint for the user, not a protection. The server counts separately.
//!
//! Its state is the list of times of refused sign-ins, oldest first, kept in the browser session; a successful sign-in clears
//! it. Every refused sign-in counts, including a correct one by a non-admin. Empty or malformed input, network failures and
//! wrong second-factor codes do not.

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Number of failures that lock the button.
pub const MAX_FAILURES: usize = 5;
/// Number of failures after which the page shows a hint.
pub const HINT_FAILURES: usize = 3;
/// How long a failure counts, and how long the lock lasts after the last one.
pub const WINDOW_MS: f64 = 15.0 * 60_000.0;

/// The server's text when sign-ins are rate-limited: the specification's, with the actual wait.
///
/// ```
/// use rules::{login_lock::too_many_text, messages::Code};
/// assert_eq!(too_many_text(15 * 60), Code::AdminLoginLocked.text());
/// assert_eq!(too_many_text(30), "Too many login attempts. Please wait 1 minute before trying again.");
/// ```
pub fn too_many_text(seconds: u32) -> String {
    let minutes = crate::cooldown::minutes(seconds);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    format!("Too many login attempts. Please wait {minutes} {unit} before trying again.")
}

/// State of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct LoginLock {
    /// Whether the button is locked, with message and alert.
    pub locked: bool,
    /// Whether the hint is shown.
    pub hint: bool,
    /// Seconds until the lock ends, rounded up; 0 without a lock.
    pub wait_seconds: u32,
}

/// The failures to keep after another one. Those older than 15 minutes are dropped, and a failure while the button is locked
/// does not prolong the lock.
pub fn after_failure(failed_at_ms: &[f64], now_ms: f64) -> Vec<f64> {
    let mut counted = counted(failed_at_ms, now_ms);
    if counted.len() < MAX_FAILURES {
        counted.push(now_ms);
    }
    counted
}

/// State of the page at `now_ms`.
///
/// ```
/// use rules::login_lock::login_lock;
/// let failed_at_ms = [0.0, 1_000.0, 2_000.0, 3_000.0, 4_000.0];
/// assert_eq!(login_lock(&failed_at_ms, 4_000.0).wait_seconds, 15 * 60);
/// assert!(!login_lock(&failed_at_ms, 4_000.0 + 15.0 * 60_000.0).locked);
/// ```
pub fn login_lock(failed_at_ms: &[f64], now_ms: f64) -> LoginLock {
    let counted = counted(failed_at_ms, now_ms);
    let locked = counted.len() >= MAX_FAILURES;
    let until_ms = counted.last().filter(|_| locked).map(|last| last + WINDOW_MS);
    LoginLock {
        locked,
        hint: counted.len() >= HINT_FAILURES,
        wait_seconds: crate::cooldown::remaining_seconds(until_ms, now_ms),
    }
}

/// The failures that still count: those within the window, and none once the lock they caused has ended. A time in the future
/// (the clock was set back) counts as now, so that no lock outlasts the window.
fn counted(failed_at_ms: &[f64], now_ms: f64) -> Vec<f64> {
    let times = || failed_at_ms.iter().map(|at| at.min(now_ms));
    if failed_at_ms.len() < MAX_FAILURES {
        return times().filter(|at| now_ms - at <= WINDOW_MS).collect();
    }
    let locked = times().next_back().is_some_and(|last| now_ms - last < WINDOW_MS);
    if locked { times().collect() } else { Vec::new() }
}
