//! The newsletter's one field.
//!
//! Which toast each answer of the server gets is in `messages`.

use serde::Serialize;

use crate::email::Email;
use crate::text;

/// What to do with what was typed into the newsletter field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum Subscription {
    /// Nothing was typed: no request and no toast.
    Ignored,
    /// A well-formed address: send it.
    Subscribe {
        /// Trimmed and in lower case.
        email: Email,
    },
    /// Anything else: the answer is `invalid_email`.
    InvalidEmail,
}

/// Reads the field.
///
/// ```
/// use rules::newsletter::{Subscription, read_subscription};
///
/// assert_eq!(read_subscription("  "), Subscription::Ignored);
/// assert_eq!(read_subscription("max"), Subscription::InvalidEmail);
/// ```
pub fn read_subscription(input: &str) -> Subscription {
    if text::is_invisible(input) {
        return Subscription::Ignored;
    }
    Email::parse(input).map_or(Subscription::InvalidEmail, |email| Subscription::Subscribe { email })
}
