//! This browser's attempts to sign up, limited as a convenience; the server has a separate limit.

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Attempts before the form waits.
pub const MAX_ATTEMPTS: u32 = 5;
/// Time after the last attempt when the count restarts.
pub const WINDOW_MS: f64 = 60.0 * 60_000.0;

/// The count kept by the browser. Every attempt that the form of `/signup` sends counts, whatever the answer; errors found by
/// the form and resends do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify), tsify(missing_as_null))]
pub struct SignupAttempts {
    /// Number of attempts.
    pub attempts: u32,
    /// Time of the last one.
    pub last_attempt_ms: Option<f64>,
}

impl SignupAttempts {
    /// The count after another attempt.
    #[must_use]
    pub fn after_submit(self, now_ms: f64) -> Self {
        Self { attempts: self.counted(now_ms).saturating_add(1), last_attempt_ms: Some(now_ms) }
    }

    /// Whether the next attempt is blocked.
    ///
    /// ```
    /// use rules::signup_attempts::SignupAttempts;
    /// let spent = SignupAttempts { attempts: 5, last_attempt_ms: Some(0.0) };
    /// assert!(spent.is_blocked(3_599_999.0));
    /// assert!(!spent.is_blocked(3_600_000.0));
    /// ```
    pub fn is_blocked(self, now_ms: f64) -> bool {
        self.counted(now_ms) >= MAX_ATTEMPTS
    }

    /// A last attempt in the future (the clock was set back) counts as recent, and blocks no longer than the window after the
    /// clock has caught up.
    fn counted(self, now_ms: f64) -> u32 {
        match self.last_attempt_ms {
            Some(last) if now_ms - last < WINDOW_MS => self.attempts,
            _ => 0,
        }
    }
}
