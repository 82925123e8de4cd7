//! Asking for a reset link from the login dialog, whose one field holds an address or a username.
//!
//! The answer for an address is the same whether or not somebody has it; that is the server's part. Its words are in
//! `messages`.

use crate::checked::{refusals, untitled};
use crate::email::{self, Email, EmailError};

refusals! {
    /// Why no reset was asked for.
    pub enum ForgotError {
        EmailRequired = "email_required", "Please enter your email address first";
        Invalid = "email_invalid", "Please enter a valid email address";
        DomainNotAscii = "email_domain_not_ascii", "Please enter the part after the @ in its ASCII form (xn--...)";
    }
}
untitled!(ForgotError);

/// The address to send a link to. A value without `@` is a username and answered like an empty one. A domain in another script has
/// a refusal of its own: the browser sends it all the same, and the server reads it once it has converted it.
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
