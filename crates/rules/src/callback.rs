//! The e-mail confirmation page's initial state, from its address.

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// Shown for a link without a token.
pub const INVALID_LINK: &str = "Invalid confirmation link or expired token";
/// Maximum length of a displayed error in characters: anyone can put a text into an address.
pub const LONGEST_ERROR: usize = 200;
/// Delay from success, or from the already-confirmed state, to the next page.
pub const REDIRECT_MS: u32 = 2_000;
/// Delay from the welcome page to the home page.
pub const WELCOME_REDIRECT_MS: u32 = 5_000;

/// Initial state of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Callback {
    /// A one-time token, to be removed from the address bar and redeemed by POST, which decides between success, already
    /// confirmed and an error. Opening the page alone changes nothing.
    Redeem {
        /// The token.
        token: String,
    },
    /// No token, but a session.
    AlreadyConfirmed,
    /// An error, shown as plain text.
    Error {
        /// The text.
        message: String,
    },
}

/// Decides by the fragment and query of the address (with or without `#` and `?`) and by whether there is a session. An error
/// description comes first (the fragment's before the query's), then the sign-up token in the fragment, then the session;
/// otherwise the link is invalid. A token in the query is ignored: it would have reached logs.
///
/// ```
/// use rules::callback::{Callback, callback};
/// assert_eq!(callback("#type=signup&token=q9Zk-_x", "", false), Callback::Redeem { token: "q9Zk-_x".into() });
/// assert_eq!(callback("", "?error_description=Link+expired", true), Callback::Error { message: "Link expired".into() });
/// ```
pub fn callback(fragment: &str, query: &str, has_session: bool) -> Callback {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    let query = query.strip_prefix('?').unwrap_or(query);
    let described = [fragment, query]
        .into_iter()
        .filter_map(|part| parameter(part, "error_description"))
        .map(|raw| decode(raw, LONGEST_ERROR))
        .find(|text| !text.is_empty());
    if let Some(message) = described {
        return Callback::Error { message };
    }
    let token = parameter(fragment, "token").filter(|token| is_token(token));
    match token {
        Some(token) if parameter(fragment, "type") == Some("signup") => {
            Callback::Redeem { token: token.to_owned() }
        }
        _ if has_session => Callback::AlreadyConfirmed,
        _ => Callback::Error { message: INVALID_LINK.to_owned() },
    }
}

fn parameter<'a>(part: &'a str, name: &str) -> Option<&'a str> {
    part.split('&')
        .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value))
}

/// One-time tokens are base64url.
fn is_token(token: &str) -> bool {
    (1..=200).contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Decodes a form-encoded value to at most `longest` characters, without control characters, trimmed.
fn decode(raw: &str, longest: usize) -> String {
    let raw = raw.as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    // A character takes at most four bytes, so later bytes cannot be shown.
    while at < raw.len() && bytes.len() < longest * 4 {
        let (byte, length) = match raw[at..] {
            [b'%', high, low, ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => (high * 16 + low, 3),
                _ => (b'%', 1),
            },
            [b'+', ..] => (b' ', 1),
            [other, ..] => (other, 1),
            [] => break,
        };
        bytes.push(byte);
        at += length;
    }
    let text: String =
        String::from_utf8_lossy(&bytes).chars().filter(|c| !c.is_control()).take(longest).collect();
    text.trim().to_owned()
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
