//! Signing in: the dialog takes an address or a username, the admin page an address only.
//!
//! Neither judges a password beyond its presence. The lock after failures is in `login_lock`, the texts of refused
//! sign-ins in `messages`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals, untitled};
use crate::email::{self, Email, EmailError};
use crate::password::Password;
use crate::text;
use crate::validation::{told_by, validated};

/// The longest identifier that can belong to anybody, in characters.
pub const IDENTIFIER_MAX: usize = email::EMAIL_MAX;

refusals! {
    /// Why the form was not sent.
    pub enum LoginError {
        IdentifierRequired = "identifier_required", "Email or username is required";
        PasswordRequired = "password_required", "Password is required";
        BothRequired = "email_and_password_required", "Please enter both email and password";
    }
}
untitled!(LoginError);

/// What somebody typed to say who they are, in the form it is looked up by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "key", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum Identifier {
    /// Holds an `@`: the address, trimmed and in lower case; it need not be a valid one.
    Email(String),
    /// Holds no `@`: the username, trimmed and in lower case, as [`crate::username::Username::key`] gives it.
    Username(String),
    /// Longer than any address or name: nobody's. It is refused like any unknown one.
    Nobody,
}

/// Tells what kind of identifier this is.
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
        Identifier::Nobody
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
    /// An e-mail address or a username.
    #[validate(length(min = 1, code = "identifier_required"))]
    pub identifier: String,
    /// Whatever was typed.
    #[validate(length(min = 1, code = "password_required"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

told_by!(LoginForm: LoginError);

/// Who wants to sign in, and with what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Login {
    /// The identifier, ready for the look-up.
    pub identifier: Identifier,
    /// As typed; above 128 characters it is simply wrong, see [`crate::password::can_be_right`].
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// Both fields are required; nothing else is asked.
pub fn check_login(form: LoginForm) -> Checked<Login> {
    let form = LoginForm { identifier: text::trimmed(form.identifier), ..form };
    validated(form).map(|form| Login { identifier: identify(&form.identifier), password: form.password })
}

/// The form of `/admin/login`.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AdminLoginForm {
    /// An e-mail address; a username is none.
    #[validate(custom(function = is_admin_email))]
    pub email: String,
    /// Whatever was typed.
    #[validate(length(min = 1, code = "email_and_password_required"))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

told_by!(AdminLoginForm: LoginError, EmailError);

/// The admin's address and password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AdminLogin {
    /// Trimmed, in lower case, without markup.
    pub email: Email,
    /// As typed.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

/// Both fields are required, which one text says for both and the first empty field carries; then the address,
/// stripped of markup, must look like one.
pub fn check_admin_login(form: AdminLoginForm) -> Checked<AdminLogin> {
    let form = AdminLoginForm { email: text::cleaned(&email::tidied(&form.email)), ..form };
    let form = validated(form).map_err(|problems| problems.alone(LoginError::BothRequired.code()))?;
    Ok(AdminLogin { email: Email::of_validated(&form.email), password: form.password })
}

fn is_admin_email(address: &str) -> Result<(), ValidationError> {
    if address.is_empty() {
        return Err(LoginError::BothRequired.into());
    }
    // The screen knows one text only.
    Email::parse(address).map(drop).map_err(|_| EmailError::Invalid.into())
}
