//! The sign-up events that a browser keeps about itself, and their counters. They never leave it and hold no address.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Events that are kept and shown.
pub const MAX_EVENTS: usize = 50;
/// The span of the last counter. An event exactly this old counts.
pub const RECENT_MS: f64 = 24.0 * 60.0 * 60_000.0;

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
#[serde(rename_all = "snake_case")]
pub enum EventName {
    /// The form was sent.
    SignupAttempt,
    /// It was accepted.
    SignupSuccess,
    /// It met a rate limit; no error is recorded beside it.
    SignupRateLimited,
    /// It was refused.
    SignupError,
    /// It failed without an answer.
    SignupException,
    /// The confirmation was sent again.
    ResendSuccess,
    /// It could not be.
    ResendError,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupEvent {
    /// What happened.
    pub event: EventName,
    /// When, in milliseconds of the clock.
    pub timestamp: f64,
    /// What else is known.
    pub data: SignupEventData,
}

/// What else is known about an event. The address itself is dropped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupEventData {
    /// Submits so far.
    pub attempts: Option<u32>,
    /// The wait a rate limit asked for, in seconds.
    #[serde(rename = "retryAfter")]
    pub retry_after: Option<u32>,
    /// What follows the @ of the address.
    pub email_domain: Option<String>,
}

/// The counters above the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupCounters {
    /// All kept events.
    pub total: u32,
    /// Of sign-up and resend alike.
    pub success: u32,
    /// Rate limits.
    pub rate_limited: u32,
    /// Errors and exceptions.
    pub errors: u32,
    /// Events of the last 24 hours.
    pub last_24_hours: u32,
}

/// What is kept of an address: the part after its last @, in lower case; none when there is nothing.
///
/// ```
/// assert_eq!(rules::analytics::email_domain("Mira@Example.org").as_deref(), Some("example.org"));
/// ```
pub fn email_domain(email: &str) -> Option<String> {
    let (_, domain) = email.trim().rsplit_once('@')?;
    (!domain.is_empty()).then(|| domain.to_ascii_lowercase())
}

/// The kept events with one more, newest first.
pub fn record(events: Vec<SignupEvent>, event: SignupEvent) -> Vec<SignupEvent> {
    std::iter::once(event).chain(events).take(MAX_EVENTS).collect()
}

/// Counts the kept events.
pub fn counters(events: &[SignupEvent], now_ms: f64) -> SignupCounters {
    let mut counters = SignupCounters::default();
    for event in events.iter().take(MAX_EVENTS) {
        counters.total += 1;
        match event.event {
            EventName::SignupSuccess | EventName::ResendSuccess => counters.success += 1,
            EventName::SignupRateLimited => counters.rate_limited += 1,
            EventName::SignupError | EventName::SignupException | EventName::ResendError => {
                counters.errors += 1;
            }
            EventName::SignupAttempt => {}
        }
        if now_ms - event.timestamp <= RECENT_MS {
            counters.last_24_hours += 1;
        }
    }
    counters
}
