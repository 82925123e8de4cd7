//! Sign-up, in the SIGN UP tab of the dialog and on `/signup`.
//!
//! Both result in a [`NewAccount`]. Attempts, cooldowns and resends have separate modules; a missing username gets its default
//! from [`crate::username::default_username`], once it is known which are free.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals};
use crate::email::{Email, EmailError, is_email};
use crate::password::{Password, PasswordError, check_signup_password};
use crate::span::DAY;
use crate::text;
use crate::username::{Username, UsernameError, is_username};
use crate::validation::{limit, refused_with, validated};

/// Maximum length of a full name in characters.
pub const FULL_NAME_MAX: usize = 100;
/// Sign-ups per address that can be confirmed; another one cancels the oldest.
pub const LIVE_ATTEMPTS: u32 = 5;
/// An unconfirmed address is forgotten after this.
pub const UNCONFIRMED_MS: u64 = 7 * DAY;

refusals! {
    /// Refusals specific to the sign-up forms; address, username and password have their own.
    pub enum SignupError {
        FullNameRequired = "full_name_required", "Full name is required";
        FullNameTooLong = "full_name_too_long", "Full name must be less than 100 characters";
        FullNameCharacters = "full_name_characters", "Invalid characters in full name";
        Email = "email_invalid", "Please enter a valid email address.";
    }
}

/// The SIGN UP tab, where every field is required.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct SignupDialogForm {
    /// Visible to its owner only.
    #[validate(length(max = limit(FULL_NAME_MAX), code = "full_name_too_long"), custom(function = is_full_name))]
    pub full_name: String,
    /// An e-mail address.
    #[validate(custom(function = is_email))]
    pub email: String,
    /// A username, required here.
    #[validate(custom(function = is_username))]
    pub username: String,
    /// At least 6 characters.
    #[validate(custom(function = is_password))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

refused_with!(SignupDialogForm: EmailError, SignupError, UsernameError, PasswordError);

/// The page `/signup`, and the server's input from both forms: only address and password are required.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct SignupForm {
    /// An e-mail address.
    #[validate(custom(function = is_email))]
    pub email: String,
    /// A username; without one the account gets a default.
    #[serde(default)]
    #[validate(custom(function = is_username))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub username: Option<String>,
    /// At least 6 characters.
    #[validate(custom(function = is_password))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
    /// Sent by the dialog only.
    #[serde(default)]
    #[validate(length(max = limit(FULL_NAME_MAX), code = "full_name_too_long"), custom(function = is_full_name))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub full_name: Option<String>,
}

// The page's text for a malformed address ends with a full stop, unlike the dialog's.
refused_with!(SignupForm: SignupError, EmailError, UsernameError, PasswordError);

/// A checked sign-up from either form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct NewAccount {
    /// The address as stored.
    pub email: Email,
    /// The typed name; `None` for a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub username: Option<Username>,
    /// 6 to 128 characters, exactly as typed.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
    /// 1 to 100 characters, if sent by the dialog.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub full_name: Option<String>,
}

/// Checks the dialog's form.
pub fn check_signup_dialog(form: SignupDialogForm) -> Checked<NewAccount> {
    let form = SignupDialogForm { full_name: text::cleaned(&form.full_name), ..form };
    validated(form).map(|form| NewAccount {
        email: Email::of_validated(&form.email),
        username: Some(Username::of_validated(form.username)),
        password: form.password,
        full_name: Some(form.full_name),
    })
}

/// Checks the page's form, and on the server every sign-up.
///
/// ```
/// use rules::signup::{SignupForm, check_signup};
///
/// let form = SignupForm {
///     email: "Max@Example.org".into(),
///     username: None,
///     password: "secret".into(),
///     full_name: None,
/// };
/// let account = check_signup(form).unwrap();
/// assert_eq!(account.email.as_str(), "max@example.org");
/// assert_eq!(account.username, None);
/// ```
pub fn check_signup(form: SignupForm) -> Checked<NewAccount> {
    let form = SignupForm {
        username: form.username.filter(|name| !text::is_invisible(name)),
        full_name: text::cleaned_option(form.full_name),
        ..form
    };
    validated(form).map(|form| NewAccount {
        email: Email::of_validated(&form.email),
        username: form.username.map(Username::of_validated),
        password: form.password,
        full_name: form.full_name,
    })
}

fn is_full_name(name: &str) -> Result<(), ValidationError> {
    let broken = if name.is_empty() {
        SignupError::FullNameRequired
    } else if text::has_control_or_bidi(name) {
        SignupError::FullNameCharacters
    } else {
        return Ok(());
    };
    Err(broken.into())
}

fn is_password(password: &Password) -> Result<(), ValidationError> {
    check_signup_password(password.expose()).map_err(ValidationError::from)
}
