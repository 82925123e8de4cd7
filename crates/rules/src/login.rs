//! Signing in: the dialog takes an address or username, the admin page an address only.
//!
//! A password is only required. The lock after failures is in `login_lock`, the texts of refused sign-ins in `messages`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals};
use crate::email::{self, Email, EmailError};
use crate::password::Password;
use crate::text;
use crate::validation::{refused_with, validated};

/// Maximum length of an identifier in characters.
pub const IDENTIFIER_MAX: usize = email::EMAIL_MAX;

refusals! {
    /// Refusals of a login form.
    pub enum LoginError {
        IdentifierRequired = "identifier_required", "Email or username is required";
        PasswordRequired = "password_required", "Password is required";
        BothRequired = "email_and_password_required", "Please enter both email and password";
    }
}

/// A typed identifier in the form it is looked up by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "key", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum Identifier {
    /// Contains an `@`: the address, trimmed and in lower case, even if it is invalid.
    Email(String),
    /// Contains no `@`: the username, trimmed and in lower case, as returned by [`crate::username::Username::key`].
    Username(String),
    /// Longer than any address or username. It is refused like an unknown one.
    Invalid,
}

/// Determines the kind of an identifier.
///
/// ```
/// use rules::login::{Identifier, identify};
///
/// assert_eq!(identify(" Max "), Identifier::Username("max".into()));
/// assert_eq!(identify("Max@Example.org"), Identifier::Email("max@example.org".into()));
/// ```
pub fn identify(input: &str) -> Identifier {
    let key = email::normalise(input);
    if text::is_longer(&key, IDENTIFIER_MAX) || key.contains('\0') {
        Identifier::Invalid
    } else if key.contains('@') {
        Identifier::Email(key)
    } else {
        Identifier::Username(key)
    }
}

/// The LOGIN tab of the dialog.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct LoginForm {
    /// An e-mail address or username.
    #[validate(length(min = 1, code = "identifier_required"))]
    pub identifier: String,
    /// The password as typed.
    #[validate(length(min = 1, code = "password_required"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

refused_with!(LoginForm: LoginError);

/// Checked credentials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Login {
    /// The identifier to look up.
    pub identifier: Identifier,
    /// As typed; above 128 characters it cannot be right, see [`crate::password::can_be_right`].
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// Requires both fields.
pub fn check_login(form: LoginForm) -> Checked<Login> {
    let form = LoginForm { identifier: text::trimmed(form.identifier), ..form };
    validated(form).map(|form| Login { identifier: identify(&form.identifier), password: form.password })
}

/// The form of `/admin/login`.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AdminLoginForm {
    /// An e-mail address; usernames are not accepted.
    #[validate(custom(function = is_admin_email))]
    pub email: String,
    /// The password as typed.
    #[validate(length(min = 1, code = "email_and_password_required"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

refused_with!(AdminLoginForm: LoginError, EmailError);

/// Checked credentials of an admin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AdminLogin {
    /// Trimmed, in lower case, without markup.
    pub email: Email,
    /// As typed.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// Requires both fields, reporting the first empty one with a text for both, then a valid address after markup is removed.
pub fn check_admin_login(form: AdminLoginForm) -> Checked<AdminLogin> {
    let form = AdminLoginForm { email: text::cleaned(&email::tidied(&form.email)), ..form };
    let form = validated(form).map_err(|problems| problems.alone(LoginError::BothRequired.code()))?;
    Ok(AdminLogin { email: Email::of_validated(&form.email), password: form.password })
}

fn is_admin_email(address: &str) -> Result<(), ValidationError> {
    if address.is_empty() {
        return Err(LoginError::BothRequired.into());
    }
    // This page has a single text for invalid addresses.
    Email::parse(address).map(drop).map_err(|_| EmailError::Invalid.into())
}
