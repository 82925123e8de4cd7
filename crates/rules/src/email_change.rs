//! Changing an account's address.
//!
//! The server decides who must verify a second factor first; a mailed link confirms the new address.

use crate::checked::refusals;
use crate::email::{Email, normalise};
use crate::span::MINUTE;

/// A second factor verified within this time allows a change of address.
pub const FACTOR_COUNTS_MS: u64 = 10 * MINUTE;

refusals! {
    /// Refusals of a new address.
    pub enum EmailChangeError {
        Invalid = "email_invalid", "Please enter a valid email address", "VALIDATION ERROR";
        Unchanged = "email_unchanged", "This is your address already", "VALIDATION ERROR";
    }
}

/// Parses the new address; `current` is the account's.
pub fn check_email_change(input: &str, current: &str) -> Result<Email, EmailChangeError> {
    let email = Email::parse(input).map_err(|_| EmailChangeError::Invalid)?;
    if email.as_str() == normalise(current) { Err(EmailChangeError::Unchanged) } else { Ok(email) }
}
