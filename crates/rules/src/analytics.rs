//! Sign-up events and counters kept in the browser. They are never sent, and contain no address.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Number of events kept and shown.
pub const MAX_EVENTS: usize = 50;
/// Span of the `last_24_hours` counter; an event exactly this old counts.
pub const RECENT_MS: f64 = 24.0 * 60.0 * 60_000.0;

/// Kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
#[serde(rename_all = "snake_case")]
pub enum EventName {
    /// The form was sent.
    SignupAttempt,
    /// It was accepted.
    SignupSuccess,
    /// Refused by a rate limit; no `SignupError` is recorded as well.
    SignupRateLimited,
    /// Refused otherwise.
    SignupError,
    /// No answer arrived.
    SignupException,
    /// The confirmation mail was sent again.
    ResendSuccess,
    /// The confirmation mail could not be sent again.
    ResendError,
}

/// A recorded event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupEvent {
    /// Kind of the event.
    pub event: EventName,
    /// Time in milliseconds of the browser's clock.
    pub timestamp: f64,
    /// Details.
    pub data: SignupEventData,
}

/// Details of an event. The address itself is not kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify), tsify(missing_as_null))]
pub struct SignupEventData {
    /// Submissions so far.
    pub attempts: Option<u32>,
    /// Wait requested by a rate limit, in seconds.
    #[serde(rename = "retryAfter")]
    pub retry_after: Option<u32>,
    /// Domain of the address.
    pub email_domain: Option<String>,
}

/// Counters above the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupCounters {
    /// All events kept.
    pub total: u32,
    /// Successful sign-ups and resends.
    pub success: u32,
    /// Rate-limited sign-ups.
    pub rate_limited: u32,
    /// Errors and exceptions.
    pub errors: u32,
    /// Events within [`RECENT_MS`].
    pub last_24_hours: u32,
}

/// Domain of an address in lower case; `None` if it is empty.
///
/// ```
/// assert_eq!(rules::analytics::email_domain("Mira@Example.org").as_deref(), Some("example.org"));
/// ```
pub fn email_domain(email: &str) -> Option<String> {
    let (_, domain) = email.trim().rsplit_once('@')?;
    (!domain.is_empty()).then(|| domain.to_ascii_lowercase())
}

/// Adds an event to the kept ones, newest first.
pub fn record(events: Vec<SignupEvent>, event: SignupEvent) -> Vec<SignupEvent> {
    std::iter::once(event).chain(events).take(MAX_EVENTS).collect()
}

/// Counts the kept events at `now_ms`.
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
