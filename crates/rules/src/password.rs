//! Passwords: how long they must be where one is chosen.
//!
//! Signing in never judges a length, it only refuses to hash what cannot be right. Nothing else is asked of a
//! password: any character counts, none is normalised, and the caller hashes exactly what was typed.

use std::fmt;

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidateLength, ValidationError};

use crate::checked::{Checked, refusals, titled, untitled};
use crate::text;
use crate::validation::{told_by, validated};

/// The fewest characters at sign-up.
pub const SIGNUP_MIN: usize = 6;
/// The fewest characters of a new password on the profile and after a reset link.
pub const CHANGE_MIN: usize = 8;
/// The fewest characters for an account made on the command line with admin rights.
pub const ADMIN_MIN: usize = 12;
/// The most characters anywhere, so that hashing cannot be abused.
pub const PASSWORD_MAX: usize = 128;

refusals! {
    /// Why a password was refused at sign-up or on the command line.
    pub enum PasswordError {
        TooShort = "password_too_short", "Password must be at least 6 characters long.";
        TooShortForAdmin = "password_too_short", "Minimum 12 characters required";
        TooLong = "password_too_long", "Password must be at most 128 characters";
    }
}
untitled!(PasswordError);

refusals! {
    /// Why a password change was refused.
    pub enum PasswordChangeError {
        Mismatch = "passwords_do_not_match", "Passwords do not match";
        TooShort = "password_too_short", "Password must be at least 8 characters";
        TooLong = "password_too_long", "Password must be at most 128 characters";
    }
}
titled!(PasswordChangeError);

impl PasswordChangeError {
    /// The title of the toast on the profile.
    pub const fn title(self) -> &'static str {
        "SECURITY ERROR"
    }
}

/// A password as it was typed. Whoever wants to see it asks for it by name: printed for debugging it shows nothing.
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
    /// What was typed.
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

/// A password for a new account, on the page and in the dialog alike: 6 to 128 characters.
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

/// A password for an admin made on the command line: 12 to 128 characters.
pub fn check_admin_password(password: &str) -> Result<(), PasswordError> {
    within(password, ADMIN_MIN, PasswordError::TooShortForAdmin, PasswordError::TooLong)
}

/// Whether a password typed at sign-in is worth hashing: one above 128 characters is simply wrong.
pub fn can_be_right(password: &str) -> bool {
    !text::is_longer(password, PASSWORD_MAX)
}

/// The two fields of a password change.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct PasswordChangeForm {
    /// The new password.
    #[validate(custom(function = is_new_password))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
    /// The same once more.
    #[validate(must_match(other = "password", code = "passwords_do_not_match"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub confirm_password: Password,
}

told_by!(PasswordChangeForm: PasswordChangeError);

/// The password to be hashed, exactly as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct PasswordChange {
    /// 8 to 128 characters.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// A change on the profile or after a reset link: both fields equal, which is checked first, then 8 to 128
/// characters. A mismatch is the problem of the second field.
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
