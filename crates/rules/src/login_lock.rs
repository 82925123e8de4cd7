//! The admin login's lock in the browser: a hint for the person in front of it, not a protection. The server counts for itself.
//!
//! Its state is the list of when sign-ins were refused, oldest first, kept in the browser session; a successful sign-in
//! drops it. Counted is a sign-in answered with a refusal, including a correct one of a non-admin. Empty or malformed
//! input, network failures and wrong second-factor codes are not.

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Failures that lock the button.
pub const MAX_FAILURES: usize = 5;
/// Failures from which the page shows a hint.
pub const HINT_FAILURES: usize = 3;
/// How long a failure counts, and how long the lock lasts from the last one.
pub const WINDOW_MS: f64 = 15.0 * 60_000.0;

/// What the server says past a limit of sign-ins: the specification's text, with the wait that is asked for.
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

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct LoginLock {
    /// The button is locked; message and alert show.
    pub locked: bool,
    /// The hint shows.
    pub hint: bool,
    /// Seconds until the lock ends, rounded up; 0 when there is none.
    pub wait_seconds: u32,
}

/// The failures to keep after one more. Those older than 15 minutes no longer count, and what arrives although the
/// button is locked does not prolong the lock.
pub fn after_failure(failed_at_ms: &[f64], now_ms: f64) -> Vec<f64> {
    let mut counted = counted(failed_at_ms, now_ms);
    if counted.len() < MAX_FAILURES {
        counted.push(now_ms);
    }
    counted
}

/// What the page shows now.
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

/// The failures that still count: those of the window, and none once the lock they caused has ended. A time in the
/// future (the clock was set back) counts as now, so that no lock outlasts the window.
fn counted(failed_at_ms: &[f64], now_ms: f64) -> Vec<f64> {
    let times = || failed_at_ms.iter().map(|at| at.min(now_ms));
    if failed_at_ms.len() < MAX_FAILURES {
        return times().filter(|at| now_ms - at <= WINDOW_MS).collect();
    }
    let locked = times().next_back().is_some_and(|last| now_ms - last < WINDOW_MS);
    if locked { times().collect() } else { Vec::new() }
}
