//! Waits and messages of the sign-up form after an error.

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

use crate::text::{contains_ignoring_case as contains, decimal};

/// Wait after an error other than a rate limit.
pub const ERROR_SECONDS: u32 = 60;
/// Wait after a rate limit without a stated time.
pub const RATE_LIMIT_SECONDS: u32 = 900;
/// Maximum wait, whatever an answer states.
pub const LONGEST_SECONDS: u32 = 24 * 60 * 60;

/// Shown for an address with a confirmed account.
pub(crate) const ALREADY_REGISTERED: &str =
    "An account with this email already exists. Try logging in instead.";

/// Reaction of the form to a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct SignupError {
    /// Text shown.
    pub text: String,
    /// Wait before the button is enabled.
    pub cooldown_seconds: u32,
    /// Whether it was a rate limit, which is recorded separately from errors.
    pub rate_limited: bool,
}

/// Text and wait for a failed sign-up, by the status (`None` if no answer arrived), the message of the answer or exception, and
/// the wait the answer requests. A rate limit is recognised first; other texts depend on what the message contains, ignoring
/// case.
///
/// ```
/// use rules::cooldown::signup_error;
/// let error = signup_error(Some(429), "Please wait 2 minutes", None);
/// assert_eq!(error.text, "Too many requests. Try again in 2 minutes.");
/// assert_eq!(error.cooldown_seconds, 120);
/// ```
pub fn signup_error(status: Option<u32>, message: &str, retry_after_seconds: Option<f64>) -> SignupError {
    if status == Some(429) || mentions_rate_limit(message) {
        let seconds = retry_seconds(retry_after_seconds, message);
        return SignupError { text: too_many_text(seconds), cooldown_seconds: seconds, rate_limited: true };
    }
    let text = if contains(message, "user already registered") {
        ALREADY_REGISTERED
    } else if contains(message, "password should be at least") {
        "Password must be at least 6 characters long."
    } else if contains(message, "invalid email") {
        "Please enter a valid email address."
    } else if contains(message, "network") || contains(message, "fetch") {
        "Email service temporarily busy. Please try again shortly."
    } else if message.trim().is_empty() {
        "An unexpected error occurred. Please try again."
    } else {
        message
    };
    SignupError { text: text.to_owned(), cooldown_seconds: ERROR_SECONDS, rate_limited: false }
}

/// `Too many requests. Try again in N minutes.`
pub fn too_many_text(seconds: u32) -> String {
    "Too many requests. Try again in ".to_owned() + &decimal(minutes(seconds).into()) + " minutes."
}

/// Converts seconds to minutes, rounded up and at least 1, so that the stated wait is never too short.
pub fn minutes(seconds: u32) -> u32 {
    seconds.div_ceil(60).max(1)
}

/// Whether a message mentions a rate limit: `too many`, or a word that begins with `rate` or `limit`. A word begins after any
/// character but a letter or digit, so `over_rate_limit` counts and `generate` does not.
pub fn mentions_rate_limit(message: &str) -> bool {
    contains(message, "too many") || begins_word(message, "rate") || begins_word(message, "limit")
}

/// Wait in seconds: the requested one, else a time in the message (`2 hours and 5 minutes`), else 900; between 1 second and a
/// day.
pub fn retry_seconds(retry_after_seconds: Option<f64>, message: &str) -> u32 {
    let seconds = retry_after_seconds.filter(|seconds| !seconds.is_nan()).or_else(|| named_seconds(message));
    let bounded = seconds.unwrap_or_else(|| f64::from(RATE_LIMIT_SECONDS)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range of a day"
    )]
    let whole = bounded.clamp(1.0, f64::from(LONGEST_SECONDS)) as u32;
    whole
}

/// Seconds until `until_ms`, rounded up; 0 if it has passed or is `None`.
pub fn remaining_seconds(until_ms: Option<f64>, now_ms: f64) -> u32 {
    let left = until_ms.map_or(0.0, |until| (until - now_ms) / 1_000.0).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and NaN is 0"
    )]
    let seconds = left as u32;
    seconds.min(LONGEST_SECONDS)
}

/// The first time mentioned in a message, with the smaller units that follow it directly.
fn named_seconds(message: &str) -> Option<f64> {
    let bytes = message.as_bytes();
    let mut total: Option<f64> = None;
    let mut smallest = f64::INFINITY;
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            // A space, a comma or `and` may separate `1 hour` from `5 minutes`.
            let word = bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
            let joins = matches!(bytes[at], b' ' | b',') || bytes[at..at + word].eq_ignore_ascii_case(b"and");
            if total.is_some() && !joins {
                break;
            }
            at += word.max(1);
            continue;
        }
        let (number, after) = number(bytes, at);
        let unit_at = after + bytes[after..].iter().take_while(|b| matches!(b, b' ' | b'-')).count();
        let length = bytes[unit_at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        match (unit_seconds(&bytes[unit_at..unit_at + length]), total) {
            (Some(unit), None) => total = Some(number * unit),
            (Some(unit), Some(sum)) if unit < smallest => total = Some(sum + number * unit),
            (_, Some(_)) => break,
            (None, None) => {
                at = after;
                continue;
            }
        }
        smallest = unit_seconds(&bytes[unit_at..unit_at + length]).unwrap_or(smallest);
        at = unit_at + length;
    }
    total
}

/// Parses the number at a position, with one decimal point, and returns where it ends.
fn number(bytes: &[u8], start: usize) -> (f64, usize) {
    let mut value = 0.0;
    let mut scale = 0.0;
    let mut at = start;
    while let Some(&b) = bytes.get(at) {
        if b.is_ascii_digit() {
            let digit = f64::from(b - b'0');
            if scale > 0.0 {
                value += digit * scale;
                scale /= 10.0;
            } else {
                value = value * 10.0 + digit;
            }
        } else if b == b'.' && scale == 0.0 && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            scale = 0.1;
        } else {
            break;
        }
        at += 1;
    }
    (value, at)
}

fn unit_seconds(word: &[u8]) -> Option<f64> {
    let is = |unit: &[u8]| {
        word.strip_suffix(b"s").or_else(|| word.strip_suffix(b"S")).unwrap_or(word).eq_ignore_ascii_case(unit)
    };
    [(&b"hour"[..], 3_600.0), (b"minute", 60.0), (b"second", 1.0)]
        .into_iter()
        .find_map(|(unit, seconds)| is(unit).then_some(seconds))
}

/// Whether a word of a text begins with an ASCII prefix, ignoring case.
fn begins_word(text: &str, prefix: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(prefix.len()).enumerate().any(|(at, window)| {
        let inside_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || !bytes[at - 1].is_ascii());
        !inside_word && window.eq_ignore_ascii_case(prefix.as_bytes())
    })
}
