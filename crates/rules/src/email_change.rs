//! Changing the address of one's own account.
//!
//! Who must verify a second factor first is decided by the server; the new address confirms by a mailed link.

use crate::checked::{refusals, titled};
use crate::email::{Email, normalise};

/// How long a second factor given in a session stands for a change of address.
pub const FACTOR_COUNTS_MS: u64 = 10 * 60_000;

refusals! {
    /// Why the new address was refused.
    pub enum EmailChangeError {
        Invalid = "email_invalid", "Please enter a valid email address";
        Unchanged = "email_unchanged", "This is your address already";
    }
}
titled!(EmailChangeError);

impl EmailChangeError {
    /// The title of the toast on the profile.
    pub const fn title(self) -> &'static str {
        "VALIDATION ERROR"
    }
}

/// The new address, in the form it will be stored in; `current` is the account's.
pub fn check_email_change(input: &str, current: &str) -> Result<Email, EmailChangeError> {
    let email = Email::parse(input).map_err(|_| EmailChangeError::Invalid)?;
    if email.as_str() == normalise(current) { Err(EmailChangeError::Unchanged) } else { Ok(email) }
}
