//! The newsletter field.
//!
//! The toasts for the server's answers are in `messages`.

use serde::Serialize;

use crate::email::{Email, EmailError};
use crate::text;

/// Action for the typed newsletter address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum Subscription {
    /// Empty: no request and no toast.
    Ignored,
    /// A valid address to send.
    Subscribe {
        /// Trimmed and in lower case.
        email: Email,
    },
    /// A domain in another script: send the address as typed, which the server converts.
    DomainNotAscii,
    /// Anything else: show `invalid_email`.
    InvalidEmail,
}

/// Parses the field.
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
    match Email::parse(input) {
        Ok(email) => Subscription::Subscribe { email },
        Err(EmailError::DomainNotAscii) => Subscription::DomainNotAscii,
        Err(EmailError::Invalid) => Subscription::InvalidEmail,
    }
}
