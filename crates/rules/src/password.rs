//! Password lengths.
//!
//! Sign-in never checks a length; it only refuses to hash a password that cannot be right. Any character is allowed, passwords
//! are not normalised, and the caller hashes exactly what was typed.

use std::fmt;

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidateLength, ValidationError};

use crate::checked::{Checked, refusals};
use crate::text;
use crate::validation::{refused_with, validated};

/// Minimum length in characters at sign-up.
pub const SIGNUP_MIN: usize = 6;
/// Minimum length in characters of a new password on the profile or after a reset link.
pub const CHANGE_MIN: usize = 8;
/// Minimum length in characters for an admin account created on the command line.
pub const ADMIN_MIN: usize = 12;
/// Maximum length in characters, which bounds the cost of hashing.
pub const PASSWORD_MAX: usize = 128;

refusals! {
    /// Refusals of a password at sign-up or on the command line.
    pub enum PasswordError {
        TooShort = "password_too_short", "Password must be at least 6 characters long.";
        TooShortForAdmin = "password_too_short", "Minimum 12 characters required";
        TooLong = "password_too_long", "Password must be at most 128 characters";
    }
}

refusals! {
    /// Refusals of a password change.
    pub enum PasswordChangeError {
        Mismatch = "passwords_do_not_match", "Passwords do not match", "SECURITY ERROR";
        TooShort = "password_too_short", "Password must be at least 8 characters", "SECURITY ERROR";
        TooLong = "password_too_long", "Password must be at most 128 characters", "SECURITY ERROR";
    }
}

/// A password as typed. Its debug output is redacted; [`Password::expose`] returns the text.
///
/// ```
/// use rules::password::Password;
///
/// let password = Password::from("hunter2");
/// assert_eq!(password.expose(), "hunter2");
/// assert_eq!(format!("{password:?}"), "Password(..)");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// The password as typed.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Password {
    fn from(typed: String) -> Self {
        Self(typed)
    }
}

impl From<&str> for Password {
    fn from(typed: &str) -> Self {
        Self(typed.to_owned())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl ValidateLength<u64> for Password {
    fn length(&self) -> Option<u64> {
        self.expose().length()
    }
}

/// Checks the password of a new account, on the page and in the dialog: 6 to 128 characters.
///
/// ```
/// use rules::password::{PasswordError, check_signup_password};
///
/// assert_eq!(check_signup_password("12345"), Err(PasswordError::TooShort));
/// assert_eq!(check_signup_password("🎛🎛🎛🎛🎛🎛"), Ok(()));
/// ```
pub fn check_signup_password(password: &str) -> Result<(), PasswordError> {
    within(password, SIGNUP_MIN, PasswordError::TooShort, PasswordError::TooLong)
}

/// Checks the password of an admin created on the command line: 12 to 128 characters.
pub fn check_admin_password(password: &str) -> Result<(), PasswordError> {
    within(password, ADMIN_MIN, PasswordError::TooShortForAdmin, PasswordError::TooLong)
}

/// Whether a password at sign-in is worth hashing: longer than 128 characters it cannot be right.
pub fn can_be_right(password: &str) -> bool {
    !text::is_longer(password, PASSWORD_MAX)
}

/// The form of a password change.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct PasswordChangeForm {
    /// The new password.
    #[validate(custom(function = is_new_password))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
    /// The new password again.
    #[validate(must_match(other = "password", code = "passwords_do_not_match"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub confirm_password: Password,
}

refused_with!(PasswordChangeForm: PasswordChangeError);

/// The password to hash, exactly as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct PasswordChange {
    /// 8 to 128 characters.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// Checks a change on the profile or after a reset link: first that both fields are equal, then 8 to 128 characters. A mismatch
/// is reported at the second field.
pub fn check_password_change(form: PasswordChangeForm) -> Checked<PasswordChange> {
    let form = validated(form).map_err(|problems| problems.alone(PasswordChangeError::Mismatch.code()))?;
    Ok(PasswordChange { password: form.password })
}

fn is_new_password(password: &Password) -> Result<(), ValidationError> {
    use PasswordChangeError::{TooLong, TooShort};
    within(password.expose(), CHANGE_MIN, TooShort, TooLong).map_err(ValidationError::from)
}

fn within<E>(password: &str, min: usize, too_short: E, too_long: E) -> Result<(), E> {
    if text::is_shorter(password, min) {
        Err(too_short)
    } else if text::is_longer(password, PASSWORD_MAX) {
        Err(too_long)
    } else {
        Ok(())
    }
}
