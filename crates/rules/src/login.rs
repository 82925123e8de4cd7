//! Signing in: the dialog takes an address or a username, the admin page an address only.
//!
//! Neither judges a password beyond its presence. The lock after failures is in `login_lock`, the texts of refused
//! sign-ins in `messages`.

use serde::{Deserialize, Serialize};

use crate::checked::{Checked, Problem, Refusal, refusals, untitled};
use crate::email::{self, Email, EmailError};
use crate::password::Password;
use crate::text;
use crate::validation::{Validate, validated};

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
#[validate(crate = "crate::validation")]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct LoginForm {
    /// An e-mail address or a username.
    #[validate(custom(function = predicate::identifier))]
    pub identifier: String,
    /// Whatever was typed.
    #[validate(custom(function = predicate::password))]
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

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
    validated(form).map(|form| Login { identifier: identify(&form.identifier), password: form.password })
}

/// The form of `/admin/login`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AdminLoginForm {
    /// An e-mail address; a username is none.
    pub email: String,
    /// Whatever was typed.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub password: Password,
}

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
    let address = text::cleaned(&form.email);
    let refuse = |field, refusal: Refusal| Err(Problem::new(field, refusal).into());
    if address.is_empty() {
        return refuse("email", LoginError::BothRequired.into());
    }
    if form.password.expose().is_empty() {
        return refuse("password", LoginError::BothRequired.into());
    }
    match Email::parse(&address) {
        Ok(email) => Ok(AdminLogin { email, password: form.password }),
        // The screen knows one text only.
        Err(_) => refuse("email", EmailError::Invalid.into()),
    }
}

mod predicate {
    use super::LoginError;
    use crate::checked::Refusal;
    use crate::password::Password;

    pub(super) fn identifier(value: &str) -> Result<(), Refusal> {
        require(!value.trim().is_empty(), LoginError::IdentifierRequired)
    }

    pub(super) fn password(value: &Password) -> Result<(), Refusal> {
        require(!value.expose().is_empty(), LoginError::PasswordRequired)
    }

    fn require(present: bool, error: LoginError) -> Result<(), Refusal> {
        if present { Ok(()) } else { Err(Refusal::from(error)) }
    }
}
