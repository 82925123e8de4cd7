//! Requesting a reset link in the login dialog, whose single field takes an address or a username.
//!
//! The server answers known and unknown addresses alike. The texts are in `messages`.

use crate::checked::refusals;
use crate::email::{self, Email, EmailError};

refusals! {
    /// Refusals of a reset request.
    pub enum ForgotError {
        EmailRequired = "email_required", "Please enter your email address first";
        Invalid = "email_invalid", "Please enter a valid email address";
        DomainNotAscii = "email_domain_not_ascii", "Please enter the part after the @ in its ASCII form (xn--...)";
    }
}

/// Parses the address to send a link to. A value without `@` is a username and treated as empty. A domain in another script has
/// a separate refusal: the browser sends it anyway, and the server converts it.
///
/// ```
/// use rules::forgot::{ForgotError, check_forgot};
///
/// assert_eq!(check_forgot("max"), Err(ForgotError::EmailRequired));
/// assert!(check_forgot("max@example.org").is_ok());
/// ```
pub fn check_forgot(identifier: &str) -> Result<Email, ForgotError> {
    if !email::tidied(identifier).contains('@') {
        return Err(ForgotError::EmailRequired);
    }
    Email::parse(identifier).map_err(|error| match error {
        EmailError::Invalid => ForgotError::Invalid,
        EmailError::DomainNotAscii => ForgotError::DomainNotAscii,
    })
}
