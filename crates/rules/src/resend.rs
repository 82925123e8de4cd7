//! Sending the confirmation mail again.

use crate::cooldown::remaining_seconds;
use crate::text::contains_ignoring_case;

/// Between two uses. The first is possible at once.
pub const WAIT_MS: f64 = 300_000.0;

/// Seconds until the confirmation mail can be sent again; 0 when it can. A failed use does not start the wait.
pub fn resend_wait_seconds(used_at_ms: Option<f64>, now_ms: f64) -> u32 {
    // A use in the future (the clock was set back) counts as now.
    remaining_seconds(used_at_ms.map(|at| at.min(now_ms) + WAIT_MS), now_ms)
}

/// Whether a resend counts as done: it was accepted, or the address turned out to be registered already.
pub fn resend_succeeded(accepted: bool, message: &str) -> bool {
    accepted || contains_ignoring_case(message, "already registered")
}
