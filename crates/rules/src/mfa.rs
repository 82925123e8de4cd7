//! Second factor: the answer to a code, retries, and the lifetime of a verification.
//!
//! The server computes and stores codes; this module decides by what it found.

use std::ops::RangeInclusive;

use crate::checked::Refusal;
use crate::span::{DAY, HOUR, MINUTE};

/// Length of an authenticator step.
pub const STEP_SECONDS: u64 = 30;
/// Steps, relative to the current one, whose codes are accepted.
pub const ACCEPTED: RangeInclusive<i32> = -1..=1;
/// Steps whose codes are reported as expired.
pub const EXPIRED: RangeInclusive<i32> = -10..=-2;
/// Steps whose codes indicate that the phone's clock is ahead.
pub const SKEWED: RangeInclusive<i32> = 2..=10;
/// Wrong codes per account in any 5 minutes.
pub const FAILURES_5_MINUTES: u32 = 5;
/// Wrong codes per account in any 24 hours.
pub const FAILURES_24_HOURS: u32 = 20;
/// Lifetime of a verification.
pub const VERIFIED_MS: u64 = 12 * HOUR;
/// Requests with the same id within this time are one attempt.
pub const SAME_REQUEST_MS: u64 = 2 * MINUTE;
/// Maximum length of a request id in characters.
pub const REQUEST_ID_MAX: usize = 128;
/// Delay before the single retry after a request without an answer.
pub const RETRY_MS: u32 = 1_000;
/// Delay from the success message to the next screen.
pub const SUCCESS_MS: u32 = 1_000;
/// Delay before another recovery code can be requested.
pub const RECOVERY_RESEND_MS: f64 = 60_000.0;
/// How long a generated secret can be enabled.
pub const SETUP_MS: u64 = 10 * MINUTE;
/// Lifetime of a recovery code.
pub const RECOVERY_MS: u64 = 10 * MINUTE;
/// Wrong attempts that invalidate a recovery code.
pub const RECOVERY_TRIES: u32 = 5;
/// How long no recovery code is mailed after a link to reset the password was opened.
pub const RECOVERY_HOLD_MS: u64 = DAY;

/// Shown when the session has ended.
pub(crate) const NO_SESSION: &str = "Session expired. Please sign in again.";

/// A step whose code equals the typed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Offset from the current step; negative is earlier.
    pub offset: i32,
    /// Whether the step was used or burned, or precedes the last used one.
    pub spent: bool,
}

/// The server's answer to a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Accepted; the step is now used.
    Accepted {
        /// Offset from the current step.
        offset: i32,
    },
    /// Too many wrong codes.
    RateLimited,
    /// The code of an earlier step.
    Expired,
    /// The code of a later step, which is burned so that it is not accepted when its time comes.
    Skewed {
        /// Offset from the current step.
        offset: i32,
    },
    /// Used, burned or wrong.
    Invalid,
}

impl Verdict {
    /// The code in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted { .. } => "ok",
            Self::RateLimited => "rate_limited",
            Self::Expired => "expired_otp",
            Self::Skewed { .. } => "time_skew",
            Self::Invalid => "invalid_otp",
        }
    }
}

impl From<Verdict> for Refusal {
    /// With the text of [`text`].
    fn from(verdict: Verdict) -> Self {
        Self { code: verdict.code(), message: text(verdict.code(), None).into(), title: None }
    }
}

/// Judges a code by the number of previous wrong codes and the steps within ten of now that have this code.
///
/// The limits are checked first, so that past them a right code gets the same answer as a wrong one.
///
/// ```
/// use rules::mfa::{Match, Verdict, verdict};
/// assert_eq!(verdict(0, 0, &[Match { offset: -1, spent: false }]), Verdict::Accepted { offset: -1 });
/// assert_eq!(verdict(0, 0, &[Match { offset: -1, spent: true }]), Verdict::Invalid);
/// assert_eq!(verdict(0, 0, &[Match { offset: 3, spent: false }]), Verdict::Skewed { offset: 3 });
/// assert_eq!(verdict(5, 5, &[Match { offset: 0, spent: false }]), Verdict::RateLimited);
/// ```
pub fn verdict(failures_5_minutes: u32, failures_24_hours: u32, matches: &[Match]) -> Verdict {
    if failures_5_minutes >= FAILURES_5_MINUTES || failures_24_hours >= FAILURES_24_HOURS {
        return Verdict::RateLimited;
    }
    let within =
        |steps: RangeInclusive<i32>| matches.iter().filter(move |found| steps.contains(&found.offset));
    if let Some(found) = within(ACCEPTED).find(|found| !found.spent) {
        Verdict::Accepted { offset: found.offset }
    } else if within(EXPIRED).next().is_some() {
        Verdict::Expired
    } else if let Some(found) = within(SKEWED).next() {
        Verdict::Skewed { offset: found.offset }
    } else {
        Verdict::Invalid
    }
}

/// End of a verification: after 12 hours, but not after its session.
pub fn verified_until_ms(now_ms: u64, session_ends_at_ms: u64) -> u64 {
    now_ms.saturating_add(VERIFIED_MS).min(session_ends_at_ms)
}

/// Relation of a request id to an earlier one in the same session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A new attempt, to be counted and compared.
    New,
    /// A retry of the same attempt: it gets the same answer and is not counted.
    Same,
    /// The same id with another code.
    Conflict,
}

/// Judges a request id by when it was first seen and whether the code is the same.
pub fn repetition(first_seen_at_ms: Option<u64>, same_code: bool, now_ms: u64) -> Repetition {
    match first_seen_at_ms {
        Some(at) if now_ms.saturating_sub(at) < SAME_REQUEST_MS => {
            if same_code {
                Repetition::Same
            } else {
                Repetition::Conflict
            }
        }
        _ => Repetition::New,
    }
}

/// Whether the browser retries a failed call: once, and only without an answer or with the code `network`. `code` is `None` if
/// no answer arrived.
pub fn should_retry(code: Option<&str>, retries: u32) -> bool {
    retries == 0 && code.is_none_or(|code| code == "network")
}

/// Codes of the service with a separate text.
pub const CODES: [&str; 8] =
    ["ok", "invalid_otp", "expired_otp", "time_skew", "rate_limited", "network", "internal", "no_session"];

/// The text for a code of the service. Only `rate_limited` uses the server's message.
///
/// ```
/// use rules::mfa::text;
/// assert_eq!(text("rate_limited", Some("Too many attempts. Please wait 4 minutes and try again.")), "Too many attempts. Please wait 4 minutes and try again.");
/// assert_eq!(text("teapot", None), "Verification failed. Please try again.");
/// ```
pub fn text(code: &str, message: Option<&str>) -> String {
    let known = match code {
        "invalid_otp" => "That code doesn't look right. Please check and try again.",
        "expired_otp" => "That code has expired. Open your authenticator app for a fresh code.",
        "time_skew" => "Your device time appears off. Sync your phone's clock automatically and try again.",
        "rate_limited" => message
            .filter(|message| !message.trim().is_empty())
            .unwrap_or("Too many attempts. Please wait a few minutes and try again."),
        "network" => "We couldn't reach the verification service. Please try again.",
        "internal" => "System error occurred. Please try again in a moment.",
        "no_session" => NO_SESSION,
        "ok" => "Verification successful!",
        _ => "Verification failed. Please try again.",
    };
    known.to_owned()
}

/// The server's message when rate-limited: `Too many attempts. Please wait N minutes and try again.`
pub fn rate_limited_text(wait_seconds: u32) -> String {
    format!(
        "Too many attempts. Please wait {} minutes and try again.",
        crate::cooldown::minutes(wait_seconds)
    )
}
