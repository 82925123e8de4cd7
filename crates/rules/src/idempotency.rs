//! Requests that create something, sent twice: by a double click, or because the answer got lost.

use crate::span::SECOND;

/// The most characters of an `Idempotency-Key`; a UUID has 36.
pub const KEY_MAX: usize = 128;
/// A request without a key that says the same as one before is that one again for so long: a double click.
pub const DOUBLE_CLICK_MS: u64 = SECOND;
/// A key names the request it came with first for so long: somebody whose answer got lost asks again within minutes.
pub const KEPT_MS: u64 = 10 * 60 * SECOND;

/// The key that a header names: with or without the quotes that a string has there, 1 to 128 printable ASCII characters.
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
