//! Resending the confirmation mail.

use crate::cooldown::remaining_seconds;
use crate::text::contains_ignoring_case;

/// Wait between two resends; the first is possible at once.
pub const WAIT_MS: f64 = 300_000.0;

/// Seconds until the confirmation mail can be resent; 0 if it can now. A failed resend does not start the wait.
pub fn resend_wait_seconds(used_at_ms: Option<f64>, now_ms: f64) -> u32 {
    // A resend in the future (the clock was set back) counts as now.
    remaining_seconds(used_at_ms.map(|at| at.min(now_ms) + WAIT_MS), now_ms)
}

/// Whether a resend counts as done: it was accepted, or the address is already registered.
pub fn resend_succeeded(accepted: bool, message: &str) -> bool {
    accepted || contains_ignoring_case(message, "already registered")
}
