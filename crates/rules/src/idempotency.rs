//! Repeated requests to create something: double clicks, and retries after a lost answer.

use crate::span::SECOND;

/// Maximum length of an `Idempotency-Key` in characters; a UUID has 36.
pub const KEY_MAX: usize = 128;
/// Without a key, an equal request within this time counts as the same one: a double click.
pub const DOUBLE_CLICK_MS: u64 = SECOND;
/// A key identifies its first request for this long; retries come within minutes.
pub const KEPT_MS: u64 = 10 * 60 * SECOND;

/// Parses the header: 1 to 128 printable ASCII characters, with or without the quotes of a structured string.
///
/// ```
/// use rules::idempotency::key;
///
/// assert_eq!(key("\"8e03978e-40d5-43e8-bc93-6894a57f9324\""), Some("8e03978e-40d5-43e8-bc93-6894a57f9324"));
/// assert_eq!(key("8e03978e"), Some("8e03978e"));
/// assert_eq!((key("\"\""), key("a\tb"), key(&"a".repeat(129))), (None, None, None));
/// ```
pub fn key(header: &str) -> Option<&str> {
    let header = header.trim();
    let key = header.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(header);
    let is_key =
        (1..=KEY_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    is_key.then_some(key)
}
